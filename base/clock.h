// Time as hwsift needs it, so that tests can turn the hands.
#pragma once

#include <string>

namespace hwsift {

class Clock {
 public:
  virtual ~Clock() = default;
  // Seconds since some moment; never runs backwards.
  virtual double now() = 0;
  // The moment in UTC: "2026-03-14T15:09:26Z".
  virtual std::string utc() = 0;
};

Clock& real_clock();

// Whether the text is a day of the calendar: "2026-03-14".
bool is_date(const std::string& text);

// Days from 1970-01-01 to the day that a text begins with ("2026-03-14T15:09:26Z"); some day for any other
// text.
long long day_of(const std::string& date);
// "2026-03-14" of days since 1970-01-01.
std::string date_of(long long day);
// "2026-03-14T15:09:26Z" of seconds since 1970; no earlier, and not after the year 9999.
std::string utc_text(long long seconds);

}  // namespace hwsift
