#include "classifier/cxx_signals.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "classifier/signals.h"

namespace hwsift::classifier {
namespace {

using analyzer::Class;
using analyzer::Polarity;
using analyzer::Role;
using analyzer::Use;
using analyzer::UseKind;
using Kind = CxxSignal::Kind;

CxxSignal signal(Kind kind, std::vector<std::string> devices, const std::string& says, const Use& use) {
  return {kind, std::move(devices), {use.line, use.symbol, says, ""}, use.kind == UseKind::api};
}

// hasCUDA() in a condition: of what follows, or of a branch.
std::optional<CxxSignal> asked(const Use& use, const std::vector<std::string>& devices) {
  if (use.role != Role::guard || use.polarity != Polarity::requires_ || use.optional) return std::nullopt;
  Kind kind = use.callee.starts_with("return") ? Kind::leaves : Kind::skips;
  return signal(kind, devices, "goes no further without " + spoken(devices), use);
}

// A device as a value says nothing until something is made on it or moved to it.
bool puts_to_use(const Use& use) { return use.role == Role::device_argument; }

bool asks_about_tensor(const Use& use) {
  return use.kind == UseKind::device_method && last_word(use.symbol).starts_with("is_");
}

std::optional<CxxSignal> said_by(const Use& use, const Vocabulary& vocabulary) {
  if (use.kind == UseKind::call) return signal(Kind::picks, {}, "picks the accelerator that is there", use);
  bool given = use.kind == UseKind::device_variable && use.devices.empty();
  if (given && puts_to_use(use)) return signal(Kind::given, {}, "works on the device it is given", use);
  std::vector<std::string> devices = accelerators_among(use.devices, vocabulary);
  if (devices.empty() || asks_about_tensor(use)) return std::nullopt;
  if (use.kind == UseKind::flag) return asked(use, devices);
  bool value = use.kind != UseKind::api && use.kind != UseKind::device_method;
  if (value && !puts_to_use(use)) return std::nullopt;
  if (use.optional || use.has_alternative)
    return signal(Kind::optional, devices, "does more where " + spoken(devices) + " is there", use);
  return signal(Kind::needs, devices, "needs " + spoken(devices), use);
}

std::string last_part(const std::string& name) { return name.substr(name.rfind(':') + 1); }

// The class of a member, "" of another function.
std::string owner_of(const std::string& name) {
  std::size_t colons = name.rfind("::");
  return colons == std::string::npos ? "" : last_part(name.substr(0, colons));
}

// Members that gtest calls around each test of a fixture.
bool runs_around_tests(const std::string& member, const std::string& fixture) {
  return member == "SetUp" || member == "SetUpTestSuite" || member == "SetUpTestCase" ||
         member == "TearDown" || member == fixture;
}

// A function that returns early without the device needs nothing: its caller goes on.
void make_optional(std::vector<CxxSignal>& signals) {
  bool leaves = std::any_of(signals.begin(), signals.end(),
                            [](const CxxSignal& one) { return one.kind == Kind::leaves; });
  for (CxxSignal& one : signals)
    if (leaves && (one.kind == Kind::needs || one.kind == Kind::leaves)) one.kind = Kind::optional;
}

}  // namespace

CxxSignals::CxxSignals(const analyzer::FileFacts& file, const Vocabulary& vocabulary)
    : file_(file), vocabulary_(vocabulary), of_functions_(file.functions.size()) {
  for (const Class& suite : file.classes) of_methods_.emplace_back(suite.methods.size());
  for (std::size_t i = 0; i < file.functions.size(); ++i) know(static_cast<int>(i));
  for (const Use& use : file.uses) take(use);
}

void CxxSignals::know(int function) {
  const std::string& name = file_.functions[static_cast<std::size_t>(function)].name;
  functions_by_name_[last_part(name)].push_back(function);
  std::string owner = owner_of(name);
  if (!owner.empty() && runs_around_tests(last_part(name), owner)) set_up_[owner].push_back(function);
}

void CxxSignals::take(const Use& use) {
  bool of_test = use.class_index >= 0 && use.method_index >= 0;
  if (!of_test && use.function_index < 0) return;
  Body& body =
      of_test
          ? of_methods_[static_cast<std::size_t>(use.class_index)][static_cast<std::size_t>(use.method_index)]
          : of_functions_[static_cast<std::size_t>(use.function_index)];
  body.uses.push_back(&use);
  if (std::optional<CxxSignal> said = said_by(use, vocabulary_))
    body.own.push_back(std::move(*said));
  else if (use.role == Role::argument)
    body.handed.push_back(&use);
}

const CxxSignals::Body& CxxSignals::body_of(int class_index, int method_index) const {
  return of_methods_[static_cast<std::size_t>(class_index)][static_cast<std::size_t>(method_index)];
}

// Of the fixture and its bases, the fixture first.
std::vector<std::string> CxxSignals::line_of(const Class& suite) const {
  std::vector<std::string> line = {suite.name};
  for (const analyzer::Base& base : suite.bases) line.push_back(last_part(base.name));
  return line;
}

// A member that a class overrides runs only where that one calls it.
std::vector<int> CxxSignals::set_up_of(const Class& suite) const {
  std::vector<int> found;
  std::set<std::string> overridden;
  for (const std::string& cls : line_of(suite)) {
    auto members = set_up_.find(cls);
    if (members == set_up_.end()) continue;
    std::set<std::string> here;
    for (int function : members->second) {
      std::string member = last_part(file_.functions[static_cast<std::size_t>(function)].name);
      here.insert(member);
      if (overridden.count(member) == 0) found.push_back(function);
    }
    overridden.insert(here.begin(), here.end());
  }
  return found;
}

// The functions that run with a test, each once, in the order in which they are met. Members of other classes
// count where the class is made.
std::vector<int> CxxSignals::reached_by(int class_index, int method_index) const {
  constexpr std::size_t kMostReached = 1000;  // no test of a real file gets near
  const Class& suite = file_.classes[static_cast<std::size_t>(class_index)];
  std::vector<std::string> line = line_of(suite);
  std::set<std::string> known(line.begin(), line.end());
  std::vector<int> reached = set_up_of(suite);
  std::set<int> seen(reached.begin(), reached.end());
  auto add = [&](const std::vector<std::string>& names) {
    known.insert(names.begin(), names.end());
    for (const std::string& name : names) {
      auto functions = functions_by_name_.find(name);
      if (functions == functions_by_name_.end()) continue;
      for (int function : functions->second) {
        std::string owner = owner_of(file_.functions[static_cast<std::size_t>(function)].name);
        bool fits = owner.empty() || known.count(owner) > 0;
        if (fits && reached.size() < kMostReached && seen.insert(function).second)
          reached.push_back(function);
      }
    }
  };
  add(suite.methods[static_cast<std::size_t>(method_index)].names_read);
  std::size_t next = 0;
  while (next < reached.size()) {  // the list grows as it is walked
    std::size_t function = static_cast<std::size_t>(reached[next++]);
    add(file_.functions[function].names_read);
  }
  return reached;
}

bool CxxSignals::works_on_given_device(const std::string& function) const {
  auto found = functions_by_name_.find(function);
  if (found == functions_by_name_.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [&](int index) {
    const std::vector<CxxSignal>& own = of_functions_[static_cast<std::size_t>(index)].own;
    return std::any_of(own.begin(), own.end(), [](const CxxSignal& one) { return one.kind == Kind::given; });
  });
}

// check_on(torch::kCUDA), where check_on makes tensors on its parameter.
void CxxSignals::add_handed(const Body& body, std::vector<CxxSignal>& signals) const {
  for (const Use* handed : body.handed) {
    const Use& use = *handed;
    std::vector<std::string> devices = accelerators_among(use.devices, vocabulary_);
    if (devices.empty() || !works_on_given_device(use.callee)) continue;
    bool optional = use.optional || use.has_alternative;
    signals.push_back(signal(
        optional ? Kind::optional : Kind::needs, devices,
        (optional ? "does more where " : "needs ") + spoken(devices) + (optional ? " is there" : ""), use));
  }
}

void CxxSignals::add_of_function(int function, std::vector<CxxSignal>& signals) const {
  const Body& body = of_functions_[static_cast<std::size_t>(function)];
  std::vector<CxxSignal> said = body.own;
  std::erase_if(said, [](const CxxSignal& one) { return one.kind == Kind::given; });
  add_handed(body, said);
  make_optional(said);
  signals.insert(signals.end(), said.begin(), said.end());
}

bool CxxSignals::names_device(int class_index, int method_index, const std::string& device) const {
  auto names = [&](const Body& body) {
    return std::any_of(body.uses.begin(), body.uses.end(), [&](const Use* use) {
      return std::find(use->devices.begin(), use->devices.end(), device) != use->devices.end();
    });
  };
  if (names(body_of(class_index, method_index))) return true;
  std::vector<int> reached = reached_by(class_index, method_index);
  return std::any_of(reached.begin(), reached.end(),
                     [&](int function) { return names(of_functions_[static_cast<std::size_t>(function)]); });
}

const std::vector<const Use*>& CxxSignals::uses_of(int class_index, int method_index) const {
  return body_of(class_index, method_index).uses;
}

std::vector<CxxSignal> CxxSignals::of_test(int class_index, int method_index) const {
  const Body& body = body_of(class_index, method_index);
  std::vector<CxxSignal> signals = body.own;
  add_handed(body, signals);
  for (int function : reached_by(class_index, method_index)) add_of_function(function, signals);
  return signals;
}

}  // namespace hwsift::classifier
