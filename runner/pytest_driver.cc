#include "runner/pytest_driver.h"

#include <utility>

#include "base/text.h"

namespace hwsift::runner {

// The scout waits for its first file, and sees all devices.
std::optional<int> PytestDriver::use_scout(const FileLedger& ledger, const Slot& slot) {
  if (scout_ < 0) return std::nullopt;
  int scout = std::exchange(scout_, -1);
  if (slot.visible.empty() && launch_.mode == Mode::pytest) {
    processes_.send(scout, file_for_scout(launch_, ledger.path()));
    return scout;
  }
  processes_.kill(scout);
  return std::nullopt;
}

Result<std::optional<int>> PytestDriver::start(FileLedger& ledger, const Slots& slots, const Slot& slot) {
  if (std::optional<int> scout = use_scout(ledger, slot)) return scout;
  Result<int> process = processes_.start(file_process(launch_, ledger.path(), slots, slot));
  if (!process.ok()) return process.error();
  return std::optional<int>(*process);
}

std::vector<JournalEvent> PytestDriver::read(const ProcessEvent& event) {
  if (event.kind != ProcessEvent::Kind::line) return {};
  Result<JournalEvent> parsed = parse_event(event.text);
  if (!parsed.ok()) return {};
  return {std::move(*parsed)};
}

void PytestDriver::choose(int process, const std::vector<std::size_t>& run) {
  processes_.send(process, answer(run));
}

std::optional<Error> PytestDriver::objection(const std::map<std::string, std::string>& environment) const {
  if (environment.count("torch") > 0) return std::nullopt;
  return Error{launch_.python, "this Python has no torch",
               "name another one with --python FILE, or install PyTorch"};
}

// python FILE went by without a word of pytest: its main guard holds something else, or nothing.
std::optional<std::string> PytestDriver::passes_over(const ProcessEnd& end) const {
  if (launch_.mode != Mode::main) return std::nullopt;
  std::string how = end.timed_out ? "did not end in time" : "ended with " + end.ending.text();
  std::string said = end.ending.code == 0 ? "" : last_line(end.output);
  if (!said.empty()) how += ": " + said;
  return "its main guard runs no pytest: python FILE " + how;
}

// The first process ended before the plugin said a word: no other will do better.
Error PytestDriver::refusal(const ProcessEnd& end) const {
  std::string said = last_line(end.output);
  if (!said.empty()) said.insert(0, ": ");
  if (!launch_.launcher.empty())
    return {"--launcher " + join(launch_.launcher, " "),
            "no pytest was heard of before it ended with " + end.ending.text() + said,
            "it must start the command that follows it and hand on its open files"};
  std::string what = "this Python has no pytest";
  if (end.timed_out) {
    what = "does not start pytest within " + std::to_string(static_cast<int>(kStartLimit)) + " s";
  } else if (end.output.find("No module named pytest") == std::string::npos) {
    what = "cannot run pytest: " + end.ending.text() + said;
  }
  return {launch_.python, what, "name another one with --python FILE, or install pytest"};
}

void PytestDriver::give_up() {
  if (scout_ >= 0) processes_.kill(std::exchange(scout_, -1));
}

}  // namespace hwsift::runner
