#include "analyzer/cxx/resolve.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/Version.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/Tooling.h>
#include <dlfcn.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "analyzer/cxx/positions.h"
#include "analyzer/cxx/references.h"

namespace hwsift::analyzer::cxx {
namespace {

class Consumer : public clang::ASTConsumer {
 public:
  Consumer(const clang::SourceManager& sources, References& out) : sources_(sources), out_(out) {}

  void HandleTranslationUnit(clang::ASTContext& context) override { out_ = read_references(context); }

  // Most of what headers hold: names do not depend on it.
  bool shouldSkipFunctionBody(clang::Decl* declaration) override {
    return !sources_.isInMainFile(sources_.getExpansionLoc(declaration->getLocation()));
  }

 private:
  const clang::SourceManager& sources_;
  References& out_;
};

class ReadReferences : public clang::ASTFrontendAction {
 public:
  explicit ReadReferences(References& out) : out_(out) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    compiler.getFrontendOpts().SkipFunctionBodies = true;
    return std::make_unique<Consumer>(compiler.getSourceManager(), out_);
  }

 private:
  References& out_;
};

// The first error, with its place.
class FirstError : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    if (level < clang::DiagnosticsEngine::Error || !text.empty()) return;
    llvm::SmallString<128> message;
    info.FormatDiagnostic(message);
    text = place_of(info) + message.str().str();
  }

  std::string text;

 private:
  static std::string place_of(const clang::Diagnostic& info) {
    if (!info.hasSourceManager() || info.getLocation().isInvalid()) return "";
    clang::PresumedLoc place = info.getSourceManager().getPresumedLoc(info.getLocation());
    if (place.isInvalid()) return "";
    return llvm::sys::path::filename(place.getFilename()).str() + ":" + std::to_string(place.getLine()) +
           ": ";
  }
};

// The folder of the library that Clang was loaded from.
std::string library_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&clang::getClangFullVersion), &info) == 0) return "";
  llvm::SmallString<128> real;
  if (llvm::sys::fs::real_path(info.dli_fname, real)) return "";
  return llvm::sys::path::parent_path(real).str();
}

// Clang's own headers, stddef.h and the like: where the build found them, else where distributions keep them.
std::string resource_folder() {
  const std::string major = std::to_string(CLANG_VERSION_MAJOR);
  std::vector<std::string> folders = {HWSIFT_CLANG_RESOURCES};
  for (const std::string& root : {library_folder(), "/usr/lib/llvm-" + major + "/lib"})
    for (const std::string& version : {major, std::string(CLANG_VERSION_STRING)})
      folders.push_back(std::string(root).append("/clang/").append(version));
  for (const std::string& folder : folders)
    if (llvm::sys::fs::exists(folder + "/include/stddef.h")) return folder;
  return folders.front();
}

void add_names(const References& references, LexedFile& file, Positions positions) {
  using Key = std::tuple<int, int, std::string>;
  std::map<Key, const std::string*> by_place;
  for (const auto& [place, name] : references.names) {
    positions.go_to(place.first);
    by_place[{positions.line, positions.col, place.second}] = &name;
  }
  for (Token& token : file.tokens) {
    if (!token.is_name()) continue;
    auto found = by_place.find({token.line, token.col, token.text});
    if (found != by_place.end()) token.resolved = *found->second;
  }
}

void add_tests(const References& references, LexedFile& file, Positions positions) {
  for (const References::Test& test : references.tests) {
    positions.go_to(test.offset);
    file.made_tests.push_back({test.suite, test.name, test.expands, positions.line, positions.col});
  }
}

// What kept the compiler from reading it; "" where nothing did.
std::string read(const CompileCommand& command, References& out) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk(llvm::vfs::createPhysicalFileSystem().release());
  if (disk->setCurrentWorkingDirectory(command.folder))
    return "its compile command runs in " + command.folder + ", which is not there";
  llvm::IntrusiveRefCntPtr<clang::FileManager> files(
      new clang::FileManager(clang::FileSystemOptions(), disk));
  std::vector<std::string> words = command.arguments;
  words.insert(words.begin() + 1, {"-fsyntax-only", "-ferror-limit=1", "-resource-dir=" + resource_folder()});
  FirstError error;
  clang::tooling::ToolInvocation run(words, std::make_unique<ReadReferences>(out), files.get());
  run.setDiagnosticConsumer(&error);
  bool done = run.run();
  if (error.text.empty() && !done) return "the compiler gave up on it";
  return error.text;
}

}  // namespace

void resolve(const std::string& path, const std::string& text, const CompileCommands& commands,
             LexedFile& file) {
  Result<CompileCommand> command = commands.of(path);
  References references;
  std::string failure = command.ok() ? read(*command, references) : command.error().what;
  if (!failure.empty()) return file.notes.push_back("read without headers: " + failure);
  add_names(references, file, Positions(text));
  add_tests(references, file, Positions(text));
  file.origin = Origin::full;
}

}  // namespace hwsift::analyzer::cxx
