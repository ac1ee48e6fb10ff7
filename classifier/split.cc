#include "classifier/split.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"

namespace hwsift::classifier {
namespace {

using Key = std::pair<Category::Kind, std::string>;

Key key_of(const Category& category) { return {category.kind, category.device}; }

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

// The endings that say a part's category already.
std::vector<std::string> endings_of(const Category& category) {
  if (category.kind == Category::Kind::device_generic) return {"DeviceType", "Device"};
  if (category.kind == Category::Kind::device) return {category.name()};
  return {};
}

// TestMatmulCuda bears CUDA too.
bool bears(const std::string& class_name, const std::string& ending) {
  return class_name.size() > ending.size() && ascii_upper(class_name).ends_with(ascii_upper(ending));
}

// "TestX" of "TestXDeviceType", where some part has that ending for its own.
std::string stem_of(const std::string& class_name, const std::map<Key, SplitPart>& parts) {
  for (const auto& [key, part] : parts)
    for (const std::string& ending : endings_of(part.category))
      if (bears(class_name, ending)) return class_name.substr(0, class_name.size() - ending.size());
  return class_name;
}

std::string part_name(const std::string& class_name, const std::string& stem, const Category& category) {
  for (const std::string& ending : endings_of(category))
    if (bears(class_name, ending)) return class_name;
  return stem + suffix_of(category);
}

void give_helpers(const std::vector<SplitTest>& tests, std::map<Key, SplitPart>& parts) {
  std::map<std::string, std::vector<Key>> users;  // of a helper: the parts that run it
  for (const SplitTest& test : tests)
    for (const std::string& helper : test.helpers) {
      std::vector<Key>& keys = users[helper];
      if (std::find(keys.begin(), keys.end(), key_of(test.category)) == keys.end())
        keys.push_back(key_of(test.category));
    }
  for (const auto& [helper, keys] : users)
    if (keys.size() == 1) parts[keys.front()].helpers.push_back(helper);
}

}  // namespace

std::vector<SplitPart> propose_split(const std::string& class_name, const std::vector<SplitTest>& tests,
                                     const std::function<bool(const std::string&)>& is_taken) {
  std::map<Key, SplitPart> parts;
  for (const SplitTest& test : tests) {
    SplitPart& part = parts[key_of(test.category)];
    part.category = test.category;
    part.methods.push_back(test.name);
  }
  give_helpers(tests, parts);
  std::string stem = stem_of(class_name, parts);
  std::vector<SplitPart> split;
  for (auto& [key, part] : parts) {
    part.name = part_name(class_name, stem, part.category);
    part.joins = part.name != class_name && is_taken(part.name);
    split.push_back(std::move(part));
  }
  return split;
}

}  // namespace hwsift::classifier
