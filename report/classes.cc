#include "report/classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "base/text.h"
#include "report/evidence.h"

namespace hwsift::report {

using analyzer::DynamicClass;
using analyzer::FileFacts;
using analyzer::Function;
using analyzer::Instantiation;
using classifier::Category;
using classifier::ClassVerdict;

const char* word(Attention attention) {
  switch (attention) {
    case Attention::mixed:
      return "mixed";
    case Attention::disagree:
      return "disagree";
    case Attention::unknown:
      return "unknown";
  }
  return "";
}

std::vector<Category> categories_of(const classifier::Vocabulary& vocabulary) {
  std::vector<Category> categories = {Category::generic(), Category::device_generic()};
  for (const classifier::DeviceType& type : vocabulary.devices)
    if (!type.category.empty()) categories.push_back(Category::of_device(type.name));
  return categories;
}

namespace {

// Devices that C++ tests alone name have a category too.
void add_categories(const ClassVerdict& verdict, std::vector<Category>& categories) {
  auto add = [&](const Category& category) {
    if (std::find(categories.begin(), categories.end(), category) == categories.end())
      categories.push_back(category);
  };
  add(verdict.inferred);
  for (const classifier::MethodVerdict& method : verdict.methods) add(method.category);
}

bool is_fixture(const Function& function) {
  return std::any_of(function.decorators.begin(), function.decorators.end(),
                     [](const analyzer::Decorator& d) { return d.symbol.ends_with("fixture"); });
}

// One that other code of the file calls is a helper by that name.
bool is_collected(const Function& function) {
  return function.is_test && !function.referenced && !is_fixture(function);
}

Unclassified made_class(const FileFacts& file, const DynamicClass& made) {
  const char* why = made.opaque ? "put there by globals().update()" : "made by type()";
  return {file.path, made.line, made.name, made.text, why};
}

// A template that no class statement of the file makes: imported, or bound to what a call returns. What the
// call makes of it runs here all the same.
Unclassified template_from_elsewhere(const FileFacts& file, const Instantiation& call) {
  std::string text = "instantiate_device_type_tests(" + call.first_argument;
  if (call.only_for.state != analyzer::DeviceFilter::State::absent)
    text += ", only_for=" + call.only_for.text;
  return {file.path, call.line, call.class_name, text + ")", "a template from elsewhere"};
}

void add_templates(const FileFacts& file, std::vector<Unclassified>& dynamic) {
  std::set<std::string> known;
  for (const analyzer::Class& cls : file.classes) known.insert(cls.name);
  for (const DynamicClass& made : file.dynamic_classes) known.insert(made.name);
  for (const Instantiation& call : file.instantiations)
    if (known.insert(call.class_name.empty() ? call.first_argument : call.class_name).second)
      dynamic.push_back(template_from_elsewhere(file, call));
}

}  // namespace

void add_file(const FileFacts& file, std::vector<ClassVerdict> verdicts, ClassesReport& report) {
  for (const ClassVerdict& verdict : verdicts) add_categories(verdict, report.categories);
  std::move(verdicts.begin(), verdicts.end(), std::back_inserter(report.verdicts));
  std::vector<Unclassified> dynamic;
  for (const DynamicClass& made : file.dynamic_classes) dynamic.push_back(made_class(file, made));
  add_templates(file, dynamic);
  std::stable_sort(dynamic.begin(), dynamic.end(),
                   [](const Unclassified& a, const Unclassified& b) { return a.line < b.line; });
  std::move(dynamic.begin(), dynamic.end(), std::back_inserter(report.dynamic));
  if (!file.test_file) return;  // pytest looks for functions there alone
  for (const Function& function : file.functions)
    if (is_collected(function)) report.functions.push_back({file.path, function.line, function.name});
}

// What a class without tests of its own inherits is split where it stands.
bool is_mixed(const ClassVerdict& verdict) { return verdict.mixed && verdict.own_tests; }

bool disagrees(const ClassVerdict& verdict) {
  return verdict.declared && !(*verdict.declared == verdict.inferred) && !verdict.methods.empty();
}

// As it is printed, so that a mean of 0.6 is never called less.
double two_decimals(double value) { return std::round(value * 100) / 100; }

bool is_unknown(const ClassVerdict& verdict) {
  bool low = two_decimals(verdict.confidence) < kLowConfidence;
  return !verdict.declared && (verdict.methods.empty() || low);
}

bool needs(const ClassVerdict& verdict, Attention attention) {
  switch (attention) {
    case Attention::mixed:
      return is_mixed(verdict);
    case Attention::disagree:
      return disagrees(verdict);
    case Attention::unknown:
      return is_unknown(verdict);
  }
  return false;
}

bool is_shown(const ClassesReport& report, const ClassVerdict& verdict) {
  return report.show.empty() || std::any_of(report.show.begin(), report.show.end(),
                                            [&](Attention attention) { return needs(verdict, attention); });
}

bool shows_unclassified(const ClassesReport& report) {
  return report.show.empty() || report.show.count(Attention::unknown) > 0;
}

Totals totals_of(const ClassesReport& report) {
  Totals totals;
  for (const ClassVerdict& verdict : report.verdicts) {
    totals.shown += is_shown(report, verdict) ? 1 : 0;
    totals.disagreeing += disagrees(verdict) ? 1 : 0;
    if (!verdict.own_tests) {
      ++totals.further;
      continue;
    }
    ++totals.classes;
    totals.tests += verdict.methods.size();
    totals.mixed += verdict.mixed ? 1 : 0;
    totals.declared += verdict.declared ? 1 : 0;
  }
  return totals;
}

std::string reason_of(const ClassVerdict& verdict) {
  if (verdict.evidence.empty()) return "";
  const classifier::Evidence& first = verdict.evidence.front();
  return fmt::format("{} ({}) {}", short_symbol(first.symbol), place_of(first), first.says);
}

}  // namespace hwsift::report
