// Which commits of a branch are measured, and what becomes of those that a database has already.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/repository.h"
#include "history/timeline.h"

namespace hwsift::history {

enum class Every { week, commit };
const char* word(Every every);
std::optional<Every> every_of(std::string_view word);

// A commit of the line, to be measured.
struct LineCommit {
  CommitFacts facts;
  bool point = false;
  bool as_oldest = false;  // a point only since nothing older is known
};

// The points of a line (newest first, as git tells it) are its newest and its oldest commit, and with
// Every::week the last commit of each week (Monday to Sunday, UTC) that has one. A clock that ran backwards
// makes no second point of a week. Oldest first.
std::vector<LineCommit> with_points(const std::vector<CommitFacts>& newest_first, Every every);

// What the database has of a line: oldest first.
struct StoredCommit {
  long long position = 0;
  std::string hash;
  std::string date;
  bool current = true;  // measured with the present ruler
};

struct LinePlan {
  enum class Start {
    fresh,    // nothing is there
    append,   // what is there stays, but for what comes after `keep`
    rebuild,  // measured anew, and put in its place when that is done
  };
  Start start = Start::fresh;
  long long keep = 0;         // position of the last commit that stays
  bool keep_is_point = true;  // false: a later commit of its week stands for it now
  std::size_t dropped = 0;    // commits after it, of another branch
  bool gap = false;           // what lies between the commits that stay and those to do is not known
  // Of a rebuild: the position from which on the new line takes the place of the stored one. What is older
  // stays as it was measured, as git does not show it; 0: nothing stays.
  long long joint = 0;
  std::vector<LineCommit> todo;  // oldest first
};

// `line`: oldest first. `reaches_back`: git shows everything that is asked for, and not merely what a shallow
// clone has. `same_choice`: of points and of the allowlist, as the stored line has it.
LinePlan plan_line(const std::vector<StoredCommit>& stored, std::vector<LineCommit> line, bool reaches_back,
                   bool same_choice);

}  // namespace hwsift::history
