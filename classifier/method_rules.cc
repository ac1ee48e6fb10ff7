#include "classifier/method_rules.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/text.h"

namespace hwsift::classifier {
namespace {

using analyzer::Method;
using Kind = Signal::Kind;

using Rule = std::optional<Ruling> (*)(const Case&);

std::vector<Evidence> evidence_of(const std::vector<Signal>& signals, std::initializer_list<Kind> kinds) {
  std::vector<Evidence> evidence;
  for (const Signal& signal : signals)
    if (std::find(kinds.begin(), kinds.end(), signal.kind) != kinds.end())
      evidence.push_back(signal.evidence);
  return evidence;
}

bool has(const Case& c, Kind kind) {
  return std::any_of(c.signals.begin(), c.signals.end(),
                     [&](const Signal& signal) { return signal.kind == kind; });
}

// The distinct devices that signals of these kinds name.
std::vector<std::string> devices_of(const Case& c, std::initializer_list<Kind> kinds) {
  std::vector<std::string> devices;
  for (const Signal& signal : c.signals) {
    if (std::find(kinds.begin(), kinds.end(), signal.kind) == kinds.end()) continue;
    for (const std::string& device : signal.devices)
      if (std::find(devices.begin(), devices.end(), device) == devices.end()) devices.push_back(device);
  }
  return devices;
}

Category category_of_device(const std::string& device, const Vocabulary& vocabulary) {
  const DeviceType* type = vocabulary.device(device);
  bool own = type != nullptr && !type->category.empty();
  return own ? Category::of_device(device) : Category::device_generic();
}

Evidence wiring(const Case& c, std::string says) {
  return {c.call->line, "instantiate_device_type_tests", std::move(says), ""};
}

Evidence hint(const Case& c, const std::string& device) {
  return {c.cls.line, c.cls.name, "hints at " + ascii_upper(device) + " by the name of the class or file",
          ""};
}

Evidence parameter(const Case& c) {
  return {c.method.line, "device parameter", "runs on the device it is given", c.method.name};
}

// only_for with one device: the author says whose test it is. Framework logic is often kept to the CPU,
// though, so that the CPU needs a sign of being meant.
std::optional<Ruling> by_only_for(const Case& c) {
  if (!c.only_for) return std::nullopt;
  const DeviceType* type = c.vocabulary.device(*c.only_for);
  bool hinted = std::find(c.hints.begin(), c.hints.end(), *c.only_for) != c.hints.end();
  bool meant = type->accelerator || hinted || !c.vocabulary.policy.cpu_template_needs_a_sign ||
               devices_of(c, {Kind::subject}) == std::vector{*c.only_for};
  if (!meant) return std::nullopt;
  Category category = category_of_device(*c.only_for, c.vocabulary);
  return Ruling{category, 0.95, {wiring(c, "only_for keeps " + ascii_upper(*c.only_for) + " alone")}};
}

// Kept to the CPU, around something that one accelerator alone has: what it does is compared with the CPU.
std::optional<Ruling> by_subject_kept_to_cpu(const Case& c) {
  std::vector<std::string> subjects = devices_of(c, {Kind::subject});
  if (!c.only_for || subjects.size() != 1) return std::nullopt;
  return Ruling{category_of_device(subjects.front(), c.vocabulary), 0.6,
                evidence_of(c.signals, {Kind::subject})};
}

// Each test of the template is @onlyCPU. Accelerators need more: @onlyCUDA on a whole class often means "not
// the CPU".
std::optional<Ruling> by_restricted_class(const Case& c) {
  const DeviceType* type = c.vocabulary.device(c.restricted_to);
  bool asked = c.vocabulary.policy.only_cpu_tests_are_cpu;
  if (!asked || c.call == nullptr || type == nullptr || type->accelerator) return std::nullopt;
  return Ruling{category_of_device(type->name, c.vocabulary), 0.8, evidence_of(c.signals, {Kind::restricts})};
}

// @onlyCUDA around something that only CUDA has.
std::optional<Ruling> by_restricted_subject(const Case& c) {
  if (c.call == nullptr) return std::nullopt;
  std::vector<std::string> kept = devices_of(c, {Kind::restricts});
  if (kept.size() != 1 || devices_of(c, {Kind::subject}) != kept) return std::nullopt;
  Ruling ruling{category_of_device(kept.front(), c.vocabulary), 0.8, {}};
  ruling.evidence = evidence_of(c.signals, {Kind::restricts, Kind::subject});
  return ruling;
}

// The template leaves the CPU out, and the name of the file or class says which accelerator is meant.
std::optional<Ruling> by_template_and_hint(const Case& c) {
  if (c.call == nullptr || !c.method.takes_device() || c.hints.size() != 1) return std::nullopt;
  const DeviceType* type = c.vocabulary.device(c.hints.front());
  const std::vector<std::string>& except = c.call->except_for.values;
  bool leaves_cpu_out = std::find(except.begin(), except.end(), "cpu") != except.end();
  if (!type->accelerator || !(leaves_cpu_out || devices_of(c, {Kind::restricts}) == c.hints))
    return std::nullopt;
  Ruling ruling{category_of_device(type->name, c.vocabulary), 0.6, {wiring(c, "leaves the CPU out")}};
  if (!leaves_cpu_out) ruling.evidence = evidence_of(c.signals, {Kind::restricts});
  ruling.evidence.push_back(hint(c, type->name));
  return ruling;
}

// Takes the device and does something with it: what ignores its parameter gives the same on each device.
bool uses_device(const Case& c) {
  bool uses = c.method.reads_device || c.method.is_stub || !c.vocabulary.policy.unused_device_is_generic;
  return c.method.takes_device() && uses;
}

// A template's test that takes the device.
std::optional<Ruling> by_template(const Case& c) {
  if (c.call == nullptr || !uses_device(c)) return std::nullopt;
  Ruling ruling{Category::device_generic(),
                c.only_for ? 0.55 : 0.95,
                {wiring(c, "is made for each device"), parameter(c)}};
  return ruling;
}

// Several accelerators are named: none of them is the subject.
std::optional<Ruling> by_several_devices(const Case& c) {
  if (devices_of(c, {Kind::subject, Kind::accelerator}).size() < 2) return std::nullopt;
  return Ruling{Category::device_generic(), 0.7, evidence_of(c.signals, {Kind::subject, Kind::accelerator})};
}

// Something that one device alone has.
std::optional<Ruling> by_subject(const Case& c) {
  std::vector<std::string> devices = devices_of(c, {Kind::subject});
  if (devices.size() != 1) return std::nullopt;
  return Ruling{category_of_device(devices.front(), c.vocabulary), 0.85,
                evidence_of(c.signals, {Kind::subject})};
}

// The device is named by habit, and the name of the file or class says that it is meant.
std::optional<Ruling> by_hint(const Case& c) {
  std::vector<std::string> named = devices_of(c, {Kind::accelerator, Kind::restricts});
  bool hinted =
      named.size() == 1 && std::find(c.hints.begin(), c.hints.end(), named.front()) != c.hints.end();
  if (!hinted || has(c, Kind::selects)) return std::nullopt;
  Ruling ruling{category_of_device(named.front(), c.vocabulary), 0.6, {}};
  ruling.evidence = evidence_of(c.signals, {Kind::accelerator, Kind::restricts});
  ruling.evidence.push_back(hint(c, named.front()));
  return ruling;
}

// @onlyCPU keeps a test from the accelerators.
bool keeps_cpu_alone(const Signal& signal, const Vocabulary& vocabulary) {
  return !signal.devices.empty() &&
         std::all_of(signal.devices.begin(), signal.devices.end(), [&](const std::string& device) {
           const DeviceType* type = vocabulary.device(device);
           return type != nullptr && !type->accelerator;
         });
}

// Restricting variants to one device narrows a test that is meant for all.
std::optional<Ruling> by_need(const Case& c) {
  std::vector<Evidence> evidence;
  for (const Signal& signal : c.signals) {
    bool needs = signal.kind == Kind::accelerator || signal.kind == Kind::selects ||
                 (signal.kind == Kind::restricts && !keeps_cpu_alone(signal, c.vocabulary));
    if (needs) evidence.push_back(signal.evidence);
  }
  if (evidence.empty()) return std::nullopt;
  return Ruling{Category::device_generic(), 0.75, std::move(evidence)};
}

// def test_x(self, device="cpu"), which runs as it is where nothing instantiates it.
bool has_default_device(const Method& method) {
  return std::any_of(method.params.begin(), method.params.end(), [](const analyzer::Parameter& parameter) {
    return parameter.has_default && (parameter.name == "device" || parameter.name == "devices");
  });
}

std::optional<Ruling> by_parameter(const Case& c) {
  if (!uses_device(c) || has_default_device(c.method)) return std::nullopt;
  return Ruling{Category::device_generic(), 0.7, {parameter(c)}};
}

// Nothing names an accelerator, and the name of the file or class hints at the CPU.
std::optional<Ruling> by_cpu_hint(const Case& c) {
  if (c.hints != std::vector<std::string>{"cpu"}) return std::nullopt;
  return Ruling{Category::of_device("cpu"), 0.5, {hint(c, "cpu")}};
}

std::optional<Ruling> by_default(const Case& c) {
  Ruling ruling{Category::generic(), 0.8, {}};
  bool ignores = c.call != nullptr && c.method.takes_device();
  if (ignores)
    ruling.evidence.push_back(
        {c.method.line, "device parameter", "takes the device and does not use it", c.method.name});
  return ruling;
}

struct NamedRule {
  const char* name;
  Rule rule;
};

// The precedence: the first that holds decides.
constexpr NamedRule kMethodRules[] = {
    {"only_for", by_only_for},
    {"subject of a template kept to the CPU", by_subject_kept_to_cpu},
    {"each test restricted to the CPU", by_restricted_class},
    {"restricted to its subject", by_restricted_subject},
    {"template without the CPU, meant by name", by_template_and_hint},
    {"template with a device parameter", by_template},
    {"several accelerators", by_several_devices},
    {"subject", by_subject},
    {"named by habit, meant by name", by_hint},
    {"needs or picks an accelerator", by_need},
    {"device parameter", by_parameter},
    {"CPU by name", by_cpu_hint},
    {"nothing", by_default},
};

// Under a fake process group a device that is picked is a word: nothing runs there. What has no other way,
// and a template's device, is real all the same.
void drop_faked(Case& c) {
  if (!c.vocabulary.policy.fake_group_is_generic || c.call != nullptr || !has(c, Kind::fakes)) return;
  std::erase_if(c.signals, [](const Signal& signal) {
    return signal.has_alternative && (signal.kind == Kind::selects || signal.kind == Kind::accelerator);
  });
}

// What runs only without an accelerator needs none, whatever it calls to see it fail.
void drop_absent(Case& c) {
  if (!has(c, Kind::absent)) return;
  std::vector<std::string> absent = devices_of(c, {Kind::absent});
  std::erase_if(c.signals, [&](const Signal& signal) {
    bool own = signal.kind == Kind::subject && !signal.evidence.method.empty();
    return (signal.kind == Kind::accelerator || own) && (absent.empty() || absent == signal.devices);
  });
}

}  // namespace

Ruling rule_on(Case c) {
  drop_faked(c);
  drop_absent(c);
  for (const NamedRule& rule : kMethodRules)
    if (std::optional<Ruling> ruling = rule.rule(c)) return *ruling;
  return {};
}

}  // namespace hwsift::classifier
