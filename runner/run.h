// The run: one pytest process a file, its journal, and what comes of its tests. Emits events; reports listen.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/process.h"
#include "base/result.h"
#include "runner/result.h"
#include "runner/selection.h"

namespace hwsift::runner {

struct RunOptions {
  std::string root;           // the tree, absolute
  std::string python;         // started as it is given
  std::string plugin_folder;  // holds hwsift_pytest.py
  std::string python_path;    // PYTHONPATH of the caller with absolute entries, "" where it is not set
  double timeout = 0;         // seconds for one test, 0 for none
  int retries = 0;            // further attempts for a test that fails
  int workers = 1;            // processes at a time
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
// no test can run at all: the interpreter does not start, or has no torch or pytest.
Result<RunRecord> run(const Selection& selection, const RunOptions& options, Processes& processes,
                      Clock& clock, RunListener& listener);

}  // namespace hwsift::runner
