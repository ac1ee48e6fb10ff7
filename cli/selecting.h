// Which tests a command is about: the options that all commands which select tests share.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "runner/filter.h"
#include "runner/selection.h"

namespace hwsift::cli {

struct SelectionFlags {
  std::string device;
  std::vector<std::string> categories;  // --hw, as given
  std::string unclassified = "infer";
  int device_count = 0;  // 0 where it is not told
  std::string filter;    // -E, as given
  std::string python;    // asked for the device where that is auto
};

// --device (with its default), --device-count, --hw, --unclassified, -E.
void declare_selection_flags(CLI::App& app, SelectionFlags& flags, const char* default_device);

// What the flags and the framework's variables of the environment ask for, for this device type and, where
// the flags do not tell it, so many devices. An Error names the category that there is not.
Result<runner::SelectOptions> selection_options(const Tree& tree, const SelectionFlags& flags,
                                                const std::string& device, std::optional<int> count);

// The filter of -E, if any. What is wrong with it is said with a caret below the place; the code is kUsage.
int read_filter(Context& context, const Tree& tree, const SelectionFlags& flags,
                std::optional<runner::Filter>& filter);
// Holds the selection to the filter, for which git or the database may be asked.
int apply_filter(Context& context, const Tree& tree, const std::optional<runner::Filter>& filter,
                 runner::Selection& selection);

// From facts to the tests: classify, select.
runner::Selection select_tests(Context& context, const Tree& tree,
                               const std::vector<analyzer::FileFacts>& facts, runner::SelectOptions options);

// Both, and the filter, of files that are opened. `device` is a device type, or auto: then this machine is
// asked. An exit code other than 0 ends the command.
int select_opened(Context& context, const Opening& opening, const SelectionFlags& flags, std::string device,
                  runner::Selection& selection);

}  // namespace hwsift::cli
