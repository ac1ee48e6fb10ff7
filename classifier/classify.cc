// The decision. Each test gets the first rule of kMethodRules that holds; then the class is the category of
// its tests, or mixed. docs/categories.md says the same in words.
#include "classifier/classify.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "classifier/file_view.h"
#include "classifier/inheritance.h"
#include "classifier/signals.h"
#include "classifier/split.h"

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
  std::string restricted_to;            // the one device to which each test of the class is restricted, or ""
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

// Each piece once, in source order.
std::vector<Evidence> unique_evidence(std::vector<Evidence> evidence) {
  auto place = [](const Evidence& e) { return std::tie(e.path, e.line, e.symbol, e.says, e.method); };
  std::sort(evidence.begin(), evidence.end(),
            [&](const Evidence& a, const Evidence& b) { return place(a) < place(b); });
  evidence.erase(std::unique(evidence.begin(), evidence.end(),
                             [&](const Evidence& a, const Evidence& b) { return place(a) == place(b); }),
                 evidence.end());
  return evidence;
}

// Of what its tests need; that some need nothing is told where nothing else is.
std::vector<Evidence> evidence_of_class(const std::vector<MethodVerdict>& methods, const Category& inferred) {
  std::vector<Evidence> all;
  for (const MethodVerdict& method : methods)
    if (inferred == Category::generic() || !(method.category == Category::generic()))
      all.insert(all.end(), method.evidence.begin(), method.evidence.end());
  return unique_evidence(std::move(all));
}

// The one device that `signals` restrict a test to, or "".
std::string restriction(const std::vector<Signal>& signals) {
  std::string device;
  for (const Signal& signal : signals) {
    if (signal.kind != Kind::restricts) continue;
    if (signal.devices.size() != 1 || (!device.empty() && device != signal.devices.front())) return "";
    device = signal.devices.front();
  }
  return device;
}

// A class whose tests come from elsewhere has no method to look at: copied or generated tests take what the
// template is given.
Method unseen_test(bool is_template, int line) {
  Method method;
  method.line = line;
  method.is_test = true;
  if (is_template) method.params = {{"device", analyzer::Parameter::Kind::positional}};
  method.reads_device = is_template;
  return method;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Judges the classes of one file.
class FileJudge {
 public:
  FileJudge(const FileFacts& file, const Vocabulary& vocabulary, analyzer::TreeIndex* index)
      : file_(file),
        vocabulary_(vocabulary),
        view_(file, vocabulary, index),
        inheritance_(view_.inheritance()) {
    for (const Instantiation& call : file.instantiations) calls_.emplace(call.class_name, &call);
  }

  std::vector<ClassVerdict> judge() {
    std::vector<ClassVerdict> verdicts;
    for (std::size_t i = 0; i < file_.classes.size(); ++i)
      if (runs_tests(static_cast<int>(i))) verdicts.push_back(judge_class(static_cast<int>(i)));
    return verdicts;
  }

 private:
  const Class& class_at(int index) const { return file_.classes[static_cast<std::size_t>(index)]; }

  // Has own tests, or is a class of the module that others hand tests to.
  bool runs_tests(int index) const {
    const Class& cls = class_at(index);
    if (cls.has_tests()) return true;
    if (cls.context == analyzer::Context::function || cls.context == analyzer::Context::class_) return false;
    return call_of(cls) != nullptr || !inheritance_.tests_of(index).empty() || is_test_case(index);
  }

  // Told from the names of the bases outside the file.
  bool is_test_case(int index) const {
    std::vector<int> classes = inheritance_.line_of(index);
    return std::any_of(classes.begin(), classes.end(), [&](int i) {
      const std::vector<analyzer::Base>& bases = class_at(i).bases;
      return std::any_of(bases.begin(), bases.end(), [](const analyzer::Base& base) {
        return ends_with(base.name, "TestCase") || ends_with(base.name, "TestBase") ||
               ends_with(base.name, "Test");
      });
    });
  }

  ClassVerdict judge_class(int index) {
    const Class& cls = class_at(index);
    ClassVerdict verdict;
    verdict.path = file_.path;
    verdict.name = cls.name;
    verdict.line = cls.line;
    verdict.class_index = index;
    verdict.own_tests = cls.has_tests();
    verdict.declared = declared_by(cls);
    rule_on_tests(verdict);
    return verdict;
  }

  const Instantiation* call_of(const Class& cls) const {
    if (cls.context == analyzer::Context::function || cls.context == analyzer::Context::class_)
      return nullptr;
    auto found = calls_.find(cls.name);
    return found == calls_.end() ? nullptr : found->second;
  }

  Case case_of(int index, const Method& method, std::vector<Signal> signals) const {
    const Instantiation* call = call_of(class_at(index));
    Case c{class_at(index),    method, vocabulary_, call, single_only_for(call, vocabulary_),
           std::move(signals), {},     ""};
    drop_faked(c);
    drop_absent(c);
    return c;
  }

  std::string common_restriction(const std::vector<std::vector<Signal>>& signals) const {
    std::optional<std::string> common;
    for (const std::vector<Signal>& of_test : signals) {
      std::string device = restriction(of_test);
      if (device.empty() || (common && *common != device)) return "";
      common = device;
    }
    return common.value_or("");
  }

  void rule_on_tests(ClassVerdict& verdict) {
    std::vector<MethodPlace> tests = inheritance_.tests_of(verdict.class_index);
    std::vector<std::string> hints;
    if (vocabulary_.policy.names_decide) hints = hinted_devices(file_.path, verdict.name, vocabulary_);
    if (tests.empty()) return rule_on_unseen_tests(verdict, hints);
    std::vector<Signal> around = view_.around_class(verdict.class_index);
    std::vector<std::vector<Signal>> signals;
    for (const MethodPlace& test : tests) {
      signals.push_back(view_.of_test(test, verdict.class_index));
      signals.back().insert(signals.back().end(), around.begin(), around.end());
    }
    std::string restricted_to = common_restriction(signals);
    double confidence = 0;
    for (std::size_t i = 0; i < tests.size(); ++i) {
      Case c = case_of(verdict.class_index, method_at(tests[i]), std::move(signals[i]));
      c.hints = hints;
      c.restricted_to = restricted_to;
      Ruling ruling = rule_on(c);
      confidence += ruling.confidence;
      verdict.methods.push_back(
          {c.method.name, c.method.line, ruling.category, unique_evidence(ruling.evidence)});
    }
    verdict.confidence = confidence / static_cast<double>(tests.size());
    settle(verdict, tests);
  }

  const Method& method_at(const MethodPlace& place) const {
    return class_at(place.class_index).methods[static_cast<std::size_t>(place.method_index)];
  }

  void rule_on_unseen_tests(ClassVerdict& verdict, const std::vector<std::string>& hints) {
    Method method = unseen_test(call_of(class_at(verdict.class_index)) != nullptr, verdict.line);
    Case c = case_of(verdict.class_index, method, view_.of_whole_class(verdict.class_index));
    c.hints = hints;
    Ruling ruling = rule_on(c);
    verdict.inferred = ruling.category;
    verdict.confidence = ruling.confidence / 2;  // the tests themselves were not seen
    verdict.evidence = unique_evidence(ruling.evidence);
  }

  void settle(ClassVerdict& verdict, const std::vector<MethodPlace>& tests) const {
    verdict.inferred = prevailing(verdict.methods);
    verdict.mixed = std::any_of(verdict.methods.begin(), verdict.methods.end(),
                                [&](const MethodVerdict& m) { return !(m.category == verdict.inferred); });
    if (verdict.mixed && verdict.own_tests) verdict.split = split_of(verdict, tests);
    verdict.evidence = evidence_of_class(verdict.methods, verdict.inferred);
  }

  std::vector<SplitPart> split_of(const ClassVerdict& verdict, const std::vector<MethodPlace>& tests) const {
    std::vector<SplitTest> parts;
    for (std::size_t i = 0; i < tests.size(); ++i)
      parts.push_back({verdict.methods[i].name, verdict.methods[i].category,
                       view_.own_helpers_of(tests[i], verdict.class_index)});
    return propose_split(verdict.name, parts, [this](const std::string& name) {
      return std::any_of(file_.classes.begin(), file_.classes.end(),
                         [&](const Class& cls) { return cls.name == name; });
    });
  }

  const FileFacts& file_;
  const Vocabulary& vocabulary_;
  FileView view_;
  const Inheritance& inheritance_;
  std::unordered_map<std::string, const Instantiation*> calls_;  // the first one of each class
};

}  // namespace

std::vector<ClassVerdict> classify(const FileFacts& file, const Vocabulary& vocabulary,
                                   analyzer::TreeIndex* index) {
  return FileJudge(file, vocabulary, index).judge();
}

}  // namespace hwsift::classifier
