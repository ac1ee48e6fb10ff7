// recommended: the strict upstream contract, with classes, labels and calls as Python sees them.
#include <algorithm>
#include <array>

#include "lint/contract.h"
#include "lint/own/own_rules.h"
#include "lint/python_view.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Class;
using analyzer::Decorator;
using analyzer::Instantiation;
using analyzer::Method;
using classifier::Category;

std::string_view last_part(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

// only... decorators that the vocabulary knows to keep a test to some devices; a name alone proves nothing.
bool keeps_to_devices(const classifier::Vocabulary& vocabulary, const Decorator& decorator) {
  std::string_view name = last_part(decorator.symbol);
  if (!name.starts_with("only") || name == "onlyAccelerator") return false;
  const classifier::Symbol* symbol = vocabulary.find(decorator.symbol);
  return symbol != nullptr && symbol->meaning == classifier::Meaning::restricts_variants;
}

SeenClass tests_of(const Class& cls) {
  SeenClass seen{&cls, {}};
  if (!at_module_level(cls.context)) return seen;
  for (const Method& method : cls.methods)
    if (method.is_test) seen.tests.push_back(&method);
  return seen;
}

void forbid_decorators(Report& report, const Subject& subject, const SeenClass& seen) {
  for (const Decorator& decorator : seen.cls->decorators)
    if (keeps_to_devices(subject.vocabulary, decorator))
      report.at_class(rule::decorator, *seen.cls,
                      "@" + decorator.text + " keeps " + seen.cls->name + " from other devices, but it is " +
                          report.spell(Category::device_generic()),
                      "label the class for those devices, or use @onlyAccelerator");
  for (const Method* test : seen.tests)
    for (const Decorator& decorator : test->decorators)
      if (keeps_to_devices(subject.vocabulary, decorator))
        forbid_decorator(report, *seen.cls, *test, decorator);
}

// Such decorators ask self.device_type, which only variants have.
void forbid_decorators_without_variants(Report& report, const Subject& subject, const SeenClass& seen) {
  for (const Method* test : seen.tests)
    for (const Decorator& decorator : test->decorators) {
      bool asks =
          keeps_to_devices(subject.vocabulary, decorator) || last_part(decorator.symbol) == "onlyAccelerator";
      if (asks)
        report.at_method(rule::decorator, *seen.cls, *test,
                         "@" + decorator.text + " asks for the device of a variant, but " + seen.cls->name +
                             " is GENERIC and has none",
                         "drop the decorator, or move the test to a class that is instantiated");
    }
}

// An empty list filters nothing; of `**options` nobody knows that it filters.
bool may_filter(const analyzer::DeviceFilter& filter) {
  bool empty = filter.state == analyzer::DeviceFilter::State::literal && filter.values.empty();
  return !empty && !filter.text.starts_with('*');
}

// A name may stand for a constant of another file of the tree.
analyzer::DeviceFilter resolved(const Subject& subject, const analyzer::DeviceFilter& filter) {
  bool elsewhere = filter.state == analyzer::DeviceFilter::State::unknown &&
                   filter.symbol.find('.') != std::string::npos && subject.around.index != nullptr;
  if (!elsewhere) return filter;
  std::optional<analyzer::DeviceFilter> found =
      subject.around.index->find_constant(subject.file, filter.symbol);
  if (!found) return filter;
  found->text = filter.text;
  found->span = filter.span;
  found->by_position = filter.by_position;
  found->from_constant = true;
  return *found;
}

bool lists_accelerators(const Subject& subject, const analyzer::DeviceFilter& filter) {
  return filter.state == analyzer::DeviceFilter::State::literal && !filter.values.empty() &&
         std::all_of(filter.values.begin(), filter.values.end(), [&](const std::string& device) {
           const classifier::DeviceType* type = subject.vocabulary.device(device);
           return type == nullptr || type->accelerator;
         });
}

void check_filters(Report& report, const Subject& subject, const Class& cls, const Instantiation& call,
                   const Category& category) {
  analyzer::DeviceFilter only_for = resolved(subject, call.only_for);
  if (category.kind == Category::Kind::device_generic) {
    bool allowed = subject.profile.settings.accelerators_in_only_for && lists_accelerators(subject, only_for);
    if (!allowed) forbid_only_for(report, cls, call, only_for);
    return;
  }
  if (report.has(rule::label_scope) && contradicts_label(call, category)) return;  // said there, and better
  if (may_filter(call.except_for)) forbid_except_for(report, cls, call, call.except_for, category);
  require_only_for(report, cls, call, only_for, category);
}

// The class's own file tells first; other files are asked only when the finding would hang on them.
bool is_instantiated_nowhere(const Subject& subject, const PythonView& view, const Class& cls) {
  if (view.instantiated(cls) != Instantiated::no) return false;
  return subject.around.index == nullptr || subject.around.index->calls_elsewhere(subject.file, cls).empty();
}

void check_class(Report& report, const Subject& subject, const PythonView& view, const SeenClass& seen,
                 const Category& category) {
  const Class& cls = *seen.cls;
  const std::vector<const Instantiation*>& calls = view.calls(cls);
  if (category.kind == Category::Kind::generic) {
    if (!calls.empty())
      forbid_instantiation(report, cls, *calls.front());
    else
      forbid_decorators_without_variants(report, subject, seen);
    return forbid_device_param(report, seen);
  }
  if (is_instantiated_nowhere(subject, view, cls)) require_instantiation(report, seen, category);
  require_device_param(report, seen);
  if (category.kind == Category::Kind::device_generic) forbid_decorators(report, subject, seen);
  for (const Instantiation* call : calls) check_filters(report, subject, cls, *call, category);
}

}  // namespace

namespace {

// The label of a class that this file instantiates stands in another one; the call is judged here, where it
// is.
void check_foreign_call(Report& report, const Subject& subject, const Instantiation& call) {
  std::optional<analyzer::FoundClass> found = subject.around.index->find_class(subject.file, call.symbol);
  std::optional<Category> category = found ? python_label(*found->cls) : std::nullopt;
  if (!category) return;
  if (category->kind != Category::Kind::generic)
    return check_filters(report, subject, *found->cls, call, *category);
  report.at_call(
      rule::instantiation, *found->cls, call,
      found->cls->name + " of " + found->file->path + " is GENERIC, yet it is instantiated for devices",
      "drop the call, or label the class " + report.spell(Category::device_generic()));
}

}  // namespace

std::vector<Finding> lint_recommended(const Subject& subject, const PythonView& view) {
  Report report(subject);
  for (const Class& cls : subject.file.classes) {
    SeenClass seen = tests_of(cls);
    if (seen.tests.empty()) continue;
    std::optional<Category> category = effective_label(subject, cls);
    if (!category || !is_defined(subject, cls)) report_declaration(report, subject, cls, cls.label());
    if (category) check_class(report, subject, view, seen, *category);
  }
  for (const Instantiation* call : foreign_calls(subject)) check_foreign_call(report, subject, *call);
  return report.take();
}

}  // namespace hwsift::lint
