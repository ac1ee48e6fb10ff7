// Three versions of an allowlist, or of its budget, to one; for git's merge driver. The stricter side wins:
//
//   an entry of the base that either side took out   is out, also where the other side changed it
//   an entry that one side added                     stays: that side's tests need it
//   a wider entry beside a narrower one              gives way to the narrower
//   reason, owner, since, the comments at the head   ours, unless only theirs changed
//   a budget                                         the smallest of the two sides
#pragma once

#include <string>

#include "base/result.h"

namespace hwsift::lint {

struct MergeInput {
  std::string bytes;
  std::string file;  // for errors
};

// The text of the result. `name` is the path of the file in the tree, "" where it is not known: its ending
// says the form. An empty base is a file that both sides made. A side that cannot be read is an error with
// its place.
Result<std::string> merge_allowlists(const MergeInput& base, const MergeInput& ours, const MergeInput& theirs,
                                     const std::string& name);

}  // namespace hwsift::lint
