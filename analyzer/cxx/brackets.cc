#include "analyzer/cxx/brackets.h"

namespace hwsift::analyzer::cxx {
namespace {

bool is_one_of(const Token& token, const char* characters) {
  if (token.kind != TokenKind::punctuator || token.text.size() != 1) return false;
  for (const char* c = characters; *c != 0; ++c)
    if (token.text[0] == *c) return true;
  return false;
}

char opening_of(char closing) { return closing == ')' ? '(' : closing == ']' ? '[' : '{'; }

}  // namespace

bool opens(const Token& token) { return is_one_of(token, "([{"); }
bool closes(const Token& token) { return is_one_of(token, ")]}"); }

Brackets::Brackets(const std::vector<Token>& tokens) : partner_(tokens.size()) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    partner_[i] = i;
    if (opens(tokens[i])) open.push_back(i);
    if (closes(tokens[i])) close(tokens, open, i);
  }
  for (std::size_t i : open)
    if (tokens[i].is("{")) unmatched_.push_back(i);
}

// A brace ends whatever stands open inside it; a parenthesis that fits nothing is passed over.
void Brackets::close(const std::vector<Token>& tokens, std::vector<std::size_t>& open, std::size_t at) {
  char wanted = opening_of(tokens[at].text[0]);
  std::size_t depth = open.size();
  while (depth > 0 && tokens[open[depth - 1]].text[0] != wanted) {
    if (wanted != '{') return;
    --depth;
  }
  if (depth == 0) {
    if (wanted == '{') unmatched_.push_back(at);
    return;
  }
  partner_[at] = open[depth - 1];
  partner_[open[depth - 1]] = at;
  open.resize(depth - 1);
}

}  // namespace hwsift::analyzer::cxx
