// The label says one thing, the code another. Only evidence in the code counts: how the class is wired is the
// contract's business.
#include <algorithm>

#include "lint/own/code.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using classifier::Category;
using classifier::ClassVerdict;
using classifier::Evidence;
using Kind = Category::Kind;

// A device that is only named (assigned, listed, handed to some function) may be data, and a decorator that
// asks for a variant is about wiring: a label is not wrong for them alone.
bool is_strong(const analyzer::Use& use, const classifier::Vocabulary& vocabulary) {
  if (use.kind == analyzer::UseKind::device_literal)
    return use.role == analyzer::Role::device_argument || use.role == analyzer::Role::parametrized;
  const classifier::Symbol* symbol = vocabulary.find(use.symbol);
  return symbol == nullptr || symbol->meaning != classifier::Meaning::restricts_variants;
}

const Evidence* from_code(const ClassVerdict& verdict, const FileView& view) {
  auto found = std::find_if(verdict.evidence.begin(), verdict.evidence.end(), [&](const Evidence& evidence) {
    const analyzer::Use* use = use_of(evidence, view.file());
    return use != nullptr && is_strong(*use, view.subject.vocabulary);
  });
  return found == verdict.evidence.end() ? nullptr : &*found;
}

// GENERIC and CPU code needs no accelerator; code about one device is not about every one, nor about another.
bool disagree(const Category& label, const Category& code) {
  if (label == code || code.kind == Kind::generic) return false;
  if (label.kind == Kind::generic) return true;
  if (label.device == "cpu") return code.device != "cpu";
  return code.kind == Kind::device && code.device != "cpu";
}

}  // namespace

void check_label_mismatch(Report& report, const FileView& view) {
  for (const ClassVerdict& verdict : view.subject.verdicts) {
    bool judged = verdict.own_tests && verdict.declared && !verdict.mixed;
    if (!judged || !disagree(*verdict.declared, verdict.inferred)) continue;
    const Evidence* evidence = from_code(verdict, view);
    if (evidence == nullptr) continue;
    const analyzer::Class& cls = view.file().classes[static_cast<std::size_t>(verdict.class_index)];
    Finding& finding = report.at_class(
        rule::label_mismatch, cls,
        cls.name + " is labelled " + report.spell(*verdict.declared) + ", but line " +
            std::to_string(evidence->line) + ": " + evidence->symbol + " " + evidence->says,
        "label it " + report.spell(verdict.inferred) + ", or take the device out of its tests");
    finding.causes.emplace_back(evidence->line, evidence->line);
  }
}

}  // namespace hwsift::lint
