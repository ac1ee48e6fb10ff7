// A test that only makes tensors on one accelerator, and calls nothing that this accelerator alone has, could
// take any.
#include <algorithm>

#include "base/text.h"
#include "classifier/signals.h"
#include "lint/cxx/cxx_rules.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Role;
using analyzer::Use;
using analyzer::UseKind;

bool is_about_accelerator(const Use& use, const classifier::Vocabulary& vocabulary) {
  return use.devices.size() == 1 && !classifier::accelerators_among(use.devices, vocabulary).empty();
}

bool places(const Use& use) {
  bool moves = use.kind == UseKind::device_method && !use.symbol.starts_with("is_");
  bool named = use.kind == UseKind::constant || use.kind == UseKind::device_literal;
  bool described = use.role == Role::device_argument || use.role == Role::assigned;
  return moves || (named && described);
}

// The first in the test itself that makes or moves something on an accelerator, or nullptr.
const Use* first_placement(const Subject& subject, const CxxTest& test) {
  for (const Use& use : subject.file.uses) {
    if (use.class_index < 0 || use.method_index < 0) continue;
    const analyzer::Class& suite = subject.file.classes[static_cast<std::size_t>(use.class_index)];
    bool own = &suite.methods[static_cast<std::size_t>(use.method_index)] == &test.test;
    if (own && is_about_accelerator(use, subject.vocabulary) && places(use)) return &use;
  }
  return nullptr;
}

bool calls_vendor(const CxxTest& test) {
  return std::any_of(test.signals.begin(), test.signals.end(),
                     [](const classifier::CxxSignal& signal) { return signal.of_vendor; });
}

}  // namespace

void check_cxx_hardcoded_device(Report& report, const CxxTest& test) {
  const Subject& subject = report.subject();
  if (!test.built.devices.empty() || calls_vendor(test)) return;
  const Use* use = first_placement(subject, test);
  if (use == nullptr) return;
  std::string device = ascii_upper(use->devices.front());
  report.at_code(
      rule::cxx_hardcoded_device, test.suite, test.test, {use->line, use->col, 1},
      test.name() + " works on " + device + ", and nothing in it asks for " + device + " in particular",
      "take the device from at::getAccelerator() or from a parameter of the test, so that every "
      "accelerator runs it");
}

}  // namespace hwsift::lint
