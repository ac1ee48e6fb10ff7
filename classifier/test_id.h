// What an id means in a file: "test/test_x.py::TestAdd::test_add" as the source has it, and
// "test/test_x.py::TestAddCUDA::test_add_cuda_float32" as pytest prints it once variants are made.
#pragma once

#include <optional>
#include <string>

#include "analyzer/facts.h"
#include "base/result.h"
#include "classifier/eligibility.h"

namespace hwsift::classifier {

struct TestId {
  std::string path;
  std::string cls;   // "Outer.Inner" for a nested one; "" where the id names a file
  std::string test;  // "" where it names a class
};
TestId parse_test_id(const std::string& text);

struct Target {
  int class_index = -1;
  std::optional<ClassTest> test;
  int function_index = -1;  // of a test outside of classes
  std::string device;       // of a name that the framework made: "cuda", else ""
  bool generated = false;   // the id is not as the source has it
};

// The error names the class or test that is not there, and the closest one that is.
Result<Target> find_target(const analyzer::FileFacts& file, const TestId& id);

}  // namespace hwsift::classifier
