#include "cli/cxx_scan.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string_view>
#include <utility>

#include "analyzer/cxx/scan.h"
#include "base/environment.h"
#include "base/json.h"
#include "base/process.h"
#include "classifier/cxx_vocabulary.h"

namespace hwsift::cli {
namespace {

constexpr char kHelper[] = "hwsift-cxx";
constexpr std::string_view kWithoutHeaders = "read without headers: ";  // how each such note begins

std::vector<analyzer::SourcePath> named_alone(Context& context,
                                              const std::vector<analyzer::SourcePath>& files) {
  std::vector<analyzer::SourcePath> named;
  std::copy_if(files.begin(), files.end(), std::back_inserter(named),
               [](const analyzer::SourcePath& file) { return file.named; });
  std::size_t left_out = files.size() - named.size();
  if (left_out > 0)
    print_warning(context, {std::string(kHelper),
                            "not installed, so that " + std::to_string(left_out) + " C++ files are left out",
                            "install it beside hwsift, or name the Python files alone"});
  return named;
}

// The option, else the setting; "" where there is neither.
std::string compile_commands_of(const Context& context, const Tree& tree) {
  const std::string& given = context.globals.compile_commands;
  return given.empty() ? tree.config.compile_commands : path_from_here(context, given);
}

// Why a file that was to be read in full was not; "" of any other.
std::string why_without_headers(const analyzer::FileFacts& file) {
  for (const std::string& note : file.parse.notes)
    if (note.starts_with(kWithoutHeaders)) return note.substr(kWithoutHeaders.size());
  return "";
}

// Such a file loses names alone, which no category or finding shows.
void warn_of_files_without_headers(const Context& context, const std::vector<analyzer::FileFacts>& files) {
  auto lacks_headers = [](const analyzer::FileFacts& file) { return !why_without_headers(file).empty(); };
  auto first = std::find_if(files.begin(), files.end(), lacks_headers);
  if (first == files.end()) return;
  auto count = std::count_if(files.begin(), files.end(), lacks_headers);
  print_warning(context, {"",
                          std::to_string(count) + " of " + std::to_string(files.size()) +
                              " C++ files were read without headers, the first: " + first->path + ": " +
                              why_without_headers(*first),
                          "'hwsift scan -o json' has the reason of each"});
}

}  // namespace

Status check_compile_commands(Context& context, const Tree& tree) {
  constexpr std::size_t kMostBytes = 1u << 30;
  constexpr char kRemedy[] = "CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON";
  std::string path = compile_commands_of(context, tree);
  if (path.empty()) return {};
  Result<FileInfo> info = context.disk.info(path);
  if (info.ok() && info->kind == FileInfo::Kind::directory) path = join_path(path, "compile_commands.json");
  Result<std::string> bytes = context.disk.read(path, kMostBytes);
  if (!bytes.ok()) return Error{path, "no compile commands: " + bytes.error().what, kRemedy};
  Result<SortedJson> parsed = parse_sorted_json(*bytes, path);
  if (!parsed.ok()) return Error{parsed.error().where, parsed.error().what, kRemedy};
  if (!parsed->is_array()) return Error{path, "not a list of compile commands", kRemedy};
  return {};
}

std::string cxx_helper() {
  std::error_code failure;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failure);
  std::filesystem::path beside = self.parent_path() / kHelper;
  if (!failure && std::filesystem::exists(beside, failure)) return beside.string();
  return find_program(kHelper, environment_variable("PATH").value_or(""));
}

std::vector<analyzer::FileFacts> scan_cxx_files(Context& context, const Tree& tree,
                                                const std::vector<analyzer::SourcePath>& files) {
  analyzer::cxx::CxxScanOptions options;
  options.helper = cxx_helper();
  options.jobs = context.jobs();
  options.max_file_bytes = scan_options(tree, 1).max_file_bytes;
  options.compile_commands = compile_commands_of(context, tree);
  bool installed = !options.helper.empty();
  std::unique_ptr<Processes> processes = real_processes();
  analyzer::cxx::CxxScan scanned =
      analyzer::cxx::scan(*processes, installed ? files : named_alone(context, files),
                          classifier::cxx_lexicon(*tree.vocabulary), options);
  processes.reset();  // from here on a signal ends us, as it does anywhere else
  if (scanned.signal != 0) std::raise(scanned.signal);
  warn_of_files_without_headers(context, scanned.files);
  return std::move(scanned.files);
}

}  // namespace hwsift::cli
