// The rules of the decision on facts made by hand, so that each condition stands alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "classifier/classify.h"
#include "classifier/signals.h"
#include "classifier/split.h"

namespace hwsift::classifier {
namespace {

using analyzer::Class;
using analyzer::FileFacts;
using analyzer::Label;
using analyzer::Method;
using analyzer::Polarity;
using analyzer::Role;
using analyzer::Use;
using analyzer::UseKind;
using testing::ElementsAre;
using testing::IsEmpty;

Method test_method(const std::string& name, int line) {
  Method method;
  method.name = name;
  method.line = line;
  method.is_test = name.substr(0, 4) == "test";
  return method;
}

// One class TestX at line 1 with the methods at lines 10, 20 ...
FileFacts file_with(const std::vector<std::string>& methods) {
  FileFacts file;
  file.path = "test/test_x.py";
  Class cls;
  cls.name = "TestX";
  cls.line = 1;
  int line = 0;
  for (const std::string& name : methods) cls.methods.push_back(test_method(name, line += 10));
  file.classes.push_back(cls);
  return file;
}

Use use_of(UseKind kind, const std::string& symbol, std::vector<std::string> devices, Role role) {
  Use use;
  use.kind = kind;
  use.symbol = symbol;
  use.devices = std::move(devices);
  use.role = role;
  use.line = 11;
  use.class_index = 0;
  use.method_index = 0;
  return use;
}

Use literal(const std::string& device, Role role) {
  return use_of(UseKind::device_literal, device, {device}, role);
}
Use api(const std::string& symbol) { return use_of(UseKind::api, symbol, {"cuda"}, Role::other); }

ClassVerdict verdict_of(const FileFacts& file) {
  std::vector<ClassVerdict> verdicts = classify(file, builtin_vocabulary());
  EXPECT_EQ(verdicts.size(), 1u);
  return verdicts.at(0);
}

std::string category_with(const Use& use) {
  FileFacts file = file_with({"test_a"});
  file.uses.push_back(use);
  return verdict_of(file).inferred.name();
}

TEST(Decision, NothingSaidIsGenericWithoutEvidence) {
  ClassVerdict verdict = verdict_of(file_with({"test_a"}));
  EXPECT_EQ(verdict.inferred.name(), "GENERIC");
  EXPECT_FALSE(verdict.mixed);
  EXPECT_THAT(verdict.evidence, IsEmpty());
  EXPECT_EQ(verdict.path, "test/test_x.py");
  EXPECT_EQ(verdict.class_index, 0);
}

TEST(Decision, EvidenceNamesLineSymbolAndMethod) {
  FileFacts file = file_with({"test_a"});
  file.uses.push_back(api("torch.cuda.CUDAGraph"));
  ClassVerdict verdict = verdict_of(file);
  EXPECT_EQ(verdict.inferred.name(), "CUDA");
  ASSERT_EQ(verdict.evidence.size(), 1u);
  EXPECT_EQ(verdict.evidence[0].line, 11);
  EXPECT_EQ(verdict.evidence[0].symbol, "torch.cuda.CUDAGraph");
  EXPECT_EQ(verdict.evidence[0].says, "is about CUDA alone");
  EXPECT_EQ(verdict.evidence[0].method, "test_a");
}

TEST(Decision, ALiteralCountsByItsRole) {
  for (Role role : {Role::device_argument, Role::assigned, Role::parametrized, Role::element, Role::argument})
    EXPECT_EQ(category_with(literal("cuda", role)), "DEVICE_GENERIC") << word(role);
  for (Role role : {Role::compared, Role::key, Role::other, Role::condition})
    EXPECT_EQ(category_with(literal("cuda", role)), "GENERIC") << word(role);
}

TEST(Decision, TextHandedToAnAssertionIsData) {
  Use use = literal("cuda", Role::argument);
  use.callee = "self.assertEqual";
  EXPECT_EQ(category_with(use), "GENERIC");
  use.callee = "self._run_on";
  EXPECT_EQ(category_with(use), "DEVICE_GENERIC");
}

TEST(Decision, CpuAndMetaAsVehiclesSayNothing) {
  EXPECT_EQ(category_with(literal("cpu", Role::device_argument)), "GENERIC");
  EXPECT_EQ(category_with(literal("meta", Role::device_argument)), "GENERIC");
}

TEST(Decision, CudaIsNamedByHabitOthersAreMeant) {
  EXPECT_EQ(category_with(literal("cuda", Role::device_argument)), "DEVICE_GENERIC");
  EXPECT_EQ(category_with(literal("xpu", Role::device_argument)), "XPU");
  EXPECT_EQ(category_with(literal("mps", Role::device_argument)), "MPS");
  EXPECT_EQ(category_with(literal("npu", Role::device_argument)), "DEVICE_GENERIC")
      << "has no category of its own";
}

TEST(Decision, SeveralAcceleratorsMeanNoneOfThem) {
  FileFacts file = file_with({"test_a"});
  file.uses.push_back(literal("xpu", Role::element));
  file.uses.push_back(literal("cuda", Role::element));
  EXPECT_EQ(verdict_of(file).inferred.name(), "DEVICE_GENERIC");
}

TEST(Decision, AGuardThatExcludesNeedsNothing) {
  Use guard = use_of(UseKind::flag, "torch.testing._internal.common_utils.TEST_CUDA", {"cuda"}, Role::guard);
  guard.polarity = Polarity::requires_;
  EXPECT_EQ(category_with(guard), "DEVICE_GENERIC");
  guard.polarity = Polarity::excludes;
  EXPECT_EQ(category_with(guard), "GENERIC");
}

TEST(Decision, MovingATensorCountsAskingOneDoesNot) {
  EXPECT_EQ(category_with(use_of(UseKind::device_method, ".cuda", {"cuda"}, Role::other)), "DEVICE_GENERIC");
  EXPECT_EQ(category_with(use_of(UseKind::device_method, ".is_cuda", {"cuda"}, Role::other)), "GENERIC");
}

TEST(Decision, ADeviceVariableCountsWhereItNamesAnAccelerator) {
  EXPECT_EQ(category_with(use_of(UseKind::device_variable, "device", {"cuda", "cpu"}, Role::device_argument)),
            "DEVICE_GENERIC");
  EXPECT_EQ(category_with(use_of(UseKind::device_variable, "device", {"cpu"}, Role::device_argument)),
            "GENERIC");
}

TEST(Decision, BasesClassBodyAndSetUpCountForEachTest) {
  for (int method : {-1, 0}) {
    FileFacts file = file_with({"setUp", "test_a", "test_b"});
    file.uses.push_back(api("torch.cuda.synchronize"));
    file.uses.back().method_index = method;
    ClassVerdict verdict = verdict_of(file);
    EXPECT_EQ(verdict.inferred.name(), "DEVICE_GENERIC");
    EXPECT_FALSE(verdict.mixed);
  }
}

TEST(Decision, OptionalSetUpNeedsNothing) {
  FileFacts file = file_with({"setUp", "test_a"});
  file.uses.push_back(api("torch.cuda.synchronize"));
  file.uses.back().optional = true;
  EXPECT_EQ(verdict_of(file).inferred.name(), "GENERIC");
  file.classes[0].context = analyzer::Context::if_;
  EXPECT_EQ(verdict_of(file).inferred.name(), "DEVICE_GENERIC") << "the whole class hangs on the condition";
}

TEST(Decision, AModuleUseConcernsNoClassUnlessItGatesTheFile) {
  Use use = use_of(UseKind::api, "torch.distributed.is_nccl_available", {"cuda"}, Role::other);
  use.class_index = use.method_index = -1;
  EXPECT_EQ(category_with(use), "GENERIC");
  use.role = Role::guard;
  use.polarity = Polarity::requires_;
  EXPECT_EQ(category_with(use), "CUDA");
  use.symbol = "torch.cuda.is_available";
  EXPECT_EQ(category_with(use), "GENERIC") << "a gate on some accelerator tells nothing about each class";
}

TEST(Decision, TestsThatDisagreeMakeAMixedClassWithASplit) {
  FileFacts file = file_with({"test_a", "test_b", "test_c", "test_d"});
  file.uses.push_back(api("torch.cuda.CUDAGraph"));
  file.uses.push_back(literal("cuda", Role::device_argument));
  file.uses.back().method_index = 2;
  ClassVerdict verdict = verdict_of(file);
  EXPECT_TRUE(verdict.mixed);
  EXPECT_EQ(verdict.inferred.name(), "GENERIC") << "what most tests are";
  ASSERT_EQ(verdict.split.size(), 3u);
  EXPECT_EQ(verdict.split[0].name, "TestX");
  EXPECT_THAT(verdict.split[0].methods, ElementsAre("test_b", "test_d"));
  EXPECT_EQ(verdict.split[1].name, "TestXDevice");
  EXPECT_THAT(verdict.split[1].methods, ElementsAre("test_c"));
  EXPECT_EQ(verdict.split[2].name, "TestXCUDA");
  EXPECT_EQ(verdict.split[2].category.name(), "CUDA");
}

std::vector<std::string> part_names(const std::string& class_name, const std::vector<Category>& categories,
                                    const std::string& taken = "") {
  std::vector<SplitTest> tests;
  for (const Category& category : categories) tests.push_back({"test_a", category, {}});
  std::vector<std::string> names;
  for (const SplitPart& part :
       propose_split(class_name, tests, [&](const std::string& n) { return n == taken; }))
    names.push_back(part.name + (part.joins ? " joins" : ""));
  return names;
}

TEST(Split, NamesPartsAsUpstreamDoes) {
  Category generic = Category::generic();
  Category device = Category::device_generic();
  Category cuda = Category::of_device("cuda");
  EXPECT_THAT(part_names("TestX", {cuda, device, generic}), ElementsAre("TestX", "TestXDevice", "TestXCUDA"));
  EXPECT_THAT(part_names("TestXDevice", {generic, device}), ElementsAre("TestX", "TestXDevice"));
  EXPECT_THAT(part_names("TestXDeviceType", {generic, device}), ElementsAre("TestX", "TestXDeviceType"));
  EXPECT_THAT(part_names("TestXCUDA", {generic, cuda}), ElementsAre("TestX", "TestXCUDA"));
  EXPECT_THAT(part_names("TestMatmulCuda", {generic, cuda}), ElementsAre("TestMatmul", "TestMatmulCuda"));
  EXPECT_THAT(part_names("TestXCUDA", {generic, device}), ElementsAre("TestXCUDA", "TestXCUDADevice"));
  EXPECT_THAT(part_names("Device", {generic, device}), ElementsAre("Device", "DeviceDevice"));
  EXPECT_THAT(part_names("TestXDeviceType", {generic, device}, "TestX"),
              ElementsAre("TestX joins", "TestXDeviceType"));
}

TEST(Split, AHelperGoesWithTheOnlyPartThatRunsIt) {
  std::vector<SplitPart> parts = propose_split("TestX",
                                               {{"test_a", Category::generic(), {"both", "mine"}},
                                                {"test_b", Category::generic(), {"mine"}},
                                                {"test_c", Category::device_generic(), {"both", "move"}}},
                                               [](const std::string&) { return false; });
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_THAT(parts[0].methods, ElementsAre("test_a", "test_b"));
  EXPECT_THAT(parts[0].helpers, ElementsAre("mine"));
  EXPECT_THAT(parts[1].helpers, ElementsAre("move"));
}

TEST(Decision, TheLastLabelIsDeclaredWhateverItsForm) {
  FileFacts file = file_with({"test_a"});
  Label label;
  label.value = "CUDA";
  for (Label::Form form :
       {Label::Form::plain, Label::Form::annotated, Label::Form::alias, Label::Form::other_annotation}) {
    label.form = form;
    file.classes[0].labels = {label};
    ASSERT_TRUE(verdict_of(file).declared.has_value()) << word(form);
    EXPECT_EQ(verdict_of(file).declared->name(), "CUDA");
    EXPECT_EQ(verdict_of(file).effective().name(), "CUDA");
  }
  for (Label::Form form :
       {Label::Form::text, Label::Form::none, Label::Form::annotation_only, Label::Form::unknown}) {
    label.form = form;
    file.classes[0].labels = {label};
    EXPECT_FALSE(verdict_of(file).declared.has_value()) << word(form);
    EXPECT_EQ(verdict_of(file).effective().name(), "GENERIC");
  }
  Label first = {Label::Form::plain, "CUDA", "", 2, 0, false, false};
  Label last = {Label::Form::plain, "ACCELERATOR", "", 3, 0, false, false};
  file.classes[0].labels = {first, last};
  EXPECT_EQ(verdict_of(file).declared->name(), "DEVICE_GENERIC");
  file.classes[0].labels = {{Label::Form::plain, "generic", "", 2, 0, false, false}};
  EXPECT_FALSE(verdict_of(file).declared.has_value()) << "no member of the enum";
}

TEST(Decision, ManyBasesCostNoTime) {
  FileFacts file;
  for (int i = 0; i < 2000; ++i) {
    Class cls;
    cls.name = "T" + std::to_string(i);
    for (int j = 1; j <= 2 && i >= j; ++j) cls.bases.push_back({"T" + std::to_string(i - j), "", ""});
    cls.methods.push_back(test_method("test_a", i));
    file.classes.push_back(cls);
  }
  EXPECT_EQ(classify(file, builtin_vocabulary()).size(), 2000u);
}

TEST(Decision, WhatCountsForEachTestIsKeptShort) {
  FileFacts file = file_with({});
  for (int i = 0; i < 2000; ++i)
    file.classes[0].methods.push_back(test_method("test_" + std::to_string(i), i));
  for (int i = 0; i < 2000; ++i) {
    file.uses.push_back(api("torch.cuda.x" + std::to_string(i)));
    file.uses.back().method_index = -1;
  }
  ClassVerdict verdict = verdict_of(file);
  EXPECT_EQ(verdict.inferred.name(), "CUDA");
  EXPECT_EQ(verdict.evidence.size(), 4u);
}

TEST(Hints, AreWholeWordsOfFileAndClassNames) {
  const Vocabulary& vocabulary = builtin_vocabulary();
  EXPECT_THAT(hinted_devices("test/test_matmul_cuda.py", "TestX", vocabulary), ElementsAre("cuda"));
  EXPECT_THAT(hinted_devices("test/test_x.py", "TestCUDAGraph", vocabulary), ElementsAre("cuda"));
  EXPECT_THAT(hinted_devices("test/test_x.py", "NcclErrorTest", vocabulary), ElementsAre("cuda"));
  EXPECT_THAT(hinted_devices("test/test_cpu_x.py", "TestXpu", vocabulary), ElementsAre("cpu", "xpu"));
  EXPECT_THAT(hinted_devices("test/test_barracuda.py", "TestCompute", vocabulary), IsEmpty());
  EXPECT_THAT(hinted_devices("test/cuda/test_x.py", "TestX", vocabulary), IsEmpty())
      << "folders do not count";
}

TEST(Decision, AHintMakesHabitAMeaning) {
  FileFacts file = file_with({"test_a"});
  file.uses.push_back(literal("cuda", Role::device_argument));
  file.path = "test/test_cuda_x.py";
  EXPECT_EQ(verdict_of(file).inferred.name(), "CUDA");
  file.uses.clear();
  EXPECT_EQ(verdict_of(file).inferred.name(), "GENERIC") << "a name alone is not enough for an accelerator";
  file.path = "test/test_cpu_x.py";
  EXPECT_EQ(verdict_of(file).inferred.name(), "CPU");
  EXPECT_LE(verdict_of(file).confidence, 0.5);
}

}  // namespace
}  // namespace hwsift::classifier
