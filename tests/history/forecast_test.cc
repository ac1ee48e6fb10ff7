#include "history/forecast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"

namespace hwsift::history {
namespace {

using testing::HasSubstr;

// One value a week from 2026-01-05 on.
std::vector<DatedValue> weekly(const std::vector<long long>& values) {
  std::vector<DatedValue> dated;
  for (std::size_t i = 0; i < values.size(); ++i)
    dated.push_back(
        {date_of(day_of("2026-01-05") + static_cast<long long>(7 * i)) + "T12:00:00Z", values[i]});
  return dated;
}

TEST(Forecast, AnEvenPaceGivesOneDay) {
  Forecast told = forecast(weekly({100, 90, 80, 70, 60, 50}), 50);
  EXPECT_TRUE(told.possible);
  EXPECT_EQ(told.earliest, date_of(day_of("2026-01-05") + 5 * 7 + 5 * 7));
  EXPECT_EQ(told.latest, told.earliest);
  EXPECT_THAT(told.method, HasSubstr("6 points from 2026-01-05 to 2026-02-09"));
}

TEST(Forecast, TheRangeIsFromTheBestStretchToTheWorst) {
  Forecast told = forecast(weekly({100, 100, 100, 100, 90, 40, 40, 40, 40, 40}), 40);
  EXPECT_TRUE(told.possible);
  EXPECT_LT(told.earliest, "2026-05-01");
  EXPECT_EQ(told.latest, "") << "there were four weeks without any progress";
  EXPECT_THAT(told.method, HasSubstr("best (15.0 fewer a week) and the worst (no change)"));
}

TEST(Forecast, SaysNothingOfTooLittle) {
  EXPECT_FALSE(forecast({}, 5).possible);
  EXPECT_THAT(forecast({}, 5).method, HasSubstr("at least 4 points"));
  EXPECT_FALSE(forecast(weekly({9, 8, 7}), 7).possible);
  EXPECT_THAT(forecast(weekly({9, 8, 7, 6}), 6).method, HasSubstr("four weeks or more"));
  EXPECT_TRUE(forecast(weekly({9, 8, 7, 6, 5}), 5).possible);
  EXPECT_EQ(forecast(weekly({9, 8, 7, 6, 0}), 0).method, "nothing is left");
  Forecast rising = forecast(weekly({1, 2, 3, 4, 5, 6}), 6);
  EXPECT_FALSE(rising.possible);
  EXPECT_THAT(rising.method, HasSubstr("did not fall"));
}

TEST(Forecast, OnlyTheLastHalfYearCounts) {
  std::vector<DatedValue> values = weekly({1000, 10, 9, 8, 7, 6});
  values[0].date = "2020-01-01T00:00:00Z";
  EXPECT_THAT(forecast(values, 6).method, HasSubstr("5 points from 2026-01-12"));
}

TEST(Forecast, AClockThatRanBackwardsIsNoHarm) {
  std::vector<DatedValue> values = weekly({10, 9, 8, 7, 6, 5, 4, 3});
  std::swap(values[2].date, values[6].date);
  EXPECT_NO_FATAL_FAILURE(forecast(values, 3));
  values[7].date = "1970-01-01T00:00:00Z";
  EXPECT_NO_FATAL_FAILURE(forecast(values, 3));
  values[7].date = "9999-12-31T23:59:59Z";
  EXPECT_NO_FATAL_FAILURE(forecast(values, 3));
}

TEST(Forecast, FartherThanACenturyIsNever) {
  Forecast told = forecast(weekly({1000000, 1000000, 1000000, 1000000, 999999}), 999999);
  EXPECT_FALSE(told.possible);
}

}  // namespace
}  // namespace hwsift::history
