#include "runner/gtest_binary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/cxx_selection.h"

namespace hwsift::runner {
namespace {

using classifier::Category;
using classifier::ClassVerdict;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

analyzer::Method test_named(const std::string& name, int line) {
  analyzer::Method method;
  method.name = name;
  method.line = line;
  method.is_test = true;
  return method;
}

analyzer::Class suite_named(const std::string& name, std::vector<analyzer::Method> tests) {
  analyzer::Class suite;
  suite.name = suite.qualified_name = name;
  suite.methods = std::move(tests);
  return suite;
}

// add.cpp: Add.Plain, Add.OnCuda (category CUDA), Add.Par of several instances, Add.DISABLED_Off, Add.Built
// under an #if, and a member of the fixture; Cuda.All (category CUDA).
class GtestBinaryTest : public testing::Test {
 protected:
  GtestBinaryTest() {
    analyzer::FileFacts file;
    file.path = "test/cpp/add.cpp";
    file.language = "cpp";
    file.classes.push_back(
        suite_named("Add", {test_named("Plain", 3), test_named("OnCuda", 5), test_named("Par", 7),
                            test_named("DISABLED_Off", 9), test_named("Built", 11), test_named("SetUp", 1)}));
    file.classes[0].methods[2].expands = true;
    file.classes[0].methods[4].conditions = {{"USE_CUDA", false, 10}, {"__APPLE__", true, 10}};
    file.classes[0].methods[5].is_test = false;
    file.classes.push_back(suite_named("Cuda", {test_named("All", 20)}));
    files_.push_back(file);
    ClassVerdict add;
    add.name = "Add";
    add.class_index = 0;
    add.mixed = true;
    for (const analyzer::Method& method : file.classes[0].methods)
      add.methods.push_back({method.name,
                             method.line,
                             method.name == "OnCuda" ? Category::of_device("cuda") : Category::generic(),
                             {}});
    ClassVerdict cuda;
    cuda.name = "Cuda";
    cuda.class_index = 1;
    cuda.inferred = Category::of_device("cuda");
    verdicts_ = {{add, cuda}};
  }

  Selection selected(const std::string& device = "cpu") const {
    return select(files_, verdicts_, {{device, classifier::builtin_vocabulary()}});
  }
  GtestBinary binary(std::vector<GtestName> tests) const {
    return {"/bin/test_add", "bin/test_add", {"test/cpp/add.cpp"}, std::move(tests)};
  }
  Selection held(std::vector<GtestName> tests, const std::string& device = "cpu") const {
    Selection selection = selected(device);
    hold_to_binaries(place_tests({binary(std::move(tests))}, files_).tests, files_,
                     {{device, classifier::builtin_vocabulary()}}, selection);
    return selection;
  }
  static std::vector<std::string> ids(const Selection& selection) {
    std::vector<std::string> all;
    for (const SelectedTest& test : selection.tests) all.push_back(test.id + (test.unpredicted ? " ?" : ""));
    return all;
  }

  std::vector<analyzer::FileFacts> files_;
  std::vector<std::vector<ClassVerdict>> verdicts_;
};

TEST_F(GtestBinaryTest, SuitesAreSelectedByCategoryAndName) {
  Selection cpu = selected();
  EXPECT_THAT(ids(cpu), ElementsAre("test/cpp/add.cpp::Add::Plain", "test/cpp/add.cpp::Add::Par",
                                    "test/cpp/add.cpp::Add::Built"));
  EXPECT_TRUE(cpu.tests[1].expands);
  EXPECT_THAT(cpu.not_selected.at(kDisabledByName), ElementsAre("test/cpp/add.cpp::Add::DISABLED_Off"));
  EXPECT_EQ(cpu.not_selected.size(), 2u);
  EXPECT_THAT(cpu.files, ElementsAre("test/cpp/add.cpp"));
  EXPECT_THAT(ids(selected("cuda")),
              ElementsAre("test/cpp/add.cpp::Add::OnCuda", "test/cpp/add.cpp::Cuda::All"));
}

TEST_F(GtestBinaryTest, WhatTheBinaryLacksIsLeftOutWithItsCondition) {
  Selection selection = held({{"Add", "Plain"}});
  EXPECT_THAT(ids(selection), ElementsAre("test/cpp/add.cpp::Add::Plain"));
  EXPECT_THAT(selection.not_selected.at("not in the binary"), ElementsAre("test/cpp/add.cpp::Add::Par"));
  EXPECT_THAT(selection.not_selected.at("not in the binary (stands under #if USE_CUDA)"),
              ElementsAre("test/cpp/add.cpp::Add::Built"));
  EXPECT_EQ(selection.expanding.count("test/cpp/add.cpp::Add::Par"), 1u);
}

TEST_F(GtestBinaryTest, ThatSomethingIsDefinedIsNoReasonToLackATest) {
  files_[0].classes[0].methods[4].conditions = {{"FBCODE_CAFFE2", true, 10}};
  EXPECT_THAT(held({{"Add", "Plain"}}).not_selected.at("not in the binary"),
              ElementsAre("test/cpp/add.cpp::Add::Par", "test/cpp/add.cpp::Add::Built"));
}

TEST_F(GtestBinaryTest, TwoTestsOfOneIdAreToldApart) {
  PlacedTests placed = place_tests({binary({{"New/0", "T"}, {"New", "T/0"}})}, files_);
  ASSERT_EQ(placed.tests.size(), 2u);
  EXPECT_EQ(placed.tests[0].id(), "bin/test_add::New::T[0]");
  EXPECT_EQ(placed.tests[1].id(), "bin/test_add::New::T[New.T/0]");
  EXPECT_THAT(placed.repeated, IsEmpty());
}

TEST_F(GtestBinaryTest, ASuffixSaysWhatATestWithoutASourceNeeds) {
  std::vector<GtestName> names{{"Add", "Made_CUDA"}, {"New", "T_CUDA"}, {"New", "P_CUDA/0"}};
  Selection cpu = held(names);
  EXPECT_THAT(ids(cpu), IsEmpty());
  EXPECT_THAT(cpu.not_selected.at("needs CUDA"),
              testing::IsSupersetOf({"test/cpp/add.cpp::Add::Made_CUDA", "bin/test_add::New::T_CUDA",
                                     "bin/test_add::New::P_CUDA"}));
  EXPECT_THAT(ids(held(names, "cuda")),
              ElementsAre("bin/test_add::New::T_CUDA ?", "bin/test_add::New::P_CUDA ?",
                          "test/cpp/add.cpp::Add::Made_CUDA ?"));
}

TEST_F(GtestBinaryTest, AMisfitKeepsItsReasonWhetherOrNotTheBinaryHasIt) {
  Selection without = held({{"Add", "Plain"}});
  Selection with = held({{"Add", "Plain"}, {"Cuda", "All"}, {"Add", "DISABLED_Off"}});
  for (const auto& [reason, left] : selected().not_selected) {
    EXPECT_EQ(without.not_selected.at(reason), left) << reason;
    EXPECT_EQ(with.not_selected.at(reason), left) << reason;
  }
}

TEST_F(GtestBinaryTest, InstancesBelongToTheTestOfTheSource) {
  std::vector<GtestTest> placed =
      place_tests({binary({{"Pre/Add", "Par/0"}, {"Pre/Add", "Par/1"}, {"Add", "Plain"}})}, files_).tests;
  EXPECT_EQ(placed[1].within(), "Add::Par[Pre/1]");
  EXPECT_EQ(placed[1].template_id(), "test/cpp/add.cpp::Add::Par");
  EXPECT_THAT(ids(held({{"Pre/Add", "Par/0"}, {"Pre/Add", "Par/1"}})),
              ElementsAre("test/cpp/add.cpp::Add::Par"));
}

TEST_F(GtestBinaryTest, WhatNoSourceExplainsRunsOnACpu) {
  Selection selection = held({{"Add", "Made"}, {"New/0", "T"}, {"New/1", "T"}, {"New", "DISABLED_T"}});
  EXPECT_THAT(ids(selection), ElementsAre("bin/test_add::New::T ?", "test/cpp/add.cpp::Add::Made ?"));
  EXPECT_TRUE(selection.tests[0].expands);
  EXPECT_THAT(selection.files, ElementsAre("bin/test_add", "test/cpp/add.cpp"));
  EXPECT_THAT(selection.not_selected.at(kDisabledByName),
              UnorderedElementsAre("test/cpp/add.cpp::Add::DISABLED_Off", "bin/test_add::New::DISABLED_T"));
}

TEST_F(GtestBinaryTest, OnAnAcceleratorItRunsWhereItsSuiteIsForTheDevice) {
  Selection selection = held({{"Cuda", "Made"}, {"New", "T"}}, "cuda");
  EXPECT_THAT(ids(selection), ElementsAre("test/cpp/add.cpp::Cuda::Made ?"));
  EXPECT_THAT(selection.not_selected.at("in the binary only: no source says that it is for cuda"),
              ElementsAre("bin/test_add::New::T"));
}

TEST_F(GtestBinaryTest, ASuiteOfTwoFilesIsToldApartByItsTests) {
  analyzer::FileFacts other = files_[0];
  other.path = "test/cpp/other.cpp";
  other.classes.resize(1);
  other.classes[0].methods = {test_named("Elsewhere", 1)};
  files_.push_back(other);
  GtestBinary both = binary({{"Add", "Elsewhere"}, {"Add", "Plain"}, {"Add", "Made"}});
  both.sources.push_back(other.path);
  std::vector<std::string> paths;
  for (const GtestTest& test : place_tests({both}, files_).tests) paths.push_back(test.path);
  EXPECT_THAT(paths, ElementsAre("test/cpp/other.cpp", "test/cpp/add.cpp", "bin/test_add"));
}

TEST_F(GtestBinaryTest, ATestOfSeveralBinariesRunsFromTheFirst) {
  GtestBinary first = binary({{"Add", "Plain"}});
  GtestBinary second = first;
  second.path = "bin/second";
  second.tests.push_back({"Own", "T"});
  PlacedTests both = place_tests({first, second}, files_);
  EXPECT_THAT(both.repeated, ElementsAre("test/cpp/add.cpp::Add::Plain"));
  const std::vector<GtestTest>& placed = both.tests;
  ASSERT_EQ(placed.size(), 2u);
  EXPECT_EQ(placed[0].binary, 0u);
  EXPECT_EQ(placed[1].template_id(), "bin/second::Own::T");
}

}  // namespace
}  // namespace hwsift::runner
