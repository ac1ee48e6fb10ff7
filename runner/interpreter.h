// The Python that runs the tests, and what it says about itself.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/process.h"
#include "base/result.h"

namespace hwsift::runner {

struct Device {
  std::string type;  // "cuda"; ROCm too
  std::string name;  // of the first, "" where nothing tells it
  int count = 0;
  long long memory = 0;  // bytes of the first, 0 where nothing tells it
  std::string via;       // who says so: "torch", "system"
};

// A question to one interpreter, in a process of its own.
struct Introduction {
  std::map<std::string, std::string>
      versions;                      // executable, python, and torch and pytest where they are there
  std::vector<Device> devices;       // accelerators, the current one first
  std::vector<std::string> plugins;  // of pytest: "pytest-xdist 3.5.0"; told with the devices
  std::string problem;               // why torch could not be imported

  bool complete() const { return versions.count("torch") > 0 && versions.count("pytest") > 0; }
};

// Whether torch and pytest are there; imports neither.
Result<Introduction> ask_packages(Processes& processes, const std::string& python,
                                  const std::string& python_path);
// The same, and torch's devices; imports torch, which takes seconds.
Result<Introduction> ask_devices(Processes& processes, const std::string& python,
                                 const std::string& python_path);

// What such a process says in its one line; an Error names the interpreter.
Result<Introduction> read_introduction(const std::string& python, const Ending& ending,
                                       const std::string& output, const std::string& line);

// The variables of the environment that matter here, "" where not set.
struct Surroundings {
  std::string python;       // HWSIFT_PYTHON
  std::string path;         // PATH
  std::string python_path;  // PYTHONPATH, with absolute entries
};
Surroundings real_surroundings();

struct Interpreter {
  std::string path;
  std::string how;     // "--python", "HWSIFT_PYTHON" or "PATH"
  bool named = false;  // by the user: a fault of it is a fault of usage
};

// The named one as it is, unasked; else HWSIFT_PYTHON; else the first python3 or python on PATH that has
// torch and pytest. The error says where hwsift looked.
Result<Interpreter> find_interpreter(Processes& processes, const std::string& named,
                                     const Surroundings& surroundings);

}  // namespace hwsift::runner
