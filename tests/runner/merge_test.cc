#include "runner/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace hwsift::runner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

const std::string kPath = "test/test_x.py";
const std::string kInterrupted = "interrupted";

TestResult result(const std::string& name, Outcome outcome, int attempts = 1) {
  TestResult one;
  one.path = kPath;
  one.id = kPath + "::TestX::" + name;
  one.outcome = outcome;
  one.attempts = attempts;
  one.message = word(outcome);
  return one;
}

RunRecord run(const std::string& started, std::vector<TestResult> results, ShardOf shard = {}) {
  RunRecord record;
  record.device = "cpu";
  record.fingerprint = "f";
  record.started = started;
  record.seconds = 10;
  record.predicted = results.size();
  record.results = std::move(results);
  record.shard = shard;
  record.environment = {{"torch", "2.6.0"}};
  return record;
}

RunRecord merged(const std::vector<RunRecord>& records) {
  std::vector<NamedRecord> named;
  for (const RunRecord& record : records) named.push_back({"run.json", record});
  Result<RunRecord> all = merge(std::move(named));
  EXPECT_TRUE(all.ok()) << to_string(all.error());
  return *all;
}

// All that a merged record says, in words.
std::string said(const RunRecord& record) {
  std::string text = record.device + record.started + std::to_string(record.seconds) + " " +
                     std::to_string(record.predicted) + " " + std::to_string(record.signal) + "\n";
  for (const TestResult& one : record.results) {
    text += one.id + " " + word(one.outcome) + " " + std::to_string(one.attempts) + " " + one.message;
    for (const PartResult& part : one.by_part)
      text += " " + std::to_string(part.part) + word(part.outcome) + std::to_string(part.attempts);
    text += "\n";
  }
  for (const auto& [reason, ids] : record.not_run)
    for (const std::string& id : ids) text.append(reason).append(": ").append(id).append("\n");
  for (const std::string& reason : record.outstanding) text.append("open: ").append(reason).append("\n");
  for (const auto& [name, value] : record.environment)
    text.append(name).append("=").append(value).append("\n");
  for (const std::string& note : record.notes) text += "note " + note + "\n";
  for (const RunPart& part : record.parts)
    text += part.digest + part.started + std::to_string(part.shard.index) + "\n";
  for (int shard : record.missing_shards) text += "missing " + std::to_string(shard) + "\n";
  return text;
}

std::vector<RunRecord> three_runs() {
  RunRecord first = run("2026-01-01T00:00:00Z",
                        {result("test_a", Outcome::failed), result("test_b", Outcome::passed)}, {1, 3});
  first.not_run = {{kInterrupted, {kPath + "::TestX::test_c", kPath + "::TestX::test_d"}}};
  first.outstanding = {kInterrupted};
  first.signal = 2;
  first.notes = {"a note of its own"};
  RunRecord second = run("2026-01-01T01:00:00Z",
                         {result("test_a", Outcome::passed, 2), result("test_c", Outcome::passed)}, {1, 3});
  second.not_run = {{"needs CUDA", {kPath + "::TestX::test_d"}}};
  second.environment = {{"torch", "2.7.0"}, {"pytest", "8"}};
  RunRecord third = run("2026-01-01T00:30:00Z", {result("test_e", Outcome::skipped)}, {2, 3});
  third.environment = {{"torch", "2.8.0"}};
  return {first, second, third};
}

TEST(Merge, TheLaterResultCountsAndAResultBeatsAReason) {
  RunRecord all = merged(three_runs());
  ASSERT_EQ(all.results.size(), 4u);
  EXPECT_EQ(all.results[0].outcome, Outcome::passed);
  EXPECT_EQ(all.results[0].attempts, 3) << "failed in an earlier run: flaky";
  EXPECT_TRUE(all.results[0].flaky());
  EXPECT_FALSE(all.results[1].flaky());
  EXPECT_EQ(all.results[2].id, kPath + "::TestX::test_c");
  EXPECT_THAT(all.not_run, ElementsAre(Pair("needs CUDA", ElementsAre(kPath + "::TestX::test_d"))));
  EXPECT_THAT(all.outstanding, IsEmpty());
  EXPECT_EQ(all.signal, 0) << "the second run of the shard came to its end";
  EXPECT_EQ(all.seconds, 20) << "two runs of the first shard, beside the second";
  EXPECT_EQ(all.predicted, 3u);
  EXPECT_THAT(all.missing_shards, ElementsAre(3));
  EXPECT_TRUE(incomplete(all));
  EXPECT_EQ(all.environment.at("torch"), "2.6.0 | 2.7.0 | 2.8.0");
  EXPECT_EQ(all.environment.at("pytest"), "8");
  EXPECT_THAT(all.notes, ElementsAre("a note of its own", HasSubstr("differ in torch")));
}

TEST(Merge, AnInterruptedRunStaysIncomplete) {
  RunRecord all = merged({three_runs()[0]});
  EXPECT_EQ(all.signal, 2);
  EXPECT_THAT(all.outstanding, ElementsAre(kInterrupted));
}

TEST(Merge, IsTheSameForAnyOrderAndForMergesOfMerges) {
  std::vector<RunRecord> runs = three_runs();
  const std::string expected = said(merged(runs));
  std::vector<std::size_t> order{0, 1, 2};
  do {
    EXPECT_EQ(said(merged({runs[order[0]], runs[order[1]], runs[order[2]]})), expected);
    RunRecord two = merged({runs[order[0]], runs[order[1]]});
    EXPECT_EQ(said(merged({two, runs[order[2]]})), expected);
    EXPECT_EQ(said(merged({runs[order[2]], two})), expected);
    EXPECT_EQ(said(merged({two, merged({runs[order[1]], runs[order[2]]})})), expected) << "overlapping";
    EXPECT_EQ(said(merged({merged(runs), runs[order[0]], two})), expected) << "with its parts";
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Merge, WholeWhenAllShardsAreThere) {
  std::vector<RunRecord> runs = three_runs();
  runs.push_back(run("2026-01-01T00:00:01Z", {result("test_z", Outcome::failed)}, {3, 3}));
  RunRecord all = merged(runs);
  EXPECT_THAT(all.missing_shards, IsEmpty());
  EXPECT_EQ(all.shard.total, 0);
  EXPECT_FALSE(incomplete(all));
  RunRecord again = run("2026-01-02T00:00:00Z", {result("test_z", Outcome::passed)});
  RunRecord mended = merged({all, again});
  EXPECT_TRUE(mended.results.back().flaky()) << "a rerun of the merged run has no shard";
  EXPECT_EQ(mended.predicted, 4u);
  EXPECT_EQ(mended.seconds, 30);
}

TEST(Merge, ATemplateIsClosedByItsRealTests) {
  RunRecord first = run("2026-01-01T00:00:00Z", {});
  const std::string base = kPath + "::TestX::test_add";
  first.not_run = {{kInterrupted, {base, base + "_out"}}};
  first.outstanding = {kInterrupted};
  RunRecord second = run("2026-01-01T01:00:00Z", {result("test_add_cpu_float32", Outcome::passed)});
  second.expanded = {base};
  EXPECT_THAT(merged({first, second}).not_run, ElementsAre(Pair(kInterrupted, ElementsAre(base + "_out"))));
  second.expanded = {};
  EXPECT_EQ(merged({first, second}).not_run.at(kInterrupted).size(), 2u);
}

TEST(Merge, KeepsQuarantine) {
  RunRecord one = run("2026-01-01T00:00:00Z", {result("test_a", Outcome::failed)});
  one.results[0].quarantined = true;
  EXPECT_TRUE(merged({one, one}).results[0].quarantined);
  EXPECT_EQ(merged({one, one}).parts.size(), 1u) << "given twice counts once";
}

TEST(Merge, RefusesRunsOfDifferentPlansByName) {
  RunRecord ours = run("2026-01-01T00:00:00Z", {}, {1, 3});
  RunRecord device = ours;
  device.device = "cuda";
  RunRecord plan = ours;
  plan.fingerprint = "g";
  RunRecord shards = ours;
  shards.shard = {1, 4};
  const std::pair<RunRecord, const char*> cases[] = {
      {device, "'cuda', not 'cpu'"}, {plan, "'g', not 'f'"}, {shards, "of 4 shards, not of 3"}};
  for (const auto& [other, what] : cases) {
    Result<RunRecord> refused = merge({{"ours.json", ours}, {"other.json", other}});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().where, "other.json");
    EXPECT_THAT(refused.error().what, HasSubstr("ours.json"));
    EXPECT_THAT(refused.error().what, HasSubstr(what));
    EXPECT_FALSE(refused.error().hint.empty());
  }
  EXPECT_FALSE(merge({}).ok());
}

}  // namespace
}  // namespace hwsift::runner
