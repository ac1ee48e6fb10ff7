#include <fmt/format.h>

#include <array>

#include "analyzer/python/grammar_reader.h"

namespace hwsift::analyzer {
namespace {

// How tightly an operator binds: or 1, and 2, not 3, comparisons 4, | 5, ^ 6, & 7, shifts 8, sums 9,
// products 10.
constexpr int kNot = 3;
// A chain of operators or trailers is a tree as deep as it is long; what is longer may be left out of the
// tree.
constexpr int kLongChain = 500;
constexpr const char* kUnpackedComprehension = "iterable unpacking cannot be used in comprehension";
constexpr int kComparison = 4;

constexpr std::array<std::uint8_t, 256> make_precedence() {
  std::array<std::uint8_t, 256> table{};
  auto set = [&](Kind kind, std::uint8_t value) { table[static_cast<std::size_t>(kind)] = value; };
  set(Kind::kw_or, 1);
  set(Kind::kw_and, 2);
  for (Kind kind : {Kind::kw_in, Kind::kw_is, Kind::kw_not, Kind::less, Kind::greater, Kind::less_equal,
                    Kind::greater_equal, Kind::equal_equal, Kind::not_equal, Kind::old_not_equal})
    set(kind, kComparison);
  set(Kind::pipe, 5);
  set(Kind::caret, 6);
  set(Kind::ampersand, 7);
  set(Kind::left_shift, 8);
  set(Kind::right_shift, 8);
  set(Kind::plus, 9);
  set(Kind::minus, 9);
  for (Kind kind : {Kind::star, Kind::slash, Kind::double_slash, Kind::percent, Kind::at}) set(kind, 10);
  return table;
}
constexpr std::array<std::uint8_t, 256> kPrecedence = make_precedence();

Expr make(Shape shape, const Token* first) {
  Expr expr;
  expr.shape = shape;
  expr.first = first;
  return expr;
}

Expr make_target(Shape shape, const Token* first) {
  Expr expr = make(shape, first);
  expr.assignable = expr.deletable = true;
  return expr;
}

Expr make_starred(const Expr& operand, const Token* star) {
  Expr expr = make(Shape::starred, star);
  expr.assignable = operand.assignable && operand.shape != Shape::starred;
  if (expr.assignable) return expr;
  expr.culprit = operand.culprit != nullptr ? operand.culprit : operand.first;
  expr.culprit_shape = operand.culprit != nullptr ? operand.culprit_shape : operand.shape;
  return expr;
}

// A tuple or list can be assigned to if its elements can.
void add_element(Expr& sequence, const Expr& element) {
  bool deletable = element.deletable;
  if (sequence.culprit == nullptr && !(element.assignable && deletable) && !element.assignable) {
    sequence.culprit = element.culprit != nullptr ? element.culprit : element.first;
    sequence.culprit_shape = element.culprit != nullptr ? element.culprit_shape : element.shape;
  }
  sequence.assignable = sequence.assignable && element.assignable;
  sequence.deletable = sequence.deletable && deletable;
}

}  // namespace

// ---- lists of expressions

Expr GrammarReader::star_expressions() {
  Expr first = star_expression();
  return at(Kind::comma) ? tuple_rest(first, false) : first;
}

Expr GrammarReader::tuple_rest(const Expr& first, bool named) {
  Expr tuple = make_target(Shape::tuple, first.first);
  add_element(tuple, first);
  while (accept(Kind::comma)) {
    if (!starts_expression() && !at(Kind::star)) break;
    add_element(tuple, named ? star_named_expression() : star_expression());
  }
  return tuple;
}

Expr GrammarReader::star_expression() {
  const Token* star = cur_;
  if (!accept(Kind::star)) return expression();
  if (!at(Kind::name)) rewrite(star->begin, star->end);  // `return a, *[b]`
  return make_starred(bitwise_or(), star);
}

Expr GrammarReader::star_named_expression() {
  const Token* star = cur_;
  return accept(Kind::star) ? make_starred(bitwise_or(), star) : named_expression();
}

Expr GrammarReader::named_expression() {
  const Token* first = cur_;
  if (at(Kind::name) && cur_[1].kind == Kind::walrus) {
    advance();
    advance();
    expression();
    return make(Shape::walrus, first);
  }
  Expr expr = expression();
  if (at(Kind::walrus))
    fail(*expr.first, fmt::format("cannot use assignment expressions with {}", name_of(expr.shape)));
  return expr;
}

Expr GrammarReader::yield_expression() {
  const Token* first = cur_;
  advance();
  if (accept(Kind::kw_from))
    expression();
  else if (starts_expression() || at(Kind::star))
    star_expressions();
  return make(Shape::yield, first);
}

// ---- operators

Expr GrammarReader::expression() {
  if (!enter()) return make(Shape::name, cur_);
  Expr expr = at(Kind::kw_lambda) ? lambda() : disjunction();
  if (at(Kind::kw_if)) expr = conditional(expr);
  leave();
  return expr;
}

Expr GrammarReader::conditional(const Expr& first) {
  Chain chain;
  while (at(Kind::kw_if)) {
    add_link(chain);
    advance();
    disjunction();
    if (failed()) break;
    if (!at(Kind::kw_else)) {
      if (at(Kind::colon))
        fail();
      else
        fail(*first.first, "expected 'else' after 'if' expression");
      break;
    }
    advance();
    if (at(Kind::kw_lambda)) {
      lambda();
      break;
    }
    disjunction();
  }
  end_chain(chain);
  return make(Shape::conditional, first.first);
}

Expr GrammarReader::disjunction() {
  Expr expr = binary(1);
  operand_first_ = expr.first;
  operand_end_ = cur_;
  return expr;
}

// Operands joined by operators that bind at least as tightly as `least`.
// NOLINTNEXTLINE(readability-function-cognitive-complexity): precedence climbing in one loop
Expr GrammarReader::binary(int least) {
  const Token* first = cur_;
  Expr left;
  if (at(Kind::kw_not)) {
    if (least > kNot) {
      fail("'not' after an operator must be parenthesized");
      return make(Shape::operation, first);
    }
    Chain chain;
    while (at(Kind::kw_not)) {
      add_link(chain);
      advance();
    }
    end_chain(chain);
    binary(kNot);
    left = make(Shape::operation, first);
  } else {
    left = unary();
  }
  Chain chain;
  while (true) {
    Kind kind = cur_->kind;
    int precedence = kPrecedence[static_cast<std::size_t>(kind)];
    if (precedence == 0 || precedence < least) break;
    if (kind == Kind::kw_not && cur_[1].kind != Kind::kw_in) break;
    add_link(chain);
    if (kind == Kind::kw_not) advance();
    if ((kind == Kind::not_equal && flufl_) || (kind == Kind::old_not_equal && !flufl_)) {
      fail(kind == Kind::not_equal ? "invalid syntax.  Maybe you meant '<>' instead of '!='?"
                                   : "invalid syntax.  Maybe you meant '!=' instead of '<>'?");
      break;
    }
    advance();
    if (kind == Kind::kw_is) accept(Kind::kw_not);
    binary(precedence + 1);
    left = make(precedence == kComparison ? Shape::comparison : Shape::operation, first);
  }
  end_chain(chain);
  return left;
}

void GrammarReader::add_link(Chain& chain) {
  if (++chain.links == kLongChain) chain.begin = cur_->begin;
}

void GrammarReader::end_chain(const Chain& chain) {
  if (chain.links > kLongChain && !failed()) rewrite_doubtful(chain.begin, cur_[-1].end);
}

Expr GrammarReader::unary() {
  const Token* first = cur_;
  if (!at(Kind::minus) && !at(Kind::plus) && !at(Kind::tilde)) return power();
  Chain chain;
  while (at(Kind::minus) || at(Kind::plus) || at(Kind::tilde)) {
    add_link(chain);
    advance();
  }
  end_chain(chain);
  if (at(Kind::kw_not)) fail("'not' after an operator must be parenthesized");
  power();
  return make(Shape::operation, first);
}

Expr GrammarReader::power() {
  const Token* first = cur_;
  bool awaits = accept(Kind::kw_await);
  Expr expr = primary();
  if (awaits) expr = make(Shape::await, first);
  if (!at(Kind::double_star)) return expr;
  if (!enter()) return expr;
  advance();
  if (at(Kind::kw_not)) fail();
  unary();
  leave();
  return make(Shape::operation, first);
}

// ---- atoms and what follows them

Expr GrammarReader::primary() {
  Expr expr = atom();
  Chain chain;
  for (;; add_link(chain)) {
    switch (cur_->kind) {
      case Kind::dot:
        attribute();
        expr = make_target(Shape::attribute, expr.first);
        break;
      case Kind::lparen:
        call_arguments(false);
        expr = make(Shape::call, expr.first);
        break;
      case Kind::lbracket:
        subscript();
        expr = make_target(Shape::subscript, expr.first);
        break;
      default:
        end_chain(chain);
        return expr;
    }
  }
}

void GrammarReader::attribute() {
  advance();
  expect(Kind::name);
}

Expr GrammarReader::atom() {
  const Token* first = cur_;
  switch (cur_->kind) {
    case Kind::name:
      advance();
      return make_target(Shape::name, first);
    case Kind::number:
      if (cur_->is(Token::long_number)) fail("Exceeds the limit (4300 digits) for integer string conversion");
      advance();
      return make(Shape::literal, first);
    case Kind::string:
    case Kind::fstring_start:
      return strings();
    case Kind::kw_none:
      advance();
      return make(Shape::none, first);
    case Kind::kw_true:
      advance();
      return make(Shape::true_, first);
    case Kind::kw_false:
      advance();
      return make(Shape::false_, first);
    case Kind::ellipsis:
      advance();
      return make(Shape::ellipsis, first);
    case Kind::lparen:
      return parenthesised();
    case Kind::lbracket:
      return bracketed();
    case Kind::lbrace:
      return braced();
    default:
      fail();
      return make(Shape::name, first);
  }
}

Expr GrammarReader::parenthesised() {
  const Token* first = cur_;
  advance();
  if (accept(Kind::rparen)) return make_target(Shape::tuple, first);
  Expr expr = at(Kind::kw_yield) ? yield_expression() : star_named_expression();
  if (at(Kind::kw_for) || at(Kind::kw_async)) {
    if (expr.shape == Shape::starred) fail(*expr.first, kUnpackedComprehension);
    comprehension();
    expr = make(Shape::generator, first);
  } else if (at(Kind::comma) && expr.shape != Shape::yield) {
    expr = tuple_rest(expr, true);
  } else if (expr.shape == Shape::starred) {
    fail(*expr.first, "cannot use starred expression here");
  }
  expect_close(Kind::rparen);
  expr.first = first;
  expr.in_parens = true;
  return expr;
}

Expr GrammarReader::bracketed() {
  const Token* first = cur_;
  advance();
  Expr list = make_target(Shape::list, first);
  if (accept(Kind::rbracket)) return list;
  Expr element = star_named_expression();
  if (at(Kind::kw_for) || at(Kind::kw_async)) {
    if (element.shape == Shape::starred) fail(*element.first, kUnpackedComprehension);
    comprehension();
    list = make(Shape::list_comprehension, first);
  } else {
    list = tuple_rest(element, true);
    list.shape = Shape::list;
    list.first = first;
  }
  expect_close(Kind::rbracket);
  return list;
}

Expr GrammarReader::braced() {
  const Token* first = cur_;
  advance();
  if (accept(Kind::rbrace)) return make(Shape::dict, first);
  if (at(Kind::double_star)) return dict(first);
  Expr element = star_named_expression();
  bool key = element.shape != Shape::starred && (element.shape != Shape::walrus || element.in_parens);
  if (at(Kind::colon) && key) {
    dict_value();
    if (at(Kind::kw_for) || at(Kind::kw_async)) {
      comprehension();
      expect_close(Kind::rbrace);
      return make(Shape::dict_comprehension, first);
    }
    if (accept(Kind::comma)) return dict(first);
    expect_close(Kind::rbrace);
    return make(Shape::dict, first);
  }
  if (at(Kind::kw_for) || at(Kind::kw_async)) {
    if (element.shape == Shape::starred) fail(*element.first, kUnpackedComprehension);
    comprehension();
    expect_close(Kind::rbrace);
    return make(Shape::set_comprehension, first);
  }
  tuple_rest(element, true);
  expect_close(Kind::rbrace);
  return make(Shape::set, first);
}

void GrammarReader::dict_value() {
  const Token& colon = *cur_;
  advance();
  if (at(Kind::rbrace) || at(Kind::comma))
    return fail(colon, "expression expected after dictionary key and ':'");
  if (at(Kind::star)) return fail("cannot use a starred expression in a dictionary value");
  expression();
}

// The items that are left, up to the closing brace.
Expr GrammarReader::dict(const Token* open) {
  Expr result = make(Shape::dict, open);
  while (!at(Kind::rbrace)) {
    const Token& key = *cur_;
    if (accept(Kind::double_star)) {
      bitwise_or();
      if (at(Kind::kw_for)) fail("dict unpacking cannot be used in dict comprehension");
    } else {
      expression();
      if (at(Kind::colon))
        dict_value();
      else
        fail(key, "':' expected after dictionary key");
    }
    if (!accept(Kind::comma)) break;
  }
  expect_close(Kind::rbrace);
  return result;
}

Expr GrammarReader::lambda() {
  const Token* first = cur_;
  advance();
  parameters(Kind::colon);
  if (expect(Kind::colon)) {
    if (at(Kind::fstring_middle))
      fail(*first, fmt::format("{}: lambda expressions are not allowed without parentheses",
                               cur_->is(Token::template_) ? "t-string" : "f-string"));
    expression();
  }
  return make(Shape::lambda, first);
}

void GrammarReader::target_list() {
  const Token* first = cur_;
  do {
    if (at(Kind::kw_in) && cur_ != first) break;
    const Token* star = cur_;
    Expr target = accept(Kind::star) ? make_starred(bitwise_or(), star) : bitwise_or();
    if (failed()) return;
    if (!target.assignable) return fail_target(target, "assign to");
  } while (accept(Kind::comma));
}

void GrammarReader::comprehension() {
  while (at(Kind::kw_for) || at(Kind::kw_async)) {
    accept(Kind::kw_async);
    if (!expect(Kind::kw_for)) return;
    target_list();
    if (!accept(Kind::kw_in)) return fail("'in' expected after for-loop variables");
    disjunction();
    while (accept(Kind::kw_if)) disjunction();
  }
}

// ---- calls and subscripts

void GrammarReader::call_arguments(bool is_class) {
  advance();
  Arguments before;
  while (!at(Kind::rparen)) {
    if (accept(Kind::star)) {
      expression();
      if (before.double_star) return fail("iterable argument unpacking follows keyword argument unpacking");
    } else if (accept(Kind::double_star)) {
      before.double_star = true;
      expression();
    } else if (at(Kind::name) && cur_[1].kind == Kind::equal) {
      const Token& name = *cur_;
      before.keyword = true;
      advance();
      advance();
      if (at(Kind::comma) || at(Kind::rparen)) return fail(name, "expected argument value expression");
      expression();
    } else {
      positional_argument(before, is_class);
    }
    before.any = true;
    if (!accept(Kind::comma)) break;
  }
  if (before.late != nullptr && at(Kind::rparen)) return fail(before.late);
  expect_close(Kind::rparen);
}

void GrammarReader::positional_argument(Arguments& before, bool is_class) {
  Expr value = named_expression();
  if (failed()) return;
  if (at(Kind::equal)) {
    bool constant = value.shape == Shape::true_ || value.shape == Shape::false_ || value.shape == Shape::none;
    if (constant) return fail(*value.first, fmt::format("cannot assign to {}", name_of(value.shape)));
    return fail(*value.first, "expression cannot contain assignment, perhaps you meant \"==\"?");
  }
  if (at(Kind::kw_for) || at(Kind::kw_async)) {
    comprehension();
    if (failed()) return;
    if (is_class) return fail(*value.first, "invalid syntax");
    if (before.any || !at(Kind::rparen))
      return fail(*value.first, "Generator expression must be parenthesized");
  }
  if (before.late != nullptr) return;
  if (before.double_star) before.late = "positional argument follows keyword argument unpacking";
  if (before.keyword && !before.double_star) before.late = "positional argument follows keyword argument";
}

void GrammarReader::subscript() {
  advance();
  if (at(Kind::rbracket)) return fail();
  do {
    if (at(Kind::rbracket)) break;
    if (at(Kind::star)) {
      rewrite(cur_->begin, cur_->end);
      advance();
      expression();
    } else {
      slice();
    }
  } while (accept(Kind::comma));
  expect_close(Kind::rbracket);
}

void GrammarReader::slice() {
  if (!at(Kind::colon)) {
    Expr lower = named_expression();
    if (lower.shape == Shape::walrus && !lower.in_parens) return;
  }
  for (int colons = 0; colons < 2 && accept(Kind::colon); ++colons)
    if (starts_expression()) expression();
}

}  // namespace hwsift::analyzer
