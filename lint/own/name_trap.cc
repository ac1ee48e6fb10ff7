// Names that instantiate_device_type_tests trips over.
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/text.h"
#include "classifier/variants.h"
#include "lint/own/own_rules.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Class;
using analyzer::Context;
using analyzer::Instantiation;
using classifier::Variant;

// It takes every member whose name starts with "test" for a test and calls it.
void check_members(Report& report, const Class& cls) {
  for (const analyzer::AssignedTest& test : cls.assigned_tests)
    if (test.is_value)
      report.at_place(
          rule::name_trap, cls, {test.line, test.col, static_cast<int>(code_points(test.name))},
          test.name + " is no test, but instantiate_device_type_tests takes it for one by its name",
          "rename it, so that it does not start with \"test\"");
}

using ByName = std::unordered_map<std::string_view, const Class*>;

// It puts TestXCUDA into the module: a class of that name is overwritten, or overwrites it.
void check_variants(Report& report, const FileView& view, const Class& cls, const ByName& classes) {
  for (const classifier::DeviceType& type : view.subject.vocabulary.devices) {
    auto found = classes.find(cls.name + ascii_upper(type.name));
    if (found == classes.end()) continue;
    Variant variant = classifier::variant_for(view.file(), cls, type.name, view.subject.vocabulary);
    if (variant.state != Variant::State::generated) continue;
    const Class& other = *found->second;
    bool earlier = other.line < variant.line;
    report.at_class(rule::name_trap, other,
                    other.name + " is also the name of the " + type.name + " variant of " + cls.name + ": " +
                        (earlier ? "the variant takes its place" : "it takes the variant's place"),
                    "rename one of the two classes");
  }
}

// The call deletes the template from the module, so that a second one fails on import.
void check_second_call(Report& report, const Class& cls, const std::vector<const Instantiation*>& calls) {
  for (std::size_t i = 1; i < calls.size(); ++i) {
    if (calls[i]->context != Context::module || calls[0]->context != Context::module) continue;
    report.at_call(rule::name_trap, cls, *calls[i],
                   cls.name + " is instantiated a second time: line " + std::to_string(calls[0]->line) +
                       " has taken it out of the module already, so that importing the file fails",
                   "keep one call, with filters that cover both");
    return;
  }
}

}  // namespace

void check_name_trap(Report& report, const FileView& view) {
  ByName classes;
  for (const Class& cls : view.file().classes)
    if (cls.context == Context::module) classes.emplace(cls.name, &cls);
  for (const Class& cls : view.file().classes) {
    if (!at_module_level(cls.context)) continue;
    const std::vector<const Instantiation*>& calls = view.python.calls(cls);
    if (calls.empty()) continue;
    check_members(report, cls);
    check_variants(report, view, cls, classes);
    check_second_call(report, cls, calls);
  }
}

}  // namespace hwsift::lint
