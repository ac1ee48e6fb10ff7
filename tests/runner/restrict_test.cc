#include "runner/restrict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/collection.h"

namespace hwsift::runner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kClass = "test/test_x.py::TestXCPU";

SelectedTest test(const std::string& name, bool expands) {
  SelectedTest one;
  one.path = "test/test_x.py";
  one.id = kClass + "::" + name;
  one.run_class = "TestXCPU";
  one.expands = expands;
  return one;
}

Selection sample() {
  Selection selection;
  selection.device = "cpu";
  selection.variants = {"cpu"};
  selection.tests = {test("test_add", true), test("test_add_out", true), test("test_add_plain_cpu", false)};
  selection.files = {"test/test_x.py", "test/test_y.py"};
  selection.not_selected["needs CUDA"] = {kClass + "::test_add_gone_cpu"};
  return selection;
}

std::vector<std::string> ids_of(const Selection& selection) {
  std::vector<std::string> ids;
  for (const SelectedTest& one : selection.tests) ids.push_back(one.id.substr(kClass.size() + 2));
  return ids;
}

Choice choose(const Selection& selection, const std::string& name) {
  TestIndex index(selection, "/tree");
  return index.choose("test/test_x.py", {"TestXCPU::" + name, name, {"::TestXCPU"}, "cpu"});
}

TEST(Restrict, OfATemplateOnlyTheIdThatIsAskedForRuns) {
  Selection part = restricted(sample(), {kClass + "::test_add_cpu_float32"});
  EXPECT_THAT(ids_of(part), ElementsAre("test_add"));
  EXPECT_THAT(part.files, ElementsAre("test/test_x.py"));
  EXPECT_TRUE(choose(part, "test_add_cpu_float32").run);
  for (const char* other : {"test_add_cpu_float64", "test_add_out_cpu_float32", "test_add_plain_cpu"}) {
    EXPECT_FALSE(choose(part, other).run) << other;
    EXPECT_TRUE(choose(part, other).known) << other;
  }
}

TEST(Restrict, TheLongestTemplateAndThePlainNameOwnAnId) {
  EXPECT_THAT(ids_of(restricted(sample(), {kClass + "::test_add_out_cpu_int64"})),
              ElementsAre("test_add_out"));
  EXPECT_THAT(ids_of(restricted(sample(), {kClass + "::test_add_plain_cpu"})),
              ElementsAre("test_add_plain_cpu"));
  EXPECT_THAT(ids_of(restricted(sample(), {kClass + "::test_add[a::b_c]"})), ElementsAre("test_add"));
  EXPECT_THAT(ids_of(restricted(sample(), {kClass + "::test_add_gone_cpu"})), IsEmpty());
}

TEST(Restrict, ATemplateAClassOrAFileStandsForAllOfIt) {
  EXPECT_TRUE(choose(restricted(sample(), {kClass + "::test_add"}), "test_add_cpu_float64").run);
  EXPECT_FALSE(choose(restricted(sample(), {kClass + "::test_add"}), "test_add_out_cpu_int64").run);
  for (const std::string& id : {kClass, std::string("test/test_x.py")}) {
    EXPECT_EQ(restricted(sample(), {id}).tests.size(), 3u);
    EXPECT_TRUE(choose(restricted(sample(), {id}), "test_add_out_cpu_int64").run);
  }
}

TEST(Restrict, ATestThatOnlyPytestFindsRunsWhereItsFileIsSelected) {
  Selection part = restricted(sample(), {kClass + "::test_generated", "test/test_gone.py::test_f"});
  EXPECT_THAT(part.tests, IsEmpty());
  EXPECT_THAT(part.files, ElementsAre("test/test_x.py"));
  EXPECT_TRUE(choose(part, "test_generated").run);
}

TEST(Restrict, ATestThatAFixtureMultipliesIsExpandedToo) {
  RunRecord record;
  record.results.resize(1);
  record.results[0].id = kClass + "::test_plain[x::y]";
  Selection selection = sample();
  selection.tests[0].id = kClass + "::test_plain";
  selection.tests[0].expands = false;
  note_expanded(selection, record);
  EXPECT_THAT(record.expanded, ElementsAre(kClass + "::test_plain"));
}

TEST(Restrict, ARecordTellsWhichTemplatesItAccountsForAndWhatIsLost) {
  RunRecord record;
  record.results.resize(1);
  record.results[0].id = kClass + "::test_add_cpu_float32";
  record.not_run["interrupted"] = {kClass + "::test_add_out"};
  record.outstanding = {"interrupted"};
  note_expanded(sample(), record);
  EXPECT_THAT(record.expanded, ElementsAre(kClass + "::test_add"));
  EXPECT_THAT(
      unaccounted({kClass + "::test_add", kClass + "::test_add_out", kClass, "test/test_z.py::test_f"},
                  record),
      ElementsAre("test/test_z.py::test_f"));
}

}  // namespace
}  // namespace hwsift::runner
