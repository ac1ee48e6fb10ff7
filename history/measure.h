// What the test files of a tree come to, in numbers: what a database keeps and a report counts.
//
//   hard-coded use  code of a test class that names one accelerator ("cuda", .cuda(),
//   torch.cuda.synchronize()),
//                   where the class does not declare to be about that device. Questions (guards, comparisons,
//                   conditions), decorators and imports are none. Code outside of classes counts for its
//                   file.
//   finding         of the profile that measures, whatever an allowlist allows and with suppressions heeded
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/classify.h"
#include "classifier/vocabulary.h"
#include "lint/finding.h"

namespace hwsift::history {

// A class with own test methods.
struct ClassMeasure {
  std::string name;  // qualified: "Outer.Inner"
  int line = 0;
  int tests = 0;         // own methods named test*
  std::string declared;  // "CUDA", "DEVICE_GENERIC"; "" where it has no label that Python would read as one
  std::string inferred;
  bool mixed = false;
  int uses = 0;      // hard-coded
  int findings = 0;  // about it or one of its tests

  // What counts: the label where there is one, else what its tests say.
  const std::string& category() const { return declared.empty() ? inferred : declared; }
  bool operator==(const ClassMeasure&) const = default;
};

struct FileMeasure {
  bool read = true;                     // false: there was no tree to count in
  bool test_file = true;                // test_*.py or *_test.py
  std::vector<std::string> owners;      // "module: nn"
  std::vector<ClassMeasure> classes;    // in source order
  int outside_uses = 0;                 // hard-coded, in code of no class with tests
  std::map<std::string, int> findings;  // by rule; those about classes too

  int count_findings() const;
  int count_uses() const;
  bool operator==(const FileMeasure&) const = default;
};

FileMeasure measure(const analyzer::FileFacts& facts, const std::vector<classifier::ClassVerdict>& verdicts,
                    const std::vector<lint::Finding>& findings, const classifier::Vocabulary& vocabulary);

// The sum over files.
struct Tally {
  long long files = 0;
  long long classes = 0;
  long long tests = 0;
  long long declared = 0;  // classes
  long long mixed = 0;     // classes
  long long uses = 0;
  long long findings = 0;

  long long undeclared() const { return classes - declared; }
  bool operator==(const Tally&) const = default;
};
// `sign` -1 takes it away again.
void add(const FileMeasure& file, Tally& tally, long long sign = 1);

}  // namespace hwsift::history
