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

}  // namespace hwsift
