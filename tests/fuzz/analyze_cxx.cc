// Any bytes as a C++ file: tokens, facts, categories and findings, or errors with a place; never a crash.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "analyzer/cxx/analyze.h"
#include "analyzer/cxx/lex.h"
#include "analyzer/cxx/wire.h"
#include "classifier/classify.h"
#include "classifier/cxx_vocabulary.h"
#include "lint/lint.h"

namespace {

using namespace hwsift;  // NOLINT(google-build-using-namespace): a program of one purpose

const analyzer::cxx::CxxLexicon& words() {
  static const analyzer::cxx::CxxLexicon lexicon = classifier::cxx_lexicon(classifier::builtin_vocabulary());
  return lexicon;
}

// What the helper writes is what hwsift reads.
analyzer::cxx::LexedFile over_the_wire(const std::string& text) {
  std::string line = analyzer::cxx::to_line({"a.cpp", analyzer::cxx::lex(text, {words().macros})});
  Result<analyzer::cxx::LexedLine> read = analyzer::cxx::from_line(line);
  if (!read.ok()) std::abort();
  return read->file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  analyzer::FileFacts facts = analyzer::cxx::analyze("test/cpp/a.cpp", over_the_wire(text), words());
  const classifier::Vocabulary& vocabulary = classifier::builtin_vocabulary();
  std::vector<classifier::ClassVerdict> verdicts = classifier::classify(facts, vocabulary);
  if (verdicts.size() != facts.classes.size()) std::abort();
  lint::Surroundings around;
  const lint::Profile& profile = *lint::builtin_lint_rules().profile("recommended");
  for (const lint::Finding& finding : lint::lint_file({profile, facts, verdicts, vocabulary, around, "", 0}))
    if (finding.message.empty() || finding.line < 0) std::abort();
  return 0;
}
