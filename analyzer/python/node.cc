#include "analyzer/python/node.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"

extern "C" const TSLanguage* tree_sitter_python(void);

namespace hwsift::analyzer {
namespace {

TSSymbol symbol(const char* name) {
  return ts_language_symbol_for_name(tree_sitter_python(), name, static_cast<uint32_t>(std::strlen(name)),
                                     true);
}

TSFieldId field_id(const char* name) {
  return ts_language_field_id_for_name(tree_sitter_python(), name, static_cast<uint32_t>(std::strlen(name)));
}

Grammar load_grammar() {
  Grammar g{};
#define SYMBOL(name) g.name = symbol(#name)
  SYMBOL(argument_list);
  SYMBOL(as_pattern);
  SYMBOL(as_pattern_target);
  SYMBOL(assert_statement);
  SYMBOL(assignment);
  SYMBOL(attribute);
  SYMBOL(augmented_assignment);
  SYMBOL(binary_operator);
  SYMBOL(block);
  SYMBOL(boolean_operator);
  SYMBOL(call);
  SYMBOL(case_clause);
  SYMBOL(case_pattern);
  SYMBOL(class_definition);
  SYMBOL(comment);
  SYMBOL(comparison_operator);
  SYMBOL(conditional_expression);
  SYMBOL(decorated_definition);
  SYMBOL(decorator);
  SYMBOL(default_parameter);
  SYMBOL(dictionary);
  SYMBOL(dictionary_splat_pattern);
  SYMBOL(elif_clause);
  SYMBOL(else_clause);
  SYMBOL(except_clause);
  SYMBOL(except_group_clause);
  SYMBOL(expression_statement);
  SYMBOL(finally_clause);
  SYMBOL(for_statement);
  SYMBOL(function_definition);
  SYMBOL(future_import_statement);
  SYMBOL(generic_type);
  SYMBOL(identifier);
  SYMBOL(if_statement);
  SYMBOL(import_from_statement);
  SYMBOL(import_statement);
  SYMBOL(keyword_argument);
  SYMBOL(keyword_separator);
  SYMBOL(lambda_parameters);
  SYMBOL(line_continuation);
  SYMBOL(list);
  SYMBOL(list_splat_pattern);
  SYMBOL(match_statement);
  SYMBOL(module);
  SYMBOL(named_expression);
  SYMBOL(none);
  SYMBOL(not_operator);
  SYMBOL(pair);
  SYMBOL(parenthesized_expression);
  SYMBOL(positional_separator);
  SYMBOL(raise_statement);
  SYMBOL(return_statement);
  SYMBOL(set);
  SYMBOL(string);
  SYMBOL(string_content);
  SYMBOL(interpolation);
  SYMBOL(subscript);
  SYMBOL(try_statement);
  SYMBOL(tuple);
  SYMBOL(type);
  SYMBOL(typed_default_parameter);
  SYMBOL(typed_parameter);
  SYMBOL(while_statement);
  SYMBOL(wildcard_import);
  SYMBOL(with_statement);
  SYMBOL(dotted_name);
  SYMBOL(relative_import);
  SYMBOL(aliased_import);
  SYMBOL(concatenated_string);
#undef SYMBOL
  g.true_ = symbol("true");
  g.false_ = symbol("false");
#define FIELD(name) g.name = field_id(#name)
  FIELD(alternative);
  FIELD(arguments);
  FIELD(body);
  FIELD(condition);
  FIELD(consequence);
  FIELD(definition);
  FIELD(function);
  FIELD(key);
  FIELD(left);
  FIELD(name);
  FIELD(object);
  FIELD(operators);
  FIELD(module_name);
  FIELD(parameters);
  FIELD(right);
  FIELD(superclasses);
  FIELD(value);
  FIELD(alias);
#undef FIELD
  g.type_field = field_id("type");
  g.subscript_field = field_id("subscript");
  g.attribute_field = field_id("attribute");
  return g;
}

constexpr int kMaxChain = 32;

}  // namespace

const Grammar& grammar() {
  static const Grammar g = load_grammar();
  return g;
}

Source::Source(const std::string& text) : text_(text) {
  ascii_ = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string_view Source::text(TSNode node) const {
  if (ts_node_is_null(node)) return {};
  uint32_t start = ts_node_start_byte(node);
  return std::string_view(text_).substr(start, ts_node_end_byte(node) - start);
}

int Source::line(TSNode node) const { return static_cast<int>(ts_node_start_point(node).row) + 1; }

// A comment after the last statement belongs to the block in the grammar, not in Python.
int Source::end_line(TSNode node) const {
  for (uint32_t last = ts_node_child_count(node); last > 0;) {
    TSNode child = ts_node_child(node, --last);
    if (is_trivia(child) || ts_node_start_byte(child) == ts_node_end_byte(child)) continue;
    node = child;
    last = ts_node_child_count(node);
  }
  return static_cast<int>(ts_node_end_point(node).row) + 1;
}

int Source::col(TSNode node) const {
  uint32_t bytes = ts_node_start_point(node).column;
  if (ascii_) return static_cast<int>(bytes) + 1;
  std::string_view before = std::string_view(text_).substr(ts_node_start_byte(node) - bytes, bytes);
  return static_cast<int>(code_points(before)) + 1;
}

std::string Source::one_line(TSNode node, std::size_t limit) const {
  std::string folded;
  for (char c : text(node).substr(0, limit * 4)) {
    bool blank = is_ascii_space(c);
    if (blank && (folded.empty() || folded.back() == ' ')) continue;
    folded += blank ? ' ' : c;
  }
  if (folded.size() > limit) {
    std::size_t end = limit;
    while (end > 0 && (static_cast<unsigned char>(folded[end]) & 0xC0) == 0x80) --end;
    folded.resize(end);
  }
  return folded;
}

std::vector<TSNode> named_children(TSNode node) {
  std::vector<TSNode> children;
  if (ts_node_is_null(node)) return children;
  TSTreeCursor cursor = ts_tree_cursor_new(node);
  if (ts_tree_cursor_goto_first_child(&cursor)) {
    do {
      TSNode child = ts_tree_cursor_current_node(&cursor);
      if (ts_node_is_named(child) && !is_trivia(child)) children.push_back(child);
    } while (ts_tree_cursor_goto_next_sibling(&cursor));
  }
  ts_tree_cursor_delete(&cursor);
  return children;
}

TSNode field(TSNode node, TSFieldId id) {
  return ts_node_is_null(node) ? node : ts_node_child_by_field_id(node, id);
}

bool is_trivia(TSNode node) { return is(node, grammar().comment) || is(node, grammar().line_continuation); }

bool is(TSNode node, TSSymbol wanted) { return !ts_node_is_null(node) && ts_node_symbol(node) == wanted; }

TSNode unwrapped(TSNode node) {
  while (is(node, grammar().parenthesized_expression)) {
    std::vector<TSNode> inside = named_children(node);
    if (inside.size() != 1) break;
    node = inside.front();
  }
  return node;
}

std::string dotted_text(const Source& source, TSNode node) {
  const Grammar& g = grammar();
  std::vector<std::string_view> parts;
  while (is(node, g.attribute) && parts.size() < kMaxChain) {
    parts.push_back(source.text(field(node, g.attribute_field)));
    node = field(node, g.object);
  }
  if (!is(node, g.identifier)) return "";
  std::string dotted(source.text(node));
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) dotted.append(".").append(*part);
  return dotted;
}

std::string_view last_word(std::string_view dotted) {
  std::size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? dotted : dotted.substr(dot + 1);
}

StringLiteral string_literal(const Source& source, TSNode node) {
  StringLiteral literal;
  std::string_view text = source.text(node);
  std::size_t quote = text.find_first_of("'\"");
  if (quote == std::string_view::npos || quote > 3) return literal;
  std::string_view prefix = text.substr(0, quote);
  if (prefix.find_first_of("bB") != std::string_view::npos) return literal;
  bool triple = text.size() >= quote + 6 && text[quote + 1] == text[quote] && text[quote + 2] == text[quote];
  std::size_t quotes = triple ? 3 : 1;
  if (text.size() < quote + 2 * quotes) return literal;
  literal.is_text = true;
  literal.inner = text.substr(quote + quotes, text.size() - quote - 2 * quotes);
  literal.content = literal.inner;
  if (prefix.find_first_of("fFtT") == std::string_view::npos) return literal;
  std::size_t brace = literal.inner.find('{');
  literal.interpolated = brace != std::string_view::npos;
  literal.content = literal.inner.substr(0, brace);
  return literal;
}

}  // namespace hwsift::analyzer
