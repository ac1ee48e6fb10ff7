#include "analyzer/cxx/scan.h"

#include <algorithm>
#include <csignal>
#include <string_view>
#include <utility>

#include "analyzer/cxx/analyze.h"
#include "analyzer/cxx/wire.h"
#include "base/clock.h"
#include "base/text.h"

namespace hwsift::analyzer::cxx {
namespace {

// A command line holds so many bytes of paths, well below the limit of any system.
constexpr std::size_t kMostPathBytes = 64u << 10;
// By which the helper ends where its arguments or the compile commands are wrong: no file is to blame.
constexpr int kUsageError = 2;

FileFacts unread(const SourcePath& file, const std::string& message) {
  FileFacts facts;
  facts.path = file.path;
  facts.language = "cpp";
  facts.origin = Origin::fast;
  facts.parse = {false, false, {{0, 0, message}}};
  return facts;
}

// Files next to each other in the list, read by one helper after another: a helper that a file brings down
// leaves the rest to the next.
struct Part {
  std::size_t next = 0;  // the first file without facts
  std::size_t end = 0;
  int process = -1;  // -1 while none runs
  double started = 0;
  bool late = false;
  std::string note = {};  // why the first file is read without its compile command; it is then alone
};

class Scanner {
 public:
  Scanner(Processes& processes, const std::vector<SourcePath>& files, const CxxLexicon& lexicon,
          const CxxScanOptions& options)
      : processes_(processes), files_(files), lexicon_(lexicon), options_(options), facts_(files.size()) {}

  CxxScan run() {
    if (options_.helper.empty()) {
      give_up("C++ files are read by hwsift-cxx, which is not installed (install it beside hwsift)");
      return {std::move(facts_)};
    }
    while (start_parts()) {
      ProcessEvent event = processes_.next(seconds_left());
      if (event.kind == ProcessEvent::Kind::ended) part_ended(event);
      if (event.kind == ProcessEvent::Kind::none) kill_late_parts();
      if (event.kind == ProcessEvent::Kind::signal) interrupt(event.number);
    }
    return {std::move(facts_), signal_};
  }

 private:
  // Keeps as many helpers at work as there are jobs; false where nothing is left to do.
  bool start_parts() {
    while (running_.size() < static_cast<std::size_t>(std::max(options_.jobs, 1)) && cut_ < files_.size()) {
      Part part = cut_part();
      if (start(part)) running_.push_back(part);
    }
    return !running_.empty();
  }

  // Small enough that the helpers end at about the same time.
  Part cut_part() {
    std::size_t jobs = static_cast<std::size_t>(std::max(options_.jobs, 1));
    std::size_t most = jobs == 1 ? files_.size() : std::max<std::size_t>(files_.size() / (jobs * 4), 1);
    std::size_t bytes = 0;
    Part part{cut_, cut_};
    while (part.end < files_.size() && part.end - part.next < most && bytes < kMostPathBytes)
      bytes += files_[part.end++].absolute.size() + 1;
    cut_ = part.end;
    return part;
  }

  // False where no helper will read the part, or none is needed.
  bool start(Part& part) {
    if (part.next == part.end) return false;
    Result<int> process = processes_.start(command(part));
    if (!process.ok()) return fail(part, to_string(process.error())), false;
    part.process = *process;
    part.started = real_clock().now();
    part.late = false;
    return true;
  }

  ProcessSpec command(const Part& part) const {
    ProcessSpec spec;
    bool full = is_full(part);
    spec.command = {options_.helper,
                    "--seconds",
                    std::to_string(seconds(part)),
                    "--megabytes",
                    std::to_string(full ? options_.full_megabytes : options_.megabytes),
                    "--bytes",
                    std::to_string(std::max<std::size_t>(options_.max_file_bytes, 1))};
    if (full) spec.command.insert(spec.command.end(), {"--compile-commands", options_.compile_commands});
    for (const std::string& macro : lexicon_.macros) spec.command.push_back("-D" + macro);
    spec.command.emplace_back("--");
    for (std::size_t i = part.next; i < end_of_run(part); ++i) spec.command.push_back(files_[i].absolute);
    spec.capture = true;
    return spec;
  }

  bool is_full(const Part& part) const { return !options_.compile_commands.empty() && part.note.empty(); }

  int seconds(const Part& part) const { return is_full(part) ? options_.full_seconds : options_.seconds; }

  // Behind the last file of its present helper.
  std::size_t end_of_run(const Part& part) const { return part.note.empty() ? part.end : part.next + 1; }

  // The helper ends itself when a file takes too long, at the latest after ten times its processor time; this
  // is for one that cannot.
  double deadline(const Part& part) const {
    return part.started + (seconds(part) * 10 + 1.0) * static_cast<double>(end_of_run(part) - part.next);
  }

  double seconds_left() const {
    double earliest = deadline(running_.front());
    for (const Part& part : running_) earliest = std::min(earliest, deadline(part));
    return std::max(earliest - real_clock().now(), 0.0);
  }

  void kill_late_parts() {
    for (Part& part : running_) {
      if (deadline(part) > real_clock().now()) continue;
      part.late = true;
      processes_.kill(part.process);
    }
  }

  void part_ended(const ProcessEvent& event) {
    auto found = std::find_if(running_.begin(), running_.end(),
                              [&](const Part& part) { return part.process == event.process; });
    if (found == running_.end()) return;
    Part part = *found;
    running_.erase(found);
    std::size_t before = part.next;
    std::size_t end = end_of_run(part);
    if (!read_lines(part, end, processes_.captured(part.process))) return;
    if (part.next < end && !blame(part, event.ending, before)) return;
    if (start(part)) running_.push_back(part);
  }

  bool read_lines(Part& part, std::size_t end, const std::string& output) {
    for (std::string_view rest = output; part.next < end;) {
      std::size_t feed = rest.find('\n');
      if (feed == std::string_view::npos) return true;
      Result<LexedLine> lexed = from_line(std::string(rest.substr(0, feed)));
      if (!lexed.ok()) return fail(part, to_string(lexed.error())), false;
      rest.remove_prefix(feed + 1);
      if (!part.note.empty()) lexed->file.notes.push_back(std::exchange(part.note, ""));
      facts_[part.next] = analyze(files_[part.next].path, lexed->file, lexicon_);
      ++part.next;
    }
    return true;
  }

  // The first file without a line is the one that ended the helper; false where no other will do better.
  bool blame(Part& part, const Ending& ending, std::size_t before) {
    bool full = is_full(part);
    if (ending.signal == 0 && part.next == before && (!full || ending.code == kUsageError)) {
      std::string said(trim(processes_.output(part.process)));
      fail(part, options_.helper + " ended with " + ending.text() + (said.empty() ? "" : ": " + said) +
                     " (install hwsift-cxx of the same version as hwsift)");
      return false;
    }
    std::string how = "hwsift-cxx ended with " + ending.text() + " on it";
    if (ending.signal == SIGPROF || ending.signal == SIGALRM || part.late)
      how = "takes longer than " + std::to_string(seconds(part)) + " s to read";
    part.note.clear();
    if (full)
      part.note = "read without headers: " + how;
    else
      facts_[part.next] = unread(files_[part.next], how + " (name it under exclude in hwsift.yaml)"),
      ++part.next;
    return true;
  }

  void fail(Part& part, const std::string& message) {
    for (; part.next < part.end; ++part.next) facts_[part.next] = unread(files_[part.next], message);
  }

  void interrupt(int signal) {
    signal_ = signal;
    for (const Part& part : running_) processes_.kill(part.process);
    for (std::size_t left = running_.size(); left > 0;)
      if (processes_.next(5).kind == ProcessEvent::Kind::ended) --left;
    running_.clear();
    cut_ = files_.size();
    give_up(to_string(Error{options_.helper, kInterruptedWait, ""}));
  }

  // What has no facts yet gets none.
  void give_up(const std::string& message) {
    for (std::size_t i = 0; i < files_.size(); ++i)
      if (facts_[i].path.empty()) facts_[i] = unread(files_[i], message);
  }

  Processes& processes_;
  const std::vector<SourcePath>& files_;
  const CxxLexicon& lexicon_;
  const CxxScanOptions& options_;
  std::vector<FileFacts> facts_;  // of each file; without a path where it has none yet
  std::vector<Part> running_;
  std::size_t cut_ = 0;  // where the next part begins
  int signal_ = 0;
};

}  // namespace

CxxScan scan(Processes& processes, const std::vector<SourcePath>& files, const CxxLexicon& lexicon,
             const CxxScanOptions& options) {
  return Scanner(processes, files, lexicon, options).run();
}

}  // namespace hwsift::analyzer::cxx
