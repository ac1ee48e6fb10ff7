#include "history/forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/clock.h"

namespace hwsift::history {
namespace {

constexpr long long kStretch = 28;  // days
constexpr long long kPast = 182;    // days
constexpr std::size_t kFewestPoints = 4;
constexpr double kFarthest = 365.0 * 100;  // days: later than that is never

struct Paces {
  double fastest = 0;  // fewer a day
  double slowest = 0;
  std::size_t stretches = 0;
};

// Each point with the first one that is a stretch later.
Paces paces_of(const std::vector<DatedValue>& values) {
  Paces paces;
  std::size_t end = 0;
  for (const DatedValue& begin : values) {
    while (end < values.size() && day_of(values[end].date) - day_of(begin.date) < kStretch) ++end;
    if (end == values.size()) break;
    double days = static_cast<double>(day_of(values[end].date) - day_of(begin.date));
    double pace = static_cast<double>(begin.value - values[end].value) / days;
    paces.fastest = paces.stretches == 0 ? pace : std::max(paces.fastest, pace);
    paces.slowest = paces.stretches == 0 ? pace : std::min(paces.slowest, pace);
    ++paces.stretches;
  }
  return paces;
}

std::vector<DatedValue> recent(const std::vector<DatedValue>& values) {
  std::vector<DatedValue> kept;
  if (values.empty()) return kept;
  long long last = day_of(values.back().date);
  std::copy_if(values.begin(), values.end(), std::back_inserter(kept),
               [&](const DatedValue& value) { return last - day_of(value.date) <= kPast; });
  return kept;
}

std::string impossible(const std::vector<DatedValue>& values, long long now) {
  if (now == 0) return "nothing is left";
  if (values.size() < kFewestPoints)
    return fmt::format("a forecast takes at least {} points of the last half year; there {} {}",
                       kFewestPoints, values.size() == 1 ? "is" : "are", values.size());
  if (day_of(values.back().date) - day_of(values.front().date) < kStretch)
    return "a forecast takes points over four weeks or more";
  return "";
}

std::string after(const std::string& date, long long left, double pace) {
  double days = pace <= 0 ? kFarthest + 1 : static_cast<double>(left) / pace;
  if (days > kFarthest) return "";
  return date_of(day_of(date) + static_cast<long long>(days + 0.999));
}

double mean_pace(const std::vector<DatedValue>& values) {
  double days = static_cast<double>(day_of(values.back().date) - day_of(values.front().date));
  return static_cast<double>(values.front().value - values.back().value) / days;
}

// Of a pace a day: "4.0 fewer a week".
std::string pace_text(double pace) {
  double weekly = pace * 7;
  if (std::abs(weekly) < 0.05) return "no change";
  return fmt::format("{:.1f} {} a week", std::abs(weekly), weekly > 0 ? "fewer" : "more");
}

}  // namespace

Forecast forecast(const std::vector<DatedValue>& all, long long now) {
  std::vector<DatedValue> values = recent(all);
  Forecast told;
  told.method = impossible(values, now);
  if (!told.method.empty()) return told;
  Paces paces = paces_of(values);
  std::string seen = fmt::format("{} points from {} to {}", values.size(), values.front().date.substr(0, 10),
                                 values.back().date.substr(0, 10));
  told.earliest = after(values.back().date, now, paces.fastest);
  if (told.earliest.empty()) {
    told.method = fmt::format("over {} the number did not fall in any four weeks", seen);
    return told;
  }
  told.possible = true;
  told.latest = after(values.back().date, now, paces.slowest);
  told.method = fmt::format(
      "counted from {} on, at the best ({}) and the worst ({}) pace of {} stretches of four weeks; the mean "
      "of {} "
      "was {}",
      values.back().date.substr(0, 10), pace_text(paces.fastest), pace_text(paces.slowest), paces.stretches,
      seen, pace_text(mean_pace(values)));
  return told;
}

}  // namespace hwsift::history
