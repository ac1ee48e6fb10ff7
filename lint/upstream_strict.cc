// upstream-strict: upstream's TEST_LINTER of July and August 2026.
//
// It sees direct children of the module only: classes with a direct, synchronous method test_*, and calls
// that are statements of the bare name. Of several calls for one class the first counts.
#include "lint/rule_ids.h"
#include "lint/upstream.h"

namespace hwsift::lint {
namespace {

using analyzer::Class;
using analyzer::Context;
using analyzer::Instantiation;
using analyzer::Method;
using classifier::Category;

using Calls = std::map<std::string_view, const Instantiation*>;

Calls seen_calls(const analyzer::FileFacts& file) {
  Calls calls;
  for (const Instantiation& call : file.instantiations) {
    bool bare = call.callee == Instantiation::Callee::bare && call.is_statement;
    if (bare && call.context == Context::module && names_class(call))
      calls.emplace(call.first_argument, &call);
  }
  return calls;
}

SeenClass seen_class(const Class& cls) {
  SeenClass seen{&cls, {}};
  if (cls.context != Context::module) return seen;
  for (const Method& method : cls.methods)
    if (!method.async && !method.conditional && method.name.starts_with("test_"))
      seen.tests.push_back(&method);
  return seen;
}

void forbid_decorators(Report& report, const SeenClass& seen) {
  for (const Method* test : seen.tests)
    for (const analyzer::Decorator& decorator : test->decorators)
      if (last_word(decorator).starts_with("only") && last_word(decorator) != "onlyAccelerator")
        forbid_decorator(report, *seen.cls, *test, decorator);
}

void check_filters(Report& report, const SeenClass& seen, const Instantiation& call,
                   const Category& category) {
  analyzer::DeviceFilter only_for = upstream_filter(call.only_for);
  if (category.kind == Category::Kind::device_generic)
    return forbid_only_for(report, *seen.cls, call, only_for);
  forbid_except_for(report, *seen.cls, call, upstream_filter(call.except_for), category);
  require_only_for(report, *seen.cls, call, only_for, category);
}

void check_class(Report& report, const SeenClass& seen, const Instantiation* call, const Category& category) {
  if (category.kind == Category::Kind::generic) {
    if (call != nullptr) forbid_instantiation(report, *seen.cls, *call);
    return forbid_device_param(report, seen);
  }
  if (call == nullptr) require_instantiation(report, seen, category);
  require_device_param(report, seen);
  if (category.kind == Category::Kind::device_generic) forbid_decorators(report, seen);
  if (call != nullptr) check_filters(report, seen, *call, category);
}

}  // namespace

std::vector<Finding> lint_upstream_strict(const Subject& subject) {
  Report report(subject);
  Calls calls = seen_calls(subject.file);
  for (const Class& cls : subject.file.classes) {
    SeenClass seen = seen_class(cls);
    if (seen.tests.empty()) continue;
    std::optional<Category> category = upstream_label(cls);
    if (!category) {
      report_declaration(report, subject, cls, upstream_statement(cls));
      continue;
    }
    auto call = calls.find(cls.name);
    check_class(report, seen, call == calls.end() ? nullptr : call->second, *category);
  }
  return report.take();
}

}  // namespace hwsift::lint
