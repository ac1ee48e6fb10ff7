// Uses of hardware in the code of tests that are handed a device.
#pragma once

#include <string>
#include <vector>

#include "lint/own/own_rules.h"

namespace hwsift::lint {

// A use in the body of such a test (not in its decorators or defaults), where the test itself does not ask
// first which device it has.
struct CodeUse {
  const DeviceTest* test = nullptr;
  const analyzer::Use* use = nullptr;
};
std::vector<CodeUse> unasked_uses(const FileView& view);

// The use of hardware that evidence speaks of; nullptr where it speaks of a parameter, the wiring or a name.
const analyzer::Use* use_of(const classifier::Evidence& evidence, const analyzer::FileFacts& file);

// The accelerators that a use names.
std::vector<std::string> accelerators_of(const analyzer::Use& use, const classifier::Vocabulary& vocabulary);

// Width of a use on its line, in code points.
int width_of(const analyzer::Use& use);

}  // namespace hwsift::lint
