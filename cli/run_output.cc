#include "cli/run_output.h"

#include <cerrno>
#include <csignal>
#include <system_error>

#include "base/text.h"
#include "report/junit.h"
#include "report/run.h"
#include "report/run_github.h"
#include "store/store.h"

namespace hwsift::cli {
namespace {

// Where GitHub finds the files of the tree; a document can be read where there is none.
std::string folder_of_tree(Context& context) {
  Result<std::string> root = analyzer::find_tree(context.disk, context.globals.directory);
  return root.ok() ? from_checkout(*root) : "";
}

std::string render(Context& context, const report::OutputSpec& output, const runner::RunRecord& record) {
  if (output.format == "json") return report::run_json(record);
  if (output.format == "jsonl") return report::run_jsonl(record);
  if (output.format == "junit") return report::run_junit(record);
  if (output.format == "github") return report::run_github(record, folder_of_tree(context));
  if (output.format == "summary") return report::run_summary(record);
  return report::run_text(record, context.style_for(output));
}

const char* next_step(int code) {
  switch (code) {
    case kClean:
      return "All selected tests were run; none failed.";
    case kFindings:
      return "Next: run one file again with `hwsift run FILE -o json`, which holds the tracebacks.";
    case kNothingSelected:
      return "Next: `hwsift select` says why no test is for this device.";
    case kEnvironment:
      return "The device failed, not the tests: `hwsift rerun DOCUMENT --not-run` goes on where this run "
             "ended.";
    case kIncomplete:
      return "The run is incomplete: see 'Not run' above, and the shards that are missing.";
    default:
      return "";
  }
}

bool text_on_stdout(const std::vector<report::OutputSpec>& outputs) {
  for (const report::OutputSpec& output : outputs)
    if (output.format == "text" && output.file.empty()) return true;
  return false;
}

}  // namespace

const std::vector<std::string>& run_formats() {
  static const std::vector<std::string> formats{"text", "json", "junit", "github", "summary", "jsonl"};
  return formats;
}

EventOutputs::~EventOutputs() {
  for (const Stream& stream : streams_)
    if (stream.handle != stdout) std::fclose(stream.handle);
}

Status EventOutputs::open(std::vector<report::OutputSpec>& outputs) {
  for (const report::OutputSpec& output : outputs) {
    if (output.format != "jsonl") continue;
    std::FILE* handle = output.file.empty() ? stdout : std::fopen(output.file.c_str(), "we");
    if (handle == nullptr)
      return Error{output.file, "cannot write: " + std::generic_category().message(errno),
                   "name a file that can be written"};
    streams_.push_back({output.file, handle, std::make_unique<report::Events>(handle)});
  }
  std::erase_if(outputs, [](const report::OutputSpec& output) { return output.format == "jsonl"; });
  return {};
}

void EventOutputs::begin(const std::string& device, std::size_t files, std::size_t selected) {
  for (const Stream& stream : streams_)
    stream.events->run_started(device, real_clock().utc(), files, selected);
}

void EventOutputs::add_to(report::Listeners& listeners) {
  for (const Stream& stream : streams_) listeners.add(*stream.events);
}

Status EventOutputs::end(const runner::RunRecord& record) {
  for (const Stream& stream : streams_) {
    stream.events->run_ended(record);
    if (stream.events->failed())
      return Error{stream.file.empty() ? "standard output" : stream.file, "not all events could be written",
                   "see whether the disk is full or the pipe was closed"};
  }
  return {};
}

int exit_code(const runner::RunRecord& record) {
  if (record.signal != 0) return record.signal == SIGINT ? kInterrupted : kTerminated;
  // An empty shard of a plan that is not empty; of an empty plan a run is no shard.
  if (record.predicted == 0 && record.results.empty())
    return record.shard.total > 0 ? kClean : kNothingSelected;
  if (!record.device_problem.empty()) return kEnvironment;
  int code = incomplete(record) || record.results.empty() ? kIncomplete : kClean;
  for (const runner::TestResult& result : record.results)
    if (result.fails_run()) return worse(code, kFindings);
  return code;
}

int publish(Context& context, const std::vector<report::OutputSpec>& outputs,
            const runner::RunRecord& record) {
  int code = emit_all(context, outputs,
                      [&](const report::OutputSpec& output) { return render(context, output, record); });
  if (!text_on_stdout(outputs))
    print_note(context, std::string(trim(report::run_text(record, context.err_style()))));
  for (const report::OutputSpec& output : outputs)
    if (!output.file.empty()) print_note(context, output.format + ": " + printable(output.file));
  code = worse(code, exit_code(record));
  if (std::string step = next_step(code); !step.empty()) print_note(context, step);
  return code;
}

// The database is a convenience: a run goes on without it.
void remember(Context& context, const Tree& tree, const runner::RunRecord& record) {
  Stage stage(context.stopwatch, "store");
  std::string file = context.globals.db;
  if (file.empty()) {
    Result<std::string> standard = store::default_file(context.disk, tree.root);
    if (!standard.ok()) return print_warning(context, standard.error());
    file = *standard;
  }
  Result<store::Store> database = store::Store::open(file);
  if (!database.ok()) return print_warning(context, database.error());
  if (Status recorded = database->record_run(record); !recorded.ok())
    print_warning(context, recorded.error());
}

}  // namespace hwsift::cli
