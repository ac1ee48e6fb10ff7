// Thin helpers over tree-sitter nodes of the Python grammar. In a broken file any field may be missing, so
// text, field and named_children take a null node and give an empty answer.
#pragma once

#include <tree_sitter/api.h>

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts.h"

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
      line_continuation, list, list_splat_pattern, match_statement, module, named_expression, none,
      not_operator, pair, parenthesized_expression, positional_separator, raise_statement, return_statement,
      set, string, string_content, interpolation, subscript, try_statement, tuple, type,
      typed_default_parameter, typed_parameter, while_statement, wildcard_import, with_statement, dotted_name,
      relative_import, aliased_import, concatenated_string, false_, true_, for_in_clause, list_comprehension,
      set_comprehension, dictionary_comprehension, generator_expression, pass_statement, ellipsis, integer,
      float_;
  TSFieldId alternative, arguments, body, condition, consequence, definition, function, key, left, name,
      object, operators, module_name, parameters, right, superclasses, type_field, value, subscript_field,
      attribute_field, alias;
};

const Grammar& grammar();

// The text of a file together with what is needed to tell places in it.
class Source {
 public:
  explicit Source(const std::string& text);

  std::string_view text() const { return text_; }
  std::string_view text(TSNode node) const;
  std::string_view text(Span span) const {
    return std::string_view(text_).substr(span.begin, span.end - span.begin);
  }
  int line(TSNode node) const;
  int end_line(TSNode node) const;
  int col(TSNode node) const;  // in code points
  static Span span(TSNode node) { return {ts_node_start_byte(node), ts_node_end_byte(node)}; }
  // On one line, blanks folded, at most `limit` bytes (cut between code points).
  std::string one_line(TSNode node, std::size_t limit) const;

 private:
  const std::string& text_;
  bool ascii_ = true;
};

// A comment or a backslash at the end of a line: the grammar has them as nodes anywhere.
bool is_trivia(TSNode node);
// Named children without comments and line continuations.
std::vector<TSNode> named_children(TSNode node);
TSNode field(TSNode node, TSFieldId id);
bool is(TSNode node, TSSymbol symbol);
// The expression inside any number of parentheses.
TSNode unwrapped(TSNode node);
// "a.b.c" as written for an identifier or a chain of attributes on one; "" for anything else or beyond 32
// parts.
std::string dotted_text(const Source& source, TSNode node);
std::string_view last_word(std::string_view dotted);

// A string literal of one piece: what stands between the quotes. f-strings give the text before their first
// interpolation and say so; bytes are no text.
struct StringLiteral {
  bool is_text = false;       // a str: no bytes, no concatenation
  bool interpolated = false;  // an f-string or t-string with at least one interpolation
  std::string_view content;   // up to the first interpolation; escapes are not resolved
  std::string_view inner;     // everything between the quotes
};
StringLiteral string_literal(const Source& source, TSNode node);

}  // namespace hwsift::analyzer
