// How instantiate_device_type_tests chooses devices (common_device_type.py,
// get_desired_device_type_test_bases):
//   1. bases: cpu, cuda, a PrivateUse1 backend, hpu; mps and xpu only with their allow flag
//   2. except_for and only_for filter these; a filter that is None, "" or [] filters nothing
//   3. lazy joins after the filter, with include_lazy
// A filter that is one str is tested by substring: "cuda" in "cuda:0,cpu".
#include "classifier/variants.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/text.h"

namespace hwsift::classifier {
namespace {

using analyzer::DeviceFilter;
using analyzer::Instantiation;
using analyzer::Tri;
using Cause = Variant::Cause;
using State = Variant::State;

// A device type, and the words of a filter that mean it.
struct Target {
  std::string device;
  Instantiated instantiated = Instantiated::always;
  std::vector<std::string> words;
};

// A name that is not in the vocabulary can only be a backend behind PrivateUse1.
Target target_of(const std::string& device, const Vocabulary& vocabulary) {
  const DeviceType* type = vocabulary.device(device);
  bool privateuse1 = type == nullptr || type->privateuse1;
  Target target{device, type == nullptr ? Instantiated::always : type->instantiated, {device}};
  if (privateuse1 && device != "privateuse1") target.words.emplace_back("privateuse1");
  return target;
}

bool filters(const DeviceFilter& filter) {
  if (filter.state == DeviceFilter::State::unknown) return true;
  if (filter.state != DeviceFilter::State::literal || filter.values.empty()) return false;
  return !(filter.single_text && filter.values.front().empty());
}

bool names(const DeviceFilter& filter, const Target& target) {
  auto means_it = [&](const std::string& value) {
    return std::any_of(target.words.begin(), target.words.end(), [&](const std::string& word) {
      return filter.single_text ? value.find(word) != std::string::npos : value == word;
    });
  };
  return std::any_of(filter.values.begin(), filter.values.end(), means_it);
}

bool is_unknown(const DeviceFilter& filter) { return filter.state == DeviceFilter::State::unknown; }

// The framework compares set(except_for) with set(only_for): of a str that is a set of characters.
std::set<std::string> as_set(const DeviceFilter& filter) {
  if (!filters(filter) || is_unknown(filter)) return {};
  if (!filter.single_text) return {filter.values.begin(), filter.values.end()};
  std::set<std::string> characters;
  for (char c : filter.values.front()) characters.insert(std::string(1, c));
  return characters;
}

bool overlap(const Instantiation& call) {
  std::set<std::string> except = as_set(call.except_for);
  std::set<std::string> only = as_set(call.only_for);
  return std::any_of(only.begin(), only.end(),
                     [&](const std::string& value) { return except.count(value) > 0; });
}

// What one condition makes of a variant; `reason` is empty for a plain yes.
struct Answer {
  State state = State::generated;
  std::string reason;
  Cause cause = Cause::none;
};

Answer from_flag(Tri flag, const std::string& name) {
  if (flag == Tri::yes) return {};
  if (flag == Tri::no) return {State::absent, name + " is missing", Cause::flag};
  return {State::unknown, name + " is not a literal", Cause::flag};
}

Answer base_answer(const Instantiation& call, const Target& target) {
  switch (target.instantiated) {
    case Instantiated::always:
      return {};
    case Instantiated::allow_mps:
      return from_flag(call.allow_mps, "allow_mps");
    case Instantiated::allow_xpu:
      return from_flag(call.allow_xpu, "allow_xpu");
    case Instantiated::lazy:
      return from_flag(call.include_lazy, "include_lazy");
    case Instantiated::never:
      return {State::absent, "the framework makes no variant for " + target.device, Cause::no_base};
  }
  return {};
}

std::string unread(const char* argument, const DeviceFilter& filter) {
  return std::string(argument) + " is not a literal: " + filter.text;
}

Answer filter_answer(const Instantiation& call, const Target& target) {
  if (overlap(call))
    return {State::absent, "except_for and only_for overlap, which the framework refuses", Cause::overlap};
  bool by_only_for = filters(call.only_for) && !is_unknown(call.only_for) && !names(call.only_for, target);
  if (by_only_for) return {State::absent, "only_for is " + join(call.only_for.values, ", "), Cause::only_for};
  if (!is_unknown(call.except_for) && filters(call.except_for) && names(call.except_for, target))
    return {State::absent, "except_for is " + join(call.except_for.values, ", "), Cause::except_for};
  if (is_unknown(call.only_for)) return {State::unknown, unread("only_for", call.only_for), Cause::only_for};
  if (is_unknown(call.except_for))
    return {State::unknown, unread("except_for", call.except_for), Cause::except_for};
  return {};
}

Answer answer_of(const Instantiation& call, const Target& target) {
  Answer base = base_answer(call, target);
  if (base.state == State::absent || target.instantiated == Instantiated::lazy) return base;
  Answer filtered = filter_answer(call, target);
  return filtered.state == State::generated ? base : filtered;
}

Variant variant_for_target(const Instantiation& call, const Target& target,
                           const std::string& template_name) {
  Answer answer = answer_of(call, target);
  return {answer.state,  target.device, template_name + ascii_upper(target.device),
          answer.reason, call.line,     answer.cause};
}

bool is_among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; });
}

// Parametrizers of the framework, of pytest and of the parameterized package, by their last word.
bool is_parametrizer(std::string_view word) {
  return is_among(word, {"ops", "modules", "optims", "dtypes", "parametrize", "reparametrize", "decorateIf",
                         "swap", "expand"}) ||
         starts_with_any(word, {"parametrize", "dtypesIf"});
}

// A bare name is a decorator that the file or a helper made; it may wrap parametrize. Names that say what
// they do to a single test are let through.
bool may_wrap_parametrizer(std::string_view symbol) {
  if (symbol.empty() || symbol.find('.') != std::string_view::npos) return false;
  return !is_among(symbol, {"property", "staticmethod", "classmethod", "given", "settings", "slowTest",
                            "serialTest"}) &&
         !starts_with_any(
             symbol, {"skip", "requires", "require", "xfail", "xpass", "expected", "only", "with", "patch",
                      "suppress", "override", "retry", "large", "tolerance", "precision", "tf32", "mark"});
}

}  // namespace

bool is_template(const analyzer::FileFacts& file, const analyzer::Class& cls) {
  return !analyzer::instantiations_of(file, cls).empty();
}

Variant variant_for(const analyzer::FileFacts& file, const analyzer::Class& cls, const std::string& device,
                    const Vocabulary& vocabulary) {
  return variant_for(analyzer::instantiations_of(file, cls), cls, device, vocabulary);
}

Variant variant_for(const std::vector<const Instantiation*>& calls, const analyzer::Class& cls,
                    const std::string& device, const Vocabulary& vocabulary) {
  Target target = target_of(device, vocabulary);
  Variant best{State::absent, device, cls.name + ascii_upper(device), "nothing instantiates " + cls.name, 0,
               Cause::no_call};
  bool first = true;
  for (const Instantiation* call : calls) {
    Variant variant = variant_for_target(*call, target, cls.name);
    if (variant.state == State::generated) return variant;
    if (first || (best.state == State::absent && variant.state == State::unknown)) best = variant;
    first = false;
  }
  return best;
}

Variant variant_of(const Instantiation& call, const std::string& template_name, const std::string& device,
                   const Vocabulary& vocabulary) {
  return variant_for_target(call, target_of(device, vocabulary), template_name);
}

Variant under(const DeviceVariables& variables, Variant variant, const Vocabulary& vocabulary) {
  if (variant.state == State::absent) return variant;
  Target target = target_of(variant.device, vocabulary);
  auto among = [&](const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return std::find(target.words.begin(), target.words.end(), name) != target.words.end();
    });
  };
  bool left_out = !variables.only_for.empty() && !among(variables.only_for);
  if (!left_out && !among(variables.except_for)) return variant;
  variant.state = State::absent;
  variant.cause = Cause::variable;
  variant.reason = left_out ? "PYTORCH_TESTING_DEVICE_ONLY_FOR is " + join(variables.only_for, ",")
                            : "PYTORCH_TESTING_DEVICE_EXCEPT_FOR is " + join(variables.except_for, ",");
  return variant;
}

bool expands(const analyzer::Method& method) {
  return std::any_of(
      method.decorators.begin(), method.decorators.end(), [](const analyzer::Decorator& decorator) {
        return is_parametrizer(last_word(decorator.symbol)) || may_wrap_parametrizer(decorator.symbol);
      });
}

}  // namespace hwsift::classifier
