#include "runner/cxx_selection.h"

#include <algorithm>
#include <optional>
#include <set>

#include "classifier/cxx_classify.h"
#include "runner/fit.h"
#include "runner/gtest_list.h"

namespace hwsift::runner {
namespace {

using analyzer::Class;
using analyzer::FileFacts;
using analyzer::Method;
using classifier::ClassVerdict;

const ClassVerdict* verdict_on(const std::vector<ClassVerdict>& verdicts, std::size_t class_index) {
  auto found = std::find_if(verdicts.begin(), verdicts.end(), [&](const ClassVerdict& verdict) {
    return verdict.class_index == static_cast<int>(class_index);
  });
  return found == verdicts.end() ? nullptr : &*found;
}

SelectedTest named(const FileFacts& file, const Class& suite, const Method& method) {
  SelectedTest test;
  test.path = file.path;
  test.cls = test.run_class = suite.name;
  test.method = method.name;
  test.line = method.line;
  test.expands = method.expands || !method.instance_names.empty();
  test.id = test.path + "::" + suite.name + "::" + method.name;
  return test;
}

// A name that stands in several branches of the preprocessor is one test.
class CxxSelector {
 public:
  CxxSelector(const FileFacts& file, const SelectOptions& options) : file_(file), options_(options) {}

  void add_suite(const Class& suite, const ClassVerdict* verdict) {
    if (suite.name.empty()) return;  // of a framework that is not gtest
    for (const Method& method : suite.methods)
      if (method.is_test) add(suite, method, classifier::counted_category(verdict, method));
    if (verdict == nullptr) return;
    classifier::CountedCategory whole{verdict->effective(), verdict->declared.has_value()};
    selection_.classes[file_.path + "::" + suite.name] = {whole.declared, misfit(whole, options_)};
  }

  Selection take() {
    auto by_line = [](const SelectedTest& a, const SelectedTest& b) { return a.line < b.line; };
    std::stable_sort(selection_.tests.begin(), selection_.tests.end(), by_line);
    if (!selection_.tests.empty()) selection_.files.push_back(file_.path);
    return std::move(selection_);
  }

 private:
  void add(const Class& suite, const Method& method, const classifier::CountedCategory& counted) {
    SelectedTest test = named(file_, suite, method);
    if (!seen_.insert(test.id).second) return;
    test.category = counted.category;
    std::string left_out = misfit(counted, options_);
    if (left_out.empty() && classifier::is_disabled(suite.name, method.name)) left_out = kDisabledByName;
    const classifier::NameSuffix* suffix = classifier::suffix_of(method.name, options_.machine.vocabulary);
    test.several_devices = suffix != nullptr && suffix->count > 1;
    if (left_out.empty() && test.several_devices) left_out = lacking_devices(*suffix, options_);
    if (left_out.empty()) {
      selection_.tests.push_back(std::move(test));
      return;
    }
    if (test.expands) selection_.expanding.insert(test.id);
    selection_.not_selected[left_out].push_back(std::move(test.id));
  }

  const FileFacts& file_;
  const SelectOptions& options_;
  Selection selection_;
  std::set<std::string> seen_;
};

}  // namespace

bool is_cxx(const FileFacts& file) { return file.language == "cpp"; }

std::string lacking_devices(const classifier::NameSuffix& suffix, const SelectOptions& options) {
  bool lacking = options.machine.has_count(suffix.count) == std::optional(false);
  if (!lacking || options.every_category) return "";
  return "needs " + std::to_string(suffix.count) + " devices (" + suffix.suffix + ")";
}

Selection select_cxx(const FileFacts& file, const std::vector<ClassVerdict>& verdicts,
                     const SelectOptions& options) {
  CxxSelector selector(file, options);
  for (std::size_t i = 0; i < file.classes.size(); ++i)
    selector.add_suite(file.classes[i], verdict_on(verdicts, i));
  return selector.take();
}

}  // namespace hwsift::runner
