// The report of a run, and of how it stands against another one: hwsift.run_report/1, and the same for people
// and spreadsheets. Numbers are those of history/, the same in every format; lists are bounded where a page
// or a terminal would not bear them, and say how many are left out. json and csv hold everything.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "history/run_comparison.h"
#include "history/run_report.h"
#include "report/output.h"

namespace hwsift::report {

struct RunReport {
  history::RunReport run;
  std::optional<history::Comparison> comparison;
  std::string made;     // UTC
  std::string version;  // of hwsift
};

std::string run_report_text(const RunReport& report, const Style& style, std::size_t width);
std::string run_report_json(const RunReport& report);
// One row a number: section, name, figure, value; and one a test that differs, with both ids.
std::string run_report_csv(const RunReport& report);
// Below what a comment on GitHub may have.
inline constexpr std::size_t kMostCommentBytes = 65536;
std::string run_report_md(const RunReport& report);
std::string run_report_html(const RunReport& report);

}  // namespace hwsift::report
