// The predicates of the language, for those who read and those who print them.
#pragma once

#include <string_view>

#include "runner/filter.h"

namespace hwsift::runner {

struct PredicateRow {
  enum class Takes { text, optional, nothing };
  const char* name;
  Predicate predicate;
  Takes takes;
  bool has_matchers;  // =, ~ and # before its text
  Matcher otherwise;  // the matcher where none is written
  const char* example;
};

inline constexpr PredicateRow kPredicates[] = {
    {"file", Predicate::file, PredicateRow::Takes::text, true, Matcher::path, "file(test/nn)"},
    {"class", Predicate::cls, PredicateRow::Takes::text, true, Matcher::contains, "class(TestNN)"},
    {"test", Predicate::test, PredicateRow::Takes::text, true, Matcher::contains, "test(add)"},
    {"hw", Predicate::hw, PredicateRow::Takes::text, false, Matcher::exact, "hw(CUDA)"},
    {"owner", Predicate::owner, PredicateRow::Takes::text, true, Matcher::exact, "owner(nn)"},
    {"slow", Predicate::slow, PredicateRow::Takes::optional, false, Matcher::exact, "slow(30s)"},
    {"failed", Predicate::failed, PredicateRow::Takes::nothing, false, Matcher::exact, "failed()"},
    {"changed", Predicate::changed, PredicateRow::Takes::optional, false, Matcher::exact, "changed(main)"},
    {"all", Predicate::all, PredicateRow::Takes::nothing, false, Matcher::exact, "all()"},
    {"none", Predicate::none, PredicateRow::Takes::nothing, false, Matcher::exact, "none()"},
};

struct MatcherRow {
  char sign;
  Matcher matcher;
};
inline constexpr MatcherRow kMatchers[] = {
    {'=', Matcher::exact}, {'~', Matcher::contains}, {'#', Matcher::glob}};

// `words` are other spellings of the signs; a higher rank binds tighter.
struct OperatorRow {
  FilterStep::Op op;
  char sign;
  const char* word;  // "" where there is none
  int rank;
};
inline constexpr OperatorRow kOperators[] = {
    {FilterStep::Op::or_, '|', "or", 1},
    {FilterStep::Op::and_, '&', "and", 2},
    {FilterStep::Op::minus, '-', "", 2},
    {FilterStep::Op::not_, '!', "not", 3},
};
inline constexpr int kRankOfTerm = 4;

const PredicateRow& row_of(Predicate predicate);
const OperatorRow& row_of(FilterStep::Op op);

}  // namespace hwsift::runner
