#include "report/evidence.h"

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
  json.begin_object();
  json.member("line", piece.line);
  json.member("symbol", piece.symbol);
  json.member("says", piece.says);
  if (!piece.method.empty()) json.member("method", piece.method);
  if (!piece.path.empty()) json.member("path", piece.path);
  json.end_object();
}

void write_evidence(JsonWriter& json, const std::vector<classifier::Evidence>& evidence) {
  json.begin_array();
  for (const classifier::Evidence& piece : evidence) write(json, piece);
  json.end_array();
}

}  // namespace hwsift::report
