// Small helpers over text that know no word of the domain. All are locale-independent.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hwsift {

bool is_ascii_space(char c);
bool is_ascii_digit(char c);
std::string_view trim(std::string_view text);
// Letters, digits and '_', and every byte beyond ASCII: what a word of source code is made of.
bool is_word_char(char c);
// Calls on_word(std::string_view) for every longest run of word characters.
template <class OnWord>
void for_each_word(std::string_view text, OnWord on_word) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word_char(text[end])) ++end;
    if (end > at) on_word(text.substr(at, end - at));
    at = end + 1;
  }
}
// Many times faster than std::string::find on texts in which the first letter is frequent.
bool has_text(std::string_view text, std::string_view wanted);
bool is_ascii(std::string_view text);
std::string ascii_lower(std::string_view text);
std::string ascii_upper(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
// The last line that holds more than space, trimmed; "" where there is none.
std::string last_line(std::string_view text);
std::string join(const std::vector<std::string>& parts, std::string_view separator);

// Number of Unicode code points in valid UTF-8; a malformed byte counts as one.
std::size_t code_points(std::string_view utf8);
// Offset of the first byte that is not valid UTF-8 (overlong forms and surrogates included).
std::optional<std::size_t> invalid_utf8_at(std::string_view bytes);
// The same text with every malformed byte replaced by U+FFFD.
std::string valid_utf8(std::string_view bytes);
// Text from outside as a person may be shown it: control characters (escape sequences of a terminal among
// them) as \xNN, and as \uNNNN those that are not seen themselves but change what is seen (controls of eight
// bits, overrides of the writing direction, characters without width, separators of lines). No name can move
// the cursor, forge a line or show as another one.
std::string printable(std::string_view text);

// The candidate closest to `word` by edit distance, if one is close enough to be a likely slip.
std::optional<std::string> closest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace hwsift
