// A test that needs a device says so in its name, by which runs without the device switch it off; and a test
// whose name says so needs it. One that leaves by itself is asked for it only where other tests of the file
// have such names.
#include <algorithm>

#include "base/text.h"
#include "lint/cxx/cxx_rules.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using classifier::CxxSignal;

// What it needs, or goes no further without.
const CxxSignal* need_of(const CxxTest& test) {
  for (CxxSignal::Kind kind : {CxxSignal::Kind::needs, CxxSignal::Kind::skips, CxxSignal::Kind::leaves})
    if (const CxxSignal* signal = test.first(kind)) return signal;
  return nullptr;
}

// A function of another file may well be about the device: its name has to do.
bool calls_by_name_of_device(const CxxTest& test, const std::string& device) {
  return std::any_of(test.test.names_read.begin(), test.test.names_read.end(), [&](const std::string& name) {
    return ascii_lower(name).find(device) != std::string::npos;
  });
}

void require_suffix(Report& report, const CxxTest& test) {
  const CxxSignal* need = need_of(test);
  if (need == nullptr || need->devices.size() != 1 || !test.built.devices.empty()) return;
  if (test.is_guarded() && !test.named_by_suffix) return;
  std::string suffix = suffix_for(need->devices.front(), report.subject().vocabulary);
  if (suffix.empty()) return;
  std::string device = ascii_upper(need->devices.front());
  std::string why = need->kind == CxxSignal::Kind::leaves
                        ? ", so that without one it passes and has tested nothing"
                        : ", so that it is not switched off where there is none";
  at_test(
      report, rule::cxx_device_suffix, test,
      test.name() + " needs " + device + " (" + place_of(*need) + ") and does not say so in its name" + why,
      "call it " + test.test.name + suffix);
}

void forbid_suffix(Report& report, const CxxTest& test) {
  const std::string& device = test.suffix->device;
  if (test.names_suffix_device || calls_by_name_of_device(test, device) || !test.built.devices.empty())
    return;
  at_test(report, rule::cxx_device_suffix, test,
          test.name() + " is named for " + ascii_upper(device) + ", and nothing in it uses " +
              ascii_upper(device) + ", so that it is switched off for nothing",
          "drop " + test.suffix->suffix + " from its name");
}

}  // namespace

void check_cxx_device_suffix(Report& report, const CxxTest& test) {
  if (test.suffix == nullptr)
    require_suffix(report, test);
  else
    forbid_suffix(report, test);
}

}  // namespace hwsift::lint
