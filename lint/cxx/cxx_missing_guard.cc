// A test that cannot run without a device is kept from machines that have none.
#include "base/text.h"
#include "lint/cxx/cxx_rules.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {

void check_cxx_missing_guard(Report& report, const CxxTest& test) {
  const classifier::CxxSignal* need = test.first(classifier::CxxSignal::Kind::needs);
  bool kept_away = test.suffix != nullptr || test.is_guarded() || !test.built.devices.empty();
  if (need == nullptr || kept_away) return;
  std::string device = need->devices.front();
  at_test(report, rule::cxx_missing_guard, test,
          test.name() + " fails where there is no " + ascii_upper(device) + " (" + place_of(*need) +
              "): nothing leaves or skips it, and no condition of the build takes it out",
          "begin with `if (!torch::" + device + "::is_available()) GTEST_SKIP() << \"needs " +
              ascii_upper(device) + "\";`");
}

}  // namespace hwsift::lint
