// C++ files of a tree, read by the program hwsift-cxx.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace hwsift::cli {

// Where hwsift-cxx is: beside this program, else on PATH; "" where it is not installed.
std::string cxx_helper();

// An error where --compile-commands, or the setting, names something that is no list of compile commands.
Status check_compile_commands(Context& context, const Tree& tree);

// The facts in the order of the files. Without hwsift-cxx a file that was named is an unread one; the rest,
// which folders brought, are left out with a warning. One warning says how many were to be read with headers
// and were not.
std::vector<analyzer::FileFacts> scan_cxx_files(Context& context, const Tree& tree,
                                                const std::vector<analyzer::SourcePath>& files);

}  // namespace hwsift::cli
