// Commits of a git repository, read straight from its object database: nothing is checked out, no program is
// started, nothing is written. The only user of libgit2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/disk.h"
#include "base/result.h"

struct git_repository;
struct git_tree;
struct git_tree_entry;

namespace hwsift {

struct CommitFacts {
  std::string hash;       // hexadecimal
  std::int64_t time = 0;  // of the committer, seconds since 1970 in UTC
  std::string author;     // name, without the address
  std::string subject;    // first line of the message
  std::string parent;     // the first one; "" where it has none
};

// From a commit back along first parents.
struct FirstParents {
  enum class End {
    reached,  // the commit that was asked for
    root,     // the first commit of the repository
    shallow,  // the clone holds no older commits
  };
  std::vector<CommitFacts> commits;  // newest first
  End end = End::reached;
};

// A file that differs between two commits. Hashes are git's names of the contents, "" where there is no file.
// Links and submodules are no files.
struct FileChange {
  std::string path;  // relative to the folder that was opened
  std::string before;
  std::string after;
  std::string moved_from;  // the path that this file had in the older commit; "" where it is no rename
};

// Safe to use from many threads.
class Repository {
 public:
  // The repository that `folder` lies in; paths are relative to that folder then. Repositories of another
  // owner, which git would not trust, are refused.
  static Result<Repository> open(const std::string& folder);

  // The commit that a revision names ("main~3", a tag, a hash); nullopt where this clone has none of that
  // name.
  Result<std::optional<std::string>> find_commit(const std::string& revision) const;
  bool is_shallow() const { return !boundary_.empty(); }
  // Whether the clone lacks the parents that this commit has.
  bool is_cut(const std::string& hash) const;
  // From `newest` to the first for which `is_last` holds, both included, or to where there is no parent any
  // more.
  Result<FirstParents> first_parents(const std::string& newest,
                                     const std::function<bool(const std::string& hash)>& is_last) const;
  // What differs, sorted by path. "" as `older` means a commit without files. Renames are told among files
  // whose names end in `renames_of`.
  Result<std::vector<FileChange>> changes(const std::string& older, const std::string& newer,
                                          const std::string& renames_of) const;

 private:
  friend class CommitDisk;
  struct Close {
    void operator()(git_repository* handle) const;
  };
  struct CloseTree {
    void operator()(git_tree* tree) const;
  };
  using Tree = std::unique_ptr<git_tree, CloseTree>;

  Repository(std::string folder, git_repository* handle);
  Error failure(const std::string& where, const std::string& doing) const;
  Result<CommitFacts> facts_of(const std::string& hash) const;
  Result<Tree> tree_of(const std::string& commit) const;  // of the whole repository

  std::string folder_;
  std::string prefix_;                 // of the folder in the repository, with a slash at its end, or ""
  std::vector<std::string> boundary_;  // commits whose parents a shallow clone lacks, sorted
  std::unique_ptr<git_repository, Close> handle_;
  std::unique_ptr<std::mutex> mutex_;
};

// The files of a commit as a disk that cannot be written: "/test/test_a.py" is that path below the folder
// that the repository was opened for. Links and submodules are `other`.
class CommitDisk : public Disk {
 public:
  // A few objects of a repository may make any number of paths: to list more names of a commit than these
  // fails.
  static constexpr std::size_t kMostNames = 500'000;
  explicit CommitDisk(const Repository& repository, std::size_t most_names = kMostNames)
      : repository_(repository), most_names_(most_names) {}

  // Shows another commit from here on. Not while others read.
  Status show(const std::string& commit);
  // git's name of a file's content; "" where there is no file.
  std::string blob_of(const std::string& path);
  // Why a file or folder of the commit could not be read though git names it (a partial clone, a damaged
  // object): the first such reason since the last call. What was read of this disk is not to be trusted then.
  std::optional<Error> take_failure();
  bool has_failed();
  // A content by its name.
  Result<std::string> read_blob(const std::string& hash, std::size_t max_bytes);

  Result<FileInfo> info(const std::string& path) override;
  Result<std::string> read(const std::string& path, std::size_t max_bytes) override;
  Result<std::vector<std::string>> list(const std::string& path) override;
  Status write(const std::string& path, const std::string& bytes) override;
  Status make_folders(const std::string& path) override;

 private:
  struct Found {
    FileInfo::Kind kind = FileInfo::Kind::other;
    std::string hash;
  };
  std::optional<Found> find(const std::string& path);
  git_tree* tree_in(const std::string& folder);
  Result<std::vector<std::string>> names_in(const std::string& path, const std::string& hash);
  Error fail(const std::string& path, Error error);

  const Repository& repository_;
  std::size_t most_names_;
  std::size_t names_ = 0;  // listed of the commit that is shown
  Repository::Tree tree_;
  std::map<std::string, Repository::Tree> folders_;  // below tree_, of the commit that is shown
  std::mutex failure_mutex_;
  std::optional<Error> failure_;
};

// git's name of a content: what it would be called in a repository.
std::string blob_hash(const std::string& bytes);

}  // namespace hwsift
