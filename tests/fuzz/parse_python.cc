// Any bytes as Python source: errors in order, within the text; a tree as long as the text; tokens that do
// not overlap.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "analyzer/python/decode.h"
#include "analyzer/python/syntax.h"
#include "analyzer/python/tokens.h"
#include "base/text.h"

namespace {

using namespace hwsift::analyzer;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_tokens(const std::string& text) {
  std::uint32_t end = 0;
  for (const Token& token : tokenize(text).list) {
    require(token.begin <= token.end && token.end <= text.size());
    if (token.kind == Kind::error) continue;
    require(token.begin >= end);
    end = token.end;
  }
}

void check_parse(const std::string& text) {
  ParsedSource parsed = parse_python(text);
  require(parsed.tree != nullptr);
  require(ts_node_end_byte(ts_tree_root_node(parsed.tree.get())) <= text.size());
  int line = 1;
  for (const ParseError& error : parsed.errors) {
    require(error.line >= line && error.col >= 1 && !error.message.empty());
    line = error.line;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Decoded decoded = decode_python_source(std::string(reinterpret_cast<const char*>(data), size));
  require(!hwsift::invalid_utf8_at(decoded.source.text));
  require(decoded.ok == decoded.failure.message.empty());
  check_tokens(decoded.source.text);
  check_parse(decoded.source.text);
  return 0;
}
