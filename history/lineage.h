// Which versions are of one file, whatever it was called: a file that was renamed stays the same file, and so
// does one that was deleted and came back to its place.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "history/timeline.h"

namespace hwsift::history {

inline constexpr std::size_t kNoFile = static_cast<std::size_t>(-1);

struct Lineage {
  std::size_t files = 0;
  // File of each version, from 0. kNoFile where the version says only that a renamed file left its old path.
  std::vector<std::size_t> of_version;
  std::map<std::string, std::size_t> last_named;  // by path: the last file that had it
};

Lineage lineage_of(const Timeline& timeline);

}  // namespace hwsift::history
