// Findings of a profile over analysed files.
#pragma once

#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/classify.h"
#include "lint/finding.h"
#include "lint/profile.h"

namespace hwsift::lint {

// Whether the profile looks at a file at all; told from its path, before anything is read.
bool covers(const Profile& profile, const std::string& path);

// Findings of one file, in the order of the contract. `verdicts` are the file's own.
std::vector<Finding> lint_file(const Profile& profile, const analyzer::FileFacts& file,
                               const std::vector<classifier::ClassVerdict>& verdicts,
                               const classifier::Vocabulary& vocabulary);

}  // namespace hwsift::lint
