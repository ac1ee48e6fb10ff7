// A run read back from its document, hwsift.run/1, which report::run_json writes. Documents come from other
// machines: nothing in one is believed before it was looked at.
#pragma once

#include <cstddef>
#include <string>

#include "base/disk.h"
#include "base/result.h"
#include "runner/result.h"

namespace hwsift::runner {

inline constexpr std::size_t kMaxRunDocument = std::size_t{1} << 30;  // bytes

// Fields that are not known are passed over; what a result lacks of path, class and name is taken from its
// id. Errors name the file and the field: "run.json: results[3].outcome".
Result<RunRecord> parse_run_document(const std::string& bytes, const std::string& file);
Result<RunRecord> read_run_document(Disk& disk, const std::string& file);

}  // namespace hwsift::runner
