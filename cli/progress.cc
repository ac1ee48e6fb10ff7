#include "cli/progress.h"

#include <map>
#include <set>
#include <utility>

#include "base/clock.h"
#include "base/repository.h"
#include "base/threads.h"
#include "cli/lint_run.h"
#include "history/backfill.h"
#include "history/census.h"
#include "history/measurer.h"
#include "store/history.h"

namespace hwsift::cli {
namespace {

constexpr std::size_t kMaxAllowlist = std::size_t{64} << 20;

// Where the allowlist of the tree is, absolute; "" where there is none to look for.
std::string allowlist_of(Context& context, const Tree& tree, const std::string& named) {
  if (!named.empty()) return path_from_here(context, named);
  if (!tree.config.allowlist.empty()) return tree.config.allowlist;
  std::string usual = join_path(tree.root, kDefaultAllowlist);
  return context.disk.info(usual).ok() ? usual : "";
}

// The names of contents in a work tree. Each file is read once.
class WorkTree {
 public:
  WorkTree(Context& context, const Tree& tree) : context_(context), tree_(tree) {}

  std::string blob_of(const std::string& path) {
    auto [known, fresh] = blobs_.try_emplace(path);
    if (fresh) known->second = hash_of(path);
    return known->second;
  }

  // The test files, with the names of their contents.
  const std::map<std::string, std::string>& test_files(const history::Ruler& ruler) {
    if (!test_files_) test_files_ = read_test_files(ruler);
    return *test_files_;
  }

 private:
  std::map<std::string, std::string> read_test_files(const history::Ruler& ruler) {
    std::vector<std::string> paths;
    Result<analyzer::Discovery> found = analyzer::discover(context_.disk, tree_.root, tree_.root, {});
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

  std::string hash_of(const std::string& path) const {
    std::string absolute = join_path(tree_.root, path);
    Result<FileInfo> info = context_.disk.info(absolute);
    if (!info.ok() || info->kind != FileInfo::Kind::file) return "";
    Result<std::string> bytes = context_.disk.read(absolute, std::size_t{1} << 30);
    return bytes.ok() ? blob_hash(*bytes) : "";
  }

  Context& context_;
  const Tree& tree_;
  std::map<std::string, std::string> blobs_;
  std::optional<std::map<std::string, std::string>> test_files_;
};

// Takes away what was measured on another branch: what comes after the last commit that HEAD has behind it.
void keep_branch(const Repository& repository, Standpoint& here) {
  history::Timeline& timeline = here.timeline;
  if (timeline.empty() || here.commit == timeline.commits.back().hash) return;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < timeline.commits.size(); ++i) places[timeline.commits[i].hash] = i;
  Result<FirstParents> line =
      repository.first_parents(here.commit, [&](const std::string& hash) { return places.count(hash) != 0; });
  if (!line.ok()) return;
  auto last = places.find(line->commits.back().hash);
  if (last == places.end()) {
    bool shallow = line->end == FirstParents::End::shallow;
    if (!shallow) timeline = {};
    here.notes.emplace_back(
        shallow ? "The clone is shallow: whether the history belongs to this branch cannot be told."
                : "The history in the database is of another branch: 'hwsift history backfill --from REF'.");
    return;
  }
  if (line->commits.size() > 1)
    here.notes.push_back("Commits after the end of the history: " + std::to_string(line->commits.size() - 1) +
                         "; 'hwsift history backfill' reads them.");
  history::cut_after(timeline, last->second);
}

// What git says: HEAD, and whether the work tree is that.
void ask_git_about(const Tree& tree, const history::Ruler& ruler,
                   const std::map<std::string, std::string>& blobs, const std::string& allowlist_blob,
                   Standpoint& here) {
  Result<Repository> repository = Repository::open(tree.root);
  if (!repository.ok()) return;
  Result<std::optional<std::string>> head = repository->find_commit("HEAD");
  if (!head.ok() || !*head) return;
  here.commit = **head;
  Result<FirstParents> line = repository->first_parents(here.commit, [](const std::string&) { return true; });
  if (line.ok()) here.commit_date = utc_text(line->commits.front().time);
  CommitDisk disk(*repository);
  bool shown = disk.show(here.commit).ok();
  here.changed = !shown || history::test_files(disk, ruler) != blobs ||
                 (!ruler.allowlist.empty() && disk.blob_of("/" + ruler.allowlist) != allowlist_blob);
  keep_branch(*repository, here);
}

// What the database knows already need not be measured again.
Status resume(store::History& kept, const history::Timeline& timeline, history::Census& census) {
  if (timeline.empty() || timeline.commits.back().other_ruler) return {};
  Result<std::vector<store::StoredFile>> files = kept.files_at_end(store::kShownLine);
  if (!files.ok()) return files.error();
  for (store::StoredFile& file : *files) census.resume(file.path, file.blob, std::move(file.kept));
  Result<std::optional<store::LineState>> state = kept.state(store::kShownLine);
  if (!state.ok()) return state.error();
  if (*state) census.resume_traits((*state)->traits);
  return {};
}

Result<std::map<std::string, history::SharedMeasure>> measure_work_tree(
    Context& context, const Tree& tree, const history::Ruler& ruler, store::Store* store,
    const history::Timeline& timeline, WorkTree& work, const std::vector<analyzer::FileFacts>& facts) {
  Stage stage(context.stopwatch, "measure");
  std::optional<store::History> kept;
  if (store != nullptr) {
    Result<store::History> opened = store::History::open_to_read(*store, ruler.fingerprint());
    if (!opened.ok()) return opened.error();
    kept.emplace(*opened);
  }
  history::Measurer measurer(context.disk, tree.root, ruler);
  for (const analyzer::FileFacts& file : facts) measurer.know(file);
  history::Census census(
      ruler, measurer,
      [&](const std::string& path, const std::string& blob) {
        return kept ? kept->kept(path, blob) : std::vector<history::KeptMeasure>();
      },
      [&](const std::string& path) { return work.blob_of(path); });
  if (kept)
    if (Status resumed = resume(*kept, timeline, census); !resumed.ok()) return resumed.error();
  census.apply(census.differences(work.test_files(ruler)));
  std::map<std::string, history::SharedMeasure> files;
  for (const auto& [path, file] : census.files()) files[path] = file.measure;
  return files;
}

Result<std::optional<history::Listed>> listed_now(Context& context, const Tree& tree,
                                                  const std::string& file) {
  std::string absolute = join_path(tree.root, file);
  if (file.empty() || !context.disk.info(absolute).ok()) return std::optional<history::Listed>();
  Result<std::string> bytes = context.disk.read(absolute, kMaxAllowlist);
  if (!bytes.ok()) return bytes.error();
  Result<history::Listed> listed = history::read_listed(*bytes, absolute);
  if (!listed.ok()) return listed.error();
  return std::optional<history::Listed>(std::move(*listed));
}

}  // namespace

Status make_ruler(Context& context, const Tree& tree, const std::string& allowlist, TreeRuler& made) {
  Result<const lint::LintRules*> rules = lint_rules(context, tree, made.rules);
  if (!rules.ok()) return rules.error();
  Result<const lint::Profile*> profile = choose_profile(**rules, tree, "");
  if (!profile.ok()) return profile.error();
  made.ruler.vocabulary = tree.vocabulary;
  made.ruler.profile = *profile;
  made.ruler.scan = scan_options(tree, context.jobs());
  made.ruler.excluded = tree.config.exclude;
  std::string file = allowlist_of(context, tree, allowlist);
  made.ruler.allowlist = file.empty() ? "" : path_below(file, tree.root);
  return {};
}

Result<Standpoint> standpoint_of(Context& context, const Tree& tree, store::Store* store,
                                 const std::vector<analyzer::FileFacts>& facts) {
  TreeRuler made;
  if (Status ready = make_ruler(context, tree, "", made); !ready.ok()) return ready.error();
  Standpoint here;
  here.profile = made.ruler.profile->name;
  if (store != nullptr) {
    Stage stage(context.stopwatch, "history");
    Result<history::Timeline> read = store::read_timeline(*store, made.ruler.fingerprint());
    if (!read.ok()) return read.error();
    here.timeline = std::move(*read);
    if (!here.timeline.allowlist_file.empty()) made.ruler.allowlist = here.timeline.allowlist_file;
  }
  WorkTree work(context, tree);
  Result<std::map<std::string, history::SharedMeasure>> files =
      measure_work_tree(context, tree, made.ruler, store, here.timeline, work, facts);
  if (!files.ok()) return files.error();
  Result<std::optional<history::Listed>> listed = listed_now(context, tree, made.ruler.allowlist);
  if (!listed.ok()) return listed.error();
  ask_git_about(tree, made.ruler, work.test_files(made.ruler), work.blob_of(made.ruler.allowlist), here);
  history::add_work_tree(here.timeline, *files, *listed, real_clock().utc());
  return here;
}

Result<history::Timeline> current_timeline(Context& context, const Tree& tree, store::Store* store) {
  Result<Standpoint> here = standpoint_of(context, tree, store, {});
  if (!here.ok()) return here.error();
  return std::move(here->timeline);
}

}  // namespace hwsift::cli
