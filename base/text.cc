#include "base/text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace hwsift {
namespace {

// Well-formed UTF-8 (Unicode, table 3-7): which second bytes may follow which first ones, and the length in
// all.
struct Lead {
  unsigned char first_low, first_high, second_low, second_high;
  std::size_t length;
};
constexpr Lead kLeads[] = {
    {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
    {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
    {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
};

bool in_range(unsigned char byte, unsigned char low, unsigned char high) {
  return byte >= low && byte <= high;
}

// Length of the valid UTF-8 sequence that starts at `at`, or 0.
std::size_t sequence_length(std::string_view bytes, std::size_t at) {
  auto byte = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : static_cast<unsigned char>(0);
  };
  if (byte(at) < 0x80) return 1;
  for (const Lead& lead : kLeads) {
    if (!in_range(byte(at), lead.first_low, lead.first_high)) continue;
    if (!in_range(byte(at + 1), lead.second_low, lead.second_high)) return 0;
    for (std::size_t i = 2; i < lead.length; ++i)
      if (!in_range(byte(at + i), 0x80, 0xBF)) return 0;
    return lead.length;
  }
  return 0;
}

// The first offset from `at` on, eight bytes at a time, where something other than ASCII may stand.
std::size_t ascii_run(std::string_view bytes, std::size_t at) {
  std::uint64_t block = 0;
  for (; at + sizeof block <= bytes.size(); at += sizeof block) {
    std::memcpy(&block, bytes.data() + at, sizeof block);
    if ((block & 0x8080808080808080u) != 0) break;
  }
  return at;
}

// Characters to put in, take out or change; two neighbours swapped count as one slip.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t changed = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, changed});
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

bool is_ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word_char(char c) {
  return is_ascii_digit(c) || c == '_' || ((c | 32) >= 'a' && (c | 32) <= 'z') || (c & 0x80) != 0;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_ascii_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_ascii_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string ascii_upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return upper;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (true) {
    std::size_t end = text.find(separator, start);
    parts.emplace_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

std::string last_line(std::string_view text) {
  std::string_view rest = trim(text);
  std::size_t feed = rest.rfind('\n');
  return std::string(trim(feed == std::string_view::npos ? rest : rest.substr(feed + 1)));
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += separator;
    text += parts[i];
  }
  return text;
}

std::size_t code_points(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(
      utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool is_ascii(std::string_view text) { return ascii_run(text, 0) == text.size(); }

bool has_text(std::string_view text, std::string_view wanted) {
  return ::memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

std::optional<std::size_t> invalid_utf8_at(std::string_view bytes) {
  for (std::size_t at = ascii_run(bytes, 0); at < bytes.size(); at = ascii_run(bytes, at)) {
    std::size_t length = sequence_length(bytes, at);
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

std::string valid_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t length = sequence_length(bytes, at);
    if (length == 0) {
      text += "\xEF\xBF\xBD";
      ++at;
    } else {
      text += bytes.substr(at, length);
      at += length;
    }
  }
  return text;
}

namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

std::string escape_of(unsigned code, int digits) {
  std::string text = digits == 2 ? "\\x" : "\\u";
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) text += kHexDigits[code >> shift & 15];
  return text;
}

// The code point that begins there, of two or three bytes of valid UTF-8; 0 for any other.
unsigned code_at(std::string_view text, std::size_t at) {
  auto bits = [&](std::size_t i, unsigned mask) { return static_cast<unsigned char>(text[at + i]) & mask; };
  auto first = static_cast<unsigned char>(text[at]);
  if (first >> 5 == 6) return bits(0, 0x1F) << 6 | bits(1, 0x3F);
  if (first >> 4 == 14) return bits(0, 0x0F) << 12 | bits(1, 0x3F) << 6 | bits(2, 0x3F);
  return 0;
}

// Controls of eight bits, overrides of the writing direction, characters without width, separators of lines.
bool is_hidden(unsigned code) {
  return (code >= 0x80 && code < 0xA0) || code == 0x061C || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string valid = valid_utf8(text);
  std::string safe;
  for (std::size_t at = 0; at < valid.size(); ++at) {
    auto byte = static_cast<unsigned char>(valid[at]);
    unsigned code = code_at(valid, at);
    if (is_hidden(code)) {
      safe += escape_of(code, 4);
      at += code < 0x800 ? 1 : 2;
    } else if (byte < 0x20 || byte == 0x7F) {
      safe += escape_of(byte, 2);
    } else {
      safe += valid[at];
    }
  }
  return safe;
}

std::optional<std::string> closest(std::string_view word, const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    std::size_t distance = edit_distance(ascii_lower(word), ascii_lower(candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace hwsift
