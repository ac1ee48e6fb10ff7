// Tests that no class statement holds have no hw_classification: a filter by it drops them.
#include <algorithm>

#include "base/text.h"
#include "lint/own/own_rules.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Decorator;
using analyzer::DynamicClass;
using analyzer::Function;

bool is_fixture(const Function& function) {
  return std::any_of(function.decorators.begin(), function.decorators.end(),
                     [](const Decorator& decorator) { return decorator.symbol.ends_with("fixture"); });
}

bool is_parametrized(const Function& function) {
  return std::any_of(function.decorators.begin(), function.decorators.end(),
                     [](const Decorator& decorator) { return decorator.symbol.ends_with("parametrize"); });
}

// A function with parameters that nothing fills, or that other code calls, is a helper by that name.
bool is_collected(const Function& function) {
  bool filled = function.params.empty() || is_parametrized(function);
  return function.is_test && filled && !function.referenced && !is_fixture(function);
}

// Whether a base looks like a test case, or a factory like one of tests: their own names say so.
bool makes_tests(const DynamicClass& made) {
  if (made.opaque) return ascii_lower(made.text).find("test") != std::string::npos;
  return std::any_of(made.bases.begin(), made.bases.end(),
                     [](const std::string& base) { return base.find("Test") != std::string::npos; });
}

void report_made(Report& report, const DynamicClass& made) {
  static const analyzer::Class none;
  if (made.opaque) {
    report.at_place(rule::invisible_test, none, {made.line, made.col, 9},
                    "globals().update() puts tests into the module that cannot be told without running it",
                    "write class statements with an hw_classification of their own");
    return;
  }
  report.at_place(rule::invisible_test, none, {made.line, made.col, 4},
                  "a test class that type() makes" + (made.name.empty() ? "" : " (" + made.name + ")") +
                      " has no hw_classification of its own",
                  "put hw_classification into its members, or write a class statement");
}

}  // namespace

void check_invisible_test(Report& report, const FileView& view) {
  static const analyzer::Class none;
  for (const Function& function : view.file().functions)
    if (is_collected(function))
      report.at_place(
          rule::invisible_test, none,
          {function.line, function.col, static_cast<int>(function.name.size()) + 4},
          function.name +
              " stands in no class, so that it has no hw_classification and a filter by it drops it",
          is_parametrized(function)
              ? "move it into a test class, with @parametrize of common_utils in place of pytest's"
              : "move it into a test class");
  for (const DynamicClass& made : view.file().dynamic_classes)
    if (makes_tests(made) && !made.labelled) report_made(report, made);
}

}  // namespace hwsift::lint
