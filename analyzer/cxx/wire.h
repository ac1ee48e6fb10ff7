// Lexed files between hwsift and its helper program, a line of JSON each.
#pragma once

#include <string>

#include "analyzer/cxx/lexed_file.h"
#include "base/result.h"

namespace hwsift::analyzer::cxx {

// {"path", "tokens": [[kind, text, line, col, condition, from_macro], ...], "conditions", "comments",
// "includes", "errors", "notes"}, and of one that is resolved "resolved": [[index of a token, name], ...],
// "made_tests"
struct LexedLine {
  std::string path;  // as it was given to the helper
  LexedFile file;
};

std::string to_line(const LexedLine& lexed);
// An error where the line is none of the helper's.
Result<LexedLine> from_line(const std::string& line);

}  // namespace hwsift::analyzer::cxx
