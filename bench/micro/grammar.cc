#include "analyzer/python/grammar.h"

#include <map>

#include "bench/micro/input.h"

namespace hwsift::micro {
namespace {

// Of tokens that were cut before.
void grammar(benchmark::State& state) {
  std::map<const Source*, analyzer::Tokens> tokens;
  for (const Source& source : sources()) tokens[&source] = analyzer::tokenize(source.text);
  over_all(state, [&](const Source& source) {
    return analyzer::check_grammar(source.text, tokens[&source]).faults.size();
  });
}
BENCHMARK(grammar)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hwsift::micro
