#include "runner/collection.h"

#include <gtest/gtest.h>

namespace hwsift::runner {
namespace {

SelectedTest selected(const std::string& id, bool expands = false) {
  SelectedTest test;
  test.id = id;
  test.path = id.substr(0, id.find("::"));
  test.expands = expands;
  return test;
}

CollectedTest item(const std::string& cls, const std::string& name,
                   const std::vector<std::string>& bases = {}, const std::string& device = "") {
  CollectedTest test{cls + "::" + name, name, {"::" + cls}, device};
  for (const std::string& base : bases) test.classes.push_back(base);
  return test;
}

Selection sample(const std::string& device = "cpu") {
  Selection selection;
  selection.device = device;
  selection.privateuse1 = device == "fakeacc";
  selection.variants = {device};
  selection.tests = {selected("test/test_x.py::TestA::test_add", true),
                     selected("test/test_x.py::TestA::test_plain"), selected("test/test_x.py::test_function"),
                     selected("test/other_test.py::TestOther::test_o")};
  selection.not_selected["needs CUDA"] = {"test/test_x.py::TestA::test_add_out",
                                          "test/test_x.py::TestA::test_kernel",
                                          "test/test_x.py::TestNv::test_n"};
  selection.expanding = {"test/test_x.py::TestA::test_add_out"};
  return selection;
}

class CollectionTest : public testing::Test {
 protected:
  Selection selection_ = sample();
  TestIndex index_{selection_, "/tree"};
  Choice choose(const CollectedTest& test) const { return index_.choose("test/test_x.py", test); }
};

TEST_F(CollectionTest, ANameBelongsToTheLongestTemplateThatItExtends) {
  EXPECT_EQ(choose(item("TestA", "test_add_cpu_float32")).owner, 0u);
  EXPECT_EQ(choose(item("TestA", "test_add")).owner, 0u);
  Choice longer = choose(item("TestA", "test_add_out_cpu_float32"));
  EXPECT_FALSE(longer.run);
  EXPECT_TRUE(longer.known);
  EXPECT_EQ(longer.reason, "needs CUDA");
}

TEST_F(CollectionTest, ATestThatDoesNotExpandOwnsItsNameAndItsParametersOnly) {
  EXPECT_EQ(choose(item("TestA", "test_plain")).owner, 1u);
  EXPECT_EQ(choose(item("TestA", "test_plain[x::y]")).owner, 1u);
  Choice inherited = choose(item("TestA", "test_plain_too"));
  EXPECT_TRUE(inherited.run) << "its class is selected";
  EXPECT_FALSE(inherited.owner.has_value());
  Choice no_template = choose(item("TestA", "test_kernel_more"));
  EXPECT_TRUE(no_template.run) << "test_kernel does not expand";
}

TEST_F(CollectionTest, AnInheritedTestFollowsTheClassThatHasIt) {
  Choice taken = choose(item("TestSub", "test_plain", {"::TestA"}));
  EXPECT_TRUE(taken.run);
  EXPECT_FALSE(taken.owner.has_value()) << "the selected one is that of the base";
  Choice refused = choose(item("TestSub", "test_kernel", {"::TestA"}));
  EXPECT_FALSE(refused.run);
  EXPECT_FALSE(refused.known) << "the account does not have this one yet";
  EXPECT_FALSE(choose(item("TestSubNv", "test_other", {"::TestNv"})).run) << "nothing of TestNv is selected";
}

TEST(Collection, APartOfAPlanLeavesToTheOthersWhatIsTheirs) {
  Selection selection = sample();
  selection.elsewhere = {selected("test/test_x.py::TestA::test_sub", true)};
  CollectedTest theirs = item("TestA", "test_sub_cpu_float32");
  CollectedTest found = item("TestA", "test_generated");
  for (bool first_elsewhere : {false, true}) {
    if (first_elsewhere) selection.found_elsewhere = {"test/test_x.py"};
    TestIndex index(selection, "/tree");
    EXPECT_FALSE(index.choose("test/test_x.py", theirs).run);
    EXPECT_TRUE(index.choose("test/test_x.py", theirs).known);
    EXPECT_EQ(index.choose("test/test_x.py", item("TestA", "test_plain")).owner, 1u);
    EXPECT_EQ(index.choose("test/test_x.py", found).run, !first_elsewhere) << "one part takes it";
    EXPECT_EQ(index.choose("test/test_x.py", found).known, first_elsewhere);
    Choice inherited = index.choose("test/test_x.py", item("TestSub", "test_sub_x", {"::TestA"}));
    EXPECT_EQ(inherited.run, !first_elsewhere) << "a subclass's test is no part of the prediction";
  }
}

TEST(Collection, WhatAMixinHoldsRunsInItsSubclasses) {
  Selection selection;
  selection.device = "cpu";
  selection.variants = {"cpu"};
  selection.not_selected["not collected: a mixin, no test class of its own"] = {
      "test/test_x.py::Mixin::test_m"};
  selection.not_selected["needs CUDA"] = {"test/test_x.py::Mixin::test_k"};
  selection.inheritable = {"test/test_x.py::Mixin::test_m"};
  TestIndex index(selection, "/tree");
  EXPECT_TRUE(index.choose("test/test_x.py", item("TestSub", "test_m", {"::Mixin"})).run);
  EXPECT_FALSE(index.choose("test/test_x.py", item("TestSub", "test_k", {"::Mixin"})).run);
  EXPECT_TRUE(index.choose("test/test_x.py", item("TestSub", "test_from_elsewhere", {"::Mixin"})).run);
}

TEST(Collection, TheVerdictOnAClassDecidesForTestsThatNobodySaw) {
  Selection selection = sample("cuda");
  selection.classes["test/test_x.py::TestCopied"] = {false, ""};
  selection.classes["test/test_x.py::TestCopiedCpu"] = {false, "needs CPU"};
  selection.classes["test/test_x.py::TestLabelled"] = {true, "category CPU"};
  TestIndex index(selection, "/tree");
  EXPECT_TRUE(index.choose("test/test_x.py", item("TestCopied", "test_c")).run);
  Choice refused = index.choose("test/test_x.py", item("TestCopiedCpu", "test_c"));
  EXPECT_FALSE(refused.run);
  EXPECT_EQ(refused.reason, "needs CPU");
  EXPECT_TRUE(index.choose("test/test_x.py", item("TestCopiedCpu", "test_plain", {"::TestA"})).run)
      << "a selected test of a base";
  EXPECT_FALSE(index.choose("test/test_x.py", item("TestLabelled", "test_plain", {"::TestA"})).run)
      << "but the label wins";
}

TEST_F(CollectionTest, ABaseOfAnotherFileIsFoundByItsPath) {
  EXPECT_TRUE(choose(item("TestSub", "test_o", {"/tree/test/other_test.py::TestOther"})).run);
}

TEST_F(CollectionTest, AnImportedClassGoesByTheNameThatTheModuleHasForIt) {
  Choice here = choose(item("TestA", "test_plain", {}));
  EXPECT_EQ(here.owner, 1u);
  CollectedTest imported = item("TestA", "test_plain");
  imported.classes = {"/tree/test/other_test.py::TestOther"};
  EXPECT_EQ(choose(imported).owner, 1u) << "the id is what counts, not where the class is defined";
  CollectedTest unknown{"TestHere::test_o", "test_o", {"/tree/test/other_test.py::TestOther"}, ""};
  EXPECT_TRUE(choose(unknown).run) << "it follows the class that it is";
  EXPECT_FALSE(choose(unknown).owner.has_value()) << "the selected one is that of the other file";
}

TEST_F(CollectionTest, FunctionsHaveNoClass) {
  CollectedTest function{"test_function[1]", "test_function[1]", {}, ""};
  EXPECT_EQ(choose(function).owner, 2u);
  CollectedTest unknown{"test_made", "test_made", {}, ""};
  EXPECT_TRUE(choose(unknown).run) << "on a CPU what nobody knows runs";
}

TEST_F(CollectionTest, WhatTheFrameworkMadeForAnotherDeviceDoesNotRun) {
  EXPECT_TRUE(choose(item("TestGenerated", "test_g", {}, "cpu")).run);
  Choice other = choose(item("TestGeneratedCUDA", "test_g", {}, "cuda"));
  EXPECT_FALSE(other.run);
  EXPECT_EQ(other.reason, "found by pytest only: made for cuda, not for cpu");
}

TEST_F(CollectionTest, OnACpuTheClassOfABackendIsNotThatOfTheCpu) {
  selection_.tests.push_back(selected("test/test_x.py::TestMadeCPU::test_m"));
  TestIndex index(selection_, "/tree");
  Choice choice = index.choose("test/test_x.py", item("TestMadePRIVATEUSE1", "test_m", {}, "privateuse1"));
  EXPECT_FALSE(choice.run);
  EXPECT_EQ(choice.reason, "found by pytest only: made for privateuse1, not for cpu");
}

TEST_F(CollectionTest, RealTestsOfATemplateThatIsLeftOutNameIt) {
  EXPECT_EQ(choose(item("TestA", "test_add_out_cpu_float32")).of_template,
            "test/test_x.py::TestA::test_add_out");
  EXPECT_EQ(choose(item("TestA", "test_kernel")).of_template, "") << "it stands for itself";
}

TEST(Collection, OnAnAcceleratorUnknownClassesRunOnlyIfMadeForIt) {
  Selection selection = sample("fakeacc");
  TestIndex index(selection, "/tree");
  EXPECT_FALSE(index.choose("test/test_x.py", item("TestMade", "test_m")).run);
  EXPECT_TRUE(index.choose("test/test_x.py", item("TestMadeFAKEACC", "test_m", {}, "fakeacc")).run);
  EXPECT_TRUE(index.choose("test/test_x.py", item("TestMadePRIVATEUSE1", "test_m", {}, "privateuse1")).run);
}

TEST(Collection, APrivateUse1ClassIsTheBackendsClass) {
  Selection selection;
  selection.device = "fakeacc";
  selection.privateuse1 = true;
  selection.variants = {"fakeacc"};
  selection.tests = {selected("test/test_x.py::TestEveryFAKEACC::test_t_fakeacc")};
  TestIndex index(selection, "/tree");
  EXPECT_EQ(index.choose("test/test_x.py", item("TestEveryPRIVATEUSE1", "test_t_fakeacc")).owner, 0u);
  selection.tests = {selected("test/test_x.py::TestEveryPRIVATEUSE1::test_t_fakeacc")};
  TestIndex early(selection, "/tree");
  EXPECT_EQ(early.choose("test/test_x.py", item("TestEveryFAKEACC", "test_t_fakeacc")).owner, 0u);
}

// PYTORCH_TESTING_DEVICE_FOR_CUSTOM makes variants that only_for leaves out.
TEST(Collection, AVariantThatNoCallAsksForDoesNotRun) {
  Selection selection;
  selection.device = "fakeacc";
  selection.privateuse1 = true;
  selection.variants = {"fakeacc"};
  selection.not_selected["not instantiated for fakeacc: only_for is cuda"] = {
      "test/test_x.py::TestNv::test_n"};
  TestIndex index(selection, "/tree");
  for (const char* cls : {"TestNvFAKEACC", "TestNvPRIVATEUSE1"}) {
    Choice added = index.choose("test/test_x.py", item(cls, "test_n_fakeacc", {}, "fakeacc"));
    EXPECT_FALSE(added.run) << cls;
    EXPECT_EQ(added.reason, "not instantiated for fakeacc: only_for is cuda");
  }
}

}  // namespace
}  // namespace hwsift::runner
