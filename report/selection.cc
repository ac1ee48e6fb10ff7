#include "report/selection.h"

#include <fmt/format.h>

#include <map>

#include "base/text.h"

namespace hwsift::report {
namespace {

Json test_json(const runner::SelectedTest& test) {
  return {{"id", test.id},         {"path", test.path},
          {"class", test.cls},     {"run_class", test.run_class},
          {"method", test.method}, {"category", test.category.name()},
          {"line", test.line},     {"expands", test.expands}};
}

std::string s(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

}  // namespace

Json selection_members(const runner::Selection& selection) {
  Json document = {{"device", selection.device}};
  Json tests = Json::array();
  for (const runner::SelectedTest& test : selection.tests) tests.push_back(test_json(test));
  document["tests"] = std::move(tests);
  Json reasons = Json::object();
  for (const auto& [reason, ids] : selection.not_selected) reasons[reason] = ids.size();
  document["not_selected"] = std::move(reasons);
  return document;
}

std::string selection_json(const runner::Selection& selection) {
  Json document = {{"schema", "hwsift.selection/1"}};
  document.update(selection_members(selection));
  return dump_json(document, 1) + "\n";
}

std::string selection_ids(const runner::Selection& selection) {
  std::string text;
  for (const runner::SelectedTest& test : selection.tests) text += printable(test.id) + "\n";
  return text;
}

std::string selection_text(const runner::Selection& selection, const Style& style) {
  std::map<std::string, std::size_t> by_category;
  std::size_t expanding = 0;
  for (const runner::SelectedTest& test : selection.tests)
    ++by_category[test.category.name()], expanding += test.expands;
  std::string text = style.bold(fmt::format("{} for {} in {}", s(selection.tests.size(), "test"),
                                            printable(selection.device), s(selection.files.size(), "file"))) +
                     "\n";
  for (const auto& [category, count] : by_category) text += fmt::format("  {:>7}  {}\n", count, category);
  if (expanding > 0)
    text += fmt::format("{} of them stand for several (@ops, @dtypes, @parametrize).\n", expanding);
  if (!selection.not_selected.empty()) text += style.bold("Not selected") + "\n";
  for (const auto& [reason, ids] : selection.not_selected)
    text += fmt::format("  {:>7}  {}\n", ids.size(), printable(reason));
  if (selection.tests.empty())
    return text + "Nothing is for this device here; -o json names each test left out.\n";
  return text +
         "-o ids lists them, -o json holds all; `hwsift run` with the same PATHS and --device runs them.\n";
}

}  // namespace hwsift::report
