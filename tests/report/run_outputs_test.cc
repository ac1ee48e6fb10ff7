// Annotations, summary and events of a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "base/json.h"
#include "base/text.h"
#include "report/events.h"
#include "report/junit.h"
#include "report/run.h"
#include "report/run_github.h"
#include "tests/report/plain_markdown.h"

namespace hwsift::report {
namespace {

using runner::Outcome;
using runner::RunRecord;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

runner::TestResult result(int number, Outcome outcome, const std::string& message = "") {
  runner::TestResult one;
  one.path = "test/test_x.py";
  one.cls = "TestX";
  one.name = "test_" + std::to_string(number);
  one.id = one.path + "::TestX::" + one.name;
  one.outcome = outcome;
  one.seconds = number;
  one.message = message;
  return one;
}

RunRecord with(std::vector<runner::TestResult> results) {
  RunRecord record;
  record.device = "cpu";
  record.results = std::move(results);
  record.predicted = record.results.size();
  return record;
}

std::size_t lines_with(const std::string& text, std::string_view start) {
  std::size_t count = 0;
  for (const std::string& line : split(text, '\n')) count += line.starts_with(start);
  return count;
}

TEST(RunGithub, AtMostTenErrorsCrashesFirstAndANoticeOfTheRest) {
  std::vector<runner::TestResult> results;
  for (int i = 0; i < 25; ++i)
    results.push_back(result(i, i == 24 ? Outcome::crashed : Outcome::failed, "x"));
  for (int i = 30; i < 42; ++i) results.push_back(result(i, Outcome::passed)), results.back().attempts = 2;
  std::string text = run_github(with(results), "sub/");
  EXPECT_THAT(text, StartsWith("::error file=sub/test/test_x.py,title=crashed "));
  EXPECT_EQ(lines_with(text, "::error "), 10u);
  EXPECT_EQ(lines_with(text, "::warning "), 10u);
  EXPECT_EQ(lines_with(text, "::notice "), 1u);
  EXPECT_THAT(text, HasSubstr("15 more failed than shown"));
  EXPECT_THAT(text, HasSubstr("2 more flaky or quarantined than shown"));
}

TEST(RunGithub, NoMessageCanForgeACommand) {
  RunRecord record = with({result(1, Outcome::failed, "100%\n::error::forged\x1b[31m\r")});
  record.results[0].id = "a,b:c\n::error::x";
  std::string text = run_github(record, "");
  EXPECT_EQ(lines_with(text, "::"), 2u);
  EXPECT_THAT(text, HasSubstr("::100%25%0A::error::forged\\x1b[31m%0D\n"));
  EXPECT_THAT(text, HasSubstr("a%2Cb%3Ac%0A%3A%3Aerror"));
}

TEST(RunGithub, QuarantineWarnsAndWhatIsOpenIsInTheNotice) {
  RunRecord record = with({result(1, Outcome::failed, "x")});
  record.results[0].quarantined = true;
  record.not_run["interrupted"] = {"a", "b"};
  record.outstanding = {"interrupted"};
  record.parts = {{{1, 2}, "", "d", 0, 1, 0}};
  record.missing_shards = {2};
  std::string text = run_github(record, "");
  EXPECT_EQ(lines_with(text, "::error"), 0u);
  EXPECT_THAT(text, HasSubstr("::quarantined: x\n"));
  EXPECT_THAT(text, HasSubstr("shard 2 of 2 is missing; not run: 2 (interrupted)"));
}

TEST(RunText, ManyMissingShardsAreOneLine) {
  RunRecord record;
  record.parts = {{{1, 10}, "", "d", 0, 1, 0}};
  EXPECT_EQ(missing_shards_text(record), "");
  record.missing_shards = {2, 4, 5, 6, 7, 9, 10};
  EXPECT_EQ(missing_shards_text(record), "shards 2, 4 to 7, 9 to 10 of 10 are missing");
}

TEST(RunSummary, HoldsCountsBadFlakyReasonsAndTheSlowest) {
  RunRecord record = with({result(1, Outcome::failed, "why\nmore"), result(2, Outcome::passed)});
  for (int i = 10; i < 25; ++i) record.results.push_back(result(i, Outcome::passed));
  record.results[1].attempts = 3;
  record.not_run["needs CUDA"] = {"a", "b"};
  std::string text = run_summary(record);
  EXPECT_THAT(text, HasSubstr("1 failed, 16 passed"));
  EXPECT_THAT(text, HasSubstr("| failed | `test/"));
  EXPECT_THAT(text, HasSubstr("| `why` |"));
  EXPECT_THAT(text, HasSubstr("### Flaky"));
  EXPECT_THAT(text, HasSubstr("| 2 | `needs CUDA` |"));
  EXPECT_THAT(text, HasSubstr("| 24.00 |"));
  EXPECT_THAT(text, Not(HasSubstr("| 14.00 |")));
}

TEST(RunSummary, NothingFromOutsideIsMarkdownOrHtml) {
  const std::string nasty =
      std::string("</code>|<script>`**[x](http:") + "//y)** &amp; @user #1 \x1b \\| ~~_ ![i](j)\xff";
  RunRecord record = with({result(1, Outcome::failed, nasty)});
  record.results[0].id = record.device = nasty;
  record.not_run[nasty] = {"x"};
  record.notes = {nasty};
  std::string text = run_summary(record);
  std::string plain = plain_markdown(text);
  for (const char* sign : {"<script", "`", "**", "[x]", "&amp; ", "@", "~", "|<", "http:", "\x1b", "!["})
    EXPECT_THAT(plain, Not(HasSubstr(sign)));
  EXPECT_FALSE(invalid_utf8_at(text).has_value());
  for (const std::string& line : split(text, '\n')) {
    if (line.starts_with("| failed")) {
      EXPECT_EQ(split(plain_markdown(line), '|').size(), 5u) << line;
    }
  }
}

TEST(RunSummary, StaysBelowItsLimitAndCountsWhatIsLeftOut) {
  std::vector<runner::TestResult> results;
  const std::string dots(5000, '.');
  for (int i = 0; i < 3000; ++i) {
    results.push_back(result(i, i % 2 == 0 ? Outcome::failed : Outcome::passed, dots));
    results.back().id = dots + std::to_string(i);
    results.back().attempts = 2;
  }
  RunRecord record = with(results);
  for (int i = 0; i < 300; ++i) {
    record.not_run[dots + std::to_string(i)] = {"x"};
    record.notes.push_back(dots);
  }
  std::string text = run_summary(record);
  EXPECT_LT(text.size(), std::size_t{1} << 20);
  std::size_t rows = lines_with(text, "| failed |");
  EXPECT_GT(rows, 0u);
  EXPECT_THAT(text, HasSubstr(std::to_string(1500 - rows) + " more are left out here."));
}

std::vector<std::string> kinds(const std::string& text) {
  std::vector<std::string> kinds;
  for (const std::string& line : split(text, '\n'))
    if (!line.empty()) kinds.push_back(parse_json(line, "event").value()["event"].get<std::string>());
  return kinds;
}

TEST(RunJsonl, TellsTheRunAgainFromItsResults) {
  RunRecord record = with({result(1, Outcome::failed, "a\nb"), result(2, Outcome::passed)});
  record.results[1].path = "test/test_y.py";
  EXPECT_THAT(kinds(run_jsonl(record)),
              testing::ElementsAre("run_started", "file_started", "test_started", "test_ended", "file_ended",
                                   "file_started", "test_started", "test_ended", "file_ended", "run_ended"));
}

TEST(Events, AreThereWhenTheyHappenForEveryListener) {
  std::FILE* streams[] = {std::tmpfile(), std::tmpfile()};
  Events first(streams[0]);
  Events second(streams[1]);
  Listeners listeners;
  listeners.add(first);
  listeners.add(second);
  listeners.file_started("test/test_x.py");
  listeners.test_started("a");
  listeners.test_ended(result(1, Outcome::failed));
  listeners.test_ended(result(1, Outcome::passed));
  listeners.tick();
  listeners.file_ended("test/test_x.py");
  for (std::FILE* stream : streams) {
    char text[4096] = {};
    std::rewind(stream);
    std::size_t length = std::fread(text, 1, sizeof text, stream);
    EXPECT_THAT(
        kinds(std::string(text, length)),
        testing::ElementsAre("file_started", "test_started", "test_ended", "test_ended", "file_ended"));
    std::fclose(stream);
  }
}

TEST(Events, AFullDiskIsTold) {
  std::FILE* full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  Events events(full);
  events.file_started("x");
  EXPECT_TRUE(events.failed());
  std::fclose(full);
}

TEST(Junit, FlakyAndQuarantinedTestsSayAndFailNobody) {
  RunRecord record =
      with({result(1, Outcome::passed), result(2, Outcome::failed, "why"), result(3, Outcome::passed)});
  record.results[0].attempts = 2;
  record.results[1].quarantined = true;
  record.not_run["interrupted"] = {"test/test_x.py::TestX::test_9"};
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_string(run_junit(record).c_str()));
  pugi::xml_node suites = xml.child("testsuites");
  EXPECT_EQ(suites.attribute("tests").as_int(), 3);
  EXPECT_EQ(suites.attribute("failures").as_int(), 0);
  EXPECT_EQ(suites.attribute("skipped").as_int(), 1);
  pugi::xml_node flaky = suites.child("testsuite").child("testcase");
  EXPECT_STREQ(flaky.child("properties").child("property").attribute("name").value(), "flaky");
  pugi::xml_node quarantined = flaky.next_sibling("testcase");
  EXPECT_STREQ(quarantined.child("skipped").attribute("message").value(), "quarantined: why");
  EXPECT_FALSE(quarantined.child("failure"));
  EXPECT_FALSE(quarantined.next_sibling("testcase").first_child());
}

}  // namespace
}  // namespace hwsift::report
