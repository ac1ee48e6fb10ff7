// "// hwsift: ignore[rule] reason" in the comments of a C++ file.
#pragma once

#include <vector>

#include "analyzer/cxx/lexed_file.h"
#include "analyzer/facts.h"

namespace hwsift::analyzer::cxx {

// In source order; those that are malformed too. One alone on its line is about the next line with code.
std::vector<Suppression> read_suppressions(const LexedFile& file);

}  // namespace hwsift::analyzer::cxx
