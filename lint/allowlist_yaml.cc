// The form of an allowlist that says why.
#include <algorithm>

#include "base/text.h"
#include "base/yaml.h"
#include "lint/allowlist_forms.h"

namespace hwsift::lint {
namespace {

constexpr char kForm[] = "an allowlist is a list of entries: - {path: test/test_a.py, reason: why}";

// In the order in which they are written.
struct Key {
  const char* name;
  std::string AllowlistEntry::*field;
};
constexpr Key kKeys[] = {{"path", &AllowlistEntry::path},   {"class", &AllowlistEntry::cls},
                         {"rule", &AllowlistEntry::rule},   {"reason", &AllowlistEntry::reason},
                         {"owner", &AllowlistEntry::owner}, {"since", &AllowlistEntry::since}};

std::string place(const Yaml& at) { return at.place() + ":" + std::to_string(at.col); }

Error unknown_key(const Yaml& at, const std::string& key) {
  std::vector<std::string> known;
  for (const Key& k : kKeys) known.emplace_back(k.name);
  std::optional<std::string> near = closest(key, known);
  return {place(at), "unknown key '" + key + "'",
          near ? "did you mean '" + *near + "'?" : "known keys: " + join(known, ", ")};
}

Status read_key(const std::string& name, const Yaml& value, AllowlistEntry& entry) {
  const Key* key =
      std::find_if(std::begin(kKeys), std::end(kKeys), [&](const Key& k) { return name == k.name; });
  if (key == std::end(kKeys)) return unknown_key(value, name);
  if (value.kind != Yaml::Kind::scalar)
    return Error{place(value), "'" + name + "' must be text", "write a text, or leave the key out"};
  if (value.scalar.empty())
    return Error{place(value), "'" + name + "' is empty", "write a text, or leave the key out"};
  entry.*(key->field) = value.scalar;
  return {};
}

Result<AllowlistEntry> read_entry(const Yaml& node) {
  if (node.kind != Yaml::Kind::map)
    return Error{place(node), "an entry must be a map of keys and values", kForm};
  AllowlistEntry entry;
  entry.line = node.line;
  entry.col = node.col;
  for (const auto& [key, value] : node.entries) {
    Status read = read_key(key, value, entry);
    if (!read.ok()) return read.error();
  }
  if (entry.path.empty())
    return Error{place(node), "the key 'path' is missing", "add it, or remove the entry"};
  if (auto fault = fault_in(entry, AllowlistForm::yaml)) return Error{place(node), fault->what, fault->hint};
  return entry;
}

bool is_comment(std::string_view line) { return trim(line).starts_with('#'); }

// Comments and blank lines before anything else stay; whether there are more comments is told.
void keep_comments(const std::string& bytes, Allowlist& allowlist) {
  bool at_head = true;
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t end = std::min(bytes.find('\n', at), bytes.size() - 1) + 1;
    std::string line = bytes.substr(at, end - at);
    at = end;
    at_head = at_head && (is_comment(line) || trim(line).empty());
    if (at_head) allowlist.head += line;
    allowlist.comments_below = allowlist.comments_below || (!at_head && is_comment(line));
  }
  if (!allowlist.head.empty() && allowlist.head.back() != '\n') allowlist.head += '\n';
}

bool is_plain_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_ascii_digit(c) || c == '_' || c == '/' ||
         c == '.' || c == '-';
}

// Text that means itself without quotes, to every reader of YAML.
bool is_plain(const std::string& text) {
  static const std::vector<std::string> kWords = {"null", "true", "false", "yes", "no",
                                                  "on",   "off",  "y",     "n"};
  char first = text.empty() ? '-' : text.front();
  if (!is_plain_letter(first) || is_ascii_digit(first) || first == '-' || first == '.' || text.back() == ' ')
    return false;
  bool letters = std::all_of(text.begin(), text.end(), [](char c) {
    return is_plain_letter(c) || c == ' ' || c == ',' || c == ';' || c == '(' || c == ')' || c == '+' ||
           c == '=';
  });
  return letters && std::find(kWords.begin(), kWords.end(), ascii_lower(text)) == kWords.end();
}

std::string quoted(const std::string& text) {
  static const char* digits = "0123456789abcdef";
  std::string result = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      result += "\\n";
    else if (byte < 0x20 || byte == 0x7F)
      result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    else if (c == '"' || c == '\\')
      result += {'\\', c};
    else
      result += c;
  }
  return result + "\"";
}

std::string entry_text(const AllowlistEntry& entry) {
  std::string text;
  for (const Key& key : kKeys) {
    const std::string& value = entry.*(key.field);
    if (value.empty()) continue;
    bool bare = key.field == &AllowlistEntry::since || is_plain(value);
    text += std::string(text.empty() ? "- " : "  ") + key.name + ": " + (bare ? value : quoted(value)) + "\n";
  }
  return text;
}

}  // namespace

Result<Allowlist> read_yaml_form(const std::string& bytes, const std::string& file) {
  Result<Yaml> root = parse_yaml(bytes, file);
  if (!root.ok()) return root.error();
  Allowlist allowlist;
  keep_comments(bytes, allowlist);
  if (root->kind == Yaml::Kind::null) return allowlist;
  if (root->kind != Yaml::Kind::list) return Error{place(*root), "not a list of entries", kForm};
  for (const Yaml& item : root->items) {
    Result<AllowlistEntry> entry = read_entry(item);
    if (!entry.ok()) return entry.error();
    allowlist.entries.push_back(std::move(*entry));
  }
  return allowlist;
}

std::string yaml_text(const Allowlist& allowlist) {
  std::string text = allowlist.head;
  for (const AllowlistEntry& entry : allowlist.entries) text += entry_text(entry);
  return allowlist.entries.empty() ? text + "[]\n" : text;
}

}  // namespace hwsift::lint
