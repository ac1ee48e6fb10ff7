#include "cli/cxx_scan.h"

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "analyzer/cxx/scan.h"
#include "base/environment.h"
#include "base/process.h"
#include "classifier/cxx_vocabulary.h"

namespace hwsift::cli {
namespace {

constexpr char kHelper[] = "hwsift-cxx";

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

}  // namespace

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
  options.compile_commands = tree.config.compile_commands;
  if (!context.globals.compile_commands.empty())
    options.compile_commands = path_from_here(context, context.globals.compile_commands);
  bool installed = !options.helper.empty();
  std::unique_ptr<Processes> processes = real_processes();
  analyzer::cxx::CxxScan scanned =
      analyzer::cxx::scan(*processes, installed ? files : named_alone(context, files),
                          classifier::cxx_lexicon(*tree.vocabulary), options);
  processes.reset();  // from here on a signal ends us, as it does anywhere else
  if (scanned.signal != 0) std::raise(scanned.signal);
  return std::move(scanned.files);
}

}  // namespace hwsift::cli
