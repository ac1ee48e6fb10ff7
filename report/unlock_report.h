// The edits that would give a device the most tests.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/json.h"
#include "history/unlock.h"
#include "report/output.h"

namespace hwsift::report {

struct UnlockReport {
  std::string device;
  std::vector<history::Unlock> unlocks;  // best first, those that are shown
  std::size_t found = 0;                 // of all
};

Json unlock_json(const history::Unlock& unlock);
// hwsift.unlock/1.
std::string unlock_report_json(const UnlockReport& report);
// A row a place to edit.
std::string unlock_report_csv(const UnlockReport& report);
std::string unlock_report_text(const UnlockReport& report, std::size_t width, const Style& style);

}  // namespace hwsift::report
