// Snippets of Python through the analyzer and the built-in vocabulary. The numbers in the names are those of
// the collection of cases that the snippets follow.
#include "classifier/classify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/python/analyze.h"

namespace hwsift::classifier {
namespace {

using testing::ElementsAre;

constexpr const char* kImports =
    "import unittest\n"
    "import torch\n"
    "import torch.distributed as dist\n"
    "from torch.profiler import profile, ProfilerActivity\n"
    "from torch.testing._internal.common_utils import *\n"
    "from torch.testing._internal.common_cuda import TEST_MULTIGPU, SM70OrLater, "
    "PLATFORM_SUPPORTS_FLASH_ATTENTION\n"
    "from torch.testing._internal.common_device_type import *\n"
    "from torch.testing._internal.common_distributed import MultiProcessTestCase, skip_if_lt_x_gpu, "
    "requires_nccl\n"
    "from torch.testing._internal.common_fsdp import FSDPTest\n"
    "from torch.testing._internal.inductor_utils import GPU_TYPE, HAS_GPU, HAS_CPU\n"
    "from torch.testing._internal.distributed._tensor.common_dtensor import DTensorTestBase, with_comms\n";

std::vector<ClassVerdict> verdicts_of(const std::string& source, const std::string& path = "test/test_x.py") {
  const Vocabulary& vocabulary = builtin_vocabulary();
  return classify(analyzer::analyze_python(path, kImports + source, vocabulary.lexicon()), vocabulary);
}

// Categories of all classes, in source order, "*" after the mixed ones.
std::vector<std::string> categories(const std::string& source, const std::string& path = "test/test_x.py") {
  std::vector<std::string> names;
  for (const ClassVerdict& verdict : verdicts_of(source, path))
    names.push_back(verdict.inferred.name() + (verdict.mixed ? "*" : ""));
  return names;
}

std::string category(const std::string& source, const std::string& path = "test/test_x.py") {
  std::vector<std::string> names = categories(source, path);
  return names.size() == 1 ? names[0] : std::to_string(names.size()) + " classes";
}

// The categories of a class's tests, in source order.
std::vector<std::string> of_tests(const std::string& source) {
  std::vector<std::string> names;
  for (const ClassVerdict& verdict : verdicts_of(source))
    for (const MethodVerdict& method : verdict.methods) names.push_back(method.category.name());
  return names;
}

// One class under the answers of hwsift, and with one of them turned round.
std::vector<std::string> with_and_without(bool Policy::*answer, const std::string& source) {
  std::vector<std::string> names;
  for (bool on : {true, false}) {
    Vocabulary vocabulary = builtin_vocabulary();
    vocabulary.policy.*answer = on;
    analyzer::FileFacts file =
        analyzer::analyze_python("test/test_x.py", kImports + source, vocabulary.lexicon());
    names.push_back(classify(file, vocabulary).back().inferred.name());
  }
  return names;
}

TEST(Policy, EachSwitchDecides) {
  std::string call = "instantiate_device_type_tests(TestX, globals()";
  EXPECT_THAT(with_and_without(&Policy::follow_helpers,
                               "def move(x): return x.cuda()\n"
                               "class TestX(TestCase):\n    def test_a(self): move(1)\n"),
              ElementsAre("DEVICE_GENERIC", "GENERIC"));
  EXPECT_THAT(with_and_without(&Policy::unused_device_is_generic,
                               "class TestX(TestCase):\n    def test_a(self, device): f(1)\n" + call + ")\n"),
              ElementsAre("GENERIC", "DEVICE_GENERIC"));
  std::string used = "class TestX(TestCase):\n    def test_a(self, device): f(device)\n";
  EXPECT_THAT(with_and_without(&Policy::cpu_template_needs_a_sign, used + call + ", only_for='cpu')\n"),
              ElementsAre("DEVICE_GENERIC", "CPU"));
  EXPECT_THAT(
      with_and_without(
          &Policy::only_cpu_tests_are_cpu,
          "class TestX(TestCase):\n    @onlyCPU\n    def test_a(self, device): f(device)\n" + call + ")\n"),
      ElementsAre("CPU", "DEVICE_GENERIC"));
  EXPECT_THAT(with_and_without(&Policy::names_decide,
                               "class TestCuda(TestCase):\n    def test_a(self): f(1).cuda()\n"),
              ElementsAre("CUDA", "DEVICE_GENERIC"));
  EXPECT_THAT(with_and_without(&Policy::fake_group_is_generic,
                               "class TestX(TestCase):\n"
                               "    def test_a(self):\n"
                               "        FakeStore()\n"
                               "        f('cuda' if torch.cuda.is_available() else 'cpu')\n"),
              ElementsAre("GENERIC", "DEVICE_GENERIC"));
}

TEST(Classify, C01_AModuleVariableThatPicksADevice) {
  EXPECT_EQ(category("device = 'cuda' if torch.cuda.is_available() else 'cpu'\n"
                     "class TestAdd(TestCase):\n"
                     "    def test_add(self):\n"
                     "        a = torch.ones(3, device=device)\n"),
            "DEVICE_GENERIC");
}

TEST(Classify, C02_ALiteralKeyword) {
  EXPECT_EQ(category("class TestMul(TestCase):\n"
                     "    hw_classification = HardwareClassification.GENERIC\n"
                     "    def test_mul(self):\n"
                     "        x = torch.rand(4, device='cuda')\n"),
            "DEVICE_GENERIC");
}

TEST(Classify, C04_C05_IndexedAndInterpolatedDevices) {
  EXPECT_EQ(category("class TestPin(TestCase):\n"
                     "    def test_pin(self):\n"
                     "        d = torch.device('cuda', 0)\n"
                     "        x = torch.zeros(2).to('cuda:0')\n"),
            "DEVICE_GENERIC");
  EXPECT_EQ(category("class RankTest(MultiProcessTestCase):\n"
                     "    def test_rank(self):\n"
                     "        dev = f'cuda:{self.rank}'\n"
                     "        torch.cuda.set_device(self.rank)\n"),
            "DEVICE_GENERIC");
}

TEST(Classify, C07_C08_TwinOrNone) {
  EXPECT_EQ(category("class TestMem(TestCase):\n"
                     "    def test_mem(self):\n"
                     "        torch.cuda.synchronize()\n"
                     "        s = torch.cuda.current_stream()\n"),
            "DEVICE_GENERIC");
  EXPECT_EQ(category("class TestGraphs(TestCase):\n"
                     "    def test_capture(self):\n"
                     "        g = torch.cuda.CUDAGraph()\n"
                     "        with torch.cuda.graph(g):\n"
                     "            pass\n"),
            "CUDA");
}

TEST(Classify, C11_AGuardedTestBesideAPlainOne) {
  const char* source =
      "class TestG(TestCase):\n"
      "    @unittest.skipIf(not TEST_CUDA, 'no cuda')\n"
      "    def test_a(self):\n"
      "        self.assertEqual(torch.ones(1).cuda().sum().item(), 1)\n"
      "    def test_b(self):\n"
      "        self.assertEqual(1 + 1, 2)\n";
  EXPECT_THAT(of_tests(source), ElementsAre("DEVICE_GENERIC", "GENERIC"));
  ClassVerdict verdict = verdicts_of(source).at(0);
  EXPECT_TRUE(verdict.mixed);
  ASSERT_EQ(verdict.split.size(), 2u);
  EXPECT_EQ(verdict.split[0].name, "TestG");
  EXPECT_EQ(verdict.split[1].name, "TestGDevice");
}

TEST(Classify, C14_GpuTypeIsHardCoding) {
  EXPECT_EQ(category("class TestFuse(TestCase):\n"
                     "    @unittest.skipIf(not HAS_GPU, 'needs gpu')\n"
                     "    def test_fuse(self):\n"
                     "        x = torch.rand(8, device=GPU_TYPE)\n"),
            "DEVICE_GENERIC");
}

TEST(Classify, C16_AGateInMain) {
  EXPECT_EQ(category("class TestM(TestCase):\n"
                     "    def test_m(self):\n"
                     "        torch.zeros(1, device='cuda')\n"
                     "if __name__ == '__main__':\n"
                     "    if HAS_GPU:\n"
                     "        run_tests()\n"),
            "DEVICE_GENERIC");
  EXPECT_EQ(category("class TestM(TestCase):\n"
                     "    def test_m(self): pass\n"
                     "if __name__ == '__main__':\n"
                     "    if HAS_GPU:\n"
                     "        run_tests()\n"),
            "GENERIC");
}

TEST(Classify, C17_C19_RestrictionsDoNotChangeTheIntent) {
  const char* body =
      "    def test_op(self, device):\n        torch.ones(2, device=device)\n"
      "instantiate_device_type_tests(TestOp, globals())\n";
  for (const char* decorator : {"@onlyCUDA", "@onlyNativeDeviceTypes", "@onlyNativeDeviceTypesAnd(['mps'])",
                                "@skipCUDAIf(True, 'x')", "@dtypesIfCUDA(torch.half)", "@skipXPU"})
    EXPECT_EQ(category(std::string("class TestOp(TestCase):\n    ") + decorator + "\n" + body),
              "DEVICE_GENERIC")
        << decorator;
}

TEST(Classify, ATemplateWhoseTestsAreAllOnlyCpuIsAboutTheCpu) {
  const char* call = "instantiate_device_type_tests(TestOp, globals())\n";
  std::string one = "class TestOp(TestCase):\n    @onlyCPU\n    def test_a(self, device): pass\n";
  EXPECT_EQ(category(one + call), "CPU");
  EXPECT_EQ(category(one + "    def test_b(self, device): pass\n" + call), "DEVICE_GENERIC");
}

TEST(Classify, OnlyCudaAroundWhatOnlyCudaHas) {
  EXPECT_THAT(of_tests("class TestOp(TestCase):\n"
                       "    @onlyCUDA\n"
                       "    def test_a(self, device):\n"
                       "        torch.cuda.CUDAGraph()\n"
                       "    def test_b(self, device): pass\n"
                       "instantiate_device_type_tests(TestOp, globals())\n"),
              ElementsAre("CUDA", "DEVICE_GENERIC"));
}

TEST(Classify, C22_C23_C28_GuardsInATemplateDoNotBind) {
  for (const char* guard : {"skipIf(TEST_XPU, 'x')", "skipIf(not SM70OrLater, 'x')",
                            "skipUnless(PLATFORM_SUPPORTS_FLASH_ATTENTION, 'x')"})
    EXPECT_EQ(category(std::string("class TestT(TestCase):\n    @unittest.") + guard +
                       "\n    def test_t(self, device): pass\n"
                       "instantiate_device_type_tests(TestT, globals(), allow_xpu=True)\n"),
              "DEVICE_GENERIC")
        << guard;
}

TEST(Classify, C31_C47_OnlyForSaysWhose) {
  auto with = [](const std::string& arguments) {
    return category(
        "class TestV(TestCase):\n    def test_v(self, device): pass\n"
        "instantiate_device_type_tests(TestV, globals()" +
        arguments + ")\n");
  };
  EXPECT_EQ(with(", only_for='xpu'"), "XPU");
  EXPECT_EQ(with(", only_for=('mps',), allow_mps=True"), "MPS");
  EXPECT_EQ(with(", only_for='cuda'"), "CUDA");
  EXPECT_EQ(with(", only_for='cpu'"), "DEVICE_GENERIC") << "nothing here is about the CPU";
  EXPECT_EQ(with(", only_for=('cpu', 'cuda')"), "DEVICE_GENERIC");
  EXPECT_EQ(with(", only_for=DEVICES"), "DEVICE_GENERIC");
  EXPECT_EQ(with(", except_for='cpu'"), "DEVICE_GENERIC");
}

TEST(Classify, C35_C37_LoopsAndAliasesInstantiate) {
  EXPECT_EQ(
      category("class TestA1(TestCase):\n    def test_a(self, device): pass\n"
               "for cls in (TestA1,):\n    instantiate_device_type_tests(cls, globals(), only_for='cuda')\n"),
      "CUDA");
  EXPECT_EQ(
      category(
          "from torch.testing._internal.common_device_type import instantiate_device_type_tests as inst\n"
          "class TestAl(TestCase):\n    def test_al(self, device): pass\n"
          "inst(TestAl, globals(), only_for='cuda')\n"),
      "CUDA");
}

TEST(Classify, C40_AParametrizedDevice) {
  EXPECT_EQ(category("@instantiate_parametrized_tests\n"
                     "class TestPar(TestCase):\n"
                     "    @parametrize('device', ['cpu', 'cuda'])\n"
                     "    def test_par(self, device): pass\n"),
            "DEVICE_GENERIC");
}

TEST(Classify, C46_AVendorsApi) {
  EXPECT_EQ(category("class TestLab(TestCase):\n    def test_lab(self):\n        torch.xpu.Stream()\n"),
            "XPU");
  EXPECT_EQ(
      category("class TestLab(TestCase):\n    def test_lab(self):\n        torch.mps.profiler.start()\n"),
      "MPS");
  EXPECT_EQ(category("class TestLab(TestCase):\n    def test_lab(self):\n        torch.cuda.Stream()\n",
                     "test/test_cuda_lab.py"),
            "CUDA");
}

TEST(Classify, C49_ASubclassWithoutOwnTestsIsJudgedByThose) {
  const char* source =
      "class BaseT(TestCase):\n"
      "    device = 'cpu'\n"
      "    def test_one(self): torch.ones(1, device=self.device)\n"
      "class TwoT(BaseT):\n"
      "    n = 1\n"
      "class GpuT(BaseT):\n"
      "    device = GPU_TYPE\n";
  EXPECT_THAT(categories(source), ElementsAre("GENERIC", "GENERIC", "DEVICE_GENERIC"));
  std::vector<ClassVerdict> verdicts = verdicts_of(source);
  EXPECT_TRUE(verdicts[0].own_tests);
  EXPECT_FALSE(verdicts[2].own_tests);
  ASSERT_EQ(verdicts[2].methods.size(), 1u);
  EXPECT_EQ(verdicts[2].methods[0].name, "test_one");
}

TEST(Classify, C52_ClassesWithCopiedTests) {
  EXPECT_THAT(categories("class Template:\n"
                         "    def test_sum(self): pass\n"
                         "if HAS_CPU:\n"
                         "    class SumCpuTests(TestCase):\n"
                         "        device = 'cpu'\n"
                         "    copy_tests(Template, SumCpuTests, 'cpu')\n"
                         "if HAS_GPU:\n"
                         "    class GpuTests(TestCase):\n"
                         "        device = GPU_TYPE\n"
                         "    copy_tests(Template, GpuTests, GPU_TYPE)\n"),
              ElementsAre("GENERIC", "CPU", "DEVICE_GENERIC"));
}

TEST(Classify, AFixtureBaseIsJudgedAndAPlainClassHasNoVerdict) {
  EXPECT_THAT(categories("class Fixture(TestCase):\n    def run_on(self): return torch.ones(1).cuda()\n"
                         "class Net(torch.nn.Module):\n    pass\n"
                         "class TestX(Fixture):\n    def test_a(self): pass\n"),
              ElementsAre("DEVICE_GENERIC", "GENERIC"));
}

TEST(Classify, C55_C56_CodeInTextAndInnerClasses) {
  EXPECT_EQ(category("class TestSub(TestCase):\n"
                     "    def test_child(self):\n"
                     "        src = \"class T(TestCase):\\n    def test_x(self, device='cuda'): pass\"\n"),
            "GENERIC");
  EXPECT_THAT(categories("class TestOuter(TestCase):\n"
                         "    def test_outer(self):\n"
                         "        class TestInner(TestCase):\n"
                         "            pass\n"),
              ElementsAre("GENERIC"));
}

TEST(Classify, HelpersSpeakForTheTestsThatRunThem) {
  std::string helper =
      "class TestL(TestCase):\n"
      "    def _run(self):\n"
      "        return torch.ones(1, device='mps')\n"
      "    def test_a(self): self._run()\n";
  EXPECT_EQ(category(helper), "MPS");
  EXPECT_THAT(of_tests(helper + "    def test_b(self): torch.ones(1, device='cuda')\n"),
              ElementsAre("MPS", "DEVICE_GENERIC"));
  EXPECT_THAT(of_tests(helper + "    def test_b(self): pass\n"), ElementsAre("MPS", "GENERIC"));
  EXPECT_EQ(category("class TestL(TestCase):\n"
                     "    def _run(self):\n"
                     "        if torch.cuda.is_available():\n"
                     "            torch.ones(1).cuda()\n"
                     "    def test_a(self): self._run()\n"),
            "DEVICE_GENERIC");
}

TEST(Classify, DistributedBasesAndDecorators) {
  EXPECT_EQ(category("class TestF(FSDPTest):\n    def test_f(self): pass\n"), "DEVICE_GENERIC");
  EXPECT_EQ(category("class TestD(DTensorTestBase):\n    @with_comms\n    def test_d(self): pass\n"),
            "DEVICE_GENERIC");
  EXPECT_EQ(
      category("class TestS(MultiProcessTestCase):\n    @skip_if_lt_x_gpu(2)\n    def test_s(self): pass\n"),
      "DEVICE_GENERIC");
  EXPECT_EQ(category("class TestP(MultiProcessTestCase):\n    def test_p(self): pass\n"), "GENERIC");
}

TEST(Classify, AFileThatIsGatedOnNcclIsCuda) {
  EXPECT_THAT(categories("import sys\n"
                         "if not dist.is_available() or not dist.is_nccl_available():\n"
                         "    sys.exit(0)\n"
                         "class TestA(TestCase):\n    def test_a(self): pass\n"
                         "class TestB(TestCase):\n    def test_b(self): pass\n"),
              ElementsAre("CUDA", "CUDA"));
}

TEST(Classify, C64_C65_AFakeGroupAndACpuMesh) {
  EXPECT_EQ(category("class TestFake(TestCase):\n"
                     "    def test_meta(self):\n"
                     "        dist.init_process_group('fake', rank=0, world_size=2)\n"),
            "GENERIC");
  EXPECT_EQ(category("class TestMesh(TestCase):\n"
                     "    def test_mesh(self, device):\n"
                     "        init_device_mesh('cpu', (2,))\n"
                     "instantiate_device_type_tests(TestMesh, globals(), only_for='cpu')\n"),
            "GENERIC")
      << "CPU is accepted too";
}

TEST(Classify, ADeviceThatIsPickedForAFakeGroupIsAWord) {
  std::string fake =
      "from torch.testing._internal.distributed.fake_pg import FakeStore\n"
      "class TestMode(TestCase):\n"
      "    def setUp(self):\n"
      "        dist.init_process_group(backend='fake', rank=1, world_size=2, store=FakeStore())\n"
      "        self.device_type = 'cuda' if torch.cuda.is_available() else 'cpu'\n"
      "    def test_counts(self): torch.randn(2, device=self.device_type)\n";
  EXPECT_EQ(category(fake), "GENERIC");
  EXPECT_THAT(of_tests(fake + "    @requires_nccl()\n"
                              "    def test_real(self): torch.randn(2).cuda()\n"),
              ElementsAre("GENERIC", "DEVICE_GENERIC"));
}

TEST(Classify, C10_ACapabilityOfOneVendor) {
  EXPECT_EQ(category("class TestSm(TestCase):\n"
                     "    @unittest.skipIf(torch.cuda.get_device_capability() < (8, 0), 'needs sm80')\n"
                     "    def test_sm(self): self.assertTrue(True)\n"),
            "DEVICE_GENERIC");
}

TEST(Classify, C13_ATestForMachinesWithoutTheDeviceNeedsNone) {
  std::string no_gpu =
      "class TestNoGpu(TestCase):\n"
      "    @unittest.skipIf(torch.cuda.is_available(), 'only without GPU')\n"
      "    def test_error(self):\n"
      "        with self.assertRaises(RuntimeError): torch.ones(1).cuda()\n";
  EXPECT_EQ(category(no_gpu), "GENERIC");
  EXPECT_EQ(category("class TestOld(TestCase):\n"
                     "    @unittest.skipIf(SM70OrLater, 'only on old ones')\n"
                     "    def test_old(self): torch.ones(1).cuda()\n"),
            "DEVICE_GENERIC")
      << "a generation that is missing is not a device that is missing";
}

TEST(Classify, C41_AHelperThatHandsOutDevices) {
  std::string helper =
      "def all_devices():\n"
      "    out = ['cpu']\n"
      "    if torch.cuda.is_available():\n"
      "        out.append('cuda')\n"
      "    return out\n";
  EXPECT_THAT(of_tests(helper + "class TestLoop(TestCase):\n"
                                "    def test_loop(self):\n"
                                "        for d in all_devices(): torch.ones(1, device=d)\n"
                                "    def test_plain(self): pass\n"),
              ElementsAre("DEVICE_GENERIC", "GENERIC"));
  EXPECT_EQ(category("def pick():\n    return 'cuda' if torch.cuda.is_available() else 'cpu'\n"
                     "class TestPick(TestCase):\n    def test_a(self): torch.ones(1, device=pick())\n"),
            "DEVICE_GENERIC");
}

TEST(Classify, FunctionsAndClassesOfTheModuleSpeakForTheTestsThatNameThem) {
  std::string module =
      "def check(model): return model.cuda()\n"
      "def check_all(models): return [check(m) for m in models]\n"
      "class Net(torch.nn.Module):\n"
      "    def __init__(self): self.stream = torch.cuda.CUDAGraph()\n"
      "def unused(): torch.ones(1, device='mps')\n";
  EXPECT_THAT(of_tests(module + "class TestN(TestCase):\n"
                                "    def test_through_two(self): check_all([1])\n"
                                "    def test_net(self): Net()\n"
                                "    def test_own(self):\n"
                                "        check = print\n"
                                "        check('x')\n"
                                "    def test_plain(self): pass\n"),
              ElementsAre("DEVICE_GENERIC", "CUDA", "GENERIC", "GENERIC"));
}

TEST(Classify, AHelpersDefaultDevice) {
  EXPECT_THAT(of_tests("DEVICE = GPU_TYPE\n"
                       "def T(*size, device=DEVICE): return torch.randn(size, device=device)\n"
                       "class TestRun(TestCase):\n"
                       "    device = DEVICE\n"
                       "    def test_gpu(self): T(10)\n"
                       "    def test_cpu(self): torch.randn(10, device='cpu')\n"),
              ElementsAre("DEVICE_GENERIC", "GENERIC"))
      << "an attribute counts for the tests that read it";
}

TEST(Classify, AttributesThatBasesElsewhereMayRead) {
  EXPECT_EQ(category("class TestM(MultiProcessTestCase):\n"
                     "    device_type = GPU_TYPE\n"
                     "    def test_a(self): self.run_ranks()\n"),
            "DEVICE_GENERIC");
}

TEST(Classify, SelfDeviceThatNoClassOfTheFileSetsIsGiven) {
  EXPECT_THAT(of_tests("class CommonMixin:\n"
                       "    def test_a(self): torch.ones(1, device=self.device)\n"
                       "    def test_b(self): pass\n"),
              ElementsAre("DEVICE_GENERIC", "GENERIC"));
  EXPECT_EQ(category("class TestCpuHeld(TestCase):\n"
                     "    device = 'cpu'\n"
                     "    def test_a(self): torch.ones(1, device=self.device)\n",
                     "test/test_held.py"),
            "CPU")
      << "the name says that the CPU is meant";
}

TEST(Classify, SetUpThatMovesATensorNeedsTheDeviceWhoeverReadsIt) {
  auto with = [](const std::string& value) {
    return category("class TestS(TestCase):\n    def setUp(self): self.x = " + value +
                    "\n    def test_a(self): pass\n");
  };
  EXPECT_EQ(with("torch.ones(2).cuda()"), "DEVICE_GENERIC");
  EXPECT_EQ(with("torch.ones(2, device='cuda')"), "DEVICE_GENERIC");
  EXPECT_EQ(with("torch.cuda.CUDAGraph()"), "CUDA");
  EXPECT_EQ(with("'cuda'"), "GENERIC");
  EXPECT_EQ(with("torch.device('cuda')"), "GENERIC");
  EXPECT_EQ(with("torch.cuda.is_available()"), "GENERIC");
  EXPECT_EQ(with("torch.ones(2, device='cuda' if torch.cuda.is_available() else 'cpu')"), "GENERIC");
}

TEST(Classify, WhatDependsOnTheNameOfTheTestIsNotForAll) {
  EXPECT_THAT(of_tests("class TestMem(TestCase):\n"
                       "    def setUp(self):\n"
                       "        if 'cuda' in self._testMethodName:\n"
                       "            self.before = torch.cuda.memory_allocated()\n"
                       "    def test_plain(self): pass\n"
                       "    @unittest.skipIf(not TEST_CUDA, 'no CUDA')\n"
                       "    def test_cuda(self): torch.ones(1, device='cuda')\n"),
              ElementsAre("GENERIC", "DEVICE_GENERIC"));
}

TEST(Classify, C50_AMixinAndTheClassThatRunsIt) {
  EXPECT_THAT(categories("class OpsMixin:\n"
                         "    def test_shared(self): self.assertEqual(self.dev, 'cpu')\n"
                         "class TestPlainOps(OpsMixin, TestCase):\n"
                         "    dev = 'cpu'\n"),
              ElementsAre("GENERIC", "GENERIC"));
}

TEST(Classify, C73_CodeThatIsGeneratedForADevice) {
  EXPECT_EQ(category("class TestGenCode(TestCase):\n"
                     "    def test_codegen(self):\n"
                     "        w = Wrapper.__new__(Wrapper)\n"
                     "        w.device = 'cuda'\n"
                     "        self.assertIn('CUDA', w.emit())\n"),
            "GENERIC");
}

TEST(Classify, C74_FakeTensorsTouchNoDevice) {
  std::string fake =
      "class TestFk(TestCase):\n"
      "    def test_meta(self):\n"
      "        with FakeTensorMode():\n"
      "            x = torch.empty(2, device='cuda')\n"
      "        self.assertEqual(x.device.type, 'cuda')\n"
      "    def test_named(self):\n"
      "        mode = FakeTensorMode(allow_non_fake_inputs=True)\n"
      "        with mode as m, torch.no_grad():\n"
      "            torch.empty(2).cuda()\n";
  EXPECT_THAT(of_tests(fake), ElementsAre("GENERIC", "GENERIC"));
  EXPECT_THAT(of_tests(fake + "    def test_real(self):\n"
                              "        with torch.no_grad():\n"
                              "            torch.empty(2, device='cuda')\n"),
              ElementsAre("GENERIC", "GENERIC", "DEVICE_GENERIC"));
}

TEST(Classify, NamesThatAreAskedOrReplacedAreData) {
  EXPECT_EQ(category("class TestNames(TestCase):\n"
                     "    def test_names(self):\n"
                     "        self.assertEqual(torch.device('cuda').type, 'cuda')\n"
                     "        torch._register_device_module('mydev', torch.cuda)\n"
                     "        inspect.signature(torch.cuda.memory_stats)\n"
                     "        with mock.patch.object(torch.cuda, 'is_available'): pass\n"),
            "GENERIC");
  EXPECT_EQ(category("class TestNames(TestCase):\n"
                     "    def test_made(self): torch.rand(2, device='cuda').device.type\n"),
            "DEVICE_GENERIC");
}

TEST(Classify, C83_AnUnusedDeviceParameter) {
  EXPECT_EQ(category("class TestUnused(TestCase):\n"
                     "    def test_rule(self, device): self.assertEqual(parse('a+b'), ['a', 'b'])\n"
                     "instantiate_device_type_tests(TestUnused, globals(), only_for='cpu')\n"),
            "GENERIC");
  EXPECT_THAT(of_tests("class TestSome(TestCase):\n"
                       "    def test_used(self, device): torch.ones(1, device=device)\n"
                       "    def test_unused(self, device): torch.ones(1)\n"
                       "    def test_asked(self, device): torch.ones(1, device=self.get_primary_device())\n"
                       "    @onlyCPU\n"
                       "    def test_kept(self, device): torch.ones(1)\n"
                       "instantiate_device_type_tests(TestSome, globals())\n"),
              ElementsAre("DEVICE_GENERIC", "GENERIC", "DEVICE_GENERIC", "GENERIC"));
}

TEST(Classify, ADeviceParameterWithADefaultIsNoTemplates) {
  std::string with_default =
      "class TestD(TestCase):\n"
      "    def test_a(self, device='cpu'): torch.ones(1, device=device)\n";
  EXPECT_EQ(category(with_default), "GENERIC");
  EXPECT_EQ(category(with_default + "instantiate_device_type_tests(TestD, globals())\n"), "DEVICE_GENERIC");
  EXPECT_EQ(category("class TestD(TestCase):\n"
                     "    def test_a(self, device='mps'): torch.ones(1, device=device)\n"),
            "MPS");
}

TEST(Classify, ATestForBuildsWithoutTheDeviceNeedsNone) {
  EXPECT_EQ(category("class TestB(TestCase):\n"
                     "    @unittest.skipIf(torch.backends.cuda.is_built(), 'has CUDA')\n"
                     "    def test_a(self):\n"
                     "        with self.assertRaises(RuntimeError): torch.cuda.graphs.CUDAGraph()\n"),
            "GENERIC");
}

TEST(Classify, WhatQualifiesADecoratorOfOneDeviceIsNoNeed) {
  EXPECT_THAT(of_tests("from torch.testing._internal.common_cuda import TEST_CUDNN\n"
                       "class TestQ(TestCase):\n"
                       "    @skipCUDAIf(TEST_CUDNN, 'differs there')\n"
                       "    def test_a(self): torch.ones(1, device=self.device)\n"
                       "    @largeTensorTest('4GB', 'cuda')\n"
                       "    def test_b(self): pass\n"),
              ElementsAre("DEVICE_GENERIC", "GENERIC"));
}

TEST(Classify, ABranchAsksAndIsNoSubject) {
  EXPECT_THAT(of_tests("class TestAsk(TestCase):\n"
                       "    def test_cpu(self):\n"
                       "        if torch.ops.mkldnn._is_mkldnn_bf16_supported(): f(1)\n"
                       "    def test_cuda(self):\n"
                       "        if torch.backends.cudnn.version() > 8: f(1)\n"
                       "    def test_guarded(self):\n"
                       "        if not torch.ops.mkldnn._is_mkldnn_bf16_supported(): return\n"
                       "        f(1)\n"),
              ElementsAre("GENERIC", "DEVICE_GENERIC", "CPU"));
}

TEST(Classify, ADecoratorOfTheFileRunsAroundTheTest) {
  EXPECT_THAT(of_tests("def on_gpu(fn):\n"
                       "    @requires_gpu\n"
                       "    def wrapped(self): fn(self)\n"
                       "    return wrapped\n"
                       "class TestDeco(TestCase):\n"
                       "    @on_gpu\n"
                       "    def test_a(self): pass\n"
                       "    def test_b(self): pass\n"
                       "@on_gpu\n"
                       "class TestAll(TestCase):\n"
                       "    def test_c(self): pass\n"),
              ElementsAre("DEVICE_GENERIC", "GENERIC", "DEVICE_GENERIC"));
}

TEST(Classify, HelpersByTheNameOfTheClass) {
  EXPECT_THAT(of_tests("class TestOwn(TestCase):\n"
                       "    @staticmethod\n"
                       "    def _move(x): return x.cuda()\n"
                       "    def test_a(self): TestOwn._move(1)\n"
                       "    def test_b(self): pass\n"),
              ElementsAre("DEVICE_GENERIC", "GENERIC"));
}

TEST(Classify, AFakeGroupDoesNotReplaceAGpu) {
  EXPECT_EQ(category("from torch.testing._internal.distributed.fake_pg import FakeStore\n"
                     "def T(*size, device=GPU_TYPE): return torch.randn(size, device=device)\n"
                     "class TestComm(TestCase):\n"
                     "    def test_a(self):\n"
                     "        dist.init_process_group('fake', store=FakeStore())\n"
                     "        T(2)\n"),
            "DEVICE_GENERIC");
}

TEST(Classify, HelpersWithABranchForADeviceSpeakForNoOne) {
  EXPECT_EQ(category("def check(device_type):\n"
                     "    if device_type == 'cuda': return torch.ones(1).cuda()\n"
                     "class TestC(TestCase):\n"
                     "    def test_a(self): check('cpu')\n"),
            "GENERIC");
}

TEST(Classify, ManyHelpersAreFollowed) {
  std::string source;
  for (int i = 0; i < 500; ++i)
    source += "def f" + std::to_string(i) + "(): return f" + std::to_string(i + 1) + "()\n";
  EXPECT_EQ(category(source + "def f500(): return torch.ones(1).cuda()\n"
                              "class TestMany(TestCase):\n    def test_a(self): f0()\n"),
            "DEVICE_GENERIC");
}

TEST(Classify, ATemplateKeptToTheCpuIsAboutItOnlyWithASign) {
  std::string kept =
      "class TestInfo(TestCase):\n"
      "    def test_ops(self, device): torch.ones(1, device=device)\n";
  std::string call = "instantiate_device_type_tests(TestInfo, globals(), only_for='cpu')\n";
  EXPECT_EQ(category(kept + call), "DEVICE_GENERIC");
  EXPECT_EQ(category(kept + call, "test/test_mkldnn.py"), "CPU");
  EXPECT_EQ(category(kept + "    def test_more(self, device): torch.ops.mkldnn.x(device)\n" + call),
            "DEVICE_GENERIC*");
  EXPECT_EQ(category("class TestInfo(TestCase):\n"
                     "    def test_ops(self, device): torch.ones(1, device=device).to('mps')\n" +
                     call),
            "MPS")
      << "the CPU is what the one accelerator is held against";
}

TEST(Classify, C67_C68_ClassGuardsAndProfilers) {
  EXPECT_EQ(category("@unittest.skipIf(not TEST_MULTIGPU, 'needs 4 GPUs')\n"
                     "class TestPP(TestCase):\n"
                     "    def test_pp(self):\n"
                     "        mesh = init_device_mesh('cuda', (2, 2))\n"),
            "DEVICE_GENERIC");
  EXPECT_EQ(category("class TestProf(TestCase):\n"
                     "    def test_prof(self):\n"
                     "        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as p:\n"
                     "            torch.ones(2).cuda()\n"),
            "DEVICE_GENERIC");
}

TEST(Classify, C70_C71_C76_C77_WordsThatAreNoUse) {
  EXPECT_EQ(category("class TestDoc(TestCase):\n"
                     "    \"\"\"Checks parity with cuda; see https://example.org/cuda:0.\"\"\"\n"
                     "    # run with device='cuda' to see the bug\n"
                     "    def test_doc(self):\n"
                     "        \"cuda in a method docstring\"\n"),
            "GENERIC");
  EXPECT_EQ(
      category("class TestErr(TestCase):\n"
               "    def test_err(self):\n"
               "        with self.assertRaisesRegex(RuntimeError, 'Expected all tensors.*cuda:0 and cpu'):\n"
               "            raise RuntimeError('cuda:0 and cpu')\n"),
      "GENERIC");
  EXPECT_EQ(category("class TestWords(TestCase):\n"
                     "    def test_words(self):\n"
                     "        opts = {'use_cuda_graph': False, 'cuda': 1, 'cpu_count': 2}\n"
                     "        self.assertNotIn('cudnn', opts)\n"
                     "        self.assertEqual('cuda' in 'barracuda', True)\n"),
            "GENERIC");
  EXPECT_EQ(category("TOL = {'cpu': 1e-6, 'cuda': 1e-4, 'xpu': 1e-4}\n"
                     "class TestTol(TestCase):\n"
                     "    def test_tol(self):\n"
                     "        self.assertLess(0.0, TOL['cpu'])\n"),
            "GENERIC");
}

TEST(Classify, C82_ACpuTensorInATemplateIsNoSubject) {
  EXPECT_EQ(category("class TestTwo(TestCase):\n"
                     "    def test_two(self, device):\n"
                     "        torch.ones(2, device=device) + torch.ones(2, device='cpu')\n"
                     "instantiate_device_type_tests(TestTwo, globals())\n"),
            "DEVICE_GENERIC");
}

TEST(Classify, VendorsSuitesNeedNoSpecialCase) {
  EXPECT_EQ(
      category("class TestNpu(TestCase):\n    def test_a(self):\n        x = torch.ones(1, device='npu')\n"),
      "DEVICE_GENERIC");
  EXPECT_EQ(category("class TestNpu(TestCase):\n    def test_a(self):\n        torch.ones(1).npu()\n"),
            "DEVICE_GENERIC");
  EXPECT_EQ(category("class TestHpu(TestCase):\n    def test_a(self):\n        torch.hpu.synchronize()\n"),
            "DEVICE_GENERIC");
}

TEST(Classify, AFileThatPythonRefusesKeepsItsVerdicts) {
  EXPECT_THAT(
      categories("class TestA(TestCase):\n    def test_a(self):\n        torch.cuda.CUDAGraph()\nx = (\n"),
      ElementsAre("CUDA"));
}

}  // namespace
}  // namespace hwsift::classifier
