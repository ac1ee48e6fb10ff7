#include "analyzer/python/syntax.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "analyzer/python/analyze.h"
#include "analyzer/python/grammar.h"
#include "analyzer/python/suppressions.h"
#include "analyzer/python/tokens.h"
#include "analyzer/suppression_text.h"
#include "base/text.h"

extern "C" const TSLanguage* tree_sitter_python(void);

namespace hwsift::analyzer {
namespace {

constexpr std::size_t kMaxErrors = 20;

// Beyond these the tree is given up: hostile text makes tree-sitter read parts of it again and again, and
// code that walks the tree must be able to recurse. Real files are read twice at most and are a few dozen
// nodes deep.
constexpr std::uint32_t kChunk = 1 << 16;
constexpr std::uint64_t kMaxServed = 64;  // times the size of the text, beside what follows
constexpr std::uint64_t kFreelyServed = 16 << 20;
constexpr std::chrono::seconds kMaxTime{10};
constexpr std::chrono::microseconds kMaxTimePerByte{2};
constexpr std::size_t kLongLine = 1 << 14;
constexpr int kMaxTreeDepth = 3000;

struct ParserDeleter {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

// What tree-sitter reads of a text, and how often.
struct Feed {
  const std::string& text;
  std::uint64_t budget;
  std::chrono::steady_clock::time_point deadline;

  bool is_spent() const { return budget == 0; }
};

const char* serve(void* payload, std::uint32_t at, TSPoint, std::uint32_t* length) {
  Feed& feed = *static_cast<Feed*>(payload);
  *length = 0;
  if (at >= feed.text.size() || feed.is_spent()) return "";
  *length = std::min(kChunk - at % kChunk, static_cast<std::uint32_t>(feed.text.size()) - at);
  feed.budget -= std::min<std::uint64_t>(feed.budget, *length);
  return feed.text.data() + at;
}

bool must_stop(TSParseState* state) {
  Feed& feed = *static_cast<Feed*>(state->payload);
  return feed.is_spent() || std::chrono::steady_clock::now() > feed.deadline;
}

int depth_of(const TSTree* tree) {
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  int depth = 0;
  int deepest = 0;
  bool more = true;
  while (more) {
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      deepest = std::max(deepest, ++depth);
      continue;
    }
    while (more && !ts_tree_cursor_goto_next_sibling(&cursor)) {
      more = ts_tree_cursor_goto_parent(&cursor);
      --depth;
    }
  }
  ts_tree_cursor_delete(&cursor);
  return deepest;
}

// One a thread, which keeps its memory from one file to the next.
TSParser* parser_of_thread() {
  thread_local std::unique_ptr<TSParser, ParserDeleter> parser;
  if (!parser) {
    parser.reset(ts_parser_new());
    ts_parser_set_language(parser.get(), tree_sitter_python());
  }
  ts_parser_reset(parser.get());  // where it was stopped, it would go on with another text
  return parser.get();
}

// Null where tree-sitter was stopped.
Tree parse_tree(const std::string& text) {
  Feed feed{text, kMaxServed * text.size() + kFreelyServed,
            std::chrono::steady_clock::now() + kMaxTime + text.size() * kMaxTimePerByte};
  TSInput input{&feed, serve, TSInputEncodingUTF8, nullptr};
  Tree tree(
      ts_parser_parse_with_options(parser_of_thread(), nullptr, input, TSParseOptions{&feed, must_stop}));
  return feed.is_spent() ? nullptr : std::move(tree);
}

void blank(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t at = from; at < to; ++at)
    if (text[at] != '\n' && text[at] != '\r') text[at] = ' ';
}

std::string blanked_from(const std::string& text, std::size_t start) {
  std::string result = text;
  blank(result, start, result.size());
  return result;
}

std::size_t line_start(const std::string& text, std::size_t at) {
  return at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
}

// Error recovery within one very long line can take tree-sitter hours; such a line says nothing anyway.
void blank_long_lines(std::string& text, const std::vector<SyntaxFault>& faults) {
  for (const SyntaxFault& fault : faults) {
    std::size_t start = line_start(text, fault.offset);
    std::size_t end = std::min(text.find('\n', start), text.size());
    if (end - start > kLongLine) blank(text, start, end);
  }
}

std::string rewritten(const std::string& text, const std::vector<Rewrite>& rewrites, bool doubtful) {
  std::string result = text;
  for (const Rewrite& rewrite : rewrites) {
    if (rewrite.doubtful && !doubtful) continue;
    for (std::uint32_t at = rewrite.begin; at < rewrite.end; ++at) {
      std::size_t n = at - rewrite.begin;
      if (result[at] != '\n' && result[at] != '\r')
        result[at] = n < rewrite.fill.size() ? rewrite.fill[n] : ' ';
    }
  }
  return result;
}

bool is_shallow(const Tree& tree) { return tree && depth_of(tree.get()) <= kMaxTreeDepth; }

bool is_layout(Kind kind) {
  return kind == Kind::newline || kind == Kind::indent || kind == Kind::dedent || kind == Kind::end;
}

// Each statement on one line: what stands between its tokens becomes blanks. tree-sitter takes some line ends
// in brackets for the end of the statement.
std::string on_one_line(const std::string& text, const std::vector<Token>& tokens) {
  std::string result = text;
  int texts = 0;  // f-strings around a token, whose words are between tokens too
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind == Kind::fstring_start) ++texts;
    if (tokens[i].kind == Kind::fstring_end) --texts;
    if (texts > 0 || is_layout(tokens[i].kind) || is_layout(tokens[i + 1].kind)) continue;
    for (std::size_t at = tokens[i].end; at < tokens[i + 1].begin; ++at) result[at] = ' ';
  }
  return result;
}

// The tree of a text that Python accepts, if it can be had.
Tree parse_valid(const std::string& text, const GrammarVerdict& verdict) {
  if (verdict.rewrites.empty()) return parse_tree(text);
  Tree tree = parse_tree(rewritten(text, verdict.rewrites, false));
  auto doubtful = [](const Rewrite& rewrite) { return rewrite.doubtful; };
  if (std::none_of(verdict.rewrites.begin(), verdict.rewrites.end(), doubtful)) return tree;
  bool good = tree && !ts_node_has_error(ts_tree_root_node(tree.get())) && is_shallow(tree);
  if (good) return tree;
  tree = parse_tree(rewritten(text, verdict.rewrites, true));
  return is_shallow(tree) ? std::move(tree) : nullptr;
}

// The tree of a text that Python refuses; where that gets out of hand, of what stands above the first error.
Tree parse_invalid(const std::string& text, const GrammarVerdict& verdict,
                   const std::vector<SyntaxFault>& faults) {
  std::string known = rewritten(text, verdict.rewrites, false);
  blank_long_lines(known, faults);
  Tree tree = parse_tree(known);
  if (is_shallow(tree)) return tree;
  tree = parse_tree(blanked_from(text, line_start(text, faults[0].offset)));
  return is_shallow(tree) ? std::move(tree) : nullptr;
}

// ---- which errors to tell

// When the grammar fails, CPython reads the rest of the file for errors of the tokenizer and tells the first
// of them instead; and an open bracket, unless the grammar fails on the bracket's own line or before.
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

std::vector<SyntaxFault> choose(const std::string& text, const Tokens& tokens,
                                std::vector<SyntaxFault> faults) {
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

namespace {

// Whether an excerpt needs no more than that tokens are left out.
bool suits_excerpt(const Rewrite& rewrite) { return !rewrite.doubtful && rewrite.fill.empty(); }

void leave_out(const std::vector<Rewrite>& rewrites, std::vector<Token>& tokens) {
  for (const Rewrite& rewrite : rewrites)
    std::erase_if(tokens, [&](const Token& token) {
      return token.begin >= rewrite.begin && token.end <= rewrite.end && token.end > token.begin;
    });
}

// Null where tree-sitter does not know all of it after all.
Tree parse_excerpt(const Excerpt& excerpt) {
  Tree tree = parse_tree(excerpt.text());
  return tree && !ts_node_has_error(ts_tree_root_node(tree.get())) ? std::move(tree) : nullptr;
}

}  // namespace

ParsedSource parse_python(const std::string& text, const Words* words, Meter* meter) {
  std::optional<MeterScope> scope;
  scope.emplace(meter, kLex).count(text.size());
  Tokens tokens = tokenize(text);
  GrammarVerdict verdict = check_grammar(text, tokens);
  std::vector<SyntaxFault> faults = choose(text, tokens, verdict.faults);
  ParsedSource parsed;
  if (has_text(text, kSuppressionMarker)) parsed.comments = comments_of(text, tokens);
  bool suited =
      faults.empty() && std::all_of(verdict.rewrites.begin(), verdict.rewrites.end(), suits_excerpt);
  if (words != nullptr && suited) {
    scope.emplace(meter, kExcerpt).count(text.size());
    leave_out(verdict.rewrites, tokens.list);
    parsed.excerpt = make_excerpt(text, tokens, *words);
    scope.emplace(meter, kParse).count(parsed.excerpt->text().size());
    parsed.tree = parse_excerpt(*parsed.excerpt);
    if (parsed.tree) return parsed;
    parsed.excerpt.reset();
  }
  scope.emplace(meter, kParse).count(text.size());
  parsed.tree = faults.empty() ? parse_valid(on_one_line(text, tokens.list), verdict)
                               : parse_invalid(text, verdict, faults);
  if (!parsed.tree) {
    parsed.tree = parse_tree(blanked_from(text, 0));
    if (faults.empty()) faults.push_back({0, "too complex to be read"});
  }
  parsed.errors = locate(text, faults);
  return parsed;
}

}  // namespace hwsift::analyzer
