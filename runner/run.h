// The run: one process a file, its journal, and what comes of its tests. Emits events; reports listen.
#pragma once

#include <map>
#include <string>

#include "base/clock.h"
#include "base/process.h"
#include "base/result.h"
#include "runner/driver.h"
#include "runner/launch.h"
#include "runner/result.h"
#include "runner/selection.h"
#include "runner/test_rules.h"

namespace hwsift::runner {

struct RunOptions {
  Launch launch;
  double timeout = 0;      // seconds for one test, 0 for none
  double time_budget = 0;  // seconds for the run, 0 for none
  int retries = 0;         // further attempts for a test that fails
  int fail_fast = 0;       // the run ends at so many tests that failed for good; 0 for never
  int workers = 1;         // processes at a time
  DeviceShare share;       // of the devices among them
  bool accelerator =
      false;  // the selection's device is one: after a crash it is asked whether it still works
  std::map<std::string, double> file_seconds;  // expected, by path: with several workers the longest go first
  const TestRules* rules = nullptr;            // what lists say of single tests; nullptr for no list
  int scout = -1;                              // a process by launch.h that takes the first file, -1 for none
};

class RunListener {
 public:
  virtual ~RunListener() = default;
  virtual void file_started(const std::string& path) = 0;
  virtual void test_started(const std::string& id) = 0;
  virtual void test_ended(const TestResult& result) = 0;  // once an attempt
  virtual void file_ended(const std::string& path) = 0;
  virtual void tick() = 0;  // a few times a second while nothing happens
};

// Everything that the selection holds and leaves out is in the record, whatever the tests do. An Error where
// no test can run at all: the interpreter does not start, or has no torch or pytest. Where the device itself
// fails, the record says so in device_problem, and what was not run yet is not run.
Result<RunRecord> run(const Selection& selection, const RunOptions& options, Driver& driver,
                      Processes& processes, Clock& clock, RunListener& listener);
// The same with pytest.
Result<RunRecord> run(const Selection& selection, const RunOptions& options, Processes& processes,
                      Clock& clock, RunListener& listener);

}  // namespace hwsift::runner
