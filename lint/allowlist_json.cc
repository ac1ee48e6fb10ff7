// Upstream's form of an allowlist.
#include <vector>

#include "base/json.h"
#include "lint/allowlist_forms.h"

namespace hwsift::lint {
namespace {

constexpr char kForm[] = "an allowlist is a JSON array of paths relative to the tree: [\"test/test_a.py\"]";
constexpr char kRicher[] = "classes, rules and reasons need the YAML form: a file named .yaml";

struct Place {
  int line = 1;
  int col = 1;

  void pass(char c) {
    bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (c == '\n')
      ++line, col = 1;
    else if (!continues)
      ++col;
  }
};

// The JSON parser tells no places; these are the starts of the outermost array's items in JSON that it took.
std::vector<Place> places_of_items(const std::string& json) {
  std::vector<Place> places;
  Place here;
  int depth = 0;
  bool in_text = false;
  bool awaited = false;  // an item comes next
  for (std::size_t i = 0; i < json.size(); ++i) {
    char c = json[i];
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (awaited && !blank) {
      if (c != ']') places.push_back(here);
      awaited = false;
    }
    if (in_text) {
      if (c == '\\') here.pass(json[i++]);
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      awaited = ++depth == 1;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',') {
      awaited = depth == 1;
    }
    if (i < json.size()) here.pass(json[i]);
  }
  return places;
}

Result<AllowlistEntry> read_entry(const Json& item, const Place& at, const std::string& file) {
  std::string where = file + ":" + std::to_string(at.line) + ":" + std::to_string(at.col);
  if (!item.is_string()) return Error{where, "an entry must be a text", item.is_object() ? kRicher : kForm};
  AllowlistEntry entry;
  entry.path = item.get<std::string>();
  entry.line = at.line;
  entry.col = at.col;
  if (auto fault = fault_in(entry, AllowlistForm::json)) return Error{where, fault->what, fault->hint};
  return entry;
}

}  // namespace

Result<Allowlist> read_json_form(const std::string& bytes, const std::string& file) {
  Result<Json> root = parse_json(bytes, file);
  if (!root.ok()) return root.error();
  if (!root->is_array()) return Error{file + ":1:1", "not a JSON array", kForm};
  std::vector<Place> places = places_of_items(bytes);
  places.resize(root->size());
  Allowlist allowlist;
  for (std::size_t i = 0; i < root->size(); ++i) {
    Result<AllowlistEntry> entry = read_entry((*root)[i], places[i], file);
    if (!entry.ok()) return entry.error();
    allowlist.entries.push_back(std::move(*entry));
  }
  return allowlist;
}

std::string json_text(const Allowlist& allowlist) {
  Json array = Json::array();
  for (const AllowlistEntry& entry : allowlist.entries) array.push_back(entry.path);
  return dump_json(array, 2) + "\n";
}

}  // namespace hwsift::lint
