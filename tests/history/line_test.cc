#include "history/line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/clock.h"
#include "base/text.h"

namespace hwsift::history {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Start = LinePlan::Start;

constexpr std::int64_t kMonday = 1767571200;  // 2026-01-05
constexpr std::int64_t kDay = 86400;

// "a0 b2 c9": names and days since a Monday, oldest first; as git tells it, newest first.
std::vector<CommitFacts> git_line(const std::string& text) {
  std::vector<CommitFacts> line;
  for (const std::string& word : split(text, ' ')) {
    CommitFacts facts;
    facts.hash = word.substr(0, 1);
    facts.time = kMonday + std::stoll(word.substr(1)) * kDay;
    line.insert(line.begin(), facts);
  }
  return line;
}

std::vector<std::string> points(const std::string& text, Every every = Every::week) {
  std::vector<std::string> points;
  for (const LineCommit& commit : with_points(git_line(text), every))
    points.push_back(commit.facts.hash + (commit.point ? "*" : ""));
  return points;
}

TEST(Points, TheLastCommitOfEachWeekThatHasOne) {
  EXPECT_THAT(points("a0 b3 c6 d7 e9 f30 g31"), ElementsAre("a*", "b", "c*", "d", "e*", "f", "g*"));
  EXPECT_THAT(points("a0"), ElementsAre("a*"));
  EXPECT_THAT(points("a0 b1"), ElementsAre("a*", "b*")) << "the oldest and the newest";
  EXPECT_THAT(points("a0 b1 c2"), ElementsAre("a*", "b", "c*"));
  EXPECT_THAT(points("a0 b1 c2", Every::commit), ElementsAre("a*", "b*", "c*"));
  EXPECT_THAT(with_points({}, Every::week), IsEmpty());
}

TEST(Points, AWeekBeginsOnMondayInUtc) {
  std::vector<CommitFacts> line = git_line("a0 b0 c0");
  line[2].time = kMonday - 1;
  EXPECT_TRUE(with_points(line, Every::week)[0].point);
  line = git_line("a6 b7 c8");
  line[2].time = kMonday + 7 * kDay - 1;
  EXPECT_FALSE(with_points(line, Every::week)[0].as_oldest) << "the last second of Sunday";
  EXPECT_TRUE(with_points(git_line("a0 b7"), Every::week)[0].point);
}

TEST(Points, AClockThatRanBackwardsMakesNoSecondPointOfAWeek) {
  EXPECT_THAT(points("a0 b8 c1 d9 e2 f16"), ElementsAre("a*", "b", "c", "d*", "e*", "f*"));
  EXPECT_THAT(points("a0 b7 c-20000 d14 e21"), ElementsAre("a*", "b*", "c*", "d*", "e*"))
      << "one clock that is far off hides no other week";
  std::vector<CommitFacts> line = git_line("a-20000 b0 c99999999");
  std::vector<LineCommit> found = with_points(line, Every::week);
  EXPECT_TRUE(found[0].point && found[1].point && found[2].point) << "any date";
}

TEST(Points, WordsOfEvery) {
  EXPECT_EQ(every_of("week"), Every::week);
  EXPECT_EQ(every_of(word(Every::commit)), Every::commit);
  EXPECT_FALSE(every_of("day").has_value());
}

// --- plans ---

// As `git_line`; what another ruler measured has a '!' after it.
std::vector<StoredCommit> stored_line(const std::string& text) {
  std::vector<StoredCommit> stored;
  for (const std::string& word : split(text, ' ')) {
    StoredCommit commit;
    commit.position = static_cast<long long>(stored.size()) + 1;
    commit.hash = word.substr(0, 1);
    commit.current = !word.ends_with('!');
    commit.date = utc_text(kMonday + std::stoll(word.substr(1)) * kDay);
    stored.push_back(commit);
  }
  return stored;
}

LinePlan plan(const std::string& stored, const std::string& line, bool reaches_back = true,
              bool same = true) {
  return plan_line(stored.empty() ? std::vector<StoredCommit>() : stored_line(stored),
                   with_points(git_line(line), Every::week), reaches_back, same);
}

std::string names(const std::vector<LineCommit>& todo) {
  std::string names;
  for (const LineCommit& commit : todo) names += commit.facts.hash;
  return names;
}

TEST(Plan, FreshAndNothingToDo) {
  EXPECT_EQ(plan("", "a0 b1").start, Start::fresh);
  EXPECT_EQ(names(plan("", "a0 b1").todo), "ab");
  LinePlan same = plan("a0 b1", "a0 b1");
  EXPECT_EQ(same.start, Start::append);
  EXPECT_EQ(same.keep, 2);
  EXPECT_THAT(same.todo, IsEmpty());
  EXPECT_THAT(plan_line(stored_line("a0"), {}, true, true).todo, IsEmpty());
}

TEST(Plan, AppendsWhatIsNew) {
  LinePlan next = plan("a0 b1", "a0 b1 c2");
  EXPECT_EQ(next.start, Start::append);
  EXPECT_EQ(next.keep, 2);
  EXPECT_FALSE(next.keep_is_point) << "c is the last of the week now";
  EXPECT_EQ(names(next.todo), "c");
  EXPECT_TRUE(plan("a0 b1", "a0 b1 c9").keep_is_point);
  EXPECT_TRUE(plan("a0", "a0 b1").keep_is_point) << "the oldest stays a point";
}

TEST(Plan, CommitsOfAnotherBranchGiveWay) {
  LinePlan other = plan("a0 b8 c16 d17", "a0 b8 x9 y10");
  EXPECT_EQ(other.start, Start::append);
  EXPECT_EQ(other.keep, 2);
  EXPECT_EQ(other.dropped, 2u);
  EXPECT_EQ(names(other.todo), "xy");
  LinePlan back = plan("a0 b8 c16", "a0 b8");
  EXPECT_EQ(back.dropped, 1u);
  EXPECT_TRUE(back.keep_is_point);
  LinePlan apart = plan("a0 b8", "x0 y8");
  EXPECT_EQ(apart.start, Start::rebuild);
  EXPECT_EQ(apart.joint, 0);
  EXPECT_FALSE(apart.gap);
}

TEST(Plan, OtherRulesChoicesAndOlderStartsMeasureAnew) {
  EXPECT_EQ(plan("a0! b1!", "a0 b1 c2").start, Start::rebuild);
  EXPECT_EQ(plan("a0 b1", "a0 b1 c2", true, false).start, Start::rebuild);
  EXPECT_EQ(plan("b1 c2", "a0 b1 c2").start, Start::rebuild);
  for (const LinePlan& anew : {plan("a0! b1!", "a0 b1 c2"), plan("b1 c2", "a0 b1 c2")}) {
    EXPECT_EQ(names(anew.todo), "abc");
    EXPECT_EQ(anew.joint, 0);
  }
}

TEST(Plan, AYoungerStartKeepsWhatIsOlder) {
  LinePlan next = plan("a0 b8 c16", "b8 c16 d17");
  EXPECT_EQ(next.start, Start::append);
  EXPECT_EQ(names(next.todo), "d");
}

// What a shallow clone has not cannot be measured again, and neither needs to be.
TEST(Plan, WhatAShallowCloneLacksStays) {
  LinePlan anew = plan("a0! b8! c16!", "b8 c16 d24", false);
  EXPECT_EQ(anew.start, Start::rebuild);
  EXPECT_EQ(anew.joint, 2);
  EXPECT_EQ(names(anew.todo), "bcd");
  LinePlan done = plan("a0! b8 c16 d24", "b8 c16 d24", false);
  EXPECT_EQ(done.start, Start::append);
  EXPECT_THAT(done.todo, IsEmpty());
  EXPECT_EQ(plan("a0! b8 c16", "b8 c16", true).start, Start::append) << "not asked for";
  LinePlan within = plan("a0! c16! d24!", "b8 c16 d24", false);
  EXPECT_EQ(within.start, Start::rebuild);
  EXPECT_EQ(within.joint, 2) << "b changed nothing and was not recorded";
}

TEST(Plan, AGapInAShallowClone) {
  LinePlan gap = plan("a0 b8", "x30 y31", false);
  EXPECT_EQ(gap.start, Start::append);
  EXPECT_TRUE(gap.gap);
  EXPECT_EQ(gap.keep, 2);
  EXPECT_EQ(names(gap.todo), "xy");
  LinePlan earlier = plan("a0 b40", "x30 y31", false);
  EXPECT_EQ(earlier.start, Start::rebuild) << "older than what is there: another line";
  EXPECT_EQ(earlier.joint, 0);
  LinePlan other_rules = plan("a0! b8!", "x30 y31", false);
  EXPECT_EQ(other_rules.start, Start::rebuild);
  EXPECT_TRUE(other_rules.gap);
  EXPECT_EQ(other_rules.joint, 3) << "after all that is there";
}

TEST(Plan, TheOldestOfAShallowCloneIsNoPointOfItsOwn) {
  EXPECT_FALSE(plan("a0 b8", "b8 c9", false).keep_is_point) << "c is the last of the week";
  EXPECT_TRUE(plan("a0 b8", "b8 c16", false).keep_is_point);
  EXPECT_TRUE(plan("a0 b8", "b8", false).keep_is_point);
}

}  // namespace
}  // namespace hwsift::history
