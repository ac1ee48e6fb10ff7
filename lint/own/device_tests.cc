#include "lint/own/device_tests.h"

#include <algorithm>

#include "classifier/variants.h"

namespace hwsift::lint {
namespace {

using analyzer::Class;
using analyzer::Decorator;
using analyzer::Method;
using classifier::Meaning;
using classifier::Symbol;
using classifier::Variant;

bool is_in(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct Reach {
  std::vector<std::string> devices;
  bool certain = true;
};

bool is_for_every_accelerator(const Class& cls) {
  std::optional<classifier::Category> label = python_label(cls);
  return label && label->kind == classifier::Category::Kind::device_generic;
}

// The call as the label means it: what shuts accelerators out is what other rules are about.
analyzer::Instantiation meant(const analyzer::Instantiation& call) {
  analyzer::Instantiation open = call;
  open.only_for = {};
  open.allow_mps = open.allow_xpu = analyzer::Tri::yes;
  return open;
}

// Of several calls the one that makes a variant counts.
Variant::State state_of(const Subject& subject, const PythonView& view, const Class& cls,
                        const classifier::DeviceType& type) {
  if (view.calls(cls).empty())  // labelled and not instantiated yet: meant for all
    return type.instantiated == classifier::Instantiated::never ? Variant::State::absent
                                                                : Variant::State::generated;
  Variant::State state = Variant::State::absent;
  for (const analyzer::Instantiation* call : view.calls(cls)) {
    const analyzer::Instantiation& seen = is_for_every_accelerator(cls) ? meant(*call) : *call;
    Variant variant = classifier::variant_of(seen, cls.name, type.name, subject.vocabulary);
    if (variant.state == Variant::State::generated) return variant.state;
    if (variant.state == Variant::State::unknown) state = variant.state;
  }
  return state;
}

// Devices for which a variant may exist.
Reach variant_devices(const Subject& subject, const PythonView& view, const Class& cls) {
  Reach reach;
  for (const classifier::DeviceType& type : subject.vocabulary.devices) {
    Variant::State state = state_of(subject, view, cls, type);
    if (state != Variant::State::absent) reach.devices.push_back(type.name);
    reach.certain = reach.certain && state != Variant::State::unknown;
  }
  return reach;
}

void keep_only(std::vector<std::string>& devices, const std::vector<std::string>& kept) {
  std::erase_if(devices, [&](const std::string& device) { return !is_in(kept, device); });
}

void take_out(std::vector<std::string>& devices, const std::vector<std::string>& gone) {
  std::erase_if(devices, [&](const std::string& device) { return is_in(gone, device); });
}

// skipXPU, skipCPUIf(True, ...): no condition is left open.
bool always_skips(const Decorator& decorator) {
  std::size_t bracket = decorator.text.find('(');
  if (bracket == std::string::npos) return !decorator.text.ends_with("If");
  return decorator.text.compare(bracket + 1, 4, "True") == 0;
}

void apply(const Decorator& decorator, const classifier::Vocabulary& vocabulary,
           std::vector<std::string>& devices) {
  const Symbol* symbol = vocabulary.find(decorator.symbol);
  if (symbol == nullptr) return;
  if (symbol->meaning == Meaning::restricts_variants && !symbol->devices.empty())
    keep_only(devices, symbol->devices);
  if (decorator.symbol.ends_with("onlyAccelerator")) take_out(devices, {"cpu", "meta", "lazy"});
  if (symbol->meaning == Meaning::skips_variants && always_skips(decorator))
    take_out(devices, symbol->devices);
}

// The devices in @onlyOn(["cuda", "xpu"]), by class and method.
std::vector<std::string> named_in_only_on(const analyzer::FileFacts& file, int class_index,
                                          int method_index) {
  std::vector<std::string> devices;
  for (const analyzer::Use& use : file.uses)
    if (use.class_index == class_index && use.method_index == method_index && use.callee.ends_with("onlyOn"))
      devices.insert(devices.end(), use.devices.begin(), use.devices.end());
  return devices;
}

// Devices without which a skip on the class takes out all of it: @skipIf(not TEST_CUDA, ...).
std::vector<std::string> needed_by_class(const Subject& subject, int class_index) {
  for (const analyzer::Use& use : subject.file.uses) {
    bool guards = use.class_index == class_index && use.method_index < 0 &&
                  use.role == analyzer::Role::guard && use.polarity == analyzer::Polarity::requires_ &&
                  !use.conjoined;
    if (guards && !use.devices.empty()) return use.devices;
  }
  return {};
}

bool has_only_on(const Method& method) {
  return std::any_of(method.decorators.begin(), method.decorators.end(),
                     [](const Decorator& decorator) { return decorator.symbol.ends_with("onlyOn"); });
}

bool is_given_devices(const PythonView& view, const Class& cls) {
  return at_module_level(cls.context) && (!view.calls(cls).empty() || is_for_every_accelerator(cls));
}

}  // namespace

DeviceTests::DeviceTests(const Subject& subject, const PythonView& view) {
  const std::vector<Class>& classes = subject.file.classes;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const Class& cls = classes[c];
    if (!is_given_devices(view, cls)) continue;
    Reach of_class = variant_devices(subject, view, cls);
    for (const Decorator& decorator : cls.decorators) apply(decorator, subject.vocabulary, of_class.devices);
    if (std::vector<std::string> needed = needed_by_class(subject, static_cast<int>(c)); !needed.empty())
      keep_only(of_class.devices, needed);
    for (std::size_t m = 0; m < cls.methods.size(); ++m) {
      const Method& method = cls.methods[m];
      if (!method.is_test || !method.takes_device()) continue;
      DeviceTest test{
          &cls, &method, static_cast<int>(c), static_cast<int>(m), of_class.devices, of_class.certain};
      for (const Decorator& decorator : method.decorators) apply(decorator, subject.vocabulary, test.devices);
      if (has_only_on(method))
        keep_only(test.devices, named_in_only_on(subject.file, test.class_index, test.method_index));
      tests_.push_back(std::move(test));
    }
  }
}

const DeviceTest* DeviceTests::at(int class_index, int method_index) const {
  auto found = std::lower_bound(tests_.begin(), tests_.end(), std::pair(class_index, method_index),
                                [](const DeviceTest& test, const std::pair<int, int>& place) {
                                  return std::pair(test.class_index, test.method_index) < place;
                                });
  bool here =
      found != tests_.end() && found->class_index == class_index && found->method_index == method_index;
  return here ? &*found : nullptr;
}

}  // namespace hwsift::lint
