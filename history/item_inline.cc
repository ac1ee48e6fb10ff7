#include "history/item_inline.h"

#include <algorithm>

#include "base/text.h"
#include "history/item_files.h"

namespace hwsift::history {
namespace {

constexpr std::size_t kMostSpans = 10000;  // of code and links in a line; what follows is read as plain text

// Goes over a line once: what is not closed is looked for no second time.
class InlineReader {
 public:
  explicit InlineReader(std::string_view line) : line_(line) {}

  Inline read() {
    while (at_ < line_.size()) {
      bool read = (line_[at_] == '`' && read_code()) || (line_[at_] == '[' && read_link());
      if (!read) take_plain();
    }
    return std::move(out_);
  }

 private:
  bool is_full() const { return out_.code.size() + out_.addresses.size() >= kMostSpans; }

  // To the next mark.
  void take_plain() {
    std::size_t end = std::min(line_.find_first_of("`[", at_ + 1), line_.size());
    take(end - at_);
  }

  bool read_code() {
    std::size_t ticks = std::min(line_.find_first_not_of('`', at_), line_.size()) - at_;
    if (ticks > 2) return take(ticks);
    if (unclosed_[ticks] || is_full()) return false;
    std::size_t end = line_.find(line_.substr(at_, ticks), at_ + ticks);
    unclosed_[ticks] = end == std::string_view::npos;
    if (unclosed_[ticks]) return false;
    out_.code.emplace_back(trim(line_.substr(at_ + ticks, end - at_ - ticks)));
    out_.text += out_.code.back();
    at_ = end + ticks;
    return true;
  }

  bool take(std::size_t count) {
    out_.text += line_.substr(at_, count);
    at_ += count;
    return true;
  }

  // "[text](address)", with no brackets in the text.
  bool read_link() {
    std::size_t middle = line_.find_first_of("[]", at_ + 1);
    if (middle == std::string_view::npos || line_.substr(middle, 2) != "](" || unclosed_[0] || is_full())
      return false;
    std::size_t end = line_.find(')', middle);
    unclosed_[0] = end == std::string_view::npos;
    if (unclosed_[0]) return false;
    out_.begins_with_link = out_.begins_with_link || trim(out_.text).empty();
    Inline shown = InlineReader(line_.substr(at_ + 1, middle - at_ - 1)).read();
    out_.code.insert(out_.code.end(), shown.code.begin(), shown.code.end());
    out_.text += shown.text;
    std::string_view address = line_.substr(middle + 2, end - middle - 2);
    out_.addresses.emplace_back(address.substr(0, address.find(' ')));  // a title in quotes may follow
    note_file(shown.text, out_.addresses.back());
    at_ = end + 1;
    return true;
  }

  void note_file(std::string_view shown, const std::string& address) {
    if (!is_address(address) || !is_test_path(address)) return;
    std::string path = named_path(address).path;
    Words words(shown, " \t");
    for (std::string_view word; words.next(word);) {
      std::string part = is_test_path(word) ? named_path(word).path : "";
      if (!part.empty() && path.ends_with("/" + part)) out_.files.emplace(part, path);
    }
  }

  std::string_view line_;
  std::size_t at_ = 0;
  bool unclosed_[3] = {};  // an address; one backtick, two
  Inline out_;
};

}  // namespace

Inline read_inline(std::string_view line) { return InlineReader(line).read(); }

}  // namespace hwsift::history
