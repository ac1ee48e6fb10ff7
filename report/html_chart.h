// Charts as SVG inside of a page. Each is an image to a screen reader, with a title and a description; the
// numbers stand beside it in a table, which is the printer's to make. They grow with the page while their
// letters keep their size.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/html.h"

namespace hwsift::report::html {

// From the last value down to 0.
struct Range {
  std::string earliest;  // "2027-03-14"
  std::string latest;    // "": never, at that pace
};

// One value over time, and below it what came and went.
struct TimeChart {
  std::string id;
  std::string title;
  std::string desc;
  std::string name;                                   // of the value: "without a label"
  std::vector<std::string> dates = {};                // UTC, oldest first
  std::vector<bool> gap_before = {};                  // the line is broken there; parallel to dates
  std::vector<std::optional<long long>> values = {};  // parallel to dates; nullopt breaks the line, too
  std::vector<long long> added = {}, removed = {};    // bars, parallel to dates; both empty: no bars
  std::optional<Range> forecast = {};
};
// Of more points than a screen can show apart, the last of each few stands for them, with the sum of their
// bars.
Markup time_chart(const TimeChart& chart);

struct Bar {
  std::string label;
  long long part = 0;  // of whole, drawn strong
  long long whole = 0;
  std::string says;  // at its end: "12 of 40"
};
struct BarChart {
  std::string id;
  std::string title;
  std::string desc;
  std::string part_name, rest_name;  // of the legend: "labelled", "without a label"
  std::vector<Bar> bars = {};
};
Markup bar_chart(const BarChart& chart);

// A line of the size of a word; empty for less than two values. `says` is its text alternative.
Markup sparkline(const std::vector<std::optional<long long>>& values, std::string_view says);

}  // namespace hwsift::report::html
