// Documents of runs as a command line names them.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "runner/merge.h"

namespace hwsift::cli {

// What `arguments` name: files, folders (the .json files below them), @FILE (names in a file).
Result<std::vector<std::string>> find_run_documents(Disk& disk, const std::vector<std::string>& arguments);
// Prints an error for each that cannot be read; kUsage where there is one.
int read_run_documents(Context& context, const std::vector<std::string>& files,
                       std::vector<runner::NamedRecord>& records);

}  // namespace hwsift::cli
