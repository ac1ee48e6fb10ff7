// compile_commands.json: how a build compiles each file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace clang::tooling {
class CompilationDatabase;
}

namespace hwsift::analyzer::cxx {

struct CompileCommand {
  std::string folder;                  // that it runs in
  std::vector<std::string> arguments;  // for Clang, which then only checks the file
};

class CompileCommands {
 public:
  // `path` is the file, or the folder that holds one named compile_commands.json.
  static Result<CompileCommands> load(const std::string& path);

  // Of an absolute path, the first where it has several. Flags that Clang does not know and warnings are left
  // out. An Error where there is none, or it is for a compiler whose language Clang does not read.
  Result<CompileCommand> of(const std::string& path) const;

 private:
  std::shared_ptr<clang::tooling::CompilationDatabase> database_;
};

}  // namespace hwsift::analyzer::cxx
