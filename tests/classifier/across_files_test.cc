// What base classes in other files of the tree say about their subclasses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/python/analyze.h"
#include "classifier/classify.h"
#include "tests/fake_disk.h"

namespace hwsift::classifier {
namespace {

using testing::ElementsAre;

class BasesElsewhere : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) { disk.files["/tree/" + path] = text; }

  std::vector<ClassVerdict> verdicts(const std::string& path) {
    const Vocabulary& vocabulary = builtin_vocabulary();
    analyzer::TreeIndex index(disk, "/tree", vocabulary.lexicon(), {});
    analyzer::FileFacts file =
        analyzer::analyze_python(path, disk.files["/tree/" + path], vocabulary.lexicon());
    return classify(file, vocabulary, &index);
  }

  // The categories of the tests of all classes; of a class without tests its own.
  std::vector<std::string> categories(const std::string& path) {
    std::vector<std::string> names;
    for (const ClassVerdict& verdict : verdicts(path)) {
      for (const MethodVerdict& method : verdict.methods) names.push_back(method.category.name());
      if (verdict.methods.empty()) names.push_back("class " + verdict.inferred.name());
    }
    return names;
  }

  FakeDisk disk;
};

TEST_F(BasesElsewhere, SetUpAndClassBodyCountForEachTest) {
  write("test/common.py",
        "import torch\n"
        "class GraphBase(TestCase):\n"
        "    def setUp(self): self.graph = torch.cuda.CUDAGraph()\n"
        "class PlainBase(TestCase):\n"
        "    def setUp(self): torch.manual_seed(0)\n");
  write("test/test_x.py",
        "from common import GraphBase, PlainBase\n"
        "class TestG(GraphBase):\n    def test_a(self): self.graph.replay()\n"
        "class TestP(PlainBase):\n    def test_b(self): pass\n");
  EXPECT_THAT(categories("test/test_x.py"), ElementsAre("CUDA", "GENERIC"));
  Evidence evidence = verdicts("test/test_x.py")[0].evidence.at(0);
  EXPECT_EQ(evidence.path, "test/common.py");
  EXPECT_EQ(evidence.line, 3);
}

TEST_F(BasesElsewhere, HelpersAndAttributesCountForTheTestsThatReadThem) {
  write("test/common.py",
        "class Base(TestCase):\n"
        "    device = 'cpu'\n"
        "    def on_gpu(self, x): return self.moved(x)\n"
        "    def moved(self, x): return x.cuda()\n");
  write("test/test_x.py",
        "from common import Base\n"
        "class TestX(Base):\n"
        "    def test_moved(self): self.on_gpu(1)\n"
        "    def test_cpu(self): torch.ones(1, device=self.device)\n"
        "    def test_plain(self): pass\n");
  EXPECT_THAT(categories("test/test_x.py"), ElementsAre("DEVICE_GENERIC", "GENERIC", "GENERIC"));
}

TEST_F(BasesElsewhere, TestsThatAreInheritedSpeakForAClassWithoutOwn) {
  write("test/common.py",
        "import torch\n"
        "class Suite:\n"
        "    def test_a(self): torch.xpu.synchronize()\n"
        "    def helper(self): pass\n");
  write("test/test_x.py", "from common import Suite\nclass TestX(Suite, TestCase): pass\n");
  EXPECT_THAT(categories("test/test_x.py"), ElementsAre("class XPU"));
}

TEST_F(BasesElsewhere, AChainOfFilesEnds) {
  write("test/a.py", "from b import B\nclass A(B):\n    def test_a(self): pass\n");
  write("test/b.py", "from a import A\nclass B(A):\n    def setUp(self): self.x = torch.ones(1).cuda()\n");
  EXPECT_THAT(categories("test/a.py"), ElementsAre("DEVICE_GENERIC"));
  write("test/itself.py", "from itself import C\nclass C(C):\n    def test_c(self): pass\n");
  EXPECT_THAT(categories("test/itself.py"), ElementsAre("GENERIC"));
}

TEST_F(BasesElsewhere, WhatIsNotInTheTreeIsPassedOver) {
  write("test/test_x.py",
        "from nowhere import Base\nfrom torch.testing._internal.common_utils import TestCase\n"
        "class TestX(Base, TestCase):\n    def test_a(self): pass\n");
  EXPECT_THAT(categories("test/test_x.py"), ElementsAre("GENERIC"));
}

}  // namespace
}  // namespace hwsift::classifier
