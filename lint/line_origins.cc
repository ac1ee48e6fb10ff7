#include "lint/line_origins.h"

#include <algorithm>
#include <numeric>

namespace hwsift::lint {
namespace {

// Makes the lines anew, character by character. A line belongs to the first line of which it keeps something.
class Walk {
 public:
  explicit Walk(const std::vector<int>& origins) : origins_(origins) {}

  void keep(char c) {
    bool whole = c != '\n' || !added_;  // of an added line the old line feed is all that is left
    if (whole) claim();
    if (c == '\n') close(), ++line_;
  }

  void drop(char c) { line_ += c == '\n' ? 1 : 0; }

  void add(char c) {
    if (c == '\n')
      close();
    else
      added_ = true;
  }

  // What follows stands for something of the old line.
  void claim() { open_ = open_ != 0 ? open_ : origins_[line_]; }

  std::vector<int> take() {
    if (!added_) claim();
    close();
    return std::move(made_);
  }

 private:
  void close() {
    made_.push_back(open_);
    open_ = 0;
    added_ = false;
  }

  const std::vector<int>& origins_;
  std::vector<int> made_;
  std::size_t line_ = 0;
  int open_ = 0;        // the origin of the line that is being made
  bool added_ = false;  // whether an edit has put something into it
};

}  // namespace

LineOrigins::LineOrigins(std::string_view text)
    : origins_(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1) {
  std::iota(origins_.begin(), origins_.end(), 1);
}

void LineOrigins::follow(std::string_view text, std::size_t begin, const std::vector<Edit>& edits) {
  Walk walk(origins_);
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    while (begin + at < edit.begin) walk.keep(text[at++]);
    if (edit.begin < edit.end && !edit.text.empty()) walk.claim();
    for (char c : edit.text) walk.add(c);
    while (begin + at < edit.end) walk.drop(text[at++]);
  }
  while (at < text.size()) walk.keep(text[at++]);
  origins_ = walk.take();
}

int LineOrigins::of(int line) const {
  bool known = line > 0 && static_cast<std::size_t>(line) <= origins_.size();
  return known ? origins_[static_cast<std::size_t>(line) - 1] : 0;
}

}  // namespace hwsift::lint
