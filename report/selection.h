// What `hwsift select` chose: hwsift.selection/1, the ids alone, and a summary for people.
#pragma once

#include <string>

#include "base/json.h"
#include "report/output.h"
#include "runner/selection.h"

namespace hwsift::report {

// The members of the document, without its schema.
Json selection_members(const runner::Selection& selection);
std::string selection_json(const runner::Selection& selection);
std::string selection_ids(const runner::Selection& selection);  // one a line
std::string selection_text(const runner::Selection& selection, const Style& style);

}  // namespace hwsift::report
