// What comes out of a run, for every command that has a run to tell of: run, merge, replay and rerun.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "runner/result.h"

namespace hwsift::cli {

// What `-o` takes.
const std::vector<std::string>& run_formats();

int exit_code(const runner::RunRecord& record);
// Writes the outputs; the summary goes to stderr where no output shows it. The worse of the code of the run
// and that of an output that could not be written.
int publish(Context& context, const std::vector<report::OutputSpec>& outputs,
            const runner::RunRecord& record);
// Into the database of --db, or into that of the tree. A warning where that fails.
void remember(Context& context, const Tree& tree, const runner::RunRecord& record);

}  // namespace hwsift::cli
