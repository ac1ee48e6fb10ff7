// A run as annotations of GitHub Actions, and as the Markdown of its job summary.
#pragma once

#include <string>

#include "runner/result.h"

namespace hwsift::report {

// At most ten errors, ten warnings and one notice: GitHub shows no more a step. Crashes come first. `folder`
// is the tree from the checkout, with a slash at its end, or "".
std::string run_github(const runner::RunRecord& record, const std::string& folder);

// For the file that GITHUB_STEP_SUMMARY names: below its limit of 1 MiB whatever the run holds, and what is
// left out is counted. No text from outside can act as Markdown or HTML.
std::string run_summary(const runner::RunRecord& record);

}  // namespace hwsift::report
