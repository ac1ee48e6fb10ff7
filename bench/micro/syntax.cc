#include "analyzer/python/syntax.h"

#include "bench/micro/input.h"

namespace hwsift::micro {
namespace {

// Tokens, grammar and the tree.
void syntax(benchmark::State& state) {
  over_all(state, [](const Source& source) { return analyzer::parse_python(source.text).errors.size(); });
}
BENCHMARK(syntax)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hwsift::micro
