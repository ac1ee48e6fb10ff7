// What select, run and doctor share.
#pragma once

#include <string>
#include <vector>

#include "base/process.h"
#include "cli/command.h"
#include "runner/interpreter.h"
#include "runner/selection.h"

namespace hwsift::cli {

// From facts to the tests for a device: classify, select.
runner::Selection select_tests(Context& context, const Tree& tree,
                               const std::vector<analyzer::FileFacts>& facts, const std::string& device);

// The interpreter to use, said on stderr. A fault of one that the user named is usage, a machine without one
// is not.
int find_python(Context& context, Processes& processes, const std::string& named,
                const runner::Surroundings& surroundings, runner::Interpreter& interpreter);
int python_fault(const runner::Interpreter& interpreter);

// The device type that --device names: in lower case, ROCm as cuda. Refuses what can be no device type.
int device_type_of(Context& context, const std::string& asked, std::string& device);

// Of a device type as above: cpu as it is; auto is the accelerator that PyTorch sees, else cpu; any other
// name must be there.
int resolve_device(Context& context, Processes& processes, const runner::Interpreter& interpreter,
                   const runner::Surroundings& surroundings, const std::string& asked, std::string& device);

// What --device auto stands for: asks the first Python that has torch, as `run` does.
int device_of_this_machine(Context& context, std::string& device);

// A device that the rules do not know may be a slip.
void note_unknown_device(const Context& context, const classifier::Vocabulary& vocabulary,
                         const std::string& device);

// "10", "10s", "1.5m", "2h" in seconds; an Error names the option.
Result<double> parse_duration(const std::string& option, const std::string& text);

}  // namespace hwsift::cli
