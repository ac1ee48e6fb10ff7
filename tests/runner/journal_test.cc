#include "runner/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hwsift::runner {
namespace {

TEST(Journal, ReadsEachEvent) {
  JournalEvent hello =
      parse_event(R"({"event":"hello","python":"3.13.5","pytest":"8.3.5","torch":null})").value();
  EXPECT_EQ(hello.kind, JournalEvent::Kind::hello);
  EXPECT_THAT(hello.environment,
              testing::ElementsAre(testing::Pair("pytest", "8.3.5"), testing::Pair("python", "3.13.5")));

  JournalEvent collected =
      parse_event(
          R"({"event":"collected","items":[{"id":"TestA::test_a","name":"test_a","classes":["::TestA"],"device":"cpu"}],)"
          R"("problems":[{"id":"","outcome":"skipped","message":"no numpy","details":""}]})")
          .value();
  ASSERT_EQ(collected.items.size(), 1u);
  EXPECT_EQ(collected.items[0].within, "TestA::test_a");
  EXPECT_EQ(collected.items[0].device, "cpu");
  ASSERT_EQ(collected.problems.size(), 1u);
  EXPECT_EQ(collected.problems[0].outcome, Outcome::skipped);

  JournalEvent end =
      parse_event(
          R"({"event":"end","id":"TestA::test_a","outcome":"xfailed","seconds":1.5,"message":"m","details":"d"})")
          .value();
  EXPECT_EQ(end.kind, JournalEvent::Kind::end);
  EXPECT_EQ(end.outcome, Outcome::xfailed);
  EXPECT_EQ(end.seconds, 1.5);
  EXPECT_EQ(parse_event(R"({"event":"finish","exit":1})").value().kind, JournalEvent::Kind::finish);
  for (const char* forged : {"-1", "1e300"})
    EXPECT_EQ(parse_event(std::string(R"({"event":"end","seconds":)") + forged + "}").value().seconds, 0);
}

TEST(Journal, RubbishIsAnErrorNeverACrash) {
  for (const char* line : {"", "nonsense", "[]", "{}", R"({"event":"dance"})",
                           "{\"event\":\"start\",\"id\":\"\xff\"}", R"({"event":7})"})
    EXPECT_FALSE(parse_event(line).ok()) << line;
  EXPECT_TRUE(parse_event(R"({"event":"end","outcome":7,"seconds":"x","id":[]})").ok())
      << "wrong types are defaults";
}

TEST(Journal, TheAnswerNamesIndices) { EXPECT_EQ(answer({0, 2}), R"({"run":[0,2]})"); }

}  // namespace
}  // namespace hwsift::runner
