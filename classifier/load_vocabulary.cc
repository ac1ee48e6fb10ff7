// rules/*.yaml to a Vocabulary. The format is described at the top of rules/devices.yaml and in
// rules/symbols/README.md. Used at build time (compile_vocabulary) and for --rules.
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/text.h"
#include "base/yaml.h"
#include "classifier/cxx_vocabulary.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {
namespace {

using analyzer::UseKind;

constexpr std::size_t kMaxRuleFileBytes = 4u << 20;

template <class Value, std::size_t N>
using Words = std::array<std::pair<const char*, Value>, N>;

// What the analyzer does not tell apart: guards and context managers are calls where they stand.
constexpr Words<UseKind, 9> kKinds = {{{"api", UseKind::api},
                                       {"decorator", UseKind::decorator},
                                       {"flag", UseKind::flag},
                                       {"guard", UseKind::call},
                                       {"constant", UseKind::constant},
                                       {"base_class", UseKind::base_class},
                                       {"context_manager", UseKind::call},
                                       {"call", UseKind::call},
                                       {"import", UseKind::import}}};

constexpr Words<Meaning, 7> kMeanings = {{{"requires_device", Meaning::requires_device},
                                          {"requires_accelerator", Meaning::requires_accelerator},
                                          {"selects_device", Meaning::selects_device},
                                          {"restricts_variants", Meaning::restricts_variants},
                                          {"skips_variants", Meaning::skips_variants},
                                          {"fakes_device", Meaning::fakes_device},
                                          {"neutral", Meaning::neutral}}};

constexpr Words<Instantiated, 5> kInstantiated = {{{"always", Instantiated::always},
                                                   {"allow_mps", Instantiated::allow_mps},
                                                   {"allow_xpu", Instantiated::allow_xpu},
                                                   {"lazy", Instantiated::lazy},
                                                   {"never", Instantiated::never}}};

// Gathers a vocabulary and every error on the way.
struct Loading {
  Disk& disk;
  Vocabulary vocabulary;
  std::vector<Error> errors;
  std::vector<std::pair<std::string, std::string>> places;  // symbol name and where it stands
  std::uint64_t hash = 14695981039346656037u;               // FNV-1a over names and bytes of the files
};

void add_to_hash(std::uint64_t& hash, std::string_view bytes) {
  for (char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
}

std::string short_hex(std::uint64_t hash) {
  static const char* digits = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 32; shift -= 4) text += digits[(hash >> shift) & 15];
  return text;
}

// The value of a word; an error at the key's place for any other word.
template <class Value, std::size_t N>
Value one_of(const Words<Value, N>& words, const std::string& text, const Yaml& entry, const std::string& key,
             std::vector<Error>& errors) {
  std::vector<std::string> known;
  for (const auto& [name, value] : words) {
    if (text == name) return value;
    known.emplace_back(name);
  }
  const Yaml* node = entry.find(key);
  if (node == nullptr || node->kind != Yaml::Kind::scalar) return words[0].second;  // reported by YamlMap
  errors.push_back({node->place(), "unknown " + key + " '" + text + "'", "one of: " + join(known, ", ")});
  return words[0].second;
}

void read_device(const Yaml& entry, Loading& loading) {
  YamlMap map(entry, loading.errors);
  DeviceType type;
  type.name = map.text("name");
  type.category = map.text_or("category", "");
  type.accelerator = map.flag_or("accelerator", true);
  type.stands_for_any = map.flag_or("stands_for_any", false);
  type.instantiated =
      one_of(kInstantiated, map.text_or("instantiated", "always"), entry, "instantiated", loading.errors);
  type.members = map.texts("members");
  type.words = map.texts("words");
  type.literal = map.flag_or("literal", true);
  type.privateuse1 = map.flag_or("privateuse1", false);
  type.visible_devices = map.texts("visible_devices");
  map.finish();
  if (loading.vocabulary.device(type.name) != nullptr)
    loading.errors.push_back(
        {entry.place(), "the device type '" + type.name + "' stands twice", "remove one"});
  loading.vocabulary.devices.push_back(std::move(type));
}

void read_devices(const Yaml& root, Loading& loading) {
  YamlMap map(root, loading.errors);
  long long version = map.number_or("version", 0, 0, 1000000);
  loading.vocabulary.version = std::to_string(version);
  for (const Yaml& entry : map.items("devices")) read_device(entry, loading);
  map.finish();
}

void read_policy(const Yaml& root, Loading& loading) {
  YamlMap map(root, loading.errors);
  Policy& policy = loading.vocabulary.policy;
  for (const PolicySwitch& entry : kPolicySwitches)
    policy.*entry.value = map.flag_or(entry.name, policy.*entry.value);
  map.finish();
}

std::string dotted(const std::string& module, const std::string& name) {
  if (module.empty() || name.empty()) return module + name;
  return module + "." + name;
}

void check_device(const std::string& device, const Yaml& node, Loading& loading) {
  if (loading.vocabulary.device(device) != nullptr) return;
  std::vector<std::string> known;
  for (const DeviceType& type : loading.vocabulary.devices) known.push_back(type.name);
  std::optional<std::string> near = closest(device, known);
  loading.errors.push_back({node.place(), "unknown device type '" + device + "'",
                            near ? "did you mean '" + *near + "'?" : "add it to devices.yaml"});
}

void check_meaning(const Symbol& symbol, const Yaml& entry, Loading& loading) {
  for (const std::string& device : symbol.devices) check_device(device, *entry.find("devices"), loading);
  bool of_device = !symbol.build.empty() && symbol.build != "mpi";
  if (of_device) check_device(symbol.build, *entry.find("build"), loading);
  if (!symbol.recorded && symbol.meaning != Meaning::neutral)
    loading.errors.push_back(
        {entry.place(), "recorded: false, but says more than neutral", "say neutral, or record it"});
  if (symbol.meaning == Meaning::requires_device && symbol.devices.empty())
    loading.errors.push_back(
        {entry.place(), "says requires_device but names no devices", "add devices: [...]"});
}

std::vector<std::string> names_of(YamlMap& map, const Yaml& entry, Loading& loading) {
  std::vector<std::string> names = map.texts("names");
  if (map.has("name")) names.push_back(map.text("name"));
  if (names.empty())
    loading.errors.push_back({entry.place(), "an entry without a name", "add name or names"});
  return names;
}

// needs: {count: 2}, {count: argument}, {library: cudnn}, {capability: sm80}
Need need_of(YamlMap& symbol, Loading& loading) {
  Need need;
  const Yaml* node = symbol.node("needs");
  if (node == nullptr) return need;
  YamlMap map(*node, loading.errors);
  const Yaml* count = node->find("count");
  need.count_from_argument = count != nullptr && count->scalar == "argument";
  if (need.count_from_argument) map.text("count");
  if (count != nullptr && !need.count_from_argument)
    need.count = static_cast<int>(map.number_or("count", 0, 1, 1024));
  need.library = map.text_or("library", "");
  need.capability = map.text_or("capability", "");
  map.finish();
  return need;
}

// A guard of the framework itself is API: its last word (is_available) says too little to go by.
UseKind kind_in(const std::string& module, const Symbol& symbol) {
  bool of_tests = module.starts_with("torch.testing.");
  return symbol.kind_word == "guard" && !of_tests ? UseKind::api : symbol.kind;
}

// What the entries of a file share.
struct SymbolFile {
  std::vector<std::string> modules;
  bool package = false;
};

void read_symbol(const Yaml& entry, const SymbolFile& file, Loading& loading) {
  YamlMap map(entry, loading.errors);
  std::vector<std::string> names = names_of(map, entry, loading);
  Symbol symbol;
  symbol.kind_word = map.text("kind");
  symbol.kind = one_of(kKinds, symbol.kind_word, entry, "kind", loading.errors);
  symbol.meaning = one_of(kMeanings, map.text("says"), entry, "says", loading.errors);
  symbol.devices = map.texts("devices");
  symbol.prefix = map.flag_or("prefix", false);
  symbol.twin = map.text_or("twin", "");
  symbol.since = map.text_or("since", "");
  symbol.until = map.text_or("until", "");
  symbol.need = need_of(map, loading);
  symbol.build = map.text_or("build", "");
  symbol.recorded = map.flag_or("recorded", true);
  symbol.package = file.package;
  map.finish();
  check_meaning(symbol, entry, loading);
  for (const std::string& module : file.modules) {
    symbol.module = module;
    symbol.kind = kind_in(module, symbol);
    for (const std::string& name : names) {
      symbol.name = dotted(module, name);
      loading.places.emplace_back(symbol.name, entry.place());
      loading.vocabulary.symbols.push_back(symbol);
    }
  }
}

void read_symbols(const Yaml& root, Loading& loading) {
  YamlMap map(root, loading.errors);
  SymbolFile file{{map.text("module")}, map.flag_or("package", false)};
  for (const std::string& other : map.texts("also")) file.modules.push_back(other);
  for (const Yaml& entry : map.items("symbols")) read_symbol(entry, file, loading);
  map.finish();
}

void read_file(const std::string& folder, const std::string& name, void (*read)(const Yaml&, Loading&),
               Loading& loading) {
  std::string path = join_path(folder, name);
  Result<std::string> bytes = loading.disk.read(path, kMaxRuleFileBytes);
  if (!bytes.ok()) return loading.errors.push_back(bytes.error());
  add_to_hash(loading.hash, name);
  add_to_hash(loading.hash, *bytes);
  Result<Yaml> root = parse_yaml(*bytes, path);
  if (!root.ok()) return loading.errors.push_back(root.error());
  read(*root, loading);
}

void refuse_doubled_names(Loading& loading) {
  std::stable_sort(loading.places.begin(), loading.places.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < loading.places.size(); ++i) {
    const auto& [name, place] = loading.places[i];
    if (name != loading.places[i - 1].first) continue;
    loading.errors.push_back({place, "the symbol '" + name + "' stands twice",
                              "it stands at " + loading.places[i - 1].second + " too"});
  }
}

bool is_yaml(const std::string& name) {
  return name.size() > 5 && name.compare(name.size() - 5, 5, ".yaml") == 0;
}

void read_cxx(const std::string& folder, Loading& loading) {
  std::string path = join_path(folder, "cxx.yaml");
  Result<std::string> bytes = loading.disk.read(path, kMaxRuleFileBytes);
  if (!bytes.ok()) return loading.errors.push_back(bytes.error());
  add_to_hash(loading.hash, *bytes);
  Result<CxxVocabulary> cxx = parse_cxx_vocabulary(*bytes, path, loading.vocabulary.devices);
  if (!cxx.ok()) return loading.errors.push_back(cxx.error());
  loading.vocabulary.cxx = std::make_shared<const CxxVocabulary>(std::move(*cxx));
}

}  // namespace

Result<Vocabulary> load_vocabulary(Disk& disk, const std::string& rules_folder) {
  Loading loading{disk, {}, {}, {}};
  read_file(rules_folder, "devices.yaml", read_devices, loading);
  if (disk.info(join_path(rules_folder, "policy.yaml"))
          .ok())  // a folder without one keeps the answers of hwsift
    read_file(rules_folder, "policy.yaml", read_policy, loading);
  std::string folder = join_path(rules_folder, "symbols");
  Result<std::vector<std::string>> names = disk.list(folder);
  if (!names.ok()) loading.errors.push_back(names.error());
  if (names.ok())
    for (const std::string& name : *names)
      if (is_yaml(name)) read_file(folder, name, read_symbols, loading);
  if (disk.info(join_path(rules_folder, "cxx.yaml")).ok()) read_cxx(rules_folder, loading);
  refuse_doubled_names(loading);
  if (!loading.errors.empty()) return joined(loading.errors);
  loading.vocabulary.version += '-';
  loading.vocabulary.version += short_hex(loading.hash);
  loading.vocabulary.index();
  return std::move(loading.vocabulary);
}

}  // namespace hwsift::classifier
