#include <cmath>

#include "base/json.h"
#include "report/evidence.h"
#include "report/explanation.h"

namespace hwsift::report {
namespace {

using classifier::Eligibility;
using classifier::Reason;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json json_of(const Reason& reason) {
  Json json = {{"kind", word(reason.kind)}, {"effect", word(reason.effect)}, {"line", reason.line},
               {"symbol", reason.symbol},   {"text", reason.text},           {"remedy", reason.remedy}};
  if (!reason.path.empty()) json["path"] = reason.path;
  return json;
}

Json json_of(const std::string& path, const Eligibility& answer) {
  Json reasons = Json::array();
  for (const Reason& reason : answer.reasons) reasons.push_back(json_of(reason));
  bool exists = answer.state != Eligibility::State::not_generated;
  return {{"state", word(answer.state)},
          {"id", exists ? Json(run_id(path, answer)) : Json(nullptr)},
          {"run_class", exists ? text_or_null(answer.run_class) : Json(nullptr)},
          {"name", exists ? Json(answer.test) : Json(nullptr)},
          {"expands", answer.expands},
          {"reasons", std::move(reasons)}};
}

Json json_of(const std::string& path, const TestExplanation& test) {
  Json json = {{"name", test.name},
               {"line", test.line},
               {"inherited_from", text_or_null(test.inherited_from)},
               {"category", test.counted.category.name()},
               {"declared", test.counted.declared},
               {"inferred", test.inferred.name()},
               {"evidence", evidence_json(test.evidence)}};
  if (test.on_device) json["on_device"] = json_of(path, *test.on_device);
  return json;
}

Json split_json(const classifier::ClassVerdict& verdict) {
  Json json = Json::array();
  for (const classifier::SplitPart& part : verdict.split)
    json.push_back({{"name", part.name}, {"category", part.category.name()}, {"methods", part.methods}});
  return json;
}

void add_verdict(const classifier::ClassVerdict& verdict, Json& json) {
  json["declared"] = verdict.declared ? Json(verdict.declared->name()) : Json(nullptr);
  json["inferred"] = verdict.inferred.name();
  json["mixed"] = verdict.mixed;
  json["own_tests"] = verdict.own_tests;
  json["confidence"] = std::round(verdict.confidence * 100) / 100;
  json["evidence"] = evidence_json(verdict.evidence);
  json["split"] = split_json(verdict);
}

Json json_of(const std::string& path, const ClassExplanation& told) {
  Json json;
  json["name"] = told.cls != nullptr ? Json(told.cls->qualified_name) : Json(nullptr);
  json["line"] = told.cls != nullptr ? Json(told.cls->line) : Json(nullptr);
  if (told.label != nullptr) json["label"] = {{"line", told.label->line}, {"text", told.label->text}};
  if (told.label_from != nullptr) json["label_from"] = told.label_from->name;
  if (told.verdict != nullptr) add_verdict(*told.verdict, json);
  json["tests"] = Json::array();
  for (const TestExplanation& test : told.tests) json["tests"].push_back(json_of(path, test));
  return json;
}

}  // namespace

std::string explanation_json(const Explanation& explanation) {
  static const char* const subjects[] = {"file", "class", "test"};
  Json document = {{"schema", "hwsift.explanation/1"},
                   {"subject", subjects[static_cast<int>(explanation.subject)]},
                   {"id", explanation.id},
                   {"asked", text_or_null(explanation.asked)},
                   {"asked_device", text_or_null(explanation.asked_device)},
                   {"path", explanation.path},
                   {"device", text_or_null(explanation.device)},
                   {"test_file", explanation.test_file},
                   {"excluded_by", text_or_null(explanation.excluded_by)},
                   {"parse_errors", explanation.parse_errors}};
  document["classes"] = Json::array();
  for (const ClassExplanation& told : explanation.classes)
    document["classes"].push_back(json_of(explanation.path, told));
  return dump_json(document, 1) + "\n";
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
