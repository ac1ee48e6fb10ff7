// The declaration rule: what is wrong with a label, and which one to write.
#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "lint/contract.h"
#include "lint/edits.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Class;
using analyzer::Label;
using classifier::Category;
using classifier::ClassVerdict;

// Below it a person should look at the label that the tests seem to need.
constexpr double kSureEnough = 0.75;
constexpr char kMembers[] = "one of GENERIC, ACCELERATOR, CPU, CUDA, MPS, XPU";

const ClassVerdict* verdict_of(const Subject& subject, const Class& cls) {
  int index = static_cast<int>(&cls - subject.file.classes.data());
  auto found = std::lower_bound(subject.verdicts.begin(), subject.verdicts.end(), index,
                                [](const ClassVerdict& v, int i) { return v.class_index < i; });
  return found != subject.verdicts.end() && found->class_index == index ? &*found : nullptr;
}

std::string reason(const ClassVerdict& verdict) {
  if (verdict.inferred == Category::generic() && verdict.evidence.empty())
    return "nothing here needs a device";
  if (verdict.evidence.empty()) return "";
  const classifier::Evidence& first = verdict.evidence.front();
  std::string place = first.path.empty() ? "line " : first.path + ":";
  return place + std::to_string(first.line) + ": " + first.symbol + " " + first.says;
}

std::string spell(const Subject& subject, const Category& category) {
  return subject.around.traits.spelling(category);
}

std::string split_advice(const Subject& subject, const ClassVerdict& verdict) {
  std::vector<std::string> parts;
  for (const classifier::SplitPart& part : verdict.split)
    parts.push_back(part.name + " (" + spell(subject, part.category) + ")");
  return "its tests belong to different categories: split it into " + join(parts, ", ");
}

std::string to_write(const std::string& member) {
  return "hw_classification = HardwareClassification." + member;
}

// A label that a class has from a base, in its file or in another one of the tree.
struct Inherited {
  std::string text;  // as written there
  std::string from;  // "Base", "Base of test/common.py"
  std::optional<Category> category;
};

using Walked = std::set<std::pair<std::string, std::string>>;  // path and class

std::optional<Inherited> inherited_in(const Subject& subject, const analyzer::FileFacts& file,
                                      const Class& cls, Walked& walked) {
  analyzer::InheritedLabel own = analyzer::inherited_label(file, cls);
  std::string where = file.path == subject.file.path ? "" : " of " + file.path;
  if (own.from != nullptr) return Inherited{own.label->text, own.from->name + where, python_label(*own.from)};
  constexpr std::size_t kMost = 64;  // real chains are short; a made-up one must not cost time
  bool goes_on = subject.around.index != nullptr && walked.size() < kMost;
  if (!goes_on || !walked.insert({file.path, cls.name}).second) return std::nullopt;
  for (const analyzer::Base& base : cls.bases) {
    std::optional<analyzer::FoundClass> found = subject.around.index->find_class(file, base.symbol);
    if (!found) continue;
    if (const Label* label = found->cls->label())
      return Inherited{label->text, base.name + " of " + found->file->path, python_label(*found->cls)};
    if (std::optional<Inherited> above = inherited_in(subject, *found->file, *found->cls, walked))
      return above;
  }
  return std::nullopt;
}

std::optional<Inherited> inherited_from(const Subject& subject, const Class& cls) {
  Walked walked;
  return inherited_in(subject, subject.file, cls, walked);
}

// What the label demands of a class that is not wired for it yet.
std::string demands(const Subject& subject, const Class& cls, const Category& category) {
  if (category == Category::generic() || !analyzer::instantiations_of(subject.file, cls).empty()) return "";
  return "; its tests then take a device, and the class is instantiated";
}

std::string proposal(const Subject& subject, const Class& cls) {
  const ClassVerdict* verdict = verdict_of(subject, cls);
  std::optional<Inherited> inherited = inherited_from(subject, cls);
  if (inherited && inherited->category)
    return "declare " + to_write(spell(subject, *inherited->category)) + " as " + inherited->from + " does";
  if (verdict == nullptr) return "declare " + to_write("<MEMBER>") + ", " + kMembers;
  if (verdict->mixed && !verdict->split.empty()) return split_advice(subject, *verdict);
  std::string why = reason(*verdict);
  return "declare " + to_write(spell(subject, verdict->inferred)) + (why.empty() ? "" : " (" + why + ")") +
         demands(subject, cls, verdict->inferred);
}
std::string without_label(const Subject& subject, const Class& cls) {
  std::string message = cls.name + " declares no hw_classification";
  std::optional<Inherited> inherited = inherited_from(subject, cls);
  if (!inherited) return message;
  return message + " of its own; it inherits " + inherited->text + " from " + inherited->from;
}

// A string or a member in lower case says which one is meant.
std::string repair(const Subject& subject, const Class& cls, const std::string& value) {
  std::string member = ascii_upper(value);
  return classifier::category_of_member(member) ? "write " + to_write(member) : proposal(subject, cls);
}

std::string unknown_member(const Subject& subject, const Label& label) {
  const std::vector<std::string>& members = subject.around.traits.members;
  return "names no category that is known: " + label.value +
         (members.empty() ? "" : " (the tree's own enum has " + join(members, ", ") + ")");
}

std::string fault_of(const Subject& subject, const Label& label) {
  if (label.outside) return "is set after the class, where its readers do not see it";
  if (label.conditional) return "stands under a condition, so that it may be another one or none";
  bool member = label.form == Label::Form::plain || label.form == Label::Form::annotated ||
                label.form == Label::Form::other_annotation || label.form == Label::Form::alias;
  if (member && !classifier::category_of_member(label.value)) return unknown_member(subject, label);
  switch (label.form) {
    case Label::Form::absent:
      return "is not there";
    case Label::Form::text:
      return "is a text, not a member of HardwareClassification";
    case Label::Form::none:
      return "is None, which is no category";
    case Label::Form::annotation_only:
      return "is annotated and gets no value";
    case Label::Form::unknown:
      return "cannot be read without running the file: " + label.text;
    case Label::Form::alias:
      return "names the enum in a way that upstream's linter does not follow: " + label.text;
    case Label::Form::other_annotation:
      return "has an annotation that upstream's linter does not accept";
    case Label::Form::plain:
    case Label::Form::annotated:
      break;
  }
  return "names a member that the tree's own enum does not have: " + label.value + " (it has " +
         join(subject.around.traits.members, ", ") + ")";
}

std::string remedy_of(const Subject& subject, const Class& cls, const Label& label) {
  if (label.outside) return "move it into the class body";
  if (label.conditional) return "set it once, directly in the class body";
  if (label.value.empty()) return proposal(subject, cls);
  if (classifier::category_of_member(label.value) && label.form != Label::Form::text)
    return "write " + to_write(spell(subject, *classifier::category_of_member(label.value)));
  return repair(subject, cls, label.value);
}

}  // namespace

std::optional<Category> python_label(const Class& cls) {
  const Label* label = cls.label();
  if (label == nullptr || label->conditional || label->outside) return std::nullopt;
  switch (label->form) {
    case Label::Form::plain:
    case Label::Form::annotated:
    case Label::Form::other_annotation:
    case Label::Form::alias:
      return classifier::category_of_member(label->value);
    default:
      return std::nullopt;
  }
}

std::optional<Category> inferred(const Subject& subject, const Class& cls) {
  const ClassVerdict* verdict = verdict_of(subject, cls);
  return verdict == nullptr ? std::nullopt : std::optional(verdict->inferred);
}

std::optional<Category> effective_label(const Subject& subject, const Class& cls) {
  if (!cls.labels.empty() || !subject.profile.settings.inherited_label) return python_label(cls);
  std::optional<Inherited> inherited = inherited_from(subject, cls);
  return inherited ? inherited->category : std::nullopt;
}

bool is_defined(const Subject& subject, const Class& cls) {
  const std::vector<std::string>& members = subject.around.traits.members;
  const Label* label = cls.label();
  return members.empty() || label == nullptr ||
         std::find(members.begin(), members.end(), label->value) != members.end();
}

namespace {

// The checked tree's own PyTorch has no such enum yet: the import would fail until it has.
Safety safety_of_import(const Subject& subject) {
  const TreeTraits& traits = subject.around.traits;
  return traits.has_common_utils && !traits.defines_enum() ? Safety::review : Safety::safe;
}

std::string member_text(const Subject& subject, const Category& category) {
  return std::string(kEnum) + "." + spell(subject, category);
}

// The label to write where there is none: what a base says, else what the tests need.
void fix_missing(Finding& finding, const Subject& subject, const Class& cls) {
  std::optional<Inherited> inherited = inherited_from(subject, cls);
  const ClassVerdict* verdict = verdict_of(subject, cls);
  if (!inherited && (verdict == nullptr || verdict->mixed)) return;
  std::optional<Category> category = inherited ? inherited->category : std::optional(verdict->inferred);
  if (!category || subject.text.empty()) return;
  Safety safety = safety_of_import(subject);
  bool sure =
      inherited ? verdict != nullptr && verdict->inferred == *category : verdict->confidence >= kSureEnough;
  if (!sure) safety = Safety::review;
  add_to_body(finding, safety, subject.text, cls, "hw_classification = " + member_text(subject, *category));
  add_import(finding, safety, subject, kCommonUtils, kEnum);
}

// A label that says which member is meant, in the wrong form or spelling.
void fix_written(Finding& finding, const Subject& subject, const Label& label) {
  bool placed = !label.outside && !label.conditional && !label.value_span.empty();
  std::optional<Category> category = classifier::category_of_member(ascii_upper(label.value));
  if (!placed || !category || subject.text.empty()) return;
  replace(finding, safety_of_import(subject), label.value_span, member_text(subject, *category));
  add_import(finding, safety_of_import(subject), subject, kCommonUtils, kEnum);
}

}  // namespace

void report_declaration(Report& report, const Subject& subject, const Class& cls, const Label* seen) {
  if (seen == nullptr) {
    Finding& finding =
        report.at_class(rule::hw_classification, cls, without_label(subject, cls), proposal(subject, cls));
    return fix_missing(finding, subject, cls);
  }
  std::string where = seen->line > 0 ? " (line " + std::to_string(seen->line) + ") " : " ";
  Finding& finding = report.at_class(rule::hw_classification, cls,
                                     "the label of " + cls.name + where + fault_of(subject, *seen),
                                     remedy_of(subject, cls, *seen));
  fix_written(finding, subject, *seen);
}

}  // namespace hwsift::lint
