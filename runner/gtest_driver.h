// One process of a gtest binary a source file: its tests by --gtest_filter, what they come to by what it
// prints. Where a process breaks, the tests that it had not come to go to the next one.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runner/driver.h"
#include "runner/gtest_binary.h"
#include "runner/gtest_output.h"
#include "runner/launch.h"

namespace hwsift::runner {

// A process that lists the tests of a binary; its output stream is captured. The other one lists none, so
// that all it prints is noise.
ProcessSpec gtest_list_process(const Launch& launch, const std::string& program);
ProcessSpec gtest_noise_process(const Launch& launch, const std::string& program);

class GtestDriver : public Driver {
 public:
  GtestDriver(const Launch& launch, const std::vector<GtestBinary>& binaries,
              const std::vector<GtestTest>& tests, Processes& processes);

  std::map<std::string, std::string> environment() const override;
  bool introduces() const override { return false; }
  Result<std::optional<int>> start(FileLedger& ledger, const Slots& slots, const Slot& slot) override;
  std::vector<JournalEvent> read(const ProcessEvent& event) override;
  std::string output_of_test(int process, const std::string& output) const override;
  void choose(int, const std::vector<std::size_t>&) override {}
  std::vector<JournalEvent> last_words(int process, const ProcessEnd& end, bool killed) override;
  int highest_exit_code() const override { return 1; }

 private:
  struct File {
    std::vector<const GtestTest*> tests;
    JournalEvent collected;  // the same tests as the ledger is told of them
  };

  struct Running {
    GtestReader reader;
    std::string written;                        // the end of its output stream
    std::map<std::string, std::string> suites;  // by gtest's name, as the ids have them
  };

  std::vector<const GtestTest*> next_tests(FileLedger& ledger);

  const Launch& launch_;
  const std::vector<GtestBinary>& binaries_;
  Processes& processes_;
  std::map<std::string, File> files_;  // by path
  std::map<int, Running> running_;     // by process
};

}  // namespace hwsift::runner
