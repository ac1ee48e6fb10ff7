#include "classifier/eligibility.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/python/analyze.h"
#include "classifier/condition.h"
#include "classifier/test_id.h"

namespace hwsift::classifier {
namespace {

using Effect = Reason::Effect;
using Kind = Reason::Kind;
using State = Eligibility::State;
using testing::HasSubstr;

constexpr const char* kImports = R"(
import unittest, torch
from torch.testing._internal.common_cuda import *
from torch.testing._internal.common_device_type import *
from torch.testing._internal.common_distributed import requires_nccl, skip_if_lt_x_gpu
from torch.testing._internal.common_utils import *
from torch.testing._internal.inductor_utils import HAS_GPU, HAS_MULTIGPU, requires_gpu
)";

analyzer::FileFacts facts(const std::string& source, const std::string& path = "test/test_x.py") {
  return analyzer::analyze_python(path, kImports + source, builtin_vocabulary().lexicon());
}

// Of the first test of the last class, as the classifier sees it.
Eligibility ask(const analyzer::FileFacts& file, const std::string& device) {
  std::vector<ClassVerdict> verdicts = classify(file, builtin_vocabulary());
  int last = static_cast<int>(file.classes.size()) - 1;
  return Eligibilities(file, verdicts, {device, builtin_vocabulary()})
      .of(FileClasses(file).tests_of(last).at(0));
}

// A template's test below these decorators, made for all devices.
Eligibility variant(const std::string& decorators, const std::string& device,
                    const std::string& arguments = ", allow_xpu=True, allow_mps=True") {
  return ask(facts("class TestAdd(TestCase):\n    " + decorators +
                   "\n    def test_add(self, device):\n        pass\n"
                   "instantiate_device_type_tests(TestAdd, globals()" +
                   arguments + ")\n"),
             device);
}

State state(const std::string& decorators, const std::string& device) {
  return variant(decorators, device).state;
}

// The first reason that is no note.
Reason reason(const Eligibility& answer) {
  for (const Reason& reason : answer.reasons)
    if (reason.effect != Effect::note) return reason;
  return {};
}

TEST(Eligibility, AVariantRunsUnderItsGeneratedName) {
  Eligibility answer = variant("", "cuda");
  EXPECT_EQ(answer.state, State::runs);
  EXPECT_EQ(answer.run_class, "TestAddCUDA");
  EXPECT_EQ(answer.test, "test_add_cuda");
  EXPECT_FALSE(answer.expands);
  EXPECT_EQ(variant("", "cpu").test, "test_add_cpu");
}

TEST(Eligibility, ParametrizedNamesStartWithTheSourceName) {
  Eligibility answer = variant("@dtypes(torch.float32)", "cuda");
  EXPECT_TRUE(answer.expands);
  EXPECT_EQ(answer.test, "test_add");
}

TEST(Eligibility, AMissingFlagIsNamedWithLineAndRemedy) {
  Eligibility answer = variant("", "xpu", "");
  EXPECT_EQ(answer.state, State::not_generated);
  EXPECT_EQ(reason(answer).kind, Kind::allow_flag);
  EXPECT_EQ(reason(answer).remedy, "add allow_xpu=True");
  EXPECT_EQ(reason(answer).line, 12);
  EXPECT_EQ(variant("", "cuda", "").state, State::runs);
}

TEST(Eligibility, FiltersLeaveDevicesOut) {
  EXPECT_EQ(reason(variant("", "cpu", ", only_for='cuda'")).kind, Kind::only_for);
  EXPECT_EQ(reason(variant("", "cpu", ", except_for='cpu'")).kind, Kind::except_for);
  EXPECT_EQ(reason(variant("", "meta", "")).kind, Kind::not_instantiated);
}

TEST(Eligibility, AFilterThatCannotBeReadIsACondition) {
  Eligibility answer = variant("", "cpu", ", only_for=devices()");
  EXPECT_EQ(answer.state, State::unknown);
  EXPECT_EQ(reason(answer).effect, Effect::condition);
  EXPECT_EQ(answer.run_class, "TestAddCPU");
}

TEST(Eligibility, TheOnlyFamilySkipsOtherVariants) {
  EXPECT_EQ(state("@onlyCUDA", "cuda"), State::runs);
  EXPECT_EQ(state("@onlyCUDA", "cpu"), State::skips);
  EXPECT_EQ(reason(variant("@onlyCUDA", "cpu")).kind, Kind::decorator);
  EXPECT_EQ(reason(variant("@onlyCUDA", "cpu")).line, 9);
  EXPECT_EQ(state("@onlyAccelerator", "cpu"), State::skips);
  EXPECT_EQ(state("@onlyAccelerator", "npu"), State::runs);
  EXPECT_EQ(state("@onlyCUDAAndPRIVATEUSE1", "npu"), State::runs);
  EXPECT_EQ(state("@onlyCUDAAndPRIVATEUSE1", "fakeacc"), State::runs);
  EXPECT_EQ(state("@onlyCUDAAndPRIVATEUSE1", "xpu"), State::skips);
  EXPECT_EQ(state("@onlyOn('xpu')", "xpu"), State::runs);
  EXPECT_EQ(state("@onlyOn('xpu')", "cuda"), State::skips);
  EXPECT_EQ(state("@onlyOn(['cuda', 'xpu'])", "xpu"), State::unknown);  // 2.6 skips it
  EXPECT_EQ(state("@onlyOn(DEVICES)", "xpu"), State::unknown);
}

TEST(Eligibility, NativeDevicesDependOnTheRelease) {
  EXPECT_EQ(state("@onlyNativeDeviceTypes", "xpu"), State::runs);
  EXPECT_EQ(state("@onlyNativeDeviceTypes", "npu"), State::runs);
  EXPECT_EQ(state("@onlyNativeDeviceTypes", "mps"), State::unknown);
  EXPECT_EQ(state("@onlyNativeDeviceTypes", "hpu"), State::skips);
  EXPECT_EQ(state("@onlyNativeDeviceTypesAnd(['hpu'])", "hpu"), State::runs);
}

TEST(Eligibility, TheSkipFamilyLeavesItsDeviceOut) {
  EXPECT_EQ(state("@skipXPU", "xpu"), State::skips);
  EXPECT_EQ(state("@skipXPU", "cuda"), State::runs);
  EXPECT_EQ(state("@skipIfXpu", "xpu"), State::skips);
  EXPECT_EQ(state("@skipIfXpu(msg='no')", "xpu"), State::skips);
  EXPECT_EQ(state("@skipIfHpu", "cpu"), State::runs);
  EXPECT_EQ(state("@skipMPS", "mps"), State::skips);
  EXPECT_EQ(state("@skipPRIVATEUSE1", "npu"), State::skips);
  EXPECT_EQ(state("@skipCUDAIf(True, 'no')", "cuda"), State::skips);
  EXPECT_EQ(state("@skipCUDAIf(False, 'no')", "cuda"), State::runs);
  EXPECT_EQ(state("@skipCUDAIf(torch.version.hip, 'no')", "cuda"), State::unknown);
  EXPECT_EQ(state("@skipCUDAIf('no_magma', 'no')", "cuda"), State::unknown);
  EXPECT_EQ(state("@skipCUDAIf(True, 'no')", "xpu"), State::runs);
  EXPECT_EQ(state("@skipGPUIf(True, 'no')", "mps"), State::skips);
  EXPECT_EQ(state("@skipIf(True, 'no', device_type='cuda')", "cuda"), State::skips);
  EXPECT_EQ(state("@skipIf(True, 'no', device_type='cuda')", "cpu"), State::runs);
}

TEST(Eligibility, ALibraryIsACondition) {
  EXPECT_EQ(reason(variant("@skipCUDAIfNoMagma", "cuda")).kind, Kind::library);
  EXPECT_EQ(state("@skipCUDAIfNoMagma", "cuda"), State::unknown);
  EXPECT_EQ(state("@skipCUDAIfNoMagma", "cpu"), State::runs);
  EXPECT_EQ(reason(variant("@requires_nccl()", "cuda")).kind, Kind::library);
  EXPECT_EQ(state("@requires_nccl()", "xpu"), State::skips);
}

TEST(Eligibility, RocmIsABuildOfCuda) {
  EXPECT_EQ(state("@skipIfRocm", "cuda"), State::unknown);
  EXPECT_EQ(state("@skipIfRocm", "cpu"), State::runs);
  EXPECT_EQ(state("@unittest.skipIf(TEST_WITH_ROCM, 'no')", "xpu"), State::runs);
}

TEST(Eligibility, GuardsKeepTheirPolarity) {
  EXPECT_EQ(state("@unittest.skipIf(not TEST_CUDA, '')", "cpu"), State::skips);
  EXPECT_EQ(state("@unittest.skipIf(not TEST_CUDA, '')", "cuda"), State::runs);
  EXPECT_EQ(state("@unittest.skipIf(TEST_CUDA, '')", "cuda"), State::skips);
  EXPECT_EQ(state("@unittest.skipIf(TEST_CUDA, '')", "cpu"), State::runs);
  EXPECT_EQ(state("@unittest.skipUnless(TEST_CUDA, '')", "xpu"), State::skips);
  EXPECT_EQ(state("@unittest.skipUnless(TEST_CUDA or TEST_XPU, '')", "xpu"), State::runs);
  EXPECT_EQ(state("@unittest.skipIf(not (TEST_CUDA or TEST_XPU), '')", "mps"), State::skips);
  EXPECT_EQ(reason(variant("@unittest.skipIf(not TEST_CUDA, '')", "cpu")).kind, Kind::guard);
}

TEST(Eligibility, APartThatCannotBeToldLeavesAConditionUnlessAnotherDecides) {
  EXPECT_EQ(state("@unittest.skipIf(not TEST_CUDA or IS_WINDOWS, '')", "cpu"), State::skips);
  EXPECT_EQ(state("@unittest.skipIf(not TEST_CUDA or IS_WINDOWS, '')", "cuda"), State::unknown);
  EXPECT_EQ(state("@unittest.skipIf(TEST_CUDA and IS_WINDOWS, '')", "cpu"), State::runs);
  EXPECT_EQ(state("@unittest.skipIf(TEST_CUDA and IS_WINDOWS, '')", "cuda"), State::unknown);
  EXPECT_EQ(state("@unittest.skipIf(IS_WINDOWS, '')", "cuda"), State::unknown);
  EXPECT_EQ(state("@unittest.skip('never')", "cuda"), State::skips);
}

TEST(Eligibility, ATestThatMovesItsTensorsElsewhereIsRemarked) {
  auto remark = [](const std::string& body, const std::string& device) {
    Eligibility asked =
        ask(facts("class TestAdd(TestCase):\n    def test_add(self):\n        " + body + "\n"), device);
    for (const Reason& found : asked.reasons)
      if (found.effect == Reason::Effect::note && found.kind == Kind::category) return found.text;
    return std::string();
  };
  EXPECT_EQ(remark("torch.ones(2, device='cuda')", "xpu"),
            "it works on cuda whatever it is run for, by cuda");
  EXPECT_EQ(remark("torch.ones(2).cuda()", "xpu"), "it works on cuda whatever it is run for, by .cuda");
  EXPECT_EQ(remark("torch.ones(2).cuda()", "cuda"), "");
  EXPECT_EQ(remark("torch.device('cuda')", "xpu"), "");
  EXPECT_EQ(remark("x = torch.ones(2).is_cuda", "xpu"), "");
}

TEST(Eligibility, SomeAcceleratorIsNotTheCpu) {
  EXPECT_EQ(state("@unittest.skipIf(not HAS_GPU, '')", "cpu"), State::skips);
  EXPECT_EQ(state("@requires_gpu()", "cpu"), State::skips);
  EXPECT_EQ(state("@requires_gpu()", "npu"), State::skips);
  EXPECT_EQ(reason(variant("@requires_gpu()", "xpu")).kind, Kind::library);
  EXPECT_EQ(state("@requires_gpu()", "xpu"), State::unknown);
  EXPECT_EQ(state("@unittest.skipIf(not TEST_ACCELERATOR, '')", "npu"), State::runs);
}

TEST(Eligibility, ACountIsAConditionWhereTheDeviceIsThere) {
  Eligibility two = variant("@deviceCountAtLeast(2)", "cuda");
  EXPECT_EQ(two.state, State::unknown);
  EXPECT_EQ(reason(two).kind, Kind::count);
  EXPECT_THAT(reason(two).text, HasSubstr("at least 2 CUDA devices"));
  EXPECT_EQ(state("@deviceCountAtLeast(1)", "cuda"), State::runs);
  EXPECT_EQ(state("@deviceCountAtLeast(2)", "cpu"), State::skips);
  EXPECT_THAT(reason(variant("@skip_if_lt_x_gpu(4)", "cuda")).text, HasSubstr("at least 4 CUDA devices"));
  EXPECT_EQ(state("@skip_if_lt_x_gpu(4)", "cpu"), State::skips);
  EXPECT_EQ(state("@skip_if_lt_x_gpu(4, allow_cpu=True)", "cpu"), State::runs);
  EXPECT_EQ(state("@skip_if_lt_x_gpu(4)", "npu"), State::skips);
  EXPECT_EQ(reason(variant("@unittest.skipIf(not TEST_MULTIGPU, '')", "cuda")).kind, Kind::count);
  EXPECT_THAT(reason(variant("@unittest.skipIf(torch.cuda.device_count() < 3, '')", "cuda")).text,
              HasSubstr("at least 3 CUDA devices"));
  EXPECT_EQ(state("@unittest.skipIf(torch.cuda.device_count() < 1, '')", "cuda"), State::runs);
  EXPECT_EQ(state("@unittest.skipIf(torch.cuda.device_count() < 1, '')", "cpu"), State::skips);
}

TEST(Eligibility, ACapabilityIsAConditionOnItsDeviceAndAbsentElsewhere) {
  Eligibility newer = variant("@unittest.skipIf(not SM80OrLater, '')", "cuda");
  EXPECT_EQ(newer.state, State::unknown);
  EXPECT_EQ(reason(newer).kind, Kind::capability);
  EXPECT_THAT(reason(newer).text,
              HasSubstr("the hardware has the capability sm80 (SM80OrLater), says skipIf"));
  EXPECT_EQ(state("@unittest.skipIf(not SM80OrLater, '')", "xpu"), State::skips);
  EXPECT_EQ(state("@largeTensorTest('4GB')", "cpu"), State::unknown);
  EXPECT_EQ(state("@largeTensorTest('4GB', device='cuda')", "cpu"), State::skips);
}

TEST(Eligibility, WhatElseASymbolNeedsComesFromTheVocabulary) {
  auto text = [](const std::string& decorators, const std::string& device = "cuda") {
    return reason(variant(decorators, device)).text;
  };
  EXPECT_THAT(text("@requires_nccl()"), HasSubstr("the library nccl is there, says requires_nccl"));
  EXPECT_THAT(text("@unittest.skipIf(not TEST_CUDNN, '')"),
              HasSubstr("the library cudnn is there (TEST_CUDNN)"));
  EXPECT_THAT(text("@unittest.skipIf(not HAS_MULTIGPU, '')"),
              HasSubstr("there are at least 2 CUDA devices and the library triton is there"));
  EXPECT_THAT(text("@unittest.skipUnless(TEST_MKL, '')", "cpu"), HasSubstr("the library mkl is there"));
  EXPECT_THAT(text("@skipCUDAIfNoMagma"), HasSubstr("gets past skipCUDAIfNoMagma, which asks for magma"));
  EXPECT_THAT(text("@skipIfNoLapack", "cpu"), HasSubstr("which asks for lapack"));
  EXPECT_EQ(reason(variant("@unittest.skipIf(not IS_THOR, '')", "cuda")).kind, Kind::capability);
  EXPECT_EQ(reason(variant("@unittest.skipIf(not TEST_CUPTI, '')", "cuda")).kind, Kind::library);
  EXPECT_EQ(reason(variant("@unittest.skipIf(not torch.backends.cudnn.is_available(), '')", "cuda")).kind,
            Kind::library);
}

TEST(Eligibility, ACountThatIsNoNumberKeepsItsName) {
  EXPECT_THAT(reason(variant("@skip_if_lt_x_gpu(WORLD)", "cuda")).text,
              HasSubstr("at least WORLD CUDA devices"));
  EXPECT_THAT(reason(variant("@skip_if_lt_x_gpu(x=4)", "cuda")).text, HasSubstr("at least 4 CUDA devices"));
  EXPECT_THAT(reason(variant("@skip_if_lt_x_gpu(a + b)", "cuda")).text, HasSubstr("several CUDA devices"));
  EXPECT_EQ(state("@skip_if_lt_x_gpu(1)", "cuda"), State::runs);
}

TEST(Eligibility, ASkipWhereThereIsMoreIsNoNeedForMore) {
  EXPECT_THAT(reason(variant("@unittest.skipIf(TEST_MULTIGPU, '')", "cuda")).text,
              HasSubstr("`TEST_MULTIGPU` is false"));
  EXPECT_THAT(reason(variant("@unittest.skipIf(torch.cuda.device_count() > 1, '')", "cuda")).text,
              HasSubstr("`torch.cuda.device_count() > 1` is false"));
  EXPECT_THAT(reason(variant("@unittest.skipUnless(torch.cuda.device_count() > 1, '')", "cuda")).text,
              HasSubstr("at least 2 CUDA devices"));
}

TEST(Eligibility, WhatAFunctionOfADeviceReturnsIsNotKnown) {
  EXPECT_EQ(state("@unittest.skipIf(not torch.cuda.is_bf16_supported(), '')", "cuda"), State::unknown);
  EXPECT_EQ(state("@unittest.skipIf(not torch.cuda.is_initialized(), '')", "cuda"), State::unknown);
  EXPECT_EQ(state("@unittest.skipIf(not torch.cuda.is_initialized(), '')", "cpu"), State::skips);
  EXPECT_EQ(state("@unittest.skipIf(not torch.hpu.is_available(), '')", "hpu"), State::runs);
  EXPECT_EQ(state("@unittest.skipIf(not torch.cuda.is_available(), '')", "cuda"), State::runs);
}

TEST(Eligibility, GuardsOfBodySetUpClassAndFileCount) {
  const std::string body =
      "class TestA(TestCase):\n    def test_a(self):\n        if not TEST_CUDA:\n"
      "            self.skipTest('')\n";
  EXPECT_EQ(ask(facts(body), "cpu").state, State::skips);
  EXPECT_EQ(ask(facts(body), "cuda").state, State::runs);
  const std::string set_up =
      "class TestA(TestCase):\n    def setUp(self):\n        if not TEST_CUDA:\n"
      "            self.skipTest('')\n    def test_a(self):\n        pass\n";
  EXPECT_EQ(ask(facts(set_up), "cpu").state, State::skips);
  const std::string of_class =
      "@unittest.skipIf(not TEST_CUDA, '')\nclass TestBase(TestCase):\n"
      "    pass\nclass TestA(TestBase):\n    def test_a(self):\n        pass\n";
  EXPECT_EQ(ask(facts(of_class), "cpu").state, State::skips);
  const std::string file =
      "if not TEST_CUDA:\n    raise unittest.SkipTest('')\n"
      "class TestA(TestCase):\n    def test_a(self):\n        pass\n";
  EXPECT_EQ(ask(facts(file), "cpu").state, State::skips);
}

TEST(Eligibility, TheMainGuardAndTheMakingOfADecoratorGateNothing) {
  EXPECT_EQ(ask(facts("needs = unittest.skipUnless(TEST_CUDA, '')\nclass TestA(TestCase):\n"
                      "    def test_a(self):\n        pass\n"
                      "if __name__ == '__main__':\n    if TEST_CUDA:\n        run_tests()\n"),
                "cpu")
                .state,
            State::runs);
}

TEST(Eligibility, TheCategoryComesBeforeSkips) {
  Eligibility answer = ask(facts("class TestA(TestCase):\n"
                                 "    hw_classification = HardwareClassification.CUDA\n"
                                 "    @unittest.skipIf(not TEST_CUDA, '')\n"
                                 "    def test_a(self):\n        pass\n"),
                           "cpu");
  EXPECT_EQ(answer.state, State::not_for);
  EXPECT_TRUE(answer.counted.declared);
  EXPECT_EQ(reason(answer).line, 9);
  Eligibility generic = ask(facts("class TestA(TestCase):\n    def test_a(self):\n        pass\n"), "cuda");
  EXPECT_EQ(generic.state, State::not_for);
  EXPECT_EQ(generic.reasons.back().kind, Kind::unclassified);
}

TEST(Eligibility, APlainClassHandsNoDevice) {
  Eligibility answer =
      ask(facts("class TestA(TestCase):\n    def test_a(self, device):\n        pass\n"), "cpu");
  EXPECT_EQ(answer.state, State::unknown);
  EXPECT_EQ(reason(answer).kind, Kind::not_instantiated);
}

TEST(Eligibility, WhatPytestDoesNotCollectDoesNotExist) {
  Eligibility answer = ask(facts("class Mixin:\n    def test_a(self):\n        pass\n"), "cpu");
  EXPECT_EQ(answer.state, State::not_generated);
  EXPECT_EQ(reason(answer).kind, Kind::not_collected);
  EXPECT_EQ(
      ask(facts("class TestA(TestCase):\n    def test_a(self):\n        pass\n", "test/helpers.py"), "cpu")
          .state,
      State::not_generated);
}

// Observed with PyTorch 2.14.1: the class that first takes a device is made before the name is known.
TEST(Eligibility, ABackendsClassesHaveTheOlderNameUntilOneTookADevice) {
  analyzer::FileFacts file = facts(R"(
class TestNone(TestCase):
    def test_n(self):
        pass
class TestOther(TestCase):
    def test_o(self, device):
        pass
class TestFirst(TestCase):
    def test_f(self, device):
        pass
class TestLater(TestCase):
    def test_l(self, device):
        pass
instantiate_device_type_tests(TestNone, globals())
instantiate_device_type_tests(TestOther, globals(), only_for="cuda")
instantiate_device_type_tests(TestFirst, globals())
instantiate_device_type_tests(TestLater, globals())
)");
  std::vector<ClassVerdict> verdicts = classify(file, builtin_vocabulary());
  auto names = [&](const std::string& device, const DeviceVariables& variables = {}) {
    Eligibilities answers(file, verdicts, {device, builtin_vocabulary(), {}, variables});
    std::vector<std::string> all;
    for (int i = 0; i < 4; ++i) all.push_back(answers.of(answers.classes().tests_of(i).at(0)).run_class);
    return all;
  };
  EXPECT_THAT(names("npu"), testing::ElementsAre("TestNonePRIVATEUSE1", "TestOther", "TestFirstPRIVATEUSE1",
                                                 "TestLaterNPU"));
  EXPECT_THAT(names("npu", {{}, {}, {"privateuse1", "npu"}}),
              testing::ElementsAre("TestNonePRIVATEUSE1", "TestOther", "TestFirstNPU", "TestLaterNPU"))
      << "the variant that the variable adds is the first to take a device";
  EXPECT_THAT(names("cuda"),
              testing::ElementsAre("TestNoneCUDA", "TestOtherCUDA", "TestFirstCUDA", "TestLaterCUDA"));
  Eligibility first = variant("", "npu");
  EXPECT_EQ(first.reasons.front().effect, Effect::note);
  EXPECT_THAT(first.reasons.front().text, HasSubstr("TestAddPRIVATEUSE1"));
}

Eligibility with_count(const std::string& decorators, int count, const std::string& device = "cuda") {
  analyzer::FileFacts file = facts("class TestMany(TestCase):\n    " + decorators +
                                   "\n    def test_many(self):\n        torch.ones(1).cuda()\n");
  std::vector<ClassVerdict> verdicts = classify(file, builtin_vocabulary());
  return Eligibilities(file, verdicts, {device, builtin_vocabulary(), count}).of({0, 0, 0, "test_many", 1});
}

TEST(Eligibility, TheNumberOfDevicesDecidesWhereItIsKnown) {
  for (const char* decorator : {"@skip_if_lt_x_gpu(2)", "@unittest.skipIf(not TEST_MULTIGPU, 'two')",
                                "@unittest.skipIf(torch.cuda.device_count() < 2, 'two')",
                                "@unittest.skipUnless(torch.cuda.device_count() >= 2, 'two')"}) {
    EXPECT_EQ(with_count(decorator, 1).state, State::skips) << decorator;
    EXPECT_EQ(reason(with_count(decorator, 1)).kind, Kind::count) << decorator;
    EXPECT_EQ(with_count(decorator, 2).state, State::runs) << decorator;
    EXPECT_EQ(with_count(decorator, 8).state, State::runs) << decorator;
  }
  EXPECT_EQ(with_count("@skip_if_lt_x_gpu(WORLD)", 1).state, State::unknown) << "a number under a name";
}

TEST(Eligibility, DeviceCountAtLeastAsksForTheDevicesOfTheVariant) {
  analyzer::FileFacts file = facts(
      "class TestAdd(TestCase):\n    @deviceCountAtLeast(2)\n    def test_add(self, devices):\n        pass\n"
      "instantiate_device_type_tests(TestAdd, globals())\n");
  std::vector<ClassVerdict> verdicts = classify(file, builtin_vocabulary());
  auto state_with = [&](int count) {
    return Eligibilities(file, verdicts, {"cuda", builtin_vocabulary(), count})
        .of({0, 0, 0, "test_add", 1})
        .state;
  };
  EXPECT_EQ(state_with(1), State::skips);
  EXPECT_EQ(state_with(2), State::runs);
}

TEST(Eligibility, TheFrameworksVariablesTakeVariantsAway) {
  analyzer::FileFacts file = facts(
      "class TestAdd(TestCase):\n    def test_add(self, device):\n        pass\n"
      "instantiate_device_type_tests(TestAdd, globals())\n");
  std::vector<ClassVerdict> verdicts = classify(file, builtin_vocabulary());
  auto reason_under = [&](const std::string& device, const DeviceVariables& variables) {
    Eligibilities answers(file, verdicts, {device, builtin_vocabulary(), {}, variables});
    return answers.variant_of(0)->reason;
  };
  EXPECT_EQ(reason_under("cpu", {}), "");
  EXPECT_EQ(reason_under("cpu", {{"cuda", "xpu"}, {}}), "PYTORCH_TESTING_DEVICE_ONLY_FOR is cuda,xpu");
  EXPECT_EQ(reason_under("cpu", {{}, {"cpu"}}), "PYTORCH_TESTING_DEVICE_EXCEPT_FOR is cpu");
  EXPECT_EQ(reason_under("cuda", {{"cuda"}, {"cpu"}}), "");
  EXPECT_EQ(reason_under("npu", {{"privateuse1"}, {}}), "") << "the backend by its older name";
  EXPECT_EQ(reason_under("npu", {{"npu"}, {}}), "");
}

TEST(Eligibility, ACallUnderAnIfIsACondition) {
  Eligibility answer = ask(facts("class TestA(TestCase):\n    def test_a(self, device):\n        pass\n"
                                 "if BACKENDS:\n    instantiate_device_type_tests(TestA, globals())\n"),
                           "cpu");
  EXPECT_EQ(answer.state, State::unknown);
  EXPECT_EQ(reason(answer).line, 12);
}

TEST(Eligibility, NoRemedyIsOfferedForADeviceThatTheTestIsNotAbout) {
  const std::string test =
      "    def test_a(self, device):\n        pass\n"
      "instantiate_device_type_tests(TestA, globals())\n";
  EXPECT_EQ(reason(ask(facts("class TestA(TestCase):\n" + test), "xpu")).remedy, "add allow_xpu=True");
  Eligibility labelled = ask(
      facts("class TestA(TestCase):\n    hw_classification = HardwareClassification.CUDA\n" + test), "xpu");
  EXPECT_EQ(reason(labelled).kind, Kind::allow_flag);
  EXPECT_EQ(reason(labelled).remedy, "");
}

TEST(Eligibility, LazyVariantsRunOnACpu) {
  EXPECT_EQ(variant("", "lazy", ", include_lazy=True").state, State::runs);
  Eligibility answer = variant("", "cpu", ", include_lazy=True");
  EXPECT_EQ(answer.state, State::runs);
  EXPECT_THAT(answer.reasons.front().text, HasSubstr("TestAddLAZY"));
}

TEST(Eligibility, AFileThatMayReplaceTestCaseLeavesACondition) {
  EXPECT_EQ(ask(facts("from torch.testing._internal.common_utils import NoTest, TestCase\n"
                      "if not TEST_CUDA:\n    TestCase = NoTest\n"
                      "class TestA(TestCase):\n    def test_a(self):\n        pass\n"),
                "cpu")
                .state,
            State::unknown);
}

TEST(TestsOf, OwnComeFirstAndAReplacedOneIsLeftOut) {
  analyzer::FileFacts file = facts(
      "class TestBase(TestCase):\n    def test_a(self):\n        pass\n    def test_b(self):\n        pass\n"
      "class TestA(TestBase):\n    def test_b(self):\n        pass\n    def test_b(self):\n        pass\n"
      "    test_c = test_b\n");
  std::vector<ClassTest> tests = FileClasses(file).tests_of(1);
  ASSERT_EQ(tests.size(), 3U);
  EXPECT_EQ(tests[0].name, "test_b");
  EXPECT_EQ(tests[0].line, 16);
  EXPECT_EQ(tests[1].name, "test_c");
  EXPECT_EQ(tests[2].name, "test_a");
  EXPECT_EQ(tests[2].owner_index, 0);
}

constexpr const char* kGiven = R"(
class TestBase(TestCase):
    def test_a(self):
        torch.ones(1).cuda()
    def test_c(self):
        pass
class TestD(TestBase):
    test_c = None
    def test_b(self):
        pass
)";

TEST(TestsOf, AValueTakesAwayWhatABaseHandsDown) {
  analyzer::FileFacts file = facts(kGiven);
  std::vector<ClassTest> tests = FileClasses(file).tests_of(1);
  ASSERT_EQ(tests.size(), 2U);
  EXPECT_EQ(tests[0].name, "test_b");
  EXPECT_EQ(tests[1].name, "test_a");
}

TEST(Eligibility, AnInheritedTestGoesByTheClassThatDefinesIt) {
  analyzer::FileFacts file = facts(kGiven);
  std::vector<ClassVerdict> verdicts = classify(file, builtin_vocabulary());
  std::vector<ClassTest> tests = FileClasses(file).tests_of(1);
  Eligibilities on_cuda(file, verdicts, {"cuda", builtin_vocabulary()});
  EXPECT_EQ(on_cuda.of(tests.at(0)).counted.category, Category::generic());
  EXPECT_EQ(on_cuda.of(tests.at(1)).counted.category, Category::device_generic());
  verdicts.at(1).declared = Category::of_device("cuda");
  EXPECT_EQ(on_cuda.of(tests.at(1)).counted.category, Category::of_device("cuda"));
}

TEST(FindTarget, AnIdIsReadAsWrittenAndAsPrinted) {
  analyzer::FileFacts file = facts(
      "class TestAdd(TestCase):\n    def test_add(self, device):\n        pass\n"
      "    def test_add_more(self, device):\n        pass\n"
      "class TestAddOther(TestCase):\n    def test_x(self, device):\n        pass\n"
      "class TestPlain(TestCase):\n    class Inner:\n        pass\n    def test_y(self):\n        pass\n"
      "def test_alone():\n    pass\n"
      "instantiate_device_type_tests(TestAdd, globals())\n"
      "instantiate_device_type_tests(TestAddOther, globals())\n");
  auto found = [&](const std::string& id) {
    return find_target(file, parse_test_id("test/test_x.py::" + id));
  };
  EXPECT_EQ(found("TestAdd").value().class_index, 0);
  Target generated = found("TestAddCUDA::test_add_more_cuda_float32").value();
  EXPECT_EQ(generated.class_index, 0);
  EXPECT_EQ(generated.test->name, "test_add_more");
  EXPECT_EQ(generated.device, "cuda");
  EXPECT_TRUE(generated.generated);
  EXPECT_EQ(found("TestAddOtherFAKEACC::test_x_fakeacc").value().device, "fakeacc");
  EXPECT_EQ(found("TestPlain::test_y[a::b]").value().test->name, "test_y");
  EXPECT_EQ(found("TestPlain::Inner").value().class_index, 3);
  EXPECT_EQ(found("test_alone").value().function_index, 0);
  EXPECT_THAT(found("TestPlane").error().hint, HasSubstr("TestPlain"));
  EXPECT_THAT(found("TestAdd::test_ad").error().hint, HasSubstr("test_add"));
  EXPECT_FALSE(found("").ok());
}

TEST(FindTarget, OfClassesWithOneNameTheOneThatHasTheTestIsMeant) {
  analyzer::FileFacts file = facts(
      "def a():\n    class TestX(TestCase):\n        def test_a(self):\n            pass\n"
      "def b():\n    class TestX(TestCase):\n        def test_b(self):\n            pass\n");
  EXPECT_EQ(find_target(file, parse_test_id("test/test_x.py::TestX::test_a")).value().class_index, 0);
  EXPECT_EQ(find_target(file, parse_test_id("test/test_x.py::TestX::test_b")).value().class_index, 1);
}

TEST(Condition, IsReadInThreeValues) {
  auto of_atom = [](std::string_view atom) {
    return atom == "yes" ? Truth::yes : atom == "no" ? Truth::no : Truth::unknown;
  };
  EXPECT_EQ(truth_of("yes and not no", of_atom), Truth::yes);
  EXPECT_EQ(truth_of("not (yes or what)", of_atom), Truth::no);
  EXPECT_EQ(truth_of("no or what", of_atom), Truth::unknown);
  EXPECT_EQ(truth_of("no and what", of_atom), Truth::no);
  EXPECT_EQ(truth_of("(yes) and (yes)", of_atom), Truth::yes);
  EXPECT_EQ(truth_of("yes if what else no", of_atom), Truth::unknown);
  EXPECT_EQ(truth_of("f(a or b, 'x and y')", of_atom), Truth::unknown);
  EXPECT_EQ(first_argument("skipIf(f(a, b) or \"x,\", 'no')", "condition"), "f(a, b) or \"x,\"");
  EXPECT_EQ(first_argument("skipIf(reason='no', condition=a)", "condition"), "a");
  EXPECT_EQ(first_argument("skipIf(a and b", "condition"), std::nullopt);
  EXPECT_EQ(number_comparison("count() >= 2")->left, "count()");
  EXPECT_FALSE(number_comparison("version < (8, 0)"));
}

}  // namespace
}  // namespace hwsift::classifier
