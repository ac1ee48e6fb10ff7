// The parts that a mixed class is to be split into, named as upstream names them.
#pragma once

#include <string>
#include <vector>

#include "classifier/classify.h"

namespace hwsift::classifier {

// One part a category, GENERIC first, then DEVICE_GENERIC, then devices by name: TestX, TestXDevice,
// TestXCUDA.
std::vector<SplitPart> propose_split(const std::string& class_name,
                                     const std::vector<MethodVerdict>& methods);

}  // namespace hwsift::classifier
