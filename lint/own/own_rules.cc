#include "lint/own/own_rules.h"

#include "lint/rule_ids.h"

namespace hwsift::lint {

std::span<const OwnRule> own_rules() {
  static constexpr OwnRule rules[] = {
      {rule::label_mismatch, check_label_mismatch},     {rule::mixed_class, check_mixed_class},
      {rule::label_scope, check_label_scope},           {rule::zero_variants, check_zero_variants},
      {rule::missing_variants, check_missing_variants}, {rule::name_trap, check_name_trap},
      {rule::subclass_traps, check_subclass_traps},     {rule::hardcoded_device, check_hardcoded_device},
      {rule::wrong_device, check_wrong_device},         {rule::vendor_api, check_vendor_api},
      {rule::device_guard, check_device_guard},         {rule::device_compare, check_device_compare},
      {rule::unused_device, check_unused_device},       {rule::golden_device, check_golden_device},
      {rule::invisible_test, check_invisible_test}};
  return rules;
}

}  // namespace hwsift::lint
