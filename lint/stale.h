// How the allowlist meets the findings: what it takes out, and which entries have nothing left to allow.
//
//   gone   the file is not there, and git knows no new name of it
//   moved  the file is not there, but git tells its new path
//   clean  the file is there (or moved), but no finding of the profile matches
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/disk.h"
#include "lint/allowlist.h"
#include "lint/finding.h"

namespace hwsift::lint {

using Moves = std::map<std::string, std::string>;  // old path to new

// The paths of entries that lead nowhere below `root`. What cannot be looked at counts as there.
std::set<std::string> gone_paths(Disk& disk, const std::string& root, const Allowlist& allowlist);

// The list with the new paths in place of the old ones. Where two entries then are about the same, one stays.
Allowlist at_new_paths(const Allowlist& allowlist, const Moves& moves);

// Takes out the findings that an entry matches; says for each entry, by index, whether it matched any.
std::vector<bool> take_out_allowed(const Allowlist& allowlist, std::vector<Finding>& findings);

enum class Staleness { gone, moved, clean };

struct StaleEntry {
  AllowlistEntry entry;
  Staleness staleness = Staleness::gone;
  std::string moved_to;  // where it is moved
};

// What is known about the files of an allowlist.
struct Standing {
  std::set<std::string> gone;
  Moves moves;                    // of those that are gone
  std::vector<Finding> findings;  // of the files that are there, at their new paths, with no allowlist
};

std::vector<StaleEntry> stale_entries(const Allowlist& allowlist, const Standing& standing);

// What a lint of the whole tree tells without reading the files of the list, in the order of the file:
// entries that are gone, and those of a class or rule that matched nothing in a file of `read`. `now` and
// `matched` are those of at_new_paths and take_out_allowed.
std::vector<StaleEntry> stale_in_lint(const Allowlist& allowlist, const Standing& standing,
                                      const Allowlist& now, const std::vector<bool>& matched,
                                      const std::set<std::string>& read);

// The list without entries that are gone or clean, with those that moved at their new paths.
Allowlist pruned(const Allowlist& allowlist, const std::vector<StaleEntry>& stale);

// What is wrong with the entry, and the remedy. `profile` is the one that was linted with.
Error explain(const StaleEntry& stale, const std::string& file, const std::string& profile);

// The entry as a finding of stale_allowlist at its line of `file`.
Finding stale_finding(const StaleEntry& stale, const std::string& file, Severity severity,
                      const std::string& profile);

}  // namespace hwsift::lint
