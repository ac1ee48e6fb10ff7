#include "classifier/file_signals.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace hwsift::classifier {
namespace {

using analyzer::Class;
using analyzer::CopiedTests;
using analyzer::FileFacts;
using analyzer::Method;
using analyzer::Polarity;
using analyzer::Role;
using analyzer::Use;
using analyzer::UseKind;
using Kind = Signal::Kind;

bool is_in(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// What runs around each test, and what base classes of frameworks ask for there.
bool runs_around_tests(const std::string& method) {
  return sets_up(method) || is_in(method, {"device", "device_type", "backend", "backend_str", "world_size"});
}

// The attribute of the class or its object that gets the value; "" where none does.
std::string_view attribute_of(const Use& use) {
  std::string_view target = use.target;
  std::size_t dot = target.find('.');
  if (use.method_index < 0) return dot == std::string_view::npos ? target : "";
  std::string_view object = target.substr(0, dot);
  if (dot == std::string_view::npos || (object != "self" && object != "cls")) return "";
  std::string_view member = target.substr(dot + 1);
  return member.find('.') == std::string_view::npos ? member : "";
}

// Members by which the framework hands a device to a test.
bool is_given_device(std::string_view member) {
  return is_in(member, {"device", "device_type", "get_primary_device", "get_all_devices"});
}

// Needs the device where it stands, unlike the name of one that is kept for later.
bool works_at_once(const Use& use) {
  if (use.optional || use.role == Role::condition || use.has_alternative) return false;
  std::string_view name = last_word(use.symbol);
  if (use.kind == UseKind::api) return name != "is_available" && name != "device_count" && name != "is_built";
  bool made = use.role == Role::device_argument && last_word(use.callee) != "device";
  return use.kind == UseKind::device_method || made;
}

// A device that a helper takes or hands out where one is available, unlike a seed that it sets there.
bool hands_out(const Use& use) {
  bool names = use.kind == UseKind::device_literal || use.kind == UseKind::device_variable ||
               use.kind == UseKind::constant;
  if (!names) return false;
  if (use.role == Role::device_argument) return true;
  bool collected =
      use.role == Role::argument && is_in(last_word(use.callee), {"append", "extend", "insert", "add"});
  return collected || use.role == Role::returned || use.role == Role::element || use.role == Role::assigned;
}

// What a signal says where a helper has it: what stands under a hardware condition there may not run for the
// test at hand.
std::optional<Signal> of_helper(const Use& use, bool optional, Signal found) {
  if (use.role == Role::condition) return std::nullopt;  // what it guards tells
  if (use.in_device_branch) return std::nullopt;         // for callers with that device
  if (!optional) return found;
  if (use.kind != UseKind::device_method && !hands_out(use)) return std::nullopt;
  found.kind = Kind::selects;
  found.has_alternative = true;
  found.evidence.says = "takes a device where there is one";
  return found;
}

// A file that ends early where what one device alone has is missing is about that device as a whole.
bool gates_file(const Use& use) {
  return use.class_index < 0 && use.function_index < 0 && use.role == Role::guard &&
         use.polarity == Polarity::requires_;
}

}  // namespace

FileSignals::FileSignals(const FileFacts& file, const Inheritance& inheritance, const Vocabulary& vocabulary,
                         MemberElsewhere elsewhere)
    : file_(file),
      inheritance_(inheritance),
      elsewhere_(std::move(elsewhere)),
      follow_helpers_(vocabulary.policy.follow_helpers),
      reach_(file, inheritance) {
  everywhere_.resize(file.classes.size());
  attributes_.resize(file.classes.size());
  of_methods_.resize(file.classes.size());
  of_functions_.resize(file.functions.size());
  for (std::size_t i = 0; i < file.classes.size(); ++i) of_methods_[i].resize(file.classes[i].methods.size());
  for (const Use& use : file.uses) take(use, signal_of(use, vocabulary));
}

// Where a signal counts: for its test; for each test where it stands in what runs around them all, unless it
// is optional there; for those that read the attribute or run the helper.
void FileSignals::take(const Use& use, std::optional<Signal> found) {
  if (use.class_index >= 0) return take_in_class(use, std::move(found));
  if (!found) return;
  if (use.function_index >= 0) {
    found->evidence.method = file_.functions[static_cast<std::size_t>(use.function_index)].name;
    if (std::optional<Signal> helped = of_helper(use, use.optional, *found))
      share(of_functions_[static_cast<std::size_t>(use.function_index)], std::move(*helped));
  } else if (gates_file(use) && found->kind == Kind::subject) {
    share(gates_, std::move(*found));
  }
}

void FileSignals::take_in_class(const Use& use, std::optional<Signal> found) {
  auto index = static_cast<std::size_t>(use.class_index);
  const Class& cls = file_.classes[index];
  const Method* method =
      use.method_index < 0 ? nullptr : &cls.methods[static_cast<std::size_t>(use.method_index)];
  if (method != nullptr && found) found->evidence.method = method->name;
  // Where the whole class stands under the condition, it is none within the class.
  bool optional = use.optional && cls.context == analyzer::Context::module;
  std::string_view attribute = attribute_of(use);
  bool is_attribute = !attribute.empty() && (method == nullptr || !method->is_test);
  if (is_attribute) {
    std::vector<Signal>& signals = attributes_[index][std::string(attribute)];
    std::optional<Signal> helped = found ? of_helper(use, optional, *found) : std::nullopt;
    bool around = method != nullptr && sets_up(method->name);
    if (helped && around && works_at_once(use)) share(everywhere_[index], *helped);
    if (helped) share(signals, std::move(*helped));
  } else if (found && method == nullptr) {
    share(everywhere_[index], std::move(*found));
  } else if (found && method->is_test) {
    of_methods_[index][static_cast<std::size_t>(use.method_index)].push_back(std::move(*found));
  } else if (std::optional<Signal> helped = found ? of_helper(use, optional, *found) : std::nullopt) {
    bool around = runs_around_tests(method->name);
    if (around && optional) return;  // it makes ready what may be needed
    share(around ? everywhere_[index] : of_methods_[index][static_cast<std::size_t>(use.method_index)],
          std::move(*helped));
  }
}

std::vector<Signal> FileSignals::around_class(int class_index) const {
  std::vector<Signal> signals;
  for (int index : inheritance_.line_of(class_index)) {
    share_all(signals, everywhere_[static_cast<std::size_t>(index)]);
    const std::vector<Method>& methods = file_.classes[static_cast<std::size_t>(index)].methods;
    for (std::size_t m = 0; m < methods.size(); ++m) {
      if (!runs_around_tests(methods[m].name)) continue;
      Reached reached = reach_.from({index, static_cast<int>(m)}, class_index);
      add_reached(signals, reached, class_index);
    }
  }
  add_reached(signals, reach_.from_decorators_of(class_index), class_index);
  const Class& cls = file_.classes[static_cast<std::size_t>(class_index)];
  bool read_elsewhere = inheritance_.has_framework_base(class_index) || is_copied(cls.name, &CopiedTests::to);
  if (read_elsewhere) add_attributes(signals, class_index);
  if (is_copied(cls.name, &CopiedTests::from)) add_given_device(signals, class_index);
  share_all(signals, gates_);
  return signals;
}

bool FileSignals::is_copied(const std::string& class_name, std::string CopiedTests::*side) const {
  return std::any_of(file_.copied_tests.begin(), file_.copied_tests.end(),
                     [&](const CopiedTests& copied) { return copied.*side == class_name; });
}

// Tests that are copied into other classes run on the device of those, also where a helper of those reads it.
void FileSignals::add_given_device(std::vector<Signal>& signals, int class_index) const {
  const std::vector<Method>& methods = file_.classes[static_cast<std::size_t>(class_index)].methods;
  bool given = std::any_of(methods.begin(), methods.end(), [](const Method& method) {
    return std::any_of(method.self_reads.begin(), method.self_reads.end(),
                       [](const std::string& member) { return is_given_device(member); });
  });
  if (given) add_member(signals, "device", class_index);
}

void FileSignals::add_attributes(std::vector<Signal>& signals, int class_index) const {
  for (int index : inheritance_.line_of(class_index))
    for (const auto& [name, found] : attributes_[static_cast<std::size_t>(index)]) share_all(signals, found);
}

std::vector<Signal> FileSignals::of_whole_class(int class_index) const {
  std::vector<Signal> signals = around_class(class_index);
  add_attributes(signals, class_index);
  for (int index : inheritance_.line_of(class_index)) {
    const Class& cls = file_.classes[static_cast<std::size_t>(index)];
    for (std::size_t m = 0; m < cls.methods.size(); ++m)
      if (!cls.methods[m].is_test) share_all(signals, of_methods_[static_cast<std::size_t>(index)][m]);
  }
  return signals;
}

// The nearest class that gives the attribute its value says what it is. A device that no class of the file
// sets comes from whoever runs the test.
void FileSignals::add_member(std::vector<Signal>& signals, const std::string& member, int class_index) const {
  for (int index : inheritance_.line_of(class_index)) {
    const Attributes& attributes = attributes_[static_cast<std::size_t>(index)];
    auto found = attributes.find(member);
    if (found != attributes.end()) return share_all(signals, found->second);
  }
  if ((elsewhere_ && elsewhere_(class_index, member, signals)) || !is_given_device(member)) return;
  int line = file_.classes[static_cast<std::size_t>(class_index)].line;
  Signal given{
      Kind::selects, {}, true, {line, "self." + member, "runs on the device that its class is given", ""}};
  share(signals, std::move(given));
}

void FileSignals::add_reached(std::vector<Signal>& signals, const Reached& reached, int class_index) const {
  if (!follow_helpers_) return;
  for (const MethodPlace& place : reached.methods)
    share_all(signals, of_methods_[static_cast<std::size_t>(place.class_index)]
                                  [static_cast<std::size_t>(place.method_index)]);
  for (int function : reached.functions)
    share_all(signals, of_functions_[static_cast<std::size_t>(function)]);
  for (int cls : reached.classes) {
    share_all(signals, everywhere_[static_cast<std::size_t>(cls)]);
    for (const auto& [name, found] : attributes_[static_cast<std::size_t>(cls)]) share_all(signals, found);
    for (const std::vector<Signal>& of_method : of_methods_[static_cast<std::size_t>(cls)])
      share_all(signals, of_method);
  }
  for (const std::string& member : reached.members) add_member(signals, member, class_index);
  if (reached.hands_itself_over) add_handed_over(signals, class_index);
}

bool FileSignals::add_inherited_member(std::vector<Signal>& signals, const std::string& member,
                                       int class_index) const {
  for (int index : inheritance_.line_of(class_index)) {
    const Class& cls = file_.classes[static_cast<std::size_t>(index)];
    for (std::size_t m = 0; m < cls.methods.size(); ++m) {
      if (cls.methods[m].name != member) continue;
      share_all(signals, of_methods_[static_cast<std::size_t>(index)][m]);
      add_reached(signals, reach_.from({index, static_cast<int>(m)}, class_index), class_index);
      return true;
    }
    const Attributes& attributes = attributes_[static_cast<std::size_t>(index)];
    auto found = attributes.find(member);
    if (found == attributes.end()) continue;
    share_all(signals, found->second);
    return true;
  }
  return false;
}

// Whoever gets the test may ask it for its device, where it has one.
void FileSignals::add_handed_over(std::vector<Signal>& signals, int class_index) const {
  for (int index : inheritance_.line_of(class_index))
    for (const auto& [name, found] : attributes_[static_cast<std::size_t>(index)])
      if (is_given_device(name)) share_all(signals, found);
}

std::vector<std::string> FileSignals::own_helpers_of(const MethodPlace& test, int class_index) const {
  std::vector<std::string> helpers;
  for (const MethodPlace& place : reach_.from(test, class_index).methods) {
    const Method& method = file_.classes[static_cast<std::size_t>(place.class_index)]
                               .methods[static_cast<std::size_t>(place.method_index)];
    if (place.class_index == class_index && !runs_around_tests(method.name)) helpers.push_back(method.name);
  }
  return helpers;
}

std::vector<Signal> FileSignals::of_test(const MethodPlace& test, int class_index) const {
  std::vector<Signal> signals =
      of_methods_[static_cast<std::size_t>(test.class_index)][static_cast<std::size_t>(test.method_index)];
  std::vector<Signal> reached;
  add_reached(reached, reach_.from(test, class_index), class_index);
  signals.insert(signals.end(), reached.begin(), reached.end());
  return signals;
}

}  // namespace hwsift::classifier
