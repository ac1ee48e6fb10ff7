// What report writes, runner reads back.
#include "runner/run_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/run.h"
#include "runner/merge.h"

namespace hwsift::report {
namespace {

using runner::Outcome;
using runner::parse_run_document;
using runner::RunRecord;
using testing::HasSubstr;

RunRecord full() {
  RunRecord record;
  record.device = "cuda";
  record.environment = {{"torch", "2.6.0"}, {"python", "3.13"}};
  record.started = "2026-03-14T15:09:26Z";
  record.seconds = 12.345678901234567;
  record.predicted = 7;
  record.fingerprint = "abc";
  record.shard = {2, 3};
  record.signal = 15;
  record.notes = {"a note", "another"};
  record.not_run = {{"needs XPU", {"test/test_x.py::TestX::test_k"}},
                    {"interrupted", {"test/test_x.py::TestX::test_l"}}};
  record.outstanding = {"interrupted"};
  record.expanded = {"test/test_x.py::TestX::test_strange"};
  for (Outcome outcome : runner::kOutcomes) {
    runner::TestResult result;
    result.path = "test/a::b.py";
    result.cls = outcome == Outcome::skipped ? "" : "Outer.Inner";
    result.name = "test_strange[x::y-" + std::string(word(outcome)) + "]";
    result.id = result.path + "::Inner::" + result.name;
    result.outcome = outcome;
    result.seconds = 0.1;
    result.attempts = 2;
    result.category = "DEVICE_GENERIC";
    result.quarantined = outcome == Outcome::failed;
    result.unpredicted = outcome == Outcome::error;
    result.message = "bell \x07 \"é\"\nline";
    result.details = "traceback";
    result.output = "out";
    record.results.push_back(result);
  }
  return record;
}

TEST(RunDocument, IsReadAsItWasWritten) {
  RunRecord written = full();
  Result<RunRecord> read = parse_run_document(run_json(written), "run.json");
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  EXPECT_EQ(run_json(*read), run_json(written));
  EXPECT_EQ(read->shard, written.shard);
  EXPECT_EQ(read->signal, 15);
  EXPECT_EQ(read->predicted, 7u);
  EXPECT_EQ(read->seconds, written.seconds);
  EXPECT_EQ(read->outstanding, written.outstanding);
  EXPECT_EQ(read->expanded, written.expanded);
  EXPECT_EQ(read->not_run, written.not_run);
  ASSERT_EQ(read->results.size(), written.results.size());
  for (std::size_t i = 0; i < read->results.size(); ++i) {
    EXPECT_EQ(read->results[i].id, written.results[i].id);
    EXPECT_EQ(read->results[i].path, written.results[i].path);
    EXPECT_EQ(read->results[i].cls, written.results[i].cls);
    EXPECT_EQ(read->results[i].name, written.results[i].name);
    EXPECT_EQ(read->results[i].outcome, written.results[i].outcome);
    EXPECT_EQ(read->results[i].quarantined, written.results[i].quarantined);
    EXPECT_EQ(read->results[i].unpredicted, written.results[i].unpredicted);
    EXPECT_EQ(read->results[i].output, written.results[i].output);
  }
}

TEST(RunDocument, AMergedOneToo) {
  RunRecord merged = runner::merge({{"a", full()}}).value();
  Result<RunRecord> read = parse_run_document(run_json(merged), "run.json");
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  EXPECT_EQ(run_json(*read), run_json(merged));
  EXPECT_EQ(read->missing_shards, (std::vector<int>{1, 3}));
  ASSERT_EQ(read->parts.size(), 1u);
  EXPECT_EQ(read->parts[0].digest, merged.parts[0].digest);
  EXPECT_EQ(read->results[0].by_part, merged.results[0].by_part);
}

// Whatever of it a foreign program left out.
TEST(RunDocument, MissingShardsStayMissingWhateverPartsThereAre) {
  for (const std::string parts : {R"("parts":[],)", R"("parts":[{"digest":"1"}],)", ""}) {
    std::string text =
        R"({"schema":"hwsift.run/1","device":"cpu","results":[],)" + parts + R"("missing_shards":[2]})";
    Result<RunRecord> read = parse_run_document(text, "run.json");
    ASSERT_TRUE(read.ok()) << parts << to_string(read.error());
    Result<RunRecord> again = parse_run_document(run_json(*read), "run.json");
    ASSERT_TRUE(again.ok()) << parts << to_string(again.error());
    EXPECT_EQ(again->missing_shards, (std::vector<int>{2})) << parts;
    EXPECT_EQ(run_json(*again), run_json(*read)) << parts;
  }
}

TEST(RunDocument, TakesPathClassAndNameFromTheIdWhereTheyAreMissing) {
  RunRecord read =
      parse_run_document(
          R"({"schema":"hwsift.run/1","device":"cpu","later":1,"results":[)"
          R"({"id":"test/t.py::A::test_a[x::y]","outcome":"passed"},{"id":"test/t.py::test_f[a::b]","outcome":"passed"},)"
          R"({"id":"test/t.py","outcome":"error"}]})",
          "f")
          .value();
  EXPECT_EQ(read.results[0].path, "test/t.py");
  EXPECT_EQ(read.results[0].cls, "A");
  EXPECT_EQ(read.results[0].name, "test_a[x::y]");
  EXPECT_EQ(read.results[1].cls, "");
  EXPECT_EQ(read.results[1].name, "test_f[a::b]");
  EXPECT_EQ(read.results[2].path, "test/t.py");
  EXPECT_EQ(read.results[2].name, "");
}

struct Refused {
  const char* document;
  const char* where;
  const char* what;
};

TEST(RunDocument, RefusesWithThePlaceAndARemedy) {
  const std::string head = R"({"schema":"hwsift.run/1","device":"cpu",)";
  const Refused cases[] = {
      {"{", "run.json:1:2", "not valid JSON"},
      {"[]", "the document", "not a JSON object"},
      {"{}", "schema", "missing"},
      {R"({"schema":1})", "schema", "not a text"},
      {R"({"schema":"hwsift.findings/1"})", "schema", "no document of a run"},
      {R"({"schema":"hwsift.run/x"})", "schema", "no document of a run"},
      {R"({"schema":"hwsift.run/2"})", "schema", "newer hwsift"},
      {R"({"schema":"hwsift.run/1","results":[]})", "device", "missing"},
      {R"({"schema":"hwsift.run/1","device":"cpu"})", "results", "missing"},
      {R"(+"results":{}})", "results", "not a list"},
      {R"(+"results":[7]})", "results[0]", "not an object"},
      {R"(+"results":[{"outcome":"passed"}]})", "results[0].id", "missing"},
      {R"(+"results":[{"id":"","outcome":"passed"}]})", "results[0].id", "empty"},
      {R"(+"results":[{"id":"a"}]})", "results[0].outcome", "missing"},
      {R"(+"results":[{"id":"a","outcome":"fine"}]})", "results[0].outcome", "no outcome"},
      {R"(+"results":[{"id":"a","outcome":"passed","seconds":"1"}]})", "results[0].seconds", "not a number"},
      {R"(+"results":[{"id":"a","outcome":"passed","seconds":-1}]})", "results[0].seconds", "0 or more"},
      {R"(+"results":[{"id":"a","outcome":"passed","attempts":0}]})", "results[0].attempts", "whole number"},
      {R"(+"results":[{"id":"a","outcome":"passed","attempts":1e300}]})", "results[0].attempts",
       "whole number"},
      {R"(+"results":[{"id":"a","outcome":"passed"},{"id":"a","outcome":"failed"}]})", "results[1].id",
       "already"},
      {R"(+"results":[],"not_run":{"x":[1]}})", "not_run.x", "no text"},
      {R"(+"results":[],"not_run":[]})", "not_run", "not an object"},
      {R"(+"results":[],"environment":{"torch":2}})", "environment.torch", "not a text"},
      {R"(+"results":[],"outstanding":"x"})", "outstanding", "not a list"},
      {R"(+"results":[],"shard":{"index":4,"total":3}})", "shard.index", "larger"},
      {R"(+"results":[],"shard":{"index":1}})", "shard.index", "needed"},
      {R"(+"results":[],"signal":-3})", "signal", "whole number"},
      {R"(+"results":[],"signal":9})", "signal", "no signal that ends a run"},
      {R"(+"results":[{"id":"a","outcome":"passed"}],"not_run":{"x":["a"]}})", "not_run.x", "already"},
      {R"(+"results":[],"not_run":{"x":["a"],"y":["b","a"]}})", "not_run.y", "already"},
      {R"(+"parts":[{"started":""}],"results":[]})", "parts[0].digest", "missing"},
      {R"(+"parts":[{"digest":"x"}],"results":[{"id":"a","outcome":"passed"}]})", "by_part", "missing"},
      {R"(+"parts":[{"digest":"x"}],"results":[{"id":"a","outcome":"passed","by_part":[{"part":1,"outcome":"passed"}]}]})",
       "by_part.part", "whole number"},
  };
  for (const Refused& one : cases) {
    std::string text = one.document;
    if (text[0] == '+') text.replace(0, 1, head);
    Result<RunRecord> read = parse_run_document(text, "run.json");
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_THAT(read.error().where, HasSubstr("run.json")) << text;
    EXPECT_THAT(read.error().where, HasSubstr(one.where)) << text;
    EXPECT_THAT(read.error().what, HasSubstr(one.what)) << text;
    EXPECT_GT(read.error().hint.size(), 7u) << text;
  }
}

}  // namespace
}  // namespace hwsift::report
