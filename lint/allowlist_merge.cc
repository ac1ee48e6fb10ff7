#include "lint/allowlist_merge.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "lint/allowlist.h"
#include "lint/allowlist_forms.h"
#include "lint/budget.h"

namespace hwsift::lint {
namespace {

// Ours, unless only theirs changed.
template <class Value>
const Value& merged(const Value& base, const Value& ours, const Value& theirs) {
  return ours == base ? theirs : ours;
}

const AllowlistEntry* find(const Allowlist& allowlist, const AllowlistEntry& wanted) {
  for (const AllowlistEntry& entry : allowlist.of(wanted.path))
    if (same_subject(entry, wanted)) return &entry;
  return nullptr;
}

AllowlistEntry merged_entry(const AllowlistEntry& base, const AllowlistEntry& ours,
                            const AllowlistEntry& theirs) {
  AllowlistEntry entry = ours;
  entry.reason = merged(base.reason, ours.reason, theirs.reason);
  entry.owner = merged(base.owner, ours.owner, theirs.owner);
  entry.since = merged(base.since, ours.since, theirs.since);
  return entry;
}

// What becomes of an entry that at least one side has.
std::optional<AllowlistEntry> decide(const AllowlistEntry* base, const AllowlistEntry* ours,
                                     const AllowlistEntry* theirs) {
  if (ours != nullptr && theirs != nullptr)
    return merged_entry(base == nullptr ? AllowlistEntry{} : *base, *ours, *theirs);
  if (base != nullptr) return std::nullopt;
  return ours != nullptr ? *ours : *theirs;
}

bool is_wider(const AllowlistEntry& wide, const AllowlistEntry& narrow) {
  return !same_subject(narrow, wide) && (wide.cls.empty() || wide.cls == narrow.cls) &&
         (wide.rule.empty() || wide.rule == narrow.rule);
}

void keep_narrower(Allowlist& allowlist) {
  std::vector<AllowlistEntry> kept;
  for (const AllowlistEntry& entry : allowlist.entries) {
    std::span<const AllowlistEntry> same_file = allowlist.of(entry.path);
    bool gives_way = std::any_of(same_file.begin(), same_file.end(),
                                 [&](const AllowlistEntry& other) { return is_wider(entry, other); });
    if (!gives_way) kept.push_back(entry);
  }
  allowlist.entries = std::move(kept);
}

struct Sides {
  Allowlist base;
  Allowlist ours;
  Allowlist theirs;
};

void merge_entries(const Sides& sides, Allowlist& result) {
  auto take = [&](const AllowlistEntry& entry) {
    std::optional<AllowlistEntry> decided =
        decide(find(sides.base, entry), find(sides.ours, entry), find(sides.theirs, entry));
    if (decided) result.entries.push_back(*decided);
  };
  for (const AllowlistEntry& entry : sides.ours.entries) take(entry);
  for (const AllowlistEntry& entry : sides.theirs.entries)
    if (find(sides.ours, entry) == nullptr) take(entry);
  std::sort(result.entries.begin(), result.entries.end());
  keep_narrower(result);
}

Result<Allowlist> read(const MergeInput& version, const std::string& name) {
  bool lost = name.empty() && trim(version.bytes).empty();  // no list at all, rather than an empty one
  return parse_allowlist(version.bytes, version.file,
                         lost ? AllowlistForm::json : form_of(name, version.bytes));
}

Result<Allowlist> read_base(const MergeInput& version, const std::string& name) {
  if (trim(version.bytes).empty()) return Allowlist{};
  return read(version, name);
}

// The form that says more, so that no reason is lost.
AllowlistForm richer(const Allowlist& a, const Allowlist& b) {
  return a.form == AllowlistForm::yaml ? a.form : b.form;
}

Result<std::string> merge_lists(const MergeInput& base, const MergeInput& ours, const MergeInput& theirs,
                                const std::string& name) {
  Result<Allowlist> old = read_base(base, name);
  if (!old.ok()) return old.error();
  Result<Allowlist> mine = read(ours, name);
  if (!mine.ok()) return mine.error();
  Result<Allowlist> other = read(theirs, name);
  if (!other.ok()) return other.error();
  Sides sides{*old, *mine, *other};
  Allowlist result;
  result.form = richer(*mine, *other);
  result.head = merged(old->head, mine->head, other->head);
  merge_entries(sides, result);
  for (const AllowlistEntry& entry : result.entries)
    if (auto fault = fault_in(entry, result.form)) return Error{ours.file, fault->what, fault->hint};
  return to_text(result);
}

Result<std::string> merge_budgets(const MergeInput& ours, const MergeInput& theirs) {
  Result<std::size_t> mine = parse_budget(ours.bytes, ours.file);
  if (!mine.ok()) return mine.error();
  Result<std::size_t> other = parse_budget(theirs.bytes, theirs.file);
  if (!other.ok()) return other.error();
  return budget_text(std::min(*mine, *other));
}

}  // namespace

Result<std::string> merge_allowlists(const MergeInput& base, const MergeInput& ours, const MergeInput& theirs,
                                     const std::string& name) {
  bool budget = looks_like_budget(ours.bytes) || looks_like_budget(theirs.bytes);
  return budget ? merge_budgets(ours, theirs) : merge_lists(base, ours, theirs, name);
}

}  // namespace hwsift::lint
