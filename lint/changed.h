// Findings about what changed.
#pragma once

#include <vector>

#include "base/git.h"
#include "lint/finding.h"

namespace hwsift::lint {

// Keeps the findings that touch a changed line of their file. One without a line, and a parse error, whose
// cause may be elsewhere, are about the file as a whole: they stay.
void keep_changed(const ChangedLines& changed, std::vector<Finding>& findings);

}  // namespace hwsift::lint
