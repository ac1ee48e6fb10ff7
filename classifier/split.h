// The parts that a mixed class is to be split into, named as upstream names them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "classifier/classify.h"

namespace hwsift::classifier {

// A test of the class, and the class's own helper methods that it runs.
struct SplitTest {
  std::string name;
  Category category;
  std::vector<std::string> helpers;
};

// One part a category, GENERIC first, then DEVICE_GENERIC, then devices by name: TestX, TestXDevice,
// TestXCUDA. A class that bears such an ending keeps its name for that part. A helper goes with the tests
// that run it where they are of one part; what several parts run is left to be shared. `is_taken` tells names
// that the file has already: the tests of that part join that class.
std::vector<SplitPart> propose_split(const std::string& class_name, const std::vector<SplitTest>& tests,
                                     const std::function<bool(const std::string&)>& is_taken);

}  // namespace hwsift::classifier
