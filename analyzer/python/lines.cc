#include "analyzer/python/lines.h"

namespace hwsift::analyzer {

std::uint32_t after_brackets(const std::vector<Token>& tokens, std::uint32_t at) {
  int depth = 0;
  do {
    if (opens(tokens[at].kind)) ++depth;
    if (closes(tokens[at].kind)) --depth;
    ++at;
  } while (depth > 0);
  return at;
}

std::uint32_t after_literal(const std::vector<Token>& tokens, std::uint32_t at) {
  int depth = 0;
  do {
    if (tokens[at].kind == Kind::fstring_start) ++depth;
    if (tokens[at].kind == Kind::fstring_end) --depth;
    ++at;
  } while (depth > 0);
  return at;
}

std::uint32_t after_part(const std::vector<Token>& tokens, std::uint32_t at) {
  if (opens(tokens[at].kind)) return after_brackets(tokens, at);
  return tokens[at].kind == Kind::fstring_start ? after_literal(tokens, at) : at + 1;
}

std::uint32_t keyword_of(const std::vector<Token>& tokens, const Line& line) {
  return tokens[line.first].kind == Kind::kw_async ? line.first + 1 : line.first;
}

std::vector<Line> logical_lines(const Tokens& tokens) {
  std::vector<Line> lines;
  std::vector<std::uint32_t> open;  // lines whose blocks are being read
  std::uint32_t count = static_cast<std::uint32_t>(tokens.list.size());
  lines.reserve(count / 8);
  for (std::uint32_t at = 0; at < count; ++at) {
    Kind kind = tokens.list[at].kind;
    std::uint32_t line = static_cast<std::uint32_t>(lines.size());
    if (kind == Kind::indent) {
      open.push_back(line - 1);
    } else if (kind == Kind::dedent) {
      lines[open.back()].next = line;
      open.pop_back();
    } else if (kind != Kind::newline && kind != Kind::end) {
      std::uint32_t first = at;
      while (tokens.list[at].kind != Kind::newline && tokens.list[at].kind != Kind::end) ++at;
      lines.push_back({first, at, line + 1});
    }
  }
  return lines;
}

}  // namespace hwsift::analyzer
