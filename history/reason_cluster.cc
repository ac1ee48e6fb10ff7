#include "history/reason_cluster.h"

#include <algorithm>

#include "base/text.h"

namespace hwsift::history {
namespace {

constexpr std::string_view kName = "…";
constexpr char kNumber = '#';
constexpr std::size_t kShortestHash = 8;  // digits of a word that is read as hexadecimal

bool is_hex(char c) { return is_ascii_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f'); }
bool is_quote(char c) { return c == '\'' || c == '"' || c == '`'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
// What ends an id or a path, beside space.
bool ends_token(char c) {
  return is_ascii_space(c) || is_quote(c) ||
         std::string_view("()[]{},;=<>").find(c) != std::string_view::npos;
}

bool word_before(std::string_view line, std::size_t at) { return at > 0 && is_word_char(line[at - 1]); }

// The quote that closes the one at `at`; an apostrophe within a word is none.
std::size_t closing_quote(std::string_view line, std::size_t at) {
  if (word_before(line, at)) return std::string_view::npos;
  for (std::size_t end = line.find(line[at], at + 1); end != std::string_view::npos;
       end = line.find(line[at], end + 1)) {
    bool inside_word = end + 1 < line.size() && is_word_char(line[end + 1]);
    if (!inside_word) return end;
  }
  return std::string_view::npos;
}

bool is_address(std::string_view word) {
  return word.size() > 2 && word[0] == '0' && (word[1] | 32) == 'x' &&
         std::all_of(word.begin() + 2, word.end(), is_hex);
}

bool is_hash(std::string_view word) {
  return word.size() >= kShortestHash && std::all_of(word.begin(), word.end(), is_hex) &&
         std::any_of(word.begin(), word.end(), is_ascii_digit);
}

bool is_test_name(std::string_view word) {
  return word.starts_with("test_") || (word.starts_with("Test") && word.size() > 4 && is_upper(word[4]));
}

// "test/test_x.py::TestX::test_a", "torch/nn/functional.py:12".
bool is_place(std::string_view token) {
  return token.find("::test") != std::string_view::npos || token.find("::Test") != std::string_view::npos ||
         token.find(".py") != std::string_view::npos || token.starts_with("/");
}

// "float32" is "float#".
std::string without_digits(std::string_view word) {
  std::string text;
  for (char c : word) {
    if (!is_ascii_digit(c))
      text += c;
    else if (text.empty() || text.back() != kNumber)
      text += kNumber;
  }
  return text;
}

std::string word_pattern(std::string_view word) {
  if (is_address(word) || is_hash(word)) return std::string(1, kNumber);
  return is_test_name(word) ? std::string(kName) : without_digits(word);
}

// "#.#e-#" and "-#" are numbers too.
std::string joined_numbers(const std::string& text) {
  std::string joined;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool after_number = !joined.empty() && joined.back() == kNumber;
    bool before_number = i + 1 < text.size() && text[i + 1] == kNumber;
    if (after_number && before_number && text[i] == '.') {
      ++i;
    } else if (after_number && text.compare(i, 3, "e-#") == 0) {
      i += 2;
    } else if (text[i] == '-' && before_number && (i == 0 || !is_word_char(text[i - 1]))) {
      continue;
    } else {
      joined += text[i];
    }
  }
  return joined;
}

std::string token_pattern(std::string_view token) {
  if (is_place(token)) return std::string(kName);
  std::string text;
  for (std::size_t at = 0; at < token.size();) {
    std::size_t end = at;
    while (end < token.size() && is_word_char(token[end])) ++end;
    if (end > at) text += word_pattern(token.substr(at, end - at));
    if (end < token.size()) text += token[end];
    at = end + 1;
  }
  return text;
}

// A template that stands for many tests is one example.
void keep(ClusterExample example, std::vector<ClusterExample>& examples) {
  bool known = std::any_of(examples.begin(), examples.end(),
                           [&](const ClusterExample& one) { return one.id == example.id; });
  if (examples.size() < kMostExamples && !known) examples.push_back(std::move(example));
}

}  // namespace

std::string line_of(std::string_view message) {
  std::string_view rest = trim(message);
  std::string line = valid_utf8(trim(rest.substr(0, rest.find('\n'))));
  if (line.size() <= kMostTextBytes) return line;
  std::size_t end = kMostTextBytes;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
  return line.substr(0, end) + std::string(kName);
}

std::string pattern_of(std::string_view line) {
  std::string text;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t close = is_quote(line[at]) ? closing_quote(line, at) : std::string_view::npos;
    if (close != std::string_view::npos) {
      text += line[at] + std::string(kName) + line[close];
      at = close + 1;
    } else if (ends_token(line[at])) {
      text += line[at++];
    } else {
      std::size_t end = at;
      while (end < line.size() && !ends_token(line[end])) ++end;
      text += token_pattern(line.substr(at, end - at));
      at = end;
    }
  }
  return joined_numbers(text);
}

void ReasonClusters::add(std::string_view message, const std::string& id) {
  std::string line = line_of(message);
  Open& cluster = open_[pattern_of(line)];
  ++cluster.tests;
  std::vector<ClusterExample>& examples =
      cluster.texts.insert(line).second ? cluster.different : cluster.further;
  keep({id, std::move(line)}, examples);
}

std::vector<ReasonCluster> ReasonClusters::take() {
  std::vector<ReasonCluster> clusters;
  for (auto& [pattern, open] : open_) {
    ReasonCluster cluster{open.texts.size() == 1 ? *open.texts.begin() : pattern, open.tests,
                          open.texts.size(), std::move(open.different)};
    for (ClusterExample& example : open.further) keep(std::move(example), cluster.examples);
    clusters.push_back(std::move(cluster));
  }
  open_.clear();
  std::stable_sort(clusters.begin(), clusters.end(), [](const ReasonCluster& a, const ReasonCluster& b) {
    return a.tests != b.tests ? a.tests > b.tests : a.text < b.text;
  });
  return clusters;
}

}  // namespace hwsift::history
