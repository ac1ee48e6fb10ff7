#include "runner/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "analyzer/python/analyze.h"
#include "tests/fake_disk.h"

namespace hwsift::runner {
namespace {

using classifier::Category;
using classifier::ClassVerdict;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

constexpr const char* kImports = R"(
import unittest
import pytest
from torch.testing._internal.common_utils import TestCase, parametrize
from torch.testing._internal.common_device_type import dtypes, instantiate_device_type_tests, ops
)";

analyzer::FileFacts facts(const std::string& source, const std::string& path = "test/test_x.py") {
  return analyzer::analyze_python(path, kImports + source, classifier::builtin_vocabulary().lexicon());
}

// A verdict for each class with tests: `category` for all, declared or inferred.
std::vector<ClassVerdict> verdicts(const analyzer::FileFacts& file, const Category& category,
                                   bool declared = false) {
  std::vector<ClassVerdict> result;
  for (std::size_t i = 0; i < file.classes.size(); ++i) {
    ClassVerdict verdict;
    verdict.path = file.path;
    verdict.name = file.classes[i].name;
    verdict.class_index = static_cast<int>(i);
    verdict.inferred = category;
    if (declared) verdict.declared = category;
    result.push_back(verdict);
  }
  return result;
}

Selection select_one(const analyzer::FileFacts& file, const std::vector<ClassVerdict>& of_classes,
                     const std::string& device) {
  return select({file}, {of_classes}, {{device, classifier::builtin_vocabulary()}});
}

std::vector<std::string> ids(const Selection& selection) {
  std::vector<std::string> all;
  for (const SelectedTest& test : selection.tests) all.push_back(test.id);
  return all;
}

constexpr const char* kTemplate = R"(
class TestAdd(TestCase):
    def test_add(self, device):
        pass

    @dtypes(torch.float)
    def test_types(self, device, dtype):
        pass

instantiate_device_type_tests(TestAdd, globals())
)";

TEST(Select, ATemplateBecomesItsVariantAndParametrizedNamesExpand) {
  analyzer::FileFacts file = facts(kTemplate);
  Selection cpu = select_one(file, verdicts(file, Category::device_generic()), "cpu");
  EXPECT_THAT(ids(cpu), ElementsAre("test/test_x.py::TestAddCPU::test_add_cpu",
                                    "test/test_x.py::TestAddCPU::test_types"));
  EXPECT_FALSE(cpu.tests[0].expands);
  EXPECT_TRUE(cpu.tests[1].expands);
  EXPECT_EQ(cpu.tests[0].cls, "TestAdd");
  EXPECT_EQ(cpu.tests[0].run_class, "TestAddCPU");
  EXPECT_EQ(cpu.tests[0].method, "test_add");
  EXPECT_THAT(cpu.files, ElementsAre("test/test_x.py"));
  Selection cuda = select_one(file, verdicts(file, Category::device_generic()), "cuda");
  EXPECT_THAT(ids(cuda), ElementsAre("test/test_x.py::TestAddCUDA::test_add_cuda",
                                     "test/test_x.py::TestAddCUDA::test_types"));
}

TEST(Select, AFilterThatLeavesTheDeviceOutIsTheReason) {
  analyzer::FileFacts file = facts(R"(
class TestNv(TestCase):
    def test_a(self, device):
        pass

instantiate_device_type_tests(TestNv, globals(), only_for="cuda")
)");
  Selection cpu = select_one(file, verdicts(file, Category::device_generic()), "cpu");
  EXPECT_THAT(ids(cpu), IsEmpty());
  EXPECT_THAT(cpu.files, IsEmpty());
  EXPECT_THAT(cpu.not_selected, ElementsAre(Pair("not instantiated for cpu: only_for is cuda",
                                                 ElementsAre("test/test_x.py::TestNv::test_a"))));
}

TEST(Select, AFilterThatCannotBeReadMayLetTheDevicePass) {
  analyzer::FileFacts file = facts(R"(
class TestAny(TestCase):
    def test_a(self, device):
        pass

instantiate_device_type_tests(TestAny, globals(), only_for=devices())
)");
  EXPECT_THAT(ids(select_one(file, verdicts(file, Category::device_generic()), "cpu")),
              ElementsAre("test/test_x.py::TestAnyCPU::test_a_cpu"));
}

TEST(Select, LazyVariantsRunOnACpu) {
  analyzer::FileFacts file = facts(R"(
class TestView(TestCase):
    def test_a(self, device):
        pass

instantiate_device_type_tests(TestView, globals(), include_lazy=True)
)");
  std::vector<ClassVerdict> generic = verdicts(file, Category::device_generic());
  EXPECT_THAT(
      ids(select_one(file, generic, "cpu")),
      ElementsAre("test/test_x.py::TestViewCPU::test_a_cpu", "test/test_x.py::TestViewLAZY::test_a_lazy"));
  EXPECT_THAT(ids(select_one(file, generic, "cuda")),
              ElementsAre("test/test_x.py::TestViewCUDA::test_a_cuda"));
}

constexpr const char* kPlain = R"(
class TestPlain(TestCase):
    def test_a(self):
        pass

    def helper(self):
        pass
)";

TEST(Select, CategoriesGoToTheirDevices) {
  analyzer::FileFacts file = facts(kPlain);
  auto selected = [&](const Category& category, const std::string& device) {
    return !select_one(file, verdicts(file, category), device).tests.empty();
  };
  EXPECT_TRUE(selected(Category::generic(), "cpu"));
  EXPECT_FALSE(selected(Category::generic(), "cuda"));
  EXPECT_TRUE(selected(Category::device_generic(), "cpu")) << "it picks its device itself";
  EXPECT_TRUE(selected(Category::device_generic(), "xpu"));
  EXPECT_TRUE(selected(Category::of_device("cuda"), "cuda"));
  EXPECT_FALSE(selected(Category::of_device("cuda"), "cpu"));
  EXPECT_FALSE(selected(Category::of_device("cpu"), "cuda"));
}

TEST(Select, TheReasonTellsALabelFromAGuess) {
  analyzer::FileFacts file = facts(kPlain);
  Category cuda = Category::of_device("cuda");
  EXPECT_THAT(select_one(file, verdicts(file, cuda, true), "cpu").not_selected,
              ElementsAre(Pair("category CUDA", ElementsAre("test/test_x.py::TestPlain::test_a"))));
  EXPECT_THAT(select_one(file, verdicts(file, cuda), "cpu").not_selected,
              ElementsAre(Pair("needs CUDA", ElementsAre("test/test_x.py::TestPlain::test_a"))));
}

TEST(Select, OfAMixedClassEachMethodCounts) {
  analyzer::FileFacts file = facts(R"(
class TestMixed(TestCase):
    def test_logic(self):
        pass

    def test_kernel(self):
        pass
)");
  std::vector<ClassVerdict> mixed = verdicts(file, Category::of_device("cuda"));
  mixed[0].mixed = true;
  mixed[0].methods = {{"test_logic", file.classes[0].methods[0].line, Category::generic(), {}},
                      {"test_kernel", file.classes[0].methods[1].line, Category::of_device("cuda"), {}}};
  EXPECT_THAT(ids(select_one(file, mixed, "cpu")), ElementsAre("test/test_x.py::TestMixed::test_logic"));
  EXPECT_THAT(ids(select_one(file, mixed, "cuda")), ElementsAre("test/test_x.py::TestMixed::test_kernel"));
  mixed[0].declared = Category::generic();
  EXPECT_EQ(select_one(file, mixed, "cpu").tests.size(), 2u) << "a label decides for all";
}

TEST(Select, WhatPytestDoesNotCollectIsNamed) {
  analyzer::FileFacts file = facts(R"(
class Mixin:
    def test_mixin(self):
        pass

class TestWithInit:
    def __init__(self):
        pass
    def test_init(self):
        pass

class TestOuter(TestCase):
    class TestInner(TestCase):
        def test_inner(self):
            pass

def make():
    class TestLocal(TestCase):
        def test_local(self):
            pass

class TestTwice(TestCase):
    def test_first(self):
        pass

class TestTwice(TestCase):
    def test_second(self):
        pass

class TestPlainClass:
    def test_collected(self):
        pass

class TestDerived(Mixin, TestCase):
    def test_own(self):
        pass
)");
  Selection cpu = select_one(file, verdicts(file, Category::generic()), "cpu");
  EXPECT_THAT(
      ids(cpu),
      ElementsAre("test/test_x.py::TestDerived::test_mixin", "test/test_x.py::TestTwice::test_second",
                  "test/test_x.py::TestPlainClass::test_collected", "test/test_x.py::TestDerived::test_own"));
  std::vector<std::string> reasons;
  for (const auto& [reason, all] : cpu.not_selected) reasons.push_back(reason);
  EXPECT_THAT(reasons, UnorderedElementsAre("not collected: a mixin, no test class of its own",
                                            "not collected: a plain class with __init__",
                                            "not collected: the class stands in another class",
                                            "not collected: the class stands in a function",
                                            "not collected: a later class has the same name"));
}

TEST(Select, PytestLooksForClassesInItsOwnKindOfClass) {
  analyzer::FileFacts file = facts(R"(
class TestOuter:
    class TestInner:
        def test_in(self): pass
    class TestUnit(TestCase):
        def test_unit(self): pass
    class Helper:
        def test_no(self): pass

class TestCases(TestCase):
    class TestInner:
        def test_in(self): pass

class Plain:
    class TestInner:
        def test_in(self): pass
)");
  Selection cpu = select_one(file, verdicts(file, Category::generic()), "cpu");
  EXPECT_THAT(ids(cpu), UnorderedElementsAre("test/test_x.py::TestOuter::TestInner::test_in",
                                             "test/test_x.py::TestOuter::TestUnit::test_unit"));
}

TEST(Select, OfAMixinWhatFitsTheDeviceIsThereToBeInherited) {
  analyzer::FileFacts file = facts("class Mixin:\n    def test_m(self): pass\n");
  Selection fits = select_one(file, verdicts(file, Category::generic()), "cpu");
  EXPECT_THAT(fits.inheritable, ElementsAre("test/test_x.py::Mixin::test_m"));
  Selection misfit = select_one(file, verdicts(file, Category::of_device("cuda")), "cpu");
  EXPECT_THAT(misfit.inheritable, IsEmpty());
  EXPECT_EQ(misfit.not_selected.count("needs CUDA"), 1u);
}

TEST(Select, AnInheritedTestStandsInEachClassThatHasIt) {
  analyzer::FileFacts file = facts(R"(
class TestBase(TestCase):
    def test_a(self): pass

class TestD(TestBase):
    def test_b(self, device): pass

class TestE(TestBase):
    def test_a(self): pass

instantiate_device_type_tests(TestD, globals())
)");
  std::vector<ClassVerdict> judged = verdicts(file, Category::generic());
  judged[0].inferred = Category::of_device("cuda");
  judged[1].inferred = Category::device_generic();
  Selection cuda = select_one(file, judged, "cuda");
  EXPECT_THAT(ids(cuda), ElementsAre("test/test_x.py::TestBase::test_a", "test/test_x.py::TestDCUDA::test_a",
                                     "test/test_x.py::TestDCUDA::test_b_cuda"));
  EXPECT_EQ(cuda.tests[1].category, Category::of_device("cuda"));
  Selection cpu = select_one(file, judged, "cpu");
  EXPECT_THAT(cpu.not_selected,
              UnorderedElementsAre(Pair("needs CUDA", ElementsAre("test/test_x.py::TestBase::test_a",
                                                                  "test/test_x.py::TestDCPU::test_a"))));
}

TEST(Select, BasesThatRunInACircleAreNoTestClass) {
  analyzer::FileFacts file =
      facts("class A(B):\n    def test_a(self): pass\nclass B(A):\n    def test_b(self): pass\n");
  EXPECT_THAT(ids(select_one(file, verdicts(file, Category::generic()), "cpu")), IsEmpty());
}

TEST(Select, ANameThatIsBoundTwiceIsOneTest) {
  analyzer::FileFacts file = facts(R"(
if unittest:
    class TestA(TestCase):
        def test_a(self):
            pass
else:
    class TestA(TestCase):
        def test_a(self):
            pass
)");
  EXPECT_THAT(ids(select_one(file, verdicts(file, Category::generic()), "cpu")),
              ElementsAre("test/test_x.py::TestA::test_a"));
}

TEST(Select, FunctionsAreTestsByTheirConditions) {
  analyzer::FileFacts file = facts(R"(
import torch

def test_plain():
    pass

@pytest.mark.parametrize("x", [1, 2])
def test_many(x):
    pass

@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA")
def test_on_cuda():
    pass

def helper():
    pass
)");
  Selection cpu = select_one(file, {}, "cpu");
  EXPECT_THAT(ids(cpu), ElementsAre("test/test_x.py::test_plain", "test/test_x.py::test_many"));
  EXPECT_TRUE(cpu.tests[1].expands);
  EXPECT_THAT(ids(select_one(file, {}, "cuda")), ElementsAre("test/test_x.py::test_on_cuda"));
}

TEST(Select, FilesThatPytestDoesNotTakeAreLeftOut) {
  analyzer::FileFacts file = facts(kPlain, "test/helpers.py");
  Selection cpu = select_one(file, verdicts(file, Category::generic()), "cpu");
  EXPECT_THAT(cpu.tests, IsEmpty());
  EXPECT_EQ(cpu.not_selected.count("not collected: the file is no test_*.py or *_test.py"), 1u);
}

TEST(Select, TheOrderOfFilesDoesNotMatter) {
  analyzer::FileFacts a = facts(kPlain, "test/test_a.py");
  analyzer::FileFacts b = facts(kPlain, "test/test_b.py");
  std::vector<ClassVerdict> of_a = verdicts(a, Category::generic());
  std::vector<ClassVerdict> of_b = verdicts(b, Category::generic());
  const classifier::Vocabulary& vocabulary = classifier::builtin_vocabulary();
  EXPECT_EQ(ids(select({a, b}, {of_a, of_b}, {{"cpu", vocabulary}})),
            ids(select({b, a}, {of_b, of_a}, {{"cpu", vocabulary}})));
}

TEST(Select, AnUnknownDeviceIsAPrivateUse1Backend) {
  analyzer::FileFacts file = facts(kTemplate);
  EXPECT_THAT(ids(select_one(file, verdicts(file, Category::device_generic()), "fakeacc")),
              ElementsAre("test/test_x.py::TestAddPRIVATEUSE1::test_add_fakeacc",
                          "test/test_x.py::TestAddPRIVATEUSE1::test_types"));
}

constexpr const char* kSkipped = R"(
from torch.testing._internal.common_device_type import onlyCUDA
class TestAdd(TestCase):
    def test_add(self, device):
        pass
    @onlyCUDA
    def test_graph(self, device):
        pass
    @unittest.skip("broken")
    def test_broken(self, device):
        pass
instantiate_device_type_tests(TestAdd, globals())
)";

TEST(Select, WhatIsSkippedThereForSureIsNotSelected) {
  analyzer::FileFacts file = facts(kSkipped);
  std::vector<ClassVerdict> of_classes = verdicts(file, Category::device_generic());
  Selection on_cpu = select_one(file, of_classes, "cpu");
  EXPECT_THAT(ids(on_cpu), ElementsAre("test/test_x.py::TestAddCPU::test_add_cpu",
                                       "test/test_x.py::TestAddCPU::test_broken_cpu"))
      << "what is skipped on every machine stays, and its report says so";
  EXPECT_THAT(on_cpu.not_selected,
              ElementsAre(Pair("skipped on cpu: CUDA alone may run it, says onlyCUDA",
                               ElementsAre("test/test_x.py::TestAddCPU::test_graph_cpu"))));
  EXPECT_EQ(select_one(file, of_classes, "cuda").tests.size(), 3u);
  SelectOptions all{{"cpu", classifier::builtin_vocabulary()}};
  all.every_category = true;
  EXPECT_EQ(select({file}, {of_classes}, all).tests.size(), 3u) << "it exists";
}

TEST(Select, TheNumberOfDevicesCounts) {
  analyzer::FileFacts file = facts(R"(
from torch.testing._internal.common_cuda import TEST_MULTIGPU
class TestMany(TestCase):
    @unittest.skipIf(not TEST_MULTIGPU, "two")
    def test_two(self):
        pass
)");
  std::vector<ClassVerdict> of_classes = verdicts(file, Category::of_device("cuda"));
  auto with = [&](std::optional<int> count) {
    classifier::Machine machine{"cuda", classifier::builtin_vocabulary(), count};
    return select({file}, {of_classes}, {machine}).tests.size();
  };
  EXPECT_EQ(with(1), 0u);
  EXPECT_EQ(with(2), 1u);
  EXPECT_EQ(with(std::nullopt), 1u) << "nobody knows";
  classifier::Machine two{"cuda", classifier::builtin_vocabulary(), 2};
  EXPECT_TRUE(select({file}, {of_classes}, {two}).tests.at(0).several_devices);
  EXPECT_FALSE(select_one(facts(kPlain), verdicts(facts(kPlain), Category::device_generic()), "cuda")
                   .tests.at(0)
                   .several_devices);
}

Selection select_with(const std::string& device, const std::function<void(SelectOptions&)>& change) {
  static const analyzer::FileFacts file = facts(R"(
class TestLabelled(TestCase):
    def test_l(self):
        pass
class TestPlain(TestCase):
    def test_p(self):
        pass
class TestNv(TestCase):
    def test_n(self):
        pass
)");
  std::vector<ClassVerdict> of_classes = verdicts(file, Category::generic());
  of_classes[0].declared = Category::device_generic();
  of_classes[2].inferred = Category::of_device("cuda");
  SelectOptions options{{device, classifier::builtin_vocabulary()}};
  change(options);
  return select({file}, {of_classes}, options);
}

std::vector<std::string> methods(const Selection& selection) {
  std::vector<std::string> all;
  for (const SelectedTest& test : selection.tests) all.push_back(test.method);
  return all;
}

TEST(Select, CategoriesThatAreAskedForReplaceThoseOfTheDevice) {
  EXPECT_THAT(methods(select_with("cpu", [](SelectOptions&) {})), ElementsAre("test_l", "test_p"));
  Selection generic = select_with("cuda", [](SelectOptions& o) { o.categories = {"GENERIC", "CPU"}; });
  EXPECT_THAT(methods(generic), ElementsAre("test_p"));
  EXPECT_THAT(generic.not_selected,
              UnorderedElementsAre(Pair("category DEVICE_GENERIC: --hw is GENERIC, CPU", testing::SizeIs(1)),
                                   Pair("inferred CUDA: --hw is GENERIC, CPU", testing::SizeIs(1))));
  EXPECT_THAT(methods(select_with("cpu", [](SelectOptions& o) { o.every_category = true; })),
              ElementsAre("test_l", "test_p", "test_n"));
}

TEST(Select, ClassesWithoutALabelAreTakenByTheirSourceOrAllOrNone) {
  Selection without = select_with("cpu", [](SelectOptions& o) { o.unclassified = Unclassified::exclude; });
  EXPECT_THAT(methods(without), ElementsAre("test_l"));
  EXPECT_THAT(without.not_selected, ElementsAre(Pair("unclassified: it has no label", testing::SizeIs(2))));
  EXPECT_THAT(methods(select_with("cpu", [](SelectOptions& o) { o.unclassified = Unclassified::include; })),
              ElementsAre("test_l", "test_p", "test_n"));
}

// What pytest collects of a module that takes classes of other modules: test_all.py imports from
// jit/test_a.py.
TEST(Select, ImportedClassesRunWhereTheyAreImported) {
  FakeDisk disk;
  disk.files["/tree/test/jit/test_a.py"] = std::string(kImports) + R"(
class TestA(TestCase):
    def test_a(self):
        pass
class TestAdd(TestCase):
    def test_add(self, device):
        pass
class TestSub(TestCase):
    def test_sub(self, device):
        pass
class Helper:
    def test_no(self):
        pass
instantiate_device_type_tests(TestAdd, globals())
instantiate_device_type_tests(TestSub, globals())
)";
  const classifier::Vocabulary& vocabulary = classifier::builtin_vocabulary();
  analyzer::TreeIndex index(disk, "/tree", vocabulary.lexicon(), {});
  auto ids_of = [&](const std::string& imports) {
    analyzer::FileFacts file = facts(imports, "test/test_all.py");
    SelectOptions options{{"cpu", vocabulary}};
    options.index = &index;
    return ids(select({file}, {classifier::classify(file, vocabulary)}, options));
  };
  EXPECT_THAT(ids_of("from jit.test_a import TestA as TestRenamed, TestAddCPU, Helper\n"),
              UnorderedElementsAre("test/test_all.py::TestRenamed::test_a",
                                   "test/test_all.py::TestAddCPU::test_add_cpu"));
  EXPECT_THAT(
      ids_of("from jit.test_a import *\n"),
      UnorderedElementsAre("test/test_all.py::TestA::test_a", "test/test_all.py::TestAddCPU::test_add_cpu",
                           "test/test_all.py::TestSubCPU::test_sub_cpu"));
}

TEST(Select, AClassThatTheModuleDeletesAgainIsNotCollected) {
  analyzer::FileFacts file = facts(R"(
class TestBase(TestCase):
    def test_b(self):
        pass
class TestReal(TestBase):
    pass
del TestBase
)");
  Selection selection = select_one(file, classifier::classify(file, classifier::builtin_vocabulary()), "cpu");
  EXPECT_THAT(ids(selection), ElementsAre("test/test_x.py::TestReal::test_b"));
  EXPECT_THAT(selection.not_selected,
              ElementsAre(Pair("not collected: deleted again at the end of the module",
                               ElementsAre("test/test_x.py::TestBase::test_b"))));
}

TEST(Select, AClassOfWhichNothingIsLeftIsNamed) {
  Selection selection = select_with("cuda", [](SelectOptions&) {});
  std::vector<LeftOutClass> classes = left_out_classes(selection);
  ASSERT_EQ(classes.size(), 1u);
  EXPECT_EQ(classes[0].id, "test/test_x.py::TestPlain");
  EXPECT_EQ(classes[0].tests, 1u);
  EXPECT_EQ(classes[0].reason, "inferred GENERIC: runs on a CPU");
}

TEST(Select, WhereaboutsAreToldByEitherName) {
  analyzer::FileFacts file = facts(kSkipped);
  Selection selection = select_one(file, verdicts(file, Category::device_generic()), "cpu");
  for (const char* id : {"test/test_x.py::TestAddCPU::test_add_cpu", "test/test_x.py::TestAdd::test_add"}) {
    Whereabouts found = whereabouts(selection, id);
    EXPECT_EQ(found.selected.size(), 1u) << id;
    EXPECT_THAT(found.not_selected, IsEmpty()) << id;
  }
  EXPECT_EQ(whereabouts(selection, "test/test_x.py::TestAdd::test_graph").not_selected.size(), 1u);
  EXPECT_EQ(whereabouts(selection, "test/test_x.py::TestAdd").selected.size(), 2u);
  EXPECT_EQ(whereabouts(selection, "test/test_x.py").selected.size(), 2u);
  EXPECT_THAT(whereabouts(selection, "test/test_x.py::TestAdd::test_a").selected, IsEmpty()) << "no prefix";
}

}  // namespace
}  // namespace hwsift::runner
