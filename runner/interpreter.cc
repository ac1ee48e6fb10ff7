#include "runner/interpreter.h"

#include <algorithm>
#include <set>

#include "base/disk.h"
#include "base/environment.h"
#include "base/json.h"
#include "base/text.h"
#include "embedded/hwsift_probe.h"

namespace hwsift::runner {
namespace {

constexpr long long kMostDevices = 4096;
constexpr double kFindSeconds = 30;
constexpr double kDevicesSeconds = 180;  // the first import of torch on a cold disk, a driver that wakes up

// Tests run in another folder than ours.
std::string absolute_entries(const std::string& python_path) {
  if (python_path.empty()) return "";
  std::vector<std::string> entries = split(python_path, ':');
  for (std::string& entry : entries) entry = absolute_path(entry.empty() ? "." : entry);
  return join(entries, ":");
}

ProcessSpec probe(const std::string& python, const std::string& what, const std::string& python_path) {
  ProcessSpec spec;
  spec.command = {python, "-c", std::string(embedded::hwsift_probe()), what};
  spec.folder = "/";  // `python -c` imports from its working folder first, and a source tree holds a torch/
  spec.channel_variable = "HWSIFT_CHANNEL";
  if (!python_path.empty()) spec.variables = {{"PYTHONPATH", python_path}};
  return spec;
}

std::string text_in(const Json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

long long number_in(const Json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<long long>() : 0;
}

Introduction introduction_in(const Json& answer) {
  Introduction introduction;
  for (const char* key : {"executable", "python", "torch", "pytest", "hip", "cuda"})
    if (std::string value = text_in(answer, key); !value.empty()) introduction.versions[key] = value;
  introduction.problem = text_in(answer, "problem");
  if (auto plugins = answer.find("plugins"); plugins != answer.end() && plugins->is_array())
    for (const Json& plugin : *plugins)
      if (plugin.is_string()) introduction.plugins.push_back(plugin.get<std::string>());
  auto devices = answer.find("devices");
  if (devices == answer.end() || !devices->is_array()) return introduction;
  for (const Json& device : *devices) {
    // What a backend tells may be anything.
    long long count = std::min(number_in(device, "count"), kMostDevices);
    if (count < 1) continue;
    introduction.devices.push_back({text_in(device, "type"), text_in(device, "name"), static_cast<int>(count),
                                    number_in(device, "memory"), "torch"});
  }
  return introduction;
}

std::string last_words(const std::string& output) {
  std::string text(trim(output));
  return text.substr(text.rfind('\n') + 1);
}

Result<Introduction> ask(Processes& processes, const std::string& python, const std::string& what,
                         const std::string& python_path, double seconds) {
  Result<Finished> finished = run_to_end(processes, probe(python, what, python_path), seconds);
  if (!finished.ok()) return finished.error();
  return read_introduction(python, finished->ending, finished->output,
                           finished->lines.empty() ? "" : finished->lines.front());
}

std::string as_path(const std::string& named, const std::string& path_variable) {
  if (named.find('/') != std::string::npos) return absolute_path(named);
  return find_program(named, path_variable);
}

Result<Interpreter> named_one(const std::string& named, const std::string& how,
                              const std::string& path_variable) {
  std::string path = as_path(named, path_variable);
  if (path.empty())
    return Error{how + " " + named, "not found on PATH", "name the file of a Python interpreter"};
  Result<FileInfo> info = real_disk().info(path);
  if (!info.ok()) return Error{how + " " + named, "no such file", "name the file of a Python interpreter"};
  if (info->kind != FileInfo::Kind::file)
    return Error{how + " " + named, "no file", "name the file of a Python interpreter"};
  return Interpreter{path, how, true};
}

std::vector<std::string> candidates(const std::string& path_variable) {
  std::vector<std::string> found;
  std::set<std::string> seen;
  for (const std::string& folder : split(path_variable, ':')) {
    if (folder.empty()) continue;
    for (const char* name : {"python3", "python"}) {
      std::string path = find_program(name, folder);
      if (!path.empty() && seen.insert(path).second) found.push_back(absolute_path(path));
    }
  }
  return found;
}

}  // namespace

Surroundings real_surroundings() {
  auto variable = [](const char* name) { return environment_variable(name).value_or(""); };
  return {variable("HWSIFT_PYTHON"), variable("PATH"), absolute_entries(variable("PYTHONPATH"))};
}

Result<Introduction> read_introduction(const std::string& python, const Ending& ending,
                                       const std::string& output, const std::string& line) {
  Json answer = Json::parse(line, nullptr, false);
  if (answer.is_object()) return introduction_in(answer);
  std::string said = last_words(output);
  if (ending.signal != 0) {  // a driver or backend, not the choice of the interpreter
    Introduction died;
    died.versions["torch"] = "unknown";
    died.problem = "the process died of " + ending.text() + (said.empty() ? "" : ": " + said);
    return died;
  }
  return Error{python,
               "did not answer as a Python 3 does: " + ending.text() + (said.empty() ? "" : ", " + said),
               "name the interpreter with --python FILE"};
}

Result<Introduction> ask_packages(Processes& processes, const std::string& python,
                                  const std::string& python_path) {
  return ask(processes, python, "find", python_path, kFindSeconds);
}

Result<Introduction> ask_devices(Processes& processes, const std::string& python,
                                 const std::string& python_path) {
  return ask(processes, python, "devices", python_path, kDevicesSeconds);
}

Result<Interpreter> find_interpreter(Processes& processes, const std::string& named,
                                     const Surroundings& surroundings) {
  if (!named.empty()) return named_one(named, "--python", surroundings.path);
  if (!surroundings.python.empty()) return named_one(surroundings.python, "HWSIFT_PYTHON", surroundings.path);
  std::vector<std::string> tried;
  for (const std::string& path : candidates(surroundings.path)) {
    Result<Introduction> introduction = ask_packages(processes, path, surroundings.python_path);
    if (!introduction.ok() && introduction.error().what == kInterruptedWait) return introduction.error();
    if (introduction.ok() && introduction->complete()) return Interpreter{path, "PATH", false};
    tried.push_back(path);
  }
  std::string where = tried.empty() ? "no python3 on PATH" : "none of " + join(tried, ", ") + " has both";
  return Error{"python", "no Python with torch and pytest: " + where,
               "install them, or name an interpreter with --python FILE or HWSIFT_PYTHON"};
}

}  // namespace hwsift::runner
