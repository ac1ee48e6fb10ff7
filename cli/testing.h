// Interpreters, devices and durations, as the commands that have to do with tests take them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/process.h"
#include "cli/command.h"
#include "runner/interpreter.h"

namespace hwsift::cli {

// The interpreter to use, said on stderr. A fault of one that the user named is usage, a machine without one
// is not.
int find_python(Context& context, Processes& processes, const std::string& named,
                const runner::Surroundings& surroundings, runner::Interpreter& interpreter);
int python_fault(const runner::Interpreter& interpreter);

// --python, for commands that may ask one.
void add_python_option(CLI::App& app, std::string& python);

// The device type that --device names: in lower case, ROCm as cuda. Refuses what can be no device type.
int device_type_of(Context& context, const std::string& asked, std::string& device);

// What torch and its devices are in this Python, as it said itself; an exit code where it has none that
// works.
int check_torch(Context& context, const runner::Interpreter& interpreter,
                const Result<runner::Introduction>& told);

// Of a device type as above: cpu as it is; auto is the accelerator that PyTorch sees, else cpu; any other
// name must be there. `count` is how many of them PyTorch sees, nullopt of a CPU.
int choose_device(Context& context, const runner::Introduction& told, const std::string& asked,
                  std::string& device, std::optional<int>& count);

// What --device auto stands for: asks the first Python that has torch, as `run` does.
int device_of_this_machine(Context& context, const std::string& python, std::string& device,
                           std::optional<int>& count);

// A device that the rules do not know may be a slip.
void note_unknown_device(const Context& context, const classifier::Vocabulary& vocabulary,
                         const std::string& device);

// "10", "10s", "1.5m", "2h" in seconds; an Error names the option.
Result<double> parse_duration(const std::string& option, const std::string& text);

}  // namespace hwsift::cli
