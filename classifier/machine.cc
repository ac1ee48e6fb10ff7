#include "classifier/machine.h"

#include <algorithm>

namespace hwsift::classifier {

bool Machine::is_privateuse1() const {
  const DeviceType* type = vocabulary.device(device);
  return type == nullptr || type->privateuse1;
}

bool Machine::has(const std::string& type) const {
  if (type == device || (type == "privateuse1" && is_privateuse1())) return true;
  const DeviceType* asked = vocabulary.device(type);
  return device == "privateuse1" && asked != nullptr && asked->privateuse1;
}

bool Machine::has_any(const std::vector<std::string>& types) const {
  return std::any_of(types.begin(), types.end(), [&](const std::string& type) { return has(type); });
}

bool Machine::is_accelerator() const {
  const DeviceType* type = vocabulary.device(device);
  return type == nullptr || type->accelerator;
}

bool Machine::runs_on_cpu() const {
  const DeviceType* type = vocabulary.device(device);
  return device == "cpu" || (type != nullptr && type->instantiated == Instantiated::lazy);
}

std::optional<bool> Machine::has_count(long wanted) const {
  if (!count || !is_accelerator()) return std::nullopt;
  return *count >= wanted;
}

}  // namespace hwsift::classifier
