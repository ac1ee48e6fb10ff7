// Messages tell what is wrong and what to write instead.
#include <gtest/gtest.h>

#include "tests/lint/lint_text.h"

namespace hwsift::lint {
namespace {

std::string only_message(const std::string& profile, const std::string& source) {
  std::vector<Finding> findings = lint_text(profile, source);
  return findings.size() == 1 ? full_message(findings[0]) : std::to_string(findings.size()) + " findings";
}

std::string of_label(const std::string& label) {
  return only_message("recommended",
                      "from torch.testing._internal.common_utils import HardwareClassification\n"
                      "class TestA:\n    " +
                          label + "\n    def test_a(self): pass\n");
}

classifier::ClassVerdict verdict(classifier::Category inferred) {
  classifier::ClassVerdict verdict;
  verdict.class_index = 0;
  verdict.inferred = std::move(inferred);
  return verdict;
}

std::string proposal_for(const classifier::ClassVerdict& verdict) {
  const classifier::Vocabulary& vocabulary = classifier::builtin_vocabulary();
  analyzer::FileFacts file =
      analyzer::analyze_python("test/test_a.py", "class TestA:\n    def test_a(self): pass\n", {});
  std::vector<classifier::ClassVerdict> verdicts{verdict};
  Surroundings around;
  std::vector<Finding> findings =
      lint_file({*builtin_lint_rules().profile("declare"), file, verdicts, vocabulary, around, ""});
  return findings.size() == 1 ? findings[0].hint : "";
}

TEST(Messages, ProposeTheCategoryThatTheClassHas) {
  EXPECT_EQ(proposal_for(verdict(classifier::Category::generic())),
            "declare hw_classification = HardwareClassification.GENERIC (nothing here needs a device)");
  classifier::ClassVerdict cuda = verdict(classifier::Category::of_device("cuda"));
  cuda.evidence.push_back({40, "torch.cuda.CUDAGraph", "needs CUDA", "test_a"});
  EXPECT_EQ(proposal_for(cuda),
            "declare hw_classification = HardwareClassification.CUDA (line 40: torch.cuda.CUDAGraph needs "
            "CUDA); its tests then take a device, and the class is instantiated");
}

TEST(Messages, SpellDeviceGenericAsTheReleasedEnumDoes) {
  EXPECT_EQ(proposal_for(verdict(classifier::Category::device_generic())),
            "declare hw_classification = HardwareClassification.ACCELERATOR; its tests then take a device, "
            "and the class is instantiated");
}

TEST(Messages, ProposeASplitOfAMixedClass) {
  classifier::ClassVerdict mixed = verdict(classifier::Category::generic());
  mixed.mixed = true;
  mixed.split = {{"TestA", classifier::Category::generic(), {}},
                 {"TestACUDA", classifier::Category::of_device("cuda"), {}}};
  EXPECT_EQ(proposal_for(mixed),
            "its tests belong to different categories: split it into TestA (GENERIC), TestACUDA (CUDA)");
}

TEST(Messages, TellWhatIsWrongWithALabel) {
  EXPECT_EQ(of_label("hw_classification = \"cuda\""),
            "the label of TestA (line 3) is a text, not a member of HardwareClassification; write "
            "hw_classification = "
            "HardwareClassification.CUDA");
  EXPECT_EQ(of_label("hw_classification = HardwareClassification.generic"),
            "the label of TestA (line 3) names no category that is known: generic; write hw_classification = "
            "HardwareClassification.GENERIC");
  EXPECT_EQ(of_label("if X: hw_classification = HardwareClassification.GENERIC"),
            "the label of TestA (line 3) stands under a condition, so that it may be another one or none; "
            "set it once, "
            "directly in the class body");
}

TEST(Messages, TellWhatUpstreamDoesNotRead) {
  EXPECT_EQ(only_message("upstream-strict",
                         "from torch.testing._internal import common_utils\n"
                         "class TestA:\n"
                         "    hw_classification = common_utils.HardwareClassification.CPU\n"
                         "    def test_a(self): pass\n"),
            "the label of TestA (line 3) names the enum in a way that upstream's linter does not follow: "
            "common_utils.HardwareClassification.CPU; write hw_classification = HardwareClassification.CPU; "
            "note: upstream's linter alone reports this, as it does not see what Python sees");
}

TEST(Messages, NoteOnlyWhatPythonSeesOtherwise) {
  std::string source =
      "class TestA:\n"
      "    hw_classification = HardwareClassification.ACCELERATOR\n"
      "    @only_if_slow\n"
      "    def test_a(self, device): pass\n"
      "    @onlyCUDA\n"
      "    def test_b(self, device): pass\n"
      "instantiate_device_type_tests(TestA, globals())\n";
  std::vector<Finding> findings = lint_text("upstream-strict", source);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_NE(findings[0].hint.find("note: "), std::string::npos);
  EXPECT_EQ(findings[1].hint.find("note: "), std::string::npos);
}

TEST(Messages, TellWhatIsInherited) {
  EXPECT_NE(only_message("recommended",
                         "class Base:\n"
                         "    hw_classification = HardwareClassification.CUDA\n"
                         "class TestA(Base):\n"
                         "    def test_a(self): pass\n")
                .find("TestA declares no hw_classification of its own; it inherits "
                      "HardwareClassification.CUDA from Base"),
            std::string::npos);
}

TEST(Messages, WriteTheCallThatIsMissing) {
  EXPECT_EQ(only_message("recommended",
                         "class TestA:\n"
                         "    hw_classification = HardwareClassification.XPU\n"
                         "    def test_a(self, device): pass\n"),
            "TestA is XPU, yet nothing instantiates it for devices; add instantiate_device_type_tests(TestA, "
            "globals(), "
            "only_for=\"xpu\", allow_xpu=True) after the class");
}

}  // namespace
}  // namespace hwsift::lint
