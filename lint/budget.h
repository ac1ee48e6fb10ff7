// The size that an allowlist may have: a file that holds one number, which may only fall.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace hwsift::lint {

Result<std::size_t> parse_budget(const std::string& bytes, const std::string& file);
std::string budget_text(std::size_t budget);
bool looks_like_budget(const std::string& bytes);

struct Budget {
  std::string file;
  std::size_t allowed = 0;
  std::optional<std::size_t> committed;  // what git has of the file
};

// What breaks the budget, each with its remedy.
std::vector<Error> budget_faults(const Budget& budget, std::size_t entries);
// The lower budget that `entries` allow; nothing where it stays. Never more than it is or was committed.
std::optional<std::size_t> lower_budget(const Budget& budget, std::size_t entries);

}  // namespace hwsift::lint
