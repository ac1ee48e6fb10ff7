#include "lint/upstream.h"

#include "base/text.h"

namespace hwsift::lint {

using analyzer::Class;
using analyzer::DeviceFilter;
using analyzer::Label;

const Label* upstream_statement(const Class& cls) {
  for (const Label& label : cls.labels)
    if (!label.conditional && !label.outside) return &label;
  return nullptr;
}

std::optional<classifier::Category> upstream_label(const Class& cls) {
  const Label* label = upstream_statement(cls);
  if (label == nullptr || label->value == "DEVICE_GENERIC") return std::nullopt;
  bool accepted = label->form == Label::Form::plain || label->form == Label::Form::annotated;
  return accepted ? classifier::category_of_member(label->value) : std::nullopt;
}

DeviceFilter upstream_filter(const DeviceFilter& filter) {
  DeviceFilter seen = filter;
  bool splat = filter.text.starts_with('*');
  if (filter.by_position || splat) seen = {};
  if (filter.from_constant || filter.is_set) seen.state = DeviceFilter::State::unknown;
  return seen;
}

bool names_class(const analyzer::Instantiation& call) {
  bool bare = call.from_loop || call.class_name == call.first_argument;
  return !call.template_by_keyword && !call.first_argument.empty() && bare;
}

std::string_view last_word(const analyzer::Decorator& decorator) {
  std::string_view name = decorator.name;
  return name.substr(name.rfind('.') + 1);
}

}  // namespace hwsift::lint
