#include "classifier/variants.h"

#include <gtest/gtest.h>

#include "analyzer/python/analyze.h"

namespace hwsift::classifier {
namespace {

using analyzer::FileFacts;
using State = Variant::State;

FileFacts facts_of(const std::string& source) {
  return analyzer::analyze_python("test/test_x.py", source, builtin_vocabulary().lexicon());
}

// A template TestAdd and the calls that follow it.
FileFacts template_with(const std::string& calls) {
  return facts_of(
      "from torch.testing._internal.common_device_type import instantiate_device_type_tests\n"
      "class TestAdd(TestCase):\n"
      "    def test_add(self, device):\n"
      "        pass\n" +
      calls);
}

Variant variant(const std::string& arguments, const std::string& device) {
  FileFacts file = template_with("instantiate_device_type_tests(TestAdd, globals()" + arguments + ")\n");
  return variant_for(file, file.classes.at(0), device, builtin_vocabulary());
}

State state(const std::string& arguments, const std::string& device) {
  return variant(arguments, device).state;
}
std::string reason(const std::string& arguments, const std::string& device) {
  return variant(arguments, device).reason;
}

TEST(Variants, ATemplateIsAClassThatACallInstantiates) {
  FileFacts file = template_with(
      "class TestOther(TestCase):\n    def test_a(self): pass\n"
      "instantiate_device_type_tests(TestAdd, globals())\n");
  EXPECT_TRUE(is_template(file, file.classes.at(0)));
  EXPECT_FALSE(is_template(file, file.classes.at(1)));
  Variant none = variant_for(file, file.classes.at(1), "cpu", builtin_vocabulary());
  EXPECT_EQ(none.state, State::absent);
  EXPECT_EQ(none.reason, "nothing instantiates TestOther");
}

TEST(Variants, NamesTheClassAndTheLineOfTheCall) {
  Variant cuda = variant("", "cuda");
  EXPECT_EQ(cuda.state, State::generated);
  EXPECT_EQ(cuda.class_name, "TestAddCUDA");
  EXPECT_EQ(cuda.device, "cuda");
  EXPECT_EQ(cuda.reason, "");
  EXPECT_EQ(cuda.line, 5);
}

TEST(Variants, CpuCudaAndHpuAreAlwaysMade) {
  EXPECT_EQ(state("", "cpu"), State::generated);
  EXPECT_EQ(state("", "cuda"), State::generated);
  EXPECT_EQ(state("", "hpu"), State::generated);
}

TEST(Variants, MpsAndXpuNeedTheirFlag) {
  EXPECT_EQ(reason("", "xpu"), "allow_xpu is missing");
  EXPECT_EQ(reason(", allow_xpu=True", "mps"), "allow_mps is missing");
  EXPECT_EQ(state(", allow_xpu=True", "xpu"), State::generated);
  EXPECT_EQ(state(", allow_mps=True", "mps"), State::generated);
  EXPECT_EQ(state(", allow_xpu=False", "xpu"), State::absent);
  EXPECT_EQ(state(", allow_xpu=FLAG", "xpu"), State::unknown);
  EXPECT_EQ(reason(", allow_xpu=FLAG", "xpu"), "allow_xpu is not a literal");
}

TEST(Variants, OnlyForXpuWithoutItsFlagMakesNothing) {
  EXPECT_EQ(reason(", only_for='xpu'", "xpu"), "allow_xpu is missing");
  EXPECT_EQ(reason(", only_for='xpu'", "cpu"), "only_for is xpu");
}

TEST(Variants, OnlyForKeepsAndExceptForDrops) {
  EXPECT_EQ(state(", only_for=('cuda',)", "cuda"), State::generated);
  EXPECT_EQ(reason(", only_for=('cuda', 'xpu')", "cpu"), "only_for is cuda, xpu");
  EXPECT_EQ(reason(", except_for=['cpu']", "cpu"), "except_for is cpu");
  EXPECT_EQ(state(", except_for=['cpu']", "cuda"), State::generated);
  EXPECT_EQ(state(", None, 'cuda'", "cpu"), State::absent) << "positions count: except_for, only_for";
}

TEST(Variants, AnEmptyFilterFiltersNothing) {
  for (const char* filter : {"None", "''", "[]", "()"}) {
    EXPECT_EQ(state(std::string(", only_for=") + filter, "cpu"), State::generated) << filter;
    EXPECT_EQ(state(std::string(", except_for=") + filter, "cuda"), State::generated) << filter;
  }
}

TEST(Variants, AStrIsTestedBySubstringAListIsNot) {
  EXPECT_EQ(state(", only_for='cpu,cuda'", "cuda"), State::generated);
  EXPECT_EQ(state(", only_for='xcpux'", "cpu"), State::generated);
  EXPECT_EQ(state(", only_for=('cpu')", "cpu"), State::generated);
  EXPECT_EQ(state(", only_for=('xcpux',)", "cpu"), State::absent);
  EXPECT_EQ(state(", except_for='cuda:0'", "cuda"), State::absent);
}

TEST(Variants, OverlappingFiltersAreRefusedByTheFramework) {
  EXPECT_EQ(reason(", except_for=['cpu'], only_for=['cpu', 'cuda']", "cuda"),
            "except_for and only_for overlap, which the framework refuses");
  EXPECT_EQ(state(", except_for='cpu', only_for='cuda'", "cuda"), State::absent)
      << "two str overlap by characters";
  EXPECT_EQ(state(", except_for='cpu', only_for=['cuda']", "cuda"), State::generated);
}

TEST(Variants, AFilterThatIsNoLiteralLeavesItOpen) {
  Variant open = variant(", only_for=DEVICES", "cuda");
  EXPECT_EQ(open.state, State::unknown);
  EXPECT_EQ(open.reason, "only_for is not a literal: DEVICES");
  EXPECT_EQ(state(", except_for=DEVICES, only_for='cpu'", "cuda"), State::absent) << "only_for decides";
  EXPECT_EQ(state(", except_for='cpu' if IS_MACOS else None", "cpu"), State::unknown);
  EXPECT_EQ(state(", only_for=DEVICES", "xpu"), State::absent) << "without allow_xpu nothing is open";
}

TEST(Variants, LazyJoinsAfterTheFilter) {
  EXPECT_EQ(reason("", "lazy"), "include_lazy is missing");
  EXPECT_EQ(state(", include_lazy=True", "lazy"), State::generated);
  EXPECT_EQ(state(", only_for='cpu', include_lazy=True", "lazy"), State::generated);
}

TEST(Variants, MetaIsAWordOfFiltersOnly) {
  EXPECT_EQ(reason(", only_for='meta'", "meta"), "the framework makes no variant for meta");
  EXPECT_EQ(state("", "mtia"), State::absent);
}

TEST(Variants, AnUnknownDeviceIsABackendBehindPrivateUse1) {
  EXPECT_EQ(state("", "fakeacc"), State::generated);
  EXPECT_EQ(variant("", "fakeacc").class_name, "TestAddFAKEACC");
  EXPECT_EQ(state("", "privateuse1"), State::generated);
  for (const char* device : {"fakeacc", "npu"}) {
    EXPECT_EQ(state(", only_for='privateuse1'", device), State::generated) << device;
    EXPECT_EQ(state(", except_for=['privateuse1']", device), State::absent) << device;
  }
  EXPECT_EQ(state(", only_for='fakeacc'", "fakeacc"), State::generated);
  EXPECT_EQ(state(", only_for='fakeacc'", "npu"), State::absent);
  EXPECT_EQ(state(", only_for='cuda'", "fakeacc"), State::absent);
}

TEST(Variants, OfSeveralCallsTheFirstThatMakesItCounts) {
  FileFacts file = template_with(
      "instantiate_device_type_tests(TestAdd, globals(), only_for='cuda')\n"
      "instantiate_device_type_tests(TestAdd, globals(), only_for=DEVICES)\n"
      "instantiate_device_type_tests(TestAdd, globals(), only_for='cpu')\n");
  auto of = [&](const std::string& device) {
    return variant_for(file, file.classes.at(0), device, builtin_vocabulary());
  };
  EXPECT_EQ(of("cuda").line, 5);
  EXPECT_EQ(of("cpu").line, 7);
  EXPECT_EQ(of("hpu").state, State::unknown);
  EXPECT_EQ(of("hpu").line, 6);
}

TEST(Variants, AClassThatALoopInstantiatesIsATemplate) {
  FileFacts file = template_with(
      "for cls in (TestAdd,):\n    instantiate_device_type_tests(cls, globals(), except_for='cpu')\n");
  EXPECT_EQ(variant_for(file, file.classes.at(0), "cuda", builtin_vocabulary()).state, State::generated);
  EXPECT_EQ(variant_for(file, file.classes.at(0), "cpu", builtin_vocabulary()).state, State::absent);
}

bool expands_with(const std::string& decorator) {
  FileFacts file =
      facts_of("class TestX(TestCase):\n    " + decorator + "\n    def test_a(self, device): pass\n");
  return expands(file.classes.at(0).methods.at(0));
}

TEST(Expands, ParametrizersMakeSeveralTestsOfOne) {
  for (const char* decorator :
       {"@ops(op_db)", "@modules(module_db)", "@optims(optim_db)", "@dtypes(torch.float)",
        "@parametrize('x', [1])", "@common_utils.parametrize('x', [1])", "@parametrize_test('x', [1])",
        "@dtypesIfCUDA(torch.half)", "@reparametrize(a, b)",
        "@decorateIf(unittest.skip('x'), lambda p: True)", "@swap([True, False])",
        "@pytest.mark.parametrize('x', [1])", "@parameterized.expand([1])", "@all_layouts()"})
    EXPECT_TRUE(expands_with(decorator)) << decorator;
}

TEST(Expands, OthersDoNot) {
  for (const char* decorator : {"@onlyCUDA", "@skipCUDAIf(True, 'x')", "@unittest.skipIf(True, 'x')",
                                "@requires_gpu()", "@with_comms", "@slowTest", "@torch.no_grad()",
                                "@unittest.expectedFailure", "@largeTensorTest('2GB')"})
    EXPECT_FALSE(expands_with(decorator)) << decorator;
}

}  // namespace
}  // namespace hwsift::classifier
