// What the stages are measured on: the files that HWSIFT_MICRO_FILES names, with ':' between them; else the
// valid Python of tests/fixtures, again and again up to some 200 KB, as a stage is slower when its tables are
// cold.
#pragma once

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace hwsift::micro {

struct Source {
  std::string path;   // as a file of a tree: "test/test_a.py"
  std::string bytes;  // as on disk
  std::string text;   // decoded
};

const std::vector<Source>& sources();
const Source& largest_source();

// Does `work` on each source, as often as the benchmark asks; reports bytes per second.
template <class Work>
void over_all(benchmark::State& state, Work work) {
  std::size_t bytes = 0;
  for (const Source& source : sources()) bytes += source.bytes.size();
  for (auto _ : state)
    for (const Source& source : sources()) benchmark::DoNotOptimize(work(source));
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
}

}  // namespace hwsift::micro
