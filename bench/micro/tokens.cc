#include "analyzer/python/tokens.h"

#include "bench/micro/input.h"

namespace hwsift::micro {
namespace {

void tokens(benchmark::State& state) {
  over_all(state, [](const Source& source) { return analyzer::tokenize(source.text).list.size(); });
}
BENCHMARK(tokens)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hwsift::micro
