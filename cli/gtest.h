// The gtest binaries that --gtest names.
#pragma once

#include <string>
#include <vector>

#include "base/process.h"
#include "cli/command.h"
#include "runner/gtest_binary.h"
#include "runner/launch.h"

namespace hwsift::cli {

// "BINARY[:SOURCES]", each: where the binary is, and the files among its sources, of any language, whose
// union is `files`. A binary that is not on this machine is left to the launcher.
int open_binaries(Context& context, const Tree& tree, const std::vector<std::string>& given,
                  bool has_launcher, std::vector<runner::GtestBinary>& binaries,
                  std::vector<analyzer::SourcePath>& files);

// Asks each for its tests, for at most so many seconds. The code of a signal where one came, without a
// word.
int list_tests(Context& context, Processes& processes, const runner::Launch& launch, double seconds,
               std::vector<runner::GtestBinary>& binaries);

}  // namespace hwsift::cli
