// Facts by an excerpt are the facts of the whole text. Words of the input are changed for words that readers
// ask for, so that most inputs stay Python.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/python/analyze.h"
#include "analyzer/python/syntax.h"
#include "base/text.h"
#include "classifier/vocabulary.h"

using namespace hwsift;
using namespace hwsift::analyzer;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

constexpr std::string_view kWords[] = {"self",
                                       "cls",
                                       "device",
                                       "devices",
                                       "locals",
                                       "torch",
                                       "cuda",
                                       "cpu",
                                       "xpu",
                                       "is_cuda",
                                       "type",
                                       "globals",
                                       "x",
                                       "y",
                                       "helper",
                                       "TestA",
                                       "TestB",
                                       "Inner",
                                       "test_one",
                                       "setUp",
                                       "assertEqual",
                                       "skipTest",
                                       "fail",
                                       "id",
                                       "_testMethodName",
                                       "TEST_CUDA",
                                       "HAS_GPU",
                                       "GPU_TYPE",
                                       "onlyCUDA",
                                       "skipIf",
                                       "unittest",
                                       "dtypes",
                                       "FakeTensorMode",
                                       "mode",
                                       "hw_classification",
                                       "HardwareClassification",
                                       "instantiate_device_type_tests",
                                       "copy_tests",
                                       "only_for",
                                       "assertExpectedInline",
                                       "str",
                                       "lambda",
                                       "return",
                                       "raise",
                                       "if",
                                       "while",
                                       "for",
                                       "in",
                                       "as",
                                       "with",
                                       "is",
                                       "not",
                                       "and",
                                       "or",
                                       "global",
                                       "del",
                                       "pass",
                                       "await",
                                       "yield",
                                       "async",
                                       "def",
                                       "class",
                                       "__name__",
                                       "startswith"};

const Lexicon& lexicon() {
  static const Lexicon made = classifier::builtin_vocabulary().lexicon();
  return made;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for_each_word(text, [&](std::string_view word) { words.push_back(word); });
  return words;
}

// One word becomes another one.
std::string with_word_changed(std::string_view text, std::minstd_rand& random) {
  std::vector<std::string_view> words = words_of(text);
  if (words.empty()) return std::string(text);
  std::string_view old = words[random() % words.size()];
  std::string_view fresh =
      random() % 2 == 0 ? kWords[random() % std::size(kWords)] : words[random() % words.size()];
  std::size_t at = static_cast<std::size_t>(old.data() - text.data());
  return std::string(text.substr(0, at)).append(fresh).append(text.substr(at + old.size()));
}

// One line stands once more, elsewhere.
std::string with_line_moved(std::string_view text, std::minstd_rand& random) {
  std::vector<std::string> lines = split(text, '\n');
  std::string line = lines[random() % lines.size()];
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(random() % (lines.size() + 1)), line);
  return join(lines, "\n");
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  std::minstd_rand random(seed);
  if (random() % 8 == 0) return LLVMFuzzerMutate(data, size, most);
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string changed = random() % 3 == 0 ? with_line_moved(text, random) : with_word_changed(text, random);
  std::size_t length = std::min(changed.size(), most);
  std::memcpy(data, changed.data(), length);
  return length;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Decoded decoded = decode_python_source(std::string(reinterpret_cast<const char*>(data), size));
  if (!decoded.ok) return 0;
  ParsedSource whole = parse_python(decoded.source.text);
  // What the grammar does not know it reads in its own way, and an excerpt may not have it at all.
  if (!whole.errors.empty() || ts_node_has_error(ts_tree_root_node(whole.tree.get()))) return 0;
  if (analyze_python("test/test_a.py", decoded, lexicon()) !=
      analyze_python("test/test_a.py", decoded, lexicon(), Reading::whole))
    std::abort();
  return 0;
}
