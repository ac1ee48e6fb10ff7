// What the names of a file stand for: imports, aliases of them, and module-level values that name devices.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analyzer/facts.h"

namespace hwsift::analyzer {

// "c" of "a.b.c".
std::string_view last_word(std::string_view dotted);

// A module-level name whose value is itself a use of hardware.
struct HardwareName {
  UseKind kind = UseKind::device_variable;  // or flag, for a truth value
  std::vector<std::string> devices;
  bool is_guard = false;  // a skip decorator made from a hardware condition
  Polarity polarity = Polarity::none;
};

// Names that functions, lambdas and comprehensions bind, innermost last: what they bind hides a name of the
// module. Bound as the statements are read, which is where Python would have them bound too.
class Locals {
 public:
  enum class Binding { none, parameter, other };  // parameter: of a method itself, not bound again since

  std::size_t mark() const { return names_.size(); }
  void release(std::size_t mark) { names_.resize(mark); }
  // `name` must outlive the binding.
  void bind(std::string_view name, Binding binding) { names_.emplace_back(name, binding); }
  Binding of(std::string_view name) const;

 private:
  std::vector<std::pair<std::string_view, Binding>> names_;
};

class Names {
 public:
  void import(const Import& import);
  // name = dotted at module level, where dotted starts with an imported name.
  void alias(const std::string& name, const std::string& dotted);
  void hardware(const std::string& name, HardwareName value);
  void constant(const std::string& name, const DeviceFilter& value);
  // A function or class of the module; `name` must outlive this.
  void define(std::string_view name) { defined_.insert(name); }

  // The absolute dotted name, or `dotted` itself where no import explains it.
  std::string resolve(std::string_view dotted) const;
  bool is_imported(std::string_view root) const { return bound_.count(std::string(root)) > 0; }
  const HardwareName* hardware(const std::string& name) const;
  bool is_defined(std::string_view name) const { return defined_.count(name) > 0; }
  // The literal value of a module constant that was assigned once so far; nullptr otherwise.
  const DeviceFilter* constant(const std::string& name) const;

 private:
  std::unordered_map<std::string, std::string> bound_;  // local name to absolute dotted name
  std::unordered_map<std::string, HardwareName> hardware_;
  std::unordered_map<std::string, DeviceFilter> constants_;
  std::unordered_set<std::string_view> defined_;
};

}  // namespace hwsift::analyzer
