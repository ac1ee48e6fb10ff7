#include "runner/slots.h"

#include <algorithm>

#include "base/text.h"

namespace hwsift::runner {

std::vector<std::string> visible_devices(const std::optional<std::string>& value, int count) {
  std::vector<std::string> names;
  if (value)
    for (const std::string& name : split(*value, ','))
      if (!trim(name).empty()) names.emplace_back(trim(name));
  if (static_cast<int>(names.size()) == count) return names;
  names.clear();
  for (int i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

Slots::Slots(int workers, DeviceShare share)
    : share_(std::move(share)),
      workers_(static_cast<std::size_t>(std::max(1, workers)), false),
      users_(share_.devices.size(), 0) {}

int Slots::free_worker() const {
  auto place = std::find(workers_.begin(), workers_.end(), false);
  return place == workers_.end() ? -1 : static_cast<int>(place - workers_.begin());
}

std::optional<Slot> Slots::take(bool all_devices) {
  int worker = free_worker();
  if (worker < 0 || all_taken_) return std::nullopt;
  Slot slot{worker, "", -1};
  if (keeps_apart() && all_devices) {
    if (std::any_of(users_.begin(), users_.end(), [](int users) { return users > 0; })) return std::nullopt;
    all_taken_ = true;
  } else if (keeps_apart()) {
    auto least = std::min_element(users_.begin(), users_.end());
    if (*least >= share_.per_device) return std::nullopt;
    ++*least;
    slot.device = static_cast<int>(least - users_.begin());
    slot.visible = share_.devices[static_cast<std::size_t>(slot.device)];
  }
  workers_[static_cast<std::size_t>(worker)] = true;
  return slot;
}

void Slots::give_back(const Slot& slot) {
  workers_[static_cast<std::size_t>(slot.worker)] = false;
  if (slot.device >= 0)
    --users_[static_cast<std::size_t>(slot.device)];
  else
    all_taken_ = false;
}

}  // namespace hwsift::runner
