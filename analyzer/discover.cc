#include "analyzer/discover.h"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include "base/text.h"

namespace hwsift::analyzer {
namespace {

constexpr std::size_t kMaxListBytes = 64u << 20;

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool is_python(const std::string& path) { return ends_with(path, ".py"); }

bool is_in(const Languages& languages, const std::string& path) {
  return (languages.python && is_python(path)) || (languages.cpp && is_cxx_file(path));
}

// Walks a folder. Real folders come first; a link to a folder is followed only where that folder was not read
// yet, so that a circle ends and no file is found twice.
class Walker {
 public:
  Walker(Disk& disk, const Languages& languages, std::vector<Error>& skipped)
      : disk_(disk), languages_(languages), skipped_(skipped) {}

  std::vector<std::string> files_of(const std::string& folder) {
    enter(folder);
    while (!links_.empty()) {
      std::string link = links_.front();
      links_.pop_front();
      enter(link);
    }
    return std::move(found_);
  }

 private:
  void enter(const std::string& folder) {
    Result<FileInfo> info = disk_.info(folder);
    if (!info.ok()) return skipped_.push_back(info.error());
    if (!seen_.insert({info->device, info->inode}).second) return;
    std::deque<std::string> open{folder};
    while (!open.empty()) {
      std::string here = open.front();
      open.pop_front();
      Result<std::vector<FolderEntry>> entries = disk_.entries(here);
      if (!entries.ok()) {
        skipped_.push_back(entries.error());
        continue;
      }
      for (const FolderEntry& entry : *entries) look_at(here, entry, open);
    }
  }

  void look_at(const std::string& folder, const FolderEntry& entry, std::deque<std::string>& open) {
    const std::string& name = entry.name;
    if (is_passed_by(name)) return;
    bool is_file = entry.kind == FolderEntry::Kind::file;
    if (is_file && !is_in(languages_, name)) return;
    std::string path = join_path(folder, name);
    if (is_file) return found_.push_back(std::move(path));
    Result<FileInfo> info = disk_.info(path);
    if (!info.ok() || info->kind == FileInfo::Kind::file) {
      // A link that leads nowhere is a file that cannot be read, as reading it will tell.
      if (is_in(languages_, name)) found_.push_back(path);
    } else if (info->kind == FileInfo::Kind::directory) {
      if (info->link) {
        links_.push_back(path);
      } else if (seen_.insert({info->device, info->inode}).second) {
        open.push_back(path);
      }
    }
  }

  Disk& disk_;
  const Languages& languages_;
  std::vector<Error>& skipped_;
  std::vector<std::string> found_;
  std::deque<std::string> links_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen_;
};

// The lines of "@FILE".
Result<std::vector<std::string>> read_list(Disk& disk, const std::string& file) {
  Result<std::string> bytes = disk.read(file, kMaxListBytes);
  if (!bytes.ok()) return bytes.error();
  std::vector<std::string> paths;
  for (const std::string& line : split(*bytes, '\n')) {
    std::string path(!line.empty() && line.back() == '\r' ? line.substr(0, line.size() - 1) : line);
    if (!path.empty()) paths.push_back(path);
  }
  return paths;
}

Result<std::vector<std::string>> expand_lists(Disk& disk, const std::string& folder,
                                              const std::vector<std::string>& given) {
  std::vector<std::string> paths;
  for (const std::string& path : given) {
    if (path.empty() || path.front() != '@') {
      paths.push_back(path);
      continue;
    }
    Result<std::vector<std::string>> listed = read_list(disk, normal_path(join_path(folder, path.substr(1))));
    if (path.size() > 1 && path[1] == '/') listed = read_list(disk, path.substr(1));
    if (!listed.ok()) return listed.error();
    paths.insert(paths.end(), listed->begin(), listed->end());
  }
  return paths;
}

// Where a named path is: as it stands when absolute, else in the working folder, else in the tree.
std::string locate(Disk& disk, const std::string& tree, const std::string& folder, const std::string& path) {
  if (path.front() == '/') return normal_path(path);
  std::string here = normal_path(join_path(folder, path));
  if (disk.info(here).ok()) return here;
  std::string in_tree = normal_path(join_path(tree, path));
  return disk.info(in_tree).ok() ? in_tree : here;
}

void add_named(Disk& disk, const std::string& tree, const std::string& folder, const std::string& given,
               const Languages& languages, Discovery& discovery) {
  if (given.empty()) return discovery.missing.push_back({"''", "an empty path", "name a file or folder"});
  std::string absolute = locate(disk, tree, folder, given);
  Result<FileInfo> info = disk.info(absolute);
  if (!info.ok()) {
    Error error = info.error();
    error.where = given;
    return discovery.missing.push_back(error);
  }
  if (info->kind != FileInfo::Kind::directory)
    return discovery.files.push_back({path_below(absolute, tree), absolute, given, true});
  for (const std::string& file : Walker(disk, languages, discovery.skipped).files_of(absolute))
    discovery.files.push_back({path_below(file, tree), file, file});
}

void sort_and_drop_doubles(std::vector<SourcePath>& files) {
  std::stable_sort(files.begin(), files.end(),
                   [](const SourcePath& a, const SourcePath& b) { return a.path < b.path; });
  auto same = [](const SourcePath& a, const SourcePath& b) { return a.path == b.path; };
  files.erase(std::unique(files.begin(), files.end(), same), files.end());
}

}  // namespace

bool is_test_file(const std::string& path) {
  std::string name = base_name(path);
  return is_python(name) && (name.compare(0, 5, "test_") == 0 || ends_with(name, "_test.py"));
}

bool is_passed_by(std::string_view name) { return name.starts_with('.') || name == "__pycache__"; }

bool lies_passed_by(const std::string& path) {
  std::vector<std::string> parts = split(path, '/');
  return std::any_of(parts.begin(), parts.end(), is_passed_by);
}

bool is_cxx_file(const std::string& path) {
  constexpr std::string_view kEndings[] = {".cpp", ".cc", ".cxx", ".cu",  ".mm", ".hip",
                                           ".h",   ".hh", ".hpp", ".hxx", ".cuh"};
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](std::string_view ending) { return ends_with(path, ending); });
}

Result<std::string> find_tree(Disk& disk, const std::string& start) {
  std::string first = absolute_path(start.empty() ? "." : start);
  Result<FileInfo> named = disk.info(first);
  if (!named.ok()) return named.error();
  if (named->kind != FileInfo::Kind::directory) return Error{first, "not a folder", "-C takes a folder"};
  for (std::string folder = first;; folder = folder_of(folder)) {
    Result<FileInfo> test = disk.info(join_path(folder, "test"));
    if (test.ok() && test->kind == FileInfo::Kind::directory) return folder;
    if (folder == "/") break;
  }
  if (!start.empty()) return first;
  return Error{first, "no folder from here upward has a test/ folder",
               "run in a checkout or name one with -C DIR"};
}

Result<Discovery> discover(Disk& disk, const std::string& tree, const std::string& working_folder,
                           const std::vector<std::string>& paths, const Languages& by_default) {
  Discovery discovery;
  Result<std::vector<std::string>> expanded = expand_lists(disk, working_folder, paths);
  if (!expanded.ok()) return expanded.error();
  if (paths.empty()) {
    std::string tests = join_path(tree, "test");
    if (!disk.info(tests).ok())
      return Error{tree, "has no test/ folder", "name the files or folders to read"};
    expanded->push_back(tests);
  }
  const Languages& languages = paths.empty() ? by_default : kEveryLanguage;
  for (const std::string& path : *expanded) add_named(disk, tree, working_folder, path, languages, discovery);
  sort_and_drop_doubles(discovery.files);
  return discovery;
}

}  // namespace hwsift::analyzer
