// Which line of the original each line of a file was, while edits move them.
#pragma once

#include <string_view>
#include <vector>

#include "lint/finding.h"

namespace hwsift::lint {

class LineOrigins {
 public:
  explicit LineOrigins(std::string_view text);

  // Follows edits of the text as it is before them; `begin` is where it starts in the file. They must be
  // sorted and apart.
  void follow(std::string_view text, std::size_t begin, const std::vector<Edit>& edits);
  // Lines are 1-based; 0 for one that an edit has added, and for 0.
  int of(int line) const;

 private:
  std::vector<int> origins_;
};

}  // namespace hwsift::lint
