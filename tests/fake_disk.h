// A file system in memory, for tests.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/disk.h"

namespace hwsift {

class FakeDisk : public Disk {
 public:
  std::map<std::string, std::string> files;  // absolute path to bytes; folders are implied
  std::set<std::string> unreadable;          // paths whose read or list fails
  std::set<std::string> unwritable;

  Result<FileInfo> info(const std::string& path) override {
    FileInfo info;
    if (auto found = files.find(path); found != files.end()) {
      info.kind = FileInfo::Kind::file;
      info.size = found->second.size();
      info.inode = static_cast<std::uint64_t>(std::distance(files.begin(), found)) + 1;
      return info;
    }
    if (!is_folder(path))
      return Error{path, "cannot find: No such file or directory", "check the spelling of the path"};
    info.kind = FileInfo::Kind::directory;
    info.inode = 1000000 + std::hash<std::string>()(path) % 1000000;
    return info;
  }

  Result<std::string> read(const std::string& path, std::size_t max_bytes) override {
    if (unreadable.count(path)) return Error{path, "cannot open: Permission denied", "check its permissions"};
    auto found = files.find(path);
    if (found == files.end())
      return Error{path, "cannot open: No such file or directory", "check the spelling of the path"};
    if (found->second.size() > max_bytes)
      return Error{path, "larger than " + std::to_string(max_bytes) + " bytes", ""};
    return found->second;
  }

  Result<std::vector<std::string>> list(const std::string& path) override {
    if (unreadable.count(path)) return Error{path, "cannot list: Permission denied", "check its permissions"};
    std::set<std::string> names;
    std::string prefix = path == "/" ? "/" : path + "/";
    for (const auto& [name, bytes] : files)
      if (name.compare(0, prefix.size(), prefix) == 0)
        names.insert(name.substr(prefix.size(), name.find('/', prefix.size()) - prefix.size()));
    return std::vector<std::string>(names.begin(), names.end());
  }

  Status write(const std::string& path, const std::string& bytes) override {
    if (unwritable.count(path))
      return Error{path, "cannot write: Permission denied", "check its permissions"};
    files[path] = bytes;
    return {};
  }

  Status make_folders(const std::string&) override { return {}; }

 private:
  bool is_folder(const std::string& path) const {
    std::string prefix = path == "/" ? "/" : path + "/";
    auto next = files.lower_bound(prefix);
    return next != files.end() && next->first.compare(0, prefix.size(), prefix) == 0;
  }
};

}  // namespace hwsift
