// Imports, functions and classes as their tokens tell them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/python/excerpt.h"
#include "analyzer/python/line_judge.h"
#include "analyzer/python/lines.h"

namespace hwsift::analyzer {

// Every import of a file but those from __future__, in its order.
std::vector<PlainImport> read_plain_imports(const std::string& text, const std::vector<Token>& tokens,
                                            const std::vector<Line>& lines);

// What its header and the decorators on the lines from `first` up to it say of the function of line `def`;
// nullopt where the header is more than tokens can tell; decorators that are so are only counted.
std::optional<PlainFunction> read_plain_function(const std::string& text, const std::vector<Token>& tokens,
                                                 const std::vector<Line>& lines, std::uint32_t first,
                                                 std::uint32_t def, LineJudge& judge);

// Of a class with a block.
PlainClass read_plain_class(const std::vector<Token>& tokens, const std::vector<Line>& lines,
                            std::uint32_t line);

}  // namespace hwsift::analyzer
