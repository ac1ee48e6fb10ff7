// The rules about C++ tests. One file each, named as the rule.
#pragma once

#include <string>
#include <vector>

#include "classifier/cxx_classify.h"
#include "classifier/cxx_signals.h"
#include "lint/contract.h"

namespace hwsift::lint {

// A test with what the rules ask about it.
struct CxxTest {
  const analyzer::Class& suite;
  const analyzer::Method& test;
  std::vector<classifier::CxxSignal> signals;
  const std::vector<const analyzer::Use*>& uses;   // its own, in source order
  const classifier::NameSuffix* suffix = nullptr;  // that its name ends with
  classifier::BuiltFor built;
  bool names_suffix_device = false;  // it, or what it runs, names the device of that suffix
  bool named_by_suffix = false;      // other tests of the file say what they need in their names

  std::string name() const { return suite.name + "." + test.name; }
  // The first signal of a kind about an accelerator, or nullptr.
  const classifier::CxxSignal* first(classifier::CxxSignal::Kind kind) const;
  bool is_guarded() const;
};

// Findings of the rules of the profile, in the order of the tests.
std::vector<Finding> lint_cxx(const Subject& subject);

void check_cxx_device_suffix(Report& report, const CxxTest& test);
void check_cxx_hardcoded_device(Report& report, const CxxTest& test);
void check_cxx_missing_guard(Report& report, const CxxTest& test);

// Reports at the name of the test.
Finding& at_test(Report& report, const char* rule, const CxxTest& test, const std::string& message,
                 const std::string& hint);
// "line 12: torch.kCUDA"
std::string place_of(const classifier::CxxSignal& signal);
// The suffix for so many devices of a type; "" where the rules know none.
std::string suffix_for(const std::string& device, const classifier::Vocabulary& vocabulary);

}  // namespace hwsift::lint
