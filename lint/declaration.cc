// The declaration rule: what is wrong with a label, and which one to write.
#include <algorithm>

#include "base/text.h"
#include "lint/contract.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Class;
using analyzer::Label;
using classifier::Category;
using classifier::ClassVerdict;

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
  return "line " + std::to_string(first.line) + ": " + first.symbol + " " + first.says;
}

std::string split_advice(const ClassVerdict& verdict) {
  std::vector<std::string> parts;
  for (const classifier::SplitPart& part : verdict.split)
    parts.push_back(part.name + " (" + member_name(part.category) + ")");
  return "its tests belong to different categories: split it into " + join(parts, ", ");
}

std::string to_write(const std::string& member) {
  return "hw_classification = HardwareClassification." + member;
}

std::string proposal(const Subject& subject, const Class& cls) {
  const ClassVerdict* verdict = verdict_of(subject, cls);
  if (verdict == nullptr) return "declare " + to_write("<MEMBER>") + ", " + kMembers;
  if (verdict->mixed && !verdict->split.empty()) return split_advice(*verdict);
  std::string why = reason(*verdict);
  return "declare " + to_write(member_name(verdict->inferred)) + (why.empty() ? "" : " (" + why + ")");
}

std::string without_label(const Subject& subject, const Class& cls) {
  std::string message = cls.name + " declares no hw_classification";
  analyzer::InheritedLabel inherited = analyzer::inherited_label(subject.file, cls);
  if (inherited.from == nullptr) return message;
  return message + " of its own; it inherits " + inherited.label->text + " from " + inherited.from->name;
}

// A string or a member in lower case says which one is meant.
std::string repair(const Subject& subject, const Class& cls, const std::string& value) {
  std::string member = ascii_upper(value);
  return classifier::category_of_member(member) ? "write " + to_write(member) : proposal(subject, cls);
}

std::string fault_of(const Label& label) {
  if (label.outside) return "is set after the class, where its readers do not see it";
  if (label.conditional) return "stands under a condition, so that it may be another one or none";
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
  return "names no category that is known: " + label.value;
}

std::string remedy_of(const Subject& subject, const Class& cls, const Label& label) {
  if (label.outside) return "move it into the class body";
  if (label.conditional) return "set it once, directly in the class body";
  if (label.value.empty()) return proposal(subject, cls);
  if (classifier::category_of_member(label.value) && label.form != Label::Form::text)
    return "write " + to_write(label.value == "DEVICE_GENERIC" ? "ACCELERATOR" : label.value);
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

void report_declaration(Report& report, const Subject& subject, const Class& cls, const Label* seen) {
  if (seen == nullptr) {
    report.at_class(rule::hw_classification, cls, without_label(subject, cls), proposal(subject, cls));
    return;
  }
  std::string where = seen->line > 0 ? " (line " + std::to_string(seen->line) + ") " : " ";
  report.at_class(rule::hw_classification, cls, "the label of " + cls.name + where + fault_of(*seen),
                  remedy_of(subject, cls, *seen));
}

}  // namespace hwsift::lint
