#include "runner/selection.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_set>

#include "base/text.h"
#include "classifier/eligibility.h"
#include "classifier/variants.h"

namespace hwsift::runner {
namespace {

using analyzer::Class;
using analyzer::Context;
using analyzer::FileFacts;
using analyzer::Function;
using analyzer::Method;
using classifier::ClassTest;
using classifier::ClassVerdict;
using classifier::CountedCategory;
using classifier::is_parametrized;
using classifier::unfit;
using classifier::Variant;

const Method& method_of(const FileFacts& file, const ClassTest& test) {
  const Class& owner = file.classes[static_cast<std::size_t>(test.owner_index)];
  return owner.methods[static_cast<std::size_t>(test.method_index)];
}

class Selector {
 public:
  Selector(const classifier::Vocabulary& vocabulary, const std::string& device) : vocabulary_(vocabulary) {
    selection_.device = device;
    selection_.variants = {device};
    for (const classifier::DeviceType& type : vocabulary.devices)
      if (device == "cpu" && !type.accelerator && type.instantiated == classifier::Instantiated::lazy)
        selection_.variants.push_back(type.name);
  }

  void add(const FileFacts& file, const std::vector<ClassVerdict>& verdicts) {
    std::size_t before = selection_.tests.size();
    Judged judged{file, classifier::Eligibilities(file, verdicts, vocabulary_, selection_.device)};
    add_classes(judged, true);
    add_classes(judged, false);
    for (std::size_t i = 0; i < file.functions.size(); ++i)
      if (file.functions[i].is_test) add_function(file, static_cast<int>(i));
    if (selection_.tests.size() == before) return;
    auto by_line = [](const SelectedTest& a, const SelectedTest& b) { return a.line < b.line; };
    std::stable_sort(selection_.tests.begin() + static_cast<std::ptrdiff_t>(before), selection_.tests.end(),
                     by_line);
    selection_.files.push_back(file.path);
  }

  Selection take() { return std::move(selection_); }

 private:
  // A file with the verdicts on its classes, looked up by class.
  struct Judged {
    const FileFacts& file;
    classifier::Eligibilities answers;

    const classifier::FileClasses& classes() const { return answers.classes(); }
    const Class& class_at(int index) const { return file.classes[static_cast<std::size_t>(index)]; }
  };

  // The collected ones come first: a name belongs to them, whatever else has it.
  void add_classes(const Judged& judged, bool collected) {
    for (int i = 0; i < static_cast<int>(judged.file.classes.size()); ++i) {
      std::string left_out = judged.classes().uncollected(i);
      if (left_out.empty() != collected) continue;
      if (collected)
        add_collected(judged, i);
      else
        add_tests(judged, i, nullptr, left_out, false);
    }
  }

  void add_collected(const Judged& judged, int index) {
    const Class& cls = judged.class_at(index);
    const ClassVerdict* verdict = judged.answers.verdict_of(index);
    if (!judged.classes().is_template(index)) {
      add_fit(judged.file, cls.name, verdict);
      return add_tests(judged, index, nullptr, "", true);
    }
    for (const std::string& type : selection_.variants) {
      Variant variant = classifier::variant_for(judged.classes().calls_of(index), cls, type, vocabulary_);
      bool absent = variant.state == Variant::State::absent;
      if (absent && type != selection_.device) continue;
      if (!absent) add_fit(judged.file, variant.class_name, verdict);
      std::string why = absent ? "not instantiated for " + type + ": " + variant.reason : "";
      add_tests(judged, index, absent ? nullptr : &variant, why, true);
    }
  }

  void add_fit(const FileFacts& file, const std::string& run_class, const ClassVerdict* verdict) {
    if (verdict == nullptr) return;
    CountedCategory need{verdict->effective(), verdict->declared.has_value()};
    selection_.classes[file.path + "::" + run_class] = {need.declared, unfit(need, selection_.device)};
  }

  // `left_out` is why the whole class is not selected; of one that pytest does not collect, the tests run
  // where they are inherited, if they fit the device.
  void add_tests(const Judged& judged, int index, const Variant* variant, const std::string& left_out,
                 bool collected) {
    for (const ClassTest& of_class : judged.classes().tests_of(index)) {
      if (of_class.method_index < 0 || (of_class.inherited() && !collected)) continue;
      SelectedTest test = named(judged, of_class, variant);
      CountedCategory need =
          classifier::counted_category(judged.answers.verdict_on(of_class), method_of(judged.file, of_class));
      test.category = need.category;
      std::string misfit = unfit(need, selection_.device);
      if (misfit.empty() && !collected) selection_.inheritable.insert(test.id);
      bool by_class = !left_out.empty() && (misfit.empty() || collected);
      add_test(std::move(test), by_class ? left_out : misfit);
    }
  }

  // The framework renames the own tests of a template only.
  static SelectedTest named(const Judged& judged, const ClassTest& of_class, const Variant* variant) {
    const Class& cls = judged.class_at(of_class.class_index);
    const Method& method = method_of(judged.file, of_class);
    SelectedTest test;
    test.path = judged.file.path;
    test.cls = cls.name;
    bool nested = cls.context == Context::function || cls.context == Context::class_;
    test.run_class = variant != nullptr ? variant->class_name : nested ? cls.qualified_name : cls.name;
    test.method = method.name;
    test.line = method.line;
    test.expands =
        classifier::expands(method) || is_parametrized(method.decorators) || is_parametrized(cls.decorators);
    bool renamed = variant != nullptr && !test.expands && !of_class.inherited();
    std::string name = renamed ? method.name + "_" + variant->device : method.name;
    test.id = test.path + "::" + test.run_class + "::" + name;
    return test;
  }

  void add_function(const FileFacts& file, int index) {
    const Function& function = file.functions[static_cast<std::size_t>(index)];
    SelectedTest test;
    test.path = file.path;
    test.method = function.name;
    test.line = function.line;
    test.expands = is_parametrized(function.decorators);
    test.id = file.path + "::" + function.name;
    CountedCategory need = classifier::counted_category(file, index, vocabulary_);
    test.category = need.category;
    std::string left_out = file.test_file ? "" : "not collected: the file is no test_*.py or *_test.py";
    add_test(std::move(test), left_out.empty() ? unfit(need, selection_.device) : left_out);
  }

  // A name that is bound twice is one test.
  void add_test(SelectedTest test, const std::string& left_out) {
    if (!seen_.insert(test.id).second) return;
    if (left_out.empty()) {
      selection_.tests.push_back(std::move(test));
      return;
    }
    if (test.expands) selection_.expanding.insert(test.id);
    selection_.not_selected[left_out].push_back(std::move(test.id));
  }

  const classifier::Vocabulary& vocabulary_;
  Selection selection_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

Selection select(const std::vector<FileFacts>& files, const std::vector<std::vector<ClassVerdict>>& verdicts,
                 const classifier::Vocabulary& vocabulary, const std::string& device) {
  std::vector<std::size_t> order(files.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return files[a].path < files[b].path; });
  Selector selector(vocabulary, device);
  for (std::size_t i : order) selector.add(files[i], verdicts[i]);
  return selector.take();
}

}  // namespace hwsift::runner
