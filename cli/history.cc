// `hwsift history`: what the database and git know of the past.
#include "store/history.h"

#include <cstdio>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/repository.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/database.h"
#include "cli/progress.h"
#include "history/backfill.h"
#include "history/branch.h"
#include "history/census.h"
#include "history/line.h"
#include "history/measurer.h"
#include "report/history_progress.h"
#include "report/output.h"
#include "report/table.h"
#include "store/query.h"

namespace hwsift::cli {
namespace {

using history::LinePlan;

struct BackfillOptions {
  std::string from;
  std::string every;
  std::string allowlist;
};

// What a backfill works on, filled stage by stage.
struct Backfill {
  Tree tree;
  TreeRuler made;
  std::unique_ptr<store::Store> store;
  std::unique_ptr<store::History> kept;
  std::unique_ptr<Repository> repository;
  store::LineState state;
  std::vector<history::StoredCommit> stored;
  LinePlan plan;
  int line = store::kShownLine;
  bool joint_is_gap = false;  // of a rebuild, whose walk has none
  std::vector<std::string> notes;
};

Status open_store(Context& context, Backfill& job) {
  std::string file = context.globals.db;
  if (file.empty()) {
    Result<std::string> usual = store::default_file(context.disk, job.tree.root);
    if (!usual.ok()) return usual.error();
    file = *usual;
  }
  Result<store::Store> store = store::Store::open(file);
  if (!store.ok()) return store.error();
  job.store = std::make_unique<store::Store>(std::move(*store));
  Result<store::History> kept = store::History::open(*job.store, job.made.ruler.fingerprint());
  if (!kept.ok()) return kept.error();
  job.kept = std::make_unique<store::History>(*kept);
  return {};
}

Status open_all(Context& context, const BackfillOptions& options, Backfill& job) {
  if (Status opened = read_tree(context, job.tree); !opened.ok()) return opened;
  if (Status ready = make_ruler(context, job.tree, options.allowlist, job.made); !ready.ok()) return ready;
  if (job.made.ruler.allowlist.starts_with('/'))
    return Error{job.made.ruler.allowlist,
                 "the allowlist is outside of the tree, so that git does not know it",
                 "name one of the tree with --allowlist"};
  Result<Repository> repository = Repository::open(job.tree.root);
  if (!repository.ok()) return repository.error();
  job.repository = std::make_unique<Repository>(std::move(*repository));
  return open_store(context, job);
}

Status read_stored(const BackfillOptions& options, Backfill& job) {
  Result<std::vector<history::StoredCommit>> stored = job.kept->commits(store::kShownLine);
  if (!stored.ok()) return stored.error();
  Result<std::optional<store::LineState>> state = job.kept->state(store::kShownLine);
  if (!state.ok()) return state.error();
  job.stored = std::move(*stored);
  if (*state) job.state = **state;
  bool is_named = !options.allowlist.empty() || !job.tree.config.allowlist.empty();
  if (*state && !is_named && !job.state.allowlist_file.empty())
    job.made.ruler.allowlist = job.state.allowlist_file;
  return {};
}

Status plan_line(Context& context, const BackfillOptions& options, Backfill& job) {
  Stage stage(context.stopwatch, "git");
  if (options.from.empty() && job.stored.empty())
    return Error{"--from", "missing: there is no history yet",
                 "name the oldest commit to read: --from v2.0, --from HEAD~200"};
  Result<history::Branch> branch =
      history::read_branch(*job.repository, options.from.empty() ? job.stored.front().hash : options.from);
  if (!branch.ok()) return branch.error();
  if (!branch->begins.empty()) job.state.begins = branch->begins;
  if (!branch->note.empty()) job.notes.push_back(branch->note);
  history::Every before = job.state.every;
  if (!options.every.empty()) job.state.every = *history::every_of(options.every);
  bool same_choice = job.state.every == before && job.state.allowlist_file == job.made.ruler.allowlist;
  job.plan = history::plan_line(job.stored, history::with_points(branch->newest_first, job.state.every),
                                branch->reaches_back, same_choice);
  return {};
}

// A rebuild that was stopped goes on where it was, if it is the same one.
Status prepare_new_line(Backfill& job) {
  job.line = store::kNewLine;
  Result<std::vector<history::StoredCommit>> begun = job.kept->commits(store::kNewLine);
  if (!begun.ok()) return begun.error();
  Result<std::optional<store::LineState>> state = job.kept->state(store::kNewLine);
  if (!state.ok()) return state.error();
  bool goes_on = *state && (*state)->every == job.state.every &&
                 (*state)->allowlist_file == job.made.ruler.allowlist && !begun->empty() &&
                 begun->front().hash == job.plan.todo.front().facts.hash;
  if (goes_on) {
    LinePlan rest = history::plan_line(*begun, job.plan.todo, true, true);
    if (rest.start == LinePlan::Start::append && !rest.gap) {
      job.plan.todo = std::move(rest.todo);
      job.plan.keep = rest.keep;
      job.stored = std::move(*begun);
      job.state.traits = (*state)->traits;
      return job.kept->cut(store::kNewLine, rest.keep, rest.keep_is_point);
    }
  }
  job.stored.clear();
  return job.kept->clear(store::kNewLine);
}

Status prepare_line(Backfill& job) {
  const LinePlan& plan = job.plan;
  if (plan.dropped > 0) job.state.traits.clear();  // those of the last commit that stays are not known
  if (plan.dropped > 0)
    job.notes.push_back(std::to_string(plan.dropped) +
                        " commits of another branch gave way to those of this one");
  if (plan.gap)
    job.notes.emplace_back("what lies between this shallow clone and the history before it is not known");
  if (plan.start == LinePlan::Start::rebuild) {
    job.joint_is_gap = std::exchange(job.plan.gap, false);
    return prepare_new_line(job);
  }
  if (plan.start == LinePlan::Start::append)
    return job.kept->cut(store::kShownLine, plan.keep, plan.keep_is_point);
  return {};
}

// The commit after which the walk begins; "" for the start of a line.
std::string base_of(const Backfill& job) {
  for (const history::StoredCommit& commit : job.stored)
    if (commit.position == job.plan.keep) return commit.hash;
  return "";
}

Status take_over(Backfill& job, history::Census& census) {
  Result<std::vector<store::StoredFile>> files = job.kept->files_at_end(job.line);
  if (!files.ok()) return files.error();
  for (store::StoredFile& file : *files) census.resume(file.path, file.blob, std::move(file.kept));
  if (job.plan.gap)
    census.resume_traits(job.state.traits);
  else
    census.look_up_needs();
  return {};
}

Status walk(Context& context, Backfill& job, std::size_t& measured) {
  Stage stage(context.stopwatch, "backfill");
  CommitDisk disk(*job.repository);
  std::string base = base_of(job);
  bool base_is_here = !base.empty() && !job.plan.gap;
  if (Status shown = disk.show(base_is_here ? base : job.plan.todo.front().facts.hash); !shown.ok())
    return shown;
  history::Measurer measurer(disk, "/", job.made.ruler);
  history::Census census(
      job.made.ruler, measurer,
      [&](const std::string& path, const std::string& blob) { return job.kept->kept(path, blob); },
      [&](const std::string& path) { return disk.blob_of("/" + path); });
  // It is cache: where it cannot be kept now, recording the commit will tell.
  census.set_keeper([&](const std::vector<std::string>& paths) {
    if (!disk.has_failed()) static_cast<void>(job.kept->keep(paths, census));
  });
  history::BackfillState state{base, job.plan.gap, std::nullopt};
  if (!base.empty()) {
    if (Status taken = take_over(job, census); !taken.ok()) return taken;
    Result<std::optional<history::Listed>> listed = job.kept->listed_at_end(job.line);
    if (!listed.ok()) return listed.error();
    state.listed = std::move(*listed);
  }
  report::HistoryProgress progress(stderr, report::is_terminal(2) && !context.globals.quiet, real_clock());
  history::BackfillListener listener;
  listener.record = [&](history::CommitRecord& record) { return job.kept->append(job.line, record, census); };
  listener.progress = [&](std::size_t done, const history::LineCommit& next) {
    progress.commit(done, job.plan.todo.size(), utc_text(next.facts.time), census.measured());
  };
  Status walked = history::backfill({*job.repository, disk, job.made.ruler, census}, std::move(state),
                                    job.plan.todo, listener, job.notes);
  measured = census.measured();
  return walked;
}

Status work(Context& context, Backfill& job, std::size_t& measured) {
  bool keeps_start = job.plan.start == LinePlan::Start::append || job.plan.joint > 0;
  Result<std::optional<store::LineState>> before = job.kept->state(store::kShownLine);
  if (!before.ok()) return before.error();
  if (keeps_start && *before) job.state.begins = (*before)->begins;
  job.state.allowlist_file = job.made.ruler.allowlist;
  if (Status prepared = prepare_line(job); !prepared.ok()) return prepared;
  if (Status set = job.kept->set_state(job.line, job.state); !set.ok()) return set;
  if (!job.plan.todo.empty())
    if (Status walked = walk(context, job, measured); !walked.ok()) return walked;
  if (job.line == store::kNewLine)
    if (Status shown = job.kept->show_new_line(job.plan.joint, job.joint_is_gap); !shown.ok()) return shown;
  return job.kept->drop_old_measures();
}

void tell(const Context& context, const Backfill& job, std::size_t measured) {
  for (const std::string& note : job.notes) print_warning(context, {"history", note, ""});
  std::size_t points = 0;
  for (const history::LineCommit& commit : job.plan.todo) points += commit.point ? 1 : 0;
  if (job.plan.todo.empty()) {
    print_note(context, "hwsift: the history is up to date");
    return;
  }
  print_note(context, "hwsift: read " + std::to_string(job.plan.todo.size()) + " commits, " +
                          std::to_string(points) + " of them points of the history, and measured " +
                          std::to_string(measured) +
                          " files\nnext: 'hwsift report progress', or -o html:progress.html");
}

int backfill(Context& context, const BackfillOptions& options) {
  Backfill job;
  std::size_t measured = 0;
  Status done = open_all(context, options, job);
  if (done.ok()) done = read_stored(options, job);
  if (done.ok()) done = plan_line(context, options, job);
  if (done.ok()) done = work(context, job, measured);
  if (!done.ok()) return print_error(context, done.error()), kUsage;
  tell(context, job, measured);
  return kClean;
}

struct QueryOptions {
  std::string sql;
  store::QueryLimits limits;
  std::vector<std::string> outputs;
};

int query(Context& context, const QueryOptions& options) {
  std::vector<report::OutputSpec> outputs;
  if (int bad = parse_outputs(context, options.outputs, {"text", "json", "csv"}, "text", outputs)) return bad;
  std::string root;
  if (context.globals.db.empty()) {
    Result<std::string> tree = analyzer::find_tree(context.disk, context.globals.directory);
    if (!tree.ok()) return print_error(context, tree.error()), kUsage;
    root = *tree;
  }
  std::string file = database_file(context, root);
  if (!context.disk.info(file).ok()) {
    print_error(context, {file, "no database is there", "'hwsift history backfill --from REF' makes one"});
    return kUsage;
  }
  Result<store::Table> table = store::query(file, options.sql, options.limits);
  if (!table.ok()) return print_error(context, table.error()), kUsage;
  return emit_all(context, outputs, [&](const report::OutputSpec& output) {
    if (output.format == "json") return report::table_json(*table);
    if (output.format == "csv") return report::table_csv(*table);
    return report::table_text(*table, context.style_for(output));
  });
}

Action declare_backfill(CLI::App& app, Context& context) {
  auto options = std::make_shared<BackfillOptions>();
  app.add_option("--from", options->from,
                 "the oldest commit to read, itself included (default: where the history begins)")
      ->type_name("REF");
  app.add_option("--every", options->every,
                 "which commits are points of the history (default: the last of each week)")
      ->check(CLI::IsMember({"week", "commit"}))
      ->type_name("week|commit");
  app.add_option("--allowlist", options->allowlist,
                 "the allowlist whose past is read (default: that of hwsift.yaml)")
      ->type_name("FILE");
  return [&context, options] { return backfill(context, *options); };
}

Action declare_query(CLI::App& app, Context& context) {
  auto options = std::make_shared<QueryOptions>();
  app.add_option("SQL", options->sql, "one SELECT; the tables are in docs/history.md")->required();
  app.add_option("--timeout", options->limits.seconds, "how long to look for an answer")
      ->check(CLI::Range(0.001, 86400.0))
      ->capture_default_str()
      ->type_name("SECONDS");
  add_output_option(app, options->outputs, "text, json or csv");
  return [&context, options] { return query(context, *options); };
}

constexpr Command kParts[] = {
    {"backfill", "reads old commits from git into the database", declare_backfill},
    {"query", "answers a question in SQL; nothing is written", declare_query},
};

}  // namespace

Action declare_history(CLI::App& app, Context& context) { return declare_parts(app, context, kParts); }

}  // namespace hwsift::cli
