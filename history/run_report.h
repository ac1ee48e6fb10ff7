// What a run came to, in numbers and lists. Every printer shows these and computes none of its own.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "classifier/vocabulary.h"
#include "history/reason_cluster.h"
#include "runner/result.h"

namespace hwsift::history {

inline constexpr std::size_t kSlowest = 20;

// By outcome, and what did not run.
struct OutcomeCounts {
  std::array<std::size_t, std::size(runner::kOutcomes)> by_outcome{};  // index: Outcome
  std::size_t not_run = 0;
  double seconds = 0;

  std::size_t of(runner::Outcome outcome) const { return by_outcome[static_cast<std::size_t>(outcome)]; }
  std::size_t results() const;
  std::size_t bad() const;
  void add(const runner::TestResult& result);
  bool operator==(const OutcomeCounts&) const = default;
};

struct RunGroup {
  std::string name;
  OutcomeCounts counts;
};

// A test that is shown by itself.
struct ShownTest {
  std::string id;
  runner::Outcome outcome = runner::Outcome::passed;
  double seconds = 0;
  int attempts = 1;
  std::string text;  // first line of its message; of a flaky one what each part came to
};

struct SlowFile {
  std::string path;
  std::size_t tests = 0;
  double seconds = 0;
};

// Where a run comes from.
struct RunHead {
  std::vector<std::string> documents;  // names of the files
  std::string device;
  std::map<std::string, std::string> environment;
  std::string started;
  double seconds = 0;
  std::size_t selected = 0;  // before templates expand
  std::size_t parts = 1;     // runs that were joined
  std::string fingerprint;
  bool complete = true;
};

struct RunReport {
  RunHead head;
  OutcomeCounts total;
  std::vector<RunGroup> categories;   // of results, in the order of the vocabulary; "" where none is known
  std::vector<RunGroup> devices;      // that the names of the tests say; "" for names that say none
  std::vector<RunGroup> directories;  // first level below test/, by name
  std::vector<RunGroup> files;        // by path
  std::vector<ReasonCluster> not_run;
  std::vector<ReasonCluster> skips;
  std::vector<ReasonCluster> failures;   // bad outcomes, by the first line of the message
  std::vector<ShownTest> slowest_tests;  // at most kSlowest
  std::vector<SlowFile> slowest_files;   // at most kSlowest
  std::vector<ShownTest> flaky;          // fine after several attempts, or parts that differ
  std::vector<ShownTest> broken;         // crashed, timeout
  std::size_t quarantined = 0;           // bad ones that fail nobody
  std::vector<std::string> notes;        // missing shards, trouble with the device, notes of the document
};

// "test/nn" for "test/nn/test_x.py", "test" for what stands in test/ itself.
std::string directory_of(const std::string& path);
// The category of a result as reports order and name them.
std::vector<std::string> category_order(const classifier::Vocabulary& vocabulary);

// `documents` names the files that the record was read from.
RunHead head_of(const runner::RunRecord& record, std::vector<std::string> documents);
RunReport run_report(const runner::RunRecord& record, std::vector<std::string> documents,
                     const classifier::Vocabulary& vocabulary);

}  // namespace hwsift::history
