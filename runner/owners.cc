#include "runner/owners.h"

#include <algorithm>

namespace hwsift::runner {

std::vector<std::string> names_it_extends(const std::string& name, const std::string& device) {
  std::vector<std::string> names;
  const std::string word = "_" + device + "_";
  for (std::size_t end = name.rfind('_'); end != std::string::npos && end > 0; end = name.rfind('_', end - 1))
    names.push_back(name.substr(0, end));
  std::stable_partition(names.begin(), names.end(), [&](const std::string& shorter) {
    return (name.substr(shorter.size()) + "_").find(word) != std::string::npos;
  });
  return names;
}

Owners::Owners(const Selection& selection) : device_(selection.device) {
  for (const auto& [reason, ids] : selection.not_selected)
    for (const std::string& id : ids) add(id, std::nullopt, selection.expanding.count(id) > 0);
  for (const SelectedTest& test : selection.elsewhere) add(test.id, std::nullopt, test.expands);
  for (std::size_t i = 0; i < selection.tests.size(); ++i)
    add(selection.tests[i].id, i, selection.tests[i].expands);
}

void Owners::add(const std::string& id, std::optional<std::size_t> selected, bool expands) {
  tests_[id] = {id, selected, expands};
}

const Owners::Owner* Owners::find(const std::string& real_id) const {
  std::size_t within = real_id.find("::");
  if (within == std::string::npos) return nullptr;
  std::string id = real_id.substr(0, real_id.find('[', within));
  if (auto found = tests_.find(id); found != tests_.end()) return &found->second;
  std::size_t name = id.rfind("::") + 2;
  for (const std::string& shorter : names_it_extends(id.substr(name), device_)) {
    auto found = tests_.find(id.substr(0, name) + shorter);
    if (found != tests_.end() && found->second.expands) return &found->second;
  }
  return nullptr;
}

std::optional<std::size_t> Owners::selected(const std::string& real_id) const {
  const Owner* owner = find(real_id);
  return owner == nullptr ? std::nullopt : owner->selected;
}

}  // namespace hwsift::runner
