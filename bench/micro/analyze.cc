#include "analyzer/python/analyze.h"

#include "bench/micro/input.h"
#include "classifier/vocabulary.h"

namespace hwsift::micro {
namespace {

// From the bytes of a file to its facts.
void analyze(benchmark::State& state) {
  analyzer::Lexicon lexicon = classifier::builtin_vocabulary().lexicon();
  over_all(state, [&](const Source& source) {
    return analyzer::analyze_python(source.path, source.bytes, lexicon).classes.size();
  });
}
BENCHMARK(analyze)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hwsift::micro
