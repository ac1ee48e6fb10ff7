// "# hwsift: ignore[rule] reason" in a source: takes findings out, and is itself a finding where it is wrong.
//
// On a line with code, or alone above one, it is about that line; where that line is the first of a class
// (its statement or a decorator of it), it is about the whole class, the calls that instantiate it too. In
// C++ the comment is "// hwsift: ..." and about lines alone.
#pragma once

#include "lint/contract.h"

namespace hwsift::lint {

// `findings` are those of the file; what is left comes back, with the findings about the suppressions.
std::vector<Finding> apply_suppressions(const Subject& subject, std::vector<Finding> findings);

}  // namespace hwsift::lint
