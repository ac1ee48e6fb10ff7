// The gtest binaries of a run: the tests that they have, the source file that each of these belongs to, and
// what that makes of a selection. What a binary has is known before anything runs, so that a test which it
// lacks, or which no source explains, has its place in the account from the start.
#pragma once

#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "runner/gtest_list.h"
#include "runner/selection.h"

namespace hwsift::runner {

struct GtestBinary {
  std::string program;               // as it is started
  std::string path;                  // that stands for a source file where none explains a test
  std::vector<std::string> sources;  // files of the tree that it is made of, as far as the user says
  std::vector<GtestName> tests;
};

struct GtestTest {
  std::string path;  // of its source file
  GtestName name;
  std::size_t binary = 0;  // of those of the run; where several have a test, the first
  bool shares_id = false;  // with another one, as "S/0.T" does with "S.T/0": its id has gtest's full name

  std::string within() const;
  std::string id() const { return path + "::" + within(); }
  std::string template_id() const { return path + "::" + base_of(name).test_in_file(); }
};

// The source of a test is the one file of its binary that has it; else the one that has its suite; else the
// binary itself stands for it. `files` are the facts of the sources of all.
struct PlacedTests {
  std::vector<GtestTest> tests;
  std::vector<std::string> repeated;  // ids of those that are there once more, and do not run from there
};
PlacedTests place_tests(const std::vector<GtestBinary>& binaries,
                        const std::vector<analyzer::FileFacts>& files);

// Leaves out what no binary has, with what must be defined for it, and adds what only the binaries tell of:
// it runs if the suffix of its name fits the device, without one if its suite does, and of an unknown suite
// on a CPU.
void hold_to_binaries(const std::vector<GtestTest>& there, const std::vector<analyzer::FileFacts>& files,
                      const SelectOptions& options, Selection& selection);

}  // namespace hwsift::runner
