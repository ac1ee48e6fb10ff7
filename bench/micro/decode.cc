#include "analyzer/python/decode.h"

#include "bench/micro/input.h"

namespace hwsift::micro {
namespace {

void decode(benchmark::State& state) {
  over_all(state, [](const Source& source) { return analyzer::decode_python_source(source.bytes).ok; });
}
BENCHMARK(decode)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hwsift::micro
