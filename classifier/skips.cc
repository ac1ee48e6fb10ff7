#include "classifier/skips.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "classifier/condition.h"

namespace hwsift::classifier {
namespace {

using analyzer::Decorator;
using analyzer::Polarity;
using analyzer::Role;
using analyzer::Use;
using analyzer::UseKind;
using Effect = Reason::Effect;
using Kind = Reason::Kind;
using Uses = std::vector<const Use*>;

bool is_among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

std::string spoken(const std::vector<std::string>& devices, const char* between) {
  std::vector<std::string> upper;
  for (const std::string& device : devices) upper.push_back(ascii_upper(device));
  return join(upper, between);
}

// --- what a symbol asks of a machine ---

// The kind of what a symbol needs beyond the presence of its device; nullopt where presence is all. A call
// that counts devices asks for the number that stands beside it.
std::optional<Kind> further_need(const Symbol& symbol) {
  const Need& need = symbol.need;
  if (need.count > 1 || need.count_from_argument || last_word(symbol.name) == "device_count")
    return Kind::count;
  if (!need.capability.empty()) return Kind::capability;
  if (!need.library.empty()) return Kind::library;
  return std::nullopt;
}

// "Some accelerator" of the compiler's tests and of skip_if_lt_x_gpu is one of a few.
bool counts_as_accelerator(const Symbol& symbol, const Machine& machine) {
  std::string_view word = last_word(symbol.name);
  if (contains(word, "_lt_x_gpu")) return machine.has_any({"cuda", "hpu", "xpu"});
  if (symbol.need.library != "triton") return machine.is_accelerator();
  return machine.has_any({"cuda", "xpu", "mtia"}) || (machine.has("mps") && !starts_with(word, "HAS_"));
}

bool names_devices_of(const Symbol& symbol, const Machine& machine) {
  return symbol.devices.empty() ? counts_as_accelerator(symbol, machine) : machine.has_any(symbol.devices);
}

// Triton can be had for a CPU too, and some of what a platform supports is not one vendor's alone.
bool may_hold_anywhere(const Symbol& symbol) {
  std::string word = ascii_lower(last_word(symbol.name));
  bool triton = symbol.devices.empty() && symbol.need.library == "triton" && contains(word, "triton");
  return (triton && !contains(word, "gpu")) || starts_with(word, "platform_supports") || word == "is_built";
}

bool are_accelerators(const std::vector<std::string>& devices, const Vocabulary& vocabulary) {
  return !devices.empty() && std::all_of(devices.begin(), devices.end(), [&](const std::string& device) {
    return Machine{device, vocabulary}.is_accelerator();
  });
}

// TEST_MULTIGPU: there are so many, and there is nothing more to ask.
std::optional<bool> counted_need(const Symbol& symbol, const Machine& machine) {
  const Need& need = symbol.need;
  if (need.count < 2 || !need.capability.empty() || !need.library.empty()) return std::nullopt;
  return machine.has_count(need.count);
}

// torch.cuda.is_bf16_supported: that the device is there does not say what a function of it returns.
bool tells_presence(const Symbol& symbol, std::string_view name) {
  return !further_need(symbol) && (symbol.kind_word != "api" || last_word(name) == "is_available");
}

// Whether what a flag, a call or a decorator of this name asks for is there.
Truth presence(const Symbol& symbol, std::string_view name, const Machine& machine) {
  switch (symbol.meaning) {
    case Meaning::requires_device:
    case Meaning::requires_accelerator:
      if (may_hold_anywhere(symbol)) return Truth::unknown;
      if (!names_devices_of(symbol, machine)) return Truth::no;
      if (std::optional<bool> enough = counted_need(symbol, machine)) return to_truth(*enough);
      return tells_presence(symbol, name) ? Truth::yes : Truth::unknown;
    case Meaning::neutral:
      // TEST_WITH_ROCM: a build for hardware that is not there does not come into it.
      if (!are_accelerators(symbol.devices, machine.vocabulary) || may_hold_anywhere(symbol))
        return Truth::unknown;
      return machine.has_any(symbol.devices) ? Truth::unknown : Truth::no;
    default:
      return Truth::unknown;
  }
}

// --- conditions ---

std::string_view callee_of(std::string_view atom) {
  std::size_t open = atom.find('(');
  return open == std::string_view::npos ? atom : trim(atom.substr(0, open));
}

bool is_dotted_name(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_word_char(c) || c == '.'; });
}

// The symbol that a name or call in a condition means; uses of the same scope know what names stand for.
const Symbol* symbol_of(std::string_view atom, const Uses& uses, const Vocabulary& vocabulary) {
  std::string_view name = callee_of(atom);
  if (!is_dotted_name(name) || (name.size() < atom.size() && atom.back() != ')')) return nullptr;
  for (const Use* use : uses)
    if (last_word(use->symbol) == last_word(name)) return vocabulary.find(use->symbol);
  return nullptr;
}

// device_count() of what is there is 1 or more; of what is not there, 0.
Truth compared(const NumberComparison& comparison, Truth present, bool counts, const Machine& machine) {
  if (present == Truth::no) return to_truth(comparison.holds_for(0));
  if (!counts) return Truth::unknown;
  if (machine.count && machine.is_accelerator()) return to_truth(comparison.holds_for(*machine.count));
  bool equality = comparison.op == "==" || comparison.op == "!=";
  bool of_one = comparison.holds_for(1);
  if (equality && comparison.number >= 1) return Truth::unknown;
  return of_one == comparison.holds_for(1L << 20) ? to_truth(of_one) : Truth::unknown;
}

Truth truth_of_atom(std::string_view atom, const Uses& uses, const Machine& machine) {
  std::optional<NumberComparison> comparison = number_comparison(atom);
  std::string_view asked = comparison ? std::string_view(comparison->left) : atom;
  const Symbol* symbol = symbol_of(asked, uses, machine.vocabulary);
  if (symbol == nullptr) return Truth::unknown;
  bool counts = last_word(symbol->name) == "device_count";
  Truth present = presence(*symbol, callee_of(asked), machine);
  if (comparison) return compared(*comparison, present, counts, machine);
  return counts && names_devices_of(*symbol, machine) ? Truth::yes : present;
}

Truth truth_in(std::string_view condition, const Uses& uses, const Machine& machine) {
  return truth_of(condition, [&](std::string_view atom) { return truth_of_atom(trim(atom), uses, machine); });
}

// --- the words of a reason ---

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 80;
  if (text.size() <= kMost) return std::string(text);
  return std::string(text.substr(0, kMost)) + "...";
}

// Without the modules of the framework's test helpers.
std::string short_name(const std::string& symbol) {
  return starts_with(symbol, "torch.testing._internal.") ? std::string(last_word(symbol)) : symbol;
}

std::string written(const Decorator& decorator) { return std::string(last_word(decorator.name)); }

Reason reason(Kind kind, Effect effect, const Decorator& decorator, const std::string& what) {
  return {kind, effect, decorator.line, decorator.name, what + ", says " + written(decorator), ""};
}

std::vector<Reason> prevented(Kind kind, const Decorator& decorator, const std::string& what) {
  return {reason(kind, Effect::prevents, decorator, what)};
}

std::vector<Reason> hinges(Kind kind, const Decorator& decorator, const std::string& what) {
  return {reason(kind, Effect::condition, decorator, what)};
}

// Of a check of which no more is known than whose it is.
std::vector<Reason> passes(Kind kind, const Decorator& decorator, const std::string& library = "") {
  std::string what = "it gets past " + written(decorator);
  if (!library.empty()) what += ", which asks for " + library;
  return {{kind, Effect::condition, decorator.line, decorator.name, what, ""}};
}

std::string owner_of(const Symbol& symbol) {
  return symbol.devices.empty() ? "accelerator" : spoken(symbol.devices, " or ");
}

std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The first argument of a call, without the name that it may be given under.
std::string count_argument(std::string_view call) {
  std::string argument = first_argument(call, "x").value_or("");
  std::size_t equals = argument.find('=');
  return equals == std::string::npos ? argument : std::string(trim(argument.substr(equals + 1)));
}

bool asks_for_one(const Need& need, std::string_view call) {
  return need.count_from_argument && whole_number(count_argument(call)).value_or(2) < 2;
}

// Whether the number that the call asks for is there; nullopt where one of the two is not known.
std::optional<bool> enough_devices(const Need& need, std::string_view call, const Machine& machine) {
  std::optional<int> wanted = need.count_from_argument ? whole_number(count_argument(call)) : need.count;
  return wanted ? machine.has_count(*wanted) : std::nullopt;
}

// "at least 2"; of a number that the call has under a name, that name.
std::string wanted_count(const Need& need, std::string_view call) {
  if (!need.count_from_argument) return "at least " + std::to_string(need.count);
  std::string argument = count_argument(call);
  bool is_told = whole_number(argument) || is_dotted_name(argument);
  return is_told ? "at least " + argument : "several";
}

std::string devices_there(const std::string& count, const Symbol& symbol, const Machine& machine) {
  std::string device = symbol.devices.empty() ? ascii_upper(machine.device) : owner_of(symbol);
  return "there are " + count + " " + device + " devices";
}

// All that a symbol needs beyond the presence of its device. `of` names the symbol where no decorator does.
std::string needed(const Symbol& symbol, std::string_view call, const std::string& of,
                   const Machine& machine) {
  const Need& need = symbol.need;
  std::vector<std::string> parts;
  if (need.count > 1 || need.count_from_argument)
    parts.push_back(devices_there(wanted_count(need, call), symbol, machine));
  if (!need.capability.empty()) parts.push_back("the hardware has the capability " + need.capability);
  if (!need.library.empty()) parts.push_back("the library " + need.library + " is there");
  return join(parts, " and ") + (of.empty() ? "" : " (" + of + ")");
}

// --- decorators ---

Uses uses_inside(const Decorator& decorator, const Uses& uses) {
  Uses inside;
  for (const Use* use : uses)
    if (use->span.begin >= decorator.span.begin && use->span.end <= decorator.span.end) inside.push_back(use);
  return inside;
}

std::vector<std::string> literal_devices(const Uses& uses) {
  std::vector<std::string> devices;
  for (const Use* use : uses)
    if (use->kind == UseKind::device_literal)
      devices.insert(devices.end(), use->devices.begin(), use->devices.end());
  return devices;
}

bool is_always_skipped(const Decorator& decorator) {
  std::string_view word = last_word(decorator.symbol);
  bool framework = starts_with(decorator.symbol, "unittest.") || starts_with(decorator.symbol, "pytest.");
  return (word == "skip" && framework) || word == "skip_but_pass_in_sandcastle";
}

bool skips_when(std::string_view word) {
  return is_among(word, {"skipIf", "skipif", "skip_if", "skip_but_pass_in_sandcastle_if", "lazy_skip_if"});
}

bool skips_unless(std::string_view word) { return is_among(word, {"skipUnless", "skip_unless"}); }

// What the one symbol that a condition is about needs beyond its presence.
struct SoleNeed {
  Kind kind = Kind::guard;
  std::string text;  // "" where the condition as it stands says more
};

// `count >= 2` holds where there are two.
std::string counted(const NumberComparison& comparison, bool wanted, const Symbol& symbol,
                    const Machine& machine) {
  bool from_there_on = comparison.op == ">=" || comparison.op == "<";
  bool above = comparison.op == ">" || comparison.op == "<=";
  bool grows = comparison.op == ">=" || comparison.op == ">";
  if ((!from_there_on && !above) || grows != wanted) return "";
  long least = from_there_on ? comparison.number : comparison.number + 1;
  return devices_there("at least " + std::to_string(least), symbol, machine);
}

// `wanted` is what the condition must be for the test to run.
std::optional<SoleNeed> sole_need(std::string_view condition, bool wanted, const Uses& uses,
                                  const Machine& machine) {
  std::string_view atom = trim(condition);
  bool negated_there = starts_with(atom, "not ");
  if (negated_there) atom = trim(atom.substr(4));
  std::optional<NumberComparison> comparison = number_comparison(atom);
  std::string_view asked = comparison ? std::string_view(comparison->left) : atom;
  const Symbol* symbol = symbol_of(asked, uses, machine.vocabulary);
  std::optional<Kind> kind = symbol == nullptr ? std::nullopt : further_need(*symbol);
  if (!kind) return std::nullopt;
  bool holds = wanted != negated_there;
  if (comparison) return SoleNeed{*kind, counted(*comparison, holds, *symbol, machine)};
  std::string name(last_word(callee_of(atom)));
  return SoleNeed{*kind, holds ? needed(*symbol, atom, name, machine) : ""};
}

// skipIf and skipUnless: `unless` skips where the condition fails.
std::vector<Reason> by_condition(const Decorator& decorator, const Uses& uses, const Machine& machine,
                                 bool unless) {
  std::optional<std::string> condition = first_argument(decorator.text, "condition");
  if (!condition) return passes(Kind::guard, decorator);
  Truth truth = truth_in(*condition, uses, machine);
  Truth skips = unless ? negated(truth) : truth;
  if (skips == Truth::no) return {};
  if (*condition == "True" && !unless) return prevented(Kind::always, decorator, "it is always skipped");
  std::string quoted = "`" + shown(*condition) + "`";
  SoleNeed need = sole_need(*condition, unless, uses, machine).value_or(SoleNeed{});
  if (skips == Truth::yes)
    return prevented(need.kind, decorator, quoted + (unless ? " is false there" : " is true there"));
  if (need.text.empty()) need.text = quoted + (unless ? " is true" : " is false");
  return hinges(need.kind, decorator, need.text);
}

// A skip decorator that the file made of a hardware condition.
const Use* own_guard(const Decorator& decorator, const Uses& uses) {
  for (const Use* use : uses)
    if (use->role == Role::guard && use->kind == UseKind::decorator &&
        use->span.begin == decorator.span.begin)
      return use;
  return nullptr;
}

std::vector<Reason> by_own_guard(const Decorator& decorator, const Use& guard, const Machine& machine) {
  const Symbol* symbol = machine.vocabulary.find(decorator.symbol);
  bool there = guard.devices.empty() ? machine.is_accelerator() : machine.has_any(guard.devices);
  bool requires_it = guard.polarity == Polarity::requires_;
  std::string device = guard.devices.empty() ? "an accelerator" : spoken(guard.devices, " or ");
  if (requires_it && !there) return prevented(Kind::guard, decorator, "it needs " + device);
  if (!there ||
      (requires_it && symbol != nullptr && presence(*symbol, decorator.symbol, machine) == Truth::yes))
    return {};
  return passes(Kind::guard, decorator);
}

// common_utils.NATIVE_DEVICES; mps and mtia joined it after 2.6.
bool is_native(const Machine& machine) {
  return machine.is_privateuse1() || is_among(machine.device, {"cpu", "cuda", "xpu", "meta"});
}

bool is_native_later(const Machine& machine) { return is_among(machine.device, {"mps", "mtia"}); }

std::vector<Reason> by_native(const Decorator& decorator, const Uses& uses, const Machine& machine) {
  if (is_native(machine) || machine.has_any(literal_devices(uses))) return {};
  if (is_native_later(machine)) return hinges(Kind::decorator, decorator, "PyTorch is newer than 2.6");
  return prevented(Kind::decorator, decorator, ascii_upper(machine.device) + " is no native device");
}

std::vector<Reason> by_count(const Decorator& decorator, const Symbol& symbol, const Machine& machine) {
  if (asks_for_one(symbol.need, decorator.text)) return {};
  std::string count = wanted_count(symbol.need, decorator.text);
  std::string devices = ascii_upper(machine.device) + " devices";
  std::optional<bool> enough = enough_devices(symbol.need, decorator.text, machine);
  if (enough == true) return {};
  if (!machine.is_accelerator() || enough == false)
    return prevented(Kind::count, decorator, "it needs " + count + " " + devices);
  return hinges(Kind::count, decorator, "there are " + count + " " + devices);
}

std::vector<Reason> alone(const Decorator& decorator, const std::vector<std::string>& devices) {
  return prevented(Kind::decorator, decorator, spoken(devices, " and ") + " alone may run it");
}

// onlyOn of 2.6 holds its argument against the device as a whole, so that a list lets nothing run.
std::vector<Reason> by_listed_devices(const Decorator& decorator, const Uses& uses, const Machine& machine) {
  std::string argument = first_argument(decorator.text, "device_type").value_or("");
  std::vector<std::string> devices = literal_devices(uses);
  if (devices.empty()) return passes(Kind::decorator, decorator);
  if (!machine.has_any(devices)) return alone(decorator, devices);
  bool one_text = starts_with(argument, "\"") || starts_with(argument, "'");
  if (one_text) return {};
  return hinges(Kind::decorator, decorator, "PyTorch is newer than 2.6");
}

std::vector<Reason> by_kept_devices(const Decorator& decorator, const std::vector<std::string>& devices,
                                    const Machine& machine) {
  if (devices.empty()) return passes(Kind::decorator, decorator);
  return machine.has_any(devices) ? std::vector<Reason>{} : alone(decorator, devices);
}

std::vector<Reason> by_restriction(const Decorator& decorator, const Symbol& symbol, const Uses& uses,
                                   const Machine& machine) {
  std::string_view word = last_word(symbol.name);
  if (symbol.need.count_from_argument) return by_count(decorator, symbol, machine);
  if (starts_with(word, "onlyNativeDeviceTypes")) return by_native(decorator, uses, machine);
  if (word == "onlyAccelerator") {
    bool left_out = machine.device == "cpu" || machine.device == "meta";
    return left_out ? prevented(Kind::decorator, decorator, "accelerators alone may run it")
                    : std::vector<Reason>{};
  }
  if (word == "onlyOn") return by_listed_devices(decorator, uses, machine);
  return by_kept_devices(decorator, symbol.devices, machine);
}

// skipXPU, skipIfXpu: there is nothing more to ask.
bool skips_outright(std::string_view word, const std::vector<std::string>& devices) {
  std::string lower = ascii_lower(word);
  if (std::size_t mark = lower.find("_buggy"); mark != std::string::npos) lower.erase(mark);
  return std::any_of(devices.begin(), devices.end(), [&](const std::string& device) {
    return lower == "skip" + device || lower == "skipif" + device;
  });
}

std::vector<Reason> by_left_out_device(const Decorator& decorator, const Symbol& symbol, const Uses& uses,
                                       const Machine& machine) {
  std::vector<std::string> devices = symbol.devices.empty() ? literal_devices(uses) : symbol.devices;
  if (!devices.empty() && !machine.has_any(devices)) return {};
  std::string_view word = last_word(symbol.name);
  std::string left_out = ascii_upper(machine.device) + " is left out";
  if (skips_outright(word, symbol.devices)) return prevented(Kind::decorator, decorator, left_out);
  bool asks = word.size() > 2 && word.substr(word.size() - 2) == "If";
  std::optional<std::string> condition =
      asks ? first_argument(decorator.text, "dep") : std::optional<std::string>();
  Truth skips = condition ? truth_in(*condition, uses, machine) : Truth::unknown;
  if (skips == Truth::no) return {};
  if (skips == Truth::yes) return prevented(Kind::decorator, decorator, left_out);
  if (condition) return hinges(Kind::decorator, decorator, "`" + shown(*condition) + "` is false");
  return passes(further_need(symbol).value_or(Kind::decorator), decorator, symbol.need.library);
}

// What is missing on a machine without it.
std::string lacking(const Symbol& symbol, Kind need, std::string_view call, const Machine& machine) {
  if (!symbol.devices.empty()) return "it needs " + owner_of(symbol);
  if (machine.is_accelerator()) return ascii_upper(machine.device) + " does not count as an accelerator";
  if (need == Kind::count) return "it needs " + wanted_count(symbol.need, call) + " accelerators";
  return "it needs an accelerator";
}

std::vector<Reason> by_need(const Decorator& decorator, const Symbol& symbol, const Machine& machine) {
  Truth present = presence(symbol, symbol.name, machine);
  bool on_cpu_too = has_word(decorator.text, "allow_cpu") && contains(decorator.text, "=True");
  if (present == Truth::yes || (on_cpu_too && !machine.is_accelerator())) return {};
  if (present == Truth::unknown && asks_for_one(symbol.need, decorator.text)) return {};
  Kind kind = further_need(symbol).value_or(Kind::decorator);
  std::optional<bool> enough = enough_devices(symbol.need, decorator.text, machine);
  if (present == Truth::unknown && kind == Kind::count && enough == true) return {};
  if (present == Truth::unknown && kind == Kind::count && enough == false)
    return prevented(kind, decorator,
                     "it needs " + wanted_count(symbol.need, decorator.text) + " " +
                         (symbol.devices.empty() ? ascii_upper(machine.device) : owner_of(symbol)) +
                         " devices");
  if (present == Truth::unknown)
    return further_need(symbol) ? hinges(kind, decorator, needed(symbol, decorator.text, "", machine))
                                : passes(kind, decorator);
  return prevented(kind, decorator, lacking(symbol, kind, decorator.text, machine));
}

bool may_skip(std::string_view word) {
  return starts_with(word, "skip") || starts_with(word, "require") || starts_with(word, "runOn") ||
         starts_with(word, "only") || is_among(word, {"slowTest", "largeTensorTest", "largeMPSBufferTest"});
}

// Known, and silent about the category: it may skip for the operating system, a library, a build.
std::vector<Reason> by_unknown_check(const Decorator& decorator, const Symbol* symbol, const Uses& uses,
                                     const Machine& machine) {
  std::string_view word = last_word(decorator.symbol);
  if (!may_skip(word)) return {};
  bool elsewhere = symbol != nullptr && are_accelerators(symbol->devices, machine.vocabulary) &&
                   !machine.has_any(symbol->devices);
  if (elsewhere) return {};
  if (word == "slowTest") return hinges(Kind::decorator, decorator, "slow tests are asked for");
  if (starts_with(word, "large")) {
    std::vector<std::string> wanted = literal_devices(uses);
    if (are_accelerators(wanted, machine.vocabulary) && !machine.has_any(wanted))
      return prevented(Kind::capability, decorator, "it needs the memory of " + spoken(wanted, " or "));
    return hinges(Kind::capability, decorator, "there is enough memory");
  }
  if (symbol == nullptr) return passes(Kind::decorator, decorator);
  return passes(further_need(*symbol).value_or(Kind::decorator), decorator, symbol->need.library);
}

std::vector<Reason> by_symbol(const Decorator& decorator, const Symbol& symbol, const Uses& uses,
                              const Machine& machine) {
  switch (symbol.meaning) {
    case Meaning::restricts_variants:
      return by_restriction(decorator, symbol, uses, machine);
    case Meaning::skips_variants:
      return by_left_out_device(decorator, symbol, uses, machine);
    case Meaning::requires_device:
    case Meaning::requires_accelerator:
      return by_need(decorator, symbol, machine);
    default:
      return by_unknown_check(decorator, &symbol, uses, machine);
  }
}

}  // namespace

std::vector<Reason> skips_by(const Decorator& decorator, const Uses& uses, const Machine& machine) {
  Uses inside = uses_inside(decorator, uses);
  std::string_view word = last_word(decorator.symbol);
  if (is_always_skipped(decorator)) return prevented(Kind::always, decorator, "it is always skipped");
  if (skips_when(word) || skips_unless(word)) {
    std::vector<std::string> devices = literal_devices(inside);
    bool of_device_type = starts_with(decorator.symbol, "torch.testing._internal.common_device_type.") ||
                          has_word(decorator.text, "device_type");
    if (of_device_type && !devices.empty() && !machine.has_any(devices)) return {};
    return by_condition(decorator, inside, machine, skips_unless(word));
  }
  if (const Use* guard = own_guard(decorator, inside)) return by_own_guard(decorator, *guard, machine);
  const Symbol* symbol = machine.vocabulary.find(decorator.symbol);
  if (symbol == nullptr) return by_unknown_check(decorator, nullptr, inside, machine);
  return by_symbol(decorator, *symbol, inside, machine);
}

std::vector<Reason> skips_by(const Use& guard, const Machine& machine) {
  const Symbol* symbol = machine.vocabulary.find(guard.symbol);
  Kind kind = symbol == nullptr ? Kind::guard : further_need(*symbol).value_or(Kind::guard);
  Truth present = symbol == nullptr ? Truth::unknown : presence(*symbol, guard.symbol, machine);
  bool requires_it = guard.polarity == Polarity::requires_;
  Truth skips = requires_it ? negated(present) : present;
  if (skips == Truth::no) return {};
  std::string name = short_name(guard.symbol);
  bool certain = skips == Truth::yes && !guard.conjoined && !guard.in_device_branch;
  if (!certain) return {{kind, Effect::condition, guard.line, name, "it gets past the guard " + name, ""}};
  std::string what =
      requires_it ? lacking(*symbol, kind, "", machine) : "it ends early where there is " + owner_of(*symbol);
  return {{kind, Effect::prevents, guard.line, name, what + ", says the guard " + name, ""}};
}

}  // namespace hwsift::classifier
