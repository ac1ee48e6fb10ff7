#include "classifier/cxx_vocabulary.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
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

// NAME=... or NAME(a, b)=..., as a compiler's -D takes it
bool is_definition(const std::string& text) {
  constexpr char kOfNames[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  std::size_t end = text.find_first_not_of(kOfNames);
  if (end == 0 || end == std::string::npos || (text[0] >= '0' && text[0] <= '9')) return false;
  if (text[end] == '(') end = text.find(')', end);
  if (end != std::string::npos && text[end] == ')') ++end;
  return end < text.size() && text[end] == '=';
}

class Reader {
 public:
  explicit Reader(const std::vector<DeviceType>& known) : known_(known) {}

  Result<CxxVocabulary> read(const Yaml& root) {
    if (root.kind == Yaml::Kind::null)
      return Error{root.file + ":1", "an empty file: no C++ test would be one",
                   "begin with a copy of hwsift's rules/cxx.yaml, or take the file away for those"};
    YamlMap map(root, errors_);
    map.number_or("version", 0, 0, 1000000);
    for (const Yaml& entry : map.items("devices")) read_device(entry);
    for (const Yaml& entry : map.items("test_macros")) read_test_macro(entry);
    for (const Yaml& entry : map.items("symbols")) read_symbol(entry);
    for (const Yaml& entry : map.items("builds")) read_build(entry);
    for (const Yaml& entry : map.items("name_suffixes")) read_suffix(entry);
    for (const Yaml& entry : map.items("file_kinds")) read_kind(entry);
    for (const Yaml& entry : map.items("headers")) read_header(entry);
    out_.lexicon.macros = texts(map, root, "macros");
    check_each(root, "macros", is_definition, "no definition of a macro",
               "write NAME=TEXT or NAME(PARAMETERS)=TEXT");
    out_.lexicon.uses_device = name_set(map, root, "uses_device");
    out_.lexicon.describes_device = name_set(map, root, "describes_device");
    out_.lexicon.device_parameters = name_set(map, root, "device_types_of_parameters");
    map.finish();
    if (!errors_.empty()) return joined(errors_);
    std::stable_sort(
        out_.suffixes.begin(), out_.suffixes.end(),
        [](const NameSuffix& a, const NameSuffix& b) { return a.suffix.size() > b.suffix.size(); });
    return std::move(out_);
  }

 private:
  // An error at each text of the list that does not hold to the test; the empty ones are told elsewhere.
  template <class Test>
  void check_each(const Yaml& entry, const std::string& key, Test holds, const std::string& what,
                  const std::string& hint) {
    for (const Yaml* item : items_of(entry, key))
      if (!item->scalar.empty() && !holds(item->scalar))
        errors_.push_back({item->place(), "'" + item->scalar + "': " + what, hint});
  }

  // Of a list, or the lone text that stands for one.
  static std::vector<const Yaml*> items_of(const Yaml& entry, const std::string& key) {
    std::vector<const Yaml*> items;
    const Yaml* node = entry.find(key);
    if (node == nullptr) return items;
    if (node->kind == Yaml::Kind::scalar) items.push_back(node);
    for (const Yaml& item : node->items)
      if (item.kind == Yaml::Kind::scalar) items.push_back(&item);
    return items;
  }

  void check_filled(const Yaml& entry, const std::string& key) {
    for (const Yaml* item : items_of(entry, key))
      if (item->scalar.empty())
        errors_.push_back({item->place(), "an empty text in '" + key + "'", "fill it in or take it out"});
  }

  std::string text(YamlMap& map, const Yaml& entry, const std::string& key) {
    check_filled(entry, key);
    return map.text(key);
  }

  std::vector<std::string> texts(YamlMap& map, const Yaml& entry, const std::string& key) {
    check_filled(entry, key);
    return map.texts(key);
  }

  // A list without which the entry would say nothing.
  std::vector<std::string> needed_texts(YamlMap& map, const Yaml& entry, const std::string& key) {
    std::vector<std::string> list = texts(map, entry, key);
    if (list.empty()) errors_.push_back({entry.place(), "an entry without " + key, "add " + key + ": [...]"});
    return list;
  }

  std::vector<std::string> names(YamlMap& map, const Yaml& entry, const std::string& key) {
    auto has_dots = [](const std::string& name) { return name.find("::") == std::string::npos; };
    check_each(entry, key, has_dots, "names are written with dots", "write '.' for '::'");
    return texts(map, entry, key);
  }

  std::set<std::string> name_set(YamlMap& map, const Yaml& entry, const std::string& key) {
    std::vector<std::string> list = names(map, entry, key);
    return {list.begin(), list.end()};
  }

  // An error where an entry before this one gave the word another meaning, told as text.
  void say_once(const std::string& part, const std::string& word, const std::string& meaning,
                const Yaml& entry) {
    auto [said, is_new] = said_.insert({{part, word}, {meaning, entry.place()}});
    if (is_new || said->second.first == meaning) return;
    errors_.push_back({entry.place(), "'" + word + "' has another meaning at " + said->second.second,
                       "take it out of one of the two"});
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
    type.name = text(map, entry, "name");
    type.category = map.text_or("category", "");
    type.members = texts(map, entry, "members");
    map.finish();
    out_.devices.push_back(std::move(type));
  }

  void read_test_macro(const Yaml& entry) {
    YamlMap map(entry, errors_);
    TestMacro macro;
    std::string kind = map.text("kind");
    macro.kind = one_of(kMacroKinds, kind, entry, "kind");
    macro.fixture = map.flag_or("fixture", false);
    for (const std::string& name : needed_texts(map, entry, "names")) {
      say_once("test_macros", name, kind + (macro.fixture ? " of a fixture" : ""), entry);
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
    std::string meaning = says + " " + join(word.devices, ", ");
    std::vector<std::string> whole = names(map, entry, "names");
    for (const std::string& name : whole) {
      say_once(below ? "below" : "names", name, meaning, entry);
      (below ? out_.lexicon.below : out_.lexicon.names)[name] = word;
    }
    std::vector<std::string> stems = names(map, entry, "stems");
    for (const std::string& stem : stems) {
      say_once("stems", stem, meaning, entry);
      out_.lexicon.stems[stem] = word;
    }
    if (whole.empty() && stems.empty())
      errors_.push_back({entry.place(), "an entry without a name", "add names or stems"});
    bool of_devices = says == "needs" || says == "asks" || says == "names";
    if (of_devices && word.devices.empty())
      errors_.push_back({entry.place(), "says " + says + " but names no devices", "add devices: [...]"});
    check_devices(word.devices, entry);
    map.finish();
  }

  void read_build(const Yaml& entry) {
    YamlMap map(entry, errors_);
    std::vector<std::string> devices = needed_texts(map, entry, "devices");
    check_devices(devices, entry);
    for (const std::string& macro : needed_texts(map, entry, "macros")) {
      say_once("builds", macro, join(devices, ", "), entry);
      out_.lexicon.builds[macro] = devices;
    }
    map.finish();
  }

  void read_suffix(const Yaml& entry) {
    YamlMap map(entry, errors_);
    NameSuffix suffix{text(map, entry, "suffix"), map.text("device"), 1};
    suffix.count = static_cast<int>(map.number_or("count", 1, 1, 1024));
    check_devices({suffix.device}, entry);
    out_.suffixes.push_back(std::move(suffix));
    map.finish();
  }

  void read_kind(const Yaml& entry) {
    YamlMap map(entry, errors_);
    FileKind kind{needed_texts(map, entry, "endings"), map.text("device")};
    check_devices({kind.device}, entry);
    out_.kinds.push_back(std::move(kind));
    map.finish();
  }

  void read_header(const Yaml& entry) {
    YamlMap map(entry, errors_);
    HeaderKind header{needed_texts(map, entry, "begin"), map.text("device")};
    check_devices({header.device}, entry);
    out_.headers.push_back(std::move(header));
    map.finish();
  }

  const std::vector<DeviceType>& known_;
  std::vector<Error> errors_;
  // Of a part of the file and a word in it: its meaning, and where that stands.
  std::map<std::pair<std::string, std::string>, std::pair<std::string, std::string>> said_;
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
