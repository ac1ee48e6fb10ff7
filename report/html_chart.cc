// How a chart grows with its page: x is in percent of the width, y in pixels. Only lines need an own system
// of coordinates: they stand in an inner <svg> of 1000 by its height that is stretched, and their strokes are
// not.
#include "report/html_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

namespace hwsift::report::html {
namespace {

using Values = std::vector<std::optional<long long>>;

constexpr double kTop = 14;  // room for the letters of the upper tick
constexpr double kLineHeight = 190;
constexpr double kBarHeight = 70;
constexpr double kGap = 22;    // between the two
constexpr double kDates = 22;  // below them
constexpr double kRight = 98;  // percent
constexpr std::size_t kMostMarkers = 40;
constexpr std::size_t kMostPoints = 400;
constexpr double kMostAhead = 0.45;  // of the width, for what is to come

// Days since 1970; nullopt for what is no date.
std::optional<double> days(const std::string& utc) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0;
  if (std::sscanf(utc.c_str(), "%4d-%2d-%2dT%2d:%2d", &year, &month, &day, &hour, &minute) < 3) return {};
  std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                   std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return {};
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) +
         (hour * 60 + minute) / 1440.0;
}

// Where the points stand from left to right: by date, or in equal steps where dates do not tell them apart.
struct Across {
  std::vector<double> at;  // a point each, percent
  double left = 0;
  double now = 0;              // where the past ends
  double days_a_percent = 0;   // 0: not by date
  std::optional<double> last;  // day of the last point

  double of_day(double day) const { return now + (day - *last) / days_a_percent; }
};

// Clocks of committers differ: a commit stands no earlier than the one before it.
std::vector<double> all_days(const std::vector<std::string>& dates) {
  std::vector<double> all;
  for (const std::string& date : dates)
    if (std::optional<double> day = days(date))
      all.push_back(all.empty() ? *day : std::max(*day, all.back()));
  return all;
}

// How far the forecast reaches beyond the last point, in days.
double days_ahead(const TimeChart& chart, double last, double span) {
  if (!chart.forecast) return 0;
  std::optional<double> late = days(chart.forecast->latest);
  if (!late) late = days(chart.forecast->earliest);
  return late ? std::clamp(*late - last, 0.0, span * kMostAhead / (1 - kMostAhead)) : 0;
}

Across across_of(const TimeChart& chart, double left) {
  std::size_t count = chart.dates.size();
  std::vector<double> all = all_days(chart.dates);
  Across across{{}, left, kRight, 0, {}};
  bool dated = all.size() == count && count > 1 && all.back() > all.front();
  if (!dated) {
    double step = count > 1 ? (kRight - left) / static_cast<double>(count - 1) : 0;
    for (std::size_t i = 0; i < count; ++i)
      across.at.push_back(count > 1 ? left + step * static_cast<double>(i) : (left + kRight) / 2);
    return across;
  }
  double span = all.back() - all.front();
  across.last = all.back();
  across.days_a_percent = (span + days_ahead(chart, all.back(), span)) / (kRight - left);
  across.now = left + span / across.days_a_percent;
  for (double day : all) across.at.push_back(across.of_day(day));
  return across;
}

// 1, 2 or 5 times a power of ten, at least 1, so that at most `most` steps reach `top`.
long long step_of(long long top, long long most) {
  for (long long ten = 1;; ten *= 10)
    for (long long factor : {1, 2, 5})
      if (ten * factor * most >= top) return ten * factor;
}

long long largest(const Values& values) {
  long long most = 0;
  for (const std::optional<long long>& value : values) most = std::max(most, value.value_or(0));
  return most;
}

struct Scale {
  long long top = 1;
  long long step = 1;
  double y0 = 0;  // of zero
  double height = 1;
  double y(double value) const { return y0 - value / static_cast<double>(top) * height; }
};

Scale scale_of(const Values& values) {
  long long most = std::max(1LL, largest(values));
  long long step = step_of(most, 4);
  return {(most + step - 1) / step * step, step, kTop + kLineHeight, kLineHeight};
}

// Ten thousands would need more room than a narrow page has.
std::string short_number(long long value) {
  if (value < 10000) return std::to_string(value);
  if (value % 1000000 == 0) return fmt::format("{}M", value / 1000000);
  return value % 1000 == 0 ? fmt::format("{}k", value / 1000) : std::to_string(value);
}

std::string grid(const Scale& scale, double left) {
  std::string svg;
  for (long long value = 0; value <= scale.top; value += scale.step) {
    double y = scale.y(static_cast<double>(value));
    svg += fmt::format("<line class={} x1=\"{:.2f}%\" x2=\"100%\" y1={:.1f} y2={:.1f} />",
                       value == 0 ? "axis" : "grid", left, y, y);
    svg += fmt::format("<text x=\"{:.2f}%\" dx=-8 y={:.1f} text-anchor=end>{}</text>", left, y + 4,
                       short_number(value));
  }
  return svg;
}

double plot_height(const TimeChart& chart) {
  return kTop + kLineHeight + (chart.added.empty() ? 0 : kGap + kBarHeight);
}

// What stands in the stretched coordinates.
std::string stretched(const TimeChart& chart, const std::string& inner) {
  return fmt::format(
      "<svg x=0 y=0 width=\"100%\" height={0:.0f} viewBox=\"0 0 1000 {0:.0f}\" "
      "preserveAspectRatio=none>{1}</svg>",
      plot_height(chart) + 2, inner);
}

// Runs of points that follow each other without a gap.
std::string lines(const TimeChart& chart, const Across& across, const Scale& scale) {
  std::string path;
  bool drawn = false;  // the point before can be joined
  for (std::size_t i = 0; i < chart.values.size(); ++i) {
    bool gap = i < chart.gap_before.size() && chart.gap_before[i];
    if (chart.values[i])
      path += fmt::format("{}{:.1f} {:.1f}", drawn && !gap ? "L" : "M", across.at[i] * 10,
                          scale.y(static_cast<double>(*chart.values[i])));
    drawn = chart.values[i].has_value();
  }
  return path.empty() ? "" : "<path class=\"line t-accent\" d=\"" + path + "\" />";
}

bool joined(const TimeChart& chart, std::size_t i) {
  bool gap = i < chart.gap_before.size() && chart.gap_before[i];
  return i > 0 && i < chart.values.size() && chart.values[i] && chart.values[i - 1] && !gap;
}

// A point alone would not be seen as a line; the last one carries its number.
std::string markers(const TimeChart& chart, const Across& across, const Scale& scale) {
  std::string svg;
  for (std::size_t i = 0; i < chart.values.size(); ++i) {
    if (!chart.values[i]) continue;
    bool last = i + 1 == chart.values.size();
    bool alone = !joined(chart, i) && !joined(chart, i + 1);
    if (chart.values.size() > kMostMarkers && !last && !alone) continue;
    svg += fmt::format("<circle class=t-accent cx=\"{:.2f}%\" cy={:.1f} r={} />", across.at[i],
                       scale.y(static_cast<double>(*chart.values[i])), last ? 4 : 2.5);
  }
  return svg;
}

std::string last_value(const TimeChart& chart, const Across& across, const Scale& scale) {
  if (chart.values.empty() || !chart.values.back()) return "";
  double x = across.at.back();
  double y = scale.y(static_cast<double>(*chart.values.back()));
  bool room_right = x < 90;
  return fmt::format(
      "<text class=strong x=\"{:.2f}%\" dx={} y={:.1f} text-anchor={} font-weight=600>{}</text>", x,
      room_right ? 8 : 0, room_right ? y - 4 : std::max(y - 9, 10.0), room_right ? "start" : "end",
      *chart.values.back());
}

// What lies between the fast and the slow pace, cut where the chart ends.
std::string cone(const TimeChart& chart, const Across& across, const Scale& scale) {
  if (!chart.forecast || !across.last || chart.values.empty() || !chart.values.back()) return "";
  std::optional<double> early = days(chart.forecast->earliest), late = days(chart.forecast->latest);
  if (!early || *early < *across.last) return "";
  double x = across.now * 10, y = scale.y(static_cast<double>(*chart.values.back()));
  double x_early = across.of_day(*early) * 10;
  double x_late = late ? across.of_day(*late) * 10 : std::max(x_early, 1000.0);
  double y_late = late ? scale.y0 : y;
  std::string close = late ? "" : fmt::format("L{:.1f} {:.1f}", x_late, scale.y0);
  return fmt::format(
      "<path class=cone d=\"M{0:.1f} {1:.1f}L{2:.1f} {3:.1f}{6}L{4:.1f} {5:.1f}Z\" />"
      "<path class=edge d=\"M{0:.1f} {1:.1f}L{2:.1f} {3:.1f}M{0:.1f} {1:.1f}L{4:.1f} {5:.1f}\" />",
      x, y, x_late, y_late, x_early, scale.y0, close);
}

double bar_width(std::size_t count) {
  if (count <= 12) return 12;
  if (count <= 30) return 8;
  return count <= 60 ? 5 : count <= 120 ? 3 : 2;
}

// Where the bars stand: all upwards ones and all downwards ones to one scale.
struct BarScale {
  long long up = 0, down = 0;  // the largest
  double top = 0;
  double zero = 0;
  double length(long long value) const {
    return std::max(1.0,
                    static_cast<double>(value) / static_cast<double>(std::max(1LL, up + down)) * kBarHeight);
  }
};

BarScale bar_scale_of(const TimeChart& chart) {
  BarScale scale{*std::max_element(chart.added.begin(), chart.added.end()),
                 *std::max_element(chart.removed.begin(), chart.removed.end()), kTop + kLineHeight + kGap};
  bool none = scale.up + scale.down == 0;
  scale.zero = scale.top + (none ? kBarHeight / 2 : scale.up == 0 ? 0 : scale.length(scale.up));
  return scale;
}

std::string bar_path(const std::vector<long long>& amounts, const Across& across, const BarScale& scale,
                     int sign, const char* tone) {
  std::string path;
  for (std::size_t i = 0; i < across.at.size(); ++i)
    if (amounts[i] > 0)
      path += fmt::format("M{:.1f} {:.1f}V{:.1f}", across.at[i] * 10, scale.zero,
                          scale.zero + sign * scale.length(amounts[i]));
  if (path.empty()) return "";
  return fmt::format("<path class=\"bar {}\" stroke-width={} d=\"{}\" />", tone, bar_width(across.at.size()),
                     path);
}

// Upwards what came, downwards what went.
std::string bars(const TimeChart& chart, const Across& across) {
  if (chart.added.empty()) return "";
  BarScale scale = bar_scale_of(chart);
  return bar_path(chart.added, across, scale, -1, "t-added") +
         bar_path(chart.removed, across, scale, 1, "t-removed");
}

std::string bar_axis(const TimeChart& chart, const Across& across) {
  if (chart.added.empty()) return "";
  BarScale scale = bar_scale_of(chart);
  std::string svg = fmt::format("<line class=axis x1=\"{:.2f}%\" x2=\"100%\" y1={:.1f} y2={:.1f} />",
                                across.left, scale.zero, scale.zero);
  auto label = [&](double y, const char* sign, long long value) {
    if (value > 0)
      svg += fmt::format("<text x=\"{:.2f}%\" dx=-8 y={:.1f} text-anchor=end>{}{}</text>", across.left, y,
                         sign, short_number(value));
  };
  // Where the bars are short, their two numbers would lie on each other.
  label(std::min(scale.top + 8, scale.zero - 2), "+", scale.up);
  label(std::max(scale.top + kBarHeight, scale.zero + 12), "−", scale.down);
  return svg;
}

std::string date_at(double x, double y, const std::string& date, bool wide_only) {
  const char* anchor = x < 20 ? "start" : x > 88 ? "end" : "middle";
  return fmt::format("<text{} x=\"{:.2f}%\" y={:.1f} text-anchor={}>{}</text>",
                     wide_only ? " class=wide" : "", x, y, anchor, escaped(date.substr(0, 10)));
}

std::string day_name(double day) {
  std::chrono::sys_days whole{std::chrono::days(static_cast<int>(std::floor(day)))};
  std::chrono::year_month_day date{whole};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

// First and last day, what lies between in even parts, and where the chart ends.
std::string date_ticks(const TimeChart& chart, const Across& across) {
  double y = plot_height(chart) + kDates - 4;
  if (chart.dates.empty()) return "";
  if (!across.last) {
    std::string svg = date_at(across.at.front(), y, chart.dates.front(), false);
    if (chart.dates.size() > 1) svg += date_at(across.at.back(), y, chart.dates.back(), false);
    return svg;
  }
  std::string svg = date_at(across.left, y, chart.dates.front(), false);
  constexpr int kParts = 5;
  double whole = kRight - across.left;
  for (int i = 1; i <= kParts; ++i) {
    double x = across.left + whole * i / kParts;
    svg += date_at(x, y, day_name(*across.last + (x - across.now) * across.days_a_percent), i < kParts);
  }
  return svg;
}

// "2026-03-14: 120 (+3 −5)".
std::string says(const TimeChart& chart, std::size_t i) {
  std::string line = chart.dates[i].substr(0, 10) + ": ";
  line += chart.values[i] ? std::to_string(*chart.values[i]) : "not known";
  return chart.added.empty() ? line : line + fmt::format(" (+{} −{})", chart.added[i], chart.removed[i]);
}

// Where a mouse rests, the point's numbers are shown.
std::string hits(const TimeChart& chart, const Across& across) {
  std::string svg =
      fmt::format("<g class=hits stroke-width={}>", std::max(4.0, bar_width(chart.dates.size())));
  for (std::size_t i = 0; i < across.at.size(); ++i)
    svg += fmt::format("<path d=\"M{:.1f} {:.0f}V{:.0f}\"><title>{}</title></path>", across.at[i] * 10, kTop,
                       plot_height(chart), escaped(says(chart, i)));
  return svg + "</g>";
}

std::string image(const std::string& id, const std::string& title, const std::string& desc, double height,
                  const std::string& inner) {
  return fmt::format(
      "<svg role=img aria-labelledby=\"{0}-t {0}-d\" height={1:.0f}><title id=\"{0}-t\">{2}</title>"
      "<desc id=\"{0}-d\">{3}</desc>{4}</svg>",
      escaped(id), height, escaped(title), escaped(desc), inner);
}

std::string legend_entry(const char* tone, const std::string& name) {
  return fmt::format("<li><i class={}></i>{}</li>", tone, escaped(name));
}

std::string legend(const TimeChart& chart) {
  std::string html = legend_entry("\"t-accent as-line\"", chart.name);
  if (!chart.added.empty())
    html += legend_entry("t-added", "added since the point before") +
            legend_entry("t-removed", "removed since the point before");
  return "<ul class=legend aria-hidden=true>" + html + "</ul>";
}

// Room for the letters of the largest tick, also on a narrow page.
double left_of(const Scale& scale) { return short_number(scale.top).size() > 3 ? 9 : 7; }

}  // namespace

namespace {

TimeChart thinned(const TimeChart& chart) {
  std::size_t step = (chart.dates.size() + kMostPoints - 1) / kMostPoints;
  TimeChart thin = chart;
  thin.dates.clear(), thin.gap_before.clear(), thin.values.clear(), thin.added.clear(), thin.removed.clear();
  bool gap = false;
  long long added = 0;
  long long removed = 0;
  for (std::size_t i = 0; i < chart.dates.size(); ++i) {
    gap = gap || chart.gap_before[i];
    added += chart.added.empty() ? 0 : chart.added[i];
    removed += chart.added.empty() ? 0 : chart.removed[i];
    bool last = (chart.dates.size() - 1 - i) % step == 0;
    if (!last) continue;
    thin.dates.push_back(chart.dates[i]);
    thin.gap_before.push_back(gap);
    thin.values.push_back(chart.values[i]);
    if (!chart.added.empty()) thin.added.push_back(added), thin.removed.push_back(removed);
    gap = false;
    added = removed = 0;
  }
  return thin;
}

}  // namespace

Markup time_chart(const TimeChart& whole) {
  TimeChart chart = whole.dates.size() > kMostPoints ? thinned(whole) : whole;
  Scale scale = scale_of(chart.values);
  Across across = across_of(chart, left_of(scale));
  std::string inner = grid(scale, across.left) + bar_axis(chart, across) +
                      stretched(chart, hits(chart, across) + cone(chart, across, scale) +
                                           lines(chart, across, scale) + bars(chart, across)) +
                      markers(chart, across, scale) + last_value(chart, across, scale) +
                      date_ticks(chart, across);
  return {"<div class=chart>" + legend(chart) +
          image(chart.id, chart.title, chart.desc, plot_height(chart) + kDates, inner) + "</div>"};
}

Markup bar_chart(const BarChart& chart) {
  constexpr double kRow = 40;
  long long most = 1;
  for (const Bar& bar : chart.bars) most = std::max(most, bar.whole);
  std::string inner;
  double y = 0;
  for (const Bar& bar : chart.bars) {
    double whole = static_cast<double>(bar.whole) / static_cast<double>(most) * 100;
    double part = static_cast<double>(bar.part) / static_cast<double>(most) * 100;
    inner += fmt::format(
        "<text class=strong x=0 y={0:.0f}>{1}</text><text x=\"100%\" y={0:.0f} text-anchor=end>{2}</text>",
        y + 13, escaped(bar.label), escaped(bar.says));
    inner +=
        fmt::format("<rect class=t-rest x=0 y={:.0f} width=\"{:.2f}%\" height=12 rx=2 />", y + 19, whole);
    if (bar.part > 0)
      inner +=
          fmt::format("<rect class=t-accent x=0 y={:.0f} width=\"{:.2f}%\" height=12 rx=2 />", y + 19, part);
    y += kRow;
  }
  std::string key = "<ul class=legend aria-hidden=true>" + legend_entry("t-accent", chart.part_name) +
                    legend_entry("t-rest", chart.rest_name) + "</ul>";
  return {"<div class=chart>" + key + image(chart.id, chart.title, chart.desc, std::max(y, kRow), inner) +
          "</div>"};
}

Markup sparkline(const std::vector<std::optional<long long>>& values, std::string_view says) {
  std::size_t known =
      values.size() - static_cast<std::size_t>(std::count(values.begin(), values.end(), std::nullopt));
  if (known < 2) return {};
  double most = static_cast<double>(std::max(1LL, largest(values)));
  std::string path;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    double x = 100.0 * static_cast<double>(i) / static_cast<double>(values.size() - 1);
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() || !values[i - 1] ? "M" : "L", x,
                        26 - static_cast<double>(*values[i]) / most * 24);
  }
  return {fmt::format(
      "<svg class=spark role=img aria-label=\"{}\" viewBox=\"0 0 100 28\" preserveAspectRatio=none>"
      "<path class=\"line t-accent\" d=\"{}\" /></svg>",
      escaped(says), path)};
}

}  // namespace hwsift::report::html
