// What plan and run share: how a plan is made, and which part of one a run does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/selecting.h"
#include "runner/plan.h"
#include "runner/result.h"

namespace hwsift::cli {

struct PlanningOptions {
  std::vector<std::string> times;
  std::string times_job;
  std::string times_config;
  std::string unit_time;
};
void add_planning_options(CLI::App& app, PlanningOptions& options);

// All that --times names, and what of it there is to say. An exit code other than 0 ends the command.
int read_times(Context& context, const Tree& tree, const std::string& device, const PlanningOptions& options,
               runner::KnownTimes& times);
// Makes the plan; `wanted` has its shards or its target time.
int make_plan(Context& context, const Tree& tree, const runner::Selection& selection,
              const PlanningOptions& options, runner::PlanOptions wanted, runner::Plan& plan);

// What a plan keeps of the flags, so that those who run it need not repeat them.
runner::PlanScope scope_of(const SelectionFlags& flags);

struct PartOptions {
  PlanningOptions planning;
  std::string shard;
  std::string plan;
};
void add_part_options(CLI::App& app, PartOptions& options);

struct Part {
  std::optional<runner::Plan> plan;  // of --plan
  runner::ShardOf shard;             // total 0: the whole
  std::string fingerprint;
};
// What the command line says of the tests; a plan fills in what it leaves out.
struct PartScope {
  std::vector<std::string>& paths;
  std::string& device;
  SelectionFlags& selection;
};
// Reads --shard and --plan. The plan says the paths and the selection's flags where none are given, and the
// device where that is auto.
int open_part(Context& context, const Tree& tree, const PartOptions& options, PartScope scope, Part& part);
// Leaves of the selection what is the part's. A plan that is not for these tests is refused.
int take_part(Context& context, const Tree& tree, const PartOptions& options, Part& part,
              runner::Selection& selection);

}  // namespace hwsift::cli
