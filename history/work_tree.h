// The files of a work tree by git's names of their contents, and what git says about where it stands.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/disk.h"
#include "base/repository.h"
#include "history/ruler.h"
#include "history/timeline.h"

namespace hwsift::history {

// Each file is read once.
class WorkTree {
 public:
  WorkTree(Disk& disk, std::string root) : disk_(disk), root_(std::move(root)) {}

  // git's name of what the file holds; "" where it is not there, or cannot be read.
  std::string blob_of(const std::string& path);
  // The test files, with the names of their contents.
  const std::map<std::string, std::string>& test_files(const Ruler& ruler);

 private:
  std::map<std::string, std::string> read_test_files(const Ruler& ruler);
  std::string hash_of(const std::string& path) const;

  Disk& disk_;
  std::string root_;
  std::map<std::string, std::string> blobs_;
  std::optional<std::map<std::string, std::string>> test_files_;
};

// HEAD, as a work tree stands to it.
struct Head {
  std::string commit;  // "" outside of git, or before the first commit
  std::string date;
  bool changed = false;            // the work tree's test files or its allowlist are not those of that commit
  std::vector<std::string> notes;  // what a reader of the timeline must know
};

// Takes from the timeline what was measured on another branch: what comes after the last commit that HEAD has
// behind it.
Head compare_with_head(const std::string& root, WorkTree& work, const Ruler& ruler, Timeline& timeline);

}  // namespace hwsift::history
