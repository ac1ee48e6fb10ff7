// What a run came to: hwsift.run/1, and the summary for people.
#pragma once

#include <string>

#include "base/json.h"
#include "report/output.h"
#include "runner/result.h"

namespace hwsift::report {

std::string run_json(const runner::RunRecord& record);
// Counts, the bad tests with the first line of their message, what did not run and why.
std::string run_text(const runner::RunRecord& record, const Style& style);
// By outcome, and not_run.
Json counts_json(const runner::RunRecord& record);
// "shard 3 of 3 is missing", "shards 2, 4 to 9 of 10 are missing", or nothing.
std::string missing_shards_text(const runner::RunRecord& record);
// "783 passed, 2 failed, 10 skipped"; bad outcomes first.
std::string counts_text(const runner::RunRecord& record, const Style& style);

}  // namespace hwsift::report
