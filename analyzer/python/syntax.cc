#include "analyzer/python/syntax.h"

#include <algorithm>
#include <string>
#include <utility>

#include "analyzer/python/grammar.h"
#include "analyzer/python/tokens.h"
#include "base/text.h"

extern "C" const TSLanguage* tree_sitter_python(void);

namespace hwsift::analyzer {
namespace {

constexpr std::size_t kMaxErrors = 20;

struct ParserDeleter {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

Tree parse_tree(const std::string& text) {
  std::unique_ptr<TSParser, ParserDeleter> parser(ts_parser_new());
  ts_parser_set_language(parser.get(), tree_sitter_python());
  return Tree(ts_parser_parse_string(parser.get(), nullptr, text.data(), static_cast<std::uint32_t>(text.size())));
}

std::string rewritten(const std::string& text, const std::vector<Rewrite>& rewrites, bool doubtful) {
  std::string result = text;
  for (const Rewrite& rewrite : rewrites) {
    if (rewrite.doubtful && !doubtful) continue;
    for (std::uint32_t at = rewrite.begin; at < rewrite.end; ++at) {
      std::size_t n = at - rewrite.begin;
      if (result[at] != '\n' && result[at] != '\r') result[at] = n < rewrite.fill.size() ? rewrite.fill[n] : ' ';
    }
  }
  return result;
}

Tree parse_known(const std::string& text, const GrammarVerdict& verdict) {
  if (verdict.rewrites.empty()) return parse_tree(text);
  Tree tree = parse_tree(rewritten(text, verdict.rewrites, false));
  auto doubtful = [](const Rewrite& rewrite) { return rewrite.doubtful; };
  bool again = verdict.faults.empty() && ts_node_has_error(ts_tree_root_node(tree.get())) &&
               std::any_of(verdict.rewrites.begin(), verdict.rewrites.end(), doubtful);
  return again ? parse_tree(rewritten(text, verdict.rewrites, true)) : std::move(tree);
}

// ---- which errors to tell

// When the grammar fails, CPython reads the rest of the file for errors of the tokenizer and tells the first of them
// instead; and an open bracket, unless the grammar fails on the bracket's own line or before.
bool tokenizer_wins(const Tokens& tokens, const std::vector<SyntaxFault>& faults) {
  if (tokens.errors.empty()) return false;
  if (faults.empty() || tokens.errors[0].offset <= faults[0].offset) return true;
  return !tokens.errors[0].weak && !faults[0].final;
}

bool bracket_wins(const std::string& text, const Tokens& tokens, const std::vector<SyntaxFault>& faults) {
  if (!tokens.unclosed) return false;
  if (faults.empty()) return tokens.errors.empty();
  std::size_t end_of_line = text.find('\n', *tokens.unclosed);
  return faults[0].offset > end_of_line && !faults[0].final;
}

std::vector<SyntaxFault> choose(const std::string& text, const Tokens& tokens, std::vector<SyntaxFault> faults) {
  bool token_first = tokenizer_wins(tokens, faults);
  if (!token_first && bracket_wins(text, tokens, faults))
    faults = {{*tokens.unclosed, std::string("'") + text[*tokens.unclosed] + "' was never closed"}};
  if (token_first) {
    std::uint32_t first = tokens.errors.front().offset;
    auto before = [&](const SyntaxFault& fault) { return fault.offset <= first; };
    faults.erase(std::remove_if(faults.begin(), faults.end(), before), faults.end());
  }
  for (const TokenError& error : tokens.errors) faults.push_back({error.offset, error.message});
  auto earlier = [](const SyntaxFault& a, const SyntaxFault& b) { return a.offset < b.offset; };
  std::stable_sort(faults.begin(), faults.end(), earlier);
  if (faults.size() > kMaxErrors) faults.resize(kMaxErrors);
  return faults;
}

std::vector<ParseError> locate(const std::string& text, const std::vector<SyntaxFault>& faults) {
  std::vector<ParseError> errors;
  int line = 1;
  std::size_t line_start = 0;
  std::size_t at = 0;
  for (const SyntaxFault& fault : faults) {
    for (; at < fault.offset; ++at) {
      if (text[at] != '\n') continue;
      ++line;
      line_start = at + 1;
    }
    std::string_view before = std::string_view(text).substr(line_start, fault.offset - line_start);
    errors.push_back({line, 1 + static_cast<int>(code_points(before)), fault.message});
  }
  return errors;
}

}  // namespace

ParsedSource parse_python(const std::string& text) {
  Tokens tokens = tokenize(text);
  GrammarVerdict verdict = check_grammar(text, tokens);
  ParsedSource parsed;
  parsed.tree = parse_known(text, verdict);
  parsed.errors = locate(text, choose(text, tokens, std::move(verdict.faults)));
  return parsed;
}

}  // namespace hwsift::analyzer
