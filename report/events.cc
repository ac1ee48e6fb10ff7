#include "report/events.h"

#include <set>

#include "base/json.h"
#include "report/run.h"

namespace hwsift::report {
namespace {

using runner::RunRecord;
using runner::TestResult;

std::string line_of(const Json& event) { return dump_json(event, -1) + "\n"; }

std::string path_event(const char* kind, const std::string& path) {
  return line_of({{"event", kind}, {"path", path}});
}

std::string start_event(const std::string& id) { return line_of({{"event", "test_started"}, {"id", id}}); }

std::string end_event(const TestResult& result) {
  return line_of({{"event", "test_ended"},
                  {"id", result.id},
                  {"outcome", word(result.outcome)},
                  {"seconds", result.seconds},
                  {"attempt", result.attempts},
                  {"message", result.message}});
}

std::string run_start_event(const std::string& device, const std::string& started, std::size_t files,
                            std::size_t selected) {
  return line_of({{"event", "run_started"},
                  {"schema", "hwsift.events/1"},
                  {"device", device},
                  {"started", started},
                  {"files", files},
                  {"selected", selected}});
}

std::string run_end_event(const RunRecord& record) {
  Json not_run = Json::object();
  for (const auto& [reason, ids] : record.not_run) not_run[reason] = ids.size();
  return line_of({{"event", "run_ended"},
                  {"counts", counts_json(record)},
                  {"not_run", not_run},
                  {"seconds", record.seconds},
                  {"complete", !incomplete(record) && record.signal == 0}});
}

}  // namespace

void Events::run_started(const std::string& device, const std::string& started, std::size_t files,
                         std::size_t selected) {
  say(run_start_event(device, started, files, selected));
}
void Events::file_started(const std::string& path) { say(path_event("file_started", path)); }
void Events::test_started(const std::string& id) { say(start_event(id)); }
void Events::test_ended(const TestResult& result) { say(end_event(result)); }
void Events::file_ended(const std::string& path) { say(path_event("file_ended", path)); }
void Events::run_ended(const RunRecord& record) { say(run_end_event(record)); }

void Events::say(const std::string& line) {
  if (failed_) return;
  failed_ = std::fwrite(line.data(), 1, line.size(), stream_) != line.size() || std::fflush(stream_) != 0;
}

// Results stand by file already.
std::string run_jsonl(const RunRecord& record) {
  std::set<std::string> files;
  for (const TestResult& result : record.results) files.insert(result.path);
  std::string text = run_start_event(record.device, record.started, files.size(), record.predicted);
  for (std::size_t i = 0; i < record.results.size(); ++i) {
    const TestResult& result = record.results[i];
    if (i == 0 || record.results[i - 1].path != result.path) text += path_event("file_started", result.path);
    text += start_event(result.id) + end_event(result);
    bool last = i + 1 == record.results.size() || record.results[i + 1].path != result.path;
    if (last) text += path_event("file_ended", result.path);
  }
  return text + run_end_event(record);
}

void Listeners::file_started(const std::string& path) {
  for (runner::RunListener* one : all_) one->file_started(path);
}
void Listeners::test_started(const std::string& id) {
  for (runner::RunListener* one : all_) one->test_started(id);
}
void Listeners::test_ended(const TestResult& result) {
  for (runner::RunListener* one : all_) one->test_ended(result);
}
void Listeners::file_ended(const std::string& path) {
  for (runner::RunListener* one : all_) one->file_ended(path);
}
void Listeners::tick() {
  for (runner::RunListener* one : all_) one->tick();
}

}  // namespace hwsift::report
