// Any bytes as a plan: one that holds each of its tests once and has its fingerprint, or an error with a
// place and a text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "report/plan.h"
#include "runner/plan_document.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hwsift::Result<hwsift::runner::Plan> plan =
      hwsift::runner::parse_plan(std::string(reinterpret_cast<const char*>(data), size), "plan.json");
  if (!plan.ok()) {
    if (plan.error().what.empty() || plan.error().where.empty()) std::abort();
    return 0;
  }
  if (plan->shards.empty() || fingerprint_of(*plan) != plan->fingerprint) std::abort();
  std::vector<std::string> tests = tests_of(*plan);
  if (std::adjacent_find(tests.begin(), tests.end()) != tests.end()) std::abort();
  if (hwsift::report::plan_text(*plan, {}).empty()) std::abort();
  return 0;
}
