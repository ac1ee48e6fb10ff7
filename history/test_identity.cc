#include "history/test_identity.h"

#include <algorithm>

#include "base/text.h"

namespace hwsift::history {
namespace {

constexpr char kPrivateUse1[] = "privateuse1";

bool is_rocm(const std::string& device) { return device == "rocm" || device == "hip"; }

}  // namespace

TestIdParts parts_of(std::string_view id) {
  constexpr std::size_t kNone = std::string_view::npos;
  TestIdParts parts;
  std::size_t first = id.find("::");
  parts.path = id.substr(0, first);
  if (first == kNone) return parts;
  std::size_t bracket = id.find('[', first);
  if (bracket != kNone) parts.parameters = id.substr(bracket);
  std::string_view within = id.substr(first + 2, bracket == kNone ? kNone : bracket - first - 2);
  std::size_t last = within.rfind("::");
  parts.name = last == kNone ? within : within.substr(last + 2);
  if (last != kNone) parts.cls = within.substr(0, last);
  return parts;
}

DeviceNames::DeviceNames(const std::string& device, const classifier::Vocabulary& vocabulary) {
  names_ = {is_rocm(device) ? "cuda" : device};
  const classifier::DeviceType* type = vocabulary.device(names_.front());
  bool privateuse1 = type == nullptr || type->privateuse1;
  if (privateuse1 && device != kPrivateUse1) names_.emplace_back(kPrivateUse1);
  if (device == kPrivateUse1)
    for (const classifier::DeviceType& other : vocabulary.devices)
      if (other.privateuse1 && other.name != device) names_.push_back(other.name);
  for (const std::string& name : names_) suffixes_.push_back(ascii_upper(name));
}

std::string_view DeviceNames::class_without(std::string_view cls) const {
  for (const std::string& suffix : suffixes_)
    if (!suffix.empty() && cls.size() > suffix.size() && cls.ends_with(suffix))
      return cls.substr(0, cls.size() - suffix.size());
  return "";
}

std::string DeviceNames::name_without(std::string_view name, std::string_view mark) const {
  for (const std::string& device : names_) {
    if (device.empty()) continue;
    std::string word = "_" + device;
    for (std::size_t at = name.rfind(word); at != std::string_view::npos && at > 0;
         at = name.rfind(word, at - 1)) {
      std::size_t end = at + word.size();
      if (end != name.size() && name[end] != '_') continue;
      return std::string(name.substr(0, at)).append(mark).append(name.substr(end));
    }
  }
  return "";
}

std::string device_in(const TestIdParts& id, const std::vector<DeviceNames>& devices) {
  for (const DeviceNames& names : devices)
    if (!names.class_without(id.cls).empty() && !names.name_without(id.name).empty()) return names.device();
  return "";
}

std::vector<DeviceNames> all_devices(const std::string& device, const classifier::Vocabulary& vocabulary) {
  std::vector<DeviceNames> devices{DeviceNames(device, vocabulary)};
  for (const classifier::DeviceType& type : vocabulary.devices)
    if (type.name != devices.front().device()) devices.emplace_back(type.name, vocabulary);
  return devices;
}

}  // namespace hwsift::history
