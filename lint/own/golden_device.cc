// An expected text names a device, so that it can be right on that one alone.
#include <algorithm>

#include "lint/own/own_rules.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {

void check_golden_device(Report& report, const FileView& view) {
  for (const analyzer::GoldenText& golden : view.file().golden_texts) {
    const DeviceTest* test = view.tests.at(golden.class_index, golden.method_index);
    if (test == nullptr || golden.in_device_branch || !test->is_open()) continue;
    report.at_code(rule::golden_device, *test->cls, *test->method, {golden.line, golden.col, 1},
                   "the text that " + golden.callee + " expects names " + golden.device + ", but " +
                       test->method->name + " is handed any device",
                   "take the device out of the text before it is compared, or expect one text a device");
  }
}

}  // namespace hwsift::lint
