// The hardware category of a test: GENERIC, DEVICE_GENERIC or one device (CPU, CUDA, XPU, MPS; further ones
// are data).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hwsift::classifier {

struct Category {
  enum class Kind { generic, device_generic, device };
  Kind kind = Kind::generic;
  std::string device;  // device type in lower case ("cuda") for Kind::device, else ""

  static Category generic() { return {}; }
  static Category device_generic() { return {Kind::device_generic, ""}; }
  static Category of_device(std::string device) { return {Kind::device, std::move(device)}; }

  std::string name() const;  // "GENERIC", "DEVICE_GENERIC", "CUDA": what JSON holds
  bool operator==(const Category&) const = default;
};

// Reads a member name of HardwareClassification; ACCELERATOR and DEVICE_GENERIC are the same. Upper case
// only, as the enum has it; nullopt for any other word.
std::optional<Category> category_of_member(std::string_view member);

}  // namespace hwsift::classifier
