#include "lint/cxx/cxx_rules.h"

#include <algorithm>

#include "base/text.h"

namespace hwsift::lint {

using classifier::CxxSignal;

const CxxSignal* CxxTest::first(CxxSignal::Kind kind) const {
  auto found = std::find_if(signals.begin(), signals.end(), [&](const CxxSignal& signal) {
    return signal.kind == kind && !signal.devices.empty();
  });
  return found == signals.end() ? nullptr : &*found;
}

bool CxxTest::is_guarded() const {
  return first(CxxSignal::Kind::leaves) != nullptr || first(CxxSignal::Kind::skips) != nullptr;
}

Finding& at_test(Report& report, const char* rule, const CxxTest& test, const std::string& message,
                 const std::string& hint) {
  return report.at_code(rule, test.suite, test.test, {test.test.line, test.test.col, 1}, message, hint);
}

std::string place_of(const CxxSignal& signal) {
  return "line " + std::to_string(signal.evidence.line) + ": " + signal.evidence.symbol;
}

std::string suffix_for(const std::string& device, const classifier::Vocabulary& vocabulary) {
  for (const classifier::NameSuffix& suffix : classifier::cxx_vocabulary(vocabulary).suffixes)
    if (suffix.device == device && suffix.count == 1) return suffix.suffix;
  return "";
}

// Under #if 0, or left out by its name.
static bool runs_nowhere(const analyzer::Class& suite, const analyzer::Method& test) {
  bool out = std::any_of(test.conditions.begin(), test.conditions.end(),
                         [](const analyzer::BuildCondition& one) { return one.text == "0" && !one.negated; });
  return out || classifier::is_disabled(suite.name, test.name);
}

static bool has_suffixes(const Subject& subject) {
  for (const analyzer::Class& suite : subject.file.classes)
    for (const analyzer::Method& test : suite.methods)
      if (classifier::suffix_of(test.name, subject.vocabulary) != nullptr) return true;
  return false;
}

std::vector<Finding> lint_cxx(const Subject& subject) {
  Report report(subject);
  bool named_by_suffix = has_suffixes(subject);
  classifier::Builds builds(subject.file, subject.vocabulary);
  classifier::CxxSignals signals(subject.file, subject.vocabulary);
  for (std::size_t c = 0; c < subject.file.classes.size(); ++c) {
    const analyzer::Class& suite = subject.file.classes[c];
    for (std::size_t m = 0; m < suite.methods.size(); ++m) {
      const analyzer::Method& method = suite.methods[m];
      if (runs_nowhere(suite, method)) continue;
      int class_index = static_cast<int>(c);
      int method_index = static_cast<int>(m);
      CxxTest test{suite,
                   method,
                   signals.of_test(class_index, method_index),
                   signals.uses_of(class_index, method_index),
                   classifier::suffix_of(method.name, subject.vocabulary),
                   builds.of(method),
                   false,
                   named_by_suffix};
      if (test.suffix != nullptr)
        test.names_suffix_device = signals.names_device(class_index, method_index, test.suffix->device);
      check_cxx_device_suffix(report, test);
      check_cxx_missing_guard(report, test);
      check_cxx_hardcoded_device(report, test);
    }
  }
  return report.take();
}

}  // namespace hwsift::lint
