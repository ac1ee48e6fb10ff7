#include "analyzer/cxx/compile_commands.h"

#include <clang/Basic/Version.h>
#include <clang/Driver/Options.h>
#include <clang/Tooling/ArgumentsAdjusters.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace hwsift::analyzer::cxx {
namespace {

using Arguments = std::vector<std::string>;

std::string program_of(const std::string& path) { return llvm::sys::path::filename(path).str(); }

// ccache g++ ...: what stands before the compiler goes.
void drop_launchers(Arguments& arguments) {
  auto is_launcher = [](const std::string& path) {
    std::string name = program_of(path);
    return name == "ccache" || name == "sccache" || name == "distcc" || name == "icecc";
  };
  while (arguments.size() > 1 && is_launcher(arguments.front())) arguments.erase(arguments.begin());
}

// gcc, x86_64-linux-gnu-g++-12, c++, clang++, icpx: those that take Clang's flags, for the most part.
bool is_like_clang(const std::string& program) {
  constexpr std::string_view kOthers[] = {"nvcc", "hipcc", "clang-cl", "cl.exe", "dpcpp"};
  return std::none_of(std::begin(kOthers), std::end(kOthers),
                      [&](std::string_view other) { return program.find(other) != std::string::npos; });
}

bool is_wanted(const llvm::opt::Arg& argument) {
  namespace options = clang::driver::options;
  const llvm::opt::Option& option = argument.getOption();
  return option.getKind() != llvm::opt::Option::UnknownClass && !option.matches(options::OPT_W_Group) &&
         !option.matches(options::OPT_pedantic_Group);
}

llvm::opt::InputArgList parse(const std::vector<const char*>& words) {
  unsigned missing_index = 0;
  unsigned missing_count = 0;
  const llvm::opt::OptTable& table = clang::driver::getDriverOptTable();
#if CLANG_VERSION_MAJOR < 17
  return table.ParseArgs(words, missing_index, missing_count, 0, clang::driver::options::NoDriverOption);
#else
  return table.ParseArgs(words, missing_index, missing_count);
#endif
}

// Flags of GCC alone would be errors, and so would warnings be where the build says so.
Arguments without_foreign_flags(const Arguments& arguments) {
  std::vector<const char*> words;
  for (std::size_t i = 1; i < arguments.size(); ++i) words.push_back(arguments[i].c_str());
  llvm::opt::InputArgList parsed = parse(words);
  llvm::opt::ArgStringList kept;
  for (const llvm::opt::Arg* argument : parsed)
    if (is_wanted(*argument)) argument->render(parsed, kept);
  Arguments all = {"clang++", "-Wno-everything"};
  all.insert(all.end(), kept.begin(), kept.end());
  return all;
}

Arguments for_checking(Arguments arguments, const std::string& path) {
  namespace tooling = clang::tooling;
  for (const tooling::ArgumentsAdjuster& adjust :
       {tooling::getStripPluginsAdjuster(), tooling::getClangStripOutputAdjuster(),
        tooling::getClangStripDependencyFileAdjuster(), tooling::getClangSyntaxOnlyAdjuster()})
    arguments = adjust(arguments, path);
  return without_foreign_flags(arguments);
}

}  // namespace

Result<CompileCommands> CompileCommands::load(const std::string& path) {
  std::string file = path;
  if (llvm::sys::fs::is_directory(file)) file += "/compile_commands.json";
  std::string why;
  std::unique_ptr<clang::tooling::CompilationDatabase> database =
      clang::tooling::JSONCompilationDatabase::loadFromFile(
          file, why, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (database == nullptr)
    return Error{file, "cannot be read as compile commands: " + llvm::StringRef(why).trim().str(),
                 "CMake writes the file with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"};
  CompileCommands commands;
  commands.database_ =
      clang::tooling::expandResponseFiles(std::move(database), llvm::vfs::getRealFileSystem());
  return commands;
}

Result<CompileCommand> CompileCommands::of(const std::string& path) const {
  std::vector<clang::tooling::CompileCommand> found = database_->getCompileCommands(path);
  if (found.empty()) return Error{path, "no compile command names it", ""};
  Arguments arguments = std::move(found.front().CommandLine);
  drop_launchers(arguments);
  if (arguments.empty() || !is_like_clang(program_of(arguments.front())))
    return Error{
        path, "its compile command is for " + (arguments.empty() ? "nothing" : program_of(arguments.front())),
        ""};
  return CompileCommand{found.front().Directory, for_checking(std::move(arguments), path)};
}

}  // namespace hwsift::analyzer::cxx
