// The label names one device, the call lets others in and shuts that one out.
#include <algorithm>

#include "lint/own/own_rules.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::DeviceFilter;
using analyzer::Instantiation;
using classifier::Category;

bool names(const DeviceFilter& filter, const std::string& device) {
  return filter.state == DeviceFilter::State::literal &&
         std::find(filter.values.begin(), filter.values.end(), device) != filter.values.end();
}

bool leaves_out(const DeviceFilter& only_for, const std::string& device) {
  return only_for.state == DeviceFilter::State::literal && !only_for.values.empty() &&
         !names(only_for, device);
}

}  // namespace

bool contradicts_label(const Instantiation& call, const Category& category) {
  if (category.kind != Category::Kind::device) return false;
  return leaves_out(call.only_for, category.device) || names(call.except_for, category.device);
}

namespace {

void check_call(Report& report, const analyzer::Class& cls, const Category& label,
                const Instantiation& call) {
  if (!contradicts_label(call, label)) return;
  std::string filter = leaves_out(call.only_for, label.device) ? "only_for is " + call.only_for.text
                                                               : "except_for is " + call.except_for.text;
  report.at_call(rule::label_scope, cls, call,
                 cls.name + " is labelled " + report.spell(label) + ", but its " + filter,
                 "label it for the devices of the call, or write only_for=\"" + label.device + "\"");
}

}  // namespace

void check_label_scope(Report& report, const FileView& view) {
  for (const analyzer::Class& cls : view.file().classes) {
    std::optional<Category> label = python_label(cls);
    if (!label || !at_module_level(cls.context)) continue;
    for (const Instantiation* call : view.python.calls(cls)) check_call(report, cls, *label, *call);
  }
  for (const Instantiation* call : foreign_calls(view.subject)) {
    std::optional<analyzer::FoundClass> found =
        view.subject.around.index->find_class(view.file(), call->symbol);
    std::optional<Category> label = found ? python_label(*found->cls) : std::nullopt;
    if (label) check_call(report, *found->cls, *label, *call);
  }
}

}  // namespace hwsift::lint
