#include "analyzer/python/node.h"

#include <algorithm>
#include <cstring>
#include <utility>

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

constexpr std::pair<TSSymbol Grammar::*, const char*> kSymbols[] = {
    {&Grammar::argument_list, "argument_list"},
    {&Grammar::as_pattern, "as_pattern"},
    {&Grammar::as_pattern_target, "as_pattern_target"},
    {&Grammar::assert_statement, "assert_statement"},
    {&Grammar::assignment, "assignment"},
    {&Grammar::attribute, "attribute"},
    {&Grammar::augmented_assignment, "augmented_assignment"},
    {&Grammar::binary_operator, "binary_operator"},
    {&Grammar::block, "block"},
    {&Grammar::boolean_operator, "boolean_operator"},
    {&Grammar::call, "call"},
    {&Grammar::case_clause, "case_clause"},
    {&Grammar::case_pattern, "case_pattern"},
    {&Grammar::class_definition, "class_definition"},
    {&Grammar::comment, "comment"},
    {&Grammar::comparison_operator, "comparison_operator"},
    {&Grammar::conditional_expression, "conditional_expression"},
    {&Grammar::decorated_definition, "decorated_definition"},
    {&Grammar::decorator, "decorator"},
    {&Grammar::default_parameter, "default_parameter"},
    {&Grammar::delete_statement, "delete_statement"},
    {&Grammar::dictionary, "dictionary"},
    {&Grammar::dictionary_splat_pattern, "dictionary_splat_pattern"},
    {&Grammar::elif_clause, "elif_clause"},
    {&Grammar::else_clause, "else_clause"},
    {&Grammar::except_clause, "except_clause"},
    {&Grammar::except_group_clause, "except_group_clause"},
    {&Grammar::expression_list, "expression_list"},
    {&Grammar::expression_statement, "expression_statement"},
    {&Grammar::finally_clause, "finally_clause"},
    {&Grammar::for_in_clause, "for_in_clause"},
    {&Grammar::list_comprehension, "list_comprehension"},
    {&Grammar::set_comprehension, "set_comprehension"},
    {&Grammar::dictionary_comprehension, "dictionary_comprehension"},
    {&Grammar::generator_expression, "generator_expression"},
    {&Grammar::pass_statement, "pass_statement"},
    {&Grammar::ellipsis, "ellipsis"},
    {&Grammar::integer, "integer"},
    {&Grammar::float_, "float"},
    {&Grammar::for_statement, "for_statement"},
    {&Grammar::function_definition, "function_definition"},
    {&Grammar::future_import_statement, "future_import_statement"},
    {&Grammar::generic_type, "generic_type"},
    {&Grammar::identifier, "identifier"},
    {&Grammar::if_statement, "if_statement"},
    {&Grammar::import_from_statement, "import_from_statement"},
    {&Grammar::import_statement, "import_statement"},
    {&Grammar::keyword_argument, "keyword_argument"},
    {&Grammar::keyword_separator, "keyword_separator"},
    {&Grammar::lambda, "lambda"},
    {&Grammar::lambda_parameters, "lambda_parameters"},
    {&Grammar::line_continuation, "line_continuation"},
    {&Grammar::list, "list"},
    {&Grammar::list_splat, "list_splat"},
    {&Grammar::list_splat_pattern, "list_splat_pattern"},
    {&Grammar::match_statement, "match_statement"},
    {&Grammar::module, "module"},
    {&Grammar::named_expression, "named_expression"},
    {&Grammar::none, "none"},
    {&Grammar::not_operator, "not_operator"},
    {&Grammar::pair, "pair"},
    {&Grammar::parenthesized_expression, "parenthesized_expression"},
    {&Grammar::positional_separator, "positional_separator"},
    {&Grammar::raise_statement, "raise_statement"},
    {&Grammar::return_statement, "return_statement"},
    {&Grammar::set, "set"},
    {&Grammar::string, "string"},
    {&Grammar::string_content, "string_content"},
    {&Grammar::interpolation, "interpolation"},
    {&Grammar::subscript, "subscript"},
    {&Grammar::try_statement, "try_statement"},
    {&Grammar::type_alias_statement, "type_alias_statement"},
    {&Grammar::tuple, "tuple"},
    {&Grammar::type, "type"},
    {&Grammar::typed_default_parameter, "typed_default_parameter"},
    {&Grammar::typed_parameter, "typed_parameter"},
    {&Grammar::while_statement, "while_statement"},
    {&Grammar::wildcard_import, "wildcard_import"},
    {&Grammar::with_statement, "with_statement"},
    {&Grammar::dotted_name, "dotted_name"},
    {&Grammar::relative_import, "relative_import"},
    {&Grammar::aliased_import, "aliased_import"},
    {&Grammar::concatenated_string, "concatenated_string"},
    {&Grammar::true_, "true"},
    {&Grammar::false_, "false"},
};

constexpr std::pair<TSFieldId Grammar::*, const char*> kFields[] = {
    {&Grammar::alternative, "alternative"},
    {&Grammar::arguments, "arguments"},
    {&Grammar::body, "body"},
    {&Grammar::condition, "condition"},
    {&Grammar::consequence, "consequence"},
    {&Grammar::definition, "definition"},
    {&Grammar::function, "function"},
    {&Grammar::key, "key"},
    {&Grammar::left, "left"},
    {&Grammar::name, "name"},
    {&Grammar::object, "object"},
    {&Grammar::operators, "operators"},
    {&Grammar::module_name, "module_name"},
    {&Grammar::parameters, "parameters"},
    {&Grammar::right, "right"},
    {&Grammar::superclasses, "superclasses"},
    {&Grammar::value, "value"},
    {&Grammar::alias, "alias"},
    {&Grammar::type_field, "type"},
    {&Grammar::subscript_field, "subscript"},
    {&Grammar::attribute_field, "attribute"},
};

constexpr int kMaxChain = 32;

}  // namespace

Grammar load_grammar() {
  Grammar g{};
  for (const auto& [member, name] : kSymbols) g.*member = symbol(name);
  for (const auto& [member, name] : kFields) g.*member = field_id(name);
  return g;
}

Source::Source(const std::string& text, const Excerpt* excerpt)
    : text_(text), excerpt_(excerpt), ascii_(is_ascii(text)) {
  line_starts_.reserve(text.size() / 32 + 1);
  line_starts_.push_back(0);
  const char* begin = text.data();
  const char* end = begin + text.size();
  for (const char* at = begin; at != end; line_starts_.push_back(static_cast<std::uint32_t>(at - begin))) {
    at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (at == nullptr) break;
    ++at;
  }
}

Span Source::span(TSNode node) const {
  if (ts_node_is_null(node)) return {};
  std::uint32_t begin = ts_node_start_byte(node);
  std::uint32_t end = ts_node_end_byte(node);
  return excerpt_ == nullptr ? Span{begin, end} : excerpt_->place(begin, end);
}

int Source::line(std::uint32_t offset) const {
  auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<int>(after - line_starts_.begin());
}

namespace {

TSNode last_code(TSNode node) {
  for (uint32_t last = ts_node_child_count(node); last > 0;) {
    TSNode child = ts_node_child(node, --last);
    if (is_trivia(child) || ts_node_start_byte(child) == ts_node_end_byte(child)) continue;
    node = child;
    last = ts_node_child_count(node);
  }
  return node;
}

}  // namespace

Span Source::code_span(TSNode node) const {
  if (ts_node_is_null(node)) return {};
  return {span(node).begin, span(last_code(node)).end};
}

std::string_view Source::text(TSNode node) const {
  if (ts_node_is_null(node)) return {};
  return text(span(node));
}

int Source::end_line(TSNode node) const { return line(span(last_code(node)).end); }

int Source::col(std::uint32_t at) const {
  std::uint32_t start = line_starts_[static_cast<std::size_t>(line(at)) - 1];
  if (ascii_) return static_cast<int>(at - start) + 1;
  return static_cast<int>(code_points(text(Span{start, at}))) + 1;
}

std::string Source::one_line(Span span, std::size_t limit) const {
  std::string folded;
  for (char c : text(span).substr(0, limit * 4)) {
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
  thread_local Cursor cursor;
  cursor.reset(node);
  if (ts_tree_cursor_goto_first_child(cursor.get())) {
    do {
      TSNode child = ts_tree_cursor_current_node(cursor.get());
      if (ts_node_is_named(child) && !is_trivia(child)) children.push_back(child);
    } while (ts_tree_cursor_goto_next_sibling(cursor.get()));
  }
  return children;
}

TSNode code_child(TSNode node, std::uint32_t n) {
  std::uint32_t count = ts_node_child_count(node);
  for (std::uint32_t at = 0; at < count; ++at) {
    TSNode child = ts_node_child(node, at);
    if (!is_trivia(child) && n-- == 0) return child;
  }
  return {};
}

TSNode field(TSNode node, TSFieldId id) {
  return ts_node_is_null(node) ? node : ts_node_child_by_field_id(node, id);
}

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
  // The grammar reads [*a.b] as a member of *a.
  if (is(node, g.list_splat) && !parts.empty()) node = ts_node_named_child(node, 0);
  if (!is(node, g.identifier)) return "";
  std::string dotted(source.text(node));
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) dotted.append(".").append(*part);
  return dotted;
}

StringLiteral string_literal(const Source& source, TSNode node) { return read_literal(source.text(node)); }

}  // namespace hwsift::analyzer
