#include "report/evidence.h"

#include "report/classes.h"

namespace hwsift::report {

std::string place_text(const std::string& path, int line) {
  return (path.empty() ? "line " : path + ":") + std::to_string(line);
}

std::string place_of(const classifier::Evidence& evidence) {
  return place_text(evidence.path, evidence.line);
}

std::string short_symbol(const std::string& symbol) {
  return symbol.starts_with("torch.testing._internal.") ? symbol.substr(symbol.rfind('.') + 1) : symbol;
}

static void write(JsonWriter& json, const classifier::Evidence& piece) {
  json.object([&] {
    json.member("line", piece.line);
    json.member("symbol", piece.symbol);
    json.member("says", piece.says);
    if (!piece.method.empty()) json.member("method", piece.method);
    if (!piece.path.empty()) json.member("path", piece.path);
  });
}

void write_evidence(JsonWriter& json, const std::vector<classifier::Evidence>& evidence) {
  json.list("evidence", evidence, [&](const classifier::Evidence& piece) { write(json, piece); });
}

void write_judgement(JsonWriter& json, const classifier::ClassVerdict& verdict) {
  json.member("declared", verdict.declared ? Json(verdict.declared->name()) : Json(nullptr));
  json.member("inferred", verdict.inferred.name());
  json.member("mixed", verdict.mixed);
  json.member("own_tests", verdict.own_tests);
  json.member("confidence", two_decimals(verdict.confidence));
  write_evidence(json, verdict.evidence);
}

}  // namespace hwsift::report
