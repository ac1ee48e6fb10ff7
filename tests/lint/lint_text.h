// Findings of a profile in a source text, for tests.
#pragma once

#include <string>
#include <vector>

#include "analyzer/python/analyze.h"
#include "classifier/classify.h"
#include "lint/lint.h"

namespace hwsift::lint {

inline std::vector<Finding> lint_facts(const std::string& profile, const analyzer::FileFacts& file) {
  const classifier::Vocabulary& vocabulary = classifier::builtin_vocabulary();
  return lint_file(*builtin_lint_rules().profile(profile), file, classifier::classify(file, vocabulary),
                   vocabulary);
}

inline std::vector<Finding> lint_text(const std::string& profile, const std::string& source) {
  return lint_facts(profile, analyzer::analyze_python("test/test_a.py", source,
                                                      classifier::builtin_vocabulary().lexicon()));
}

}  // namespace hwsift::lint
