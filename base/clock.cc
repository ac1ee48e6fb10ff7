#include "base/clock.h"

#include <chrono>
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

}  // namespace hwsift
