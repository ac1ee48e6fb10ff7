#include "report/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "analyzer/discover.h"
#include "base/text.h"

namespace hwsift::report {
namespace {

void write(JsonWriter& json, const runner::SelectedTest& test) {
  json.object([&] {
    json.member("id", test.id);
    json.member("path", test.path);
    json.member("class", test.cls);
    json.member("run_class", test.run_class);
    json.member("method", test.method);
    json.member("category", test.category.name());
    json.member("line", test.line);
    json.member("expands", test.expands);
  });
}

void write(JsonWriter& json, const runner::LeftOutClass& cls) {
  json.object([&] {
    json.member("id", cls.id);
    json.member("tests", cls.tests);
    json.member("reason", cls.reason);
  });
}

std::string s(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

// pytest and run_test.py work in test/.
std::string below_tests(const std::string& id) { return id.starts_with("test/") ? id.substr(5) : id; }

std::string left_out_text(const runner::Selection& selection, const Style& style) {
  constexpr std::size_t kListed = 20;
  std::vector<runner::LeftOutClass> classes = left_out_classes(selection);
  if (classes.empty()) return "";
  std::string text = style.bold(fmt::format("{} {} of which nothing is left", classes.size(),
                                            classes.size() == 1 ? "class" : "classes")) +
                     "\n";
  for (std::size_t i = 0; i < std::min(classes.size(), kListed); ++i)
    text += fmt::format("  {:>7}  {}  {}\n", classes[i].tests, printable(classes[i].id),
                        style.dim(printable(classes[i].reason)));
  if (classes.size() > kListed)
    text += fmt::format("  ... and {} more; -o json names all.\n", classes.size() - kListed);
  return text;
}

}  // namespace

void write_selection(JsonWriter& json, const runner::Selection& selection) {
  json.member("device", selection.device);
  json.list("tests", selection.tests, [&](const runner::SelectedTest& test) { write(json, test); });
  json.key("not_selected");
  json.object([&] {
    for (const auto& [reason, ids] : selection.not_selected) json.member(reason, ids.size());
  });
  json.list("left_out_classes", left_out_classes(selection),
            [&](const runner::LeftOutClass& cls) { write(json, cls); });
}

std::string selection_json(const runner::Selection& selection) {
  std::string text;
  JsonWriter json(text, 1);
  json.object([&] {
    json.member("schema", "hwsift.selection/1");
    write_selection(json, selection);
  });
  text += '\n';
  return text;
}

std::string selection_ids(const runner::Selection& selection) {
  std::string text;
  for (const runner::SelectedTest& test : selection.tests) text += printable(test.id) + "\n";
  return text;
}

std::string selection_counts(const runner::Selection& selection) {
  std::string text = fmt::format("{}\tselected\n", selection.tests.size());
  for (const auto& [reason, ids] : selection.not_selected)
    text += fmt::format("{}\t{}\n", ids.size(), printable(reason));
  return text;
}

std::string selection_pytest(const runner::Selection& selection, std::size_t& too_wide) {
  std::set<std::string> partly;
  for (const auto& [reason, ids] : selection.not_selected)
    for (const std::string& id : ids) partly.insert(runner::class_of_id(id));
  std::vector<std::string> lines;
  std::set<std::string> whole;
  std::set<std::string> widened;
  for (const runner::SelectedTest& test : selection.tests) {
    if (analyzer::is_cxx_file(test.path)) continue;  // neither pytest nor run_test.py takes it
    std::string cls = runner::class_of_id(test.id);
    bool all = partly.count(cls) == 0 && !test.cls.empty();
    if (!all && test.expands) widened.insert(cls);
    if (!all && !test.expands)
      lines.push_back(below_tests(test.id));
    else if (whole.insert(cls).second)
      lines.push_back(below_tests(cls));
  }
  // What a class takes whole needs no test of it beside.
  std::erase_if(
      lines, [&](const std::string& line) { return whole.count("test/" + runner::class_of_id(line)) > 0; });
  too_wide = widened.size();
  std::string text;
  for (const std::string& line : lines) text += printable(line) + "\n";
  return text;
}

std::string selection_run_test(const runner::Selection& selection) {
  std::vector<std::string> files = selection.files;
  std::erase_if(files, analyzer::is_cxx_file);
  std::string text = files.empty() ? "" : "--include\n";
  for (const std::string& file : files) {
    std::string name = below_tests(file);
    if (name.ends_with(".py")) name.erase(name.size() - 3);
    text += printable(name) + "\n";
  }
  return text;
}

namespace {

// Which real tests a template stands for, only the run tells.
std::string selected_as(const runner::SelectedTest& test, const std::string& id, const std::string& device,
                        const Style& style) {
  bool of_template = test.expands && test.id != id;
  return style.green("is selected") + fmt::format(" for {}, {} {}: category {}", device,
                                                  of_template ? "if it is one of" : "as", printable(test.id),
                                                  test.category.name());
}

}  // namespace

std::string whereabouts_text(const runner::Selection& selection, const std::string& id,
                             const runner::Whereabouts& found, const Style& style) {
  std::size_t out = 0;
  for (const auto& [reason, ids] : found.not_selected) out += ids.size();
  std::string device = printable(selection.device);
  if (out + found.selected.size() == 1) {
    std::string what =
        out == 0 ? selected_as(*found.selected.front(), id, device, style)
                 : style.yellow("is not selected") +
                       fmt::format(" for {}: {}", device, printable(found.not_selected.begin()->first));
    return style.bold(printable(id)) + " " + what + "\n" +
           fmt::format("`hwsift explain {} --device {}` tells more.\n", printable(id), device);
  }
  std::string text = style.bold(printable(id)) + fmt::format(" on {}:\n", device);
  text += fmt::format("  {:>7}  selected\n", found.selected.size());
  for (const auto& [reason, ids] : found.not_selected)
    text += fmt::format("  {:>7}  {}\n", ids.size(), printable(reason));
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
  text += left_out_text(selection, style);
  if (selection.tests.empty())
    return text +
           "Nothing is selected. `hwsift select --why ID` says what became of one test, class or file.\n";
  bool cxx = std::any_of(selection.files.begin(), selection.files.end(), analyzer::is_cxx_file);
  return text + "-o ids lists them, -o json holds all; `hwsift run` with " +
         (cxx ? "--gtest BINARY:SOURCES runs C++ tests, with the same PATHS Python's.\n"
              : "the same PATHS and --device runs them.\n");
}

}  // namespace hwsift::report
