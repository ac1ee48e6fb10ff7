// A test that is handed a device works on another one: a literal, a .cuda(), a list of devices made by hand.
#include <algorithm>

#include "base/text.h"
#include "lint/edits.h"
#include "lint/own/code.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Role;
using analyzer::Use;
using analyzer::UseKind;

bool is_placement(const Use& use) {
  if (use.kind == UseKind::device_method) return !use.symbol.starts_with(".is_");
  return use.kind == UseKind::device_literal && use.role == Role::device_argument;
}

std::string parameter_of(const DeviceTest& test) {
  return test.method->takes("device") ? "device" : "devices[0]";
}

// Callables that take the type of a device, without an index.
bool takes_type(const Use& use, std::string_view text) {
  static constexpr std::string_view kTypeOnly[] = {"autocast", "init_device_mesh",  "DeviceMesh",
                                                   "fork_rng", "get_device_module", "GradScaler"};
  std::string_view callee = classifier::last_word(use.callee);
  bool by_keyword = text.substr(0, use.span.begin).ends_with("device_type=");
  return by_keyword || std::find(std::begin(kTypeOnly), std::end(kTypeOnly), callee) != std::end(kTypeOnly);
}

// "cuda" and "cuda:0" are what the parameter is on that device; another index stays. Quotes are those of the
// literal, which are right inside an f-string too.
std::string expression_for(const Use& use, const DeviceTest& test, std::string_view text) {
  if (takes_type(use, text)) return "self.device_type";
  std::size_t colon = use.symbol.find(':');
  if (colon == std::string::npos || use.symbol.substr(colon) == ":0") return parameter_of(test);
  bool number = std::all_of(use.symbol.begin() + static_cast<std::ptrdiff_t>(colon) + 1, use.symbol.end(),
                            is_ascii_digit);
  std::string quote(1, text[use.span.begin]);
  return number ? "f" + quote + "{self.device_type}" + use.symbol.substr(colon) + quote : "";
}

// ".cuda()" to ".to(device)", ".cuda(non_blocking=True)" to ".to(device, non_blocking=True)"; an index stays.
void fix_method(Finding& finding, std::string_view text, const Use& use, const DeviceTest& test) {
  std::string_view rest = text.substr(use.span.end);
  if (text[use.span.begin] != '.' || !rest.starts_with("(")) return;
  bool empty = rest.starts_with("()");
  if (!empty && !rest.starts_with("(non_blocking=") && !rest.starts_with("(memory_format=")) return;
  replace(finding, Safety::review, {use.span.begin, use.span.end + 1},
          ".to(" + parameter_of(test) + (empty ? "" : ", "));
}

void fix_literal(Finding& finding, std::string_view text, const Use& use, const DeviceTest& test) {
  std::string expression = expression_for(use, test, text);
  bool plain = text.substr(use.span.begin, 1).find_first_of("'\"") == 0;  // no prefix such as f or r
  bool indexed_call = use.callee.ends_with("device") && text.substr(use.span.end, 1) == ",";
  if (plain && !expression.empty() && !indexed_call) replace(finding, Safety::review, use.span, expression);
}

// device == torch.device("cuda"): what is wrong there is the comparison.
bool is_compared(const FileView& view, const Use& use) {
  return std::any_of(view.file().comparisons.begin(), view.file().comparisons.end(),
                     [&](const analyzer::DeviceComparison& c) { return c.line == use.line; });
}

void check_placements(Report& report, const FileView& view) {
  for (const CodeUse& found : unasked_uses(view)) {
    const Use& use = *found.use;
    std::vector<std::string> devices = accelerators_of(use, view.subject.vocabulary);
    if (!is_placement(use) || devices.empty() || !found.test->is_open()) continue;
    const analyzer::Method& method = *found.test->method;
    bool is_method = use.kind == UseKind::device_method;
    std::string written = is_method ? use.symbol + "()" : "\"" + use.symbol + "\"";
    Finding& finding = report.at_code(
        rule::hardcoded_device, *found.test->cls, method, {use.line, use.col, width_of(use)},
        method.name + " is handed a device, but " + written + " works on " + devices.front() +
            " whatever it is",
        "use " + parameter_of(*found.test) + ", or move the test to a class about that device");
    if (view.subject.text.empty() || !use.sees_device || is_compared(view, use)) continue;
    if (is_method)
      fix_method(finding, view.subject.text, use, *found.test);
    else
      fix_literal(finding, view.subject.text, use, *found.test);
  }
}

// @parametrize("device", [...]) on a test to which the framework hands a device too.
void check_lists(Report& report, const FileView& view) {
  for (const DeviceTest& test : view.tests.all())
    for (const analyzer::Decorator& decorator : test.method->decorators) {
      bool list = decorator.symbol.ends_with("parametrize") &&
                  decorator.text.find("(\"device\"") != std::string::npos;
      if (!list || view.python.calls(*test.cls).empty()) continue;
      report.at_code(
          rule::hardcoded_device, *test.cls, *test.method, {decorator.line, decorator.col, 1},
          test.method->name +
              " gets its device twice: from instantiate_device_type_tests and from a list of its own",
          "drop the list; the framework runs the test on each device");
    }
}

}  // namespace

void check_hardcoded_device(Report& report, const FileView& view) {
  check_lists(report, view);
  check_placements(report, view);
}

}  // namespace hwsift::lint
