#include "classifier/split.h"

#include <map>
#include <utility>

namespace hwsift::classifier {
namespace {

std::string suffix_of(const Category& category) {
  switch (category.kind) {
    case Category::Kind::generic:
      return "";
    case Category::Kind::device_generic:
      return "Device";
    case Category::Kind::device:
      return category.name();
  }
  return "";
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string part_name(const std::string& class_name, const Category& category) {
  std::string suffix = suffix_of(category);
  return ends_with(class_name, suffix) ? class_name : class_name + suffix;
}

}  // namespace

std::vector<SplitPart> propose_split(const std::string& class_name,
                                     const std::vector<MethodVerdict>& methods) {
  std::map<std::pair<Category::Kind, std::string>, SplitPart> parts;
  for (const MethodVerdict& method : methods) {
    SplitPart& part = parts[{method.category.kind, method.category.device}];
    part.name = part_name(class_name, method.category);
    part.category = method.category;
    part.methods.push_back(method.name);
  }
  std::vector<SplitPart> split;
  for (auto& [key, part] : parts) split.push_back(std::move(part));
  return split;
}

}  // namespace hwsift::classifier
