// The machine that a test is meant to run on, as far as its devices go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "classifier/variants.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {

// A machine whose only accelerator is `device`; of "cpu" it has none.
struct Machine {
  std::string device;  // device type: "cuda"
  const Vocabulary& vocabulary;
  std::optional<int> count = {};   // devices of that type; nullopt where that is not known
  DeviceVariables variables = {};  // of the environment that the tests will see

  bool has(const std::string& type) const;  // "privateuse1" is any backend behind it
  bool has_any(const std::vector<std::string>& types) const;
  bool is_accelerator() const;
  bool is_privateuse1() const;
  bool runs_on_cpu() const;  // the CPU itself, and lazy
  // Whether there are so many devices; nullopt where that is not known.
  std::optional<bool> has_count(long wanted) const;
};

}  // namespace hwsift::classifier
