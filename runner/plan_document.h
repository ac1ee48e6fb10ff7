// hwsift.plan/1 as it comes back from a file, which anyone may have edited.
#pragma once

#include <string>

#include "base/result.h"
#include "runner/plan.h"

namespace hwsift::runner {

// A plan in which each test is in one unit and the fingerprint is that of what it holds. Errors name the file
// and the place in it.
Result<Plan> parse_plan(const std::string& bytes, const std::string& file);

}  // namespace hwsift::runner
