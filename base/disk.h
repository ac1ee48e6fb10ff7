// The file system as hwsift needs it: one interface, the real disk behind it, an in-memory fake in the tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace hwsift {

struct FileInfo {
  enum class Kind { file, directory, other };  // links are followed
  Kind kind = Kind::other;
  bool link = false;         // the path itself is a symbolic link
  std::uint64_t size = 0;    // bytes
  std::uint64_t device = 0;  // device and inode together name a file whatever its path is
  std::uint64_t inode = 0;
  // Nanoseconds since 1970: when the bytes changed last, when the file itself did (a new name or mode counts,
  // and nobody can set it back), and when all this was asked.
  std::int64_t modified = 0;
  std::int64_t changed = 0;
  std::int64_t asked = 0;
};

// What a folder says of a name in it, without a look at what that leads to.
struct FolderEntry {
  enum class Kind { file, directory, unknown };  // unknown: a link, something else, or the disk does not tell
  std::string name;
  Kind kind = Kind::unknown;
};

class Disk {
 public:
  virtual ~Disk() = default;

  // What a path leads to; an error where it leads nowhere (missing, dangling link, no permission).
  virtual Result<FileInfo> info(const std::string& path) = 0;
  // All bytes of a file or pipe; an error when there are more than max_bytes (nothing beyond them is kept).
  virtual Result<std::string> read(const std::string& path, std::size_t max_bytes) = 0;
  // Names in a folder, sorted by byte value, without "." and "..".
  virtual Result<std::vector<std::string>> list(const std::string& path) = 0;
  // The same with what is known of each.
  virtual Result<std::vector<FolderEntry>> entries(const std::string& path);
  // Puts bytes there: through a temporary name and a rename; what exists and is no regular file is written in
  // place.
  virtual Status write(const std::string& path, const std::string& bytes) = 0;
  // Makes a folder and those above it; one that is there is fine.
  virtual Status make_folders(const std::string& path) = 0;
};

Disk& real_disk();

// Paths as text, always with '/'. `join("", x)` and `join(x, "")` are x.
std::string join_path(const std::string& folder, const std::string& name);
// Without ".", "..", doubled and trailing slashes; purely textual. "" becomes ".".
std::string normal_path(const std::string& path);
std::string absolute_path(const std::string& path);
// `path` as seen from `folder`, both absolute and normal; `path` itself where it is not below `folder`.
std::string path_below(const std::string& path, const std::string& folder);
std::string folder_of(const std::string& path);  // "" for a bare name, "/" for "/x"
std::string base_name(const std::string& path);

}  // namespace hwsift
