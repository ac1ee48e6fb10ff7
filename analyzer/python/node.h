// Thin helpers over tree-sitter nodes of the Python grammar. In a broken file any field may be missing, so
// text, field and named_children take a null node and give an empty answer.
#pragma once

#include <tree_sitter/api.h>

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts.h"
#include "analyzer/python/excerpt.h"
#include "analyzer/python/literal.h"

namespace hwsift::analyzer {

// The grammar's symbols that the analyzer asks for, looked up once.
struct Grammar {
  TSSymbol argument_list, as_pattern, as_pattern_target, assert_statement, assignment, attribute,
      augmented_assignment, binary_operator, block, boolean_operator, call, case_clause, case_pattern,
      class_definition, comment, comparison_operator, conditional_expression, decorated_definition, decorator,
      default_parameter, delete_statement, dictionary, dictionary_splat_pattern, elif_clause, else_clause,
      except_clause, except_group_clause, expression_list, expression_statement, finally_clause,
      for_statement, function_definition, future_import_statement, generic_type, identifier, if_statement,
      import_from_statement, import_statement, keyword_argument, keyword_separator, lambda, lambda_parameters,
      line_continuation, list, list_splat, list_splat_pattern, match_statement, module, named_expression,
      none, not_operator, pair, parenthesized_expression, positional_separator, raise_statement,
      return_statement, set, string, string_content, interpolation, subscript, try_statement, tuple, type,
      type_alias_statement, typed_default_parameter, typed_parameter, while_statement, wildcard_import,
      with_statement, dotted_name, relative_import, aliased_import, concatenated_string, false_, true_,
      for_in_clause, list_comprehension, set_comprehension, dictionary_comprehension, generator_expression,
      pass_statement, ellipsis, integer, float_;
  TSFieldId alternative, arguments, body, condition, consequence, definition, function, key, left, name,
      object, operators, module_name, parameters, right, superclasses, type_field, value, subscript_field,
      attribute_field, alias;
};

Grammar load_grammar();
inline const Grammar& grammar() {
  static const Grammar made = load_grammar();
  return made;
}

inline bool is(TSNode node, TSSymbol symbol) {
  return !ts_node_is_null(node) && ts_node_symbol(node) == symbol;
}

// The text of a file together with what is needed to tell places in it: of nodes of a tree that was made of
// the text itself or of an excerpt.
class Source {
 public:
  explicit Source(const std::string& text, const Excerpt* excerpt = nullptr);

  std::string_view text() const { return text_; }
  const Excerpt* excerpt() const { return excerpt_; }  // nullptr where the tree is of the text itself
  // What the excerpt has of the class that a node defines; nullptr where the node tells it all.
  const PlainClass* class_at(TSNode node) const {
    return excerpt_ == nullptr ? nullptr : excerpt_->class_at(ts_node_start_byte(node));
  }
  // What the excerpt has of the functions that a node defines or stands for.
  std::span<const PlainFunction> functions_at(TSNode node) const {
    if (excerpt_ == nullptr) return {};
    return excerpt_->functions_at(ts_node_start_byte(node));
  }
  std::string_view text(TSNode node) const;
  std::string_view text(Span span) const {
    return std::string_view(text_).substr(span.begin, span.end - span.begin);
  }
  int line(TSNode node) const { return line(span(node).begin); }
  int line(std::uint32_t offset) const;
  int end_line(TSNode node) const;
  int col(TSNode node) const { return col(span(node).begin); }
  int col(std::uint32_t offset) const;  // in code points
  Span span(TSNode node) const;
  // Without comments after its last statement, which belong to a block in the grammar and not in Python.
  Span code_span(TSNode node) const;
  // On one line, blanks folded, at most `limit` bytes (cut between code points).
  std::string one_line(TSNode node, std::size_t limit) const { return one_line(span(node), limit); }
  std::string one_line(Span span, std::size_t limit) const;

 private:
  const std::string& text_;
  const Excerpt* excerpt_;
  bool ascii_ = true;
  std::vector<std::uint32_t> line_starts_;
};

// A cursor that keeps its memory from one node to the next.
class Cursor {
 public:
  Cursor() = default;
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  ~Cursor() {
    if (made_) ts_tree_cursor_delete(&cursor_);
  }
  void reset(TSNode node) {
    if (made_)
      ts_tree_cursor_reset(&cursor_, node);
    else
      cursor_ = ts_tree_cursor_new(node);
    made_ = true;
  }
  TSTreeCursor* get() { return &cursor_; }

 private:
  TSTreeCursor cursor_ = {};
  bool made_ = false;
};

// A comment or a backslash at the end of a line: the grammar has them as nodes anywhere.
inline bool is_trivia(TSNode node) {
  TSSymbol symbol = ts_node_symbol(node);
  return symbol == grammar().comment || symbol == grammar().line_continuation;
}
// Named children without comments and line continuations.
std::vector<TSNode> named_children(TSNode node);
// The nth child, tokens too, without comments and line continuations; null where there are fewer.
TSNode code_child(TSNode node, std::uint32_t n);
TSNode field(TSNode node, TSFieldId id);
// The expression inside any number of parentheses.
TSNode unwrapped(TSNode node);
// "a.b.c" as written for an identifier or a chain of attributes on one; "" for anything else or beyond 32
// parts.
std::string dotted_text(const Source& source, TSNode node);

StringLiteral string_literal(const Source& source, TSNode node);

}  // namespace hwsift::analyzer
