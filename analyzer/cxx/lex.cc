#include "analyzer/cxx/lex.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Tooling/Tooling.h>

#include "analyzer/cxx/flatten.h"
#include "analyzer/cxx/positions.h"

namespace hwsift::analyzer::cxx {
namespace {

constexpr char kName[] = "/file.cpp";
// A macro that stands for itself many times over must not fill the memory.
constexpr std::size_t kMostTokens = 4'000'000;

TokenKind kind_of(const clang::Token& token) {
  if (token.isAnyIdentifier() || token.getIdentifierInfo() != nullptr) return TokenKind::identifier;
  if (clang::tok::isStringLiteral(token.getKind())) return TokenKind::text;
  if (token.is(clang::tok::numeric_constant)) return TokenKind::number;
  if (token.isOneOf(clang::tok::char_constant, clang::tok::wide_char_constant, clang::tok::utf8_char_constant,
                    clang::tok::utf16_char_constant, clang::tok::utf32_char_constant))
    return TokenKind::character;
  return TokenKind::punctuator;
}

class ReadTokens : public clang::PreprocessorFrontendAction {
 public:
  ReadTokens(const FlatFile& flat, LexedFile& out) : flat_(flat), positions_(flat.text), out_(out) {}

 protected:
  void ExecuteAction() override {
    clang::Preprocessor& preprocessor = getCompilerInstance().getPreprocessor();
    preprocessor.EnterMainSourceFile();
    clang::Token token;
    for (preprocessor.Lex(token); token.isNot(clang::tok::eof); preprocessor.Lex(token)) {
      if (out_.tokens.size() >= kMostTokens) {
        out_.errors.push_back({1, 1, "its macros stand for more tokens than hwsift reads"});
        return;
      }
      add(preprocessor, token);
    }
  }

 private:
  void add(const clang::Preprocessor& preprocessor, const clang::Token& token) {
    const clang::SourceManager& sources = preprocessor.getSourceManager();
    clang::SourceLocation place = sources.getExpansionLoc(token.getLocation());
    auto [file, offset] = sources.getDecomposedLoc(place);
    if (file != sources.getMainFileID()) return;
    Token out;
    // Digraphs and `not`, `and`, `or` are what they stand for.
    const char* punctuator = clang::tok::getPunctuatorSpelling(token.getKind());
    out.kind = punctuator != nullptr ? TokenKind::punctuator : kind_of(token);
    out.text = punctuator != nullptr ? punctuator : preprocessor.getSpelling(token);
    positions_.go_to(offset);
    out.line = positions_.line;
    out.col = positions_.col;
    out.condition = flat_.condition_at(offset);
    out.from_macro = token.getLocation().isMacroID();
    out_.tokens.push_back(std::move(out));
  }

  const FlatFile& flat_;
  Positions positions_;
  LexedFile& out_;
};

// Keeps what makes a file unreadable: the lexer's errors, of which there are few kinds.
class KeepErrors : public clang::DiagnosticConsumer {
 public:
  explicit KeepErrors(LexedFile& out) : out_(out) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    if (level < clang::DiagnosticsEngine::Error || !info.hasSourceManager()) return;
    llvm::SmallString<128> message;
    info.FormatDiagnostic(message);
    clang::PresumedLoc place = info.getSourceManager().getPresumedLoc(info.getLocation());
    if (place.isInvalid()) return;
    out_.errors.push_back(
        {static_cast<int>(place.getLine()), static_cast<int>(place.getColumn()), message.str().str()});
  }

 private:
  LexedFile& out_;
};

}  // namespace

LexedFile lex(const std::string& text, const LexOptions& options) {
  FlatFile flat = flatten(text);
  LexedFile out;
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> disk(new llvm::vfs::InMemoryFileSystem);
  disk->addFile(kName, 0, llvm::MemoryBuffer::getMemBufferCopy(flat.text));
  llvm::IntrusiveRefCntPtr<clang::FileManager> files(
      new clang::FileManager(clang::FileSystemOptions(), disk));
  // No macro of the compiler or the system: `linux` is a name like any other.
  std::vector<std::string> command = {"clang",
                                      "-fsyntax-only",
                                      "-std=c++20",
                                      "-undef",
                                      "-w",
                                      "-ferror-limit=0",
                                      "-nostdinc",
                                      "-nostdinc++",
                                      "--target=x86_64-linux-gnu"};
  for (const std::string& macro : options.macros) command.push_back("-D" + macro);
  command.emplace_back(kName);
  clang::tooling::ToolInvocation run(command, std::make_unique<ReadTokens>(flat, out), files.get());
  KeepErrors errors(out);
  run.setDiagnosticConsumer(&errors);
  run.run();
  out.conditions = std::move(flat.conditions);
  out.comments = std::move(flat.comments);
  out.includes = std::move(flat.includes);
  out.notes = std::move(flat.notes);
  return out;
}

}  // namespace hwsift::analyzer::cxx
