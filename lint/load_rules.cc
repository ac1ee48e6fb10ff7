// rules/profiles.yaml and rules/lint/*.yaml to LintRules. The formats are described at the top of
// profiles.yaml and of lint/hw_classification.yaml. Used at build time (compile_lint_rules) and for --rules.
#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "base/yaml.h"
#include "lint/profile.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

constexpr std::size_t kMaxRuleFileBytes = 1u << 20;
constexpr std::string_view kSuffix = ".yaml";

constexpr std::array<std::pair<const char*, Contract>, 4> kContracts = {
    {{"recommended", Contract::recommended},
     {"upstream-strict", Contract::upstream_strict},
     {"upstream-relaxed", Contract::upstream_relaxed},
     {"declare", Contract::declare}}};

constexpr std::array<std::pair<const char*, Severity>, 3> kSeverities = {
    {{"error", Severity::error}, {"warning", Severity::warning}, {"advice", Severity::advice}}};

// Gathers the rules and every error on the way.
struct Loading {
  Disk& disk;
  LintRules rules;
  std::vector<Error> errors;
};

Error not_one_of(const Yaml& at, const std::string& word, const std::vector<std::string>& known,
                 const std::string& kind = "word") {
  std::optional<std::string> near = closest(word, known);
  return {at.place(), "unknown " + kind + " '" + word + "'",
          near ? "did you mean '" + *near + "'?" : "one of: " + join(known, ", ")};
}

template <class Value, std::size_t N>
std::optional<Value> read_word(Loading& loading, const Yaml& at,
                               const std::array<std::pair<const char*, Value>, N>& words) {
  std::vector<std::string> known;
  for (const auto& [word, value] : words) {
    if (at.scalar == word) return value;
    known.emplace_back(word);
  }
  loading.errors.push_back(not_one_of(at, at.scalar, known));
  return std::nullopt;
}

std::vector<std::string> known_ids() { return {std::begin(rule::kAll), std::end(rule::kAll)}; }

bool is_known(const std::string& id) {
  return std::find(std::begin(rule::kAll), std::end(rule::kAll), id) != std::end(rule::kAll);
}

std::optional<Yaml> read_yaml(Loading& loading, const std::string& file) {
  Result<std::string> bytes = loading.disk.read(file, kMaxRuleFileBytes);
  Result<Yaml> root = bytes.ok() ? parse_yaml(*bytes, file) : Result<Yaml>(bytes.error());
  if (root.ok()) return std::move(*root);
  loading.errors.push_back(root.error());
  return std::nullopt;
}

void read_rules(Loading& loading, const Yaml& node, Profile& profile) {
  if (node.kind != Yaml::Kind::map)
    loading.errors.push_back({node.place(), "'rules' must be a map of rule and severity", ""});
  for (const auto& [id, severity] : node.entries) {
    if (!is_known(id)) loading.errors.push_back(not_one_of(severity, id, known_ids(), "rule"));
    std::optional<Severity> value = read_word(loading, severity, kSeverities);
    if (value) profile.rules.emplace(id, *value);
  }
}

const Yaml* required(Loading& loading, const Yaml& node, YamlMap& map, const std::string& key) {
  const Yaml* found = map.node(key);
  if (found == nullptr)
    loading.errors.push_back({node.place(), "the key '" + key + "' is missing", "add it"});
  return found;
}

// A word of a two-way setting: whether it is the second one.
bool read_choice(Loading& loading, YamlMap& map, const std::string& key, const char* no, const char* yes,
                 bool otherwise) {
  const Yaml* node = map.node(key);
  if (node == nullptr) return otherwise;
  std::array<std::pair<const char*, bool>, 2> words = {{{no, false}, {yes, true}}};
  return read_word(loading, *node, words).value_or(otherwise);
}

Settings read_settings(Loading& loading, const Yaml* node, Settings settings) {
  if (node == nullptr) return settings;
  YamlMap map(*node, loading.errors);
  settings.accelerators_in_only_for =
      read_choice(loading, map, "only_for", "refuse", "accelerators", settings.accelerators_in_only_for);
  settings.inherited_label =
      read_choice(loading, map, "inherited_label", "refuse", "accept", settings.inherited_label);
  map.finish();
  return settings;
}

void add_profile(Loading& loading, const Yaml& node, Profile profile) {
  if (loading.rules.profile(profile.name) != nullptr)
    loading.errors.push_back({node.place(), "the profile '" + profile.name + "' stands twice", "remove one"});
  loading.rules.profiles.push_back(std::move(profile));
}

void read_profile(Loading& loading, const Yaml& node) {
  YamlMap map(node, loading.errors);
  Profile profile;
  profile.name = map.text("name");
  profile.summary = map.text("summary");
  if (const Yaml* contract = required(loading, node, map, "contract"))
    profile.contract = read_word(loading, *contract, kContracts).value_or(Contract::recommended);
  if (const Yaml* rules = required(loading, node, map, "rules")) read_rules(loading, *rules, profile);
  profile.settings = read_settings(loading, map.node("settings"), {});
  map.finish();
  add_profile(loading, node, std::move(profile));
}

// --- profiles of a project ---

std::vector<std::string> profile_names(const LintRules& rules) {
  std::vector<std::string> names;
  for (const Profile& profile : rules.profiles) names.push_back(profile.name);
  return names;
}

Profile extended_profile(Loading& loading, YamlMap& map) {
  const Yaml* node = map.node("extends");
  if (node == nullptr) return loading.rules.profiles.front();
  if (const Profile* profile = loading.rules.profile(node->scalar)) return *profile;
  loading.errors.push_back(not_one_of(*node, node->scalar, profile_names(loading.rules), "profile"));
  return {};
}

// A list of rule ids under a key.
std::vector<std::string> read_rule_list(Loading& loading, YamlMap& map, const std::string& key) {
  std::vector<std::string> ids;
  for (const Yaml& item : map.items(key)) {
    if (!is_known(item.scalar)) loading.errors.push_back(not_one_of(item, item.scalar, known_ids(), "rule"));
    ids.push_back(item.scalar);
  }
  return ids;
}

void read_project_profile(Loading& loading, const Yaml& node) {
  YamlMap map(node, loading.errors);
  Profile profile = extended_profile(loading, map);
  profile.name = map.text("name");
  profile.summary = map.text_or("summary", "A profile of this project.");
  for (const std::string& id : read_rule_list(loading, map, "select"))
    profile.rules.emplace(id, Severity::error);
  for (const std::string& id : read_rule_list(loading, map, "ignore")) profile.rules.erase(id);
  Profile severities;
  if (const Yaml* severity = map.node("severity")) read_rules(loading, *severity, severities);
  for (const auto& [id, severity] : severities.rules) profile.rules[id] = severity;
  const Yaml* settings = map.node("settings");
  bool upstream =
      profile.contract == Contract::upstream_strict || profile.contract == Contract::upstream_relaxed;
  if (settings != nullptr && upstream)
    loading.errors.push_back({settings->place(), "upstream's contracts know no settings",
                              "extend recommended or declare, or leave the key out"});
  profile.settings = read_settings(loading, settings, profile.settings);
  map.finish();
  add_profile(loading, node, std::move(profile));
}

void read_profiles(Loading& loading, const std::string& file) {
  std::optional<Yaml> root = read_yaml(loading, file);
  if (!root) return;
  YamlMap map(*root, loading.errors);
  for (const Yaml& item : map.items("profiles")) read_profile(loading, item);
  map.finish();
  if (loading.rules.profiles.empty() && loading.errors.empty())
    loading.errors.push_back({file, "holds no profile", "list at least one under 'profiles'"});
}

void read_document(Loading& loading, const std::string& file, const std::string& id) {
  if (!is_known(id)) {
    Yaml whole;
    whole.file = file;
    whole.line = 1;
    loading.errors.push_back(not_one_of(whole, id, known_ids()));
    return;
  }
  std::optional<Yaml> root = read_yaml(loading, file);
  if (!root) return;
  YamlMap map(*root, loading.errors);
  loading.rules.documents.push_back({id,
                                     map.text("summary"),
                                     map.text("why"),
                                     map.text("bad"),
                                     map.text("good"),
                                     map.text_or("fix", "none"),
                                     {}});
  map.finish();
}

void read_documents(Loading& loading, const std::string& folder) {
  Result<std::vector<std::string>> names = loading.disk.list(folder);
  if (!names.ok()) return loading.errors.push_back(names.error());
  for (const std::string& name : *names) {
    if (!name.ends_with(kSuffix)) continue;
    read_document(loading, join_path(folder, name), name.substr(0, name.size() - kSuffix.size()));
  }
}

void require_documents(Loading& loading, const std::string& folder) {
  if (!loading.errors.empty()) return;
  for (const Profile& profile : loading.rules.profiles)
    for (const auto& [id, severity] : profile.rules)
      if (loading.rules.document(id) == nullptr)
        loading.errors.push_back({join_path(folder, id + std::string(kSuffix)), "is missing",
                                  "the profile '" + profile.name + "' has this rule"});
}

}  // namespace

Status add_project_profiles(const Yaml& list, LintRules& rules) {
  Loading loading{real_disk(), rules, {}};
  if (list.kind != Yaml::Kind::list)
    return Error{list.place(), "'profiles' must be a list", "start each with '- name:'"};
  for (const Yaml& node : list.items) read_project_profile(loading, node);
  if (!loading.errors.empty()) return loading.errors.front();
  rules = std::move(loading.rules);
  name_profiles(rules);
  return {};
}

Result<LintRules> load_lint_rules(Disk& disk, const std::string& rules_folder) {
  Loading loading{disk, {}, {}};
  std::string folder = join_path(rules_folder, "lint");
  read_profiles(loading, join_path(rules_folder, "profiles.yaml"));
  read_documents(loading, folder);
  require_documents(loading, folder);
  if (!loading.errors.empty()) return loading.errors.front();
  name_profiles(loading.rules);
  return std::move(loading.rules);
}

}  // namespace hwsift::lint
