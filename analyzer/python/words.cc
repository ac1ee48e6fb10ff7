#include "analyzer/python/words.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "analyzer/python/names.h"
#include "base/text.h"

namespace hwsift::analyzer {
namespace {

// Words that the readers of statements ask for by themselves.
constexpr std::string_view kAskedFor[] = {
    "skipTest",        "skip", "fail", "exit", "_exit",
    "exitfirst",              // ends of a scope, and stubs
    "_testMethodName", "id",  // questions for the name of the test
};

using Marked = std::map<std::string_view, std::uint16_t>;

void mark(Marked& words, std::initializer_list<std::string_view> which, int marks) {
  for (std::string_view word : which) words[word] |= static_cast<std::uint16_t>(marks);
}

void mark(Marked& words, const std::vector<std::string>& which, int marks) {
  for (const std::string& word : which) words[word] |= static_cast<std::uint16_t>(marks);
}

void mark(Marked& words, const std::unordered_map<std::string, LexiconEntry>& which, int marks) {
  for (const auto& [word, entry] : which) words[word] |= static_cast<std::uint16_t>(marks);
}

// A name below a prefix is met where the last word of the prefix stands, or a name that stands for it.
bool is_below_prefix(const Lexicon& lexicon, std::string_view name) {
  for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos; dot = name.rfind('.')) {
    name = name.substr(0, dot);
    if (lexicon.prefixes.count(std::string(name)) > 0) return true;
  }
  return false;
}

Marked words_of(const Lexicon& lexicon) {
  Marked words;
  for (std::string_view word : kAskedFor) words[word] |= Words::kAlways;
  mark(words, {"device", "devices", "locals"}, Words::kDeviceName);
  mark(words, {"self", "cls"}, Words::kSelf);
  mark(words, {"instantiate_device_type_tests", "copy_tests"}, Words::kAlways | Words::kMakesTests);
  mark(words, {"type", "globals"}, Words::kMakesClass);
  mark(words, {"hw_classification"}, Words::kAlways | Words::kLabel);
  mark(words, lexicon.device_types, Words::kDeviceType);
  mark(words, lexicon.golden_callees, Words::kGolden);
  mark(words, lexicon.fake_modes, Words::kAlways | Words::kMakesFakes);
  mark(words, lexicon.members, Words::kAlways);
  mark(words, lexicon.last_words, Words::kLastWord);
  mark(words, lexicon.names, Words::kName);
  mark(words, lexicon.prefixes, Words::kPrefix);
  for (const auto& [name, entry] : lexicon.names)
    if (!is_below_prefix(lexicon, name)) words[last_word(name)] |= Words::kLastPart;
  return words;
}

}  // namespace

Words::Words(const Lexicon& lexicon) : device_types_(lexicon.device_types) {
  Marked words = words_of(lexicon);
  std::size_t size = 64;
  while (size < 4 * words.size()) size *= 2;
  slots_.resize(size);
  mask_ = static_cast<std::uint32_t>(size - 1);
  last_ = &slots_.back();
  texts_.reserve(words.size());
  for (const auto& [word, marks] : words) add(texts_.emplace_back(word), marks);
}

void Words::add(std::string_view word, std::uint16_t marks) {
  std::uint32_t at = hash(word);
  Slot* slot = &slots_[at & mask_];
  while (slot->marks != 0) slot = slot == last_ ? slots_.data() : slot + 1;
  *slot = {word, at, marks};
  filter_.add(at);
}

bool Words::is_hardware(std::string_view dotted, bool alone) const {
  if (has(dotted, kName) || (alone && has(last_word(dotted), kLastWord | kMakesTests))) return true;
  for (std::string_view above = dotted;; above = above.substr(0, above.rfind('.'))) {
    if (has(above, kPrefix)) return true;
    if (above.find('.') == std::string_view::npos) return false;
  }
}

bool Words::mentions_device(std::string_view text) const {
  return std::any_of(device_types_.begin(), device_types_.end(),
                     [&](const std::string& type) { return mentions(text, type); });
}

bool mentions(std::string_view text, std::string_view device) {
  auto is_quote = [](char c) { return c == '\'' || c == '"'; };
  for (std::size_t at = text.find(device); at != std::string_view::npos; at = text.find(device, at + 1)) {
    char before = at > 0 ? text[at - 1] : ' ';
    std::string_view after = text.substr(at + device.size());
    bool starts = !is_word_char(before);
    bool indexed = after.size() > 1 && after[0] == ':' && is_ascii_digit(after[1]);
    bool quoted = is_quote(before) && !after.empty() && (is_quote(after[0]) || after[0] == '\\');
    if (starts && (indexed || quoted)) return true;
  }
  return false;
}

void index_words(Lexicon& lexicon) { lexicon.words = std::make_shared<const Words>(lexicon); }

}  // namespace hwsift::analyzer
