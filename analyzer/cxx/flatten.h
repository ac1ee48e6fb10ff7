// Takes the conditions out of a C++ file, so that one pass of the preprocessor reads all branches.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/cxx/lexed_file.h"

namespace hwsift::analyzer::cxx {

struct FlatFile {
  std::string text;  // of the same length, line by line; directives but #define and #undef are blanks
  std::vector<Condition> conditions;
  std::vector<Comment> comments;
  std::vector<Include> includes;
  std::vector<std::string> notes;  // of branches that are left out

  // The innermost condition around a byte of the file, -1 for none.
  int condition_at(std::size_t offset) const;

  struct Change {
    std::size_t offset = 0;
    int condition = -1;
  };
  std::vector<Change> changes;  // by offset
};

// Of branches that open or close different braces only the first is kept; of macros that branches define
// differently too, unless its condition names another operating system.
FlatFile flatten(std::string_view text);

}  // namespace hwsift::analyzer::cxx
