// A skip that asks the machine, on a test whose variants each have a device: it hits every variant.
#include <algorithm>

#include "base/text.h"
#include "classifier/variants.h"
#include "classifier/vocabulary.h"
#include "lint/own/code.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Polarity;
using analyzer::Role;
using analyzer::Use;
using classifier::Meaning;
using classifier::Symbol;

// Flags and questions about hardware; what the vocabulary calls neutral says nothing about a device.
const Symbol* asked_of_machine(const FileView& view, const Use& use) {
  if (use.role != Role::guard || use.polarity == Polarity::none || use.conjoined) return nullptr;
  const Symbol* symbol = view.subject.vocabulary.find(use.symbol);
  bool tells = symbol != nullptr && (symbol->meaning == Meaning::requires_device ||
                                     symbol->meaning == Meaning::requires_accelerator);
  return tells ? symbol : nullptr;
}

// A need of any accelerator is one of every variant where no other one is made.
bool is_need_of_all(const FileView& view, const DeviceTest& test, const Symbol& symbol) {
  if (!symbol.devices.empty()) return false;
  return std::all_of(test.devices.begin(), test.devices.end(), [&](const std::string& device) {
    const classifier::DeviceType* type = view.subject.vocabulary.device(device);
    return type == nullptr || type->accelerator;
  });
}

// The framework's own skip for one device: skipCUDAIf, skipXPUIf.
std::string skip_for(const std::string& device) { return "@skip" + ascii_upper(device) + "If"; }

// TEST_CUDA and is_available() ask whether there is such a device at all, others for what it can do.
bool asks_for_the_device(const Symbol& symbol) {
  return symbol.twin.ends_with("TEST_ACCELERATOR") || symbol.twin.ends_with("is_available");
}

std::string remedy_for(const Use& use, const Symbol& symbol) {
  if (symbol.devices.empty()) return "write @skipGPUIf(not ..., \"...\"), which spares the CPU variant";
  const std::string& device = symbol.devices.front();
  if (use.polarity == Polarity::excludes)
    return "write " + skip_for(device) + ", which skips that variant alone";
  std::string move = "move the test to a class about " + ascii_upper(device);
  if (asks_for_the_device(symbol))
    return "drop the skip (a variant runs only where its device is), or " + move;
  return "write " + skip_for(device) + "(not ..., \"...\"), or " + move;
}

bool is_for(const Symbol& symbol, const classifier::DeviceType& type) {
  if (symbol.devices.empty()) return type.accelerator;
  return std::find(symbol.devices.begin(), symbol.devices.end(), type.name) != symbol.devices.end();
}

// Whether a variant is made for a device that the flag is not about.
bool hits_others(const FileView& view, const analyzer::Class& cls, const Symbol& symbol) {
  const std::vector<classifier::DeviceType>& types = view.subject.vocabulary.devices;
  return std::any_of(types.begin(), types.end(), [&](const classifier::DeviceType& type) {
    if (is_for(symbol, type)) return false;
    return classifier::variant_for(view.file(), cls, type.name, view.subject.vocabulary).state ==
           classifier::Variant::State::generated;
  });
}

std::string remedy_for_class(const Use& use, const Symbol& symbol) {
  if (use.polarity == Polarity::excludes) return "write the skip on the tests, for that device";
  if (symbol.devices.empty()) return "write except_for=\"cpu\" in the call";
  return "write only_for=\"" + symbol.devices.front() +
         "\" in the call, or the skip on the tests, for that device";
}

// The same skip on the class as a whole.
void check_classes(Report& report, const FileView& view) {
  for (const Use& use : view.file().uses) {
    if (use.class_index < 0 || use.method_index >= 0) continue;
    const Symbol* symbol = asked_of_machine(view, use);
    const analyzer::Class& cls = view.file().classes[static_cast<std::size_t>(use.class_index)];
    bool instantiated = at_module_level(cls.context) && !view.python.calls(cls).empty();
    if (symbol == nullptr || !instantiated || !hits_others(view, cls, *symbol)) continue;
    report.at_place(rule::device_guard, cls, {use.line, use.col, width_of(use)},
                    std::string(classifier::last_word(use.symbol)) +
                        " asks the machine, not the variant: the skip hits " + cls.name + " on every device",
                    remedy_for_class(use, *symbol));
  }
}

}  // namespace

void check_device_guard(Report& report, const FileView& view) {
  check_classes(report, view);
  for (const Use& use : view.file().uses) {
    const Symbol* symbol = asked_of_machine(view, use);
    const DeviceTest* test =
        use.in_device_branch ? nullptr : view.tests.at(use.class_index, use.method_index);
    if (symbol == nullptr || test == nullptr) continue;
    if (!test->is_open() || is_need_of_all(view, *test, *symbol)) continue;
    report.at_code(rule::device_guard, *test->cls, *test->method, {use.line, use.col, width_of(use)},
                   std::string(classifier::last_word(use.symbol)) +
                       " asks the machine, not the variant: the skip hits " + test->method->name +
                       " on every device",
                   remedy_for(use, *symbol));
  }
}

}  // namespace hwsift::lint
