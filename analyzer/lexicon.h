// The words the analyzer looks for. Data only: the classifier makes it from rules/ and knows what the words
// mean.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/facts.h"
#include "base/hash.h"

namespace hwsift::analyzer {

class Words;

struct LexiconEntry {
  UseKind kind = UseKind::api;
  std::vector<std::string> devices;
};

struct Lexicon {
  // Device types that make a literal a device literal: cpu, cuda, xpu, mps, meta, hpu ...
  std::vector<std::string> device_types;
  // Members that belong to a device whatever object they are asked of: "cuda", "is_cuda". One that is a
  // device type counts when it is called.
  std::unordered_map<std::string, LexiconEntry> members;
  // Dotted names. A name below a prefix entry (torch.cuda.Stream below torch.cuda) matches it; the longest
  // wins.
  std::unordered_map<std::string, LexiconEntry> names;
  std::unordered_map<std::string, LexiconEntry> prefixes;
  // Last components of `names`, for names that reach a file by star import or re-export.
  std::unordered_map<std::string, LexiconEntry> last_words;
  // Last components of callables (decorators, mostly) that skip when their first argument is true, or unless
  // it is.
  std::vector<std::string> skip_if = {"skipIf", "skipif", "skip_if", "skip_but_pass_in_sandcastle_if",
                                      "lazy_skip_if"};
  std::vector<std::string> skip_unless = {"skipUnless", "skip_unless"};
  // Last components of callables whose positional string is the device to work on.
  std::vector<std::string> device_callees = {
      "to",        "device",   "init_device_mesh",  "DeviceMesh",
      "Generator", "autocast", "get_device_module", "set_default_device",
      "Stream",    "Event"};
  // Last components of callables that make a mode in which tensors have no data on any device.
  std::vector<std::string> fake_modes = {"FakeTensorMode"};
  // Last components of callables that hold a text against what a test prints.
  std::vector<std::string> golden_callees = {"assertExpected",
                                             "assertExpectedInline",
                                             "assertExpectedRaises",
                                             "assertExpectedRaisesInline",
                                             "check",
                                             "check_count",
                                             "check_next",
                                             "check_same",
                                             "check_not",
                                             "check_dag",
                                             "check_source_highlighted"};

  // The words of all these, by which lines of Python are told that hold none; made by index_words. Without it
  // files are parsed from end to end.
  std::shared_ptr<const Words> words;
};

// After the last change to the lexicon.
void index_words(Lexicon& lexicon);
// The same for lexicons that are alike, on every machine.
Hash fingerprint_of(const Lexicon& lexicon);

}  // namespace hwsift::analyzer
