#include "lint/budget.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace hwsift::lint {

Result<std::size_t> parse_budget(const std::string& bytes, const std::string& file) {
  std::string_view text = trim(bytes);
  std::size_t budget = 0;
  auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), budget);
  if (bad == std::errc() && end == text.data() + text.size()) return budget;
  return Error{file + ":1:1", "not a number of entries",
               "a budget file holds one whole number, how many entries the allowlist may have"};
}

std::string budget_text(std::size_t budget) { return std::to_string(budget) + "\n"; }

bool looks_like_budget(const std::string& bytes) {
  std::string_view text = trim(bytes);
  return !text.empty() && std::all_of(text.begin(), text.end(), is_ascii_digit);
}

std::vector<Error> budget_faults(const Budget& budget, std::size_t entries) {
  std::vector<Error> faults;
  if (budget.committed && *budget.committed < budget.allowed)
    faults.push_back({budget.file,
                      "the budget was raised from " + std::to_string(*budget.committed) + " to " +
                          std::to_string(budget.allowed),
                      "it may only fall: put " + std::to_string(*budget.committed) + " back"});
  std::size_t allowed = std::min(budget.allowed, budget.committed.value_or(budget.allowed));
  if (entries > allowed)
    faults.push_back({budget.file,
                      "the allowlist has " + std::to_string(entries) + " entries, the budget is " +
                          std::to_string(allowed),
                      "mend " + std::to_string(entries - allowed) + " of them, or take back what was added"});
  return faults;
}

std::optional<std::size_t> lower_budget(const Budget& budget, std::size_t entries) {
  std::size_t least = std::min({entries, budget.allowed, budget.committed.value_or(budget.allowed)});
  if (least == budget.allowed) return std::nullopt;
  return least;
}

}  // namespace hwsift::lint
