#pragma once

#include <cstddef>
#include <string>

namespace hwsift::analyzer::cxx {

// Lines and columns of places that mostly go forward; Clang counts each column from the start of its line.
class Positions {
 public:
  explicit Positions(const std::string& text) : text_(text) {}

  void go_to(std::size_t offset) {
    if (offset < at_) at_ = 0, line = 1, col = 1;
    for (; at_ < offset && at_ < text_.size(); ++at_) {
      bool continues = (static_cast<unsigned char>(text_[at_]) & 0xC0) == 0x80;
      if (text_[at_] == '\n')
        ++line, col = 1;
      else if (!continues)
        ++col;
    }
  }

  int line = 1;
  int col = 1;  // in code points

 private:
  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace hwsift::analyzer::cxx
