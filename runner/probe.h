// The devices of this machine as the system shows them, where no PyTorch can be asked.
#pragma once

#include <vector>

#include "base/disk.h"
#include "runner/interpreter.h"

namespace hwsift::runner {

// The CPU first, then accelerators that have device nodes or entries in sysfs. A node says that a driver is
// loaded, not that PyTorch can use it.
std::vector<Device> system_devices(Disk& disk);

}  // namespace hwsift::runner
