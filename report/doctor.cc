#include "report/doctor.h"

#include <fmt/format.h>

#include "base/json.h"
#include "base/text.h"

namespace hwsift::report {
namespace {

std::string version_of(const Diagnosis& diagnosis, const std::string& name) {
  auto found = diagnosis.versions.find(name);
  return found == diagnosis.versions.end() ? "" : found->second;
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json device_json(const runner::Device& device) {
  Json json = {{"type", device.type}, {"name", device.name}, {"count", device.count}, {"via", device.via}};
  if (device.memory > 0) json["memory"] = device.memory;
  return json;
}

std::string gibibytes(long long bytes) {
  return bytes > 0 ? fmt::format(", {:.0f} GiB", static_cast<double>(bytes) / 1073741824.0) : "";
}

// As `--device auto` takes it.
std::string device_of_a_run(const Diagnosis& diagnosis) {
  for (const runner::Device& device : diagnosis.devices)
    if (device.via == "torch") return device.type;
  return "cpu";
}

std::string database_text(const DatabaseState& database, const Style& style) {
  if (database.file.empty()) return "none (no tree here)";
  if (!database.problem.empty())
    return printable(database.file) + "  " + style.red(printable(database.problem));
  if (!database.exists) return printable(database.file) + " (the first run makes it)";
  return fmt::format("{} ({} runs, {} points of history, {} items)", printable(database.file), database.runs,
                     database.points, database.items);
}

double megabytes(long long bytes) { return static_cast<double>(bytes) / 1e6; }

std::string cache_text(const CacheDiagnosis& cache, const Style& style) {
  if (cache.file.empty()) return "none (set HOME, XDG_CACHE_HOME or HWSIFT_CACHE_DIR)";
  std::string text = printable(cache.file);
  if (!cache.state.problem.empty()) return text + "  " + style.red(printable(cache.state.problem));
  if (!cache.state.exists) return text + " (the first scan makes it)";
  const store::CacheState& state = cache.state;
  return text + fmt::format(
                    " ({:.1f} MB of at most {:.0f}, facts of {} contents, {} of them by this hwsift and "
                    "these rules{})",
                    megabytes(state.bytes), megabytes(store::kMostCacheBytes), state.contents, state.usable,
                    state.read_only ? "; read-only: nothing is added" : "");
}

}  // namespace

std::string doctor_json(const Diagnosis& diagnosis) {
  Json document = {{"schema", "hwsift.doctor/1"}};
  Json devices = Json::array();
  for (const runner::Device& device : diagnosis.devices) devices.push_back(device_json(device));
  document["devices"] = std::move(devices);
  document["python"] = {{"path", or_null(diagnosis.python)},
                        {"found_by", or_null(diagnosis.python_how)},
                        {"executable", or_null(version_of(diagnosis, "executable"))},
                        {"version", or_null(version_of(diagnosis, "python"))},
                        {"pytest", or_null(version_of(diagnosis, "pytest"))},
                        {"plugins", diagnosis.plugins},
                        {"problem", or_null(diagnosis.python_problem)}};
  document["torch"] = {{"version", or_null(version_of(diagnosis, "torch"))},
                       {"cuda", or_null(version_of(diagnosis, "cuda"))},
                       {"hip", or_null(version_of(diagnosis, "hip"))}};
  document["variables"] = diagnosis.variables;
  const DatabaseState& database = diagnosis.database;
  document["database"] = {{"file", or_null(database.file)}, {"exists", database.exists},
                          {"runs", database.runs},          {"history_points", database.points},
                          {"items", database.items},        {"problem", or_null(database.problem)}};
  const store::CacheState& cache = diagnosis.cache.state;
  document["cache"] = {{"file", or_null(diagnosis.cache.file)},
                       {"exists", cache.exists},
                       {"read_only", cache.read_only},
                       {"bytes", cache.bytes},
                       {"most_bytes", store::kMostCacheBytes},
                       {"contents", cache.contents},
                       {"usable", cache.usable},
                       {"problem", or_null(cache.problem)}};
  return dump_json(document, 1) + "\n";
}

std::string doctor_text(const Diagnosis& diagnosis, const Style& style) {
  std::string text = style.bold("Devices") + "\n";
  for (const runner::Device& device : diagnosis.devices)
    text += fmt::format("  {:<8} {} x {}{}  {}\n", printable(device.type), device.count,
                        device.name.empty() ? "(no name)" : printable(device.name), gibibytes(device.memory),
                        style.dim("via " + device.via));
  text += style.bold("Python") + "\n";
  if (!diagnosis.python.empty())
    text += fmt::format("  {} ({})\n", printable(diagnosis.python), diagnosis.python_how);
  for (const char* name : {"python", "torch", "cuda", "hip", "pytest"})
    if (std::string version = version_of(diagnosis, name); !version.empty())
      text += fmt::format("  {:<8} {}\n", name, printable(version));
  if (!diagnosis.plugins.empty())
    text += fmt::format("  {:<8} {}\n", "plugins", printable(join(diagnosis.plugins, ", ")));
  if (!diagnosis.python_problem.empty()) text += "  " + style.red(printable(diagnosis.python_problem)) + "\n";
  for (const auto& [name, value] : diagnosis.variables)
    text += fmt::format("  {}={}\n", name, printable(value));
  text += style.bold("Database") + "\n  " + database_text(diagnosis.database, style) + "\n";
  text += style.bold("Cache") + "\n  " + cache_text(diagnosis.cache, style) + "\n";
  if (diagnosis.python_problem.empty())
    text += fmt::format("`hwsift run{}` here runs the tests for {}.\n",
                        diagnosis.python_how == "--python" ? " --python " + printable(diagnosis.python) : "",
                        printable(device_of_a_run(diagnosis)));
  return text;
}

}  // namespace hwsift::report
