#include "runner/expectation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "tests/runner/planned.h"

namespace hwsift::runner {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

constexpr Micros kSecond = 1000000;
const std::string kA = "test/test_a.py";
const std::string kB = "test/test_b.py";
const std::string kC = "test/test_c.py";

// Two classes of two tests, and a function.
Selection sample() {
  return selection_of({planned_test(kA, "TestX", "test_1"), planned_test(kA, "TestX", "test_2"),
                       planned_test(kA, "TestY", "test_3"), planned_test(kA, "TestY", "test_4"),
                       planned_test(kA, "", "test_5")});
}

std::vector<double> seconds(const Selection& selection, const KnownTimes& times) {
  std::vector<double> all;
  for (Micros one : expect(selection, times).tests) all.push_back(static_cast<double>(one) / kSecond);
  return all;
}

TEST(Expectation, WithoutTimesEachTestTakesTheSame) {
  Expectation expected = expect(sample(), {});
  EXPECT_THAT(seconds(sample(), {}), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_EQ(expected.known.files, 0u);
  EXPECT_EQ(expected.known.of_files, 1u);
  EXPECT_TRUE(expect(selection_of({}), {}).tests.empty());
}

TEST(Expectation, TimesOfTestsBeatThoseOfClassesAndFiles) {
  KnownTimes times{
      {{kA + "::TestX::test_1", 2}, {kA + "::TestY::test_3", 4}}, {{kA + "::TestX", 100}}, {{kA, 1000}}};
  EXPECT_THAT(seconds(sample(), times), ElementsAre(2, 3, 4, 3, 3))
      << "those without: the mean of the others";
}

TEST(Expectation, TimesOfClassesAreSharedOutAndTheRestIsWhatTheFileTakesBeyond) {
  KnownTimes times{{}, {{kA + "::TestX", 10}, {kB + "::TestY", 7}}, {{kA, 70}}};
  EXPECT_THAT(seconds(sample(), times), ElementsAre(5, 5, 20, 20, 20));
  times.files = {{kA, 4}};
  EXPECT_THAT(seconds(sample(), times), ElementsAre(5, 5, 0, 0, 0)) << "never less than nothing";
  times.files = {};
  EXPECT_THAT(seconds(sample(), times), ElementsAre(5, 5, 5, 5, 5)) << "as much a test as in the known ones";
}

TEST(Expectation, SharesLoseNothing) {
  KnownTimes times{{}, {}, {{kA, 0.000008}}};
  std::vector<Micros> tests = expect(sample(), times).tests;
  EXPECT_THAT(tests, UnorderedElementsAre(2, 2, 2, 1, 1));
}

TEST(Expectation, RealTestsCountForTheLongestTemplateThatTheyExtend) {
  Selection selection = selection_of(
      {planned_test(kA, "TestX", "test_add"), planned_test(kA, "TestX", "test_add_out"),
       planned_test(kA, "TestX", "test_add_out_plain"), planned_test(kA, "TestX", "test_param")});
  selection.tests[0].expands = selection.tests[1].expands = true;
  const std::string cls = kA + "::TestX::";
  KnownTimes times{{{cls + "test_add_cpu_float32", 1},
                    {cls + "test_add_cpu_int8", 2},
                    {cls + "test_add_out_cpu", 4},
                    {cls + "test_add_out_plain_cpu", 8},
                    {cls + "test_add_out_plain", 16},
                    {cls + "test_param[a_1::b]", 32},
                    {cls + "test_param[c]", 64},
                    {cls + "test_addition", 1000},
                    {kB + "::TestX::test_add", 1000},
                    {"no id", 1000},
                    {"::", 1000},
                    {"", 1000}},
                   {},
                   {}};
  EXPECT_THAT(seconds(selection, times), ElementsAre(3, 12, 16, 96));
}

TEST(Expectation, FilesWithoutATimeTakeTheMeanOfTheOthers) {
  Selection selection =
      selection_of({planned_test(kA, "TestX", "test_1"), planned_test(kB, "TestX", "test_1"),
                    planned_test(kB, "TestX", "test_2"), planned_test(kC, "TestX", "test_1")});
  KnownTimes times{{}, {{kC + "::TestX", 30}}, {{kA, 10}}};
  EXPECT_THAT(seconds(selection, times), ElementsAre(10, 10, 10, 30));
  Expectation expected = expect(selection, times);
  EXPECT_EQ(expected.known.files, 2u);
  EXPECT_EQ(expected.known.of_files, 3u);
}

TEST(Expectation, ForeignNumbersAreHeldToWhatCanBeSummed) {
  EXPECT_EQ(micros(1.5), 1500000);
  EXPECT_EQ(micros(-1), 0);
  EXPECT_EQ(micros(std::numeric_limits<double>::infinity()), micros(kLongestTime));
}

}  // namespace
}  // namespace hwsift::runner
