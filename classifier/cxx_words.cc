// What the C++ parts ask of rules/cxx.yaml, and the one that was compiled in.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "classifier/cxx_vocabulary.h"
#include "embedded/cxx_rules.h"

namespace hwsift::classifier {
namespace {

// compile_vocabulary has read the same text when hwsift was built.
CxxVocabulary parse_builtin() {
  Result<CxxVocabulary> parsed = parse_cxx_vocabulary(std::string(embedded::cxx_rules()), "rules/cxx.yaml",
                                                      builtin_vocabulary().devices);
  if (parsed.ok()) return std::move(*parsed);
  std::fprintf(stderr, "hwsift: %s\n", to_string(parsed.error()).c_str());
  std::abort();
}

const DeviceType* find_device(const std::vector<DeviceType>& types, const std::string& name) {
  auto found =
      std::find_if(types.begin(), types.end(), [&](const DeviceType& type) { return type.name == name; });
  return found == types.end() ? nullptr : &*found;
}

void add_devices(const std::vector<DeviceType>& types, analyzer::cxx::CxxLexicon& lexicon) {
  for (const DeviceType& type : types) {
    if (type.literal) lexicon.device_types.insert(type.name);
    for (const std::string& member : type.members)
      lexicon.members[member] = {analyzer::UseKind::device_method, {type.name}};
  }
}

}  // namespace

const CxxVocabulary& cxx_vocabulary(const Vocabulary& vocabulary) {
  if (vocabulary.cxx != nullptr) return *vocabulary.cxx;
  static const CxxVocabulary builtin = parse_builtin();
  return builtin;
}

analyzer::cxx::CxxLexicon cxx_lexicon(const Vocabulary& vocabulary) {
  const CxxVocabulary& cxx = cxx_vocabulary(vocabulary);
  analyzer::cxx::CxxLexicon lexicon = cxx.lexicon;
  add_devices(vocabulary.devices, lexicon);
  add_devices(cxx.devices, lexicon);
  return lexicon;
}

Category cxx_category_of(const std::string& device, const Vocabulary& vocabulary) {
  const DeviceType* type = find_device(vocabulary.devices, device);
  if (type == nullptr) type = find_device(cxx_vocabulary(vocabulary).devices, device);
  bool own = type != nullptr && !type->category.empty();
  return own ? Category::of_device(device) : Category::device_generic();
}

}  // namespace hwsift::classifier
