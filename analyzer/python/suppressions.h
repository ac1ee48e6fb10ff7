// "# hwsift: ignore[rule] reason" in the comments of a file.
#pragma once

#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "analyzer/python/node.h"
#include "analyzer/python/tokens.h"

namespace hwsift::analyzer {

// What stands between tokens and begins with a hash, each up to the end of its line.
std::vector<Span> comments_of(const std::string& text, const Tokens& tokens);

// In source order; those that are malformed too, and say so. Text that only looks like a comment is none.
std::vector<Suppression> read_suppressions(const Source& source, const std::vector<Span>& comments);

}  // namespace hwsift::analyzer
