// What `hwsift select` chose: hwsift.selection/1, the ids alone, and a summary for people.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "report/output.h"
#include "runner/selection.h"

namespace hwsift::report {

// The members of the document, without its schema, into the open object.
void write_selection(JsonWriter& json, const runner::Selection& selection);
std::string selection_json(const runner::Selection& selection);
std::string selection_ids(const runner::Selection& selection);  // one a line
std::string selection_counts(
    const runner::Selection& selection);  // "number<TAB>reason" a line, the selected first
// Arguments for pytest in test/, one a line: a class where all of it that is known is selected, else its
// tests. pytest cannot name a template: `too_wide` counts the classes that are given whole for that reason.
std::string selection_pytest(const runner::Selection& selection, std::size_t& too_wide);
// Arguments for PyTorch's run_test.py, one a line: it takes files alone.
std::string selection_run_test(const runner::Selection& selection);
// What became of one test, class or file.
std::string whereabouts_text(const runner::Selection& selection, const std::string& id,
                             const runner::Whereabouts& found, const Style& style);
std::string selection_text(const runner::Selection& selection, const Style& style);

}  // namespace hwsift::report
