#include "history/work_tree.h"

#include "analyzer/discover.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/threads.h"
#include "history/backfill.h"

namespace hwsift::history {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

void keep_branch(const Repository& repository, Head& head, Timeline& timeline) {
  if (timeline.empty() || head.commit == timeline.commits.back().hash) return;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < timeline.commits.size(); ++i) places[timeline.commits[i].hash] = i;
  Result<FirstParents> line =
      repository.first_parents(head.commit, [&](const std::string& hash) { return places.count(hash) != 0; });
  if (!line.ok()) return;
  auto last = places.find(line->commits.back().hash);
  if (last == places.end()) {
    bool shallow = line->end == FirstParents::End::shallow;
    if (!shallow) timeline = {};
    head.notes.emplace_back(
        shallow ? "The clone is shallow: whether the history belongs to this branch cannot be told."
                : "The history in the database is of another branch: 'hwsift history backfill --from REF'.");
    return;
  }
  if (line->commits.size() > 1)
    head.notes.push_back("Commits after the end of the history: " + std::to_string(line->commits.size() - 1) +
                         "; 'hwsift history backfill' reads them.");
  cut_after(timeline, last->second);
}

bool is_changed(const Repository& repository, const std::string& commit, WorkTree& work, const Ruler& ruler) {
  CommitDisk disk(repository);
  if (!disk.show(commit).ok() || test_files(disk, ruler) != work.test_files(ruler) || disk.has_failed())
    return true;
  return !ruler.allowlist.empty() && disk.blob_of("/" + ruler.allowlist) != work.blob_of(ruler.allowlist);
}

}  // namespace

std::string WorkTree::blob_of(const std::string& path) {
  auto [known, fresh] = blobs_.try_emplace(path);
  if (fresh) known->second = hash_of(path);
  return known->second;
}

const std::map<std::string, std::string>& WorkTree::test_files(const Ruler& ruler) {
  if (!test_files_) test_files_ = read_test_files(ruler);
  return *test_files_;
}

std::map<std::string, std::string> WorkTree::read_test_files(const Ruler& ruler) {
  std::vector<std::string> paths;
  Result<analyzer::Discovery> found = analyzer::discover(disk_, root_, root_, {});
  if (!found.ok()) return {};
  for (const analyzer::SourcePath& file : found->files)
    if (ruler.covers(file.path)) paths.push_back(file.path);
  std::vector<std::string> hashes(paths.size());
  for_each_index(paths.size(), ruler.scan.jobs, [&](std::size_t i) { hashes[i] = hash_of(paths[i]); });
  std::map<std::string, std::string> files;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    // What cannot be read is a test file all the same, and its measure says so.
    files[paths[i]] = hashes[i].empty() ? "unreadable" : hashes[i];
    blobs_[paths[i]] = hashes[i];
  }
  return files;
}

std::string WorkTree::hash_of(const std::string& path) const {
  std::string absolute = join_path(root_, path);
  Result<FileInfo> info = disk_.info(absolute);
  if (!info.ok() || info->kind != FileInfo::Kind::file) return "";
  Result<std::string> bytes = disk_.read(absolute, kMaxBytes);
  return bytes.ok() ? blob_hash(*bytes) : "";
}

Head compare_with_head(const std::string& root, WorkTree& work, const Ruler& ruler, Timeline& timeline) {
  Head head;
  Result<Repository> repository = Repository::open(root);
  if (!repository.ok()) return head;
  Result<std::optional<std::string>> commit = repository->find_commit("HEAD");
  if (!commit.ok() || !*commit) return head;
  head.commit = **commit;
  Result<FirstParents> line = repository->first_parents(head.commit, [](const std::string&) { return true; });
  if (line.ok()) head.date = utc_text(line->commits.front().time);
  head.changed = is_changed(*repository, head.commit, work, ruler);
  keep_branch(*repository, head, timeline);
  return head;
}

}  // namespace hwsift::history
