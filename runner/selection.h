// The tests for a device, from static facts alone, and a reason for each test that is not among them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/classify.h"

namespace hwsift::runner {

struct SelectedTest {
  std::string id;  // pytest's: test/test_x.py::TestAddCPU::test_add_cpu
  std::string path;
  std::string cls;  // the template or plain class as the source names it; "" for a module-level function
  std::string run_class;  // the class that exists at run time: TestAddCPU
  std::string method;     // as the source names it
  classifier::Category category;
  bool expands = false;  // one source test, several real ids, all of which extend `id`
  int line = 0;
};

struct Selection {
  std::string device;                                            // device type: "cpu"
  std::vector<SelectedTest> tests;                               // by path, then in source order
  std::map<std::string, std::vector<std::string>> not_selected;  // reason to ids, in the same order
  std::vector<std::string> files;                                // that hold selected tests, sorted
};

Selection select(const std::vector<analyzer::FileFacts>& files,
                 const std::vector<std::vector<classifier::ClassVerdict>>& verdicts,
                 const classifier::Vocabulary& vocabulary, const std::string& device);

}  // namespace hwsift::runner
