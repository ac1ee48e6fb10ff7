// Applies the fixes of findings to a file, again and again until none is left, so that fixing twice changes
// nothing. What a fix makes of a file must parse and hold the same classes and tests; one that would not is
// left out.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analyzer/scan.h"
#include "lint/finding.h"

namespace hwsift::lint {

// Findings of a file as it would be; the caller closes over profile, vocabulary and tree.
using LintScanned = std::function<std::vector<Finding>(const analyzer::ScannedFile& file)>;
// Whether a finding counts at all (allowlists, changed lines); one that does not is never fixed. Its line is
// that of the original file, 0 where a fix has added it.
using Counts = std::function<bool(const Finding& finding)>;

struct FixedFile {
  std::string bytes;              // of the file after the fixes
  std::vector<Finding> findings;  // that are left in it
  std::size_t applied = 0;        // fixes
  std::vector<Finding> refused;   // whose fix would have broken the file
};

// `limit` is safe, or review for both kinds.
FixedFile fix_file(const analyzer::ScannedFile& file, Safety limit, const analyzer::Lexicon& lexicon,
                   const LintScanned& lint, const Counts& counts);

// Bytes with the edits made, which must be sorted and apart.
std::string with_edits(const std::string& bytes, const std::vector<Edit>& edits);

}  // namespace hwsift::lint
