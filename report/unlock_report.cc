#include "report/unlock_report.h"

#include <fmt/format.h>

#include <cmath>

#include "base/csv.h"
#include "base/text.h"

namespace hwsift::report {
namespace {

using history::EditPlace;
using history::Unlock;

std::string tests(long long count) { return fmt::format("{} {}", count, count == 1 ? "test" : "tests"); }

std::string head_of(const Unlock& unlock, const Style& style) {
  std::string name = unlock.cls.empty() ? unlock.path : unlock.path + "::" + unlock.cls;
  std::string text = style.green(fmt::format("+{}", tests(unlock.tests))) + "  " + printable(name);
  return unlock.elsewhere == 0
             ? text
             : text + fmt::format("  ({} of them names another device in its code)", unlock.elsewhere);
}

double rounded(double number) { return std::round(number * 100) / 100; }

}  // namespace

Json unlock_json(const Unlock& unlock) {
  Json json;
  json["device"] = unlock.device;
  json["path"] = unlock.path;
  json["class"] = unlock.cls.empty() ? Json(nullptr) : Json(unlock.cls);
  json["tests"] = unlock.tests;
  json["per_edit"] = rounded(unlock.per_edit());
  json["places"] = Json::array();
  for (const EditPlace& place : unlock.places)
    json["places"].push_back({{"line", place.line}, {"text", place.text}});
  json["elsewhere"] = unlock.elsewhere;
  return json;
}

std::string unlock_report_json(const UnlockReport& report) {
  Json document;
  document["schema"] = "hwsift.unlock/1";
  document["device"] = report.device;
  document["found"] = report.found;
  document["unlocks"] = Json::array();
  for (const Unlock& unlock : report.unlocks) document["unlocks"].push_back(unlock_json(unlock));
  return dump_json(document, 2) + "\n";
}

std::string unlock_report_csv(const UnlockReport& report) {
  std::string text =
      csv_row({"device", "rank", "path", "class", "tests", "elsewhere", "edits", "per_edit", "line", "edit"});
  for (std::size_t i = 0; i < report.unlocks.size(); ++i) {
    const Unlock& unlock = report.unlocks[i];
    for (const EditPlace& place : unlock.places)
      text += csv_row({unlock.device, std::to_string(i + 1), unlock.path, unlock.cls,
                       std::to_string(unlock.tests), std::to_string(unlock.elsewhere),
                       std::to_string(unlock.places.size()), fmt::format("{:.2f}", unlock.per_edit()),
                       std::to_string(place.line), place.text});
  }
  return text;
}

std::string unlock_report_text(const UnlockReport& report, std::size_t width, const Style& style) {
  if (report.found == 0)
    return fmt::format("No edit that hwsift knows would let more tests run on {}.\n", report.device);
  std::string text;
  for (const Unlock& unlock : report.unlocks) {
    text += cut_to(head_of(unlock, style), width) + "\n";
    for (const EditPlace& place : unlock.places)
      text += cut_to(fmt::format("    :{}  {}", place.line, printable(place.text)), width) + "\n";
  }
  text += fmt::format(
      "\n{} of {} sets of edits for {}, most tests an edit first; sets of one file may overlap.\n",
      report.unlocks.size(), report.found, report.device);
  return text;
}

}  // namespace hwsift::report
