// From what the user names to the files to read: the tree, the default paths, folders, lists of paths.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/disk.h"
#include "base/result.h"

namespace hwsift::analyzer {

struct SourcePath {
  std::string path;      // relative to the tree with '/', absolute when outside it
  std::string absolute;  // to open it
  std::string given;   // as the user wrote it (lintrunner wants it back); equal to absolute for default paths
  bool named = false;  // by itself, not found in a folder
};

struct Discovery {
  std::vector<SourcePath> files;  // sorted by path, each file once
  std::vector<Error> missing;     // named paths that are not there
  std::vector<Error> skipped;     // folders that cannot be listed
};

// The nearest folder from `start` upward that holds a test/ folder.
Result<std::string> find_tree(Disk& disk, const std::string& start);

struct Languages {
  bool python = true;
  bool cpp = false;
};
inline constexpr Languages kEveryLanguage{true, true};

// `paths` are relative to `working_folder`, or to the tree where they are not there; "@FILE" reads more from
// a file, one a line. A folder stands for its files of every language. Empty: those under test/ of the
// languages in `by_default`.
Result<Discovery> discover(Disk& disk, const std::string& tree, const std::string& working_folder,
                           const std::vector<std::string>& paths, const Languages& by_default = {});

// Whether folders are searched without it: a hidden file or folder, or Python's cache.
bool is_passed_by(std::string_view name);
// The same of a path, some part of which is such a name.
bool lies_passed_by(const std::string& path);

// .cpp, .cc, .cxx, .cu, .mm, .hip, and their headers, in which tests may stand too.
bool is_cxx_file(const std::string& path);

// test_*.py or *_test.py.
bool is_test_file(const std::string& path);

}  // namespace hwsift::analyzer
