#include "report/evidence.h"

namespace hwsift::report {

std::string place_text(const std::string& path, int line) {
  return (path.empty() ? "line " : path + ":") + std::to_string(line);
}

std::string place_of(const classifier::Evidence& evidence) {
  return place_text(evidence.path, evidence.line);
}

static Json json_of(const classifier::Evidence& evidence) {
  Json json;
  json["line"] = evidence.line;
  json["symbol"] = evidence.symbol;
  json["says"] = evidence.says;
  if (!evidence.method.empty()) json["method"] = evidence.method;
  if (!evidence.path.empty()) json["path"] = evidence.path;
  return json;
}

std::string short_symbol(const std::string& symbol) {
  return symbol.starts_with("torch.testing._internal.") ? symbol.substr(symbol.rfind('.') + 1) : symbol;
}

Json evidence_json(const std::vector<classifier::Evidence>& evidence) {
  Json json = Json::array();
  for (const classifier::Evidence& piece : evidence) json.push_back(json_of(piece));
  return json;
}

}  // namespace hwsift::report
