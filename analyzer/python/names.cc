#include "analyzer/python/names.h"

#include <utility>

namespace hwsift::analyzer {

std::string_view last_word(std::string_view dotted) {
  std::size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? dotted : dotted.substr(dot + 1);
}

Locals::Binding Locals::of(std::string_view name) const {
  for (auto bound = names_.rbegin(); bound != names_.rend(); ++bound)
    if (bound->first == name) return bound->second;
  return Binding::none;
}

void Names::import(const Import& import) {
  if (import.name == "*") return;
  std::string target = import.module;
  if (!import.name.empty()) target += (target.empty() || target.back() == '.' ? "" : ".") + import.name;
  // `import a.b` binds a; `import a.b as c` binds c to a.b.
  bool binds_root = import.name.empty() && import.alias == import.module.substr(0, import.module.find('.'));
  if (binds_root) target = import.alias;
  if (import.top_level) {
    bound_[import.alias] = target;
  } else {
    bound_.emplace(import.alias, target);
  }
}

void Names::alias(const std::string& name, const std::string& dotted) {
  std::string root = dotted.substr(0, dotted.find('.'));
  if (is_imported(root)) bound_.emplace(name, resolve(dotted));
}

void Names::hardware(const std::string& name, HardwareName value) { hardware_[name] = std::move(value); }

void Names::constant(const std::string& name, const DeviceFilter& value) {
  auto [found, is_new] = constants_.emplace(name, value);
  if (!is_new) found->second.state = DeviceFilter::State::unknown;
}

std::string Names::resolve(std::string_view dotted) const {
  std::size_t dot = dotted.find('.');
  auto found = bound_.find(std::string(dotted.substr(0, dot)));
  if (found == bound_.end()) return std::string(dotted);
  return dot == std::string_view::npos ? found->second : found->second + std::string(dotted.substr(dot));
}

const HardwareName* Names::hardware(const std::string& name) const {
  auto found = hardware_.find(name);
  return found == hardware_.end() ? nullptr : &found->second;
}

const DeviceFilter* Names::constant(const std::string& name) const {
  auto found = constants_.find(name);
  if (found == constants_.end() || found->second.state == DeviceFilter::State::unknown) return nullptr;
  return &found->second;
}

}  // namespace hwsift::analyzer
