#include "cli/report.h"

namespace hwsift::cli {
namespace {

constexpr Command kReports[] = {
    {"progress", "where the migration stands, what changed it, and what is next", declare_report_progress},
    {"run", "what a run came to, and how it stands against another one", declare_report_run},
    {"unlock", "which edits would let most tests run on a device that do not run there now",
     declare_report_unlock},
};

}  // namespace

Action declare_report(CLI::App& app, Context& context) { return declare_parts(app, context, kReports); }

}  // namespace hwsift::cli
