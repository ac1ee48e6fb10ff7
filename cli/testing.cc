#include "cli/testing.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace hwsift::cli {
namespace {

std::string types_of(const std::vector<runner::Device>& devices) {
  std::vector<std::string> types{"cpu"};
  for (const runner::Device& device : devices) types.push_back(device.type);
  return join(types, ", ");
}

}  // namespace

int python_fault(const runner::Interpreter& interpreter) { return interpreter.named ? kUsage : kEnvironment; }

int find_python(Context& context, Processes& processes, const std::string& named,
                const runner::Surroundings& surroundings, runner::Interpreter& interpreter) {
  Stage stage(context.stopwatch, "find python");
  Result<runner::Interpreter> found = runner::find_interpreter(processes, named, surroundings);
  if (!found.ok()) {
    if (found.error().what == kInterruptedWait) return kInterrupted;
    print_error(context, found.error());
    return named.empty() && surroundings.python.empty() ? kEnvironment : kUsage;
  }
  interpreter = *found;
  print_note(context, "Python: " + printable(interpreter.path) + " (from " + interpreter.how + ")");
  return kClean;
}

void add_python_option(CLI::App& app, std::string& python) {
  app.add_option("--python", python,
                 "interpreter (default: HWSIFT_PYTHON, else the first on PATH that has torch)")
      ->type_name("FILE");
}

int device_type_of(Context& context, const std::string& asked, std::string& device) {
  if (asked.empty() || !std::all_of(asked.begin(), asked.end(), is_word_char)) {
    print_error(context,
                {"--device '" + asked + "'", "no device type", "name the device type, without an index"});
    return kUsage;
  }
  device = ascii_lower(asked);
  if (device != "rocm" && device != "hip") return kClean;
  device = "cuda";
  print_note(context, "ROCm runs as device type cuda");
  return kClean;
}

int check_torch(Context& context, const runner::Interpreter& interpreter,
                const Result<runner::Introduction>& told) {
  if (!told.ok() && told.error().what == kInterruptedWait) return kInterrupted;
  if (!told.ok()) return print_error(context, told.error()), python_fault(interpreter);
  if (told->versions.count("torch") == 0) {
    print_error(context, {interpreter.path, "this Python has no torch",
                          "name another one with --python FILE, or install PyTorch"});
    return python_fault(interpreter);
  }
  if (told->problem.empty()) return kClean;
  print_error(context,
              {interpreter.path, "torch cannot be imported: " + told->problem, "repair the installation"});
  return kEnvironment;
}

int choose_device(Context& context, const runner::Introduction& told, const std::string& asked,
                  std::string& device, std::optional<int>& count) {
  device = asked;
  count = std::nullopt;
  if (device == "auto") {
    device = told.devices.empty() ? "cpu" : told.devices.front().type;
    print_note(context, "Device: " + printable(device) +
                            (told.devices.empty() ? " (PyTorch sees no accelerator)" : ""));
  }
  if (device == "cpu") return kClean;
  for (const runner::Device& there : told.devices)
    if (there.type == device) return count = there.count, kClean;
  print_error(
      context,
      {"--device " + asked, "PyTorch sees no such device on this machine",
       "there is: " + types_of(told.devices) +
           "; 'hwsift doctor' tells what it sees; a backend outside of PyTorch comes through PYTHONPATH"});
  return kEnvironment;
}

int device_of_this_machine(Context& context, const std::string& python, std::string& device,
                           std::optional<int>& count) {
  std::unique_ptr<Processes> processes = real_processes();
  runner::Surroundings surroundings = runner::real_surroundings();
  runner::Interpreter interpreter;
  if (int bad = find_python(context, *processes, python, surroundings, interpreter)) return bad;
  Stage stage(context.stopwatch, "probe");
  Result<runner::Introduction> told =
      runner::ask_devices(*processes, interpreter.path, surroundings.python_path);
  if (int bad = check_torch(context, interpreter, told)) return bad;
  return choose_device(context, *told, "auto", device, count);
}

void note_unknown_device(const Context& context, const classifier::Vocabulary& vocabulary,
                         const std::string& device) {
  if (vocabulary.device(device) != nullptr) return;
  std::vector<std::string> known;
  for (const classifier::DeviceType& type : vocabulary.devices) known.push_back(type.name);
  std::optional<std::string> near = closest(device, known);
  print_note(context, printable(device) +
                          " is no device that the rules know: taken as a PrivateUse1 backend" +
                          (near ? " (did you mean '" + *near + "'?)" : ""));
}

Result<double> parse_duration(const std::string& option, const std::string& text) {
  Error wrong{option + " " + text, "not a duration",
              "write seconds, or a number with s, m or h: 90, 90s, 1.5m"};
  double number = 0;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit(end, text.data() + text.size());
  double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (failure != std::errc() || factor == 0 || !std::isfinite(number) || number <= 0) return wrong;
  return number * factor;
}

}  // namespace hwsift::cli
