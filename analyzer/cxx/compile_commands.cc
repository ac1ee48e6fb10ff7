#include "analyzer/cxx/compile_commands.h"

#include <clang/Basic/Version.h>
#include <clang/Driver/Options.h>
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

// Beginnings of names of options that write files, load code or speak to the compiler's inner program.
constexpr std::string_view kUnwantedNames[] = {"Xclang",
                                               "Xpreprocessor",
                                               "dependency-dot",
                                               "diagnostic-log-file",
                                               "fcrash-diagnostics",
                                               "fmodule-output",
                                               "fpass-plugin",
                                               "fplugin",
                                               "fproc-stat-report",
                                               "fsave-optimization-record",
                                               "ftime-",
                                               "gen-cdb-fragment-path",
                                               "load",
                                               "mllvm",
                                               "save-stats",
                                               "save-temps",
                                               "serialize-diagnostics"};

// -fmodules keeps a cache of what it compiled.
constexpr clang::driver::options::ID kUnwanted[] = {
    clang::driver::options::OPT_Action_Group,   clang::driver::options::OPT_M_Group,
    clang::driver::options::OPT_W_Group,        clang::driver::options::OPT_fcxx_modules,
    clang::driver::options::OPT_fmodules,       clang::driver::options::OPT_o,
    clang::driver::options::OPT_pedantic_Group,
};

// -Wp,-MD,x.d
bool writes_dependencies(const llvm::opt::Arg& argument) {
  return argument.getOption().matches(clang::driver::options::OPT_Wp_COMMA) &&
         std::any_of(argument.getValues().begin(), argument.getValues().end(),
                     [](const char* value) { return std::string_view(value).starts_with("-M"); });
}

// An object beside the source, or the value of a flag that Clang does not know, is nothing to compile.
bool is_other_input(const llvm::opt::Arg& argument, const std::string& path) {
  return argument.getOption().getKind() == llvm::opt::Option::InputClass &&
         program_of(argument.getValue()) != program_of(path);
}

bool is_wanted(const llvm::opt::Arg& argument, const std::string& path) {
  const llvm::opt::Option& option = argument.getOption();
  std::string name = option.getName().str();
  auto begins_name = [&](std::string_view beginning) { return name.starts_with(beginning); };
  auto matches = [&](clang::driver::options::ID unwanted) { return option.matches(unwanted); };
  return option.getKind() != llvm::opt::Option::UnknownClass &&
         std::none_of(std::begin(kUnwanted), std::end(kUnwanted), matches) &&
         std::none_of(std::begin(kUnwantedNames), std::end(kUnwantedNames), begins_name) &&
         !writes_dependencies(argument) && !is_other_input(argument, path);
}

// As a driver reads them that is called as clang++: clang-cl's own /O2 would take -O2.
llvm::opt::InputArgList parse(const std::vector<const char*>& words) {
  namespace options = clang::driver::options;
  unsigned missing_index = 0;
  unsigned missing_count = 0;
  const llvm::opt::OptTable& table = clang::driver::getDriverOptTable();
#if CLANG_VERSION_MAJOR < 15
  constexpr unsigned kOthers = options::NoDriverOption | options::CLOption | options::FlangOnlyOption;
  return table.ParseArgs(words, missing_index, missing_count, 0, kOthers);
#elif CLANG_VERSION_MAJOR < 18
  constexpr unsigned kOthers = options::NoDriverOption | options::CLOption | options::CLDXCOption |
                               options::DXCOption | options::FlangOnlyOption;
  return table.ParseArgs(words, missing_index, missing_count, 0, kOthers);
#else
  return table.ParseArgs(words, missing_index, missing_count, llvm::opt::Visibility(options::ClangOption));
#endif
}

// "-Xclang -include -Xclang FILE": how CMake names the header that a build precompiles.
void keep_precompiled_headers(const std::vector<std::string>& inner, Arguments& out) {
  for (std::size_t i = 0; i + 1 < inner.size(); ++i)
    if (inner[i] == "-include") out.insert(out.end(), {"-include", inner[i + 1]});
}

// What says how the file reads. Flags of GCC alone would be errors, and so would warnings be where the build
// says so; and nothing is to be written.
Arguments for_reading(const Arguments& arguments, const std::string& path) {
  std::vector<const char*> words;
  for (std::size_t i = 1; i < arguments.size(); ++i) words.push_back(arguments[i].c_str());
  llvm::opt::InputArgList parsed = parse(words);
  llvm::opt::ArgStringList kept;
  for (const llvm::opt::Arg* argument : parsed)
    if (is_wanted(*argument, path)) argument->render(parsed, kept);
  Arguments all = {"clang++", "-Wno-everything"};
  keep_precompiled_headers(parsed.getAllArgValues(clang::driver::options::OPT_Xclang), all);
  all.insert(all.end(), kept.begin(), kept.end());
  return all;
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
  return CompileCommand{found.front().Directory, for_reading(arguments, found.front().Filename)};
}

}  // namespace hwsift::analyzer::cxx
