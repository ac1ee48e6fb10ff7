#include "classifier/eligibility.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/text.h"
#include "classifier/cxx_classify.h"
#include "classifier/skips.h"
#include "classifier/variants.h"

namespace hwsift::classifier {
namespace {

using analyzer::Class;
using analyzer::Context;
using analyzer::Decorator;
using analyzer::FileFacts;
using analyzer::Label;
using analyzer::Method;
using analyzer::Role;
using analyzer::Use;
using Effect = Reason::Effect;
using Kind = Reason::Kind;
using State = Eligibility::State;
using Uses = std::vector<const Use*>;

const Class& class_at(const FileFacts& file, int index) {
  return file.classes[static_cast<std::size_t>(index)];
}

const Method* method_of(const FileFacts& file, const ClassTest& test) {
  if (test.method_index < 0) return nullptr;
  return &class_at(file, test.owner_index).methods[static_cast<std::size_t>(test.method_index)];
}

// --- reasons ---

Reason uncollected_reason(const Class& cls, const std::string& why) {
  std::size_t colon = why.find(": ");
  std::string what = colon == std::string::npos ? why : why.substr(colon + 2);
  std::string remedy = what.ends_with("_test.py") ? "rename the file to test_*.py" : "";
  return {Kind::not_collected,
          Effect::prevents,
          cls.line,
          cls.name,
          "pytest does not collect " + cls.name + ": " + what,
          remedy};
}

Kind kind_of(Variant::Cause cause) {
  switch (cause) {
    case Variant::Cause::flag:
      return Kind::allow_flag;
    case Variant::Cause::only_for:
    case Variant::Cause::overlap:
      return Kind::only_for;
    case Variant::Cause::except_for:
      return Kind::except_for;
    default:
      return Kind::not_instantiated;
  }
}

// "allow_xpu is missing" has its flag in front.
std::string remedy_for(const Variant& variant) {
  std::string flag = variant.reason.substr(0, variant.reason.find(' '));
  switch (variant.cause) {
    case Variant::Cause::flag:
      return "add " + flag + "=True";
    case Variant::Cause::only_for:
      return "add " + variant.device + " to only_for";
    case Variant::Cause::except_for:
      return "take " + variant.device + " out of except_for";
    default:
      return "";
  }
}

Reason absent_reason(const Variant& variant) {
  constexpr char kCall[] = " in the instantiate_device_type_tests call";
  bool flag = variant.cause == Variant::Cause::flag;
  std::string text =
      flag ? variant.reason + " from the instantiate_device_type_tests call" : variant.reason + kCall;
  return {kind_of(variant.cause), Effect::prevents, variant.line, "instantiate_device_type_tests", text,
          remedy_for(variant)};
}

// "only_for is not a literal: devices()" may let the device pass.
Reason uncertain_reason(const Variant& variant) {
  std::string argument = variant.reason.substr(0, variant.reason.find(' '));
  std::string verb = variant.cause == Variant::Cause::flag ? " is true" : " lets " + variant.device + " pass";
  return {kind_of(variant.cause),
          Effect::condition,
          variant.line,
          "instantiate_device_type_tests",
          argument + verb + " in the instantiate_device_type_tests call",
          ""};
}

// What the framework calls the class before it knows the name of the backend.
Reason early_name(const Variant& variant) {
  return {Kind::not_instantiated,
          Effect::note,
          variant.line,
          "instantiate_device_type_tests",
          "the class is called " + variant.class_name +
              ": the framework learns the backend's name with the first class of the process that takes a "
              "device, which no call before this one made",
          ""};
}

// `from` is what the category comes from, where no label says it.
Reason category_reason(const CountedCategory& counted, const Class& cls, const Evidence& from) {
  const Label* label = cls.label();
  bool generic = counted.category.kind == Category::Kind::generic;
  if (counted.declared && label != nullptr)
    return {Kind::category,
            Effect::prevents,
            label->line,
            "hw_classification",
            (generic ? "it runs once, on a CPU, " : "it is about " + counted.category.name() + ", ") +
                "says its label",
            ""};
  std::string text =
      generic ? "it is GENERIC, which runs once, on a CPU, since nothing in it depends on hardware; it stands"
              : "it is about " + counted.category.name() + ", by its source";
  return {Kind::category, Effect::prevents, from.line, cls.name, text, "", from.path};
}

Reason unclassified_note(const Class& cls) {
  constexpr char kFilter[] = "PyTorch's own --hw-classification ";
  const Label* label = cls.label();
  if (label != nullptr)
    return {Kind::unclassified,
            Effect::note,
            label->line,
            "hw_classification",
            kFilter + std::string("knows no such category as is written"),
            "write HardwareClassification.X"};
  return {Kind::unclassified,
          Effect::note,
          cls.line,
          cls.name,
          kFilter + std::string("leaves it out, since no label is on ") + cls.name,
          "declare hw_classification"};
}

bool is_skip_maker(const std::string& callee) {
  std::string word(last_word(callee));
  return ascii_lower(word).starts_with("skip");
}

bool is_conditional(const analyzer::Instantiation& call) {
  return call.context == Context::if_ || call.context == Context::try_ || call.context == Context::main_guard;
}

Reason conditional_call(const analyzer::Instantiation& call) {
  return {Kind::not_instantiated,
          Effect::condition,
          call.line,
          "instantiate_device_type_tests",
          "what stands around the instantiate_device_type_tests call lets it be made",
          ""};
}

// The other variant that a machine without an accelerator runs.
Reason lazy_note(const Variant& lazy) {
  return {Kind::not_instantiated,
          Effect::note,
          lazy.line,
          "instantiate_device_type_tests",
          lazy.class_name + " runs on a CPU as well, made by the instantiate_device_type_tests call",
          ""};
}

// A file that ends early before `line`. A guard further down is in the main guard, which pytest does not run.
bool gates_file(const Use& use, int line) {
  return use.class_index < 0 && use.function_index < 0 && use.role == Role::guard && use.line < line &&
         !is_skip_maker(use.callee);
}

bool in_decorator(const Use& use, const std::vector<Decorator>& decorators) {
  return std::any_of(decorators.begin(), decorators.end(), [&](const Decorator& decorator) {
    return use.span.begin >= decorator.span.begin && use.span.end <= decorator.span.end;
  });
}

void add(std::vector<Reason>& reasons, const std::vector<Reason>& more) {
  reasons.insert(reasons.end(), more.begin(), more.end());
}

std::vector<Reason> by_gates(const Uses& uses, int line, const Machine& machine) {
  std::vector<Reason> reasons;
  for (const Use* use : uses)
    if (gates_file(*use, line)) add(reasons, skips_by(*use, machine));
  return reasons;
}

std::vector<Reason> by_decorators(const std::vector<Decorator>& decorators, const Uses& uses,
                                  const Machine& machine) {
  std::vector<Reason> reasons;
  for (const Decorator& decorator : decorators) add(reasons, skips_by(decorator, uses, machine));
  return reasons;
}

std::vector<Reason> by_guards(const std::vector<Decorator>& decorators, const Uses& uses,
                              const Machine& machine) {
  std::vector<Reason> reasons;
  for (const Use* use : uses)
    if (use->role == Role::guard && !in_decorator(*use, decorators)) add(reasons, skips_by(*use, machine));
  return reasons;
}

bool has_effect(const Eligibility& answer, Effect effect) {
  return std::any_of(answer.reasons.begin(), answer.reasons.end(),
                     [&](const Reason& reason) { return reason.effect == effect; });
}

// Earlier states win: a test that does not exist is not skipped.
State state_by(Kind kind) {
  switch (kind) {
    case Kind::not_collected:
    case Kind::not_instantiated:
    case Kind::allow_flag:
    case Kind::only_for:
    case Kind::except_for:
      return State::not_generated;
    case Kind::category:
      return State::not_for;
    default:
      return State::skips;
  }
}

State state_of(const Eligibility& answer) {
  for (const Reason& reason : answer.reasons)
    if (reason.effect == Effect::prevents) return state_by(reason.kind);
  return has_effect(answer, Effect::condition) ? State::unknown : State::runs;
}

// The first piece; where there is none, the place of the test.
Evidence evidence_of_test(const ClassVerdict* verdict, const Method& method) {
  Evidence place;
  place.line = method.line;
  if (verdict == nullptr) return place;
  for (const MethodVerdict& of_method : verdict->methods)
    if (of_method.line == method.line && of_method.name == method.name && !of_method.evidence.empty())
      return of_method.evidence.front();
  return place;
}

std::optional<Category> method_category(const ClassVerdict& verdict, const Method& method) {
  for (const MethodVerdict& of_method : verdict.methods)
    if (of_method.line == method.line && of_method.name == method.name) return of_method.category;
  return std::nullopt;
}

using UsesByScope = std::map<std::pair<int, int>, Uses>;

const Uses& uses_in(const UsesByScope& uses, int class_index, int method_index) {
  static const Uses kNone;
  auto found = uses.find({class_index, method_index});
  return found == uses.end() ? kNone : found->second;
}

std::vector<Reason> by_class(const FileFacts& file, int index, const UsesByScope& uses,
                             const Machine& machine) {
  const Class& cls = class_at(file, index);
  std::vector<Reason> reasons = by_decorators(cls.decorators, uses_in(uses, index, -1), machine);
  for (std::size_t i = 0; i < cls.methods.size(); ++i)
    if (sets_up(cls.methods[i].name))
      add(reasons, by_guards(cls.methods[i].decorators, uses_in(uses, index, static_cast<int>(i)), machine));
  return reasons;
}

bool moves_tensors(const Use& use) {
  if (use.optional || use.in_device_branch || use.faked || use.has_alternative) return false;
  if (use.kind == analyzer::UseKind::device_method) return !last_word(use.symbol).starts_with("is_");
  return use.kind == analyzer::UseKind::device_literal && use.role == Role::device_argument &&
         last_word(use.callee) != "device";
}

// Gathers the reasons for one test.
class Inquiry {
 public:
  Inquiry(const FileFacts& file, const FileClasses& classes, const UsesByScope& uses, const Machine& machine,
          const ClassTest& test)
      : file_(file),
        classes_(classes),
        uses_(uses),
        machine_(machine),
        test_(test),
        class_(class_at(file, test.class_index)),
        method_(method_of(file, test)) {}

  // In the order in which they come to bear.
  void ask(Eligibility& answer, const ClassVerdict* verdict, const Variant* variant,
           const std::vector<Reason>& from_classes) {
    ask_pytest(answer);
    ask_framework(answer, variant);
    bool fits = unfit(answer.counted, category_device()).empty();
    // Wiring a test for a device that it is not about mends nothing.
    if (!fits)
      for (Reason& reason : answer.reasons) reason.remedy.clear();
    ask_category(answer, verdict);
    add(answer.reasons, by_gates(uses_of(-1, -1), class_.line, machine_));
    add(answer.reasons, from_classes);
    add(answer.reasons, from_test());
    if (!has_effect(answer, Effect::prevents)) add(answer.reasons, names_other_device());
    bool labelled = (verdict != nullptr && verdict->declared) || class_.label_from >= 0;
    if (!labelled) answer.reasons.push_back(unclassified_note(class_));
  }

 private:
  std::string category_device() const { return machine_.runs_on_cpu() ? "cpu" : machine_.device; }

  const Uses& uses_of(int class_index, int method_index) const {
    return uses_in(uses_, class_index, method_index);
  }

  void ask_pytest(Eligibility& answer) const {
    std::string why = classes_.uncollected(test_.class_index);
    if (!why.empty()) answer.reasons.push_back(uncollected_reason(class_, why));
    if (class_.context == Context::if_ || class_.context == Context::try_)
      answer.reasons.push_back({Kind::guard, Effect::condition, class_.line, class_.name,
                                "the `if` or `try` around the class lets it be defined", ""});
    add_unset_test_case(answer);
    if (method_ != nullptr && method_->conditional)
      answer.reasons.push_back({Kind::guard, Effect::condition, method_->line, method_->name,
                                "the `if` or `try` around the test lets it be defined", ""});
  }

  // `TestCase = NoTest` under some condition: pytest collects no class that derives from it.
  void add_unset_test_case(Eligibility& answer) const {
    bool derives = std::any_of(class_.bases.begin(), class_.bases.end(),
                               [](const analyzer::Base& base) { return base.name == "TestCase"; });
    for (const analyzer::Import& import : file_.imports)
      if (derives && import.name == "NoTest")
        answer.reasons.push_back(
            {Kind::guard, Effect::condition, import.line, "NoTest",
             "the file does not put NoTest in the place of TestCase, for which it imports it", ""});
  }

  void ask_framework(Eligibility& answer, const Variant* variant) const {
    if (variant == nullptr) return ask_for_template(answer);
    if (variant->state == Variant::State::absent) answer.reasons.push_back(absent_reason(*variant));
    if (variant->state == Variant::State::unknown) answer.reasons.push_back(uncertain_reason(*variant));
    for (const analyzer::Instantiation* call : classes_.calls_of(test_.class_index))
      if (call->line == variant->line && is_conditional(*call))
        answer.reasons.push_back(conditional_call(*call));
    if (variant->state != Variant::State::absent && variant->class_name.ends_with("PRIVATEUSE1"))
      answer.reasons.push_back(early_name(*variant));
    if (machine_.device == "cpu") {
      Variant lazy = variant_for(classes_.calls_of(test_.class_index), class_, "lazy", machine_.vocabulary);
      if (lazy.state == Variant::State::generated) answer.reasons.push_back(lazy_note(lazy));
    }
    if (test_.inherited() && method_ != nullptr && method_->takes_device())
      answer.reasons.push_back({Kind::not_instantiated, Effect::note, method_->line, method_->name,
                                "the framework gives it no device, since it is inherited; it stands",
                                "instantiate the class that defines it"});
  }

  // A plain class that is handed no device.
  void ask_for_template(Eligibility& answer) const {
    if (method_ == nullptr || !method_->takes_device() || answer_expands()) return;
    answer.reasons.push_back(
        {Kind::not_instantiated, Effect::condition, method_->line, method_->name,
         "another file instantiates " + class_.name + ", since nothing here hands the test its device",
         "call instantiate_device_type_tests(" + class_.name + ", globals())"});
  }

  bool answer_expands() const {
    return expands(*method_) || is_parametrized(method_->decorators) || is_parametrized(class_.decorators);
  }

  void ask_category(Eligibility& answer, const ClassVerdict* verdict) const {
    if (unfit(answer.counted, category_device()).empty()) return;
    Evidence from;
    from.line = test_.line;
    if (verdict != nullptr)
      for (const MethodVerdict& of_method : verdict->methods)
        if (!of_method.evidence.empty() && of_method.name == test_.name) from = of_method.evidence.front();
    const Class& judged = verdict != nullptr ? class_at(file_, verdict->class_index) : class_;
    answer.reasons.push_back(category_reason(answer.counted, judged, from));
  }

  std::vector<Reason> from_test() const {
    if (method_ == nullptr) return {};
    const Uses& uses = uses_of(test_.owner_index, test_.method_index);
    std::vector<Reason> reasons = by_decorators(method_->decorators, uses, machine_);
    add(reasons, by_guards(method_->decorators, uses, machine_));
    return reasons;
  }

  // A test that moves its tensors to one accelerator does so whatever device it is run for.
  std::vector<Reason> names_other_device() const {
    if (method_ == nullptr) return {};
    for (const Use* use : uses_of(test_.owner_index, test_.method_index)) {
      const DeviceType* other =
          use->devices.size() == 1 ? machine_.vocabulary.device(use->devices.front()) : nullptr;
      bool elsewhere = other != nullptr && other->accelerator && other->name != machine_.device;
      if (elsewhere && moves_tensors(*use))
        return {{Kind::category, Effect::note, use->line, use->symbol,
                 "it works on " + other->name + " whatever it is run for, by " + use->symbol,
                 "take the device that the test is given"}};
    }
    return {};
  }

  const FileFacts& file_;
  const FileClasses& classes_;
  const UsesByScope& uses_;
  const Machine& machine_;
  const ClassTest& test_;
  const Class& class_;
  const Method* method_;
};

// Until it knows the backend's name the framework goes by the older one.
bool is_added(const Variant& variant, const DeviceVariables& variables) {
  bool filtered = variant.cause == Variant::Cause::only_for || variant.cause == Variant::Cause::except_for;
  const std::vector<std::string>& custom = variables.for_custom;
  return filtered && std::find(custom.begin(), custom.end(), "privateuse1") != custom.end();
}

}  // namespace

CountedCategory counted_category(const ClassVerdict* verdict, const Method& method) {
  if (verdict == nullptr) return {};
  if (verdict->declared) return {*verdict->declared, true};
  if (verdict->mixed) return {method_category(*verdict, method).value_or(verdict->inferred), false};
  return {verdict->inferred, false};
}

CountedCategory counted_category(const FileFacts& file, int function_index, const Vocabulary& vocabulary) {
  CountedCategory counted;
  for (const Use& use : file.uses) {
    if (use.function_index != function_index || use.polarity != analyzer::Polarity::requires_) continue;
    const Symbol* symbol = vocabulary.find(use.symbol);
    if (symbol == nullptr || symbol->meaning == Meaning::neutral) continue;
    if (symbol->meaning == Meaning::requires_accelerator && symbol->devices.empty())
      counted.category = Category::device_generic();
    else if (symbol->devices.size() == 1 && symbol->devices.front() != "cpu")
      return {Category::of_device(symbol->devices.front()), false};
  }
  return counted;
}

std::string unfit(const CountedCategory& counted, const std::string& device) {
  const Category& category = counted.category;
  switch (category.kind) {
    case Category::Kind::device_generic:
      return "";
    case Category::Kind::generic:
      return device == "cpu"
                 ? ""
                 : std::string(counted.declared ? "category" : "inferred") + " GENERIC: runs on a CPU";
    case Category::Kind::device:
      if (category.device == device) return "";
      return counted.declared ? "category " + category.name() : "needs " + category.name();
  }
  return "";
}

bool is_parametrized(const std::vector<Decorator>& decorators) {
  return std::any_of(decorators.begin(), decorators.end(), [](const Decorator& decorator) {
    return decorator.symbol.ends_with("mark.parametrize") ||
           decorator.symbol.ends_with("parameterized.expand") ||
           decorator.symbol.ends_with("parameterized_class");
  });
}

Eligibilities::Eligibilities(const FileFacts& file, const std::vector<ClassVerdict>& verdicts,
                             Machine machine)
    : file_(file), classes_(file), verdicts_(file.classes.size(), nullptr), machine_(std::move(machine)) {
  for (const ClassVerdict& verdict : verdicts)
    verdicts_[static_cast<std::size_t>(verdict.class_index)] = &verdict;
  for (const Use& use : file.uses)
    (use.function_index < 0 ? uses_[{use.class_index, use.method_index}]
                            : uses_of_functions_[use.function_index])
        .push_back(&use);
  if (machine_.is_privateuse1() && machine_.device != "privateuse1") find_early_names();
}

// The framework learns the backend's name when it first hands a test its device, while the class is made.
void Eligibilities::find_early_names() {
  last_early_line_ = std::numeric_limits<int>::max();
  for (int i = 0; i < static_cast<int>(file_.classes.size()); ++i) {
    const std::vector<Method>& methods = class_at(file_, i).methods;
    bool takes_device = std::any_of(methods.begin(), methods.end(),
                                    [](const Method& m) { return m.is_test && m.takes_device(); });
    std::optional<Variant> variant = takes_device ? variant_of(i) : std::nullopt;
    if (variant && (variant->state == Variant::State::generated || is_added(*variant, machine_.variables)))
      last_early_line_ = std::min(last_early_line_, variant->line);
  }
}

std::optional<Variant> Eligibilities::variant_of(int class_index) const {
  const FileClasses::Calls& calls = classes_.calls_of(class_index);
  if (calls.empty()) return std::nullopt;
  const Class& cls = class_at(file_, class_index);
  Variant variant = under(machine_.variables, variant_for(calls, cls, machine_.device, machine_.vocabulary),
                          machine_.vocabulary);
  if (variant.line <= last_early_line_ && last_early_line_ > 0) variant.class_name = cls.name + "PRIVATEUSE1";
  return variant;
}

const ClassVerdict* Eligibilities::verdict_of(int class_index) const {
  return verdicts_[static_cast<std::size_t>(class_index)];
}

const ClassVerdict* Eligibilities::verdict_on(const ClassTest& test) const {
  const ClassVerdict* own = verdict_of(test.class_index);
  const Method* method = method_of(file_, test);
  if (!test.inherited() || (own != nullptr && own->declared)) return own;
  if (own != nullptr && method != nullptr && method_category(*own, *method)) return own;
  const ClassVerdict* owner = verdict_of(test.owner_index);
  return owner != nullptr ? owner : own;
}

void Eligibilities::name(const ClassTest& test, Eligibility& answer) const {
  const Class& cls = class_at(file_, test.class_index);
  const Method* method = method_of(file_, test);
  answer.run_class = name_for_pytest(cls);
  answer.test = test.name;
  answer.expands = is_parametrized(cls.decorators) ||
                   (method != nullptr && (expands(*method) || is_parametrized(method->decorators)));
}

const std::vector<Reason>& Eligibilities::by_classes_of(int class_index) const {
  auto [known, fresh] = by_classes_.try_emplace(class_index);
  if (fresh)
    for (int index : classes_.inheritance().line_of(class_index))
      add(known->second, by_class(file_, index, uses_, machine_));
  return known->second;
}

// A C++ test: what it is built with is a condition.
Eligibility Eligibilities::of_cxx(const ClassTest& test) const {
  Eligibility answer;
  const Method* method = method_of(file_, test);
  if (method == nullptr) return answer;
  const ClassVerdict* verdict = verdict_on(test);
  const Class& suite = file_.classes[static_cast<std::size_t>(test.class_index)];
  answer.device = machine_.device;
  answer.counted = counted_category(verdict, *method);
  answer.run_class = suite.name;
  answer.test = method->name;
  answer.expands = method->expands || !method->instance_names.empty();
  if (!unfit(answer.counted, machine_.device).empty())
    answer.reasons.push_back(category_reason(answer.counted, suite, evidence_of_test(verdict, *method)));
  if (is_disabled(suite.name, method->name))
    answer.reasons.push_back({Kind::always, Effect::prevents, method->line, method->name,
                              "gtest leaves out what is called DISABLED_, as it is", ""});
  for (const analyzer::BuildCondition& one : method->conditions)
    answer.reasons.push_back({Kind::library, Effect::condition, one.line, "#if " + one.text,
                              std::string("the binary is built ") + (one.negated ? "without " : "with ") +
                                  one.text + ", the condition",
                              ""});
  answer.state = state_of(answer);
  return answer;
}

Eligibility Eligibilities::of(const ClassTest& test) const {
  if (file_.language == "cpp") return of_cxx(test);
  Eligibility answer;
  const Method* method = method_of(file_, test);
  const ClassVerdict* verdict = verdict_on(test);
  answer.device = machine_.device;
  answer.counted = counted_category(verdict, method != nullptr ? *method : Method{});
  name(test, answer);
  std::optional<Variant> variant = variant_of(test.class_index);
  if (variant && variant->state != Variant::State::absent) {
    answer.run_class = variant->class_name;
    if (!test.inherited() && !answer.expands) answer.test += "_" + machine_.device;
  }
  Inquiry(file_, classes_, uses_, machine_, test)
      .ask(answer, verdict, variant ? &*variant : nullptr, by_classes_of(test.class_index));
  answer.state = state_of(answer);
  return answer;
}

Eligibility Eligibilities::of_function(int function_index) const {
  const analyzer::Function& function = file_.functions[static_cast<std::size_t>(function_index)];
  Eligibility answer;
  answer.device = machine_.device;
  answer.test = function.name;
  answer.expands = is_parametrized(function.decorators);
  answer.counted = counted_category(file_, function_index, machine_.vocabulary);
  if (!file_.test_file)
    answer.reasons.push_back(
        {Kind::not_collected, Effect::prevents, function.line, function.name,
         "the file is no test_*.py or *_test.py, so pytest does not collect " + function.name,
         "rename the file to test_*.py"});
  if (!unfit(answer.counted, machine_.device).empty()) {
    Evidence from;
    from.line = function.line;
    answer.reasons.push_back(category_reason(answer.counted, {}, from));
  }
  auto gates = uses_.find({-1, -1});
  if (gates != uses_.end()) add(answer.reasons, by_gates(gates->second, function.line, machine_));
  auto uses = uses_of_functions_.find(function_index);
  if (uses != uses_of_functions_.end()) {
    add(answer.reasons, by_decorators(function.decorators, uses->second, machine_));
    add(answer.reasons, by_guards(function.decorators, uses->second, machine_));
  }
  answer.state = state_of(answer);
  return answer;
}

const char* word(Reason::Kind kind) {
  static const char* const words[] = {
      "not_collected", "not_instantiated", "allow_flag", "only_for", "except_for", "category", "unclassified",
      "always",        "decorator",        "guard",      "count",    "capability", "library"};
  return words[static_cast<int>(kind)];
}

const char* word(Reason::Effect effect) {
  static const char* const words[] = {"prevents", "condition", "note"};
  return words[static_cast<int>(effect)];
}

const char* word(Eligibility::State state) {
  static const char* const words[] = {"runs", "skips", "not_generated", "not_for", "unknown"};
  return words[static_cast<int>(state)];
}

}  // namespace hwsift::classifier
