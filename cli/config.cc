#include "cli/config.h"

#include "base/yaml.h"

namespace hwsift::cli {
namespace {

constexpr std::size_t kMaxConfigBytes = 1 << 20;

// languages: [python, cpp]
analyzer::Languages read_languages(const Yaml& root, YamlMap& map, std::vector<Error>& errors) {
  if (!map.has("languages")) return {};
  analyzer::Languages languages{false, false};
  for (const std::string& word : map.texts("languages")) {
    languages.python = languages.python || word == "python";
    languages.cpp = languages.cpp || word == "cpp";
    if (word != "python" && word != "cpp")
      errors.push_back(
          {root.find("languages")->place(), "unknown language '" + word + "'", "one of: python, cpp"});
  }
  return languages;
}

Result<Config> read_config(const Yaml& root, const std::string& file) {
  Config config;
  config.file = file;
  if (root.kind == Yaml::Kind::null) return config;
  std::vector<Error> errors;
  YamlMap map(root, errors);
  config.profile = map.text_or("profile", "");
  if (const Yaml* profiles = map.node("profiles")) config.profiles = *profiles;
  if (const Yaml* devices = map.node("devices")) config.devices = *devices;
  config.allowlist = map.text_or("allowlist", "");
  config.exclude = map.texts("exclude");
  config.compile_commands = map.text_or("compile_commands", "");
  config.languages = read_languages(root, map, errors);
  config.max_file_bytes = static_cast<std::size_t>(map.number_or("max_file_bytes", 0, 0, 1LL << 32));
  map.finish();
  if (!errors.empty()) return errors.front();
  for (std::string* path : {&config.allowlist, &config.compile_commands})
    if (!path->empty() && path->front() != '/') *path = join_path(folder_of(file), *path);
  return config;
}

}  // namespace

Result<Config> load_config(Disk& disk, const std::string& tree, const std::string& named) {
  std::string file = named.empty() ? join_path(tree, "hwsift.yaml") : absolute_path(named);
  if (named.empty() && !disk.info(file).ok()) return Config{};
  Result<std::string> bytes = disk.read(file, kMaxConfigBytes);
  if (!bytes.ok()) return bytes.error();
  Result<Yaml> root = parse_yaml(*bytes, file);
  if (!root.ok()) return root.error();
  return read_config(*root, file);
}

}  // namespace hwsift::cli
