#include "lint/allowlist.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/clock.h"
#include "base/text.h"
#include "lint/allowlist_forms.h"

namespace hwsift::lint {
namespace {

constexpr std::size_t kMaxAllowlistBytes = 64u << 20;

using Subject = std::tuple<std::string, std::string, std::string>;

Subject subject_of(const AllowlistEntry& entry) { return {entry.path, entry.cls, entry.rule}; }

// What would cover an entry, the entry itself included.
std::vector<Subject> covering(const AllowlistEntry& entry) {
  return {{entry.path, "", ""},
          {entry.path, entry.cls, ""},
          {entry.path, "", entry.rule},
          {entry.path, entry.cls, entry.rule}};
}

bool covers(const AllowlistEntry& wide, const AllowlistEntry& narrow) {
  return wide.path == narrow.path && (wide.cls.empty() || wide.cls == narrow.cls) &&
         (wide.rule.empty() || wide.rule == narrow.rule);
}

std::string place(const AllowlistEntry& entry, const std::string& file) {
  return file + ":" + std::to_string(entry.line) + ":" + std::to_string(entry.col);
}

// The later of two in the file is the one at fault, unless it is the one that covers.
Status refuse_covered(const std::vector<AllowlistEntry>& entries, const std::string& file) {
  std::map<Subject, const AllowlistEntry*> seen;
  for (const AllowlistEntry& entry : entries) {
    auto [first, fresh] = seen.emplace(subject_of(entry), &entry);
    if (!fresh)
      return Error{place(entry, file), "'" + entry.name() + "' stands twice",
                   "line " + std::to_string(first->second->line) + " has it already; remove one"};
  }
  for (const AllowlistEntry& entry : entries)
    for (const Subject& subject : covering(entry))
      if (auto wide = seen.find(subject); wide != seen.end() && wide->second != &entry)
        return Error{place(entry, file), "'" + entry.name() + "' is covered by another entry",
                     "line " + std::to_string(wide->second->line) + " covers it; remove one of the two"};
  return {};
}

std::optional<Fault> fault_in_path(const std::string& path) {
  if (path.empty()) return Fault{"an entry is empty", "name a file, or remove the entry"};
  std::string normal = normal_path(path);
  if (path.front() == '/' || normal == ".." || normal.starts_with("../"))
    return Fault{"'" + path + "' is not below the tree", "write the path as seen from the root of the tree"};
  if (normal != path) return Fault{"'" + path + "' is not a normal path", "write '" + normal + "'"};
  return std::nullopt;
}

}  // namespace

bool AllowlistEntry::matches(const Finding& finding) const {
  return finding.path == path && (cls.empty() || cls == finding.cls) &&
         (rule.empty() || rule == finding.rule);
}

std::string AllowlistEntry::name() const {
  std::vector<std::string> parts;
  if (!cls.empty()) parts.push_back("class " + cls);
  if (!rule.empty()) parts.push_back("rule " + rule);
  return parts.empty() ? path : path + " (" + join(parts, ", ") + ")";
}

bool operator<(const AllowlistEntry& a, const AllowlistEntry& b) {
  return std::tie(a.path, a.cls, a.rule) < std::tie(b.path, b.cls, b.rule);
}

bool same_subject(const AllowlistEntry& a, const AllowlistEntry& b) {
  return std::tie(a.path, a.cls, a.rule) == std::tie(b.path, b.cls, b.rule);
}

bool Allowlist::allows(const std::string& path) const {
  std::span<const AllowlistEntry> found = of(path);
  return !found.empty() && found.front().whole_file();
}

std::span<const AllowlistEntry> Allowlist::of(const std::string& path) const {
  auto first = std::lower_bound(entries.begin(), entries.end(), path,
                                [](const AllowlistEntry& e, const std::string& p) { return e.path < p; });
  auto last = std::upper_bound(first, entries.end(), path,
                               [](const std::string& p, const AllowlistEntry& e) { return p < e.path; });
  return {first, last};
}

std::optional<Fault> fault_in(const AllowlistEntry& entry, AllowlistForm form) {
  if (auto fault = fault_in_path(entry.path)) return fault;
  if (invalid_utf8_at(entry.path))
    return Fault{"'" + printable(entry.path) + "' is not valid UTF-8", "rename the file"};
  if (form == AllowlistForm::json && !entry.whole_file())
    return Fault{"the JSON form holds paths only, no class and no rule",
                 "use an allowlist in YAML: 'hwsift allowlist init --output FILE.yaml'"};
  if (form == AllowlistForm::json) return std::nullopt;
  // An escape in quotes can make it so.
  for (const std::string* text : {&entry.cls, &entry.rule, &entry.reason, &entry.owner})
    if (invalid_utf8_at(*text))
      return Fault{"'" + printable(*text) + "' is not valid UTF-8", "write it plainly"};
  if (trim(entry.reason).empty())
    return Fault{"the entry of '" + entry.path + "' has no reason", "add 'reason:', why it may break rules"};
  if (!entry.since.empty() && !is_date(entry.since))
    return Fault{"'" + entry.since + "' is no date", "write it as 2026-03-14"};
  return std::nullopt;
}

AllowlistForm form_of(const std::string& file, const std::string& bytes) {
  if (file.ends_with(".json")) return AllowlistForm::json;
  if (file.ends_with(".yaml") || file.ends_with(".yml")) return AllowlistForm::yaml;
  std::string_view text = trim(bytes);
  return text.starts_with('[') || text.starts_with('{') ? AllowlistForm::json : AllowlistForm::yaml;
}

Result<Allowlist> parse_allowlist(const std::string& bytes, const std::string& file) {
  return parse_allowlist(bytes, file, form_of(file, bytes));
}

Result<Allowlist> parse_allowlist(const std::string& bytes, const std::string& file, AllowlistForm form) {
  Result<Allowlist> allowlist =
      form == AllowlistForm::json ? read_json_form(bytes, file) : read_yaml_form(bytes, file);
  if (!allowlist.ok()) return allowlist;
  Status covered = refuse_covered(allowlist->entries, file);
  if (!covered.ok()) return covered.error();
  allowlist->form = form;
  std::sort(allowlist->entries.begin(), allowlist->entries.end());
  return allowlist;
}

Result<Allowlist> load_allowlist(Disk& disk, const std::string& file) {
  Result<std::string> bytes = disk.read(file, kMaxAllowlistBytes);
  if (!bytes.ok())
    return Error{
        file, "the allowlist cannot be read: " + bytes.error().what,
        "make one with 'hwsift allowlist init --output FILE'; 'hwsift lint --no-allowlist' needs none"};
  return parse_allowlist(*bytes, file);
}

Status insert(Allowlist& allowlist, const AllowlistEntry& entry) {
  if (auto fault = fault_in(entry, allowlist.form)) return Error{entry.path, fault->what, fault->hint};
  for (const AllowlistEntry& other : allowlist.of(entry.path)) {
    if (covers(other, entry))
      return Error{entry.path, "the allowlist has '" + other.name() + "' already", "nothing is to be added"};
    if (covers(entry, other))
      return Error{entry.path, "the allowlist has the narrower '" + other.name() + "'",
                   "remove that one first, or name a class and rule"};
  }
  auto place = std::upper_bound(allowlist.entries.begin(), allowlist.entries.end(), entry);
  allowlist.entries.insert(place, entry);
  return {};
}

std::string to_text(const Allowlist& allowlist) {
  return allowlist.form == AllowlistForm::json ? json_text(allowlist) : yaml_text(allowlist);
}

}  // namespace hwsift::lint
