// Findings of a profile over analysed files.
#pragma once

#include <string>
#include <vector>

#include "lint/contract.h"
#include "lint/finding.h"
#include "lint/profile.h"

namespace hwsift::lint {

// Whether the profile looks at a file at all; told from its path, before anything is read.
bool covers(const Profile& profile, const std::string& path);

// Findings of one file: of an upstream profile in upstream's order, else by place. Those that a comment in
// the source suppresses are left out.
std::vector<Finding> lint_file(const Subject& subject);

}  // namespace hwsift::lint
