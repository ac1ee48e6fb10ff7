// From the pace of the past to the days on which nothing would be left.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hwsift::history {

struct Forecast {
  bool possible = false;
  std::string earliest;  // "2027-03-14", at the fastest pace of the past
  std::string latest;    // at the slowest; "" where that pace would never get there
  std::string method;    // in a sentence: over what, how, and from how many points; where not possible, why
};

struct DatedValue {
  std::string date;  // "2026-03-14T15:09:26Z"
  long long value = 0;
};

// `values`: oldest first. The past that counts is the last half year; a pace is the mean of a stretch of four
// weeks or more between two points. With fewer than four points, or less than four weeks of them, nothing is
// said.
Forecast forecast(const std::vector<DatedValue>& values, long long now);

}  // namespace hwsift::history
