// hwsift.classes/1, written class by class, so that the tree of values of a whole document is never held at
// once.
#include "base/json.h"
#include "report/classes.h"
#include "report/evidence.h"

namespace hwsift::report {
namespace {

using classifier::ClassVerdict;
using classifier::MethodVerdict;
using classifier::SplitPart;

Json json_of(const MethodVerdict& method) {
  Json json;
  json["name"] = method.name;
  json["line"] = method.line;
  json["category"] = method.category.name();
  json["evidence"] = evidence_json(method.evidence);
  return json;
}

Json json_of(const SplitPart& part) {
  Json json;
  json["name"] = part.name;
  json["category"] = part.category.name();
  json["methods"] = part.methods;
  json["helpers"] = part.helpers;
  json["joins"] = part.joins;
  return json;
}

Json json_of(const ClassVerdict& verdict) {
  Json json;
  json["path"] = verdict.path;
  json["name"] = verdict.name;
  json["line"] = verdict.line;
  json["declared"] = verdict.declared ? Json(verdict.declared->name()) : Json(nullptr);
  json["inferred"] = verdict.inferred.name();
  json["mixed"] = verdict.mixed;
  json["own_tests"] = verdict.own_tests;
  json["confidence"] = two_decimals(verdict.confidence);
  json["evidence"] = evidence_json(verdict.evidence);
  json["methods"] = Json::array();
  for (const MethodVerdict& method : verdict.methods) json["methods"].push_back(json_of(method));
  json["split"] = Json::array();
  for (const SplitPart& part : verdict.split) json["split"].push_back(json_of(part));
  return json;
}

Json json_of(const Unclassified& made) {
  Json json;
  json["path"] = made.path;
  json["name"] = made.name.empty() ? Json(nullptr) : Json(made.name);
  json["line"] = made.line;
  json["text"] = made.text;
  json["why"] = made.why;
  return json;
}

Json json_of(const TestFunction& function) {
  Json json;
  json["path"] = function.path;
  json["name"] = function.name;
  json["line"] = function.line;
  return json;
}

// Of all there is, whatever is shown.
Json counts_json(const ClassesReport& report) {
  Totals totals = totals_of(report);
  return {{"classes", totals.classes},
          {"tests", totals.tests},
          {"declared", totals.declared},
          {"mixed", totals.mixed},
          {"without_own_tests", totals.further},
          {"disagree", totals.disagreeing},
          {"dynamic", report.dynamic.size()},
          {"functions", report.functions.size()},
          {"shown", totals.shown}};
}

Json show_json(const ClassesReport& report) {
  Json show = Json::array();
  for (Attention attention : report.show) show.push_back(word(attention));
  return show;
}

void append(const Json& json, bool& first, std::string& text) {
  text += first ? "\n" : ",\n";
  text += dump_json(json, -1);
  first = false;
}

template <class Item>
std::string listed(const std::vector<Item>& items, bool shown) {
  std::string text = "[";
  bool first = true;
  if (shown)
    for (const Item& item : items) append(json_of(item), first, text);
  return text + (first ? "]" : "\n]");
}

}  // namespace

std::string classes_json(const ClassesReport& report) {
  std::string text = "{\"schema\": \"hwsift.classes/1\",\n\"counts\": " + dump_json(counts_json(report), -1);
  text += ",\n\"show\": " + dump_json(show_json(report), -1) + ",\n\"classes\": [";
  bool first = true;
  for (const ClassVerdict& verdict : report.verdicts)
    if (is_shown(report, verdict)) append(json_of(verdict), first, text);
  bool rest = shows_unclassified(report);
  text += "\n],\n\"dynamic\": " + listed(report.dynamic, rest);
  return text + ",\n\"functions\": " + listed(report.functions, rest) + "\n}\n";
}

}  // namespace hwsift::report
