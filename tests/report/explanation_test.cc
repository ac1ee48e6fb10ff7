#include "report/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/python/analyze.h"
#include "base/json.h"
#include "base/text.h"

namespace hwsift::report {
namespace {

using testing::HasSubstr;

constexpr const char* kSource = R"(
import torch, unittest
from torch.testing._internal.common_device_type import deviceCountAtLeast, instantiate_device_type_tests, onlyCUDA
from torch.testing._internal.common_utils import HardwareClassification, TestCase

class TestAdd(TestCase):
    def test_add(self, device):
        torch.ones(1).cuda()

    @onlyCUDA
    @deviceCountAtLeast(2)
    def test_two(self, devices):
        pass

class TestMixed(TestCase):
    def test_names(self):
        pass

    def test_graph(self):
        torch.cuda.CUDAGraph()

class TestSays(TestCase):
    hw_classification = HardwareClassification.CUDA

    def test_logic(self):
        pass

instantiate_device_type_tests(TestAdd, globals())
)";

// What explain says of "test/test_x.py" + `id`.
struct Asked {
  analyzer::FileFacts file =
      analyzer::analyze_python("test/test_x.py", kSource, classifier::builtin_vocabulary().lexicon());
  std::vector<classifier::ClassVerdict> verdicts =
      classifier::classify(file, classifier::builtin_vocabulary());
  Explanation explanation;

  explicit Asked(const std::string& id, const std::string& device = "") {
    classifier::TestId parsed = classifier::parse_test_id(file.path + id);
    classifier::Target target;
    if (!parsed.cls.empty()) target = classifier::find_target(file, parsed).value();
    explanation = explanation_of(file, verdicts, target, parsed, classifier::builtin_vocabulary(), device);
  }
  std::string text(std::size_t width = 100) const { return explanation_text(explanation, {}, width); }
  Json json() const { return parse_json(explanation_json(explanation), "explanation").value(); }
};

TEST(ExplanationText, ATestIsToldInSentencesWithItsEvidence) {
  std::string text = Asked("::TestMixed::test_graph").text();
  EXPECT_THAT(text, HasSubstr("test_graph is CUDA: line 20, torch.cuda.CUDAGraph: "));
  EXPECT_THAT(text, HasSubstr("no label"));
  EXPECT_THAT(text, HasSubstr("Next: 'hwsift explain test/test_x.py::TestMixed::test_graph --device cuda'"));
}

TEST(ExplanationText, AClassSaysWhereItsLabelDisagrees) {
  std::string text = Asked("::TestSays").text();
  EXPECT_THAT(text, HasSubstr("class TestSays  test/test_x.py:22"));
  EXPECT_THAT(text, HasSubstr("category    GENERIC"));
  EXPECT_THAT(text, HasSubstr("CUDA at line 23, which disagrees with its tests"));
  EXPECT_THAT(text, HasSubstr("none: nothing in it names hardware"));
  EXPECT_THAT(Asked("::TestSays::test_logic").text(),
              HasSubstr("test_logic counts as CUDA, by the label of"));
}

TEST(ExplanationText, AMixedClassListsItsTestsAndTheSplit) {
  std::string text = Asked("::TestMixed").text();
  EXPECT_THAT(text, HasSubstr("mixed: its tests belong to different categories"));
  EXPECT_THAT(text, HasSubstr("    19  test_graph  CUDA      torch.cuda.CUDAGraph: "));
  EXPECT_THAT(text, HasSubstr("TestMixedCUDA  CUDA"));
  EXPECT_THAT(text, HasSubstr("Next: split it"));
}

TEST(ExplanationText, ADeviceGetsNameOrReason) {
  EXPECT_THAT(Asked("::TestAdd::test_add", "cuda").text(),
              HasSubstr("test_add runs as test/test_x.py::TestAddCUDA::test_add_cuda."));
  EXPECT_THAT(Asked("::TestAdd::test_add", "xpu").text(200),
              HasSubstr("test_add does not run on xpu: allow_xpu is missing from the "
                        "instantiate_device_type_tests call at line 28 (add allow_xpu=True)."));
  EXPECT_THAT(Asked("::TestAdd::test_two", "cpu").text(200), HasSubstr("is skipped, since "));
  EXPECT_THAT(Asked("::TestAdd::test_two", "cuda").text(200),
              HasSubstr("if there are at least 2 CUDA devices, says deviceCountAtLeast at line 11."));
}

TEST(ExplanationText, TheTestsOfAClassAreGroupedByWhatDecides) {
  std::string text = Asked("::TestAdd", "cpu").text();
  EXPECT_THAT(text, HasSubstr("On cpu: 1 of 2 tests run, in TestAddCPU\n"));
  EXPECT_THAT(text, HasSubstr("  1 run\n"));
  EXPECT_THAT(text, HasSubstr("test_add  as test_add_cpu\n"));
  EXPECT_THAT(text, HasSubstr("  1 skipped: CUDA alone may run it, says onlyCUDA at line 10\n"));
  EXPECT_THAT(Asked("::TestAdd", "xpu").text(), HasSubstr("Next: add allow_xpu=True at line 28."));
}

TEST(ExplanationText, AFileHasOneLineAClass) {
  std::string text = Asked("").text();
  EXPECT_THAT(text, HasSubstr("test/test_x.py: 3 classes\n"));
  EXPECT_THAT(text, HasSubstr("TestMixed    GENERIC         mixed\n"));
  EXPECT_THAT(text, HasSubstr("TestSays     GENERIC         declared CUDA\n"));
}

TEST(ExplanationText, AGeneratedNameIsSaidToBeOneAndMeansItsDevice) {
  std::string text = Asked("::TestAddCUDA::test_add_cuda").text();
  EXPECT_THAT(text,
              HasSubstr("test/test_x.py::TestAddCUDA::test_add_cuda is what PyTorch or pytest makes of"));
  EXPECT_THAT(text, HasSubstr("On cuda\n"));
}

TEST(ExplanationText, NothingIsWiderThanItMayBe) {
  for (const char* id : {"", "::TestAdd", "::TestMixed", "::TestSays", "::TestAdd::test_two"})
    for (const char* device : {"", "cpu", "cuda", "npu"})
      for (const std::string& line : split(Asked(id, device).text(80), '\n')) {
        EXPECT_LE(code_points(line), 80U) << line;
        EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
      }
}

TEST(ExplanationJson, HoldsTheAnswerAndItsReasons) {
  Json document = Asked("::TestAdd::test_add", "xpu").json();
  EXPECT_EQ(document["schema"], "hwsift.explanation/1");
  EXPECT_EQ(document["subject"], "test");
  EXPECT_EQ(document["id"], "test/test_x.py::TestAdd::test_add");
  EXPECT_EQ(document["asked"], nullptr);
  const Json& answer = document["classes"][0]["tests"][0]["on_device"];
  EXPECT_EQ(answer["state"], "not_generated");
  EXPECT_EQ(answer["id"], nullptr);
  EXPECT_EQ(answer["reasons"][0]["kind"], "allow_flag");
  EXPECT_EQ(answer["reasons"][0]["remedy"], "add allow_xpu=True");
  EXPECT_EQ(answer["reasons"][0]["line"], 28);
  Json runs = Asked("::TestAdd::test_add", "cpu").json()["classes"][0]["tests"][0]["on_device"];
  EXPECT_EQ(runs["state"], "runs");
  EXPECT_EQ(runs["id"], "test/test_x.py::TestAddCPU::test_add_cpu");
}

TEST(ExplanationJson, WithoutADeviceThereIsNoAnswerForOne) {
  Json document = Asked("::TestMixed").json();
  EXPECT_EQ(document["device"], nullptr);
  EXPECT_EQ(document["classes"][0]["mixed"], true);
  EXPECT_EQ(document["classes"][0]["split"].size(), 2U);
  EXPECT_FALSE(document["classes"][0]["tests"][0].contains("on_device"));
}

}  // namespace
}  // namespace hwsift::report
