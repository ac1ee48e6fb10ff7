// STAND-IN: tree-sitter alone.
#include "analyzer/python/syntax.h"

extern "C" const TSLanguage* tree_sitter_python(void);

namespace hwsift::analyzer {
ParsedSource parse_python(const std::string& text) {
  TSParser* parser = ts_parser_new();
  ts_parser_set_language(parser, tree_sitter_python());
  ParsedSource parsed{
      Tree(ts_parser_parse_string(parser, nullptr, text.data(), static_cast<uint32_t>(text.size()))), {}};
  ts_parser_delete(parser);
  return parsed;
}
}  // namespace hwsift::analyzer
