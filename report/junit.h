// A run as JUnit XML: one testsuite a file, one testcase a result.
#pragma once

#include <string>
#include <string_view>

#include "runner/result.h"

namespace hwsift::report {

std::string run_junit(const runner::RunRecord& record);
// "test/nn/test_x.py" is the module test.nn.test_x.
std::string junit_module(std::string path);
// Text that XML 1.0 can hold: valid UTF-8, and characters that it forbids written as \xNN or U+FFFD.
std::string xml_safe(std::string_view text);

}  // namespace hwsift::report
