// Any bytes as a plan: one whose tests are cut into disjoint parts, or an error with a place and a text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "report/plan.h"
#include "runner/plan_document.h"

namespace {

using namespace hwsift::runner;

Selection selection_of(const Plan& plan) {
  Selection selection;
  selection.device = plan.device;
  for (const PlanShard& shard : plan.shards) {
    for (const PlanUnit& unit : shard.units) {
      for (const std::string& id : unit.tests) {
        SelectedTest test;
        test.path = unit.path;
        test.id = id;
        selection.tests.push_back(test);
      }
    }
  }
  return selection;
}

std::size_t tests_in_parts(const Selection& selection, const Plan& plan) {
  std::size_t tests = 0;
  for (std::size_t i = 1; i <= plan.shards.size() && i <= 100; ++i)
    tests += part_of(selection, plan, static_cast<int>(i)).tests.size();
  return tests;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hwsift::Result<Plan> plan = parse_plan(std::string(reinterpret_cast<const char*>(data), size), "plan.json");
  if (!plan.ok()) {
    const hwsift::Error& error = plan.error();
    if (error.what.empty() || error.where.empty()) std::abort();
    return 0;
  }
  if (plan->shards.empty() || fingerprint_of(*plan) != plan->fingerprint) std::abort();
  Selection selection = selection_of(*plan);
  if (!check_plan(*plan, selection, "plan.json").ok()) std::abort();
  if (plan->shards.size() <= 100 && tests_in_parts(selection, *plan) != selection.tests.size()) std::abort();
  hwsift::report::plan_text(*plan, {});
  hwsift::report::plan_github_matrix(*plan);
  return 0;
}
