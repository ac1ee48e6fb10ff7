#include "analyzer/python/excerpt.h"

#include "analyzer/lexicon.h"
#include "analyzer/python/syntax.h"
#include "bench/micro/input.h"
#include "classifier/vocabulary.h"

namespace hwsift::micro {
namespace {

const analyzer::Lexicon& lexicon() {
  static const analyzer::Lexicon made = classifier::builtin_vocabulary().lexicon();
  return made;
}

// From tokens, which are there.
void excerpt(benchmark::State& state) {
  std::vector<analyzer::Tokens> tokens;
  for (const Source& source : sources()) tokens.push_back(analyzer::tokenize(source.text));
  std::size_t at = 0;
  over_all(state, [&](const Source& source) {
    return analyzer::make_excerpt(source.text, tokens[at++ % tokens.size()], *lexicon().words).text().size();
  });
}
BENCHMARK(excerpt)->Unit(benchmark::kMillisecond);

// Tokens, grammar, excerpt and its tree.
void syntax_by_excerpt(benchmark::State& state) {
  over_all(state, [](const Source& source) {
    return analyzer::parse_python(source.text, lexicon().words.get()).errors.size();
  });
}
BENCHMARK(syntax_by_excerpt)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hwsift::micro
