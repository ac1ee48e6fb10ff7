// What a name of one file means in another: found as a test run finds modules, never guessed, torch/ never
// read.
#include "analyzer/tree_index.h"

#include <gtest/gtest.h>

#include <set>

#include "analyzer/python/analyze.h"
#include "classifier/vocabulary.h"
#include "tests/fake_disk.h"

namespace hwsift::analyzer {
namespace {

// Remembers what was read.
class WatchedDisk : public FakeDisk {
 public:
  std::multiset<std::string> read_paths;

  Result<std::string> read(const std::string& path, std::size_t max_bytes) override {
    read_paths.insert(path);
    return FakeDisk::read(path, max_bytes);
  }
};

class TreeIndexTest : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) { disk.files["/tree/" + path] = text; }

  FileFacts facts(const std::string& path) {
    return analyze_python(path, disk.files["/tree/" + path], lexicon);
  }

  // "path:Class" of the class that a name of `from` means; "" where it has no answer.
  std::string class_of(const std::string& from, const std::string& symbol) {
    std::optional<FoundClass> found = index().find_class(facts(from), symbol);
    return found ? found->file->path + ":" + found->cls->name : "";
  }

  std::string constant_of(const std::string& from, const std::string& symbol) {
    std::optional<DeviceFilter> found = index().find_constant(facts(from), symbol);
    if (!found) return "";
    std::string values;
    for (const std::string& value : found->values) values += (values.empty() ? "" : ",") + value;
    return values;
  }

  // "path:line" of the calls of other files.
  std::vector<std::string> calls_of(const std::string& path, const std::string& name) {
    FileFacts file = facts(path);
    std::vector<std::string> calls;
    for (const Class& cls : file.classes)
      if (cls.name == name)
        for (const FoundCall& found : index().calls_elsewhere(file, cls))
          calls.push_back(found.file->path + ":" + std::to_string(found.call->line));
    return calls;
  }

  // "name=path:Class" of what the imports of a file bind.
  std::vector<std::string> imported_by(const std::string& path) {
    std::vector<std::string> names;
    for (const ImportedClass& imported : index().imported_classes(facts(path), {"CPU"}))
      names.push_back(imported.name + "=" + imported.found.file->path + ":" + imported.found.cls->name +
                      (imported.by_star ? "*" : "") + "@" + std::to_string(imported.line));
    return names;
  }

  TreeIndex& index() {
    if (!index_) index_ = std::make_unique<TreeIndex>(disk, "/tree", lexicon, ScanOptions{});
    return *index_;
  }

  WatchedDisk disk;
  Lexicon lexicon = classifier::builtin_vocabulary().lexicon();

 private:
  std::unique_ptr<TreeIndex> index_;
};

TEST_F(TreeIndexTest, FindsModulesBesideTheFileBelowTestAndBelowTheTree) {
  write("test/sub/test_a.py", "");
  write("test/sub/beside.py", "class A: pass\n");
  write("test/below_test.py", "class B: pass\n");
  write("tools/helper.py", "class C: pass\n");
  EXPECT_EQ(class_of("test/sub/test_a.py", "beside.A"), "test/sub/beside.py:A");
  EXPECT_EQ(class_of("test/sub/test_a.py", "below_test.B"), "test/below_test.py:B");
  EXPECT_EQ(class_of("test/sub/test_a.py", "sub.beside.A"), "test/sub/beside.py:A");
  EXPECT_EQ(class_of("test/sub/test_a.py", "tools.helper.C"), "tools/helper.py:C");
  EXPECT_EQ(class_of("test/sub/test_a.py", "beside.B"), "");
}

TEST_F(TreeIndexTest, PrefersTheModuleBesideTheFile) {
  write("test/sub/test_a.py", "");
  write("test/sub/common.py", "class A: pass\n");
  write("test/common.py", "class A: pass\n");
  EXPECT_EQ(class_of("test/sub/test_a.py", "common.A"), "test/sub/common.py:A");
  EXPECT_EQ(class_of("test/test_b.py", "common.A"), "test/common.py:A");
}

TEST_F(TreeIndexTest, ResolvesRelativeNames) {
  write("test/sub/test_a.py", "");
  write("test/sub/common.py", "class A: pass\n");
  write("test/common.py", "class B: pass\n");
  write("test/sub/__init__.py", "class C: pass\n");
  EXPECT_EQ(class_of("test/sub/test_a.py", ".common.A"), "test/sub/common.py:A");
  EXPECT_EQ(class_of("test/sub/test_a.py", "..common.B"), "test/common.py:B");
  EXPECT_EQ(class_of("test/sub/test_a.py", "..common.A"), "");
  EXPECT_EQ(class_of("test/sub/test_a.py", ".C"), "test/sub/__init__.py:C");
  EXPECT_EQ(class_of("test/test_b.py", "......common.B"), "");
}

TEST_F(TreeIndexTest, FollowsReExportsAliasesAndStars) {
  write("test/pkg/__init__.py", "from .core import A as Shown\nfrom .more import *\n");
  write("test/pkg/core.py", "class A: pass\n");
  write("test/pkg/more.py", "class B: pass\nOther = B\n");
  write("test/test_a.py", "");
  EXPECT_EQ(class_of("test/test_a.py", "pkg.Shown"), "test/pkg/core.py:A");
  EXPECT_EQ(class_of("test/test_a.py", "pkg.A"), "");
  EXPECT_EQ(class_of("test/test_a.py", "pkg.B"), "test/pkg/more.py:B");
  EXPECT_EQ(class_of("test/test_a.py", "pkg.Other"), "test/pkg/more.py:B");
}

TEST_F(TreeIndexTest, FindsWhatAStarBringsIntoTheFileItself) {
  write("test/test_a.py", "from common import *\nclass TestA(Base): pass\n");
  write("test/common.py", "class Base: pass\n");
  EXPECT_EQ(class_of("test/test_a.py", "Base"), "test/common.py:Base");
  EXPECT_EQ(class_of("test/test_a.py", "Unknown"), "");
}

TEST_F(TreeIndexTest, GivesUpOnCycles) {
  write("test/a.py", "from b import A\nfrom b import *\n");
  write("test/b.py", "from a import A\nfrom a import *\n");
  write("test/c.py", "from c import *\nA = A\n");
  write("test/test_a.py", "");
  EXPECT_EQ(class_of("test/test_a.py", "a.A"), "");
  EXPECT_EQ(class_of("test/test_a.py", "a.Nothing"), "");
  EXPECT_EQ(class_of("test/test_a.py", "c.A"), "");
  EXPECT_EQ(constant_of("test/test_a.py", "a.A"), "");
}

TEST_F(TreeIndexTest, FindsThroughACycleWhatIsThere) {
  write("test/a.py", "from b import *\nclass A: pass\n");
  write("test/b.py", "from a import *\nclass B: pass\n");
  write("test/test_a.py", "");
  EXPECT_EQ(class_of("test/test_a.py", "a.B"), "test/b.py:B");
  EXPECT_EQ(class_of("test/test_a.py", "b.A"), "test/a.py:A");
}

TEST_F(TreeIndexTest, NeverReadsTorch) {
  write("torch/testing/_internal/common_utils.py", "class TestCase: pass\n");
  write("torch/__init__.py", "class Tensor: pass\n");
  write("test/test_a.py",
        "from torch.testing._internal.common_utils import *\nclass TestA(TestCase): pass\n");
  EXPECT_EQ(class_of("test/test_a.py", "torch.testing._internal.common_utils.TestCase"), "");
  EXPECT_EQ(class_of("test/test_a.py", "torch.Tensor"), "");
  EXPECT_EQ(class_of("test/test_a.py", "TestCase"), "");
  EXPECT_EQ(constant_of("test/test_a.py", "torch.testing._internal.common_utils.GPUS"), "");
  write("test/torch/other.py", "class A: pass\n");
  EXPECT_EQ(class_of("test/test_a.py", "torch.other.A"), "")
      << "the package is meant, whatever lies below test/";
  write("tools/test_b.py", "");
  EXPECT_EQ(class_of("tools/test_b.py", "..torch.testing._internal.common_utils.TestCase"), "");
  for (const std::string& path : disk.read_paths) EXPECT_FALSE(path.starts_with("/tree/torch/")) << path;
}

TEST_F(TreeIndexTest, KnowsNothingOfModulesOutsideTheTree) {
  write("test/test_a.py", "");
  disk.files["/other.py"] = "class A: pass\n";
  disk.files["/tree-other/other.py"] = "class A: pass\n";
  EXPECT_EQ(class_of("test/test_a.py", "numpy.testing.TestCase"), "");
  EXPECT_EQ(class_of("test/test_a.py", "...other.A"), "");
  EXPECT_EQ(class_of("test/test_a.py", "....other.A"), "");
}

TEST_F(TreeIndexTest, TakesNoClassOfAFunctionOrClass) {
  write("test/common.py",
        "def f():\n    class A: pass\nclass O:\n    class B: pass\nif X:\n    class C: pass\n");
  write("test/test_a.py", "");
  EXPECT_EQ(class_of("test/test_a.py", "common.A"), "");
  EXPECT_EQ(class_of("test/test_a.py", "common.B"), "");
  EXPECT_EQ(class_of("test/test_a.py", "common.C"), "test/common.py:C");
}

TEST_F(TreeIndexTest, TakesTheLastClassOfAName) {
  write("test/common.py", "class A: pass\nclass A:\n    x = 1\n");
  write("test/test_a.py", "");
  std::optional<FoundClass> found = index().find_class(facts("test/test_a.py"), "common.A");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cls->line, 2);
}

TEST_F(TreeIndexTest, ReadsAFileOnce) {
  write("test/common.py", "class A: pass\nclass B: pass\nGPUS = ('cuda', 'xpu')\n");
  write("test/test_a.py", "");
  EXPECT_NE(class_of("test/test_a.py", "common.A"), "");
  EXPECT_NE(class_of("test/test_a.py", "common.B"), "");
  EXPECT_NE(constant_of("test/test_a.py", "common.GPUS"), "");
  EXPECT_EQ(disk.read_paths.count("/tree/test/common.py"), 1u);
}

TEST_F(TreeIndexTest, SaysNothingOfAFileThatCannotBeRead) {
  write("test/common.py", "class A: pass\n");
  write("test/test_a.py", "");
  disk.unreadable.insert("/tree/test/common.py");
  EXPECT_EQ(class_of("test/test_a.py", "common.A"), "");
}

TEST_F(TreeIndexTest, FindsConstants) {
  write("test/common.py",
        "GPUS = ('cuda', 'xpu')\nONE = 'cuda'\nTWICE = 'cuda'\nTWICE = 'cpu'\nN = pick()\n");
  write("test/shown.py", "from common import GPUS as SHOWN\n");
  write("test/test_a.py", "");
  EXPECT_EQ(constant_of("test/test_a.py", "common.GPUS"), "cuda,xpu");
  EXPECT_EQ(constant_of("test/test_a.py", "common.ONE"), "cuda");
  EXPECT_EQ(constant_of("test/test_a.py", "common.TWICE"), "");
  EXPECT_EQ(constant_of("test/test_a.py", "common.N"), "");
  EXPECT_EQ(constant_of("test/test_a.py", "shown.SHOWN"), "cuda,xpu");
  EXPECT_EQ(constant_of("test/test_a.py", "shown.GPUS"), "");
}

// --- who instantiates a class ---

constexpr char kFramework[] =
    "from torch.testing._internal.common_device_type import instantiate_device_type_tests\n";

TEST_F(TreeIndexTest, FindsCallsOfOtherFiles) {
  write("test/test_swa.py", "class TestSwa: pass\nclass TestOther: pass\n");
  write("test/test_all.py", std::string(kFramework) +
                                "from test_swa import TestSwa\n"
                                "instantiate_device_type_tests(TestSwa, globals())\n");
  EXPECT_EQ(calls_of("test/test_swa.py", "TestSwa"), std::vector<std::string>{"test/test_all.py:3"});
  EXPECT_EQ(calls_of("test/test_swa.py", "TestOther"), std::vector<std::string>{});
}

TEST_F(TreeIndexTest, FindsCallsUnderOtherNames) {
  write("test/test_swa.py", "class TestSwa: pass\n");
  write("test/test_a.py", std::string(kFramework) +
                              "from test_swa import TestSwa as T\n"
                              "instantiate_device_type_tests(T, globals())\n");
  write("test/test_b.py", std::string(kFramework) +
                              "import test_swa\n"
                              "instantiate_device_type_tests(test_swa.TestSwa, globals())\n");
  write("test/test_c.py", std::string(kFramework) +
                              "from test_swa import *\n"
                              "instantiate_device_type_tests(TestSwa, globals())\n");
  write("test/test_d.py", std::string(kFramework) +
                              "import test_swa\nT = test_swa.TestSwa\n"
                              "instantiate_device_type_tests(T, globals())\n");
  EXPECT_EQ(calls_of("test/test_swa.py", "TestSwa"),
            (std::vector<std::string>{"test/test_a.py:3", "test/test_b.py:3", "test/test_c.py:3",
                                      "test/test_d.py:4"}));
}

TEST_F(TreeIndexTest, FindsCallsOfSubclassesInOtherFiles) {
  write("test/test_swa.py", "class TestSwa: pass\n");
  write("test/test_a.py", std::string(kFramework) +
                              "from test_swa import TestSwa\nclass TestMine(TestSwa): pass\n"
                              "instantiate_device_type_tests(TestMine, globals())\n");
  EXPECT_EQ(calls_of("test/test_swa.py", "TestSwa"), std::vector<std::string>{"test/test_a.py:4"});
}

TEST_F(TreeIndexTest, TakesNoNamesakeForTheClass) {
  write("test/test_swa.py", "class TestSwa: pass\n");
  write("test/test_a.py", std::string(kFramework) +
                              "# test_swa\nclass TestSwa: pass\n"
                              "instantiate_device_type_tests(TestSwa, globals())\n");
  write("test/test_b.py", std::string(kFramework) +
                              "from numpy import TestSwa  # not of test_swa\n"
                              "instantiate_device_type_tests(TestSwa, globals())\n");
  write("test/sub/test_swa.py", "class TestSwa: pass\n");
  write("test/sub/test_c.py", std::string(kFramework) +
                                  "from test_swa import TestSwa\n"
                                  "instantiate_device_type_tests(TestSwa, globals())\n");
  EXPECT_EQ(calls_of("test/test_swa.py", "TestSwa"), std::vector<std::string>{});
  EXPECT_EQ(calls_of("test/sub/test_swa.py", "TestSwa"), std::vector<std::string>{"test/sub/test_c.py:3"});
}

TEST_F(TreeIndexTest, CountsNoCallInAFunction) {
  write("test/test_swa.py", "class TestSwa: pass\n");
  write("test/test_a.py", std::string(kFramework) +
                              "from test_swa import TestSwa\n"
                              "def f(): instantiate_device_type_tests(TestSwa, globals())\n");
  EXPECT_EQ(calls_of("test/test_swa.py", "TestSwa"), std::vector<std::string>{});
}

TEST_F(TreeIndexTest, AsksTheTreeOnlyForCallsElsewhere) {
  write("test/test_swa.py", "class TestSwa(Base): pass\n");
  write("test/test_big.py", "x = 1\n");
  EXPECT_EQ(class_of("test/test_swa.py", "common.Base"), "");
  EXPECT_EQ(disk.read_paths.count("/tree/test/test_big.py"), 0u);
  EXPECT_TRUE(calls_of("test/test_swa.py", "TestSwa").empty());
  EXPECT_TRUE(calls_of("test/test_swa.py", "TestSwa").empty());
  EXPECT_EQ(disk.read_paths.count("/tree/test/test_big.py"), 1u) << "once, for all questions";
}

TEST_F(TreeIndexTest, WhatImportsBindIsFoundWhereverItIsDefined) {
  write("test/jit/test_a.py",
        "class TestA: pass\nclass TestAdd: pass\nclass _Hidden: pass\nclass TestGone: pass\ndel TestGone\n");
  write("test/common.py", "from jit.test_a import TestA as TestRenamed\n");
  write("test/test_all.py",
        "import torch\nfrom torch.testing import TestCase\nfrom jit.test_a import *\n"
        "from common import TestRenamed\nfrom jit.test_a import TestAddCPU, helper\n"
        "def later():\n    from jit.test_a import TestA\n");
  write("test/test_more.py", "from test_all import *\n");
  EXPECT_EQ(imported_by("test/test_all.py"),
            (std::vector<std::string>{
                "TestA=test/jit/test_a.py:TestA*@3", "TestAdd=test/jit/test_a.py:TestAdd*@3",
                "TestRenamed=test/jit/test_a.py:TestA@4", "TestAddCPU=test/jit/test_a.py:TestAdd@5"}));
  EXPECT_EQ(imported_by("test/test_more.py").size(), 4u) << "a star brings what the module has by import";
}

TEST_F(TreeIndexTest, ModulesThatImportEachOtherEnd) {
  write("test/test_a.py", "from test_b import *\nclass TestA: pass\n");
  write("test/test_b.py", "from test_a import *\nclass TestB: pass\n");
  for (const std::string& name : imported_by("test/test_a.py")) EXPECT_NE(name, "");
  EXPECT_FALSE(imported_by("test/test_a.py").empty());
}

TEST_F(TreeIndexTest, FactsThatTheCallerHasAreNotReadAgain) {
  write("test/base.py", "class Base: pass\n");
  write("test/test_x.py", "from base import Base\n");
  FileFacts known = facts("test/base.py");
  index().know(known);
  EXPECT_EQ(class_of("test/test_x.py", "base.Base"), "test/base.py:Base");
  EXPECT_EQ(disk.read_paths.count("/tree/test/base.py"), 0u);
}

}  // namespace
}  // namespace hwsift::analyzer
