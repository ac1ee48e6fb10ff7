// Who may use which device: each worker sees its own through the vendor's visibility variable, within what
// the caller lets this run see.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hwsift::runner {

// How the devices of a run are shared out.
struct DeviceShare {
  std::string variable;              // CUDA_VISIBLE_DEVICES; "" where workers cannot be kept apart
  std::vector<std::string> devices;  // as that variable names them: {"2", "3"}
  int per_device = 1;                // workers at a time on each
};

// The devices that `value`, the variable as the caller set it (nullopt where it is not set), leaves of
// `count`: the names in it where there are as many, else 0, 1, ...
std::vector<std::string> visible_devices(const std::optional<std::string>& value, int count);

struct Slot {
  int worker = 0;       // from 0, unique among those that run
  std::string visible;  // what the variable is set to, "" to leave it as it is
  int device = -1;      // index into DeviceShare::devices; -1 for all of them
};

class Slots {
 public:
  Slots(int workers, DeviceShare share);

  // A place for one more process; `all_devices` asks for every device, and waits until nobody has one.
  std::optional<Slot> take(bool all_devices);
  void give_back(const Slot& slot);
  const std::string& variable() const { return share_.variable; }

 private:
  bool keeps_apart() const { return !share_.variable.empty() && share_.devices.size() > 1; }
  int free_worker() const;

  DeviceShare share_;
  std::vector<bool> workers_;  // that are taken
  std::vector<int> users_;     // of each device
  bool all_taken_ = false;
};

}  // namespace hwsift::runner
