#include "base/disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>

namespace hwsift {
namespace {

std::string reason(int number) { return std::generic_category().message(number); }

std::string remedy(int number) {
  switch (number) {
    case ENOENT:
      return "check the spelling of the path";
    case EACCES:
    case EPERM:
      return "check its permissions";
    case EISDIR:
      return "name a file";
    case ENOTDIR:
      return "a part of the path is not a folder";
    case ENOSPC:
      return "free some disk space";
    case EROFS:
      return "the file system is read-only; name another place";
    default:
      return "";
  }
}

Error io_error(const std::string& path, const std::string& doing, int number) {
  return {path, "cannot " + doing + ": " + reason(number), remedy(number)};
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int number() const { return number_; }
  bool close() {
    if (number_ < 0) return true;
    bool fine = ::close(number_) == 0;
    number_ = -1;
    return fine;
  }

 private:
  int number_;
};

bool write_all(int descriptor, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    ssize_t n = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

Status write_in_place(const std::string& path, const std::string& bytes) {
  Descriptor out(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (out.number() < 0) return io_error(path, "open for writing", errno);
  if (!write_all(out.number(), bytes)) return io_error(path, "write", errno);
  return {};
}

// The new file keeps the mode of the one it replaces, so that a script stays executable.
Status write_through_rename(const std::string& path, const std::string& bytes, mode_t mode) {
  std::string temporary = path + ".XXXXXX";
  Descriptor out(::mkstemp(temporary.data()));
  if (out.number() < 0) return io_error(path, "create a file beside", errno);
  bool written = write_all(out.number(), bytes) && ::fchmod(out.number(), mode) == 0 && out.close();
  if (written && ::rename(temporary.c_str(), path.c_str()) == 0) return {};
  int number = errno;
  ::unlink(temporary.c_str());
  return io_error(path, "write", number);
}

mode_t default_mode() {
  mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

FolderEntry::Kind kind_of(unsigned char type) {
  if (type == DT_REG) return FolderEntry::Kind::file;
  return type == DT_DIR ? FolderEntry::Kind::directory : FolderEntry::Kind::unknown;
}

std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1000000000 + time.tv_nsec;
}

std::int64_t nanoseconds_now() {
  timespec now{};
  std::timespec_get(&now, TIME_UTC);
  return nanoseconds(now);
}

class RealDisk : public Disk {
 public:
  Result<FileInfo> info(const std::string& path) override {
    struct stat found {};
    FileInfo info;
    info.asked = nanoseconds_now();
    // Most are no links, and are asked for once.
    if (::lstat(path.c_str(), &found) != 0) return io_error(path, "find", errno);
    info.link = S_ISLNK(found.st_mode);
    if (info.link && ::stat(path.c_str(), &found) != 0) return io_error(path, "find", errno);
    if (S_ISREG(found.st_mode)) info.kind = FileInfo::Kind::file;
    if (S_ISDIR(found.st_mode)) info.kind = FileInfo::Kind::directory;
    info.size = static_cast<std::uint64_t>(found.st_size);
    info.device = found.st_dev;
    info.inode = found.st_ino;
    info.modified = nanoseconds(found.st_mtim);
    info.changed = nanoseconds(found.st_ctim);
    return info;
  }

  Result<std::string> read(const std::string& path, std::size_t max_bytes) override {
    Descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (in.number() < 0) return io_error(path, "open", errno);
    struct stat found {};
    if (::fstat(in.number(), &found) == 0 && S_ISDIR(found.st_mode)) return io_error(path, "read", EISDIR);
    constexpr std::size_t kChunk = 1 << 16;
    std::string bytes;
    bytes.reserve(std::min(static_cast<std::size_t>(found.st_size), max_bytes) + 1);
    while (true) {
      std::size_t size = bytes.size();
      bytes.resize(size < bytes.capacity() ? bytes.capacity() : size + kChunk);
      ssize_t n = ::read(in.number(), bytes.data() + size, bytes.size() - size);
      int number = errno;
      bytes.resize(size + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
      if (n < 0 && number == EINTR) continue;
      if (n < 0) return io_error(path, "read", number);
      if (n == 0) return bytes;
      if (bytes.size() > max_bytes)
        return Error{path, "larger than " + std::to_string(max_bytes) + " bytes", ""};
    }
  }

  Result<std::vector<std::string>> list(const std::string& path) override {
    Result<std::vector<FolderEntry>> found = entries(path);
    if (!found.ok()) return found.error();
    std::vector<std::string> names;
    for (FolderEntry& entry : *found) names.push_back(std::move(entry.name));
    return names;
  }

  Result<std::vector<FolderEntry>> entries(const std::string& path) override {
    DIR* folder = ::opendir(path.c_str());
    if (folder == nullptr) return io_error(path, "list", errno);
    std::vector<FolderEntry> found;
    while (const dirent* entry = ::readdir(folder)) {
      std::string name = entry->d_name;
      if (name != "." && name != "..") found.push_back({std::move(name), kind_of(entry->d_type)});
    }
    ::closedir(folder);
    std::sort(found.begin(), found.end(),
              [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
    return found;
  }

  Status write(const std::string& path, const std::string& bytes) override {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) return write_through_rename(path, bytes, default_mode());
    if (S_ISDIR(found.st_mode)) return io_error(path, "write", EISDIR);
    if (!S_ISREG(found.st_mode)) return write_in_place(path, bytes);
    // A link stays a link: the file it leads to is replaced.
    std::error_code ignored;
    std::string target = std::filesystem::canonical(path, ignored).string();
    return write_through_rename(target.empty() ? path : target, bytes, found.st_mode & 07777);
  }

  Status make_folders(const std::string& path) override {
    std::error_code failure;
    std::filesystem::create_directories(path, failure);
    if (failure) return io_error(path, "make the folder", failure.value());
    return {};
  }
};

}  // namespace

Result<std::vector<FolderEntry>> Disk::entries(const std::string& path) {
  Result<std::vector<std::string>> names = list(path);
  if (!names.ok()) return names.error();
  std::vector<FolderEntry> found;
  for (std::string& name : *names) found.push_back({std::move(name), FolderEntry::Kind::unknown});
  return found;
}

Disk& real_disk() {
  static RealDisk disk;
  return disk;
}

std::string join_path(const std::string& folder, const std::string& name) {
  if (folder.empty() || name.empty()) return folder + name;
  return folder.back() == '/' ? folder + name : folder + "/" + name;
}

std::string normal_path(const std::string& path) {
  std::string text = std::filesystem::path(path).lexically_normal().generic_string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text.empty() ? "." : text;
}

std::string absolute_path(const std::string& path) {
  if (!path.empty() && path.front() == '/') return normal_path(path);
  std::error_code failure;
  std::string here = std::filesystem::current_path(failure).generic_string();
  return normal_path(join_path(here, path));
}

std::string path_below(const std::string& path, const std::string& folder) {
  std::string prefix = folder == "/" ? "/" : folder + "/";
  return path.compare(0, prefix.size(), prefix) == 0 ? path.substr(prefix.size()) : path;
}

std::string folder_of(const std::string& path) {
  std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return "";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string base_name(const std::string& path) {
  std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace hwsift
