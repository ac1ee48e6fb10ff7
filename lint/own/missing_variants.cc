// A class for every accelerator whose call leaves some out, because their flag is not set.
#include "base/text.h"
#include "classifier/variants.h"
#include "lint/edits.h"
#include "lint/own/own_rules.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Instantiation;
using analyzer::Tri;

// Flags that are not set although no filter shuts their device out.
std::vector<std::string> missing_flags(const FileView& view, const analyzer::Class& cls,
                                       const Instantiation& call) {
  std::vector<std::string> flags;
  for (const classifier::DeviceType& type : view.subject.vocabulary.devices) {
    bool xpu = type.instantiated == classifier::Instantiated::allow_xpu;
    bool mps = type.instantiated == classifier::Instantiated::allow_mps;
    if (!xpu && !mps) continue;
    Instantiation open = call;
    (xpu ? open.allow_xpu : open.allow_mps) = Tri::yes;
    bool unset = (xpu ? call.allow_xpu : call.allow_mps) == Tri::no;
    classifier::Variant variant = classifier::variant_of(open, cls.name, type.name, view.subject.vocabulary);
    if (unset && variant.state == classifier::Variant::State::generated)
      flags.emplace_back(xpu ? "allow_xpu" : "allow_mps");
  }
  return flags;
}

}  // namespace

void check_missing_variants(Report& report, const FileView& view) {
  for (const analyzer::Class& cls : view.file().classes) {
    std::optional<classifier::Category> label = python_label(cls);
    if (!label || label->kind != classifier::Category::Kind::device_generic) continue;
    for (const Instantiation* call : view.python.calls(cls)) {
      std::vector<std::string> flags = missing_flags(view, cls, *call);
      if (flags.empty()) continue;
      Finding& finding =
          report.at_call(rule::missing_variants, cls, *call,
                         cls.name + " is " + report.spell(*label) + ", but its call does not set " +
                             join(flags, " and ") + ", so that those devices get no variant",
                         "add " + join(flags, "=True and ") + "=True, or name the devices in except_for");
      for (const std::string& flag : flags) add_flag(finding, Safety::review, view.subject.text, *call, flag);
    }
  }
}

}  // namespace hwsift::lint
