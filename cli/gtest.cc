#include "cli/gtest.h"

#include <algorithm>
#include <csignal>

#include "base/text.h"
#include "runner/gtest_driver.h"

namespace hwsift::cli {
namespace {

constexpr const char* kDefaultSources = "test/cpp";

struct Named {
  std::string binary;
  std::vector<std::string> sources;
};

Named read_one(const std::string& given) {
  std::size_t colon = given.rfind(':');
  if (colon == std::string::npos) return {given, {}};
  Named named{given.substr(0, colon), {}};
  for (const std::string& source : split(given.substr(colon + 1), ','))
    if (!source.empty()) named.sources.push_back(source);
  return named;
}

bool is_kind(const Context& context, const std::string& path, FileInfo::Kind kind) {
  Result<FileInfo> info = context.disk.info(path);
  return info.ok() && info->kind == kind;
}

// In the working folder or in the tree, as paths of tests are; "" where it is in neither.
std::string find_binary(const Context& context, const Tree& tree, const std::string& name) {
  for (const std::string& path : {path_from_here(context, name), join_path(tree.root, name)})
    if (is_kind(context, path, FileInfo::Kind::file)) return path;
  return "";
}

int find_sources(Context& context, const Tree& tree, std::vector<std::string> named,
                 runner::GtestBinary& binary, std::vector<analyzer::SourcePath>& files) {
  std::string standard = join_path(tree.root, kDefaultSources);
  if (named.empty() && is_kind(context, standard, FileInfo::Kind::directory)) named = {standard};
  if (named.empty()) return kClean;
  analyzer::Discovery found;
  if (int bad = find_files(context, tree, named, found)) return bad;
  for (const Error& missing : found.missing) print_error(context, missing);
  if (!found.missing.empty()) return kUsage;
  for (analyzer::SourcePath& file : found.files) {
    binary.sources.push_back(file.path);
    files.push_back(std::move(file));
  }
  return kClean;
}

int open_binary(Context& context, const Tree& tree, const std::string& given, bool has_launcher,
                runner::GtestBinary& binary, std::vector<analyzer::SourcePath>& files) {
  Named named = read_one(given);
  std::string here = named.binary.empty() ? "" : find_binary(context, tree, named.binary);
  if (here.empty() && (named.binary.empty() || !has_launcher)) {
    print_error(context, {"--gtest " + given, "no such binary",
                          "write BINARY:SOURCES; a binary of a container needs its --launcher"});
    return kUsage;
  }
  binary.program = here.empty() ? named.binary : here;
  binary.path = here.empty() ? named.binary : path_below(here, tree.root);
  return find_sources(context, tree, std::move(named.sources), binary, files);
}

int no_list(const Context& context, const std::string& program, const std::string& why) {
  print_error(context,
              {program, "does not list its tests: " + why,
               "it must be a gtest binary that takes --gtest_list_tests where --launcher starts it"});
  return kUsage;
}

// Remembers which signal it was that asked us to stop.
class SignalKeeper : public Processes {
 public:
  explicit SignalKeeper(Processes& processes) : processes_(processes) {}

  Result<int> start(const ProcessSpec& spec) override { return processes_.start(spec); }
  ProcessEvent next(double seconds) override {
    ProcessEvent event = processes_.next(seconds);
    if (event.kind == ProcessEvent::Kind::signal) number_ = event.number;
    return event;
  }
  void send(int process, std::string_view line) override { processes_.send(process, line); }
  std::string output(int process) override { return processes_.output(process); }
  std::string captured(int process) override { return processes_.captured(process); }
  void abort(int process) override { processes_.abort(process); }
  void kill(int process) override { processes_.kill(process); }

  int exit_code() const { return number_ == SIGTERM ? kTerminated : kInterrupted; }

 private:
  Processes& processes_;
  int number_ = 0;
};

// What the binary prints beside its list; asked for only where the list leaves room for doubt.
Result<std::string> noise_beside(const std::string& list, Processes& processes, const runner::Launch& launch,
                                 double seconds, const std::string& program) {
  if (!runner::has_doubtful_names(list)) return std::string();
  Result<Finished> finished = run_to_end(processes, runner::gtest_noise_process(launch, program), seconds);
  if (!finished.ok()) return finished.error();
  return finished->captured;
}

int list_tests_of(Context& context, SignalKeeper& processes, const runner::Launch& launch, double seconds,
                  runner::GtestBinary& binary) {
  Result<Finished> finished =
      run_to_end(processes, runner::gtest_list_process(launch, binary.program), seconds);
  if (!finished.ok() && finished.error().what == kInterruptedWait) return processes.exit_code();
  if (!finished.ok()) return no_list(context, binary.program, finished.error().what);
  Result<std::string> noise = noise_beside(finished->captured, processes, launch, seconds, binary.program);
  if (!noise.ok() && noise.error().what == kInterruptedWait) return processes.exit_code();
  if (!noise.ok()) return no_list(context, binary.program, noise.error().what);
  binary.tests = runner::parse_gtest_list(finished->captured, *noise);
  bool none = trim(finished->captured).empty();  // a binary all of whose tests are taken out by its build
  if (none && finished->ending.code == 0) print_warning(context, {binary.program, "has no tests", ""});
  if ((none || !binary.tests.empty()) && finished->ending.code == 0) return kClean;
  std::string said = last_line(finished->output);
  return no_list(context, binary.program, finished->ending.text() + (said.empty() ? "" : ": " + said));
}

}  // namespace

int open_binaries(Context& context, const Tree& tree, const std::vector<std::string>& given,
                  bool has_launcher, std::vector<runner::GtestBinary>& binaries,
                  std::vector<analyzer::SourcePath>& files) {
  for (const std::string& one : given) {
    runner::GtestBinary binary;
    if (int bad = open_binary(context, tree, one, has_launcher, binary, files)) return bad;
    binaries.push_back(std::move(binary));
  }
  auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
  auto same = [](const auto& a, const auto& b) { return a.path == b.path; };
  std::stable_sort(files.begin(), files.end(), by_path);
  files.erase(std::unique(files.begin(), files.end(), same), files.end());
  return kClean;
}

int list_tests(Context& context, Processes& processes, const runner::Launch& launch, double seconds,
               std::vector<runner::GtestBinary>& binaries) {
  Stage stage(context.stopwatch, "list tests");
  SignalKeeper keeper(processes);
  for (runner::GtestBinary& binary : binaries)
    if (int bad = list_tests_of(context, keeper, launch, seconds, binary)) return bad;
  return kClean;
}

}  // namespace hwsift::cli
