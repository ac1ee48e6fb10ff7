#include "base/clock.h"

#include <gtest/gtest.h>

namespace hwsift {
namespace {

TEST(Clock, DaysAndDates) {
  EXPECT_EQ(day_of("1970-01-01"), 0);
  EXPECT_EQ(day_of("1969-12-31T23:59:59Z"), -1);
  EXPECT_EQ(day_of("2026-03-14T15:09:26Z"), 20526);
  EXPECT_EQ(date_of(20526), "2026-03-14");
  for (long long day : {-1LL, 0LL, 59LL, 11016LL, 20526LL, 2932896LL}) EXPECT_EQ(day_of(date_of(day)), day);
  for (const char* text : {"", "2026", "nonsense", "9999-99-99", "2026-02-31", "\xff\xff"}) day_of(text);
}

TEST(Clock, TextOfSeconds) {
  EXPECT_EQ(utc_text(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(utc_text(-1), "1970-01-01T00:00:00Z");
  EXPECT_EQ(utc_text(951782400 + 86399), "2000-02-29T23:59:59Z");
  EXPECT_EQ(utc_text(253402300799), "9999-12-31T23:59:59Z");
  EXPECT_EQ(utc_text(253402300800), "9999-12-31T23:59:59Z");
  EXPECT_EQ(utc_text(9223372036854775807LL), "9999-12-31T23:59:59Z");
}

TEST(Clock, IsADate) {
  for (const char* date : {"2026-03-14", "2024-02-29", "0001-01-01"}) EXPECT_TRUE(is_date(date)) << date;
  for (const char* text :
       {"", "2026-3-14", "2026-02-30", "2026-13-01", "2026-00-10", "2026-03-14T", "20260314"})
    EXPECT_FALSE(is_date(text)) << text;
}

TEST(Clock, GoesOn) {
  double before = real_clock().now();
  EXPECT_LE(before, real_clock().now());
  EXPECT_EQ(real_clock().utc().size(), std::string("2026-03-14T15:09:26.123Z").size());
}

}  // namespace
}  // namespace hwsift
