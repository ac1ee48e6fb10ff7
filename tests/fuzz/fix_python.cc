// Any bytes as a Python test file, linted and fixed: places lie within the file, a file that does not parse
// stays, and what the fixes make of one parses, holds the same tests and needs no fix any more.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "analyzer/scan.h"
#include "classifier/classify.h"
#include "lint/fix.h"
#include "lint/lint.h"

namespace {

using namespace hwsift;

constexpr char kPath[] = "test/test_x.py";

void require(bool holds) {
  if (!holds) std::abort();
}

const classifier::Vocabulary& vocabulary() { return classifier::builtin_vocabulary(); }

std::vector<lint::Finding> lint_scanned(const analyzer::ScannedFile& file) {
  static const lint::Profile& profile = *lint::builtin_lint_rules().profile("all");
  static const lint::Surroundings around;
  std::vector<classifier::ClassVerdict> verdicts = classifier::classify(file.facts, vocabulary());
  std::string_view text = file.editable ? std::string_view(file.text) : std::string_view();
  return lint::lint_file({profile, file.facts, verdicts, vocabulary(), around, text, file.text_begin});
}

void check_places(const analyzer::ScannedFile& file) {
  for (const lint::Finding& finding : lint_scanned(file)) {
    require(finding.line >= 0 && finding.end_line >= finding.line && !finding.message.empty());
    if (!finding.fix) continue;
    std::size_t end = 0;
    for (const lint::Edit& edit : finding.fix->edits) {
      require(end <= edit.begin && edit.begin <= edit.end && edit.end <= file.bytes.size());
      end = edit.end;
    }
  }
}

std::vector<std::string> names_of(const analyzer::FileFacts& file) {
  std::vector<std::string> names;
  for (const analyzer::Class& cls : file.classes)
    for (const analyzer::Method& method : cls.methods)
      names.push_back(cls.qualified_name + "." + method.name);
  return names;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const analyzer::Lexicon lexicon = vocabulary().lexicon();
  static const lint::Counts all = [](const lint::Finding&) { return true; };
  std::string bytes(reinterpret_cast<const char*>(data), size);
  analyzer::ScannedFile file = analyzer::scan_text(kPath, bytes, lexicon);
  check_places(file);
  lint::FixedFile fixed = lint::fix_file(file, lint::Safety::review, lexicon, lint_scanned, all);
  if (fixed.applied == 0) {
    require(fixed.bytes == bytes);
    return 0;
  }
  require(file.facts.parse.ok && file.editable);
  analyzer::ScannedFile after = analyzer::scan_text(kPath, fixed.bytes, lexicon);
  require(after.facts.parse.ok && names_of(after.facts) == names_of(file.facts));
  lint::FixedFile twice = lint::fix_file(after, lint::Safety::review, lexicon, lint_scanned, all);
  require(twice.bytes == fixed.bytes);
  return 0;
}
