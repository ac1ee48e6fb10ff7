#include "analyzer/python/grammar.h"

#include <algorithm>
#include <utility>

#include "analyzer/python/grammar_reader.h"

namespace hwsift::analyzer {
namespace {

constexpr std::size_t kMaxFaults = 20;
// Brackets and f-strings are bounded by the tokenizer; this bounds lambdas in lambdas and powers of powers.
constexpr int kMaxDepth = 800;
constexpr Token kHalt{0, 0, Kind::halt, 0};

}  // namespace

GrammarVerdict check_grammar(const std::string& text, const Tokens& tokens) {
  return GrammarReader(text, tokens).read();
}

GrammarVerdict GrammarReader::read() {
  statements();
  return std::move(verdict_);
}

const Token& GrammarReader::next(std::ptrdiff_t n) const {
  const Token* token = cur_;
  for (; n > 0 && token->kind != Kind::end && token->kind != Kind::halt; --n) ++token;
  return *token;
}

bool GrammarReader::expect(Kind kind) {
  if (accept(kind)) return true;
  fail();
  return false;
}

bool GrammarReader::expect_colon() {
  if (accept(Kind::colon)) return true;
  if (at(Kind::newline))
    fail("expected ':'");
  else if (at(Kind::equal))
    fail("invalid syntax. Maybe you meant '==' or ':=' instead of '='?");
  else
    fail();
  return false;
}

// Two expressions side by side within brackets; CPython does not say so of what may be a misspelt prefix of a
// string.
bool GrammarReader::forgot_comma() const {
  if (operand_end_ != cur_ || !starts_expression()) return false;
  if (operand_first_->kind != Kind::name) return true;
  std::string_view word = word_of(*operand_first_);
  bool soft_keyword = word == "match" || word == "case" || word == "type" || word == "_";
  return !soft_keyword && operand_first_[1].kind != Kind::string;
}

bool GrammarReader::expect_close(Kind close) {
  if (accept(close)) return true;
  if (forgot_comma())
    fail(*operand_first_, "invalid syntax. Perhaps you forgot a comma?");
  else if (at(Kind::equal))
    fail("invalid syntax. Maybe you meant '==' or ':=' instead of '='?");
  else
    fail();
  return false;
}

void GrammarReader::note_at(std::uint32_t offset, std::string message, bool final) {
  if (offset > 0 && offset == text_.size() && text_[offset - 1] == '\n')
    --offset;  // on the last line, not below it
  if (verdict_.faults.size() < kMaxFaults) verdict_.faults.push_back({offset, std::move(message), final});
}

void GrammarReader::fail_at(std::uint32_t offset, std::string message) {
  if (failed()) return;
  if (!at(Kind::error)) note_at(offset, std::move(message));
  halt();
}

void GrammarReader::fail() {
  if (!at(Kind::indent)) return fail_at(cur_->begin, "invalid syntax");
  note_at(cur_->begin, "unexpected indent", true);
  halt();
}

void GrammarReader::halt() {
  failed_at_ = cur_;
  cur_ = &kHalt;
}

void GrammarReader::fail_target(const Expr& target, const char* verb, const char* hint) {
  Shape shape = target.culprit != nullptr ? target.culprit_shape : target.shape;
  const Token& place = target.culprit != nullptr ? *target.culprit : *target.first;
  fail(place, std::string("cannot ") + verb + " " + name_of(shape) + hint);
}

bool GrammarReader::enter() {
  if (++depth_ < kMaxDepth) return true;
  fail("source too complex to parse");
  return false;
}

std::size_t GrammarReader::line_of(std::uint32_t offset) const {
  if (verdict_.faults.size() >= kMaxFaults) return 0;  // counting costs, and the fault will not be told
  return 1 + static_cast<std::size_t>(std::count(text_.begin(), text_.begin() + offset, '\n'));
}

bool GrammarReader::starts_expression() const {
  switch (cur_->kind) {
    case Kind::name:
    case Kind::number:
    case Kind::string:
    case Kind::fstring_start:
    case Kind::lparen:
    case Kind::lbracket:
    case Kind::lbrace:
    case Kind::ellipsis:
    case Kind::plus:
    case Kind::minus:
    case Kind::tilde:
    case Kind::kw_not:
    case Kind::kw_lambda:
    case Kind::kw_await:
    case Kind::kw_none:
    case Kind::kw_true:
    case Kind::kw_false:
      return true;
    default:
      return false;
  }
}

const char* name_of(Shape shape) {
  switch (shape) {
    case Shape::name:
      return "name";
    case Shape::attribute:
      return "attribute";
    case Shape::subscript:
      return "subscript";
    case Shape::call:
      return "function call";
    case Shape::literal:
    case Shape::string:
      return "literal";
    case Shape::false_:
      return "False";
    case Shape::true_:
      return "True";
    case Shape::none:
      return "None";
    case Shape::ellipsis:
      return "ellipsis";
    case Shape::formatted:
      return "f-string expression";
    case Shape::template_:
      return "t-string expression";
    case Shape::tuple:
      return "tuple";
    case Shape::list:
      return "list";
    case Shape::dict:
      return "dict literal";
    case Shape::dict_comprehension:
      return "dict comprehension";
    case Shape::list_comprehension:
      return "list comprehension";
    case Shape::set:
      return "set display";
    case Shape::set_comprehension:
      return "set comprehension";
    case Shape::generator:
      return "generator expression";
    case Shape::lambda:
      return "lambda";
    case Shape::conditional:
      return "conditional expression";
    case Shape::comparison:
      return "comparison";
    case Shape::operation:
      return "expression";
    case Shape::await:
      return "await expression";
    case Shape::yield:
      return "yield expression";
    case Shape::walrus:
      return "named expression";
    case Shape::starred:
      return "starred";
  }
  return "expression";
}

}  // namespace hwsift::analyzer
