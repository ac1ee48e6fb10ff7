#include "cli/planning.h"

#include "base/environment.h"
#include "base/text.h"
#include "cli/database.h"
#include "cli/testing.h"
#include "runner/plan_document.h"
#include "runner/shard.h"

namespace hwsift::cli {
namespace {

constexpr std::size_t kMostBytes = 1u << 30;
constexpr const char* kHistory = "history";

int usage(const Context& context, const Error& error) {
  print_error(context, error);
  return kUsage;
}

int read_history(Context& context, const Tree& tree, const std::string& device, runner::KnownTimes& times) {
  std::string file = database_file(context, tree.root);
  Result<std::optional<store::Store>> database = open_history(context, tree.root);
  if (!database.ok()) return usage(context, database.error());
  if (!*database)
    return usage(context, {"--times history", "no run was recorded in " + file,
                           "run the tests once with 'hwsift run', or name the database with --db"});
  Result<std::map<std::string, double>> seconds = (*database)->test_seconds(device);
  if (!seconds.ok()) return usage(context, seconds.error());
  if (seconds->empty())
    print_warning(context, {"--times history", "no run on " + device + " was recorded in " + file,
                            "run its tests once with 'hwsift run'"});
  runner::add_times({std::move(*seconds), {}, {}}, times);
  return kClean;
}

int read_times_file(Context& context, const std::string& file, const PlanningOptions& options,
                    runner::KnownTimes& times) {
  Result<std::string> bytes = context.disk.read(file, kMostBytes);
  if (!bytes.ok()) return usage(context, bytes.error());
  Result<runner::ReadTimes> read = runner::parse_times(*bytes, file, options.times_job, options.times_config);
  if (!read.ok()) return usage(context, read.error());
  print_note(context, "Times: " + printable(file) + " (" + printable(read->table) + ")");
  runner::add_times(read->times, times);
  return kClean;
}

int read_plan(Context& context, const std::string& file, std::optional<runner::Plan>& plan) {
  Result<std::string> bytes = context.disk.read(file, kMostBytes);
  if (!bytes.ok()) return usage(context, bytes.error());
  Result<runner::Plan> read = runner::parse_plan(*bytes, file);
  if (!read.ok()) return usage(context, read.error());
  plan = std::move(*read);
  return kClean;
}

int read_shard(Context& context, const std::string& text, int total, runner::ShardOf& shard) {
  if (text != "auto") {
    Result<runner::ShardOf> parsed = runner::parse_shard("--shard", text, total);
    if (!parsed.ok()) return usage(context, parsed.error());
    shard = *parsed;
  } else {
    Result<runner::FoundShard> found = runner::shard_of_environment(environment_variable, total);
    if (!found.ok()) return usage(context, found.error());
    shard = found->shard;
    print_note(context, "Shard: " + std::to_string(shard.index) + "/" + std::to_string(shard.total) +
                            " (from " + found->source + ")");
  }
  if (total > 0 && shard.total != total)
    return usage(context,
                 {"--shard " + text,
                  "the plan has " + std::to_string(total) + " shards, not " + std::to_string(shard.total),
                  "write --shard INDEX alone, or make a plan of so many"});
  return kClean;
}

bool planned_anew(const PlanningOptions& options) {
  return !options.times.empty() || !options.times_job.empty() || !options.times_config.empty() ||
         !options.unit_time.empty();
}

int check_options(const Context& context, const PartOptions& options) {
  if (!options.plan.empty() && options.shard.empty())
    return usage(context,
                 {"--plan " + options.plan, "which of its shards?", "add --shard INDEX, or --shard auto"});
  if (!options.plan.empty() && planned_anew(options.planning))
    return usage(context, {"--plan " + options.plan, "a plan is made already",
                           "leave --times, --times-job, --times-config and --unit-time out"});
  if (options.shard.empty() && planned_anew(options.planning))
    return usage(context, {"--times", "times are for a shard", "add --shard INDEX/TOTAL, or leave them out"});
  return kClean;
}

bool is_default(const SelectionFlags& flags) {
  return flags.categories.empty() && flags.unclassified == "infer" && flags.device_count == 0 &&
         flags.filter.empty();
}

SelectionFlags flags_of(const runner::PlanScope& scope) {
  SelectionFlags flags;
  flags.categories = scope.categories;
  flags.unclassified = scope.unclassified;
  flags.device_count = scope.device_count;
  flags.filter = scope.filter;
  return flags;
}

int adopt_plan(Context& context, const Tree& tree, const PartOptions& options, PartScope scope, Part& part) {
  auto& [paths, device, selection] = scope;
  if (int bad = read_plan(context, options.plan, part.plan)) return bad;
  std::string planned;
  if (int bad = device_type_of(context, part.plan->device, planned)) return bad;
  if (device == "auto") device = planned;
  if (device != planned)
    return usage(context, {options.plan, "the plan is for " + planned + ", not for " + device,
                           "leave --device out, or make a plan for it"});
  if (!paths.empty())
    return usage(context, {paths.front(), "the plan says which files are looked at", "leave PATHS out"});
  if (!is_default(selection))
    return usage(context, {options.plan, "the plan says which tests are selected",
                           "leave --hw, --unclassified, --device-count and -E out"});
  for (const std::string& path : part.plan->scope.paths) paths.push_back(join_path(tree.root, path));
  selection = flags_of(part.plan->scope);
  return kClean;
}

}  // namespace

void add_planning_options(CLI::App& app, PlanningOptions& options) {
  app.add_option("--times", options.times,
                 "PyTorch's test-times.json or test-class-times.json, or history: the runs in the database; "
                 "repeats, the last one wins")
      ->allow_extra_args(false)
      ->type_name("FILE");
  app.add_option("--times-job", options.times_job, "which job's times to take (default: default)")
      ->type_name("NAME");
  app.add_option("--times-config", options.times_config, "which configuration's of it (default: default)")
      ->type_name("NAME");
  app.add_option("--unit-time", options.unit_time,
                 "cut files that take longer: 90, 90s, 2m (default: 10m, less where shards are short)")
      ->type_name("TIME");
}

int read_times(Context& context, const Tree& tree, const std::string& device, const PlanningOptions& options,
               runner::KnownTimes& times) {
  Stage stage(context.stopwatch, "read times");
  for (const std::string& source : options.times) {
    int bad = source == kHistory ? read_history(context, tree, device, times)
                                 : read_times_file(context, source, options, times);
    if (bad) return bad;
  }
  return kClean;
}

int make_plan(Context& context, const Tree& tree, const runner::Selection& selection,
              const PlanningOptions& options, runner::PlanOptions wanted, runner::Plan& plan) {
  if (!options.unit_time.empty()) {
    Result<double> unit = parse_duration("--unit-time", options.unit_time);
    if (!unit.ok()) return usage(context, unit.error());
    wanted.unit_seconds = *unit;
  }
  runner::KnownTimes times;
  if (int bad = read_times(context, tree, selection.device, options, times)) return bad;
  Stage stage(context.stopwatch, "plan");
  Result<runner::Plan> made = runner::make_plan(selection, times, wanted);
  if (!made.ok()) return usage(context, made.error());
  plan = std::move(*made);
  return kClean;
}

void add_part_options(CLI::App& app, PartOptions& options) {
  app.add_option("--shard", options.shard,
                 "run one part of a plan: INDEX/TOTAL; auto asks the CI system or scheduler around it")
      ->type_name("I/N");
  app.add_option("--plan", options.plan,
                 "the plan, as 'hwsift plan -o json:FILE' wrote it (default: made anew)")
      ->type_name("FILE");
  add_planning_options(app, options.planning);
}

runner::PlanScope scope_of(const SelectionFlags& flags) {
  runner::PlanScope scope;
  scope.categories = flags.categories;
  scope.unclassified = flags.unclassified;
  scope.device_count = flags.device_count;
  scope.filter = flags.filter;
  return scope;
}

int open_part(Context& context, const Tree& tree, const PartOptions& options, PartScope scope, Part& part) {
  if (int bad = check_options(context, options)) return bad;
  if (options.shard.empty()) return kClean;
  if (!options.plan.empty())
    if (int bad = adopt_plan(context, tree, options, scope, part)) return bad;
  return read_shard(context, options.shard, part.plan ? static_cast<int>(part.plan->shards.size()) : 0,
                    part.shard);
}

int take_part(Context& context, const Tree& tree, const PartOptions& options, Part& part,
              runner::Selection& selection) {
  if (part.shard.total == 0) return kClean;
  if (part.plan) {
    Status fits = runner::check_plan(*part.plan, selection, options.plan);
    if (!fits.ok()) return usage(context, fits.error());
  } else {
    runner::Plan plan;
    runner::PlanOptions wanted;
    wanted.shards = part.shard.total;
    if (int bad = make_plan(context, tree, selection, options.planning, wanted, plan)) return bad;
    part.plan = std::move(plan);
  }
  part.fingerprint = part.plan->fingerprint;
  if (selection.tests.empty()) {
    part.shard = {};
    return kClean;
  }
  selection = runner::part_of(selection, *part.plan, part.shard.index);
  std::string which = std::to_string(part.shard.index) + "/" + std::to_string(part.shard.total);
  print_note(context, "Shard " + which + ": " + std::to_string(selection.tests.size()) + " tests in " +
                          std::to_string(selection.files.size()) + " files");
  return kClean;
}

}  // namespace hwsift::cli
