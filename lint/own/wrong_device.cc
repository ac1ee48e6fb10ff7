// The parameter is there, and the test works on a device of the module or of the machine instead.
#include "classifier/vocabulary.h"
#include "lint/edits.h"
#include "lint/own/code.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Role;
using analyzer::Use;
using analyzer::UseKind;

bool is_picked_device(const FileView& view, const Use& use) {
  bool placed = use.role == Role::device_argument;
  if (use.kind == UseKind::device_variable) return placed;
  const classifier::Symbol* symbol = view.subject.vocabulary.find(use.symbol);
  return placed && use.kind == UseKind::constant && symbol != nullptr &&
         symbol->meaning == classifier::Meaning::selects_device;
}

}  // namespace

void check_wrong_device(Report& report, const FileView& view) {
  for (const CodeUse& found : unasked_uses(view)) {
    const Use& use = *found.use;
    std::vector<std::string> devices = accelerators_of(use, view.subject.vocabulary);
    bool on_cpu = !use.devices.empty() && devices.empty();
    if (on_cpu || !is_picked_device(view, use) || !found.test->is_open()) continue;
    const analyzer::Method& method = *found.test->method;
    Finding& finding =
        report.at_code(rule::wrong_device, *found.test->cls, method, {use.line, use.col, width_of(use)},
                       method.name + " is handed a device, but works on " +
                           std::string(classifier::last_word(use.symbol)) + ", which the module picks",
                       "use the parameter");
    if (!view.subject.text.empty() && method.takes("device") && use.sees_device)
      replace(finding, Safety::review, use.span, "device");
  }
}

}  // namespace hwsift::lint
