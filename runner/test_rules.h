// What lists say of single tests when they are about to run: disabled, slow, in quarantine.
#pragma once

#include <optional>
#include <string>

#include "runner/test_lists.h"

namespace hwsift::runner {

struct TestRules {
  std::optional<DisabledTests> disabled;
  std::optional<SlowTests> slow;
  std::optional<Quarantine> quarantine;
  Conditions here;
  // PYTORCH_TEST_WITH_SLOW and PYTORCH_TEST_SKIP_FAST, which PyTorch's own tests go by.
  bool with_slow = false;
  bool slow_alone = false;
  std::string today;  // "2026-03-14"

  // Why a test does not run, "" where it does. Both names are those at run time.
  std::string leaves_out(const std::string& run_class, const std::string& name) const;
  bool in_quarantine(const std::string& id) const;
};

}  // namespace hwsift::runner
