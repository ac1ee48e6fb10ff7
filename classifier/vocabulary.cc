// STAND-IN until the rules are compiled in: enough for the other stages to be built against.
#include "classifier/vocabulary.h"

namespace hwsift::classifier {
const Vocabulary& builtin_vocabulary() {
  static const Vocabulary vocabulary = [] {
    Vocabulary v;
    v.version = "0";
    for (const char* name : {"cpu", "cuda", "xpu", "mps", "meta", "hpu"})
      v.devices.push_back({name, "", true, Instantiated::always, {}});
    return v;
  }();
  return vocabulary;
}
Result<Vocabulary> load_vocabulary(Disk&, const std::string& folder) { return Error{folder, "not yet", ""}; }
analyzer::Lexicon Vocabulary::lexicon() const {
  analyzer::Lexicon lexicon;
  for (const DeviceType& type : devices) lexicon.device_types.push_back(type.name);
  return lexicon;
}
}  // namespace hwsift::classifier
