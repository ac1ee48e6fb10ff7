// A selection held to some of its tests by the ids that they really have.
#pragma once

#include <set>
#include <string>

#include "runner/result.h"
#include "runner/selection.h"

namespace hwsift::runner {

// Whether the set has the id, its class or its file.
bool covers(const std::set<std::string>& ids, const std::string& id);

// The tests that the ids belong to, the others as tests elsewhere, and Selection::only, so that of a template
// no other real ids run. An id that no selected test stands for is looked for where its file holds selected
// tests.
Selection restricted(const Selection& selection, const std::set<std::string>& ids);

// Fills RunRecord::expanded.
void note_expanded(const Selection& selection, RunRecord& record);

// Those of the ids that the record accounts for in no way.
std::set<std::string> unaccounted(const std::set<std::string>& ids, const RunRecord& record);

}  // namespace hwsift::runner
