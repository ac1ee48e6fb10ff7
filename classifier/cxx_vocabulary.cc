#include "classifier/cxx_vocabulary.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/yaml.h"

namespace hwsift::classifier {
namespace {

using analyzer::UseKind;
using analyzer::cxx::CxxWord;
using analyzer::cxx::TestMacro;

constexpr std::array<std::pair<const char*, TestMacro::Kind>, 4> kMacroKinds = {
    {{"plain", TestMacro::Kind::plain},
     {"parametrized", TestMacro::Kind::parametrized},
     {"typed", TestMacro::Kind::typed},
     {"named", TestMacro::Kind::named}}};

// What the analyzer tells apart of what a name says.
constexpr std::array<std::pair<const char*, UseKind>, 5> kSays = {{{"needs", UseKind::api},
                                                                   {"asks", UseKind::flag},
                                                                   {"names", UseKind::constant},
                                                                   {"picks", UseKind::call},
                                                                   {"nothing", UseKind::import}}};

class Reader {
 public:
  explicit Reader(const std::vector<DeviceType>& known) : known_(known) {}

  Result<CxxVocabulary> read(const Yaml& root) {
    YamlMap map(root, errors_);
    map.number_or("version", 0, 0, 1000000);
    for (const Yaml& entry : map.items("devices")) read_device(entry);
    for (const Yaml& entry : map.items("test_macros")) read_test_macro(entry);
    for (const Yaml& entry : map.items("symbols")) read_symbol(entry);
    for (const Yaml& entry : map.items("builds")) read_build(entry);
    for (const Yaml& entry : map.items("name_suffixes")) read_suffix(entry);
    for (const Yaml& entry : map.items("file_kinds")) read_kind(entry);
    out_.lexicon.macros = map.texts("macros");
    out_.lexicon.uses_device = texts(map, "uses_device");
    out_.lexicon.describes_device = texts(map, "describes_device");
    out_.lexicon.device_parameters = texts(map, "device_types_of_parameters");
    map.finish();
    if (!errors_.empty()) return joined(errors_);
    std::stable_sort(
        out_.suffixes.begin(), out_.suffixes.end(),
        [](const NameSuffix& a, const NameSuffix& b) { return a.suffix.size() > b.suffix.size(); });
    return std::move(out_);
  }

 private:
  static std::set<std::string> texts(YamlMap& map, const std::string& key) {
    std::vector<std::string> list = map.texts(key);
    return {list.begin(), list.end()};
  }

  // The value of a word; an error at the entry for any other.
  template <class Value, std::size_t N>
  Value one_of(const std::array<std::pair<const char*, Value>, N>& words, const std::string& text,
               const Yaml& entry, const std::string& key) {
    std::vector<std::string> known;
    for (const auto& [name, value] : words) {
      if (text == name) return value;
      known.emplace_back(name);
    }
    errors_.push_back({entry.place(), "unknown " + key + " '" + text + "'", "one of: " + join(known, ", ")});
    return words[0].second;
  }

  void check_devices(const std::vector<std::string>& devices, const Yaml& entry) {
    auto knows = [](const std::vector<DeviceType>& types, const std::string& device) {
      return std::any_of(types.begin(), types.end(),
                         [&](const DeviceType& type) { return type.name == device; });
    };
    for (const std::string& device : devices)
      if (!knows(known_, device) && !knows(out_.devices, device))
        errors_.push_back({entry.place(), "unknown device type '" + device + "'",
                           "add it to devices here, or to devices.yaml"});
  }

  void read_device(const Yaml& entry) {
    YamlMap map(entry, errors_);
    DeviceType type;
    type.name = map.text("name");
    type.category = map.text_or("category", "");
    type.members = map.texts("members");
    map.finish();
    out_.devices.push_back(std::move(type));
  }

  void read_test_macro(const Yaml& entry) {
    YamlMap map(entry, errors_);
    TestMacro macro;
    macro.kind = one_of(kMacroKinds, map.text("kind"), entry, "kind");
    macro.fixture = map.flag_or("fixture", false);
    for (const std::string& name : map.texts("names")) {
      macro.name = name;
      out_.lexicon.test_macros.push_back(macro);
    }
    map.finish();
  }

  void read_symbol(const Yaml& entry) {
    YamlMap map(entry, errors_);
    CxxWord word;
    std::string says = map.text("says");
    word.kind = one_of(kSays, says, entry, "says");
    word.recorded = word.kind != UseKind::import;
    word.devices = map.texts("devices");
    bool below = map.flag_or("below", false);
    for (const std::string& name : map.texts("names"))
      (below ? out_.lexicon.below : out_.lexicon.names)[name] = word;
    for (const std::string& stem : map.texts("stems")) out_.lexicon.stems[stem] = word;
    if (!map.has("names") && !map.has("stems"))
      errors_.push_back({entry.place(), "an entry without a name", "add names or stems"});
    bool of_devices = says == "needs" || says == "asks" || says == "names";
    if (of_devices && word.devices.empty())
      errors_.push_back({entry.place(), "says " + says + " but names no devices", "add devices: [...]"});
    check_devices(word.devices, entry);
    map.finish();
  }

  void read_build(const Yaml& entry) {
    YamlMap map(entry, errors_);
    std::vector<std::string> devices = map.texts("devices");
    check_devices(devices, entry);
    for (const std::string& macro : map.texts("macros")) out_.lexicon.builds[macro] = devices;
    map.finish();
  }

  void read_suffix(const Yaml& entry) {
    YamlMap map(entry, errors_);
    NameSuffix suffix{map.text("suffix"), map.text("device"), 1};
    suffix.count = static_cast<int>(map.number_or("count", 1, 1, 1024));
    check_devices({suffix.device}, entry);
    out_.suffixes.push_back(std::move(suffix));
    map.finish();
  }

  void read_kind(const Yaml& entry) {
    YamlMap map(entry, errors_);
    FileKind kind{map.texts("endings"), map.text("device")};
    check_devices({kind.device}, entry);
    out_.kinds.push_back(std::move(kind));
    map.finish();
  }

  const std::vector<DeviceType>& known_;
  std::vector<Error> errors_;
  CxxVocabulary out_;
};

}  // namespace

Result<CxxVocabulary> parse_cxx_vocabulary(const std::string& bytes, const std::string& file,
                                           const std::vector<DeviceType>& known) {
  Result<Yaml> root = parse_yaml(bytes, file);
  if (!root.ok()) return root.error();
  return Reader(known).read(*root);
}

}  // namespace hwsift::classifier
