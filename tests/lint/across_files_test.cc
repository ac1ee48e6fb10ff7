// Findings that hang on other files of the tree.
#include <gtest/gtest.h>

#include "tests/fake_disk.h"
#include "tests/lint/marks.h"

namespace hwsift::lint {
namespace {

constexpr char kFramework[] =
    "from torch.testing._internal.common_device_type import instantiate_device_type_tests\n";

// A tree in memory; findings of one of its files.
class AcrossFiles : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) { disk.files["/tree/" + path] = text; }

  std::vector<Finding> lint(const std::string& path, const Settings& settings = {}) {
    const classifier::Vocabulary& vocabulary = classifier::builtin_vocabulary();
    analyzer::TreeIndex index(disk, "/tree", vocabulary.lexicon(), {});
    Profile profile = *builtin_lint_rules().profile("recommended");
    profile.settings = settings;
    const std::string& text = disk.files["/tree/" + path];
    analyzer::FileFacts file = analyzer::analyze_python(path, text, vocabulary.lexicon());
    std::vector<classifier::ClassVerdict> verdicts = classifier::classify(file, vocabulary, &index);
    Surroundings around{&index, {}};
    return lint_file({profile, file, verdicts, vocabulary, around, text});
  }

  Marks found(const std::string& path, const Settings& settings = {}) {
    return as_marks(lint(path, settings));
  }

  FakeDisk disk;
};

constexpr char kSwa[] =
    "class TestSwa(TestCase):\n    hw_classification = HardwareClassification.ACCELERATOR\n"
    "    def test_avg(self, device): torch.ones(1, device=device)\n";

TEST_F(AcrossFiles, InstantiatedInAnotherFile) {
  write("test/test_swa.py", kSwa);
  EXPECT_EQ(found("test/test_swa.py"), Marks{"1 instantiation"});
  write("test/test_all.py", std::string(kFramework) +
                                "from test_swa import TestSwa\n"
                                "instantiate_device_type_tests(TestSwa, globals())\n");
  EXPECT_EQ(found("test/test_swa.py"), Marks{});
  EXPECT_EQ(found("test/test_all.py"), Marks{});
}

TEST_F(AcrossFiles, InstantiatedUnderANameThatMeansAnotherClass) {
  write("test/test_swa.py", kSwa);
  write("test/test_all.py", std::string(kFramework) +
                                "from somewhere import TestSwa  # not test_swa\n"
                                "instantiate_device_type_tests(TestSwa, globals())\n");
  EXPECT_EQ(found("test/test_swa.py"), Marks{"1 instantiation"});
}

TEST_F(AcrossFiles, OnlyForIsAConstantOfAnotherFile) {
  write("test/test_a.py", std::string(kFramework) +
                              "from devices import ONE, SEVERAL, MADE\n"
                              "class TestA(TestCase):\n    hw_classification = HardwareClassification.CUDA\n"
                              "    def test_a(self, device): f(device)\n"
                              "instantiate_device_type_tests(TestA, globals(), only_for=ONE)\n"
                              "class TestB(TestCase):\n    hw_classification = HardwareClassification.CUDA\n"
                              "    def test_b(self, device): f(device)\n"
                              "instantiate_device_type_tests(TestB, globals(), only_for=SEVERAL)\n"
                              "class TestC(TestCase):\n    hw_classification = HardwareClassification.CUDA\n"
                              "    def test_c(self, device): f(device)\n"
                              "instantiate_device_type_tests(TestC, globals(), only_for=MADE)\n");
  EXPECT_EQ(found("test/test_a.py"), (Marks{"10 only_for", "14 only_for", "6 only_for"})) << "unknown";
  write("test/devices.py", "ONE = 'cuda'\nSEVERAL = ('cuda', 'cpu')\nMADE = make()\n");
  EXPECT_EQ(found("test/test_a.py"), (Marks{"10 only_for", "14 only_for"}));
}

TEST_F(AcrossFiles, AConstantOfAcceleratorsIsReadForTheSetting) {
  write("test/test_a.py",
        std::string(kFramework) +
            "from devices import GPUS\n"
            "class TestA(TestCase):\n    hw_classification = HardwareClassification.ACCELERATOR\n"
            "    def test_a(self, device): f(device)\n"
            "instantiate_device_type_tests(TestA, globals(), only_for=GPUS)\n");
  write("test/devices.py", "GPUS = ('cuda', 'hpu')\n");
  Settings accepts{.accelerators_in_only_for = true};
  EXPECT_EQ(found("test/test_a.py"), Marks{"6 only_for"});
  EXPECT_EQ(found("test/test_a.py", accepts), Marks{});
  write("test/devices.py", "GPUS = ('cuda', 'cpu')\n");
  EXPECT_EQ(found("test/test_a.py", accepts), Marks{"6 only_for"});
  disk.files.erase("/tree/test/devices.py");
  EXPECT_EQ(found("test/test_a.py", accepts), Marks{"6 only_for"});
}

TEST_F(AcrossFiles, LabelInheritedFromAnotherFile) {
  write("test/test_a.py", "from common import Base\nclass TestA(Base):\n    def test_a(self): f()\n");
  write("test/common.py", "class Base(TestCase):\n    hw_classification = HardwareClassification.GENERIC\n");
  std::vector<Finding> findings = lint("test/test_a.py");
  ASSERT_EQ(as_marks(findings), Marks{"2 hw_classification"});
  EXPECT_NE(findings[0].message.find("inherits HardwareClassification.GENERIC from Base of test/common.py"),
            std::string::npos)
      << findings[0].message;
  Settings accepts{.inherited_label = true};
  EXPECT_EQ(found("test/test_a.py", accepts), Marks{});
  write("test/common.py", "from deep import Base\n");
  write("test/deep.py",
        "class Root:\n    hw_classification = HardwareClassification.CPU\nclass Base(Root): pass\n");
  EXPECT_EQ(found("test/test_a.py", accepts), (Marks{"2 instantiation", "3 device_param"}));
  disk.files.erase("/tree/test/deep.py");
  EXPECT_EQ(found("test/test_a.py", accepts), Marks{"2 hw_classification"}) << "unknown is no label";
}

TEST_F(AcrossFiles, BasesInACircleHaveNoLabel) {
  write("test/test_a.py", "from common import Base\nclass TestA(Base):\n    def test_a(self): f()\n");
  write("test/common.py", "from other import Other\nclass Base(Other): pass\n");
  write("test/other.py", "from common import Base\nclass Other(Base): pass\n");
  EXPECT_EQ(found("test/test_a.py", {.inherited_label = true}), Marks{"2 hw_classification"});
}

TEST_F(AcrossFiles, InheritedTestsOfAnotherFile) {
  write("test/test_a.py",
        std::string(kFramework) +
            "from common import Base\n"
            "class TestA(Base):\n    hw_classification = HardwareClassification.ACCELERATOR\n"
            "    def test_a(self, device): f(device)\n"
            "instantiate_device_type_tests(TestA, globals())\n");
  EXPECT_EQ(found("test/test_a.py"), Marks{}) << "unknown";
  write("test/common.py", "class Base(TestCase):\n    def test_shared(self, device): f(device)\n");
  std::vector<Finding> findings = lint("test/test_a.py");
  ASSERT_EQ(as_marks(findings), Marks{"3 subclass_traps"});
  EXPECT_NE(findings[0].message.find("inherits test_shared from Base of test/common.py"), std::string::npos);
  write("test/common.py", "class Base(TestCase):\n    def test_shared(self): f()\n");
  EXPECT_EQ(found("test/test_a.py"), Marks{});
}

TEST_F(AcrossFiles, TorchIsNeverRead) {
  std::string base = "torch/testing/_internal/common_x.py";
  write("test/test_a.py",
        "from torch.testing._internal.common_x import Base\nclass TestA(Base):\n"
        "    def test_a(self): f()\n");
  write(base, "class Base:\n    hw_classification = HardwareClassification.GENERIC\n");
  disk.unreadable.insert("/tree/" + base);
  EXPECT_EQ(found("test/test_a.py", {.inherited_label = true}), Marks{"2 hw_classification"});
  disk.unreadable.clear();
  EXPECT_EQ(found("test/test_a.py", {.inherited_label = true}), Marks{"2 hw_classification"});
}

// --- calls for classes of other files ---

TEST_F(AcrossFiles, ACallIsHeldToTheLabelOfItsClassElsewhere) {
  auto cls = [](const std::string& name, const std::string& label) {
    return "class " + name + "(TestCase):\n    hw_classification = HardwareClassification." + label +
           "\n    def test_a(self, device): torch.ones(1, device=device)\n";
  };
  write("test/test_t.py",
        cls("TestC", "CUDA") + cls("TestG", "GENERIC") + cls("TestX", "XPU") + cls("TestA", "ACCELERATOR"));
  write("test/test_u.py",
        std::string(kFramework) +
            "from test_t import TestC, TestG, TestX\nimport test_t\n"
            "instantiate_device_type_tests(TestC, globals())\n"
            "instantiate_device_type_tests(TestG, globals())\n"
            "instantiate_device_type_tests(TestX, globals(), only_for='xpu')\n"
            "instantiate_device_type_tests(test_t.TestA, globals(), only_for=('cpu', 'cuda'))\n"
            "instantiate_device_type_tests(TestX, globals(), only_for='cuda')\n"
            "instantiate_device_type_tests(Unknown, globals(), only_for='cuda')\n");
  EXPECT_EQ(found("test/test_u.py"),
            (Marks{"4 only_for", "5 instantiation", "6 zero_variants", "7 only_for", "8 label_scope"}));
}

TEST_F(AcrossFiles, AnInheritedLabelIsBothProposedAndWritten) {
  write("test/base.py", "class Base(TestCase):\n    hw_classification = HardwareClassification.CUDA\n");
  write("test/test_a.py", "from base import Base\nclass TestA(Base):\n    def test_a(self): pass\n");
  std::vector<Finding> findings = lint("test/test_a.py");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].hint,
            "declare hw_classification = HardwareClassification.CUDA as Base of test/base.py does");
  ASSERT_TRUE(findings[0].fix);
  EXPECT_EQ(findings[0].fix->safety, Safety::review) << "the tests themselves need nothing";
}

TEST_F(AcrossFiles, ALabelIsInheritedThroughABaseOfTheFile) {
  write("test/base.py", "class Base(TestCase):\n    hw_classification = HardwareClassification.CUDA\n");
  write("test/test_a.py",
        "from base import Base\nclass Middle(Base):\n    pass\nclass TestA(Middle):\n    def test_a(self): "
        "pass\n");
  std::vector<Finding> findings = lint("test/test_a.py");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].message.find("it inherits HardwareClassification.CUDA from Base of test/base.py"),
            std::string::npos)
      << findings[0].message;
}

// Two classes a level that both derive from both of the level above: 2^40 ways up.
TEST_F(AcrossFiles, ADiamondOfBasesIsWalkedOnce) {
  std::string text = std::string(kFramework) + "class A0(X): pass\nclass B0(X): pass\n";
  for (int i = 1; i <= 40; ++i) {
    std::string above = "(A" + std::to_string(i - 1) + ", B" + std::to_string(i - 1) + ")";
    for (const char* side : {"A", "B"})
      text += "class " + (side + std::to_string(i)) + above + ":\n    def test_a(self, device): f(device)\n" +
              "instantiate_device_type_tests(" + side + std::to_string(i) + ", globals())\n";
  }
  write("test/test_a.py", text);
  EXPECT_EQ(lint("test/test_a.py").size(), 80u);
}

}  // namespace
}  // namespace hwsift::lint
