#include "history/unlock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/python/analyze.h"
#include "runner/selection.h"

namespace hwsift::history {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kImports = R"(import unittest, torch
from torch.testing._internal.common_cuda import *
from torch.testing._internal.common_device_type import *
from torch.testing._internal.common_utils import *
)";

const classifier::Vocabulary& vocabulary() { return classifier::builtin_vocabulary(); }

analyzer::FileFacts facts(const std::string& source, const std::string& path = "test/test_x.py") {
  return analyzer::analyze_python(path, kImports + source, vocabulary().lexicon());
}

std::vector<Unlock> unlocks_of(const std::vector<analyzer::FileFacts>& files, const std::string& device,
                               const std::string& version = "") {
  std::vector<std::vector<classifier::ClassVerdict>> verdicts;
  for (const analyzer::FileFacts& file : files) verdicts.push_back(classifier::classify(file, vocabulary()));
  lint::TreeTraits traits;
  traits.version = version;
  return unlocks(files, verdicts, {device, vocabulary(), traits}, nullptr);
}

std::vector<Unlock> unlocks_of(const std::string& source, const std::string& device = "xpu") {
  return unlocks_of(std::vector<analyzer::FileFacts>{facts(source)}, device);
}

long long selected(const std::string& source, const std::string& device) {
  std::vector<analyzer::FileFacts> files = {facts(source)};
  std::vector<std::vector<classifier::ClassVerdict>> verdicts = {
      classifier::classify(files.front(), vocabulary())};
  return static_cast<long long>(runner::select(files, verdicts, {{device, vocabulary()}}).tests.size());
}

std::string replaced(std::string source, const std::string& old, const std::string& text) {
  for (std::size_t at = source.find(old); at != std::string::npos; at = source.find(old, at + text.size()))
    source.replace(at, old.size(), text);
  return source;
}

// The same source, edited by hand as it was told.
void expect_kept(const Unlock& unlock, const std::string& source, const std::string& edited) {
  EXPECT_NE(source, edited);
  EXPECT_EQ(selected(edited, unlock.device) - selected(source, unlock.device), unlock.tests);
}

std::string texts_of(const Unlock& unlock) {
  std::string texts;
  for (const EditPlace& place : unlock.places)
    texts += (texts.empty() ? "" : "; ") + std::to_string(place.line) + " " + place.text;
  return texts;
}

constexpr const char* kTemplate = R"(
class TestAdd(TestCase):
    def test_a(self, device):
        torch.ones(1, device=device)
    def test_b(self, device):
        torch.ones(1, device=device)
    @unittest.skipIf(not TEST_CUDA, "no CUDA")
    def test_c(self, device):
        torch.ones(1, device=device)
    def test_d(self, device):
        torch.cuda.CUDAGraph()

)";

TEST(Unlock, AFlagGivesTheTestsThatItAloneKeepsOut) {
  std::string call = "instantiate_device_type_tests(TestAdd, globals())\n";
  std::string source = kTemplate + call;
  std::vector<Unlock> found = unlocks_of(source);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].tests, 2);
  EXPECT_EQ(found[0].cls, "TestAdd");
  EXPECT_EQ(found[0].path, "test/test_x.py");
  EXPECT_EQ(texts_of(found[0]), "17 allow_xpu=True in this call");
  std::string edited = replaced(source, "globals())", "globals(), allow_xpu=True)");
  expect_kept(found[0], source, edited);

  std::vector<Unlock> next = unlocks_of(edited);
  ASSERT_THAT(next, SizeIs(1));
  EXPECT_EQ(texts_of(next[0]), "11 TEST_CUDA: use TEST_ACCELERATOR, which PyTorch has from 2.14 on");
  EXPECT_EQ(next[0].tests, 1);
  expect_kept(next[0], edited, replaced(edited, "not TEST_CUDA", "not TEST_ACCELERATOR"));
}

TEST(Unlock, ATwinThatTheTreeLacksIsNotOffered) {
  std::string source =
      std::string(kTemplate) + "instantiate_device_type_tests(TestAdd, globals(), allow_xpu=True)\n";
  std::vector<analyzer::FileFacts> files = {facts(source)};
  EXPECT_THAT(unlocks_of(files, "xpu", "2.13.0a0"), IsEmpty());
  std::vector<Unlock> found = unlocks_of(files, "xpu", "2.14.0a0");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(texts_of(found[0]), "11 TEST_CUDA: use TEST_ACCELERATOR");
}

TEST(Unlock, AGroupStandsBesideASmallerOneThatGivesLess) {
  std::string source = "class TestAdd(TestCase):\n";
  for (int i = 0; i < 9; ++i) {
    if (i == 1)
      source +=
          "class TestSub(TestCase):\n    def setUp(self):\n        if not TEST_CUDA:\n            "
          "self.skipTest('x')\n";
    source += "    def test_" + std::to_string(i) + "(self, device):\n        torch.ones(1, device=device)\n";
  }
  source += "for cls in (TestAdd, TestSub):\n    instantiate_device_type_tests(cls, globals())\n";
  std::vector<Unlock> found = unlocks_of(source);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].tests, 9);
  EXPECT_THAT(found[0].places, SizeIs(2));
  EXPECT_EQ(found[1].tests, 1);
  std::string edited = replaced(source, "globals())", "globals(), allow_xpu=True)");
  expect_kept(found[1], source, edited);
  expect_kept(found[0], source, replaced(edited, "not TEST_CUDA", "not TEST_ACCELERATOR"));
}

TEST(Unlock, TheFlagIsThatOfTheDevice) {
  std::string source = std::string(kTemplate) + "instantiate_device_type_tests(TestAdd, globals())\n";
  EXPECT_EQ(texts_of(unlocks_of(source, "mps").at(0)), "17 allow_mps=True in this call");
  for (const char* device : {"hpu", "cuda"})
    for (const Unlock& unlock : unlocks_of(source, device))
      EXPECT_EQ(texts_of(unlock).find("allow"), std::string::npos);
}

TEST(Unlock, AFilterAndAFlagAreBothNeeded) {
  for (const char* filter : {"only_for=(\"cpu\", \"cuda\")", "only_for=\"cuda\""}) {
    std::string source =
        std::string(kTemplate) + "instantiate_device_type_tests(TestAdd, globals(), " + filter + ")\n";
    std::vector<Unlock> found = unlocks_of(source);
    ASSERT_THAT(found, Not(IsEmpty())) << filter;
    EXPECT_THAT(texts_of(found[0]),
                testing::AllOf(HasSubstr("allow_xpu=True"), HasSubstr("\"cuda\", \"xpu\")")));
    std::string wider = std::string(filter) == "only_for=\"cuda\""
                            ? "only_for=(\"cuda\", \"xpu\"), allow_xpu=True"
                            : "only_for=(\"cpu\", \"cuda\", \"xpu\"), allow_xpu=True";
    expect_kept(found[0], source, replaced(source, filter, wider));
  }
}

TEST(Unlock, AFilterForOneOtherAcceleratorDeclaresWhatTheTestsAreAbout) {
  auto source = [](const std::string& filter) {
    return std::string(kTemplate) + "instantiate_device_type_tests(TestAdd, globals(), only_for=" + filter +
           ", allow_mps=True, allow_xpu=True)\n";
  };
  EXPECT_THAT(unlocks_of(source("\"mps\"")), IsEmpty());
  EXPECT_THAT(unlocks_of(source("(\"xpu\",)"), "cuda"), IsEmpty());
  EXPECT_THAT(unlocks_of(source("(\"cpu\", \"mps\")")), Not(IsEmpty()));
}

TEST(Unlock, AnExceptForIsTakenAway) {
  std::string call =
      "instantiate_device_type_tests(TestAdd, globals(), allow_mps=True, except_for=(\"mps\", \"cpu\"))\n";
  std::string source = kTemplate + call;
  std::vector<Unlock> found = unlocks_of(source, "mps");
  ASSERT_THAT(found, Not(IsEmpty()));
  EXPECT_EQ(texts_of(found[0]), "17 except_for=(\"cpu\",) in this call");
  expect_kept(found[0], source, replaced(source, "(\"mps\", \"cpu\")", "(\"cpu\",)"));
}

TEST(Unlock, AGuardOfAPlainClassGetsItsTwin) {
  std::string source = R"(
@unittest.skipUnless(torch.cuda.is_available(), "no CUDA")
class TestMove(TestCase):
    def test_a(self):
        torch.ones(1, device="cuda")
    def test_b(self):
        torch.ones(1).cuda()
)";
  std::vector<Unlock> found = unlocks_of(source);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(texts_of(found[0]), "6 is_available: use torch.accelerator.is_available");
  EXPECT_EQ(found[0].tests, 2);
  EXPECT_EQ(found[0].elsewhere, 2);
  expect_kept(found[0], source,
              replaced(source, "torch.cuda.is_available", "torch.accelerator.is_available"));
}

TEST(Unlock, AGuardInTheSetUpCountsForAllTests) {
  std::string source = R"(
class TestMove(TestCase):
    def setUp(self):
        if not TEST_CUDA:
            self.skipTest("no CUDA")
    def test_a(self):
        torch.ones(1, device="cuda")
    def test_b(self):
        torch.ones(1, device="cuda")
)";
  std::vector<Unlock> found = unlocks_of(source);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].tests, 2);
  expect_kept(found[0], source, replaced(source, "not TEST_CUDA", "not TEST_ACCELERATOR"));
}

TEST(Unlock, WhatIsOfAnotherDeviceIsNoCandidate) {
  EXPECT_THAT(unlocks_of("class TestMove(TestCase):\n    hw_classification = HardwareClassification.CUDA\n"
                         "    @unittest.skipIf(not TEST_CUDA, 'x')\n    def test_a(self):\n        pass\n"),
              IsEmpty());
  EXPECT_THAT(unlocks_of("class TestMove(TestCase):\n    @unittest.skipIf(not TEST_CUDA, 'x')\n"
                         "    def test_a(self):\n        torch.cuda.CUDAGraph()\n"),
              IsEmpty());
  EXPECT_THAT(unlocks_of("class TestMove(TestCase):\n    def test_a(self):\n        torch.ones(1)\n"),
              IsEmpty());
  EXPECT_THAT(unlocks_of("class TestAdd(TestCase):\n    @skipXPU\n    def test_a(self, device):\n        "
                         "torch.ones(1, device=device)\n"
                         "instantiate_device_type_tests(TestAdd, globals(), allow_xpu=True)\n"),
              IsEmpty());
}

TEST(Unlock, TheBestComesFirstWhateverTheOrderOfFiles) {
  std::string call = "instantiate_device_type_tests(TestAdd, globals())\n";
  analyzer::FileFacts small = facts(
      "class TestAdd(TestCase):\n    def test_a(self, device):\n        torch.ones(1, device=device)\n" +
          call,
      "test/test_a.py");
  analyzer::FileFacts large = facts(kTemplate + call, "test/test_b.py");
  std::vector<Unlock> found = unlocks_of(std::vector<analyzer::FileFacts>{small, large}, "xpu");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].path, "test/test_b.py");
  EXPECT_EQ(found[1].path, "test/test_a.py");
  std::vector<Unlock> turned = unlocks_of(std::vector<analyzer::FileFacts>{large, small}, "xpu");
  EXPECT_EQ(turned[1].path, "test/test_a.py");
}

}  // namespace
}  // namespace hwsift::history
