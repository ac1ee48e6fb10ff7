// The decision for C++ tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/classify.h"
#include "classifier/cxx_vocabulary.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {

// One verdict a suite, in source order. A suite may well hold tests of several categories, as each test is
// chosen by its name: no split is proposed.
std::vector<ClassVerdict> classify_cxx(const analyzer::FileFacts& file, const Vocabulary& vocabulary);

// The suffix by which the name of a test says what it needs, or nullptr.
const NameSuffix* suffix_of(const std::string& test, const Vocabulary& vocabulary);

// Whether gtest leaves a test out by its name, DISABLED_ in front of the test or its suite; both may be as
// gtest prints them: "Prefix/Suite", "Name/0".
bool is_disabled(std::string_view suite, std::string_view name);

// The devices in whose builds alone a test is compiled, and what says so; [] for a test of every build.
struct BuiltFor {
  std::vector<std::string> devices;
  Evidence evidence;
};

// Of the tests of one file, which must outlive it, as must the vocabulary.
class Builds {
 public:
  Builds(const analyzer::FileFacts& file, const Vocabulary& vocabulary);
  BuiltFor of(const analyzer::Method& test) const;

 private:
  const analyzer::FileFacts& file_;
  const CxxVocabulary& cxx_;
  BuiltFor by_header_;
};

}  // namespace hwsift::classifier
