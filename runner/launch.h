// How the processes of a run are started.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/process.h"
#include "runner/slots.h"

namespace hwsift::runner {

enum class Mode {
  pytest,  // python -m pytest FILE
  main,    // python FILE: its main guard runs, as in PyTorch's own CI
};

struct Launch {
  std::string root;                   // the tree, absolute
  std::string python;                 // started as it is given
  std::vector<std::string> launcher;  // a command in front of it: numactl, taskset
  std::string plugin_folder;          // holds hwsift_pytest.py
  std::string python_path;            // PYTHONPATH of the caller with absolute entries, "" where not set
  Mode mode = Mode::pytest;
};

// A process that runs a file of the tree under the plugin, in test/.
ProcessSpec file_process(const Launch& launch, const std::string& path, const Slots& slots, const Slot& slot);

// A process that tells of the devices at once, while nobody needs it yet, and becomes that of a file by the
// line of `file_for_scout`; torch is imported once for both. Ends by itself when its channel does.
ProcessSpec scout_process(const Launch& launch);
std::string file_for_scout(const Launch& launch, const std::string& path);

// A process that says whether the device still works; `device` is a device type.
ProcessSpec health_process(const Launch& launch, const std::string& device, const Slots& slots,
                           const Slot& slot);
// What it says is wrong: "" where the device works, nullopt for no answer.
std::optional<std::string> read_health(const std::string& line);

}  // namespace hwsift::runner
