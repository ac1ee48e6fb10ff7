// hwsift.classes/1, a line a class.
#include "base/json_writer.h"
#include "report/classes.h"
#include "report/evidence.h"

namespace hwsift::report {
namespace {

using classifier::ClassVerdict;
using classifier::MethodVerdict;
using classifier::SplitPart;

void write(JsonWriter& json, const MethodVerdict& method) {
  json.object([&] {
    json.member("name", method.name);
    json.member("line", method.line);
    json.member("category", method.category.name());
    write_evidence(json, method.evidence);
  });
}

void write(JsonWriter& json, const SplitPart& part) {
  json.object([&] {
    json.member("name", part.name);
    json.member("category", part.category.name());
    json.member("methods", part.methods);
    json.member("helpers", part.helpers);
    json.member("joins", part.joins);
  });
}

void write(JsonWriter& json, const ClassVerdict& verdict) {
  json.object([&] {
    json.member("path", verdict.path);
    json.member("name", verdict.name);
    json.member("line", verdict.line);
    write_judgement(json, verdict);
    json.list("methods", verdict.methods, [&](const MethodVerdict& method) { write(json, method); });
    json.list("split", verdict.split, [&](const SplitPart& part) { write(json, part); });
  });
}

void write(JsonWriter& json, const Unclassified& made) {
  json.object([&] {
    json.member("path", made.path);
    json.text_or_null("name", made.name);
    json.member("line", made.line);
    json.member("text", made.text);
    json.member("why", made.why);
  });
}

void write(JsonWriter& json, const TestFunction& function) {
  json.object([&] {
    json.member("path", function.path);
    json.member("name", function.name);
    json.member("line", function.line);
  });
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

template <class Item>
void append(const Item& item, bool& first, std::string& text) {
  text += first ? "\n" : ",\n";
  JsonWriter json(text, -1);
  write(json, item);
  first = false;
}

template <class Item>
std::string listed(const std::vector<Item>& items, bool shown) {
  std::string text = "[";
  bool first = true;
  if (shown)
    for (const Item& item : items) append(item, first, text);
  return text + (first ? "]" : "\n]");
}

}  // namespace

std::string classes_json(const ClassesReport& report) {
  std::string text = "{\"schema\": \"hwsift.classes/1\",\n\"counts\": " + dump_json(counts_json(report), -1);
  text += ",\n\"show\": " + dump_json(show_json(report), -1) + ",\n\"classes\": [";
  bool first = true;
  for (const ClassVerdict& verdict : report.verdicts)
    if (is_shown(report, verdict)) append(verdict, first, text);
  bool rest = shows_unclassified(report);
  text += "\n],\n\"dynamic\": " + listed(report.dynamic, rest);
  return text + ",\n\"functions\": " + listed(report.functions, rest) + "\n}\n";
}

}  // namespace hwsift::report
