// A test that only makes tensors on one accelerator, and calls nothing that this accelerator alone has, could
// take any.
#include <algorithm>

#include "base/text.h"
#include "lint/cxx/cxx_rules.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Role;
using analyzer::Use;
using analyzer::UseKind;

// One that is named by habit where any would do; whoever names another one means that very device.
bool is_named_by_habit(const Use& use, const classifier::Vocabulary& vocabulary) {
  if (use.devices.size() != 1) return false;
  const classifier::DeviceType* type = vocabulary.device(use.devices.front());
  return type != nullptr && type->stands_for_any;
}

bool places(const Use& use) {
  bool moves = use.kind == UseKind::device_method && !use.symbol.starts_with("is_");
  bool named = use.kind == UseKind::constant || use.kind == UseKind::device_literal;
  bool described = use.role == Role::device_argument || use.role == Role::assigned;
  return moves || (named && described);
}

// The first in the test itself that makes or moves something on an accelerator, or nullptr.
const Use* first_placement(const Subject& subject, const CxxTest& test) {
  auto found = std::find_if(test.uses.begin(), test.uses.end(), [&](const Use* use) {
    return is_named_by_habit(*use, subject.vocabulary) && places(*use);
  });
  return found == test.uses.end() ? nullptr : *found;
}

// A device that nothing is made on or moved to is data.
bool works_on_device(const CxxTest& test) {
  return test.first(classifier::CxxSignal::Kind::needs) != nullptr ||
         test.first(classifier::CxxSignal::Kind::optional) != nullptr;
}

bool calls_vendor(const CxxTest& test) {
  return std::any_of(test.signals.begin(), test.signals.end(),
                     [](const classifier::CxxSignal& signal) { return signal.of_vendor; });
}

}  // namespace

void check_cxx_hardcoded_device(Report& report, const CxxTest& test) {
  const Subject& subject = report.subject();
  if (!test.built.devices.empty() || calls_vendor(test) || !works_on_device(test)) return;
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
