// What each commit of a timeline did to the numbers that are to go down, and who did it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "history/measure.h"
#include "history/timeline.h"

namespace hwsift::history {

// Something that one commit did to one number.
struct Change {
  enum class What {
    labelled,        // a class got its label
    label_lost,      // a class lost it
    new_unlabelled,  // a class came without one
    deleted,         // a class that had none went away
    listed,          // an entry came to the allowlist
    unlisted,        // an entry left it
    uses_added,
    uses_removed,
  };
  What what = What::labelled;
  std::size_t commit = 0;  // into Timeline::commits
  std::string path;
  std::string cls;  // "" for what is about a file
  long long amount = 1;
  bool back = false;  // it undoes what had been reached: a label, an entry that had left, no uses at all
};
const char* word(Change::What what);  // "new_unlabelled"
bool adds(Change::What what);

// The numbers after a commit, and what it did to them. Where another ruler measured from here on, the numbers
// differ and nothing is said to have changed them.
struct CommitEffect {
  Tally tally;
  std::vector<Change> changes;  // by path
};

// One a commit. A class that moves to another file with its name, in one commit, is the same class.
std::vector<CommitEffect> effects_of(const Timeline& timeline);

}  // namespace hwsift::history
