// A vendor's API in a test that is handed a device, where torch.accelerator has the same for every device.
#include "classifier/vocabulary.h"
#include "lint/edits.h"
#include "lint/own/code.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Role;
using analyzer::Use;
using classifier::Symbol;

constexpr std::string_view kAccelerator = "torch.accelerator.";

// The twin, where the checked tree has it; nullptr otherwise.
const std::string* twin_of(const FileView& view, const Use& use) {
  const Symbol* symbol = view.subject.vocabulary.find(use.symbol);
  if (symbol == nullptr || symbol->name != use.symbol || !symbol->twin.starts_with(kAccelerator))
    return nullptr;
  const Symbol* twin = view.subject.vocabulary.find(symbol->twin);
  if (twin == nullptr || !view.subject.around.traits.has_release(twin->since)) return nullptr;
  return &symbol->twin;
}

bool is_question(const Use& use) { return use.role == Role::condition || use.role == Role::guard; }

}  // namespace

void check_vendor_api(Report& report, const FileView& view) {
  for (const CodeUse& found : unasked_uses(view)) {
    const Use& use = *found.use;
    if (is_question(use) || !found.test->is_open()) continue;
    const std::string* twin = twin_of(view, use);
    if (twin == nullptr) continue;
    Finding& finding = report.at_code(
        rule::vendor_api, *found.test->cls, *found.test->method, {use.line, use.col, width_of(use)},
        use.symbol + " works on one vendor's devices, but " + found.test->method->name + " is handed any",
        "call " + *twin + ", or move the test to a class about that device");
    std::string_view text = view.subject.text;
    bool plain_call =
        !text.empty() && text.substr(use.span.end).starts_with("()");  // twins differ in arguments
    if (plain_call && text.substr(use.span.begin, use.span.end - use.span.begin) == use.symbol)
      replace(finding, Safety::review, use.span, *twin);
  }
}

}  // namespace hwsift::lint
