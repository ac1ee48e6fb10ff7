#include "cli/run_output.h"

#include <algorithm>
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

// Of a rerun, by the document that was written or is still to be.
std::string rerun_step(const std::string& document, const char* what) {
  if (!document.empty()) return "Next: `hwsift rerun " + printable(document) + what + "`.";
  return std::string("Next: with -o json:FILE, `hwsift rerun FILE") + what + "` would go on from there.";
}

std::string next_step(const runner::RunRecord& record, int code, const std::string& document) {
  bool quarantined =
      std::any_of(record.results.begin(), record.results.end(),
                  [](const runner::TestResult& r) { return is_bad(r.outcome) && r.quarantined; });
  switch (code) {
    case kClean:
      if (record.predicted == 0) return "Nothing is in this part of the plan.";
      return std::string(record.not_run.count(runner::kNotThere) == 0
                             ? "All selected tests were run; none failed"
                             : "All selected tests that pytest found were run; none failed") +
             (quarantined ? " but those in quarantine." : ".");
    case kFindings:
      return rerun_step(document, "") + (document.empty() ? "" : " The tracebacks are in the document.");
    case kNothingSelected:
      return "Next: `hwsift select` with the same options says why no test is left.";
    case kEnvironment:
      return "The device failed, not the tests. " + rerun_step(document, " --not-run");
    case kIncomplete:
      if (!record.missing_shards.empty()) return "Next: run the missing shards, and merge once more.";
      return "The account is open: see 'Not run' above. " + rerun_step(document, " --not-run");
    case kInterrupted:
    case kTerminated:
      return rerun_step(document, " --not-run");
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
  if (incomplete(record) && record.results.empty() && record.device_problem.empty()) return kIncomplete;
  // An empty shard of a plan that is not empty; of an empty plan a run is no shard.
  if (record.predicted == 0 && record.results.empty())
    return record.shard.total > 0 ? kClean : kNothingSelected;
  if (!record.device_problem.empty()) return kEnvironment;
  int code = incomplete(record) ? kIncomplete : kClean;
  for (const runner::TestResult& result : record.results)
    if (result.fails_run()) return worse(code, kFindings);
  return code;
}

int publish(Context& context, const std::vector<report::OutputSpec>& outputs, const runner::RunRecord& record,
            int code) {
  std::string document;
  for (const report::OutputSpec& output : outputs) {
    int written = emit_all(context, {output},
                           [&](const report::OutputSpec& one) { return render(context, one, record); });
    code = worse(code, written);
    if (written != kClean || output.file.empty()) continue;
    print_note(context, output.format + ": " + printable(output.file));
    if (output.format == "json") document = output.file;
  }
  if (!text_on_stdout(outputs))
    print_note(context, std::string(trim(report::run_text(record, context.err_style()))));
  code = worse(code, exit_code(record));
  if (std::string step = next_step(record, code, document); !step.empty()) print_note(context, step);
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
