// The decision. Each test gets the first rule of kMethodRules that holds; then the class is the category of
// its tests, or mixed. docs/categories.md says the same in words.
#include "classifier/classify.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "classifier/signals.h"
#include "classifier/split.h"
#include "classifier/variants.h"

namespace hwsift::classifier {
namespace {

using analyzer::Class;
using analyzer::DeviceFilter;
using analyzer::FileFacts;
using analyzer::Instantiation;
using analyzer::Label;
using analyzer::Method;
using Kind = Signal::Kind;

// All that the rules ask about one test.
struct Case {
  const Class& cls;
  const Method& method;
  const Vocabulary& vocabulary;
  const Instantiation* call = nullptr;  // that instantiates the class, or nullptr
  std::optional<std::string> only_for;  // the one device that the call keeps
  std::vector<Signal> signals;          // of the test itself and of what runs around each test of the class
  std::vector<std::string> hints;       // devices that the file's or class's name hints at
};

struct Ruling {
  Category category;
  double confidence = 0;
  std::vector<Evidence> evidence;
};

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
  return {c.call->line, "instantiate_device_type_tests", says, ""};
}

Evidence parameter(const Case& c) {
  return {c.method.line, "device parameter", "runs on the device it is given", c.method.name};
}

// only_for with one device: the author says whose test it is.
std::optional<Ruling> by_only_for(const Case& c) {
  if (!c.only_for) return std::nullopt;
  Category category = category_of_device(*c.only_for, c.vocabulary);
  return Ruling{category, 0.95, {wiring(c, "only_for keeps " + ascii_upper(*c.only_for) + " alone")}};
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

// A template's test that takes the device.
std::optional<Ruling> by_template(const Case& c) {
  if (c.call == nullptr || !c.method.takes_device()) return std::nullopt;
  Ruling ruling{Category::device_generic(), 0.95, {wiring(c, "is made for each device"), parameter(c)}};
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
  std::vector<std::string> named = devices_of(c, {Kind::accelerator});
  bool hinted =
      named.size() == 1 && std::find(c.hints.begin(), c.hints.end(), named.front()) != c.hints.end();
  if (!hinted || has(c, Kind::selects)) return std::nullopt;
  Ruling ruling{category_of_device(named.front(), c.vocabulary), 0.6,
                evidence_of(c.signals, {Kind::accelerator})};
  ruling.evidence.push_back(
      {c.cls.line, c.cls.name, "the name of the file or class hints at " + ascii_upper(named.front()), ""});
  return ruling;
}

std::optional<Ruling> by_need(const Case& c) {
  if (!has(c, Kind::accelerator) && !has(c, Kind::selects)) return std::nullopt;
  return Ruling{Category::device_generic(), 0.75, evidence_of(c.signals, {Kind::accelerator, Kind::selects})};
}

std::optional<Ruling> by_parameter(const Case& c) {
  if (!c.method.takes_device()) return std::nullopt;
  return Ruling{Category::device_generic(), 0.7, {parameter(c)}};
}

// Nothing names an accelerator, and the name of the file or class hints at the CPU.
std::optional<Ruling> by_cpu_hint(const Case& c) {
  if (c.hints != std::vector<std::string>{"cpu"}) return std::nullopt;
  return Ruling{Category::of_device("cpu"),
                0.5,
                {{c.cls.line, c.cls.name, "the name of the file or class hints at CPU", ""}}};
}

std::optional<Ruling> by_default(const Case&) { return Ruling{Category::generic(), 0.8, {}}; }

struct NamedRule {
  const char* name;
  Rule rule;
};

// The precedence: the first that holds decides.
constexpr NamedRule kMethodRules[] = {
    {"only_for", by_only_for},
    {"restricted to its subject", by_restricted_subject},
    {"template with a device parameter", by_template},
    {"several accelerators", by_several_devices},
    {"subject", by_subject},
    {"named by habit, meant by name", by_hint},
    {"needs or picks an accelerator", by_need},
    {"device parameter", by_parameter},
    {"CPU by name", by_cpu_hint},
    {"nothing", by_default},
};

Ruling rule_on(const Case& c) {
  for (const NamedRule& rule : kMethodRules)
    if (std::optional<Ruling> ruling = rule.rule(c)) return *ruling;
  return {};
}

// The one device that a literal only_for keeps.
std::optional<std::string> single_only_for(const Instantiation* call, const Vocabulary& vocabulary) {
  if (call == nullptr || call->only_for.state != DeviceFilter::State::literal) return std::nullopt;
  if (call->only_for.values.size() != 1) return std::nullopt;
  const DeviceType* type = vocabulary.device(call->only_for.values.front());
  return type == nullptr ? std::nullopt : std::optional<std::string>(type->name);
}

std::optional<Category> declared_by(const Class& cls) {
  const Label* label = cls.label();
  if (label == nullptr) return std::nullopt;
  switch (label->form) {
    case Label::Form::plain:
    case Label::Form::annotated:
    case Label::Form::other_annotation:
    case Label::Form::alias:
      return category_of_member(label->value);
    default:
      return std::nullopt;
  }
}

using CategoryKey = std::pair<Category::Kind, std::string>;

CategoryKey key_of(const Category& category) { return {category.kind, category.device}; }

// The category that most tests have; of equals the first in the order GENERIC, DEVICE_GENERIC, devices by
// name.
Category prevailing(const std::vector<MethodVerdict>& methods) {
  std::map<CategoryKey, std::size_t> counts;
  for (const MethodVerdict& method : methods) ++counts[key_of(method.category)];
  auto most = std::max_element(counts.begin(), counts.end(),
                               [](const auto& a, const auto& b) { return a.second < b.second; });
  return {most->first.first, most->first.second};
}

// Each piece of evidence once, in source order.
std::vector<Evidence> collected(const std::vector<MethodVerdict>& methods) {
  std::vector<Evidence> all;
  for (const MethodVerdict& method : methods)
    all.insert(all.end(), method.evidence.begin(), method.evidence.end());
  auto place = [](const Evidence& e) { return std::tie(e.line, e.symbol, e.says, e.method); };
  std::sort(all.begin(), all.end(),
            [&](const Evidence& a, const Evidence& b) { return place(a) < place(b); });
  all.erase(std::unique(all.begin(), all.end(),
                        [&](const Evidence& a, const Evidence& b) { return place(a) == place(b); }),
            all.end());
  return all;
}

class ClassJudge {
 public:
  ClassJudge(const FileFacts& file, int class_index, const Vocabulary& vocabulary)
      : file_(file),
        index_(class_index),
        cls_(file.classes[static_cast<std::size_t>(class_index)]),
        vocabulary_(vocabulary) {}

  ClassVerdict judge() {
    ClassVerdict verdict;
    verdict.path = file_.path;
    verdict.name = cls_.name;
    verdict.line = cls_.line;
    verdict.class_index = index_;
    verdict.declared = declared_by(cls_);
    verdict.methods = rule_on_methods();
    settle(verdict);
    return verdict;
  }

 private:
  std::vector<MethodVerdict> rule_on_methods() {
    ClassSignals signals = signals_of(file_, index_, vocabulary_);
    std::vector<const Instantiation*> calls = analyzer::instantiations_of(file_, cls_);
    const Instantiation* call = calls.empty() ? nullptr : calls.front();
    std::vector<std::string> hints = hinted_devices(file_.path, cls_.name, vocabulary_);
    std::vector<MethodVerdict> verdicts;
    for (std::size_t i = 0; i < cls_.methods.size(); ++i) {
      if (!cls_.methods[i].is_test) continue;
      Case c{
          cls_, cls_.methods[i], vocabulary_, call, single_only_for(call, vocabulary_), signals.of_methods[i],
          hints};
      c.signals.insert(c.signals.end(), signals.everywhere.begin(), signals.everywhere.end());
      Ruling ruling = rule_on(c);
      confidence_ += ruling.confidence;
      verdicts.push_back({cls_.methods[i].name, cls_.methods[i].line, ruling.category, ruling.evidence});
    }
    return verdicts;
  }

  void settle(ClassVerdict& verdict) {
    verdict.inferred = prevailing(verdict.methods);
    verdict.mixed = std::any_of(verdict.methods.begin(), verdict.methods.end(),
                                [&](const MethodVerdict& m) { return !(m.category == verdict.inferred); });
    if (verdict.mixed) verdict.split = propose_split(verdict.name, verdict.methods);
    verdict.evidence = collected(verdict.methods);
    verdict.confidence = confidence_ / static_cast<double>(verdict.methods.size());
  }

  const FileFacts& file_;
  int index_;
  const Class& cls_;
  const Vocabulary& vocabulary_;
  double confidence_ = 0;  // sum over the tests
};

}  // namespace

std::vector<ClassVerdict> classify(const FileFacts& file, const Vocabulary& vocabulary) {
  std::vector<ClassVerdict> verdicts;
  for (std::size_t i = 0; i < file.classes.size(); ++i)
    if (file.classes[i].has_tests())
      verdicts.push_back(ClassJudge(file, static_cast<int>(i), vocabulary).judge());
  return verdicts;
}

}  // namespace hwsift::classifier
