// What the condition of an `#if` says about the devices of the builds that have its lines.
#include <algorithm>

#include "analyzer/cxx/lexicon.h"
#include "base/text.h"

namespace hwsift::analyzer::cxx {
namespace {

constexpr int kDeepest = 50;  // of parentheses in parentheses

// The parts between an operator of two characters, outside parentheses.
std::vector<std::string_view> parts_of(std::string_view text, std::string_view op) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth != 0 || text.substr(i, 2) != op) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 2;
    ++i;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

// "(a || b)" to "a || b"; "(a) || (b)" stays.
std::string_view without_parentheses(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('(') || !text.ends_with(')')) return text;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return text;
  }
  return text.substr(1, text.size() - 2);
}

using Devices = std::vector<std::string>;

Devices implied(std::string_view text, const CxxLexicon& lexicon, int depth);

// One word, as "USE_CUDA", "defined(USE_CUDA)", "USE_CUDA == 1".
Devices implied_by_word(std::string_view text, const CxxLexicon& lexicon) {
  Devices devices;
  std::string_view bare = trim(text);
  if (bare.starts_with('!') || bare.ends_with("== 0") || bare.ends_with("==0")) return devices;
  for_each_word(text, [&](std::string_view word) {
    auto found = lexicon.builds.find(std::string(word));
    if (found != lexicon.builds.end() && devices.empty()) devices = found->second;
  });
  return devices;
}

// a && b: either is enough.
Devices implied_by_all(std::string_view text, const CxxLexicon& lexicon, int depth) {
  std::vector<std::string_view> parts = parts_of(text, "&&");
  if (parts.size() == 1) {
    std::string_view inner = without_parentheses(text);
    bool nested = inner.size() < trim(text).size();
    return nested ? implied(inner, lexicon, depth + 1) : implied_by_word(inner, lexicon);
  }
  for (std::string_view part : parts)
    if (Devices devices = implied_by_all(part, lexicon, depth + 1); !devices.empty()) return devices;
  return {};
}

// a || b: each must, as either is enough to get there.
Devices implied(std::string_view text, const CxxLexicon& lexicon, int depth) {
  Devices all;
  if (depth > kDeepest) return all;
  for (std::string_view part : parts_of(text, "||")) {
    Devices devices = implied_by_all(part, lexicon, depth + 1);
    if (devices.empty()) return {};
    for (const std::string& device : devices)
      if (std::find(all.begin(), all.end(), device) == all.end()) all.push_back(device);
  }
  return all;
}

}  // namespace

std::vector<std::string> devices_of_condition(std::string_view text, bool negated,
                                              const CxxLexicon& lexicon) {
  if (negated) return {};
  return implied(text, lexicon, 0);
}

}  // namespace hwsift::analyzer::cxx
