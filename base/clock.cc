#include "base/clock.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include "base/text.h"

namespace hwsift {
namespace {

class RealClock : public Clock {
 public:
  double now() override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  std::string utc() override {
    std::timespec now{};
    std::timespec_get(&now, TIME_UTC);
    std::tm parts{};
    gmtime_r(&now.tv_sec, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    std::string thousandths = std::to_string(1000 + now.tv_nsec / 1000000).substr(1);
    return std::string(text) + "." + thousandths + "Z";
  }
};

}  // namespace

Clock& real_clock() {
  static RealClock clock;
  return clock;
}

bool is_date(const std::string& text) {
  constexpr std::string_view kShape = "dddd-dd-dd";
  if (text.size() != kShape.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (kShape[i] == 'd' ? !is_ascii_digit(text[i]) : text[i] != '-') return false;
  auto number = [&](std::size_t at, std::size_t count) { return std::stoi(text.substr(at, count)); };
  return std::chrono::year_month_day(std::chrono::year(number(0, 4)),
                                     std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                     std::chrono::day(static_cast<unsigned>(number(8, 2))))
      .ok();
}

long long day_of(const std::string& date) {
  auto number = [&](std::size_t at, std::size_t length) -> unsigned {
    return date.size() < at
               ? 0
               : static_cast<unsigned>(std::strtoul(date.substr(at, length).c_str(), nullptr, 10));
  };
  std::chrono::year_month_day day{std::chrono::year{static_cast<int>(number(0, 4))},
                                  std::chrono::month{number(5, 2)}, std::chrono::day{number(8, 2)}};
  return std::chrono::sys_days{day}.time_since_epoch().count();
}

std::string date_of(long long day) {
  std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

std::string utc_text(long long seconds) {
  constexpr long long kDay = 24LL * 60 * 60;
  constexpr long long kLast = 253402300799;  // 9999-12-31; what comes later is a broken clock
  seconds = std::clamp(seconds, 0LL, kLast);
  long long rest = seconds % kDay;
  long long day = seconds / kDay;
  char text[80];
  std::snprintf(text, sizeof text, "T%02lld:%02lld:%02lldZ", rest / 3600, rest / 60 % 60, rest % 60);
  return date_of(day) + text;
}

}  // namespace hwsift
