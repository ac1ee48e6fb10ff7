#include "analyzer/cxx/made_tests.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace hwsift::analyzer::cxx {
namespace {

class Joiner {
 public:
  Joiner(const LexedFile& file, const Brackets& brackets, Outline& outline)
      : file_(file), tokens_(file.tokens), brackets_(brackets), outline_(outline) {}

  void run() {
    for (const MadeTest& made : file_.made_tests)
      if (!is_outlined(made)) add(made);
    auto place = [](const OutlinedTest& test) { return std::tie(test.line, test.col); };
    std::stable_sort(outline_.tests.begin(), outline_.tests.end(),
                     [&](const OutlinedTest& a, const OutlinedTest& b) { return place(a) < place(b); });
  }

 private:
  bool is_outlined(const MadeTest& made) const {
    return std::any_of(outline_.tests.begin(), outline_.tests.end(), [&](const OutlinedTest& test) {
      return test.suite == made.suite && test.name == made.name;
    });
  }

  void add(const MadeTest& made) {
    if (OutlinedTest* written = misnamed_at(made)) {
      written->suite = made.suite;
      written->name = made.name;
      return;
    }
    OutlinedTest test;
    test.macro.kind = made.expands ? TestMacro::Kind::parametrized : TestMacro::Kind::plain;
    test.suite = made.suite;
    test.name = made.name;
    test.line = test.end_line = made.line;
    test.col = made.col;
    read_text(test);
    outline_.tests.push_back(std::move(test));
  }

  // The test of that place whose name the compiler does not know: a macro of a header makes another of it.
  OutlinedTest* misnamed_at(const MadeTest& made) const {
    for (OutlinedTest& test : outline_.tests) {
      bool here = test.line == made.line && test.col == made.col;
      if (here && !is_made(test)) return &test;
    }
    return nullptr;
  }

  bool is_made(const OutlinedTest& test) const {
    return std::any_of(file_.made_tests.begin(), file_.made_tests.end(), [&](const MadeTest& made) {
      return made.suite == test.suite && made.name == test.name;
    });
  }

  void read_text(OutlinedTest& test) {
    std::size_t at = 0;
    while (at < tokens_.size() && (tokens_[at].line != test.line || tokens_[at].col != test.col)) ++at;
    if (at == tokens_.size()) return;
    test.condition = tokens_[at].condition;
    std::size_t open = at + 1;
    if (open >= tokens_.size() || !tokens_[open].is("(") || !brackets_.matched(open)) return;
    std::size_t behind = brackets_.behind(open);
    if (behind < tokens_.size() && tokens_[behind].is("{") && brackets_.matched(behind)) open = behind;
    test.body = {open + 1, brackets_.partner(open)};
    test.end_line = tokens_[brackets_.partner(open)].line;
    drop_function(test.body);
  }

  // What the outline took for a function.
  void drop_function(TokenRange body) {
    std::vector<OutlinedFunction>& all = outline_.functions;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const OutlinedFunction& one) { return one.body.begin == body.begin; }),
              all.end());
  }

  const LexedFile& file_;
  const std::vector<Token>& tokens_;
  const Brackets& brackets_;
  Outline& outline_;
};

}  // namespace

void add_made_tests(const LexedFile& file, const Brackets& brackets, Outline& outline) {
  if (!file.made_tests.empty()) Joiner(file, brackets, outline).run();
}

}  // namespace hwsift::analyzer::cxx
