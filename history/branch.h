// Which commits git can show of the branch that is checked out.
#pragma once

#include <string>
#include <vector>

#include "base/repository.h"

namespace hwsift::history {

// The line of first parents, from HEAD back to the commit that was asked for or as far as the clone reaches.
struct Branch {
  std::vector<CommitFacts> newest_first;
  bool reaches_back = true;  // to that commit, or to the first one of the repository
  std::string begins;        // why nothing older is known; "" where what was known of that still holds
  std::string note;          // what the user must know; ""
};

// `from`: a revision. An error where git knows none of that name (and no shallow clone explains that), or
// where it is not on the line.
Result<Branch> read_branch(const Repository& repository, const std::string& from);

}  // namespace hwsift::history
