// The subcommands of `report`: each declares its options on its CLI::App, as a command does.
#pragma once

#include <string>
#include <vector>

#include "analyzer/tree_index.h"
#include "cli/command.h"
#include "history/unlock.h"

namespace hwsift::cli {

// In cli/report_<name>.cc.
Action declare_report_progress(CLI::App& app, Context& context);
Action declare_report_run(CLI::App& app, Context& context);
Action declare_report_unlock(CLI::App& app, Context& context);

// The device type that a user names: an accelerator, or an error that is printed.
int accelerator_of(Context& context, const std::string& name, std::string& device);

// The sets of edits that give a device the most tests, best first, of these files; a number of tests may
// stand in several sets.
class Unlocking {
 public:
  Unlocking(Context& context, const Tree& tree, const std::vector<analyzer::FileFacts>& files);
  std::vector<history::Unlock> best(const std::string& device);

 private:
  Context& context_;
  const Tree& tree_;
  const std::vector<analyzer::FileFacts>& files_;
  analyzer::TreeIndex index_;
  lint::TreeTraits traits_;
  std::vector<std::vector<classifier::ClassVerdict>> verdicts_;
};

}  // namespace hwsift::cli
