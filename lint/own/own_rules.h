// hwsift's own rules: what upstream's contract does not ask. One file each, named as the rule.
#pragma once

#include <span>

#include "lint/contract.h"
#include "lint/own/device_tests.h"
#include "lint/python_view.h"

namespace hwsift::lint {

// A file with what several rules ask about it.
struct FileView {
  const Subject& subject;
  const PythonView& python;
  const DeviceTests& tests;

  const analyzer::FileFacts& file() const { return subject.file; }
};

struct OwnRule {
  const char* id;
  void (*check)(Report& report, const FileView& view);
};

// In the order in which a file's findings are reported.
std::span<const OwnRule> own_rules();

void check_label_mismatch(Report& report, const FileView& view);
void check_mixed_class(Report& report, const FileView& view);
void check_label_scope(Report& report, const FileView& view);
void check_zero_variants(Report& report, const FileView& view);
void check_missing_variants(Report& report, const FileView& view);
void check_hardcoded_device(Report& report, const FileView& view);
void check_vendor_api(Report& report, const FileView& view);
void check_device_guard(Report& report, const FileView& view);
void check_device_compare(Report& report, const FileView& view);
void check_unused_device(Report& report, const FileView& view);
void check_wrong_device(Report& report, const FileView& view);
void check_golden_device(Report& report, const FileView& view);
void check_name_trap(Report& report, const FileView& view);
void check_subclass_traps(Report& report, const FileView& view);
void check_invisible_test(Report& report, const FileView& view);

// Whether a call and a label contradict each other, so that no device is left that both mean.
bool contradicts_label(const analyzer::Instantiation& call, const classifier::Category& category);

}  // namespace hwsift::lint
