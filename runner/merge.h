// Shards and attempts of one plan, joined into one account.
//
//   part     a run as a process wrote it; a merged record keeps which parts it holds, and what each test came
//   to in each counts   of a test the result of the part that started last; a result beats every reason not
//   to run, a reason that
//            closes the account beats one that leaves it open
//   flaky    a test that failed in a part and passed in a later one: its attempts are the sum
//
// The outcome is the same for any order of records, for records given twice, and for merges of merges.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "runner/result.h"

namespace hwsift::runner {

struct NamedRecord {
  std::string name;  // the file, for errors
  RunRecord record;
};

// An Error where two of them are not of one plan: another device, selection or number of shards.
Result<RunRecord> merge(std::vector<NamedRecord> records);

}  // namespace hwsift::runner
