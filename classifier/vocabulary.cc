#include "classifier/vocabulary.h"

#include <algorithm>

namespace hwsift::classifier {

using analyzer::UseKind;

std::string_view last_word(std::string_view dotted) {
  std::size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? dotted : dotted.substr(dot + 1);
}

// ProfilerActivity.CUDA: as a member of a class it is nothing without that.
static bool is_member(const std::string& name) {
  std::size_t last = name.rfind('.');
  if (last == std::string::npos) return false;
  std::size_t before = name.rfind('.', last - 1);
  char first = name[before == std::string::npos ? 0 : before + 1];
  return first >= 'A' && first <= 'Z';
}

bool Symbol::known_by_last_word() const {
  return recorded && kind != UseKind::api && kind != UseKind::import && !prefix && !is_member(name);
}

const char* word(Meaning meaning) {
  switch (meaning) {
    case Meaning::requires_device:
      return "requires_device";
    case Meaning::requires_accelerator:
      return "requires_accelerator";
    case Meaning::selects_device:
      return "selects_device";
    case Meaning::restricts_variants:
      return "restricts_variants";
    case Meaning::skips_variants:
      return "skips_variants";
    case Meaning::fakes_device:
      return "fakes_device";
    case Meaning::neutral:
      return "neutral";
  }
  return "";
}

const char* word(Instantiated instantiated) {
  switch (instantiated) {
    case Instantiated::always:
      return "always";
    case Instantiated::allow_mps:
      return "allow_mps";
    case Instantiated::allow_xpu:
      return "allow_xpu";
    case Instantiated::lazy:
      return "lazy";
    case Instantiated::never:
      return "never";
  }
  return "";
}

const DeviceType* Vocabulary::device(std::string_view name) const {
  for (const DeviceType& type : devices)
    if (type.name == name) return &type;
  return nullptr;
}

const Symbol* Vocabulary::prefix_above(std::string_view name) const {
  for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos; dot = name.rfind('.')) {
    name = name.substr(0, dot);
    auto found = by_name_.find(name);
    if (found != by_name_.end() && symbols[found->second].prefix) return &symbols[found->second];
  }
  return nullptr;
}

const Symbol* Vocabulary::find(std::string_view name) const {
  auto exact = by_name_.find(name);
  if (exact != by_name_.end()) return &symbols[exact->second];
  if (const Symbol* above = prefix_above(name)) return above;
  auto found = by_last_word_.find(last_word(name));
  return found == by_last_word_.end() ? nullptr : &symbols[found->second];
}

void Vocabulary::index() {
  std::sort(symbols.begin(), symbols.end(), [](const Symbol& a, const Symbol& b) { return a.name < b.name; });
  by_name_.clear();
  by_last_word_.clear();
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    by_name_.emplace(symbols[i].name, i);
    if (symbols[i].known_by_last_word()) by_last_word_.emplace(std::string(last_word(symbols[i].name)), i);
  }
}

}  // namespace hwsift::classifier
