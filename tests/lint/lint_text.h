// Findings of a profile in a source text, for tests.
#pragma once

#include <string>
#include <vector>

#include "analyzer/python/analyze.h"
#include "analyzer/scan.h"
#include "classifier/classify.h"
#include "lint/fix.h"
#include "lint/lint.h"

namespace hwsift::lint {

inline std::vector<Finding> lint_facts(const std::string& profile, const analyzer::FileFacts& file,
                                       const Surroundings& around = {}, std::string_view text = "",
                                       std::size_t text_begin = 0) {
  const classifier::Vocabulary& vocabulary = classifier::builtin_vocabulary();
  std::vector<classifier::ClassVerdict> verdicts = classifier::classify(file, vocabulary);
  return lint_file(
      {*builtin_lint_rules().profile(profile), file, verdicts, vocabulary, around, text, text_begin});
}

inline std::vector<Finding> lint_text(const std::string& profile, const std::string& source,
                                      const Surroundings& around = {}) {
  analyzer::FileFacts facts =
      analyzer::analyze_python("test/test_a.py", source, classifier::builtin_vocabulary().lexicon());
  return lint_facts(profile, facts, around, source);
}

// What the fixes of a profile make of a file, given as bytes; `limit` as fix_file takes it.
inline FixedFile fix_bytes(const std::string& profile, const std::string& bytes, Safety limit,
                           const Surroundings& around = {}) {
  const analyzer::Lexicon lexicon = classifier::builtin_vocabulary().lexicon();
  LintScanned lint = [&](const analyzer::ScannedFile& file) {
    return lint_facts(profile, file.facts, around, file.editable ? file.text : "", file.text_begin);
  };
  return fix_file(analyzer::scan_text("test/test_a.py", bytes, lexicon), limit, lexicon, lint,
                  [](const Finding&) { return true; });
}

}  // namespace hwsift::lint
