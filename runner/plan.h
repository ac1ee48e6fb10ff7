// A selection cut into shards that take about as long as each other. Pure, and in whole microseconds: the
// same selection and the same times give the same plan on every machine.
//
//   unit   what a shard runs in one go: a file, or a part of a long one
//   part   some tests of a file, next to each other in the source; the first also takes what only pytest
//   finds
//   start  what each further part of a file costs: one more Python that imports and collects it
//
// A file above the unit limit is cut between classes, a class above it between tests; a test that stands for
// several stays whole. The limit is halved where shards are uneven or beyond their target time, as long as
// that makes the slowest one faster. Units go longest
// first to the shard with the least to do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "runner/selection.h"
#include "runner/times.h"

namespace hwsift::runner {

inline constexpr double kStartSeconds = 5;
inline constexpr double kUnitSeconds = 600;
inline constexpr double kSecondsOfATest = 1;  // where no time at all is known
inline constexpr int kMostShards = 10000;

struct PlanOptions {
  int shards = 0;                      // 0: as few as keep to target_seconds
  double target_seconds = 0;           // of the slowest shard
  double unit_seconds = kUnitSeconds;  // the unit limit to begin with
};

struct PlanUnit {
  std::string path;
  int part = 1;
  int parts = 1;
  double expected_seconds = 0;     // without a start
  std::vector<std::string> tests;  // ids, in the order of the selection
};

struct PlanShard {
  double expected_seconds = 0;
  std::vector<PlanUnit> units;  // by path and part
};

// How many of the selected files, and of their tests, the times say anything about.
struct TimesKnown {
  std::size_t files = 0;
  std::size_t of_files = 0;
};

// Which tests a plan is about, beside the device.
struct PlanScope {
  std::vector<std::string> paths;       // that were looked at, where it was not the whole tree
  std::vector<std::string> categories;  // as --hw has them
  std::string unclassified = "infer";
  int device_count = 0;  // 0 where it was not told
  std::string filter;    // as -E has it
};

struct Plan {
  std::string device;
  std::string fingerprint;  // of device, tests and shards
  std::vector<PlanShard> shards;
  TimesKnown known;
  PlanScope scope;
};

// An Error where no number of shards keeps to the target; it says what would.
Result<Plan> make_plan(const Selection& selection, const KnownTimes& times, const PlanOptions& options);

std::string fingerprint_of(const Plan& plan);
// Of a run that does the whole: equal where the same tests are selected for the same device.
std::string fingerprint_of(const Selection& selection);
// All ids of the plan, sorted.
std::vector<std::string> tests_of(const Plan& plan);

// That the selection is the one of the plan; else what differs. `file` is where the plan stands.
Status check_plan(const Plan& plan, const Selection& selection, const std::string& file);

// What shard `index` (from 1) has to run and to account for: over all shards the whole selection, each test
// and each reason once.
Selection part_of(const Selection& selection, const Plan& plan, int index);

}  // namespace hwsift::runner
