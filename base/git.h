// What git knows about a folder: what changed, what was renamed, how a file was. git runs as a process, never
// through a shell; nothing here writes to the repository.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/process.h"
#include "base/result.h"

namespace hwsift {

// Paths that go in and come out are relative to `folder`, which lies anywhere in a working tree; what is not
// below it is left out. Names are bytes: a line feed or invalid UTF-8 in one does no harm.
struct Git {
  Processes& processes;
  std::string folder;
};

// Both are part of it; 1-based.
struct LineRange {
  int first = 0;
  int last = 0;
  friend bool operator==(const LineRange&, const LineRange&) = default;
};

using ChangedLines = std::map<std::string, std::vector<LineRange>>;

// Whether the folder is in a repository that git may use; false also where there is no git.
Result<bool> in_repository(const Git& git);

// The files that differ from where HEAD left `base` (their merge base): committed, staged, unstaged and
// untracked ones, sorted. A renamed file has its new path; one that is gone is left out.
Result<std::vector<std::string>> changed_files(const Git& git, const std::string& base);

// The lines of each changed file that are new or different. Where lines were taken out, those beside the gap
// count. An untracked file counts as a whole; one that was only renamed has no lines.
Result<ChangedLines> changed_lines(const Git& git, const std::string& base);

// Where those of `paths` went that are gone: by renames that are not committed, and by those of the commit
// that took a path away, followed from name to name. A path that git cannot tell is left out.
Result<std::map<std::string, std::string>> renamed(const Git& git, const std::vector<std::string>& paths);

// A file as it is at `ref`; nothing where that commit has no such file.
Result<std::optional<std::string>> content_at(const Git& git, const std::string& ref,
                                              const std::string& path);

// The changed lines of a patch that `git diff -U0` wrote with prefixes a/ and b/.
ChangedLines lines_of_patch(const std::string& patch);

}  // namespace hwsift
