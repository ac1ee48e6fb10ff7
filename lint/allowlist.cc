#include "lint/allowlist.h"

#include "base/json.h"
#include "base/text.h"
#include "base/yaml.h"

namespace hwsift::lint {
namespace {

constexpr std::size_t kMaxAllowlistBytes = 64u << 20;
constexpr char kForm[] = "an allowlist is a JSON array of paths relative to the tree: [\"test/test_a.py\"]";

// JSON knows no places; read as YAML, of which it is a part, the same text does.
std::string place_of_entry(const std::string& bytes, const std::string& file, std::size_t index) {
  Result<Yaml> root = parse_yaml(bytes, file);
  if (!root.ok() || root->items.size() <= index) return file + ": entry " + std::to_string(index + 1);
  const Yaml& entry = root->items[index];
  return entry.place() + ":" + std::to_string(entry.col);
}

std::optional<std::pair<std::string, std::string>> fault_of(const Json& entry) {
  if (!entry.is_string()) return {{"an entry must be a text", kForm}};
  const std::string& path = entry.get_ref<const std::string&>();
  if (path.empty()) return {{"an entry is empty", "name a file, or remove the entry"}};
  std::string normal = normal_path(path);
  if (path.front() == '/' || normal == ".." || normal.starts_with("../"))
    return {{"'" + path + "' is not below the tree", "write the path as seen from the root of the tree"}};
  if (normal != path) return {{"'" + path + "' is not a normal path", "write '" + normal + "'"}};
  return std::nullopt;
}

}  // namespace

Result<Allowlist> parse_allowlist(const std::string& bytes, const std::string& file) {
  Result<Json> root = parse_json(bytes, file);
  if (!root.ok()) return root.error();
  if (!root->is_array()) return Error{file + ":1:1", "not a JSON array", kForm};
  Allowlist allowlist;
  for (std::size_t i = 0; i < root->size(); ++i) {
    const Json& entry = (*root)[i];
    if (auto fault = fault_of(entry))
      return Error{place_of_entry(bytes, file, i), fault->first, fault->second};
    allowlist.paths.insert(entry.get<std::string>());
  }
  return allowlist;
}

Result<Allowlist> load_allowlist(Disk& disk, const std::string& file) {
  Result<std::string> bytes = disk.read(file, kMaxAllowlistBytes);
  if (!bytes.ok())
    return Error{file, "the allowlist cannot be read: " + bytes.error().what,
                 "make one with 'hwsift allowlist init --output FILE', or pass --no-allowlist"};
  return parse_allowlist(*bytes, file);
}

std::string to_json_text(const Allowlist& allowlist) {
  Json array = Json::array();
  for (const std::string& path : allowlist.paths) array.push_back(path);
  return dump_json(array, 2) + "\n";
}

}  // namespace hwsift::lint
