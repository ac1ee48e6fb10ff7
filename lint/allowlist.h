// Files that may still break rules. Upstream's form: a sorted flat JSON array of paths relative to the tree.
#pragma once

#include <set>
#include <string>

#include "base/disk.h"
#include "base/result.h"

namespace hwsift::lint {

struct Allowlist {
  std::set<std::string> paths;  // relative to the tree, '/'
  bool allows(const std::string& path) const { return paths.count(path) > 0; }
};

// Errors name file, line and column. A path that is absolute, leaves the tree or is not normal is an error:
// it would never match.
Result<Allowlist> parse_allowlist(const std::string& bytes, const std::string& file);
Result<Allowlist> load_allowlist(Disk& disk, const std::string& file);
// The text of the file, one path a line, ending in a line feed.
std::string to_json_text(const Allowlist& allowlist);

}  // namespace hwsift::lint
