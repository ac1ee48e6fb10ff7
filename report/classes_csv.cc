#include "report/classes_csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/csv.h"
#include "base/text.h"

namespace hwsift::report {
namespace {

using classifier::Category;
using classifier::ClassVerdict;
using classifier::MethodVerdict;
using classifier::SplitPart;

std::string header(const ClassesReport& report) {
  std::vector<std::string> names = {"path",     "class", "line",       "declared",
                                    "inferred", "mixed", "confidence", "tests"};
  for (const Category& category : report.categories) names.push_back(category.name());
  names.insert(names.end(), {"split", "evidence", "kind"});
  return csv_row(names);
}

std::size_t tests_of(const ClassVerdict& verdict, const Category& category) {
  if (!verdict.own_tests) return 0;
  return static_cast<std::size_t>(
      std::count_if(verdict.methods.begin(), verdict.methods.end(),
                    [&](const MethodVerdict& method) { return method.category == category; }));
}

// "TestX=3;TestXDevice=2".
std::string split_text(const ClassVerdict& verdict) {
  std::vector<std::string> parts;
  for (const SplitPart& part : verdict.split)
    parts.push_back(fmt::format("{}={}", part.name, part.methods.size()));
  return join(parts, ";");
}

std::string class_row(const ClassVerdict& verdict, const std::vector<Category>& categories) {
  std::vector<std::string> cells = {verdict.path,
                                    verdict.name,
                                    std::to_string(verdict.line),
                                    verdict.declared ? verdict.declared->name() : "",
                                    verdict.inferred.name(),
                                    is_mixed(verdict) ? "true" : "false",
                                    fmt::format("{:.2f}", verdict.confidence),
                                    std::to_string(verdict.own_tests ? verdict.methods.size() : 0)};
  for (const Category& category : categories) cells.push_back(std::to_string(tests_of(verdict, category)));
  cells.push_back(split_text(verdict));
  cells.push_back(reason_of(verdict));
  cells.emplace_back(verdict.own_tests ? "own tests" : "inherited tests");
  return csv_row(cells);
}

std::string unclassified_row(const Unclassified& made, std::size_t categories) {
  std::vector<std::string> cells = {made.path, made.name, std::to_string(made.line), "", "", "", "", ""};
  cells.insert(cells.end(), categories + 1, "");
  cells.push_back("dynamic, unclassified: " + made.why + ": " + made.text);
  cells.emplace_back("dynamic");
  return csv_row(cells);
}

}  // namespace

std::string classes_csv(const ClassesReport& report) {
  std::string text = header(report);
  for (const ClassVerdict& verdict : report.verdicts)
    if (is_shown(report, verdict)) text += class_row(verdict, report.categories);
  if (shows_unclassified(report))
    for (const Unclassified& made : report.dynamic) text += unclassified_row(made, report.categories.size());
  return text;
}

}  // namespace hwsift::report
