#include "runner/test_rules.h"

namespace hwsift::runner {

std::string TestRules::leaves_out(const std::string& run_class, const std::string& name) const {
  if (disabled)
    if (const DisabledTest* test = disabled->find(run_class, name, here)) return "disabled: " + test->issue;
  if (!slow) return "";
  bool is_slow = slow->find(run_class, name, here).has_value();
  if (is_slow && !with_slow) return "slow, by the list: PYTORCH_TEST_WITH_SLOW is not 1";
  if (!is_slow && slow_alone) return "not slow, by the list: PYTORCH_TEST_SKIP_FAST is 1";
  return "";
}

bool TestRules::in_quarantine(const std::string& id) const {
  return quarantine && quarantine->find(id, today) != nullptr;
}

}  // namespace hwsift::runner
