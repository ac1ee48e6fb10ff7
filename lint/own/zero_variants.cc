// A call that generates nothing, or nothing for a device that it names: the tests read as green and never
// run.
#include <algorithm>

#include "base/text.h"
#include "classifier/variants.h"
#include "lint/edits.h"
#include "lint/own/own_rules.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Class;
using analyzer::DeviceFilter;
using analyzer::Instantiation;
using analyzer::Tri;
using classifier::Instantiated;
using classifier::Variant;
using classifier::Vocabulary;

bool is_literal(const DeviceFilter& filter) { return filter.state == DeviceFilter::State::literal; }

// A word in lower case that is no known device may be the name of a backend behind PrivateUse1.
bool may_be_backend(const std::string& word, const Vocabulary& vocabulary) {
  bool plain = !word.empty() && word == ascii_lower(word) && word.find_first_of(":, ") == std::string::npos;
  return plain && vocabulary.device(word) == nullptr;
}

bool names_unknown_backend(const Instantiation& call, const Vocabulary& vocabulary) {
  return std::any_of(call.only_for.values.begin(), call.only_for.values.end(),
                     [&](const std::string& word) { return may_be_backend(word, vocabulary); });
}

// Why no device gets a variant; "" where one may.
std::string nothing_left(const FileView& view, const Class& cls, const Instantiation& call) {
  const Vocabulary& vocabulary = view.subject.vocabulary;
  if (names_unknown_backend(call, vocabulary)) return "";
  std::string reason;
  for (const classifier::DeviceType& type : vocabulary.devices) {
    Variant variant = classifier::variant_of(call, cls.name, type.name, vocabulary);
    if (variant.state != Variant::State::absent) return "";
    bool named = std::find(call.only_for.values.begin(), call.only_for.values.end(), type.name) !=
                 call.only_for.values.end();
    if (reason.empty() || named) reason = variant.reason;
  }
  return reason;
}

// The flag that only_for asks for and the call does not set: "allow_xpu"; "" where none is missing.
std::string missing_flag(const Instantiation& call, const classifier::DeviceType& type) {
  bool named = is_literal(call.only_for) &&
               std::find(call.only_for.values.begin(), call.only_for.values.end(), type.name) !=
                   call.only_for.values.end();
  if (!named) return "";
  if (type.instantiated == Instantiated::allow_mps && call.allow_mps == Tri::no) return "allow_mps";
  if (type.instantiated == Instantiated::allow_xpu && call.allow_xpu == Tri::no) return "allow_xpu";
  return "";
}

void check_call(Report& report, const FileView& view, const Class& cls, const Instantiation& call) {
  std::vector<std::string> flags;
  for (const classifier::DeviceType& type : view.subject.vocabulary.devices)
    if (std::string flag = missing_flag(call, type); !flag.empty()) flags.push_back(flag);
  std::string reason = nothing_left(view, cls, call);
  if (reason.empty() && flags.empty()) return;
  std::string what = reason.empty()
                         ? "its only_for names a device whose variant is not made: " + join(flags, " and ") +
                               (flags.size() == 1 ? " is" : " are") + " missing"
                         : "no device gets a variant: " + reason;
  std::string remedy = flags.empty() ? "let only_for and except_for leave a device"
                                     : "add " + join(flags, "=True and ") + "=True";
  Finding& finding = report.at_call(rule::zero_variants, cls, call, "of " + cls.name + ", " + what, remedy);
  for (const std::string& flag : flags) add_flag(finding, Safety::safe, view.subject.text, call, flag);
}

}  // namespace

void check_zero_variants(Report& report, const FileView& view) {
  for (const Class& cls : view.file().classes)
    if (at_module_level(cls.context))
      for (const Instantiation* call : view.python.calls(cls)) check_call(report, view, cls, *call);
  for (const Instantiation* call : foreign_calls(view.subject)) {
    Class named;  // the call alone tells, whatever the class holds
    named.name = call->symbol.substr(call->symbol.rfind('.') + 1);
    check_call(report, view, named, *call);
  }
}

}  // namespace hwsift::lint
