#include "cli/progress.h"

#include <map>
#include <utility>

#include "base/clock.h"
#include "base/environment.h"
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
    const history::Timeline& timeline, history::WorkTree& work,
    const std::vector<analyzer::FileFacts>& facts) {
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

std::string time_told() {
  std::optional<std::string> set = environment_variable("SOURCE_DATE_EPOCH");
  bool is_number =
      set && !set->empty() && set->size() < 18 && set->find_first_not_of("0123456789") == std::string::npos;
  return is_number ? utc_text(std::stoll(*set)) : real_clock().utc();
}

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
  history::WorkTree work(context.disk, tree.root);
  Result<std::map<std::string, history::SharedMeasure>> files =
      measure_work_tree(context, tree, made.ruler, store, here.timeline, work, facts);
  if (!files.ok()) return files.error();
  Result<std::optional<history::Listed>> listed = listed_now(context, tree, made.ruler.allowlist);
  if (!listed.ok()) return listed.error();
  here.head = history::compare_with_head(tree.root, work, made.ruler, here.timeline);
  history::add_work_tree(here.timeline, *files, *listed, time_told());
  return here;
}

Result<history::Timeline> current_timeline(Context& context, const Tree& tree, store::Store* store) {
  Result<Standpoint> here = standpoint_of(context, tree, store, {});
  if (!here.ok()) return here.error();
  return std::move(here->timeline);
}

}  // namespace hwsift::cli
