// Which classes of a file derive from which, and whose tests each one runs.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analyzer/facts.h"

namespace hwsift::classifier {

// A method: of the class itself or of a base in the same file.
struct MethodPlace {
  int class_index = 0;
  int method_index = 0;
  bool operator==(const MethodPlace&) const = default;
};

// Methods that unittest and pytest run around each test.
bool sets_up(std::string_view method);

class Inheritance {
 public:
  explicit Inheritance(const analyzer::FileFacts& file);

  // Base classes in this file, nearest first, each once; of a base's name the last class before the subclass.
  std::span<const int> bases_of(int class_index) const { return std::span(line_of(class_index)).subspan(1); }
  // The class, then its bases.
  const std::vector<int>& line_of(int class_index) const {
    return lines_[static_cast<std::size_t>(class_index)];
  }
  // Own tests; where there are none, those that the bases in this file hand down.
  std::vector<MethodPlace> tests_of(int class_index) const;
  // Whether it derives from a class outside the file of which more is asked than to run tests: one that may
  // read what the class sets.
  bool has_framework_base(int class_index) const;

 private:
  std::vector<int> walk_from(int class_index, std::vector<char>& seen) const;

  const analyzer::FileFacts& file_;
  std::vector<std::vector<int>> direct_bases_;
  std::vector<bool> has_own_framework_base_;
  std::vector<std::vector<int>> lines_;
};

}  // namespace hwsift::classifier
