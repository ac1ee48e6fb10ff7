// Selections for the tests of plans, without a source to select from.
#pragma once

#include <string>
#include <vector>

#include "runner/plan.h"

namespace hwsift::runner {

inline SelectedTest planned_test(const std::string& path, const std::string& cls, const std::string& method) {
  SelectedTest test;
  test.path = path;
  test.cls = test.run_class = cls;
  test.method = method;
  test.id = path + "::" + (cls.empty() ? "" : cls + "::") + method;
  return test;
}

inline Selection selection_of(std::vector<SelectedTest> tests) {
  Selection selection;
  selection.device = "cpu";
  selection.tests = std::move(tests);
  for (const SelectedTest& test : selection.tests)
    if (selection.files.empty() || selection.files.back() != test.path) selection.files.push_back(test.path);
  return selection;
}

// "test/test_007.py" with so many classes of so many tests each.
inline std::string numbered_file(int number) {
  std::string digits = std::to_string(number);
  return "test/test_" + std::string(3 - digits.size(), '0') + digits + ".py";
}

inline void add_file(const std::string& path, int classes, int tests, std::vector<SelectedTest>& all) {
  for (int cls = 0; cls < classes; ++cls)
    for (int test = 0; test < tests; ++test)
      all.push_back(planned_test(path, "Test" + std::to_string(cls), "test_" + std::to_string(test)));
}

}  // namespace hwsift::runner
