#include "analyzer/python/words.h"

#include <cstring>
#include <map>

#include "analyzer/python/node.h"

namespace hwsift::analyzer {
namespace {

// Words that the readers of statements ask for by themselves.
constexpr std::string_view kAskedFor[] = {
    "instantiate_device_type_tests",
    "copy_tests",
    "hw_classification",  // calls and labels
    "skipTest",
    "skip",
    "fail",
    "exit",
    "_exit",
    "exitfirst",  // ends of a scope, and stubs
    "_testMethodName",
    "id",  // questions for the name of the test
};

// A name below a prefix is met where the last word of the prefix stands, or a name that stands for it.
bool is_below_prefix(const Lexicon& lexicon, std::string_view name) {
  for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos; dot = name.rfind('.')) {
    name = name.substr(0, dot);
    if (lexicon.prefixes.count(std::string(name)) > 0) return true;
  }
  return false;
}

}  // namespace

std::uint32_t Words::hash(std::string_view word) {
  std::uint64_t head = 0;
  std::uint64_t tail = 0;
  std::size_t size = word.size();
  if (size >= 8) {
    std::memcpy(&head, word.data(), 8);
    std::memcpy(&tail, word.data() + size - 8, 8);
  } else if (size >= 4) {
    std::memcpy(&head, word.data(), 4);
    std::memcpy(&tail, word.data() + size - 4, 4);
  } else {
    for (char c : word) head = head << 8 | static_cast<unsigned char>(c);
  }
  std::uint64_t mixed = (head ^ (tail + size) * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
  return static_cast<std::uint32_t>(mixed >> 32);
}

Words::Words(const Lexicon& lexicon) {
  std::map<std::string_view, std::uint8_t> words;
  for (std::string_view word : kAskedFor) words[word] |= kHardware;
  for (std::string_view word : {"device", "devices", "locals"}) words[word] |= kDeviceName;
  for (std::string_view word : {"self", "cls"}) words[word] |= kSelf;
  for (std::string_view word : {"instantiate_device_type_tests", "copy_tests"})
    words[word] |= kHardware | kMakesTests;
  for (std::string_view word : {"type", "globals"}) words[word] |= kMakesClass;
  for (const std::string& type : lexicon.device_types) words[type] |= kDeviceType;
  for (const auto& [name, entry] : lexicon.names)
    if (!is_below_prefix(lexicon, name)) words[last_word(name)] |= kHardware;
  for (const auto& [name, entry] : lexicon.prefixes) words[name] |= kPrefix;
  for (const auto& [name, entry] : lexicon.last_words) words[name] |= kHardware;
  for (const auto& [name, entry] : lexicon.members) words[name] |= kHardware;
  for (const std::string& name : lexicon.golden_callees) words[name] |= kHardware;
  for (const std::string& name : lexicon.fake_modes) words[name] |= kHardware | kMakesFakes;
  std::size_t size = 64;
  while (size < 4 * words.size()) size *= 2;
  slots_.resize(size);
  mask_ = static_cast<std::uint32_t>(size - 1);
  last_ = &slots_.back();
  texts_.reserve(words.size());
  for (const auto& [word, marks] : words) add(texts_.emplace_back(word), marks);
}

bool Words::is_hardware(std::string_view dotted) const {
  if ((marks(last_word(dotted)) & kHardware) != 0) return true;
  for (std::size_t dot = dotted.size(); dot != std::string_view::npos; dot = dotted.rfind('.', dot - 1)) {
    if ((marks(dotted.substr(0, dot)) & kPrefix) != 0) return true;
    if (dot == 0) return false;
  }
  return false;
}

void Words::add(std::string_view word, std::uint8_t marks) {
  std::uint32_t at = hash(word);
  Slot* slot = &slots_[at & mask_];
  while (slot->marks != 0) slot = slot == last_ ? slots_.data() : slot + 1;
  *slot = {word, at, marks};
}

void index_words(Lexicon& lexicon) { lexicon.words = std::make_shared<const Words>(lexicon); }

}  // namespace hwsift::analyzer
