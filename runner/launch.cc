#include "runner/launch.h"

#include "base/disk.h"
#include "base/json.h"
#include "embedded/hwsift_probe.h"

namespace hwsift::runner {
namespace {

// What pytest is told whoever starts it. Nothing may reorder, spread or remember tests but hwsift.
std::vector<std::string> pytest_options(const Launch& launch) {
  return {"-p",        "hwsift_pytest",
          "-p",        "no:cacheprovider",
          "-p",        "no:xdist",
          "-p",        "no:randomly",
          "-q",        "--continue-on-collection-errors",
          "--rootdir", launch.root};
}

std::string tests_folder(const Launch& launch) { return join_path(launch.root, "test"); }

std::string below_tests(const Launch& launch, const std::string& path) {
  std::string absolute = path.front() == '/' ? path : join_path(launch.root, path);
  return path_below(absolute, tests_folder(launch));
}

void append(std::vector<std::string>& command, const std::vector<std::string>& more) {
  command.insert(command.end(), more.begin(), more.end());
}

// The working folder must be test/: beside torch/ of the source tree, `import torch` would find that one.
ProcessSpec in_tests_folder(const Launch& launch) {
  ProcessSpec spec;
  spec.command = launch.launcher;
  spec.command.push_back(launch.python);
  spec.folder = tests_folder(launch);
  spec.channel_variable = "HWSIFT_CHANNEL";
  std::string paths = launch.plugin_folder;
  if (!launch.python_path.empty()) paths += ":" + launch.python_path;
  spec.variables = {{"PYTHONPATH", paths}};
  if (!launch.python_path.empty())
    spec.variables.emplace_back("HWSIFT_PYTHONPATH", launch.python_path);
  else
    spec.unset.emplace_back("HWSIFT_PYTHONPATH");
  return spec;
}

void let_see(ProcessSpec& spec, const Slots& slots, const Slot& slot) {
  if (!slot.visible.empty()) spec.variables.emplace_back(slots.variable(), slot.visible);
}

}  // namespace

ProcessSpec file_process(const Launch& launch, const std::string& path, const Slots& slots,
                         const Slot& slot) {
  ProcessSpec spec = in_tests_folder(launch);
  std::string file = below_tests(launch, path);
  if (launch.mode == Mode::main) {
    append(spec.command, {file, "--use-pytest"});
    append(spec.command, pytest_options(launch));
  } else {
    append(spec.command, {"-m", "pytest"});
    append(spec.command, pytest_options(launch));
    spec.command.push_back(file);
  }
  let_see(spec, slots, slot);
  return spec;
}

ProcessSpec scout_process(const Launch& launch) {
  ProcessSpec spec = in_tests_folder(launch);
  append(spec.command, {"-c", std::string(embedded::hwsift_probe()), "wait"});
  return spec;
}

std::string file_for_scout(const Launch& launch, const std::string& path) {
  std::vector<std::string> arguments = pytest_options(launch);
  arguments.push_back(below_tests(launch, path));
  return Json{{"arguments", arguments}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ProcessSpec health_process(const Launch& launch, const std::string& device, const Slots& slots,
                           const Slot& slot) {
  ProcessSpec spec = in_tests_folder(launch);
  append(spec.command, {"-c", std::string(embedded::hwsift_probe()), "health", device});
  let_see(spec, slots, slot);
  return spec;
}

std::optional<std::string> read_health(const std::string& line) {
  Json answer = Json::parse(line, nullptr, false);
  if (!answer.is_object() || !answer.contains("health") || !answer["health"].is_string()) return std::nullopt;
  return answer["health"].get<std::string>();
}

}  // namespace hwsift::runner
