#include "runner/owners.h"

#include <gtest/gtest.h>

namespace hwsift::runner {
namespace {

SelectedTest selected(const std::string& id, bool expands) {
  SelectedTest test;
  test.id = id;
  test.path = id.substr(0, id.find("::"));
  test.expands = expands;
  return test;
}

class OwnersTest : public testing::Test {
 protected:
  OwnersTest() {
    selection_.tests = {selected("test/x.py::TestA::test_add", true),
                        selected("test/x.py::TestA::test_plain", false),
                        selected("test/x.py::test_f", false)};
    selection_.elsewhere = {selected("test/x.py::TestA::test_sub", true)};
    selection_.not_selected["needs CUDA"] = {"test/x.py::TestA::test_add_out"};
    selection_.expanding = {"test/x.py::TestA::test_add_out"};
  }
  Selection selection_;
};

TEST_F(OwnersTest, AnIdIsOfItsNameElseOfTheLongestTemplate) {
  Owners owners(selection_);
  EXPECT_EQ(owners.selected("test/x.py::TestA::test_add_cpu_float32"), 0u);
  EXPECT_EQ(owners.selected("test/x.py::TestA::test_plain[a::b_c]"), 1u);
  EXPECT_EQ(owners.selected("test/x.py::test_f[1]"), 2u);
  EXPECT_EQ(owners.selected("test/x.py::TestA::test_plain_too"), std::nullopt) << "it does not expand";
  EXPECT_EQ(owners.find("test/x.py::TestB::test_add_cpu"), nullptr);
  EXPECT_EQ(owners.find("no id"), nullptr);
}

TEST_F(OwnersTest, TheDeviceInANameIsNoPartOfALongerTemplate) {
  selection_.device = "cpu";
  selection_.not_selected["needs CUDA"] = {"test/x.py::TestA::test_add_cpu"};
  selection_.expanding = {"test/x.py::TestA::test_add_cpu"};
  Owners owners(selection_);
  EXPECT_EQ(owners.selected("test/x.py::TestA::test_add_cpu_float32"), 0u);
  EXPECT_EQ(owners.selected("test/x.py::TestA::test_add_cpu_cpu_float32"), std::nullopt);
}

TEST_F(OwnersTest, WhatIsLeftOutOrElsewhereOwnsItsIdsToo) {
  Owners owners(selection_);
  ASSERT_NE(owners.find("test/x.py::TestA::test_add_out_cpu"), nullptr);
  EXPECT_EQ(owners.find("test/x.py::TestA::test_add_out_cpu")->id, "test/x.py::TestA::test_add_out");
  EXPECT_EQ(owners.selected("test/x.py::TestA::test_add_out_cpu"), std::nullopt);
  EXPECT_EQ(owners.selected("test/x.py::TestA::test_sub_cpu"), std::nullopt);
}

}  // namespace
}  // namespace hwsift::runner
