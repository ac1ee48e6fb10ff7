#include "runner/probe.h"

#include <algorithm>

#include "base/text.h"
#include "base/threads.h"

namespace hwsift::runner {
namespace {

// Where a kind of device shows itself: numbered entries of a folder, of a PCI vendor where the name does not
// tell.
struct Trace {
  const char* folder;
  const char* prefix;
  const char* vendor;  // of sysfs, "" where the prefix is enough
  const char* type;    // the device type that PyTorch would use
  const char* name;
};

constexpr Trace kTraces[] = {
    {"/dev", "nvidia", "", "cuda", "NVIDIA GPU"},
    {"/sys/class/drm", "renderD", "0x1002", "cuda", "AMD GPU (ROCm)"},
    {"/sys/class/drm", "renderD", "0x8086", "xpu", "Intel GPU"},
    {"/dev/accel", "accel", "", "hpu", "accelerator (accel subsystem)"},
    {"/dev", "davinci", "", "npu", "Ascend NPU"},
};

bool is_numbered(const std::string& name, const std::string& prefix) {
  if (name.size() <= prefix.size() || name.compare(0, prefix.size(), prefix) != 0) return false;
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(prefix.size()), name.end(), is_ascii_digit);
}

bool is_of_vendor(Disk& disk, const std::string& entry, const std::string& vendor) {
  if (vendor.empty()) return true;
  Result<std::string> found = disk.read(entry + "/device/vendor", 64);
  return found.ok() && trim(*found) == vendor;
}

int count_traces(Disk& disk, const Trace& trace) {
  Result<std::vector<std::string>> names = disk.list(trace.folder);
  if (!names.ok()) return 0;
  return static_cast<int>(std::count_if(names->begin(), names->end(), [&](const std::string& name) {
    return is_numbered(name, trace.prefix) && is_of_vendor(disk, join_path(trace.folder, name), trace.vendor);
  }));
}

std::string cpu_name(Disk& disk) {
  Result<std::string> info = disk.read("/proc/cpuinfo", 16u << 20);
  if (!info.ok()) return "";
  for (const std::string& line : split(*info, '\n')) {
    std::size_t colon = line.find(':');
    if (colon != std::string::npos && trim(line.substr(0, colon)) == "model name")
      return std::string(trim(line.substr(colon + 1)));
  }
  return "";
}

}  // namespace

std::vector<Device> system_devices(Disk& disk) {
  std::vector<Device> devices{{"cpu", cpu_name(disk), usable_cores(), 0, "system"}};
  for (const Trace& trace : kTraces)
    if (int count = count_traces(disk, trace))
      devices.push_back({trace.type, trace.name, count, 0, "system"});
  return devices;
}

}  // namespace hwsift::runner
