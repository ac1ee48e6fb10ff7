#include "base/repository.h"

#include <git2.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace hwsift {
namespace {

constexpr std::size_t kMostLinks = 1u << 20;  // commits of a line
constexpr unsigned kRenameLimit = 400;
constexpr std::size_t kMostChanges = 2'000'000;  // of one commit

// libgit2 counts its users; the first one makes it ready.
void start_library() {
  static const bool started = [] {
    git_libgit2_init();
    // Only read here: what these extensions change is the work tree, or where missing objects come from.
    const char* extensions[] = {"worktreeconfig", "partialclone", "preciousobjects"};
    git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, std::size(extensions));
    git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 1);
    return true;
  }();
  static_cast<void>(started);
}

std::string last_message() {
  const git_error* error = git_error_last();
  return error == nullptr || error->message == nullptr ? "unknown error" : printable(error->message);
}

std::string hex(const git_oid& id) {
  char text[GIT_OID_HEXSZ + 1];
  git_oid_tostr(text, sizeof text, &id);
  return text;
}

std::optional<git_oid> id_of(const std::string& hash) {
  git_oid id;
  if (hash.size() != GIT_OID_HEXSZ || git_oid_fromstr(&id, hash.c_str()) != 0) return std::nullopt;
  return id;
}

// A libgit2 object for the time of a scope.
template <class T, void (*kFree)(T*)>
class Owned {
 public:
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { kFree(value_); }
  T** out() { return &value_; }
  T* get() const { return value_; }

 private:
  T* value_ = nullptr;
};
using OwnedCommit = Owned<git_commit, git_commit_free>;
using OwnedObject = Owned<git_object, git_object_free>;
using OwnedDiff = Owned<git_diff, git_diff_free>;
using OwnedEntry = Owned<git_tree_entry, git_tree_entry_free>;
using OwnedBlob = Owned<git_blob, git_blob_free>;
using OwnedTree = Owned<git_tree, git_tree_free>;

bool is_regular(unsigned mode) {
  return mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE || mode == 0100664;
}

std::string name_of(const git_diff_file& file, unsigned mode) {
  return is_regular(mode) && !git_oid_is_zero(&file.id) ? hex(file.id) : "";
}

FileInfo::Kind kind_of(const git_tree_entry* entry) {
  if (git_tree_entry_type(entry) == GIT_OBJECT_TREE) return FileInfo::Kind::directory;
  return is_regular(git_tree_entry_filemode_raw(entry)) ? FileInfo::Kind::file : FileInfo::Kind::other;
}

std::string relative(const std::string& path) {
  std::string plain = normal_path(path);
  std::size_t begin = plain.find_first_not_of('/');
  std::string below = begin == std::string::npos ? "" : plain.substr(begin);
  return below == "." ? "" : below;
}

Error missing(const std::string& path) { return {path, "no such file in this commit", ""}; }

// Whosever it is. Without any configuration of git, libgit2 does not tell a repository of another owner from
// none.
bool has_repository(const std::string& folder) {
  git_buf place = GIT_BUF_INIT;
  bool found = git_repository_discover(&place, folder.c_str(), 0, nullptr) == 0;
  git_buf_dispose(&place);
  return found;
}

std::string real_folder(const std::string& folder) {
  char* real = ::realpath(folder.c_str(), nullptr);
  std::string path = real == nullptr ? absolute_path(folder) : real;
  std::free(real);
  return path;
}

}  // namespace

void Repository::Close::operator()(git_repository* handle) const { git_repository_free(handle); }
void Repository::CloseTree::operator()(git_tree* tree) const { git_tree_free(tree); }

Repository::Repository(std::string folder, git_repository* handle)
    : folder_(std::move(folder)), handle_(handle), mutex_(std::make_unique<std::mutex>()) {
  const char* root = git_repository_workdir(handle);
  std::string inside = root == nullptr ? "" : path_below(real_folder(folder_), real_folder(root));
  if (!inside.empty() && inside != "." && !inside.starts_with('/')) prefix_ = inside + "/";
  std::string shallow = std::string(git_repository_commondir(handle)) + "shallow";
  Result<std::string> list = real_disk().read(shallow, std::size_t{64} << 20);
  if (!list.ok()) return;
  for (const std::string& line : split(*list, '\n'))
    if (!trim(line).empty()) boundary_.emplace_back(trim(line));
  std::sort(boundary_.begin(), boundary_.end());
}

Result<Repository> Repository::open(const std::string& folder) {
  start_library();
  git_repository* handle = nullptr;
  int code = git_repository_open_ext(&handle, folder.c_str(), 0, nullptr);
  if (code == 0) return Repository(folder, handle);
  if (code == GIT_ENOTFOUND && !has_repository(folder))
    return Error{folder, "not in a git repository", "run in a checkout: history is read from git"};
  if (code == GIT_EOWNER || code == GIT_ENOTFOUND)
    return Error{folder, "git does not trust this repository, as another user owns it",
                 "add it to git's safe.directory"};
  return Error{folder, "cannot open the git repository: " + last_message(), ""};
}

Error Repository::failure(const std::string& where, const std::string& doing) const {
  std::string what = "cannot " + doing + ": " + last_message();
  const git_error* error = git_error_last();
  bool absent = error != nullptr && error->klass == GIT_ERROR_ODB;
  return {where, what,
          absent ? "this clone lacks the object: fetch it ('git fetch --refetch' in a partial clone)"
                 : "'git fsck' may tell more"};
}

Result<std::optional<std::string>> Repository::find_commit(const std::string& revision) const {
  std::lock_guard lock(*mutex_);
  OwnedObject object;
  int code = git_revparse_single(object.out(), handle_.get(), revision.c_str());
  if (code == GIT_ENOTFOUND) return std::optional<std::string>();
  if (code == GIT_EAMBIGUOUS) return Error{revision, "names several commits", "give more of its hash"};
  if (code == GIT_EINVALIDSPEC)
    return Error{revision, "cannot name a commit", "name a branch, tag or commit, or 'HEAD~100'"};
  if (code != 0) return failure(revision, "find the commit");
  OwnedObject commit;
  if (git_object_peel(commit.out(), object.get(), GIT_OBJECT_COMMIT) != 0)
    return Error{revision, "names no commit", "name a branch, tag or commit"};
  return std::optional<std::string>(hex(*git_object_id(commit.get())));
}

bool Repository::is_cut(const std::string& hash) const {
  return std::binary_search(boundary_.begin(), boundary_.end(), hash);
}

Result<CommitFacts> Repository::facts_of(const std::string& hash) const {
  std::lock_guard lock(*mutex_);
  std::optional<git_oid> id = id_of(hash);
  OwnedCommit commit;
  if (!id || git_commit_lookup(commit.out(), handle_.get(), &*id) != 0)
    return failure("commit " + hash, "read the commit");
  CommitFacts facts;
  facts.hash = hash;
  facts.time = git_commit_time(commit.get());
  const git_signature* author = git_commit_author(commit.get());
  if (author != nullptr && author->name != nullptr) facts.author = valid_utf8(author->name);
  const char* subject = git_commit_summary(commit.get());
  if (subject != nullptr) facts.subject = valid_utf8(subject);
  if (!is_cut(hash) && git_commit_parentcount(commit.get()) > 0)
    facts.parent = hex(*git_commit_parent_id(commit.get(), 0));
  return facts;
}

Result<FirstParents> Repository::first_parents(
    const std::string& newest, const std::function<bool(const std::string& hash)>& is_last) const {
  FirstParents line;
  for (std::string next = newest; !next.empty() && line.commits.size() < kMostLinks;) {
    Result<CommitFacts> facts = facts_of(next);
    if (!facts.ok()) return facts.error();
    next = facts->parent;
    line.commits.push_back(std::move(*facts));
    if (is_last(line.commits.back().hash)) return line;
  }
  line.end = is_cut(line.commits.back().hash) ? FirstParents::End::shallow : FirstParents::End::root;
  return line;
}

Result<Repository::Tree> Repository::tree_of(const std::string& commit) const {
  std::optional<git_oid> id = id_of(commit);
  OwnedCommit found;
  git_tree* tree = nullptr;
  if (!id || git_commit_lookup(found.out(), handle_.get(), &*id) != 0 ||
      git_commit_tree(&tree, found.get()) != 0)
    return failure("commit " + commit, "read its files");
  return Tree(tree);
}

namespace {

// Renames are looked for where names of the kind that is asked about came and went, since comparing contents
// costs.
bool may_hold_renames(git_diff* diff, const std::string& ending) {
  bool came = false;
  bool went = false;
  for (std::size_t i = 0; i < git_diff_num_deltas(diff) && !(came && went); ++i) {
    const git_diff_delta* delta = git_diff_get_delta(diff, i);
    if (!std::string_view(delta->new_file.path).ends_with(ending)) continue;
    came = came || delta->status == GIT_DELTA_ADDED;
    went = went || delta->status == GIT_DELTA_DELETED;
  }
  return came && went;
}

bool find_renames(git_diff* diff) {
  git_diff_find_options options;
  git_diff_find_options_init(&options, GIT_DIFF_FIND_OPTIONS_VERSION);
  options.flags = GIT_DIFF_FIND_RENAMES | GIT_DIFF_FIND_IGNORE_WHITESPACE;
  options.rename_limit = kRenameLimit;
  return git_diff_find_similar(diff, &options) == 0;
}

// A few objects of a repository may make any number of paths.
int stop_at_many(const git_diff* diff, const git_diff_delta*, const char*, void*) {
  if (git_diff_num_deltas(diff) < kMostChanges) return 0;
  git_error_set_str(GIT_ERROR_INVALID, "more than two million files differ");
  return -1;
}

// A rename is two changes: the new name came, the old one went.
void add_change(const git_diff_delta& delta, std::size_t skip, std::vector<FileChange>& changes) {
  std::string before = name_of(delta.old_file, delta.old_file.mode);
  std::string after = name_of(delta.new_file, delta.new_file.mode);
  if (before.empty() && after.empty()) return;
  std::string path = std::string(delta.new_file.path).substr(skip);
  if (delta.status != GIT_DELTA_RENAMED) {
    changes.push_back({path, before, after, ""});
    return;
  }
  std::string old_path = std::string(delta.old_file.path).substr(skip);
  changes.push_back({old_path, before, "", ""});
  changes.push_back({path, "", after, old_path});
}

}  // namespace

Result<std::vector<FileChange>> Repository::changes(const std::string& older, const std::string& newer,
                                                    const std::string& renames_of) const {
  std::lock_guard lock(*mutex_);
  Tree before;
  if (!older.empty()) {
    Result<Tree> tree = tree_of(older);
    if (!tree.ok()) return tree.error();
    before = std::move(*tree);
  }
  Result<Tree> after = tree_of(newer);
  if (!after.ok()) return after.error();
  git_diff_options options;
  git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
  options.flags = GIT_DIFF_IGNORE_SUBMODULES | GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_DISABLE_PATHSPEC_MATCH |
                  GIT_DIFF_SKIP_BINARY_CHECK;
  char* prefix = const_cast<char*>(prefix_.c_str());  // libgit2 does not write there
  if (!prefix_.empty()) options.pathspec = {&prefix, 1};
  options.notify_cb = stop_at_many;
  OwnedDiff diff;
  if (git_diff_tree_to_tree(diff.out(), handle_.get(), before.get(), after->get(), &options) != 0 ||
      (may_hold_renames(diff.get(), renames_of) && !find_renames(diff.get())))
    return failure("commit " + newer, "compare it with the commit before");
  std::vector<FileChange> changes;
  for (std::size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i)
    add_change(*git_diff_get_delta(diff.get(), i), prefix_.size(), changes);
  std::sort(changes.begin(), changes.end(),
            [](const FileChange& a, const FileChange& b) { return a.path < b.path; });
  return changes;
}

Status CommitDisk::show(const std::string& commit) {
  std::lock_guard lock(*repository_.mutex_);
  Result<Repository::Tree> tree = repository_.tree_of(commit);
  if (!tree.ok()) return tree.error();
  tree_ = std::move(*tree);
  folders_.clear();
  names_ = 0;
  return {};
}

// nullptr where the commit has no such folder. Each is read once: git parses all of a folder for each look
// into it. With the lock held.
git_tree* CommitDisk::tree_in(const std::string& folder) {
  if (folder.empty()) return tree_.get();
  constexpr std::size_t kMostFolders = 10'000;
  if (auto known = folders_.find(folder); known != folders_.end()) return known->second.get();
  if (folders_.size() == kMostFolders) folders_.clear();
  OwnedEntry entry;
  git_tree* tree = nullptr;
  if (git_tree_entry_bypath(entry.out(), tree_.get(), folder.c_str()) == 0 &&
      git_tree_entry_type(entry.get()) == GIT_OBJECT_TREE &&
      git_tree_lookup(&tree, repository_.handle_.get(), git_tree_entry_id(entry.get())) != 0)
    tree = nullptr;
  return folders_.emplace(folder, tree).first->second.get();
}

std::optional<CommitDisk::Found> CommitDisk::find(const std::string& path) {
  std::string below = repository_.prefix_ + relative(path);
  if (!below.empty() && below.back() == '/') below.pop_back();
  if (tree_ == nullptr) return std::nullopt;
  if (below.empty()) return Found{FileInfo::Kind::directory, hex(*git_tree_id(tree_.get()))};
  std::size_t slash = below.rfind('/');
  std::string name = slash == std::string::npos ? below : below.substr(slash + 1);
  std::lock_guard lock(*repository_.mutex_);
  git_tree* folder = tree_in(slash == std::string::npos ? "" : below.substr(0, slash));
  const git_tree_entry* entry = folder == nullptr ? nullptr : git_tree_entry_byname(folder, name.c_str());
  if (entry == nullptr) return std::nullopt;
  return Found{kind_of(entry), hex(*git_tree_entry_id(entry))};
}

std::string CommitDisk::blob_of(const std::string& path) {
  std::optional<Found> found = find(path);
  return found && found->kind == FileInfo::Kind::file ? found->hash : "";
}

Result<std::string> CommitDisk::read_blob(const std::string& hash, std::size_t max_bytes) {
  std::lock_guard lock(*repository_.mutex_);
  std::optional<git_oid> id = id_of(hash);
  OwnedBlob blob;
  if (!id || git_blob_lookup(blob.out(), repository_.handle_.get(), &*id) != 0)
    return repository_.failure("blob " + hash, "read the content");
  std::size_t size = static_cast<std::size_t>(git_blob_rawsize(blob.get()));
  if (size > max_bytes)
    return Error{"blob " + hash, "larger than " + std::to_string(max_bytes) + " bytes", ""};
  return std::string(static_cast<const char*>(git_blob_rawcontent(blob.get())), size);
}

Result<FileInfo> CommitDisk::info(const std::string& path) {
  std::optional<Found> found = find(path);
  if (!found) return missing(path);
  FileInfo info;
  info.kind = found->kind;
  info.inode = std::hash<std::string>()(relative(path));  // each path is a file of its own
  return info;
}

Result<std::string> CommitDisk::read(const std::string& path, std::size_t max_bytes) {
  std::optional<Found> found = find(path);
  if (!found || found->kind != FileInfo::Kind::file) return missing(path);
  Result<std::string> bytes = read_blob(found->hash, max_bytes);
  bool too_large = !bytes.ok() && bytes.error().hint.empty();
  if (bytes.ok() || too_large) return bytes;
  return fail(path, bytes.error());
}

Error CommitDisk::fail(const std::string& path, Error error) {
  std::lock_guard lock(failure_mutex_);
  if (!failure_) failure_ = Error{relative(path), error.what, error.hint};
  return error;
}

bool CommitDisk::has_failed() {
  std::lock_guard lock(failure_mutex_);
  return failure_.has_value();
}

std::optional<Error> CommitDisk::take_failure() {
  std::lock_guard lock(failure_mutex_);
  return std::exchange(failure_, std::nullopt);
}

Result<std::vector<std::string>> CommitDisk::list(const std::string& path) {
  std::optional<Found> found = find(path);
  if (!found || found->kind != FileInfo::Kind::directory) return missing(path);
  Result<std::vector<std::string>> names = names_in(path, found->hash);
  if (!names.ok()) return fail(path, names.error());
  std::sort(names->begin(), names->end());
  return names;
}

Result<std::vector<std::string>> CommitDisk::names_in(const std::string& path, const std::string& hash) {
  std::lock_guard lock(*repository_.mutex_);
  std::optional<git_oid> id = id_of(hash);
  OwnedTree tree;
  if (!id || git_tree_lookup(tree.out(), repository_.handle_.get(), &*id) != 0)
    return repository_.failure(path, "list the folder");
  names_ += git_tree_entrycount(tree.get());
  if (names_ > most_names_)
    return Error{path, "the commit has more than " + std::to_string(most_names_) + " files and folders", ""};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < git_tree_entrycount(tree.get()); ++i)
    names.emplace_back(git_tree_entry_name(git_tree_entry_byindex(tree.get(), i)));
  return names;
}

Status CommitDisk::write(const std::string& path, const std::string&) {
  return Error{path, "a commit cannot be written to", ""};
}
Status CommitDisk::make_folders(const std::string& path) {
  return Error{path, "a commit cannot be written to", ""};
}

std::string blob_hash(const std::string& bytes) {
  start_library();
  git_oid id;
  if (git_odb_hash(&id, bytes.data(), bytes.size(), GIT_OBJECT_BLOB) != 0) return "";
  return hex(id);
}

}  // namespace hwsift
