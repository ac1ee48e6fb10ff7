// A test that takes a device and never looks at it runs the same thing once a device.
#include <algorithm>

#include "lint/own/own_rules.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Method;

// Members of self that say which device it is, whoever asks for them.
bool tells_device(const std::string& member) {
  return member.find("device") != std::string::npos || member.find("gpu") != std::string::npos ||
         member == "rank" || member == "world_size";
}

bool is_harmless(const std::string& member) {
  return member.starts_with("assert") || member == "subTest" || member == "fail" || member == "skipTest" ||
         member == "addCleanup" || member == "id";
}

// A helper of the class may look at the device, or work on one; then nothing is certain.
bool reads_only_itself(const Method& method) {
  return std::all_of(method.self_reads.begin(), method.self_reads.end(), is_harmless) &&
         std::none_of(method.self_reads.begin(), method.self_reads.end(), tells_device);
}

bool has_use(const FileView& view, const DeviceTest& test) {
  return std::any_of(view.file().uses.begin(), view.file().uses.end(), [&](const analyzer::Use& use) {
    return use.class_index == test.class_index && use.method_index == test.method_index;
  });
}

// Where one variant is made nothing is tested twice, unless the label says that more are meant.
bool is_meant_for_several(const DeviceTest& test) {
  std::optional<classifier::Category> label = python_label(*test.cls);
  return test.is_open() || (label && label->kind == classifier::Category::Kind::device_generic);
}

// Parametrizers hand over samples that were made for the device: @ops, @modules, @parametrize with makers.
bool is_handed_more(const Method& method) { return method.params.size() > 2; }

}  // namespace

void check_unused_device(Report& report, const FileView& view) {
  for (const DeviceTest& test : view.tests.all()) {
    const Method& method = *test.method;
    bool uses = method.reads_device || method.is_stub || !reads_only_itself(method) || is_handed_more(method);
    if (uses || has_use(view, test) || !is_meant_for_several(test)) continue;
    report.at_method(
        rule::unused_device, *test.cls, method,
        method.name + " takes a device and never uses it, so each variant tests the same",
        "hand the device on to what is tested, or move the test to a GENERIC class without the parameter");
  }
}

}  // namespace hwsift::lint
