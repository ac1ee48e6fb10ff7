// Which test of a selection a real id belongs to: that of its name, else the longest template that it
// extends by a name of the device, else the longest that it extends. The one rule for collected tests,
// recorded times and ids that a user names.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runner/selection.h"

namespace hwsift::runner {

// What "test_add_cpu_float32" may be made of, likeliest first: "test_add", "test", since the framework puts
// the device behind the name of a template, then "test_add_cpu".
std::vector<std::string> names_it_extends(const std::string& name, const std::string& device);

// Holds no reference to the selection.
class Owners {
 public:
  explicit Owners(const Selection& selection);

  struct Owner {
    std::string id;                       // of the selected or left out test
    std::optional<std::size_t> selected;  // into Selection::tests
    bool expands = false;
  };
  // Parameters in brackets do not count. nullptr where nothing stands for the id.
  const Owner* find(const std::string& real_id) const;
  // Index of the selected test, if one stands for the id.
  std::optional<std::size_t> selected(const std::string& real_id) const;

 private:
  void add(const std::string& id, std::optional<std::size_t> selected, bool expands);

  std::string device_;
  std::unordered_map<std::string, Owner> tests_;  // by id
};

}  // namespace hwsift::runner
