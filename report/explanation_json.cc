#include "base/json_writer.h"
#include "report/evidence.h"
#include "report/explanation.h"

namespace hwsift::report {
namespace {

using classifier::Eligibility;
using classifier::Reason;

void write(JsonWriter& json, const Reason& reason) {
  json.object([&] {
    json.member("kind", word(reason.kind));
    json.member("effect", word(reason.effect));
    json.member("line", reason.line);
    json.member("symbol", reason.symbol);
    json.member("text", reason.text);
    json.member("remedy", reason.remedy);
    if (!reason.path.empty()) json.member("path", reason.path);
  });
}

void write(JsonWriter& json, const std::string& path, const Eligibility& answer) {
  bool exists = answer.state != Eligibility::State::not_generated;
  json.object([&] {
    json.member("state", word(answer.state));
    json.member("id", exists ? Json(run_id(path, answer)) : Json(nullptr));
    json.text_or_null("run_class", exists ? answer.run_class : "");
    json.member("name", exists ? Json(answer.test) : Json(nullptr));
    json.member("expands", answer.expands);
    json.list("reasons", answer.reasons, [&](const Reason& reason) { write(json, reason); });
  });
}

void write(JsonWriter& json, const std::string& path, const TestExplanation& test) {
  json.object([&] {
    json.member("name", test.name);
    json.member("line", test.line);
    json.text_or_null("inherited_from", test.inherited_from);
    json.member("category", test.counted.category.name());
    json.member("declared", test.counted.declared);
    json.member("inferred", test.inferred.name());
    write_evidence(json, test.evidence);
    if (!test.on_device) return;
    json.key("on_device");
    write(json, path, *test.on_device);
  });
}

void write(JsonWriter& json, const classifier::SplitPart& part) {
  json.object([&] {
    json.member("name", part.name);
    json.member("category", part.category.name());
    json.member("methods", part.methods);
  });
}

void write(JsonWriter& json, const classifier::ClassVerdict& verdict) {
  write_judgement(json, verdict);
  json.list("split", verdict.split, [&](const classifier::SplitPart& part) { write(json, part); });
}

void write(JsonWriter& json, const std::string& path, const ClassExplanation& told) {
  json.object([&] {
    json.member("name", told.cls != nullptr ? Json(told.cls->qualified_name) : Json(nullptr));
    json.member("line", told.cls != nullptr ? Json(told.cls->line) : Json(nullptr));
    if (told.label != nullptr)
      json.member("label", Json{{"line", told.label->line}, {"text", told.label->text}});
    if (told.label_from != nullptr) json.member("label_from", told.label_from->name);
    if (told.verdict != nullptr) write(json, *told.verdict);
    json.list("tests", told.tests, [&](const TestExplanation& test) { write(json, path, test); });
  });
}

}  // namespace

std::string explanation_json(const Explanation& explanation) {
  static const char* const subjects[] = {"file", "class", "test"};
  std::string text;
  JsonWriter json(text, 1);
  json.object([&] {
    json.member("schema", "hwsift.explanation/1");
    json.member("subject", subjects[static_cast<int>(explanation.subject)]);
    json.member("id", explanation.id);
    json.text_or_null("asked", explanation.asked);
    json.text_or_null("asked_device", explanation.asked_device);
    json.member("path", explanation.path);
    json.text_or_null("device", explanation.device);
    json.member("test_file", explanation.test_file);
    json.text_or_null("excluded_by", explanation.excluded_by);
    json.member("parse_errors", explanation.parse_errors);
    json.list("classes", explanation.classes,
              [&](const ClassExplanation& told) { write(json, explanation.path, told); });
  });
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
