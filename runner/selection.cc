#include "runner/selection.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_set>

#include "base/text.h"
#include "classifier/variants.h"

namespace hwsift::runner {
namespace {

using analyzer::Class;
using analyzer::Context;
using analyzer::FileFacts;
using analyzer::Function;
using analyzer::Method;
using classifier::Category;
using classifier::ClassVerdict;
using classifier::Variant;

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool starts_with(const std::string& text, std::string_view start) {
  return text.compare(0, start.size(), start) == 0;
}

// --- what pytest collects ---

const Class* class_named(const FileFacts& file, const std::string& name) {
  for (const Class& cls : file.classes)
    if (cls.name == name && cls.context != Context::function && cls.context != Context::class_) return &cls;
  return nullptr;
}

// Whether some base leads out of the file, where unittest.TestCase may be; `depth` stops at a circle of
// bases.
bool may_be_unittest(const FileFacts& file, const Class& cls, int depth = 0) {
  for (const analyzer::Base& base : cls.bases) {
    if (base.symbol == "object" || base.symbol == "abc.ABC" || starts_with(base.symbol, "typing.")) continue;
    const Class* local = class_named(file, base.name);
    if (local == nullptr || local == &cls) return true;
    if (depth < 20 && may_be_unittest(file, *local, depth + 1)) return true;
  }
  return false;
}

bool has_init(const Class& cls) {
  return std::any_of(cls.methods.begin(), cls.methods.end(),
                     [](const Method& m) { return m.name == "__init__"; });
}

bool is_shadowed(const FileFacts& file, const Class& cls) {
  return std::any_of(file.classes.begin(), file.classes.end(), [&](const Class& other) {
    return other.name == cls.name && other.line > cls.line && other.context == Context::module;
  });
}

bool is_redefined(const Class& cls, const Method& method) {
  return std::any_of(cls.methods.begin(), cls.methods.end(), [&](const Method& other) {
    return other.name == method.name && other.line > method.line && !other.conditional;
  });
}

// Why pytest does not collect a class, "" when it does. pytest takes unittest's classes and plain ones named
// Test* without __init__, at module level.
std::string uncollected(const FileFacts& file, const Class& cls) {
  if (!file.test_file) return "not collected: the file is no test_*.py or *_test.py";
  if (cls.context == Context::function) return "not collected: the class stands in a function";
  if (cls.context == Context::class_) return "not collected: the class stands in another class";
  if (cls.context == Context::main_guard) return "not collected: the class stands under the main guard";
  if (is_shadowed(file, cls)) return "not collected: a later class has the same name";
  if (may_be_unittest(file, cls)) return "";
  if (!starts_with(cls.name, "Test")) return "not collected: a mixin, no test class of its own";
  if (has_init(cls)) return "not collected: a plain class with __init__";
  return "";
}

// --- categories ---

struct Need {
  Category category;
  bool declared = false;
};

std::optional<Category> method_category(const ClassVerdict& verdict, const Method& method) {
  for (const classifier::MethodVerdict& of_method : verdict.methods)
    if (of_method.name == method.name && of_method.line == method.line) return of_method.category;
  return std::nullopt;
}

Need need_of(const ClassVerdict* verdict, const Method& method) {
  if (verdict == nullptr) return {};
  if (verdict->declared) return {*verdict->declared, true};
  if (verdict->mixed) return {method_category(*verdict, method).value_or(verdict->inferred), false};
  return {verdict->inferred, false};
}

// Why a test of this category is not for the device, "" when it is.
std::string unfit(const Need& need, const std::string& device) {
  const Category& category = need.category;
  switch (category.kind) {
    case Category::Kind::device_generic:
      return "";
    case Category::Kind::generic:
      return device == "cpu"
                 ? ""
                 : std::string(need.declared ? "category" : "inferred") + " GENERIC: runs on a CPU";
    case Category::Kind::device:
      if (category.device == device) return "";
      return need.declared ? "category " + category.name() : "needs " + category.name();
  }
  return "";
}

// A module-level function asks for a device by what it must have; uses without a condition around them do not
// count, since a function that fails without the device fails under plain pytest too.
Need need_of(const FileFacts& file, int function_index, const classifier::Vocabulary& vocabulary) {
  Need need;
  for (const analyzer::Use& use : file.uses) {
    if (use.function_index != function_index || use.polarity != analyzer::Polarity::requires_) continue;
    const classifier::Symbol* symbol = vocabulary.find(use.symbol);
    if (symbol == nullptr || symbol->meaning == classifier::Meaning::neutral) continue;
    if (symbol->meaning == classifier::Meaning::requires_accelerator && symbol->devices.empty())
      need.category = Category::device_generic();
    else if (symbol->devices.size() == 1 && symbol->devices.front() != "cpu")
      return {Category::of_device(symbol->devices.front()), false};
  }
  return need;
}

// --- names ---

bool is_pytest_parametrized(const std::vector<analyzer::Decorator>& decorators) {
  return std::any_of(decorators.begin(), decorators.end(), [](const analyzer::Decorator& decorator) {
    return ends_with(decorator.symbol, "mark.parametrize") ||
           ends_with(decorator.symbol, "parameterized.expand") ||
           ends_with(decorator.symbol, "parameterized_class");
  });
}

// --- the walk ---

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
    add_classes(file, verdicts, true);
    add_classes(file, verdicts, false);
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
  // The collected ones come first: a name belongs to them, whatever else has it.
  void add_classes(const FileFacts& file, const std::vector<ClassVerdict>& verdicts, bool collected) {
    for (std::size_t i = 0; i < file.classes.size(); ++i) {
      std::string left_out = uncollected(file, file.classes[i]);
      if (left_out.empty() != collected) continue;
      auto found = std::find_if(verdicts.begin(), verdicts.end(), [&](const ClassVerdict& verdict) {
        return verdict.class_index == static_cast<int>(i);
      });
      const ClassVerdict* verdict = found == verdicts.end() ? nullptr : &*found;
      if (collected)
        add_collected(file, file.classes[i], verdict);
      else
        add_tests(file, file.classes[i], verdict, nullptr, left_out, false);
    }
  }

  void add_collected(const FileFacts& file, const Class& cls, const ClassVerdict* verdict) {
    if (!classifier::is_template(file, cls)) {
      add_fit(file, cls.name, verdict);
      return add_tests(file, cls, verdict, nullptr, "", true);
    }
    for (const std::string& type : selection_.variants) {
      Variant variant = classifier::variant_for(file, cls, type, vocabulary_);
      bool absent = variant.state == Variant::State::absent;
      if (absent && type != selection_.device) continue;
      if (!absent) add_fit(file, variant.class_name, verdict);
      std::string why = absent ? "not instantiated for " + type + ": " + variant.reason : "";
      add_tests(file, cls, verdict, absent ? nullptr : &variant, why, true);
    }
  }

  void add_fit(const FileFacts& file, const std::string& run_class, const ClassVerdict* verdict) {
    if (verdict == nullptr) return;
    Need need{verdict->effective(), verdict->declared.has_value()};
    selection_.classes[file.path + "::" + run_class] = {need.declared, unfit(need, selection_.device)};
  }

  // `left_out` is why the whole class is not selected; of one that pytest does not collect, the tests run
  // where they are inherited, if they fit the device.
  void add_tests(const FileFacts& file, const Class& cls, const ClassVerdict* verdict, const Variant* variant,
                 const std::string& left_out, bool collected) {
    for (const Method& method : cls.methods) {
      if (!method.is_test || is_redefined(cls, method)) continue;
      SelectedTest test = named(file, cls, method, variant);
      Need need = need_of(verdict, method);
      test.category = need.category;
      std::string misfit = unfit(need, selection_.device);
      if (misfit.empty() && !collected) selection_.inheritable.insert(test.id);
      bool by_class = !left_out.empty() && (misfit.empty() || collected);
      add_test(std::move(test), by_class ? left_out : misfit);
    }
  }

  SelectedTest named(const FileFacts& file, const Class& cls, const Method& method,
                     const Variant* variant) const {
    SelectedTest test;
    test.path = file.path;
    test.cls = cls.name;
    bool nested = cls.context == Context::function || cls.context == Context::class_;
    test.run_class = variant != nullptr ? variant->class_name : nested ? cls.qualified_name : cls.name;
    test.method = method.name;
    test.line = method.line;
    test.expands = classifier::expands(method) || is_pytest_parametrized(method.decorators) ||
                   is_pytest_parametrized(cls.decorators);
    std::string name = variant == nullptr || test.expands ? method.name : method.name + "_" + variant->device;
    test.id = file.path + "::" + test.run_class + "::" + name;
    return test;
  }

  void add_function(const FileFacts& file, int index) {
    const Function& function = file.functions[static_cast<std::size_t>(index)];
    SelectedTest test;
    test.path = file.path;
    test.method = function.name;
    test.line = function.line;
    test.expands = is_pytest_parametrized(function.decorators);
    test.id = file.path + "::" + function.name;
    Need need = need_of(file, index, vocabulary_);
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
