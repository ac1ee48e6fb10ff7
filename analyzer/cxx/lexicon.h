// The words that the C++ analyzer looks for. Data only: the classifier makes it from rules/cxx.yaml and knows
// what the words mean. Names are written with dots for `::`.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/cxx/outline.h"
#include "analyzer/facts.h"

namespace hwsift::analyzer::cxx {

struct CxxWord {
  UseKind kind = UseKind::api;
  std::vector<std::string> devices = {};
  bool recorded = true;  // false for what only an entry above it makes look like hardware
};

struct CxxLexicon {
  std::set<std::string> device_types;       // of a text: "cuda" and "cuda:0" are devices
  std::map<std::string, CxxWord> members;   // called of an object: x.cuda()
  std::map<std::string, CxxWord> names;     // the end of what is written
  std::map<std::string, CxxWord> below;     // and every name below it
  std::map<std::string, CxxWord> stems;     // of a last word, before an upper-case letter: cudaMalloc
  std::set<std::string> uses_device;        // last words of callables that work on a device they are given
  std::set<std::string> describes_device;   // of those that only describe one
  std::set<std::string> device_parameters;  // types by which a function is given its device
  std::map<std::string, std::vector<std::string>> builds;  // macros of builds for a device, to the devices
  std::vector<TestMacro> test_macros;
  std::vector<std::string> macros;  // of headers, as -D takes them
};

// The entry that a name has, nullptr for none. `symbol` is what the compiler resolved, or what is written,
// and how much of a name that is depends on `using`. A member of an object is known by no beginning of its
// name.
const CxxWord* find_word(const std::string& symbol, bool member, const CxxLexicon& lexicon);

// The devices without which no line under the condition is compiled; [] where others get there as well.
std::vector<std::string> devices_of_condition(std::string_view text, bool negated, const CxxLexicon& lexicon);

}  // namespace hwsift::analyzer::cxx
