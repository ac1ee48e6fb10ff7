// What comes out of a run, for every command that has a run to tell of: run, merge, replay and rerun.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "report/events.h"
#include "runner/result.h"

namespace hwsift::cli {

// What `-o` takes.
const std::vector<std::string>& run_formats();

int exit_code(const runner::RunRecord& record);
// Writes the outputs; the summary goes to stderr where no output shows it. The worst of `code`, of that of
// the run, and of that of an output that could not be written.
int publish(Context& context, const std::vector<report::OutputSpec>& outputs, const runner::RunRecord& record,
            int code = kClean);
// The outputs that are written while a run goes on.
class EventOutputs {
 public:
  EventOutputs() = default;
  EventOutputs(const EventOutputs&) = delete;
  EventOutputs& operator=(const EventOutputs&) = delete;
  ~EventOutputs();

  // Opens those of format jsonl, and takes them out of the list.
  Status open(std::vector<report::OutputSpec>& outputs);
  void begin(const std::string& device, std::size_t files, std::size_t selected);
  void add_to(report::Listeners& listeners);
  // An Error where not all could be written.
  Status end(const runner::RunRecord& record);

 private:
  struct Stream {
    std::string file;
    std::FILE* handle;
    std::unique_ptr<report::Events> events;
  };
  std::vector<Stream> streams_;
};

// Into the database of --db, or into that of the tree. A warning where that fails.
void remember(Context& context, const Tree& tree, const runner::RunRecord& record);

}  // namespace hwsift::cli
