#include "analyzer/suppression_text.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace hwsift::analyzer {
namespace {

constexpr std::string_view kIgnore = "ignore";

// "[rule, rule] reason" to its parts.
void read_ignore(std::string_view text, Suppression& suppression) {
  text = trim(text);
  std::size_t close = text.find(']');
  suppression.malformed = text.empty() || text.front() != '[' || close == std::string_view::npos;
  if (suppression.malformed) return;
  for (const std::string& rule : split(std::string(text.substr(1, close - 1)), ','))
    if (!trim(rule).empty()) suppression.rules.emplace_back(trim(rule));
  suppression.malformed = suppression.rules.empty();
  std::string_view reason = trim(text.substr(close + 1));
  bool says_something = std::any_of(reason.begin(), reason.end(), is_word_char);
  if (says_something) suppression.reason = std::string(reason);
}

}  // namespace

Suppression read_suppression(std::string_view text) {
  std::string_view body = trim(text.substr(kSuppressionMarker.size()));
  Suppression suppression;
  read_ignore(body.starts_with(kIgnore) ? body.substr(kIgnore.size()) : std::string_view(), suppression);
  return suppression;
}

}  // namespace hwsift::analyzer
