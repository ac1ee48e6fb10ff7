#include "lint/contract.h"

#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "lint/edits.h"
#include "lint/python_view.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Class;
using analyzer::Decorator;
using analyzer::DeviceFilter;
using analyzer::Instantiation;
using analyzer::Method;
using classifier::Category;

constexpr char kInstantiate[] = "instantiate_device_type_tests";

int width_of(std::string_view keyword, const std::string& name) {
  return static_cast<int>(keyword.size() + code_points(name));
}

bool is_parametrized_by_device(const Method& test) {
  return std::any_of(test.decorators.begin(), test.decorators.end(), [](const Decorator& d) {
    return d.symbol.ends_with("parametrize") && d.text.find("device") != std::string::npos;
  });
}

std::string only_for_text(const Category& category) { return "only_for=\"" + category.device + "\""; }

std::string call_to_add(const Class& cls, const Category& category) {
  std::string call = std::string(kInstantiate) + "(" + cls.name + ", globals()";
  if (category.kind == Category::Kind::device) call += ", " + only_for_text(category);
  if (category.device == "xpu" || category.device == "mps") call += ", allow_" + category.device + "=True";
  return call + ")";
}

}  // namespace

Finding& Report::add(Finding finding) {
  auto rule = subject_.profile.rules.find(finding.rule);
  finding.path = subject_.file.path;
  if (rule == subject_.profile.rules.end()) return dropped_ = std::move(finding);
  finding.severity = rule->second;
  findings_.push_back(std::move(finding));
  return findings_.back();
}

Finding& Report::at_file(const char* rule, int line, int col, const std::string& message,
                         const std::string& hint) {
  return add({rule, "", line, col, line, col, Severity::error, message, hint, "", ""});
}

Finding& Report::at_place(const char* rule, const Class& cls, const Place& place, const std::string& message,
                          const std::string& hint) {
  return add({rule, "", place.line, place.col, place.line, place.col + place.width, Severity::error, message,
              hint, cls.name, ""});
}

Finding& Report::at_class(const char* rule, const Class& cls, const std::string& message,
                          const std::string& hint) {
  return at_place(rule, cls, {cls.line, cls.col, width_of("class ", cls.name)}, message, hint);
}

Finding& Report::at_code(const char* rule, const Class& cls, const Method& method, const Place& place,
                         const std::string& message, const std::string& hint) {
  Finding& finding = at_place(rule, cls, place, message, hint);
  finding.method = method.name;
  int first = method.decorators.empty() ? method.line : method.decorators.front().line;
  if (place.line == method.line) finding.causes.emplace_back(first, method.end_line);
  return finding;
}

Finding& Report::at_method(const char* rule, const Class& cls, const Method& method,
                           const std::string& message, const std::string& hint) {
  int width = width_of(method.async ? "async def " : "def ", method.name);
  return at_code(rule, cls, method, {method.line, method.col, width}, message, hint);
}

Finding& Report::at_call(const char* rule, const Class& cls, const Instantiation& call,
                         const std::string& message, const std::string& hint) {
  int width = call.callee == Instantiation::Callee::bare ? width_of(kInstantiate, "") : 1;
  return at_place(rule, cls, {call.line, call.col, width}, message, hint);
}

std::vector<const Instantiation*> foreign_calls(const Subject& subject) {
  std::vector<const Instantiation*> calls;
  if (subject.around.index == nullptr) return calls;
  std::unordered_set<std::string_view> own;
  for (const Class& cls : subject.file.classes) own.insert(cls.name);
  for (const Instantiation& call : subject.file.instantiations)
    if (own.count(call.class_name) == 0 && !call.symbol.empty() && at_module_level(call.context))
      calls.push_back(&call);
  return calls;
}

bool is_given(const DeviceFilter& filter) {
  return filter.state == DeviceFilter::State::literal || filter.state == DeviceFilter::State::unknown;
}

void forbid_instantiation(Report& report, const Class& cls, const Instantiation& call) {
  report.at_class(
      rule::instantiation, cls,
      cls.name + " is GENERIC, yet line " + std::to_string(call.line) + " instantiates it for devices",
      "drop that call, or label the class " + report.spell(Category::device_generic()));
}

void require_instantiation(Report& report, const SeenClass& seen, const Category& category) {
  const Class& cls = *seen.cls;
  std::string call = call_to_add(cls, category);
  bool needs_none = inferred(report.subject(), cls) == Category::generic();
  Finding& finding = report.at_class(
      rule::instantiation, cls,
      cls.name + " is " + report.spell(category) + ", yet nothing instantiates it for devices",
      "add " + call + " after the class" + (needs_none ? ", or label it GENERIC" : ""));
  bool ready = std::all_of(seen.tests.begin(), seen.tests.end(),
                           [](const Method* test) { return test->takes_device(); });
  if (!ready || cls.context != analyzer::Context::module) return;
  add_after_class(finding, Safety::review, report.subject().text, cls, call);
  if (finding.fix) add_import(finding, Safety::review, report.subject(), kCommonDeviceType, kInstantiate);
}

void forbid_device_param(Report& report, const SeenClass& seen) {
  for (const Method* test : seen.tests) {
    if (!test->takes_device()) continue;
    report.at_method(rule::device_param, *seen.cls, *test,
                     test->name + " takes a device, but " + seen.cls->name + " is GENERIC",
                     is_parametrized_by_device(*test)
                         ? "a test that @parametrize runs per device belongs to a class for every accelerator"
                         : "drop the parameter, or move the test to a class for every accelerator");
  }
}

void require_device_param(Report& report, const SeenClass& seen) {
  for (const Method* test : seen.tests) {
    if (test->takes_device()) continue;
    report.at_method(rule::device_param, *seen.cls, *test,
                     test->name + " does not take the device that it is to run on",
                     "add the parameter device, or move the test to a GENERIC class");
  }
}

void forbid_decorator(Report& report, const Class& cls, const Method& test, const Decorator& decorator) {
  report.at_method(rule::decorator, cls, test,
                   "@" + decorator.text + " keeps " + test.name + " from other devices, but " + cls.name +
                       " is " + report.spell(Category::device_generic()),
                   "move the test to a class about that device, or use @onlyAccelerator");
}

namespace {

// except_for="cpu" says what a list of accelerators meant, and lets new ones in.
void fix_forbidden_only_for(Finding& finding, std::string_view text, const Instantiation& call,
                            const DeviceFilter& only_for) {
  if (text.empty() || only_for.state != DeviceFilter::State::literal || only_for.by_position) return;
  if (only_for.values.empty()) return remove_argument(finding, Safety::safe, text, only_for.span);
  if (is_given(call.except_for)) return;
  bool on_cpu = std::find(only_for.values.begin(), only_for.values.end(), "cpu") != only_for.values.end();
  if (!on_cpu) return replace(finding, Safety::review, only_for.span, "except_for=\"cpu\"");
  bool alone = only_for.single_text || only_for.values.size() == 1;  // then the label may be what is wrong
  if (!alone) remove_argument(finding, Safety::review, text, only_for.span);
}

bool filters_nothing(const DeviceFilter& only_for) {
  return only_for.state == DeviceFilter::State::literal && only_for.values.empty();
}

std::string what_it_does(const DeviceFilter& only_for) {
  return filters_nothing(only_for) ? "only_for is empty and filters nothing of "
                                   : "only_for shuts devices out of ";
}

}  // namespace

void forbid_only_for(Report& report, const Class& cls, const Instantiation& call,
                     const DeviceFilter& only_for) {
  if (!is_given(only_for)) return;
  Finding& finding = report.at_call(
      rule::only_for, cls, call,
      what_it_does(only_for) + cls.name + ", which is " + report.spell(Category::device_generic()),
      filters_nothing(only_for) ? "drop it" : "name the devices that cannot run it in except_for");
  fix_forbidden_only_for(finding, report.subject().text, call, only_for);
}

void forbid_except_for(Report& report, const Class& cls, const Instantiation& call,
                       const DeviceFilter& except_for, const Category& category) {
  if (!is_given(except_for)) return;
  Finding& finding = report.at_call(rule::except_for, cls, call,
                                    "except_for filters " + cls.name + ", which is " + report.spell(category),
                                    "say " + only_for_text(category) + " and nothing else");
  bool empty = except_for.state == DeviceFilter::State::literal && except_for.values.empty();
  if (!except_for.by_position)
    remove_argument(finding, empty ? Safety::safe : Safety::review, report.subject().text, except_for.span);
}

void require_only_for(Report& report, const Class& cls, const Instantiation& call,
                      const DeviceFilter& only_for, const Category& category) {
  bool literal = only_for.state == DeviceFilter::State::literal;
  if (literal && only_for.values == std::vector<std::string>{category.device}) return;
  std::string is = cls.name + " is " + report.spell(category) + ", but ";
  std::string what = !is_given(only_for) ? "its call has no only_for"
                     : literal           ? "its only_for is " + only_for.text
                                         : "what its only_for holds cannot be read here: " + only_for.text;
  Finding& finding = report.at_call(rule::only_for, cls, call, is + what, "write " + only_for_text(category));
  if (!is_given(only_for)) {
    if (only_for.state == DeviceFilter::State::absent)
      add_argument(finding, Safety::review, report.subject().text, call, only_for_text(category));
  } else if (literal && !only_for.by_position && !report.subject().text.empty()) {
    replace(finding, Safety::review, only_for.span, only_for_text(category));
  }
}

}  // namespace hwsift::lint
