// What may still break rules. Two forms of file, told apart by name, else by content:
//
//   JSON  upstream's: a sorted flat array of paths relative to the tree
//   YAML  a list of entries {path, class, rule, reason, owner, since}; path and reason are needed
//
// An entry with neither class nor rule takes out the whole file, which is then not read. One with a class, a
// rule or both takes out the findings that match.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/disk.h"
#include "base/result.h"
#include "lint/finding.h"

namespace hwsift::lint {

struct AllowlistEntry {
  std::string path;    // relative to the tree, '/'
  std::string cls;     // "" is any
  std::string rule;    // "" is any
  std::string reason;  // "" in the JSON form
  std::string owner;
  std::string since;  // "2026-03-14"
  int line = 0;       // where it stands in the file, 1-based; 0 for one that is in none yet
  int col = 0;

  bool whole_file() const { return cls.empty() && rule.empty(); }
  bool matches(const Finding& finding) const;
  // "test/test_a.py", "test/test_a.py (class TestA, rule only_for)"
  std::string name() const;
};

// The order of a file: by path, class, rule.
bool operator<(const AllowlistEntry& a, const AllowlistEntry& b);
// Whether both are about the same, whatever their reasons are.
bool same_subject(const AllowlistEntry& a, const AllowlistEntry& b);

enum class AllowlistForm { json, yaml };

struct Allowlist {
  AllowlistForm form = AllowlistForm::json;
  std::vector<AllowlistEntry> entries;  // in order; none covers another
  std::string head;                     // comments before the first entry, which writing keeps
  bool comments_below = false;          // further comments, which writing loses

  // Whether an entry takes out the whole file.
  bool allows(const std::string& path) const;
  std::span<const AllowlistEntry> of(const std::string& path) const;
};

AllowlistForm form_of(const std::string& file, const std::string& bytes);

// Errors name file, line and column. A path that is absolute, leaves the tree or is not normal is an error,
// as it would never match; so is an entry that another one covers.
Result<Allowlist> parse_allowlist(const std::string& bytes, const std::string& file);
Result<Allowlist> parse_allowlist(const std::string& bytes, const std::string& file, AllowlistForm form);
Result<Allowlist> load_allowlist(Disk& disk, const std::string& file);

// Puts an entry in its place; refuses one that cannot be written, is covered, or covers others.
Status insert(Allowlist& allowlist, const AllowlistEntry& entry);

// The one text of an allowlist in its form.
std::string to_text(const Allowlist& allowlist);

}  // namespace hwsift::lint
