// How the process of a file is started, and what is understood of what it says: pytest, or a gtest binary.
// Time, workers and the account of the tests are the run's (run.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/process.h"
#include "base/result.h"
#include "runner/journal.h"
#include "runner/ledger.h"
#include "runner/slots.h"

namespace hwsift::runner {

class Driver {
 public:
  virtual ~Driver() = default;

  // Of the record, known before any process runs; what processes tell of themselves comes on top.
  virtual std::map<std::string, std::string> environment() const = 0;
  // Whether a process first tells of itself and of the tests of its file (hello, collected); else all of this
  // is known before, and `start` asks the ledger what to run.
  virtual bool introduces() const = 0;
  // Starts the process of a file, first or once more; nullopt where nothing of the file is to run.
  virtual Result<std::optional<int>> start(FileLedger& ledger, const Slots& slots, const Slot& slot) = 0;
  // What a line of its channel, or a piece of its output, tells.
  virtual std::vector<JournalEvent> read(const ProcessEvent& event) = 0;
  // Of what a process wrote on both streams, the part of the test that runs, where that can be told.
  virtual std::string output_of_test(int, const std::string& output) const { return output; }
  // The answer to `collected`.
  virtual void choose(int process, const std::vector<std::size_t>& run) = 0;
  // What is still to be said when a process is gone, before the ledger is told; `killed` by the run itself,
  // for a reason that is none of its tests'.
  virtual std::vector<JournalEvent> last_words(int process, const ProcessEnd& end, bool killed) = 0;
  // The highest exit code that says how tests went; a higher one is that of a process that broke.
  virtual int highest_exit_code() const = 0;

  // Of those that introduce themselves. What is wrong with what a process says it is:
  virtual std::optional<Error> objection(const std::map<std::string, std::string>&) const { return {}; }
  // Why a file is left alone whose process ended without a word, nullopt where that is a fault of all of
  // them:
  virtual std::optional<std::string> passes_over(const ProcessEnd&) const { return {}; }
  virtual Error refusal(const ProcessEnd&) const { return {}; }

  // The run ends early: processes that wait for work are not needed.
  virtual void give_up() {}
};

}  // namespace hwsift::runner
