// The reader behind check_grammar(). Its functions are named after the rules of CPython's
// Grammar/python.gram.
//
// A reader never backs out of a rule. Where a rule fails, fail() notes it and the reader stands on a token of
// kind `halt` from there on: nothing matches it, so every rule that is open returns at once, and statement()
// goes on with the next line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/python/grammar.h"
#include "analyzer/python/tokens.h"

namespace hwsift::analyzer {

// What must be known of an expression once it is read.
enum class Shape : std::uint8_t {
  name,
  attribute,
  subscript,
  call,
  literal,
  false_,
  true_,
  none,
  ellipsis,
  string,
  formatted,
  template_,
  tuple,
  list,
  dict,
  dict_comprehension,
  list_comprehension,
  set,
  set_comprehension,
  generator,
  lambda,
  conditional,
  comparison,
  operation,
  await,
  yield,
  walrus,
  starred,
};

struct Expr {
  Shape shape = Shape::name;
  bool in_parens = false;
  bool assignable = false;  // a star_target, or tuples and lists of them
  bool deletable = false;
  const Token* first = nullptr;
  // The part that cannot be assigned to, where assignable is false.
  const Token* culprit = nullptr;
  Shape culprit_shape = Shape::name;
};

// Operators or trailers in a row, and where the part of them begins that makes the tree too deep.
struct Chain {
  int links = 0;
  std::uint32_t begin = 0;
};

// What a parameter list has had so far.
struct Parameters {
  bool any = false;
  bool with_default = false;
  bool slash = false;
  bool star = false;
};

// What a call has had so far.
struct Arguments {
  bool any = false;
  bool keyword = false;
  bool double_star = false;
  const char* late = nullptr;  // what is wrong with the order; told once all arguments are read
};

const char* name_of(Shape shape);  // as CPython's messages call it

class GrammarReader {
 public:
  GrammarReader(const std::string& text, const Tokens& tokens) : text_(text), cur_(tokens.list.data()) {}

  GrammarVerdict read();

 private:
  // statements.cc
  void statements();
  void statement();
  void recover();
  bool skip_orphan();
  void skip_line();
  void nested_block();
  void simple_statements();
  void simple_statement();
  void expression_statement();
  void annotated(const Expr& target);
  void assignments(Expr left);
  void fail_assignment(const Expr& target);
  void augmented(const Expr& target);
  void return_statement();
  void raise_statement();
  void delete_statement();
  void assert_statement();
  void names_statement();
  void import_statement();
  void from_statement();
  void import_names(bool is_future);
  void check_feature(const Token& name);
  void import_alias();
  void dotted_name();
  void type_statement();
  void block(const char* construct, const Token* keyword);
  void decorated();
  void class_statement();
  void function_statement();
  void async_statement();
  void type_parameters();
  void type_parameter();
  void type_default(bool starred);
  void parameters(Kind close);
  void plain_parameter(Parameters& seen, bool annotations);
  void star_parameter(Parameters& seen, Kind close);
  void slash_parameter(Parameters& seen, Kind close);
  void double_star_parameter(Kind close);
  void if_statement();
  void else_block();
  void while_statement();
  void for_statement();
  void with_statement();
  bool has_items_in_parens() const;
  void with_item();
  void try_statement();
  void except_clause(int& stars);
  void except_types();
  void match_statement();
  void case_block();
  bool at_match() const;

  // patterns.cc
  void patterns();
  void pattern();
  bool star_pattern();
  void or_pattern();
  void closed_pattern();
  void number_pattern();
  void sequence_pattern(Kind close);
  void mapping_pattern();
  void name_pattern();
  void class_arguments();

  // expressions.cc
  Expr star_expressions();
  Expr star_expression();
  Expr expression();
  Expr named_expression();
  Expr star_named_expression();
  Expr conditional(const Expr& first);
  Expr disjunction();
  Expr bitwise_or() { return binary(5); }
  Expr binary(int least);
  void add_link(Chain& chain);
  void end_chain(const Chain& chain);
  Expr unary();
  Expr power();
  Expr primary();
  Expr atom();
  Expr parenthesised();
  Expr bracketed();
  Expr braced();
  Expr dict(const Token* open);
  void dict_value();
  Expr lambda();
  Expr yield_expression();
  Expr tuple_rest(const Expr& first, bool named);
  void comprehension();
  void target_list();
  void call_arguments(bool is_class);
  void positional_argument(Arguments& before, bool is_class);
  void subscript();
  void slice();

  // literals.cc
  Expr strings();
  void plain_string(const Token& token);
  void formatted_string();
  void replacement_field(bool is_template);
  void conversion(const char* literal);
  void format(bool is_template);
  void rewrite_template_prefix();
  void check_escapes(const Token& token, std::uint32_t from, std::uint32_t to);
  std::uint32_t check_escape(const Token& token, std::uint32_t at, std::uint32_t to);

  // shared
  bool at(Kind kind) const { return cur_->kind == kind; }
  bool at_word(std::string_view word) const { return at(Kind::name) && word_of(*cur_) == word; }
  const Token& next(std::ptrdiff_t n = 1) const;
  void advance() {
    if (cur_->kind != Kind::halt && cur_->kind != Kind::end) ++cur_;
  }
  bool accept(Kind kind) {
    if (!at(kind)) return false;
    advance();
    return true;
  }
  bool expect(Kind kind);
  bool expect_colon();
  bool expect_close(Kind close);
  bool forgot_comma() const;
  bool failed() const { return at(Kind::halt); }
  void fail();
  void halt();
  void fail(std::string message) { fail(*cur_, std::move(message)); }
  void fail(const Token& place, std::string message) { fail_at(place.begin, std::move(message)); }
  void fail_at(std::uint32_t offset, std::string message);
  // A fault that stops nothing.
  void note_at(std::uint32_t offset, std::string message, bool final = false);
  void fail_target(const Expr& target, const char* verb, const char* hint = "");
  bool starts_expression() const;
  std::string_view word_of(const Token& token) const {
    return std::string_view(text_).substr(token.begin, token.end - token.begin);
  }
  std::size_t line_of(std::uint32_t offset) const;
  void rewrite(std::uint32_t begin, std::uint32_t end, std::string fill = "") {
    verdict_.rewrites.push_back({begin, end, std::move(fill), false});
  }
  void rewrite_doubtful(std::uint32_t begin, std::uint32_t end) {
    verdict_.rewrites.push_back({begin, end, "", true});
  }
  void attribute();
  bool enter();
  void leave() { --depth_; }

  const std::string& text_;
  const Token* cur_;
  const Token* failed_at_ = nullptr;
  const Token* operand_first_ = nullptr;  // the expression that was read last, for "forgot a comma"
  const Token* operand_end_ = nullptr;
  int depth_ = 0;
  bool orphans_ = false;  // the statement before failed: clauses that belonged to it are passed over
  bool flufl_ = false;    // from __future__ import barry_as_FLUFL
  GrammarVerdict verdict_;
};

}  // namespace hwsift::analyzer
