#include "classifier/classify.h"

#include <map>

#include "analyzer/python/analyze.h"
#include "bench/micro/input.h"

namespace hwsift::micro {
namespace {

// From the facts of a file to its verdicts; each file stands alone.
void classify(benchmark::State& state) {
  const classifier::Vocabulary& vocabulary = classifier::builtin_vocabulary();
  analyzer::Lexicon lexicon = vocabulary.lexicon();
  std::map<const Source*, analyzer::FileFacts> facts;
  for (const Source& source : sources())
    facts[&source] = analyzer::analyze_python(source.path, source.bytes, lexicon);
  over_all(state,
           [&](const Source& source) { return classifier::classify(facts[&source], vocabulary).size(); });
}
BENCHMARK(classify)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hwsift::micro
