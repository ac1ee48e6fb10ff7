// The history of a tree, as far as it was measured: what each commit of one first-parent line did to the test
// files. Everything that a report says about the past is computed from this.
//
//   line     a branch's commits, from one to its first parent, oldest first
//   point    a commit of the line that a report shows as a point of its charts
//   version  what a file came to from a commit on, until its next version
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "history/measure.h"

namespace hwsift::history {

struct Commit {
  std::string hash;  // hexadecimal; "" for the work tree
  std::string date;  // of the committer, in UTC: "2026-03-14T15:09:26Z"
  std::string author;
  std::string subject;
  bool point = false;
  bool gap_before = false;  // commits between this one and the one before are not known
  bool other_ruler =
      false;               // measured by another hwsift, or with other rules: its numbers are not comparable
  bool new_ruler = false;  // and not by the one that measured the commit before
  std::optional<long long> allowlisted = std::nullopt;  // entries; nullopt where it has no allowlist
  bool operator==(const Commit&) const = default;
};

// Who made the commit; behind a gap any commit that is not known may have done what it shows.
std::string author_of(const Commit& commit);

using SharedMeasure = std::shared_ptr<const FileMeasure>;

struct Version {
  std::size_t commit = 0;  // into Timeline::commits
  std::string path;
  SharedMeasure measure;   // nullptr: from here on the file is not there
  std::string moved_from;  // the path that the file had before this commit; "" where it was not renamed
};

// An entry that an allowlist gained or lost.
struct AllowlistStep {
  std::size_t commit = 0;
  std::string entry;       // the entry's name: its path, with class and rule where it has them
  std::string path;        // of the test file
  bool whole_file = true;  // takes out the whole file
  bool added = true;
};

// An entry of an allowlist, by name.
struct ListedEntry {
  std::string path;
  bool whole_file = true;
};
using Listed = std::map<std::string, ListedEntry>;

struct Timeline {
  std::vector<Commit> commits;           // oldest first
  std::vector<Version> versions;         // by commit, then path; the first commit has one for each file
  std::vector<AllowlistStep> allowlist;  // by commit, then entry; those of the first commit stood in it then
  std::string allowlist_file;            // relative to the tree; "" where no allowlist was looked for
  std::string begins;                    // why nothing older is known: "the clone is shallow"

  bool empty() const { return commits.empty(); }
  // Of the current moment: by path.
  std::map<std::string, SharedMeasure> files() const;
  Listed listed() const;
};

// Forgets what comes after a commit.
void cut_after(Timeline& timeline, std::size_t commit);
// Adds the work tree as the last commit, without a hash, where it differs from the end of the timeline.
// `listed`: nullopt for a tree without an allowlist. A `date` before the last commit's, of a clock that is
// set otherwise, counts as that.
void add_work_tree(Timeline& timeline, const std::map<std::string, SharedMeasure>& files,
                   const std::optional<Listed>& listed, const std::string& date);

// What an allowlist lost and gained; `commit` of each is 0.
std::vector<AllowlistStep> steps_between(const Listed& before, const Listed& after);

}  // namespace hwsift::history
