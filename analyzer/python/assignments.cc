// Values that statements give to names: labels, devices, constants.
#include <algorithm>
#include <utility>

#include "analyzer/python/calls.h"
#include "analyzer/python/file_reader.h"

namespace hwsift::analyzer {

constexpr std::string_view kLabel = "hw_classification";
constexpr std::string_view kEnum = "HardwareClassification";

namespace {

// Nothing that can be called.
bool is_value(TSNode node) {
  const Grammar& g = grammar();
  node = unwrapped(node);
  return is(node, g.string) || is(node, g.concatenated_string) || is(node, g.integer) || is(node, g.float_) ||
         is(node, g.list) || is(node, g.tuple) || is(node, g.set) || is(node, g.dictionary) ||
         is(node, g.none) || is(node, g.true_) || is(node, g.false_);
}

}  // namespace

void FileReader::read_expression_statement(TSNode node, const Position& at) {
  const Grammar& g = grammar();
  std::span<const PlainFunction> functions = source_.functions_at(node);
  for (const PlainFunction& plain : functions) read_plain_function(plain, at);
  if (!functions.empty()) return;
  if (is_docstring(node)) return;
  for (TSNode part : named_children(node)) {
    if (is(part, g.assignment)) {
      read_assignment(part, at);
    } else if (is(part, g.augmented_assignment)) {
      if (at.scope.class_index < 0 && at.scope.function_index < 0)
        add_constant(std::string(source_.text(field(part, g.left))), {});
      read_expression(field(part, g.right), at, standing_at(at, Role::assigned));
    } else {
      read_expression(part, at, standing_at(at, Role::other), true);
    }
  }
}

namespace {

// The value of `a = b = value`.
TSNode assigned_value(TSNode assignment) {
  TSNode value = field(assignment, grammar().right);
  while (is(value, grammar().assignment)) value = field(value, grammar().right);
  return value;
}

}  // namespace

void FileReader::read_assignment(TSNode node, const Position& at) {
  const Grammar& g = grammar();
  TSNode value = assigned_value(node);
  std::size_t first_use = facts_.uses.size();
  if (!ts_node_is_null(value)) read_expression(value, at, standing_at(at, Role::assigned));
  note_target(field(node, g.left), first_use);
  if (makes_fake_mode(value)) fake_modes_.emplace(source_.text(field(node, g.left)));
  for (TSNode part = node; is(part, g.assignment); part = field(part, g.right)) {
    TSNode target = field(part, g.left);
    read_target(part, target, at);
    bind_locals(target, at);
    bool module_level = at.scope.class_index < 0 && at.scope.function_index < 0;
    if (is(target, g.identifier) && module_level && !ts_node_is_null(value)) {
      std::string name(source_.text(target));
      std::string dotted = dotted_text(source_, value);
      if (at.context == Context::module) names_.alias(name, dotted);
      if (at.context == Context::module && !dotted.empty())
        facts_.aliases.push_back({name, names_.resolve(dotted)});
      add_constant(name, read_filter(source_, names_, value));
      read_module_value(name, value, first_use);
    }
  }
}

// Names what gets the value. A device that becomes a member of anything but the test itself is a value of
// that object: wrapper.device = "cuda".
void FileReader::note_target(TSNode target, std::size_t first_use) {
  std::string name = dotted_text(source_, target);
  if (name.empty()) return;
  std::size_t dot = name.find('.');
  std::string_view object = std::string_view(name).substr(0, dot);
  bool foreign = dot != std::string::npos && object != "self" && object != "cls";
  for (std::size_t i = first_use; i < facts_.uses.size(); ++i) {
    Use& use = facts_.uses[i];
    use.target = name;
    if (foreign && use.role == Role::assigned && use.kind == UseKind::device_literal) use.role = Role::other;
  }
}

namespace {

// self.x, which is written and not read.
bool is_own_member(const Source& source, TSNode target) {
  std::string_view object = source.text(field(target, grammar().object));
  return object == "self" || object == "cls";
}

}  // namespace

void FileReader::read_target(TSNode assignment, TSNode target, const Position& at) {
  const Grammar& g = grammar();
  if (is(target, g.identifier) && at.class_body >= 0) {
    Class& cls = facts_.classes[static_cast<std::size_t>(at.class_body)];
    std::string_view name = source_.text(target);
    if (name == kLabel) read_label(assignment, cls, at, false);
    if (starts_with_test(name))
      cls.assigned_tests.push_back({std::string(name), is_value(assigned_value(assignment)),
                                    source_.line(assignment), source_.col(assignment)});
  } else if (is(target, g.attribute) && source_.text(field(target, g.attribute_field)) == kLabel) {
    Class* cls = class_named(source_.text(field(target, g.object)));
    if (cls != nullptr && at.scope.class_index < 0) read_label(assignment, *cls, at, true);
  } else if (is(target, g.subscript) || (is(target, g.attribute) && !is_own_member(source_, target))) {
    read_expression(target, at, standing_at(at, Role::other));
  }
}

// A device filter that imports of this file may name. A name that gets a second value stands for neither.
void FileReader::add_constant(const std::string& name, const DeviceFilter& filter) {
  names_.constant(name, filter);
  auto known = std::find_if(facts_.constants.begin(), facts_.constants.end(),
                            [&](const DeviceConstant& constant) { return constant.name == name; });
  if (known != facts_.constants.end())
    known->value.state = DeviceFilter::State::unknown;
  else if (filter.state == DeviceFilter::State::literal && uses_.are_devices(filter.values))
    facts_.constants.push_back({name, filter});
}

// Names that a function binds by itself hide those of the module.
void FileReader::bind_locals(TSNode target, const Position& at) {
  bool in_function = at.scope.method_index >= 0 || at.scope.function_index >= 0;
  if (in_function) uses_.bind_names(target);
}

Class* FileReader::class_named(std::string_view name) {
  for (auto cls = facts_.classes.rbegin(); cls != facts_.classes.rend(); ++cls)
    if (cls->name == name) return &*cls;
  return nullptr;
}

namespace {

// How the right-hand side of hw_classification is written.
void read_label_value(const Source& source, const Names& names, TSNode value, Label& label) {
  const Grammar& g = grammar();
  std::string written = dotted_text(source, value);
  std::string symbol = names.resolve(written);
  std::size_t dot = symbol.rfind('.');
  if (is(value, g.none)) {
    label.form = Label::Form::none;
  } else if (is(value, g.string)) {
    label.form = Label::Form::text;
    label.value = std::string(string_literal(source, value).inner);
  } else if (dot != std::string::npos && last_word(std::string_view(symbol).substr(0, dot)) == kEnum) {
    label.value = symbol.substr(dot + 1);
    bool bare = written == std::string(kEnum) + "." + label.value;
    label.form = bare ? Label::Form::plain : Label::Form::alias;
  } else {
    label.form = Label::Form::unknown;
  }
}

}  // namespace

void FileReader::read_label(TSNode assignment, Class& cls, const Position& at, bool outside) {
  const Grammar& g = grammar();
  Label label;
  label.line = source_.line(assignment);
  label.col = source_.col(assignment);
  label.conditional = at.conditional || (outside && at.context != Context::module);
  label.outside = outside;
  TSNode value = assigned_value(assignment);
  TSNode annotation = field(assignment, g.type_field);
  if (ts_node_is_null(value)) {
    label.form = Label::Form::annotation_only;
  } else {
    label.text = source_.one_line(value, kMaxText);
    label.value_span = source_.span(value);
    read_label_value(source_, names_, unwrapped(value), label);
  }
  if (!ts_node_is_null(annotation) && label.form == Label::Form::plain)
    label.form = source_.text(annotation) == kEnum ? Label::Form::annotated : Label::Form::other_annotation;
  cls.labels.push_back(label);
}

namespace {

bool is_device_value(const Source& source, TSNode value) {
  const Grammar& g = grammar();
  value = unwrapped(value);
  if (is(value, g.call)) {
    std::string callee = dotted_text(source, field(value, g.function));
    return last_word(callee) == "device";
  }
  return is(value, g.string) || is(value, g.conditional_expression) || is(value, g.list) ||
         is(value, g.tuple) || is(value, g.set) || is(value, g.binary_operator) || is(value, g.identifier) ||
         is(value, g.attribute);
}

bool is_truth_value(TSNode value) {
  const Grammar& g = grammar();
  value = unwrapped(value);
  return is(value, g.call) || is(value, g.boolean_operator) || is(value, g.not_operator) ||
         is(value, g.comparison_operator) || is(value, g.identifier) || is(value, g.attribute);
}

}  // namespace

void FileReader::read_module_value(const std::string& name, TSNode value, std::size_t first_use) {
  HardwareName known;
  bool named = false;
  bool asked = false;
  for (std::size_t i = first_use; i < facts_.uses.size(); ++i) {
    const Use& use = facts_.uses[i];
    bool chosen = use.kind == UseKind::device_literal || use.kind == UseKind::constant ||
                  use.kind == UseKind::device_variable;
    named = named || (chosen && use.role != Role::key);
    asked = asked || use.kind == UseKind::flag || use.kind == UseKind::api || use.kind == UseKind::call;
    if (use.role == Role::guard) known.is_guard = true, known.polarity = use.polarity;
    for (const std::string& device : use.devices)
      if (std::find(known.devices.begin(), known.devices.end(), device) == known.devices.end())
        known.devices.push_back(device);
  }
  if (known.is_guard) {
    known.kind = UseKind::decorator;
  } else if (named && is_device_value(source_, value)) {
    known.kind = UseKind::device_variable;
  } else if (asked && !named && is_truth_value(value)) {
    known.kind = UseKind::flag;
  } else {
    return;
  }
  names_.hardware(name, known);
}

}  // namespace hwsift::analyzer
