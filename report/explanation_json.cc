#include "base/json_writer.h"
#include "report/classes.h"
#include "report/evidence.h"
#include "report/explanation.h"

namespace hwsift::report {
namespace {

using classifier::Eligibility;
using classifier::Reason;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

void write(JsonWriter& json, const Reason& reason) {
  json.begin_object();
  json.member("kind", word(reason.kind));
  json.member("effect", word(reason.effect));
  json.member("line", reason.line);
  json.member("symbol", reason.symbol);
  json.member("text", reason.text);
  json.member("remedy", reason.remedy);
  if (!reason.path.empty()) json.member("path", reason.path);
  json.end_object();
}

void write(JsonWriter& json, const std::string& path, const Eligibility& answer) {
  bool exists = answer.state != Eligibility::State::not_generated;
  json.begin_object();
  json.member("state", word(answer.state));
  json.member("id", exists ? Json(run_id(path, answer)) : Json(nullptr));
  json.member("run_class", exists ? text_or_null(answer.run_class) : Json(nullptr));
  json.member("name", exists ? Json(answer.test) : Json(nullptr));
  json.member("expands", answer.expands);
  json.key("reasons");
  json.begin_array();
  for (const Reason& reason : answer.reasons) write(json, reason);
  json.end_array();
  json.end_object();
}

void write(JsonWriter& json, const std::string& path, const TestExplanation& test) {
  json.begin_object();
  json.member("name", test.name);
  json.member("line", test.line);
  json.member("inherited_from", text_or_null(test.inherited_from));
  json.member("category", test.counted.category.name());
  json.member("declared", test.counted.declared);
  json.member("inferred", test.inferred.name());
  json.key("evidence");
  write_evidence(json, test.evidence);
  if (test.on_device) {
    json.key("on_device");
    write(json, path, *test.on_device);
  }
  json.end_object();
}

Json split_json(const classifier::ClassVerdict& verdict) {
  Json json = Json::array();
  for (const classifier::SplitPart& part : verdict.split)
    json.push_back({{"name", part.name}, {"category", part.category.name()}, {"methods", part.methods}});
  return json;
}

void write_verdict(JsonWriter& json, const classifier::ClassVerdict& verdict) {
  json.member("declared", verdict.declared ? Json(verdict.declared->name()) : Json(nullptr));
  json.member("inferred", verdict.inferred.name());
  json.member("mixed", verdict.mixed);
  json.member("own_tests", verdict.own_tests);
  json.member("confidence", two_decimals(verdict.confidence));
  json.key("evidence");
  write_evidence(json, verdict.evidence);
  json.member("split", split_json(verdict));
}

void write(JsonWriter& json, const std::string& path, const ClassExplanation& told) {
  json.begin_object();
  json.member("name", told.cls != nullptr ? Json(told.cls->qualified_name) : Json(nullptr));
  json.member("line", told.cls != nullptr ? Json(told.cls->line) : Json(nullptr));
  if (told.label != nullptr)
    json.member("label", Json{{"line", told.label->line}, {"text", told.label->text}});
  if (told.label_from != nullptr) json.member("label_from", told.label_from->name);
  if (told.verdict != nullptr) write_verdict(json, *told.verdict);
  json.key("tests");
  json.begin_array();
  for (const TestExplanation& test : told.tests) write(json, path, test);
  json.end_array();
  json.end_object();
}

}  // namespace

std::string explanation_json(const Explanation& explanation) {
  static const char* const subjects[] = {"file", "class", "test"};
  std::string text;
  JsonWriter json(text, 1);
  json.begin_object();
  json.member("schema", "hwsift.explanation/1");
  json.member("subject", subjects[static_cast<int>(explanation.subject)]);
  json.member("id", explanation.id);
  json.member("asked", text_or_null(explanation.asked));
  json.member("asked_device", text_or_null(explanation.asked_device));
  json.member("path", explanation.path);
  json.member("device", text_or_null(explanation.device));
  json.member("test_file", explanation.test_file);
  json.member("excluded_by", text_or_null(explanation.excluded_by));
  json.member("parse_errors", explanation.parse_errors);
  json.key("classes");
  json.begin_array();
  for (const ClassExplanation& told : explanation.classes) write(json, explanation.path, told);
  json.end_array();
  json.end_object();
  text += '\n';
  return text;
}

std::string rule_explanation_json(const lint::RuleDocument& rule) {
  Json document = {{"schema", "hwsift.explanation/1"},
                   {"subject", "rule"},
                   {"id", rule.id},
                   {"summary", rule.summary},
                   {"profiles", rule.profiles},
                   {"fix", rule.fix},
                   {"why", rule.why},
                   {"bad", rule.bad},
                   {"good", rule.good}};
  return dump_json(document, 1) + "\n";
}

}  // namespace hwsift::report
