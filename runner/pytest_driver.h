// One pytest process a file, under the plugin of hwsift, which tells of its tests over a channel.
#pragma once

#include "runner/driver.h"
#include "runner/launch.h"

namespace hwsift::runner {

inline constexpr double kStartLimit = 300;  // seconds from the start of Python to the plugin's first word

class PytestDriver : public Driver {
 public:
  // `scout` is a process by launch.h that takes the first file, -1 for none.
  PytestDriver(const Launch& launch, int scout, Processes& processes)
      : launch_(launch), scout_(scout), processes_(processes) {}

  std::map<std::string, std::string> environment() const override { return {}; }
  bool introduces() const override { return true; }
  Result<std::optional<int>> start(FileLedger& ledger, const Slots& slots, const Slot& slot) override;
  std::vector<JournalEvent> read(const ProcessEvent& event) override;
  void choose(int process, const std::vector<std::size_t>& run) override;
  std::vector<JournalEvent> last_words(int, const ProcessEnd&, bool) override { return {}; }
  int highest_exit_code() const override { return 5; }
  std::optional<Error> objection(const std::map<std::string, std::string>& environment) const override;
  std::optional<std::string> passes_over(const ProcessEnd& end) const override;
  Error refusal(const ProcessEnd& end) const override;
  void give_up() override;

 private:
  std::optional<int> use_scout(const FileLedger& ledger, const Slot& slot);

  const Launch& launch_;
  int scout_ = -1;
  Processes& processes_;
};

}  // namespace hwsift::runner
