#include "analyzer/facts_codec.h"

#include "analyzer/python/analyze.h"
#include "bench/micro/input.h"
#include "classifier/vocabulary.h"

namespace hwsift::micro {
namespace {

std::vector<analyzer::FileFacts> facts_of_all() {
  analyzer::Lexicon lexicon = classifier::builtin_vocabulary().lexicon();
  std::vector<analyzer::FileFacts> facts;
  for (const Source& source : sources())
    facts.push_back(analyzer::analyze_python(source.path, source.bytes, lexicon));
  return facts;
}

// What a run keeps in the cache.
void encode_facts(benchmark::State& state) {
  std::vector<analyzer::FileFacts> facts = facts_of_all();
  std::size_t at = 0;
  over_all(state, [&](const Source&) { return analyzer::encode_facts(facts[at++ % facts.size()]).size(); });
}
BENCHMARK(encode_facts)->Unit(benchmark::kMillisecond);

// What a run with a warm cache does instead of reading a file.
void decode_facts(benchmark::State& state) {
  std::vector<std::string> encoded;
  for (const analyzer::FileFacts& facts : facts_of_all()) encoded.push_back(analyzer::encode_facts(facts));
  std::size_t at = 0;
  over_all(state, [&](const Source&) {
    return analyzer::decode_facts(encoded[at++ % encoded.size()])->uses.size();
  });
}
BENCHMARK(decode_facts)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hwsift::micro
