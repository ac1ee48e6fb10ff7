// Any bytes as a Python test file: facts, and places that lie within the file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "analyzer/python/analyze.h"

namespace {

using namespace hwsift::analyzer;

Lexicon make_lexicon() {
  Lexicon lexicon;
  lexicon.device_types = {"cpu", "cuda", "xpu", "mps", "meta"};
  lexicon.members["cuda"] = {UseKind::device_method, {"cuda"}};
  lexicon.names["torch.cuda.is_available"] = {UseKind::api, {"cuda"}};
  lexicon.names["onlyCUDA"] = {UseKind::decorator, {"cuda"}};
  lexicon.prefixes["torch.cuda"] = {UseKind::api, {"cuda"}};
  lexicon.last_words["TEST_CUDA"] = {UseKind::flag, {"cuda"}};
  return lexicon;
}

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Lexicon lexicon = make_lexicon();
  FileFacts facts =
      analyze_python("test_x.py", std::string(reinterpret_cast<const char*>(data), size), lexicon);
  require(facts.parse.ok == facts.parse.errors.empty());
  for (const ParseError& error : facts.parse.errors) require(error.line >= 1 && error.col >= 1);
  for (const Class& cls : facts.classes) require(cls.line >= 1 && cls.end_line >= cls.line);
  for (const Use& use : facts.uses) require(use.line >= 1 && use.col >= 1);
  return 0;
}
