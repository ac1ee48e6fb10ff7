#include "lint/lint.h"

#include "analyzer/scan.h"
#include "bench/micro/input.h"
#include "classifier/classify.h"

namespace hwsift::micro {
namespace {

// From the bytes of the largest source to its findings, under the default profile.
void lint_one_file(benchmark::State& state) {
  const classifier::Vocabulary& vocabulary = classifier::builtin_vocabulary();
  const lint::Profile& profile = lint::builtin_lint_rules().profiles.front();
  analyzer::Lexicon lexicon = vocabulary.lexicon();
  lint::Surroundings around;
  const Source& source = largest_source();
  for (auto _ : state) {
    analyzer::ScannedFile file = analyzer::scan_text(source.path, source.bytes, lexicon);
    std::vector<classifier::ClassVerdict> verdicts = classifier::classify(file.facts, vocabulary);
    benchmark::DoNotOptimize(
        lint::lint_file({profile, file.facts, verdicts, vocabulary, around, file.text, file.text_begin}));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(source.bytes.size()) *
                          static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(lint_one_file)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hwsift::micro
