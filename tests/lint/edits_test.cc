// Where edits go in a file: imports, class bodies, calls. Seen through the rules that make them; each source
// is what the fixes are given, and what they make of it.
#include "lint/edits.h"

#include <gtest/gtest.h>

#include "tests/lint/lint_text.h"

namespace hwsift::lint {
namespace {

constexpr char kImport[] = "from torch.testing._internal.common_utils import HardwareClassification";
constexpr char kLabel[] = "    hw_classification = HardwareClassification.GENERIC\n";
constexpr char kTest[] = "    def test_a(self): pass\n";

std::string fixed(const std::string& source, Safety limit = Safety::safe) {
  return fix_bytes("recommended", source, limit).bytes;
}

// A file whose class needs a label, below these imports; what becomes of the imports.
std::string imports_for(const std::string& imports) {
  std::string rest = "\nclass TestA(TestCase):\n";
  std::string result = fixed(imports + rest + kTest);
  std::string labelled = rest + kLabel + "\n" + kTest;
  EXPECT_TRUE(result.ends_with(labelled)) << result;
  return result.substr(0, result.size() - std::min(result.size(), labelled.size()));
}

// --- imports ---

TEST(Imports, JoinOneOfTheModuleInItsOrder) {
  EXPECT_EQ(imports_for("from torch.testing._internal.common_utils import run_tests, TestCase\n"),
            "from torch.testing._internal.common_utils import HardwareClassification, run_tests, TestCase\n");
  EXPECT_EQ(imports_for("from torch.testing._internal.common_utils import TestCase, run_tests\n"),
            "from torch.testing._internal.common_utils import HardwareClassification, TestCase, run_tests\n");
  EXPECT_EQ(imports_for("from torch.testing._internal.common_utils import IS_LINUX, TestCase, run_tests\n"),
            "from torch.testing._internal.common_utils import IS_LINUX, HardwareClassification, TestCase, "
            "run_tests\n");
  EXPECT_EQ(
      imports_for("from torch.testing._internal.common_utils import dtype_name, freeze_rng, IS_LINUX\n"),
      "from torch.testing._internal.common_utils import dtype_name, freeze_rng, HardwareClassification, "
      "IS_LINUX\n");
}

TEST(Imports, JoinAtTheEndWhereThereIsNoOrder) {
  EXPECT_EQ(imports_for("from torch.testing._internal.common_utils import run_tests, TestCase, IS_LINUX\n"),
            "from torch.testing._internal.common_utils import run_tests, TestCase, IS_LINUX, "
            "HardwareClassification\n");
  EXPECT_EQ(imports_for("from torch.testing._internal.common_utils import freeze_rng_state\n"),
            "from torch.testing._internal.common_utils import freeze_rng_state, HardwareClassification\n");
}

TEST(Imports, JoinAParenthesisedOneOnALineOfItsOwn) {
  EXPECT_EQ(
      imports_for("from torch.testing._internal.common_utils import (\n    run_tests,\n    TestCase,\n)\n"),
      "from torch.testing._internal.common_utils import (\n    HardwareClassification,\n    "
      "run_tests,\n    TestCase,\n)\n");
  EXPECT_EQ(
      imports_for("from torch.testing._internal.common_utils import (\n    dtype_name,\n    find,\n)\n"),
      "from torch.testing._internal.common_utils import (\n    dtype_name,\n    find,\n    "
      "HardwareClassification,\n)\n");
}

TEST(Imports, LeaveCommentsInsideParenthesesAlone) {
  std::string made = imports_for(
      "from torch.testing._internal.common_utils import (  # noqa\n    run_tests,  # why\n    "
      "TestCase,\n)\n");
  EXPECT_EQ(made,
            "from torch.testing._internal.common_utils import (  # noqa\n    HardwareClassification, "
            "run_tests,  # why\n    TestCase,\n)\n");
  EXPECT_EQ(imports_for("from torch.testing._internal.common_utils import (\n    find,  # why\n)\n"),
            "from torch.testing._internal.common_utils import (\n    find,\n    HardwareClassification,  # "
            "why\n)\n");
}

TEST(Imports, JoinOneThatABackslashContinues) {
  EXPECT_EQ(imports_for("from torch.testing._internal.common_utils import \\\n    run_tests, TestCase\n"),
            "from torch.testing._internal.common_utils import \\\n    HardwareClassification, run_tests, "
            "TestCase\n");
  EXPECT_EQ(imports_for("from torch.testing._internal.common_utils import find, \\\n    get\n"),
            "from torch.testing._internal.common_utils import find, \\\n    get, HardwareClassification\n");
}

TEST(Imports, KeepAnAliasOfANeighbour) {
  EXPECT_EQ(imports_for("from torch.testing._internal.common_utils import find as f, TestCase\n"),
            "from torch.testing._internal.common_utils import find as f, HardwareClassification, TestCase\n");
}

TEST(Imports, TakeALineOfTheirOwnAmongTheOthers) {
  EXPECT_EQ(imports_for("import torch\nfrom torch.testing._internal.common_cuda import TEST_CUDA\n"
                        "from torch.testing._internal.inductor_utils import GPU_TYPE\n"),
            std::string("import torch\nfrom torch.testing._internal.common_cuda import TEST_CUDA\n") +
                kImport + "\nfrom torch.testing._internal.inductor_utils import GPU_TYPE\n");
  EXPECT_EQ(imports_for("from __future__ import annotations\n"),
            std::string("from __future__ import annotations\n\n") + kImport + "\n\n");
  EXPECT_EQ(imports_for("import os\nimport unittest\n"),
            std::string("import os\nimport unittest\n") + kImport + "\n");
}

TEST(Imports, StandAboveTheFirstClassWhereThereAreNone) {
  std::string made = fixed(
      std::string("#!/usr/bin/env python3\n\"\"\"About.\"\"\"\nx = 1\n\n\n@skip\nclass TestA(TestCase):\n") +
      kTest);
  EXPECT_EQ(made, std::string("#!/usr/bin/env python3\n\"\"\"About.\"\"\"\nx = 1\n\n\n") + kImport +
                      "\n\n\n@skip\nclass TestA(TestCase):\n" + kLabel + "\n" + kTest);
}

TEST(Imports, AreNotAddedTwice) {
  for (const char* known :
       {"from torch.testing._internal.common_utils import *\n",
        "from torch.testing._internal.common_utils import HardwareClassification\n",
        "from other import HardwareClassification\n",
        "from torch.testing._internal.common_utils import TestCase as T, HardwareClassification\n"})
    EXPECT_EQ(imports_for(known), known);
}

TEST(Imports, UnderAnotherNameAreNotEnough) {
  std::string made =
      imports_for("from torch.testing._internal.common_utils import HardwareClassification as HC\n");
  EXPECT_EQ(made,
            "from torch.testing._internal.common_utils import HardwareClassification as HC, "
            "HardwareClassification\n");
}

TEST(Imports, DoNotJoinOneThatIsNotAlwaysRun) {
  EXPECT_EQ(
      imports_for("import torch\nif X:\n    from torch.testing._internal.common_utils import TestCase\n"),
      std::string("import torch\n") + kImport +
          "\nif X:\n    from torch.testing._internal.common_utils import TestCase\n");
  EXPECT_EQ(
      imports_for("import torch\ndef f():\n    from torch.testing._internal.common_utils import find\n"),
      std::string("import torch\n") + kImport +
          "\ndef f():\n    from torch.testing._internal.common_utils import find\n");
}

TEST(Imports, OfAModuleThatOnlySharesItsNameAreNotJoined) {
  std::string other = "from torch.testing._internal.common_utils_extra import find\n";
  EXPECT_EQ(imports_for(other), other + kImport + "\n");
}

TEST(Imports, DoNotJoinOneBelowTheClassThatNeedsIt) {
  std::string made = fixed(
      "import torch\nclass TestA(TestCase):\n    def test_a(self): pass\n"
      "from torch.testing._internal.common_utils import find\n");
  EXPECT_TRUE(made.starts_with(std::string("import torch\n") + kImport + "\nclass")) << made;
}

TEST(Imports, KeepTheCommentsOfTheFirstClass) {
  std::string made = fixed(std::string("x = 1\n# about it\nclass TestA(TestCase):\n") + kTest);
  EXPECT_TRUE(made.starts_with(std::string("x = 1\n") + kImport + "\n\n\n# about it\nclass")) << made;
  made = fixed(std::string("#!/usr/bin/env python3\nclass TestA(TestCase):\n") + kTest);
  EXPECT_TRUE(made.starts_with(std::string("#!/usr/bin/env python3\n") + kImport)) << made;
}

// --- class bodies ---

std::string body_of(const std::string& cls) {
  std::string head = std::string(kImport) + "\n";
  std::string made = fixed(head + cls);
  EXPECT_TRUE(made.starts_with(head)) << made;
  return made.substr(std::min(made.size(), head.size()));
}

TEST(Bodies, TakeTheLabelFirst) {
  EXPECT_EQ(body_of("class TestA(TestCase):\n    def test_a(self): pass\n"),
            "class TestA(TestCase):\n    hw_classification = HardwareClassification.GENERIC\n\n    def "
            "test_a(self): pass\n");
  EXPECT_EQ(body_of("class TestA(TestCase):\n    size = 1\n    def test_a(self): pass\n"),
            "class TestA(TestCase):\n    hw_classification = HardwareClassification.GENERIC\n    size = "
            "1\n    def test_a(self): pass\n");
  EXPECT_EQ(body_of("class TestA(TestCase):\n    @skip\n    def test_a(self): pass\n"),
            "class TestA(TestCase):\n    hw_classification = HardwareClassification.GENERIC\n\n    "
            "@skip\n    def test_a(self): pass\n");
}

TEST(Bodies, TakeItBelowTheirDocstring) {
  EXPECT_EQ(body_of("class TestA(TestCase):\n    \"\"\"About.\n\n    More.\n    \"\"\"\n\n    def "
                    "test_a(self): pass\n"),
            "class TestA(TestCase):\n    \"\"\"About.\n\n    More.\n    \"\"\"\n\n    hw_classification = "
            "HardwareClassification.GENERIC\n\n    def test_a(self): pass\n");
}

TEST(Bodies, KeepACommentBehindTheirDocstring) {
  EXPECT_EQ(body_of("class TestA(TestCase):\n    'About.'  # why\n    def test_a(self): pass\n"),
            "class TestA(TestCase):\n    'About.'  # why\n\n    hw_classification = "
            "HardwareClassification.GENERIC\n    def test_a(self): pass\n");
}

TEST(Bodies, KeepWhatFollowsTheirDocstringOnItsLine) {
  EXPECT_EQ(body_of("class TestA(TestCase):\n    'About.'; size = 1\n    def test_a(self): pass\n"),
            "class TestA(TestCase):\n    'About.'\n\n    hw_classification = HardwareClassification.GENERIC; "
            "size = 1\n    def test_a(self): pass\n");
}

TEST(Bodies, OnOneLine) {
  std::string wrong =
      "class Base(TestCase): hw_classification = HardwareClassification.generic\n"
      "class TestA(Base):\n  def test_a(self): pass\n";
  EXPECT_EQ(body_of(wrong), wrong) << "what a base says wrong is not copied";
  std::string right =
      "class Base(TestCase): hw_classification = HardwareClassification.CPU\n"
      "class TestA(Base): test_b = 1; exec('def test_a(self): pass')\n";
  EXPECT_EQ(body_of(right), right) << "no test to be seen";
}

TEST(Bodies, KeepTheirIndent) {
  EXPECT_EQ(body_of("class TestA(TestCase):\n\tdef test_a(self): pass\n"),
            "class TestA(TestCase):\n\thw_classification = HardwareClassification.GENERIC\n\n\tdef "
            "test_a(self): pass\n");
  EXPECT_EQ(body_of("if X:\n  class TestA(TestCase):\n     def test_a(self): pass\n"),
            "if X:\n  class TestA(TestCase):\n     hw_classification = "
            "HardwareClassification.GENERIC\n\n     def test_a(self): pass\n");
}

TEST(Bodies, KeepTheCommentsAboveTheFirstStatement) {
  EXPECT_EQ(
      body_of("class TestA(TestCase):\n    # about the test\n    def test_a(self): pass\n"),
      "class TestA(TestCase):\n    hw_classification = HardwareClassification.GENERIC\n\n    # about the "
      "test\n    def test_a(self): pass\n");
  EXPECT_EQ(
      body_of(
          "class TestA(TestCase):\n    # about all\n\n    # about the test\n    def test_a(self): pass\n"),
      "class TestA(TestCase):\n    # about all\n\n    hw_classification = "
      "HardwareClassification.GENERIC\n\n    # about the test\n    def test_a(self): pass\n");
  std::string made = fixed(
      "class TestA(TestCase):\n    # hwsift: ignore[device_guard] on purpose\n"
      "    @unittest.skipIf(TEST_XPU, '')\n    def test_a(self, device): f(device)\n"
      "instantiate_device_type_tests(TestA, globals())\n");
  EXPECT_NE(made.find("ACCELERATOR\n\n    # hwsift: ignore[device_guard] on purpose\n    @unittest"),
            std::string::npos)
      << made;
}

// --- calls ---

// A call for a class about XPU, whose flag is missing.
std::string call_of(const std::string& call) {
  std::string head =
      "class TestA(TestCase):\n    hw_classification = HardwareClassification.XPU\n"
      "    def test_a(self, device): f(device)\n";
  std::string made = fixed(head + call);
  EXPECT_TRUE(made.starts_with(head)) << made;
  return made.substr(std::min(made.size(), head.size()));
}

TEST(Calls, TakeAnArgumentAtTheirEnd) {
  EXPECT_EQ(call_of("instantiate_device_type_tests(TestA, globals(), only_for='xpu')\n"),
            "instantiate_device_type_tests(TestA, globals(), only_for='xpu', allow_xpu=True)\n");
  EXPECT_EQ(call_of("instantiate_device_type_tests(TestA, globals(), only_for='xpu',)\n"),
            "instantiate_device_type_tests(TestA, globals(), only_for='xpu', allow_xpu=True,)\n");
  EXPECT_EQ(call_of("instantiate_device_type_tests(TestA, globals(), only_for='xpu' )"),
            "instantiate_device_type_tests(TestA, globals(), only_for='xpu', allow_xpu=True )");
}

TEST(Calls, OverSeveralLines) {
  EXPECT_EQ(call_of("instantiate_device_type_tests(\n    TestA, globals(), only_for='xpu'\n)\n"),
            "instantiate_device_type_tests(\n    TestA, globals(), only_for='xpu', allow_xpu=True\n)\n");
  EXPECT_EQ(call_of("instantiate_device_type_tests(\n    TestA,\n    globals(),\n    only_for='xpu',\n)\n"),
            "instantiate_device_type_tests(\n    TestA,\n    globals(),\n    only_for='xpu',\n    "
            "allow_xpu=True,\n)\n");
  EXPECT_EQ(
      call_of(
          "instantiate_device_type_tests(TestA, globals(),\n                              only_for='xpu')\n"),
      "instantiate_device_type_tests(TestA, globals(),\n                              only_for='xpu',\n  "
      "                            allow_xpu=True)\n");
}

TEST(Calls, WithACommentBehindTheLastArgument) {
  EXPECT_EQ(
      call_of("instantiate_device_type_tests(\n    TestA,\n    globals(),\n    only_for='xpu',  # why\n)\n"),
      "instantiate_device_type_tests(\n    TestA,\n    globals(),\n    only_for='xpu',\n    "
      "allow_xpu=True,  # why\n)\n");
  EXPECT_EQ(
      call_of("instantiate_device_type_tests(\n    TestA, globals(), only_for='xpu'  # why\n)\n"),
      "instantiate_device_type_tests(\n    TestA, globals(), only_for='xpu', allow_xpu=True  # why\n)\n");
}

TEST(Calls, TakeSeveralArguments) {
  std::string source =
      "class TestA(TestCase):\n    hw_classification = HardwareClassification.ACCELERATOR\n"
      "    def test_a(self, device): f(device)\n"
      "instantiate_device_type_tests(TestA, globals(), except_for='cpu')\n";
  std::string made = fix_bytes("all", source, Safety::review).bytes;
  EXPECT_TRUE(made.ends_with("except_for='cpu', allow_xpu=True, allow_mps=True)\n")) << made;
}

TEST(Calls, LoseAnArgumentWithTheCommaBeforeIt) {
  auto made = [](const std::string& call) {
    std::string head =
        "class TestA(TestCase):\n    hw_classification = HardwareClassification.ACCELERATOR\n"
        "    def test_a(self, device): f(device)\n";
    return fixed(head + call).substr(head.size());
  };
  EXPECT_EQ(made("instantiate_device_type_tests(TestA, globals(), only_for=[])\n"),
            "instantiate_device_type_tests(TestA, globals())\n");
  EXPECT_EQ(made("instantiate_device_type_tests(TestA, globals(), only_for=(), allow_xpu=True)\n"),
            "instantiate_device_type_tests(TestA, globals(), allow_xpu=True)\n");
  EXPECT_EQ(made("instantiate_device_type_tests(\n    TestA,\n    globals(),\n    only_for=[],\n)\n"),
            "instantiate_device_type_tests(\n    TestA,\n    globals(),\n)\n");
  EXPECT_EQ(made("instantiate_device_type_tests(\n    TestA,\n    globals(),  # why\n    only_for=[],\n)\n"),
            "instantiate_device_type_tests(\n    TestA,\n    globals(),  # why\n    only_for=[],\n)\n")
      << "a comment in between keeps it";
}

// --- below a class ---

std::string below(const std::string& cls, const std::string& rest = "") {
  std::string head = "from torch.testing._internal.common_device_type import instantiate_device_type_tests\n";
  return fixed(head + cls + rest, Safety::review).substr(head.size());
}

constexpr char kDeviceClass[] =
    "class TestA(TestCase):\n    hw_classification = HardwareClassification.ACCELERATOR\n"
    "    def test_a(self, device): f(device)";
constexpr char kCall[] = "instantiate_device_type_tests(TestA, globals())";

TEST(BelowAClass, StandsTheCall) {
  std::string cls = kDeviceClass;
  EXPECT_EQ(below(cls + "\n\n\nx = 1\n"), cls + "\n\n\n" + kCall + "\n\n\nx = 1\n");
  EXPECT_EQ(below(cls + "\n"), cls + "\n\n\n" + kCall + "\n");
  EXPECT_EQ(below(cls), cls + "\n\n\n" + kCall);
  EXPECT_EQ(below(cls + "  # why\n"), cls + "  # why\n\n\n" + kCall + "\n");
}

TEST(BelowAClass, StandsBelowTheCommentsOfItsBody) {
  std::string cls = kDeviceClass;
  EXPECT_EQ(below(cls + "\n    # more to come\n\nx = 1\n"),
            cls + "\n    # more to come\n\n\n" + kCall + "\n\nx = 1\n");
}

TEST(BelowAClass, IsNotWrittenForOneUnderACondition) {
  std::string made = below(
      "if X:\n    class TestA(TestCase):\n        hw_classification = "
      "HardwareClassification.ACCELERATOR\n        def test_a(self, device): f(device)\n");
  EXPECT_EQ(made.find(kCall), std::string::npos);
}

}  // namespace
}  // namespace hwsift::lint
