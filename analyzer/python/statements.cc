#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "analyzer/python/grammar_reader.h"

namespace hwsift::analyzer {

// ---- blocks and recovery

void GrammarReader::statements() {
  orphans_ = false;
  while (!at(Kind::dedent) && !at(Kind::end)) {
    if (skip_orphan()) continue;
    statement();
    bool is_bad = failed();
    if (is_bad) recover();
    orphans_ = is_bad;
  }
}

void GrammarReader::skip_line() {
  while (!at(Kind::newline) && !at(Kind::end)) advance();
  accept(Kind::newline);
}

void GrammarReader::nested_block() {
  if (!accept(Kind::indent)) return;
  statements();
  accept(Kind::dedent);
}

void GrammarReader::recover() {
  cur_ = failed_at_;
  depth_ = 0;
  skip_line();
  nested_block();
}

// else, except and their like, after the header they belonged to has failed.
bool GrammarReader::skip_orphan() {
  bool clause = at(Kind::kw_elif) || at(Kind::kw_else) || at(Kind::kw_except) || at(Kind::kw_finally);
  if (!orphans_ || !clause) return false;
  skip_line();
  nested_block();
  orphans_ = true;
  return true;
}

void GrammarReader::block(const char* construct, const Token* keyword) {
  if (!at(Kind::newline)) return simple_statements();
  advance();
  if (at(Kind::indent)) return nested_block();
  if (at(Kind::error)) return;  // the indentation itself is wrong
  note_at(cur_->begin,
          fmt::format("expected an indented block after {} on line {}", construct, line_of(keyword->begin)));
}

void GrammarReader::statement() {
  switch (cur_->kind) {
    case Kind::error:
      return advance();  // of indentation
    case Kind::indent:
      note_at(cur_->begin, "unexpected indent", true);
      return nested_block();
    case Kind::at:
      return decorated();
    case Kind::kw_class:
      return class_statement();
    case Kind::kw_def:
      return function_statement();
    case Kind::kw_async:
      return async_statement();
    case Kind::kw_if:
      return if_statement();
    case Kind::kw_while:
      return while_statement();
    case Kind::kw_for:
      return for_statement();
    case Kind::kw_with:
      return with_statement();
    case Kind::kw_try:
      return try_statement();
    case Kind::name:
      if (at_match()) return match_statement();
      break;
    default:
      break;
  }
  simple_statements();
}

// ---- simple statements

void GrammarReader::simple_statements() {
  do {
    if (at(Kind::newline)) break;
    simple_statement();
  } while (accept(Kind::semicolon) && !at(Kind::newline));
  expect(Kind::newline);
}

void GrammarReader::simple_statement() {
  switch (cur_->kind) {
    case Kind::kw_return:
      return return_statement();
    case Kind::kw_raise:
      return raise_statement();
    case Kind::kw_del:
      return delete_statement();
    case Kind::kw_assert:
      return assert_statement();
    case Kind::kw_global:
    case Kind::kw_nonlocal:
      return names_statement();
    case Kind::kw_import:
      return import_statement();
    case Kind::kw_from:
      return from_statement();
    case Kind::kw_pass:
    case Kind::kw_break:
    case Kind::kw_continue:
      return advance();
    case Kind::name:
      if (next().kind == Kind::name && word_of(*cur_) == "type") return type_statement();
      return expression_statement();
    default:
      return expression_statement();
  }
}

void GrammarReader::expression_statement() {
  const Token& first = *cur_;
  Expr left = at(Kind::kw_yield) ? yield_expression() : star_expressions();
  switch (cur_->kind) {
    case Kind::equal:
      return assignments(left);
    case Kind::augmented:
      return augmented(left);
    case Kind::colon:
      return annotated(left);
    default:
      break;
  }
  if (left.shape != Shape::name || left.in_parens || !starts_expression()) return;
  std::string_view word = word_of(first);
  if (word == "print" || word == "exec")
    fail(first, fmt::format("Missing parentheses in call to '{0}'. Did you mean {0}(...)?", word));
}

void GrammarReader::assignments(Expr left) {
  while (at(Kind::equal)) {
    if (left.shape == Shape::yield && !left.in_parens)
      return fail(*left.first, "assignment to yield expression not possible");
    if (!left.assignable) return fail_assignment(left);
    advance();
    left = at(Kind::kw_yield) ? yield_expression() : star_expressions();
  }
}

// CPython thinks of a comparison where the left side could be an operand of one.
void GrammarReader::fail_assignment(const Expr& target) {
  bool bracketed = target.shape == Shape::list || (target.shape == Shape::tuple && target.in_parens);
  if (bracketed) return fail_target(target, "assign to");
  switch (target.culprit != nullptr ? target.culprit_shape : target.shape) {
    case Shape::call:
    case Shape::literal:
    case Shape::string:
    case Shape::formatted:
    case Shape::template_:
    case Shape::dict:
    case Shape::set:
    case Shape::dict_comprehension:
    case Shape::set_comprehension:
    case Shape::operation:
    case Shape::await:
    case Shape::yield:
    case Shape::walrus:
    case Shape::ellipsis:
      return fail_target(target, "assign to", " here. Maybe you meant '==' instead of '='?");
    default:
      return fail_target(target, "assign to");
  }
}

void GrammarReader::augmented(const Expr& target) {
  bool single =
      target.shape == Shape::name || target.shape == Shape::attribute || target.shape == Shape::subscript;
  if (!single)
    return fail(*target.first,
                fmt::format("'{}' is an illegal expression for augmented assignment", name_of(target.shape)));
  advance();
  if (at(Kind::kw_yield))
    yield_expression();
  else
    star_expressions();
}

void GrammarReader::annotated(const Expr& target) {
  bool single =
      target.shape == Shape::name || target.shape == Shape::attribute || target.shape == Shape::subscript;
  advance();
  if (!single && !starts_expression()) return fail();
  if (target.shape == Shape::tuple || target.shape == Shape::list)
    return fail(*target.first,
                fmt::format("only single target (not {}) can be annotated", name_of(target.shape)));
  if (!single) return fail(*target.first, "illegal target for annotation");
  expression();
  if (!accept(Kind::equal)) return;
  if (at(Kind::kw_yield))
    yield_expression();
  else
    star_expressions();
}

void GrammarReader::return_statement() {
  advance();
  if (starts_expression() || at(Kind::star)) star_expressions();
}

void GrammarReader::raise_statement() {
  advance();
  if (!starts_expression()) return;
  expression();
  if (!accept(Kind::kw_from)) return;
  expression();
}

void GrammarReader::delete_statement() {
  advance();
  Expr targets = star_expressions();
  if (failed()) return;
  if (!at(Kind::semicolon) && !at(Kind::newline)) return fail();
  if (!targets.deletable) fail_target(targets, "delete");
}

void GrammarReader::assert_statement() {
  advance();
  expression();
  if (accept(Kind::comma)) expression();
}

void GrammarReader::names_statement() {
  advance();
  do {
    expect(Kind::name);
  } while (accept(Kind::comma));
}

void GrammarReader::type_statement() {
  advance();
  expect(Kind::name);
  if (at(Kind::lbracket)) type_parameters();
  if (!expect(Kind::equal)) return;
  expression();
}

// ---- imports

void GrammarReader::dotted_name() {
  do {
    if (!expect(Kind::name)) return;
  } while (accept(Kind::dot));
}

void GrammarReader::import_alias() {
  if (!accept(Kind::kw_as)) return;
  if (at(Kind::name) && next().kind == Kind::dot) return fail("cannot use attribute as import target");
  expect(Kind::name);
}

void GrammarReader::import_statement() {
  advance();
  if (at(Kind::newline)) return fail("Expected one or more names after 'import'");
  do {
    dotted_name();
    import_alias();
  } while (accept(Kind::comma));
  if (at(Kind::kw_from)) fail("Did you mean to use 'from ... import ...' instead?");
}

void GrammarReader::from_statement() {
  advance();
  bool is_future = at_word("__future__") && next().kind == Kind::kw_import;
  bool relative = false;
  while (accept(Kind::dot) || accept(Kind::ellipsis)) relative = true;
  if (!relative || !at(Kind::kw_import)) dotted_name();
  if (!expect(Kind::kw_import)) return;
  if (at(Kind::star) && is_future) return fail("future feature * is not defined");
  if (accept(Kind::star)) return;
  if (at(Kind::newline)) return fail("Expected one or more names after 'import'");
  import_names(is_future);
}

void GrammarReader::import_names(bool is_future) {
  bool in_parens = accept(Kind::lparen);
  do {
    if (is_future) check_feature(*cur_);
    if (!expect(Kind::name)) return;
    import_alias();
    if (!accept(Kind::comma)) break;
    if (in_parens && at(Kind::rparen)) break;
    if (at(Kind::newline)) return fail("trailing comma not allowed without surrounding parentheses");
  } while (true);
  if (in_parens) expect_close(Kind::rparen);
}

void GrammarReader::check_feature(const Token& name) {
  static constexpr std::array<std::string_view, 10> kFeatures = {
      "nested_scopes",  "generators",       "division",       "absolute_import", "with_statement",
      "print_function", "unicode_literals", "barry_as_FLUFL", "generator_stop",  "annotations"};
  if (name.kind != Kind::name) return;
  std::string_view word = word_of(name);
  if (word == "braces") return fail(name, "not a chance");
  if (word == "barry_as_FLUFL") flufl_ = true;
  if (std::find(kFeatures.begin(), kFeatures.end(), word) == kFeatures.end())
    fail(name, fmt::format("future feature {} is not defined", word));
}

// ---- classes and functions

void GrammarReader::decorated() {
  while (accept(Kind::at)) {
    named_expression();
    expect(Kind::newline);
  }
  if (at(Kind::kw_class)) return class_statement();
  if (at(Kind::kw_async) && next().kind == Kind::kw_def) advance();
  if (at(Kind::kw_def)) return function_statement();
  fail();
}

void GrammarReader::class_statement() {
  const Token* keyword = cur_;
  advance();
  expect(Kind::name);
  if (at(Kind::lbracket)) type_parameters();
  if (at(Kind::lparen)) call_arguments(true);
  if (expect_colon()) block("class definition", keyword);
}

void GrammarReader::async_statement() {
  switch (next().kind) {
    case Kind::kw_def:
      advance();
      return function_statement();
    case Kind::kw_with:
      advance();
      return with_statement();
    case Kind::kw_for:
      advance();
      return for_statement();
    default:
      advance();
      return fail();
  }
}

void GrammarReader::function_statement() {
  const Token* keyword = cur_;
  advance();
  expect(Kind::name);
  if (at(Kind::lbracket)) type_parameters();
  if (!accept(Kind::lparen)) return fail("expected '('");
  parameters(Kind::rparen);
  if (!expect_close(Kind::rparen)) return;
  if (accept(Kind::arrow)) expression();
  if (accept(Kind::colon)) return block("function definition", keyword);
  fail("expected ':'");
}

void GrammarReader::type_parameters() {
  advance();
  if (at(Kind::rbracket)) return fail("Type parameter list cannot be empty");
  do {
    if (at(Kind::rbracket)) break;
    type_parameter();
  } while (accept(Kind::comma));
  expect_close(Kind::rbracket);
}

void GrammarReader::type_parameter() {
  bool star = accept(Kind::star);
  bool double_star = !star && accept(Kind::double_star);
  if (!expect(Kind::name)) return;
  if (at(Kind::colon)) {
    if (star) return fail("cannot use bound with TypeVarTuple");
    if (double_star) return fail("cannot use bound with ParamSpec");
    advance();
    expression();
  }
  if (at(Kind::equal)) type_default(star);
}

void GrammarReader::type_default(bool starred) {
  std::uint32_t begin = cur_->begin;
  advance();
  const Token* first = cur_;
  if (starred)
    star_expression();
  else
    expression();
  if (!failed() && cur_ > first) rewrite(begin, cur_[-1].end);
}

void GrammarReader::parameters(Kind close) {
  Parameters seen;
  while (!at(close) && !failed()) {
    if (at(Kind::name))
      plain_parameter(seen, close == Kind::rparen);
    else if (at(Kind::star))
      star_parameter(seen, close);
    else if (at(Kind::slash))
      slash_parameter(seen, close);
    else if (at(Kind::double_star))
      return double_star_parameter(close);
    else if (at(Kind::lparen))
      return fail(close == Kind::rparen ? "Function parameters cannot be parenthesized"
                                        : "Lambda expression parameters cannot be parenthesized");
    else
      return fail();
    if (!accept(Kind::comma)) return;
  }
}

void GrammarReader::plain_parameter(Parameters& seen, bool annotations) {
  const Token& name = *cur_;
  advance();
  seen.any = true;
  if (annotations && accept(Kind::colon)) expression();
  if (accept(Kind::equal)) {
    if (at(Kind::rparen) || at(Kind::comma)) return fail("expected default value expression");
    seen.with_default = true;
    expression();
  } else if (seen.with_default && !seen.star) {
    fail(name, "parameter without a default follows parameter with a default");
  }
}

void GrammarReader::star_parameter(Parameters& seen, Kind close) {
  if (seen.star) return fail("* argument may appear only once");
  const Token& star = *cur_;
  advance();
  seen.star = true;
  if (at(Kind::comma) || at(close)) {
    bool named = at(Kind::comma) && next().kind == Kind::name;
    if (!named) fail(star, "named arguments must follow bare *");
    return;
  }
  if (!expect(Kind::name)) return;
  if (close == Kind::rparen && accept(Kind::colon)) star_expression();
  if (at(Kind::equal)) fail("var-positional argument cannot have default value");
}

void GrammarReader::slash_parameter(Parameters& seen, Kind close) {
  if (seen.star) return fail("/ must be ahead of *");
  if (!seen.any) return fail("at least one argument must precede /");
  if (seen.slash) return fail("/ may appear only once");
  seen.slash = true;
  advance();
  if (at(Kind::star)) return fail("expected comma between / and *");
  if (!at(Kind::comma) && !at(close)) fail();
}

void GrammarReader::double_star_parameter(Kind close) {
  advance();
  if (!expect(Kind::name)) return;
  if (close == Kind::rparen && accept(Kind::colon)) expression();
  if (at(Kind::equal)) return fail("var-keyword argument cannot have default value");
  bool more = accept(Kind::comma) && !at(close);
  if (more) fail("arguments cannot follow var-keyword argument");
}

// ---- if, while, for, with

void GrammarReader::if_statement() {
  const char* construct = "'if' statement";
  while (at(Kind::kw_if) || at(Kind::kw_elif)) {
    const Token* keyword = cur_;
    advance();
    named_expression();
    if (!expect_colon()) return;
    block(construct, keyword);
    if (failed() || !at(Kind::kw_elif)) break;
    construct = "'elif' statement";
  }
  else_block();
}

void GrammarReader::else_block() {
  if (!at(Kind::kw_else)) return;
  const Token* keyword = cur_;
  advance();
  if (!accept(Kind::colon)) return fail("expected ':'");
  block("'else' statement", keyword);
  if (at(Kind::kw_elif)) fail("'elif' block follows an 'else' block");
}

void GrammarReader::while_statement() {
  const Token* keyword = cur_;
  advance();
  named_expression();
  if (!expect_colon()) return;
  block("'while' statement", keyword);
  else_block();
}

void GrammarReader::for_statement() {
  const Token* keyword = cur_;
  advance();
  target_list();
  if (!expect(Kind::kw_in)) return;
  star_expressions();
  if (!expect_colon()) return;
  block("'for' statement", keyword);
  else_block();
}

// `with (a as b, c):` `as` directly within the first brackets belongs to no expression.
bool GrammarReader::has_items_in_parens() const {
  if (!at(Kind::lparen)) return false;
  int depth = 0;
  for (const Token* token = cur_;; ++token) {
    switch (token->kind) {
      case Kind::lparen:
      case Kind::lbracket:
      case Kind::lbrace:
        ++depth;
        break;
      case Kind::rparen:
      case Kind::rbracket:
      case Kind::rbrace:
        if (--depth == 0) return false;
        break;
      case Kind::kw_as:
        if (depth == 1) return true;
        break;
      case Kind::newline:
      case Kind::end:
        return false;
      default:
        break;
    }
  }
}

void GrammarReader::with_item() {
  expression();
  if (!accept(Kind::kw_as)) return;
  Expr target = at(Kind::star) ? star_expression() : bitwise_or();
  if (failed()) return;
  if (!at(Kind::comma) && !at(Kind::rparen) && !at(Kind::colon)) return fail();
  if (!target.assignable) fail_target(target, "assign to");
}

void GrammarReader::with_statement() {
  const Token* keyword = cur_;
  advance();
  bool in_parens = has_items_in_parens() && accept(Kind::lparen);
  do {
    if (in_parens && at(Kind::rparen)) break;
    with_item();
  } while (accept(Kind::comma));
  if (in_parens) expect_close(Kind::rparen);
  if (expect_colon()) block("'with' statement", keyword);
}

// ---- try

void GrammarReader::try_statement() {
  const Token* keyword = cur_;
  advance();
  if (!accept(Kind::colon)) return fail("expected ':'");
  block("'try' statement", keyword);
  if (failed()) return;
  if (!at(Kind::kw_except) && !at(Kind::kw_finally)) {
    if (!at(Kind::error)) note_at(cur_->begin, "expected 'except' or 'finally' block");
    return;
  }
  int stars = -1;
  bool handled = at(Kind::kw_except);
  while (at(Kind::kw_except)) except_clause(stars);
  if (handled) else_block();
  if (!at(Kind::kw_finally)) return;
  keyword = cur_;
  advance();
  if (!accept(Kind::colon)) return fail("expected ':'");
  block("'finally' statement", keyword);
}

// stars: -1 before the first clause, then whether the clauses have a star.
void GrammarReader::except_clause(int& stars) {
  const Token* keyword = cur_;
  advance();
  int star = accept(Kind::star) ? 1 : 0;
  if (stars >= 0 && star != stars)
    return fail(*keyword, "cannot have both 'except' and 'except*' on the same 'try'");
  stars = star;
  if (star == 1 && (at(Kind::colon) || at(Kind::newline)))
    return fail("expected one or more exception types");
  if (!at(Kind::colon) && !at(Kind::newline)) except_types();
  if (expect_colon()) block(star == 1 ? "'except*' statement" : "'except' statement", keyword);
}

void GrammarReader::except_types() {
  const Token& first = *cur_;
  bool many = false;
  expression();
  while (accept(Kind::comma)) {
    many = true;
    if (!starts_expression()) break;
    expression();
  }
  if (!at(Kind::kw_as)) return;
  if (many) return fail(first, "multiple exception types must be parenthesized when using 'as'");
  advance();
  if (at(Kind::name) && next().kind == Kind::dot) return fail("cannot use except statement with attribute");
  expect(Kind::name);
}

// ---- match

// `match` is a name, except before a subject on a line that ends with a colon.
bool GrammarReader::at_match() const {
  if (!at_word("match")) return false;
  const Token* token = cur_ + 1;
  switch (token->kind) {
    case Kind::newline:
    case Kind::dot:
    case Kind::equal:
    case Kind::augmented:
    case Kind::comma:
    case Kind::colon:
      return false;
    default:
      break;
  }
  while (token->kind != Kind::newline && token->kind != Kind::end) ++token;
  return token[-1].kind == Kind::colon;
}

void GrammarReader::match_statement() {
  const Token* keyword = cur_;
  advance();
  Expr subject = star_named_expression();
  if (at(Kind::comma))
    tuple_rest(subject, true);
  else if (subject.shape == Shape::starred)
    return fail(*subject.first, "invalid syntax");
  if (!expect_colon() || !expect(Kind::newline)) return;
  if (!accept(Kind::indent)) {
    note_at(cur_->begin, fmt::format("expected an indented block after 'match' statement on line {}",
                                     line_of(keyword->begin)));
    return;
  }
  while (!at(Kind::dedent) && !at(Kind::end)) {
    case_block();
    if (failed()) recover();
  }
  accept(Kind::dedent);
}

void GrammarReader::case_block() {
  const Token* keyword = cur_;
  if (at(Kind::error)) return advance();
  if (!at_word("case")) return fail();
  advance();
  patterns();
  if (accept(Kind::kw_if)) named_expression();
  if (expect_colon()) block("'case' statement", keyword);
}

}  // namespace hwsift::analyzer
