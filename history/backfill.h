// Walks a line of commits and tells what each did to the test files.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/repository.h"
#include "history/census.h"
#include "history/line.h"
#include "history/ruler.h"
#include "history/timeline.h"

namespace hwsift::history {

// What one commit did. Only for the time of the call that gets it.
struct CommitRecord {
  Commit commit;
  Tally tally;
  std::vector<CensusStep> steps;
  std::vector<AllowlistStep> allowlist;  // their `commit` means nothing here
};

// What is walked, and what measures it: the disk is that which the census measures.
struct BackfillSource {
  const Repository& repository;
  CommitDisk& disk;
  const Ruler& ruler;
  Census& census;
};

struct BackfillState {
  std::string commit;            // the last one that is known; "" for none
  bool gap = false;              // and it is not in this clone
  std::optional<Listed> listed;  // its allowlist
};

// Where `record` has an error, so has the walk. `progress` is told before each commit how many are done.
struct BackfillListener {
  std::function<Status(CommitRecord&)> record;
  std::function<void(std::size_t done, const LineCommit& next)> progress;
};

// Commits that change nothing and are no points are not recorded. What of an allowlist cannot be read is told
// in `notes`, once a content.
Status backfill(const BackfillSource& source, BackfillState state, const std::vector<LineCommit>& todo,
                const BackfillListener& listener, std::vector<std::string>& notes);

// The test files of a state, with the names of their contents.
std::map<std::string, std::string> test_files(CommitDisk& disk, const Ruler& ruler);

// The entries of an allowlist; an error where it is broken.
Result<Listed> read_listed(const std::string& bytes, const std::string& file);

}  // namespace hwsift::history
