// GitHub acts on a text twice: as Markdown, and then on what it shows: mentions, references (#1, GH-1, hashes
// of commits), emoji (:x:) and formulas ($x$). No backslash and no entity keeps it from the second, only code
// does. So words that would act there become spans of code, and all others get the backslashes that Markdown
// asks for.
#include "report/markdown.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace hwsift::report {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Of ASCII: others may be punctuation.
bool is_letter_or_digit(char c) {
  return static_cast<unsigned char>(c) < 0x80 && is_word_char(c) && c != '_';
}
bool is_punctuation(char c) { return c > ' ' && c < 0x7F && !is_letter_or_digit(c); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

struct Beginning {
  std::string text;
  bool cut = false;
};

Beginning beginning(const std::string& text, std::size_t bytes) {
  bool cut = text.size() > bytes;
  // Not within a character.
  while (cut && bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  std::string shown = printable(std::string_view(text).substr(0, bytes));
  std::size_t from = std::min(shown.find_first_not_of(' '), shown.size());
  return {shown.substr(from, shown.find_last_not_of(' ') + 1 - from), cut};
}

// "#12" in it, or "GH-12".
bool is_reference(std::string_view word) {
  for (std::size_t at = word.find('#'); at != std::string_view::npos; at = word.find('#', at + 1))
    if (at + 1 < word.size() && is_digit(word[at + 1])) return true;
  std::size_t at = ascii_lower(word).find("gh-");
  return at != std::string_view::npos && at + 3 < word.size() && is_digit(word[at + 3]);
}

// A hash of a commit, whole or short.
bool has_hash(std::string_view word) {
  constexpr std::size_t kShortest = 7;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= word.size(); ++at) {
    if (at < word.size() && is_letter_or_digit(word[at])) continue;
    std::string_view part = word.substr(begin, at - begin);
    begin = at + 1;
    if (part.size() >= kShortest && std::all_of(part.begin(), part.end(), is_hex) &&
        std::any_of(part.begin(), part.end(), is_digit) && !std::all_of(part.begin(), part.end(), is_digit))
      return true;
  }
  return false;
}

// ":x:" in it; a time ("12:30:00") has none.
bool has_emoji(std::string_view word) {
  for (std::size_t at = word.find(':'); at != std::string_view::npos;) {
    std::size_t end = word.find(':', at + 1);
    if (end == std::string_view::npos) return false;
    std::string_view name = word.substr(at + 1, end - at - 1);
    bool number = name.size() <= 2 && std::all_of(name.begin(), name.end(), is_digit);
    if (!number) return true;
    at = end;
  }
  return false;
}

// What GitHub looks for in the text that Markdown leaves.
bool acts(std::string_view word) {
  return word.find_first_of("@$") != std::string_view::npos || word.find("://") != std::string_view::npos ||
         ascii_lower(word).find("www.") != std::string_view::npos || is_reference(word) || has_hash(word) ||
         has_emoji(word);
}

std::size_t longest_run(std::string_view text, char of) {
  std::size_t longest = 0, run = 0;
  for (char c : text) longest = std::max(longest, run = c == of ? run + 1 : 0);
  return longest;
}

std::string code_span(std::string_view text) {
  std::string fence(longest_run(text, '`') + 1, '`');
  const char* space = text.front() == '`' || text.back() == '`' ? " " : "";
  return fmt::format("{0}{1}{2}{1}{0}", fence, space, text);
}

// An underscore that stands in a word is one everywhere.
bool is_inner_underscore(std::string_view word, std::size_t at) {
  std::size_t before = word.find_last_not_of('_', at), after = word.find_first_not_of('_', at);
  return before != std::string_view::npos && after != std::string_view::npos &&
         is_letter_or_digit(word[before]) && is_letter_or_digit(word[after]);
}

// What stands for a sign of a word.
std::string escaped_sign(std::string_view word, std::size_t at) {
  char c = word[at];
  char next = at + 1 < word.size() ? word[at + 1] : ' ';
  if (c == '<') return "&lt;";
  if (c == '&') return is_letter_or_digit(next) || next == '#' ? "&amp;" : "&";
  bool special = c == '`' || c == '*' || c == '~' || c == '[' ||
                 (c == '_' && !is_inner_underscore(word, at)) ||
                 (c == '\\' && (is_punctuation(next) || at + 1 == word.size()));
  return special ? std::string("\\") + c : std::string(1, c);
}

std::string escaped_word(std::string_view word) {
  if (acts(word)) return code_span(word);
  std::string safe;
  for (std::size_t at = 0; at < word.size(); ++at) safe += escaped_sign(word, at);
  return safe;
}

// Signs that make a heading, a quote or a list where a line begins with them.
std::string escaped_start(const std::string& line) {
  std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  bool numbered = digits > 0 && digits < line.size() && (line[digits] == '.' || line[digits] == ')') &&
                  (digits + 1 == line.size() || line[digits + 1] == ' ');
  if (numbered) return line.substr(0, digits) + "\\" + line.substr(digits);
  bool marks = !line.empty() && std::string_view("#-+=").find(line.front()) != std::string_view::npos &&
               (line.size() == 1 || !is_letter_or_digit(line[1]));
  return marks || line.starts_with('>') ? "\\" + line : line;
}

std::string pipes_escaped(const std::string& code) {
  std::string safe;
  for (char c : code) safe += c == '|' ? "\\|" : std::string(1, c);
  return safe;
}

}  // namespace

std::string markdown_text(const std::string& text, std::size_t bytes) {
  auto [shown, cut] = beginning(text, bytes);
  std::string safe;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= shown.size(); ++at) {
    if (at < shown.size() && shown[at] != ' ' && shown[at] != '|') continue;
    safe += escaped_word(std::string_view(shown).substr(begin, at - begin));
    if (at < shown.size()) safe += shown[at] == '|' ? "\\|" : " ";
    begin = at + 1;
  }
  return escaped_start(safe) + (cut ? "…" : "");
}

std::string markdown_code(const std::string& text, std::size_t bytes) {
  auto [shown, cut] = beginning(text, bytes);
  return shown.empty() && !cut ? "" : code_span(shown + (cut ? "…" : ""));
}

std::string markdown_cell_code(const std::string& text, std::size_t bytes) {
  return pipes_escaped(markdown_code(text, bytes));
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
