// One label cannot be right for tests of several categories.
#include <algorithm>

#include "base/text.h"
#include "lint/own/code.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using classifier::ClassVerdict;
using classifier::SplitPart;

std::string part_text(const Report& report, const SplitPart& part) {
  return part.name + " (" + report.spell(part.category) + ", " + std::to_string(part.methods.size()) +
         (part.methods.size() == 1 ? " test)" : " tests)");
}

// Tests that differ from the label in their parameters alone are what device_param is about.
bool differs_in_code(const ClassVerdict& verdict, const analyzer::FileFacts& file) {
  return std::any_of(verdict.methods.begin(), verdict.methods.end(),
                     [&](const classifier::MethodVerdict& method) {
                       bool differs = method.category != *verdict.declared;
                       return differs && std::any_of(method.evidence.begin(), method.evidence.end(),
                                                     [&](const classifier::Evidence& evidence) {
                                                       return use_of(evidence, file) != nullptr;
                                                     });
                     });
}

}  // namespace

void check_mixed_class(Report& report, const FileView& view) {
  for (const ClassVerdict& verdict : view.subject.verdicts) {
    if (!verdict.declared || !verdict.mixed || verdict.split.empty() ||
        !differs_in_code(verdict, view.file()))
      continue;
    const analyzer::Class& cls = view.file().classes[static_cast<std::size_t>(verdict.class_index)];
    std::vector<std::string> parts;
    for (const SplitPart& part : verdict.split) parts.push_back(part_text(report, part));
    Finding& finding = report.at_class(rule::mixed_class, cls,
                                       cls.name + " is labelled " + report.spell(*verdict.declared) +
                                           ", but its tests belong to different categories",
                                       "split it into " + join(parts, ", "));
    for (const classifier::MethodVerdict& method : verdict.methods)
      if (method.category != *verdict.declared)
        for (const classifier::Evidence& evidence : method.evidence)
          if (evidence.path.empty()) finding.causes.emplace_back(evidence.line, evidence.line);
  }
}

}  // namespace hwsift::lint
