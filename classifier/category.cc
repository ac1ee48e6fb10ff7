#include "classifier/category.h"

#include "base/text.h"

namespace hwsift::classifier {

std::string Category::name() const {
  switch (kind) {
    case Kind::generic:
      return "GENERIC";
    case Kind::device_generic:
      return "DEVICE_GENERIC";
    case Kind::device:
      return ascii_upper(device);
  }
  return "";
}

std::optional<Category> category_of_member(std::string_view member) {
  if (member == "GENERIC") return Category::generic();
  if (member == "ACCELERATOR" || member == "DEVICE_GENERIC") return Category::device_generic();
  if (member == "CPU" || member == "CUDA" || member == "XPU" || member == "MPS")
    return Category::of_device(ascii_lower(member));
  return std::nullopt;
}

}  // namespace hwsift::classifier
