#include "lint/stale.h"

#include <algorithm>
#include <tuple>

#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

// A link that leads nowhere and a file that may not be looked at stand in their folder all the same.
bool is_gone(Disk& disk, const std::string& root, const std::string& path) {
  Result<FileInfo> info = disk.info(join_path(root, path));
  if (info.ok()) return info->kind == FileInfo::Kind::directory;
  if (path.empty()) return true;
  std::string folder = folder_of(path);
  Result<FileInfo> above = disk.info(join_path(root, folder));
  if (!above.ok()) return is_gone(disk, root, folder);
  if (above->kind != FileInfo::Kind::directory) return true;
  Result<std::vector<std::string>> names = disk.list(join_path(root, folder));
  return names.ok() && !std::binary_search(names->begin(), names->end(), base_name(path));
}

std::string path_now(const AllowlistEntry& entry, const Moves& moves) {
  auto move = moves.find(entry.path);
  return move == moves.end() ? entry.path : move->second;
}

bool any_match(const AllowlistEntry& entry, const std::vector<Finding>& findings) {
  auto first = std::lower_bound(findings.begin(), findings.end(), entry.path,
                                [](const Finding& f, const std::string& path) { return f.path < path; });
  for (; first != findings.end() && first->path == entry.path; ++first)
    if (entry.matches(*first)) return true;
  return false;
}

// Quietly: where one that is the same or wider is there, nothing is lost.
void add_if_new(Allowlist& allowlist, const AllowlistEntry& entry) { (void)insert(allowlist, entry).ok(); }

bool same_place(const AllowlistEntry& a, const AllowlistEntry& b) {
  return a.line == b.line && a.col == b.col;
}

}  // namespace

std::set<std::string> gone_paths(Disk& disk, const std::string& root, const Allowlist& allowlist) {
  std::set<std::string> gone;
  for (const AllowlistEntry& entry : allowlist.entries)
    if (gone.count(entry.path) == 0 && is_gone(disk, root, entry.path)) gone.insert(entry.path);
  return gone;
}

Allowlist at_new_paths(const Allowlist& allowlist, const Moves& moves) {
  Allowlist result = allowlist;
  if (moves.empty()) return result;
  std::erase_if(result.entries, [&](const AllowlistEntry& entry) { return moves.count(entry.path) > 0; });
  for (AllowlistEntry entry : allowlist.entries) {
    if (moves.count(entry.path) == 0) continue;
    entry.path = path_now(entry, moves);
    add_if_new(result, entry);
  }
  return result;
}

std::vector<bool> take_out_allowed(const Allowlist& allowlist, std::vector<Finding>& findings) {
  std::vector<bool> matched(allowlist.entries.size(), false);
  std::erase_if(findings, [&](const Finding& finding) {
    bool out = false;
    for (const AllowlistEntry& entry : allowlist.of(finding.path)) {
      if (!entry.matches(finding)) continue;
      matched[static_cast<std::size_t>(&entry - allowlist.entries.data())] = true;
      out = true;
    }
    return out;
  });
  return matched;
}

std::vector<StaleEntry> stale_entries(const Allowlist& allowlist, const Standing& standing) {
  Allowlist now = at_new_paths(allowlist, standing.moves);
  std::vector<StaleEntry> stale;
  for (const AllowlistEntry& entry : allowlist.entries) {
    bool gone = standing.gone.count(entry.path) > 0;
    bool moved = standing.moves.count(entry.path) > 0;
    AllowlistEntry there = entry;
    there.path = path_now(entry, standing.moves);
    std::span<const AllowlistEntry> kept = now.of(there.path);
    bool in_place = std::any_of(kept.begin(), kept.end(),
                                [&](const AllowlistEntry& other) { return same_place(other, entry); });
    if (gone && !(moved && in_place))
      stale.push_back({entry, Staleness::gone, ""});
    else if (!any_match(there, standing.findings))
      stale.push_back({entry, Staleness::clean, ""});
    else if (moved)
      stale.push_back({entry, Staleness::moved, there.path});
  }
  return stale;
}

std::vector<StaleEntry> stale_in_lint(const Allowlist& allowlist, const Standing& standing,
                                      const Allowlist& now, const std::vector<bool>& matched,
                                      const std::set<std::string>& read) {
  std::vector<StaleEntry> stale;
  for (const AllowlistEntry& entry : allowlist.entries)
    if (standing.gone.count(entry.path) > 0 && standing.moves.count(entry.path) == 0)
      stale.push_back({entry, Staleness::gone, ""});
  for (std::size_t i = 0; i < matched.size(); ++i) {
    const AllowlistEntry& entry = now.entries[i];
    if (!matched[i] && !entry.whole_file() && read.count(entry.path) > 0)
      stale.push_back({entry, Staleness::clean, ""});
  }
  std::sort(stale.begin(), stale.end(), [](const StaleEntry& a, const StaleEntry& b) {
    return std::tie(a.entry.line, a.entry.col) < std::tie(b.entry.line, b.entry.col);
  });
  return stale;
}

Allowlist pruned(const Allowlist& allowlist, const std::vector<StaleEntry>& stale) {
  Allowlist result = allowlist;
  std::set<AllowlistEntry> out;
  for (const StaleEntry& s : stale) out.insert(s.entry);
  std::erase_if(result.entries, [&](const AllowlistEntry& entry) { return out.count(entry) > 0; });
  for (const StaleEntry& s : stale) {
    if (s.staleness != Staleness::moved) continue;
    AllowlistEntry entry = s.entry;
    entry.path = s.moved_to;
    add_if_new(result, entry);
  }
  return result;
}

Error explain(const StaleEntry& stale, const std::string& file, const std::string& profile) {
  const AllowlistEntry& entry = stale.entry;
  std::string where = file + ":" + std::to_string(entry.line) + ":" + std::to_string(entry.col);
  switch (stale.staleness) {
    case Staleness::gone:
      return {where, entry.name() + ": the file is gone", "remove the entry"};
    case Staleness::moved:
      return {where, entry.name() + ": the file moved to " + stale.moved_to, "write the new path"};
    case Staleness::clean:
      return {where, entry.name() + ": no finding of profile " + profile + " is left", "remove the entry"};
  }
  return {where, entry.name(), ""};
}

Finding stale_finding(const StaleEntry& stale, const std::string& file, Severity severity,
                      const std::string& profile) {
  Error error = explain(stale, file, profile);
  Finding finding;
  finding.rule = rule::stale_allowlist;
  finding.path = file;
  finding.line = finding.end_line = stale.entry.line;
  finding.col = stale.entry.col;
  finding.end_col = stale.entry.col + 1;
  finding.severity = severity;
  finding.message = "the allowlist entry " + error.what;
  finding.hint = error.hint + ", or run 'hwsift allowlist prune'";
  return finding;
}

}  // namespace hwsift::lint
