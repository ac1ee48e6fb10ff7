// recommended: the strict upstream contract, with classes, labels and calls as Python sees them.
#include <algorithm>
#include <array>

#include "lint/contract.h"
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
      report.at_class(
          rule::decorator, *seen.cls,
          "@" + decorator.text + " keeps " + seen.cls->name + " from other devices, but it is ACCELERATOR",
          "label the class for those devices, or use @onlyAccelerator");
  for (const Method* test : seen.tests)
    for (const Decorator& decorator : test->decorators)
      if (keeps_to_devices(subject.vocabulary, decorator))
        forbid_decorator(report, *seen.cls, *test, decorator);
}

// An empty list filters nothing; of `**options` nobody knows that it filters.
bool may_filter(const analyzer::DeviceFilter& filter) {
  bool empty = filter.state == analyzer::DeviceFilter::State::literal && filter.values.empty();
  return !empty && !filter.text.starts_with('*');
}

void check_filters(Report& report, const Class& cls, const Instantiation& call, const Category& category) {
  if (category.kind == Category::Kind::device_generic)
    return forbid_only_for(report, cls, call, call.only_for);
  if (may_filter(call.except_for)) forbid_except_for(report, cls, call, call.except_for, category);
  require_only_for(report, cls, call, call.only_for, category);
}

void check_class(Report& report, const Subject& subject, const PythonView& view, const SeenClass& seen,
                 const Category& category) {
  const Class& cls = *seen.cls;
  const std::vector<const Instantiation*>& calls = view.calls(cls);
  if (category.kind == Category::Kind::generic) {
    if (!calls.empty()) forbid_instantiation(report, cls, *calls.front());
    return forbid_device_param(report, seen);
  }
  if (view.instantiated(cls) == Instantiated::no) require_instantiation(report, cls, category);
  require_device_param(report, seen);
  if (category.kind == Category::Kind::device_generic) forbid_decorators(report, subject, seen);
  for (const Instantiation* call : calls) check_filters(report, cls, *call, category);
}

}  // namespace

std::vector<Finding> lint_recommended(const Subject& subject) {
  Report report(subject);
  PythonView view(subject.file);
  for (const Class& cls : subject.file.classes) {
    SeenClass seen = tests_of(cls);
    if (seen.tests.empty()) continue;
    std::optional<Category> category = python_label(cls);
    if (category)
      check_class(report, subject, view, seen, *category);
    else
      report_declaration(report, subject, cls, cls.label());
  }
  return report.take();
}

}  // namespace hwsift::lint
