// A run against another one: of another device, commit or machine.
//
//   here, there  this run, and the baseline that it is held against; the order of the two matters
//   state        what a test came to on one side: its result, `not_run` (known, and left out for a reason),
//   or
//                `missing` (that side does not know it at all)
//   pair         a test with its counterpart. Each test of both documents is in one pair, and the pair in one
//   cell
//                of the matrix of states
//   parity       of the tests that passed there, the share that passed here (how ROCm counts it)
//   agreement    of the tests that have a result on both sides, the share whose results are of one state
//
// How counterparts are found, in this order; what is found is not asked again:
//   exact        one id
//   device       the variants of one template: TestAddCUDA::test_add_cuda, TestAddXPU::test_add_xpu
//   name         one class, and names that differ in the device alone: GPUTests::test_abs_cuda, ..._xpu
//   template     one side did not run a template, the other has the tests that it makes: it stands for all of
//   them rename       one file and method, and no other class there has it: TestX, TestXDevice. Always listed
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "classifier/vocabulary.h"
#include "history/reason_cluster.h"
#include "history/run_report.h"
#include "runner/result.h"

namespace hwsift::history {

enum class TestState { passed, failed, skipped, xfailed, xpassed, not_run, missing, ambiguous };
inline constexpr std::size_t kTestStates = 8;
inline constexpr TestState kAllTestStates[kTestStates] = {
    TestState::passed,  TestState::failed,  TestState::skipped, TestState::xfailed,
    TestState::xpassed, TestState::not_run, TestState::missing, TestState::ambiguous};
const char* word(TestState state);
// failed stands for failed, error, crashed and timeout.
TestState state_of(runner::Outcome outcome);
bool is_result(TestState state);

enum class Match { none, exact, device, name, template_name, rename };
inline constexpr Match kMatches[] = {Match::exact, Match::device, Match::name, Match::template_name,
                                     Match::rename};
const char* word(Match match);  // "template", "" for none

// The bucket of a pair.
enum class Relation {
  agree,          // results of one state
  disagree,       // results of different states
  not_run_here,   // a result there
  not_run_there,  // a result here
  neither,        // not run on either side
  only_here,      // missing there
  only_there,     // missing here
  ambiguous,      // more than one test could be the counterpart
};
inline constexpr Relation kRelations[] = {Relation::agree,         Relation::disagree, Relation::not_run_here,
                                          Relation::not_run_there, Relation::neither,  Relation::only_here,
                                          Relation::only_there,    Relation::ambiguous};
const char* word(Relation relation);  // "not_run_here"
Relation relation_of(TestState here, TestState there);

struct Share {
  std::size_t part = 0;
  std::size_t whole = 0;
  double percent() const {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  }
  bool operator==(const Share&) const = default;
};

// A pair that does not agree.
struct Difference {
  std::string here;  // ids; "" where missing
  std::string there;
  TestState here_state = TestState::missing;
  TestState there_state = TestState::missing;
  Match match = Match::none;
  std::string here_text;  // reason or message, a line
  std::string there_text;
};

// Of the tests that passed there, what they are here.
struct ParityGroup {
  std::string name;
  std::array<std::size_t, kTestStates> here{};  // index: TestState
  Share parity() const;
};

// Tests that were paired though their classes have different names.
struct Rename {
  std::string path;
  std::string there;  // class
  std::string here;
  std::size_t tests = 0;
  bool operator==(const Rename&) const = default;
};

struct ComparedSide {
  RunHead head;
  std::size_t tests = 0;  // ids of the document: results and what did not run
  // Templates that did not run and stand for `stood_for` tests of the other side: each of those is a pair.
  std::size_t templates = 0;
  std::size_t stood_for = 0;
};

struct Comparison {
  ComparedSide here;
  ComparedSide there;
  bool only_if_passed = false;  // the lists hold what passed there alone; the numbers are of all

  std::array<std::array<std::size_t, kTestStates>, kTestStates> matrix{};  // [here][there], pairs
  std::array<std::size_t, std::size(kRelations)> relations{};              // index: Relation
  std::array<std::size_t, std::size(kMatches) + 1> matches{};              // index: Match
  std::size_t pairs = 0;
  Share parity;
  Share agreement;

  std::vector<ParityGroup> categories;   // as the baseline has them
  std::vector<ParityGroup> directories;  // only those with tests that passed there
  std::vector<ParityGroup> files;
  std::vector<Rename> renames;           // that pairs were made by
  std::vector<Rename> possible_renames;  // that were not taken: names that say nothing of each other
  std::size_t same_method = 0;           // missing ones whose method has several candidates on the other side
  std::vector<Difference> differences;   // what was better there first
  // Of the differences: why a test failed, was skipped, or did not run though the other side has a result.
  std::vector<ReasonCluster> failures_here, skips_here, not_run_here;
  std::vector<ReasonCluster> skips_there, not_run_there;

  std::size_t cell(TestState h, TestState t) const {
    return matrix[static_cast<std::size_t>(h)][static_cast<std::size_t>(t)];
  }
  std::size_t of(Relation relation) const { return relations[static_cast<std::size_t>(relation)]; }
  std::size_t of(Match match) const { return matches[static_cast<std::size_t>(match)]; }
  std::size_t here_in(TestState state) const;   // a row of the matrix
  std::size_t there_in(TestState state) const;  // a column
};

struct CompareOptions {
  bool only_if_passed = false;
};

Comparison compare(const runner::RunRecord& here, std::vector<std::string> here_documents,
                   const runner::RunRecord& there, std::vector<std::string> there_documents,
                   const classifier::Vocabulary& vocabulary, const CompareOptions& options);

}  // namespace hwsift::history
