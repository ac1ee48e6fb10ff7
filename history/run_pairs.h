// The tests of two runs, each with its counterpart; run_comparison.h says how these are found.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "classifier/vocabulary.h"
#include "history/run_comparison.h"
#include "history/test_identity.h"
#include "runner/result.h"

namespace hwsift::history {

// A test of a document: a result, or an id that did not run. Points into the record.
struct RunEntry {
  const std::string* id = nullptr;
  TestIdParts parts;
  TestState state = TestState::missing;
  const std::string* text = nullptr;           // message, or the reason why it did not run
  const runner::TestResult* result = nullptr;  // nullptr where it did not run
};

// By id.
std::vector<RunEntry> entries_of(const runner::RunRecord& record);

struct RunPair {
  std::optional<std::size_t> here;  // into RunPairs::here
  std::optional<std::size_t> there;
  Match match = Match::none;
  bool ambiguous = false;
  bool template_here = false;  // of a match by template: which side did not run it
};

struct RunPairs {
  std::vector<RunEntry> here;
  std::vector<RunEntry> there;
  std::vector<RunPair> pairs;
  std::size_t templates_here = 0;  // entries that stand for several of the other side
  std::size_t templates_there = 0;
  std::vector<Rename> renames;
  std::vector<Rename> possible_renames;
  std::size_t same_method = 0;
};

// The records must outlive what is returned.
RunPairs pair_runs(const runner::RunRecord& here, const runner::RunRecord& there,
                   const classifier::Vocabulary& vocabulary);

}  // namespace hwsift::history
