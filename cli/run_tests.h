// The job of `run`, for `rerun` too.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/planning.h"
#include "cli/selecting.h"
#include "runner/result.h"
#include "runner/selection.h"

namespace hwsift::cli {

struct RunRequest {
  std::vector<std::string> paths;
  std::vector<std::string> gtest;  // "BINARY[:SOURCES]": then these are run, and no Python files
  std::vector<std::string> outputs;
  SelectionFlags selection;
  PartOptions part;
  std::string python;
  std::string launcher;
  std::string mode = "pytest";
  std::string disabled_tests;
  std::string slow_tests;
  std::string quarantine;
  std::string timeout;
  std::string time_budget;
  std::string workers = "auto";
  int slots_per_device = 1;
  int retries = 0;
  int fail_fast = 0;
};

// The options that run and rerun have in common.
void add_run_options(CLI::App& app, RunRequest& options);

// What a rerun does to the selection, where an exit code ends the command, and to the record of what ran.
struct RunChange {
  std::function<std::optional<int>(runner::Selection&)> narrow;
  std::function<void(const runner::Selection&, runner::RunRecord&)> complete;
};

int run_tests(Context& context, const RunRequest& options, const RunChange& change);

}  // namespace hwsift::cli
