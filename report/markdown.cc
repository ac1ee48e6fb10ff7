#include "report/markdown.h"

#include <fmt/format.h>

#include "base/text.h"

namespace hwsift::report {
namespace {

bool is_letter(char c) { return is_word_char(c) && c != '_'; }

}  // namespace

std::string markdown_text(const std::string& text, std::size_t bytes) {
  std::string safe;
  bool cut = text.size() > bytes;
  // Not within a character.
  while (cut && bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  for (char c : printable(std::string_view(text).substr(0, bytes))) {
    if (is_letter(c) || c == ' ')
      safe += c;
    else
      safe += fmt::format("&#{};", static_cast<int>(c));
  }
  return cut ? safe + "…" : safe;
}

std::string markdown_code(const std::string& text, std::size_t bytes) {
  return text.empty() ? "" : "<code>" + markdown_text(text, bytes) + "</code>";
}

void MarkdownRows::add(const std::string& row) {
  ++rows_;
  if (left_out_ > 0 || text_.size() + row.size() > bytes_)
    ++left_out_;
  else
    text_ += row;
}

void MarkdownRows::leave_out(std::size_t rows) {
  rows_ += rows;
  left_out_ += rows;
}

std::string MarkdownRows::text() const {
  if (rows_ == 0) return "";
  std::string more = left_out_ == 0 ? "" : fmt::format("\n{} more are left out here.\n", left_out_);
  return "\n" + head_ + text_ + more;
}

}  // namespace hwsift::report
