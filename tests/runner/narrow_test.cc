#include "runner/narrow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hwsift::runner {
namespace {

using testing::ElementsAre;

SelectedTest selected(const std::string& cls, const std::string& method, bool expands = false) {
  SelectedTest test;
  test.path = "test/test_x.py";
  test.cls = test.run_class = cls;
  test.method = method;
  test.id = test.path + "::" + cls + "::" + method;
  test.expands = expands;
  return test;
}

class NarrowTest : public testing::Test {
 protected:
  NarrowTest() {
    selection_.tests = {selected("TestA", "test_add", true), selected("TestA", "test_add_out"),
                        selected("TestB", "test_b")};
    selection_.files = {"test/test_x.py"};
    selection_.owners["test/test_x.py"] = {"module: nn"};
  }

  std::vector<std::string> left(const std::string& filter) {
    std::vector<std::string> methods;
    for (const SelectedTest& test : narrow(filter).tests) methods.push_back(test.method);
    return methods;
  }
  Selection narrow(const std::string& filter) {
    return narrowed(selection_, *Filter::parse(filter, {"GENERIC", "CUDA"}), facts_);
  }

  Selection selection_;
  FilterFacts facts_;
};

TEST_F(NarrowTest, WhatTheFilterLeavesOutHasItAsItsReason) {
  Selection narrowed = narrow("class(=TestB)");
  EXPECT_THAT(left("class(=TestB)"), ElementsAre("test_b"));
  ASSERT_EQ(narrowed.not_selected.size(), 1u);
  EXPECT_EQ(narrowed.not_selected.begin()->first, "left out by -E class(=TestB)");
  EXPECT_EQ(narrowed.not_selected.begin()->second.size(), 2u);
  EXPECT_EQ(narrowed.expanding.count("test/test_x.py::TestA::test_add"), 1u) << "it still owns its real ids";
  EXPECT_THAT(narrow("none()").files, testing::IsEmpty());
}

TEST_F(NarrowTest, OwnersCategoriesAndSlowTestsAreKnown) {
  selection_.tests[2].slow = true;
  selection_.tests[2].category = classifier::Category::of_device("cuda");
  EXPECT_EQ(left("owner(nn)").size(), 3u);
  EXPECT_THAT(left("slow()"), ElementsAre("test_b"));
  EXPECT_THAT(left("hw(cuda)"), ElementsAre("test_b"));
}

TEST_F(NarrowTest, WhatIsKnownOfRealIdsCountsForTheirTemplateAlone) {
  facts_.failed = {"test/test_x.py::TestA::test_add_cpu_float32"};
  EXPECT_THAT(left("failed()"), ElementsAre("test_add"));
  facts_.failed = {"test/test_x.py::TestA::test_add_out"};
  EXPECT_THAT(left("failed() & test(=test_add_out)"), ElementsAre("test_add_out"));
  facts_.seconds = {{"test/test_x.py::TestA::test_add_cpu_float32", 20},
                    {"test/test_x.py::TestA::test_add_cpu_int64", 20},
                    {"test/test_x.py::TestB::test_b", 20}};
  EXPECT_THAT(left("slow(30s)"), ElementsAre("test_add")) << "together they take 40 s";
  EXPECT_EQ(left("slow(20s)").size(), 2u);
}

}  // namespace
}  // namespace hwsift::runner
