#include "history/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "history/test_identity.h"

namespace hwsift::history {
namespace {

using classifier::builtin_vocabulary;
using runner::Outcome;
using runner::RunRecord;
using runner::TestResult;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TestResult result(const std::string& id, Outcome outcome, const std::string& message = "",
                  const std::string& category = "GENERIC") {
  TestResult one;
  one.id = id;
  one.path = id.substr(0, id.find("::"));
  one.outcome = outcome;
  one.seconds = 0.5;
  one.message = message;
  one.category = category;
  return one;
}

RunReport report_of(const RunRecord& record) {
  return run_report(record, {"run.json"}, builtin_vocabulary());
}

std::vector<std::string> names(const std::vector<RunGroup>& groups) {
  std::vector<std::string> list;
  for (const RunGroup& group : groups) list.push_back(group.name);
  return list;
}

TEST(ReasonPattern, NumbersAddressesAndNamesAreTakenOut) {
  EXPECT_EQ(pattern_of("expected 3, got -4.5e-07"), "expected #, got #");
  EXPECT_EQ(pattern_of("object at 0x7f12ab"), "object at #");
  EXPECT_EQ(pattern_of("rev deadbeef01"), "rev #");
  EXPECT_EQ(pattern_of("no module named 'foo'"), "no module named '…'");
  EXPECT_EQ(pattern_of("doesn't work, isn't it"), "doesn't work, isn't it");
  EXPECT_EQ(pattern_of("test_add_cpu_float32 is slow"), "… is slow");
  EXPECT_EQ(pattern_of("see test/test_x.py::TestX::test_a"), "see …");
  EXPECT_EQ(pattern_of("float32 not supported"), "float# not supported");
  EXPECT_EQ(pattern_of("needs CUDA"), "needs CUDA");
  EXPECT_EQ(pattern_of("'"), "'");
  EXPECT_EQ(pattern_of(""), "");
}

TEST(ReasonPattern, ALineIsTheFirstOneAndBounded) {
  EXPECT_EQ(line_of("\n  first \nsecond"), "first");
  std::string line = line_of(std::string(299, 'x') + "ü" + "yz");
  EXPECT_EQ(line, std::string(299, 'x') + "…");
  EXPECT_FALSE(invalid_utf8_at(line_of("a\xFF")).has_value());
}

TEST(ReasonClusters, CountTestsAndShowDifferentTexts) {
  ReasonClusters clusters;
  for (int i = 0; i < 5; ++i)
    clusters.add("needs " + std::to_string(i) + " devices", "t" + std::to_string(i));
  clusters.add("slow", "a");
  clusters.add("slow", "b");
  std::vector<ReasonCluster> list = clusters.take();
  ASSERT_THAT(list, SizeIs(2));
  EXPECT_EQ(list[0].text, "needs # devices");
  EXPECT_EQ(list[0].tests, 5u);
  EXPECT_EQ(list[0].texts, 5u);
  EXPECT_THAT(list[0].examples, SizeIs(kMostExamples));
  EXPECT_EQ(list[1].text, "slow") << "one text is shown as it is";
  EXPECT_THAT(list[1].examples, ElementsAre(ClusterExample{"a", "slow"}, ClusterExample{"b", "slow"}));
}

TEST(TestIdParts, AreThoseOfPytest) {
  TestIdParts parts = parts_of("test/a.py::Outer::Inner::test_x[a::b-c]");
  EXPECT_EQ(parts.path, "test/a.py");
  EXPECT_EQ(parts.cls, "Outer::Inner");
  EXPECT_EQ(parts.name, "test_x");
  EXPECT_EQ(parts.parameters, "[a::b-c]");
  EXPECT_EQ(parts_of("test/a.py::test_x").name, "test_x");
  EXPECT_EQ(parts_of("test/a.py::test_x").cls, "");
  EXPECT_EQ(parts_of("test/a.py").path, "test/a.py");
}

TEST(DeviceNames, TakeTheDeviceOutOfClassAndName) {
  DeviceNames cuda("cuda", builtin_vocabulary());
  EXPECT_EQ(cuda.class_without("TestAddCUDA"), "TestAdd");
  EXPECT_EQ(cuda.class_without("CUDA"), "");
  EXPECT_EQ(cuda.class_without("TestAddXPU"), "");
  EXPECT_EQ(cuda.name_without("test_add_cuda_float32"), "test_add_float32");
  EXPECT_EQ(cuda.name_without("test_to_cuda_cuda"), "test_to_cuda") << "the last one is the framework's";
  EXPECT_EQ(cuda.name_without("test_cudagraph"), "");
  EXPECT_EQ(cuda.name_without("test_a_cuda", "*"), "test_a*");
  EXPECT_EQ(DeviceNames("rocm", builtin_vocabulary()).device(), "cuda");
  EXPECT_EQ(DeviceNames("", builtin_vocabulary()).name_without("test__x"), "");
}

TEST(DeviceNames, ABackendBehindPrivateUse1HasTwoNames) {
  for (const char* device : {"npu", "made_up", "privateuse1"}) {
    DeviceNames names(device, builtin_vocabulary());
    EXPECT_EQ(names.class_without("TestAddPRIVATEUSE1"), "TestAdd") << device;
    EXPECT_EQ(names.name_without("test_add_privateuse1"), "test_add") << device;
  }
  EXPECT_EQ(DeviceNames("npu", builtin_vocabulary()).class_without("TestAddNPU"), "TestAdd");
  EXPECT_EQ(DeviceNames("privateuse1", builtin_vocabulary()).class_without("TestAddNPU"), "TestAdd");
}

TEST(RunReport, CountsByCategoryDeviceDirectoryAndFile) {
  RunRecord record;
  record.device = "cuda";
  record.results = {
      result("test/nn/test_a.py::TestACUDA::test_x_cuda", Outcome::passed, "", "DEVICE_GENERIC"),
      result("test/nn/test_a.py::TestA::test_y", Outcome::failed, "why", "CUDA"),
      result("test/test_b.py::TestB::test_z", Outcome::skipped, "slow"),
      result("test/test_b.py::TestB::test_w", Outcome::xfailed, "", ""),
  };
  record.not_run["needs XPU"] = {"test/test_c.py::TestC::test_v"};
  RunReport report = report_of(record);
  EXPECT_EQ(report.total.results(), 4u);
  EXPECT_EQ(report.total.bad(), 1u);
  EXPECT_EQ(report.total.not_run, 1u);
  EXPECT_THAT(names(report.categories), ElementsAre("GENERIC", "DEVICE_GENERIC", "CUDA", ""));
  EXPECT_THAT(names(report.devices), ElementsAre("", "cuda"));
  EXPECT_THAT(names(report.directories), ElementsAre("test", "test/nn"));
  EXPECT_THAT(names(report.files), ElementsAre("test/nn/test_a.py", "test/test_b.py", "test/test_c.py"));
  for (const std::vector<RunGroup>* groups : {&report.devices, &report.directories, &report.files}) {
    std::size_t results = 0, not_run = 0;
    for (const RunGroup& group : *groups) results += group.counts.results(), not_run += group.counts.not_run;
    EXPECT_EQ(results, 4u);
    EXPECT_EQ(not_run, 1u);
  }
  EXPECT_EQ(report.failures.at(0).text, "why");
  EXPECT_EQ(report.skips.at(0).text, "slow");
  EXPECT_EQ(report.not_run.at(0).text, "needs XPU");
}

TEST(RunReport, FlakyIsWhatPassedLateOrDiffersBetweenRuns) {
  RunRecord record;
  record.device = "cpu";
  record.results = {result("a::test_1", Outcome::passed), result("a::test_2", Outcome::failed),
                    result("a::test_3", Outcome::passed), result("a::test_4", Outcome::failed)};
  record.results[0].attempts = 2;
  record.results[1].by_part = {{0, Outcome::passed, 1}, {1, Outcome::failed, 1}};
  record.results[3].attempts = 3;
  RunReport report = report_of(record);
  ASSERT_THAT(report.flaky, SizeIs(2));
  EXPECT_EQ(report.flaky[1].text, "passed, then failed");
}

TEST(RunReport, SlowestAndBrokenTests) {
  RunRecord record;
  record.device = "cpu";
  for (int i = 0; i < 50; ++i) {
    record.results.push_back(result("test/f" + std::to_string(i) + ".py::test_x", Outcome::passed));
    record.results.back().seconds = i;
  }
  record.results[7].outcome = Outcome::crashed;
  record.results[8].outcome = Outcome::timeout;
  RunReport report = report_of(record);
  ASSERT_THAT(report.slowest_tests, SizeIs(kSlowest));
  EXPECT_EQ(report.slowest_tests[0].seconds, 49);
  EXPECT_EQ(report.slowest_files[0].path, "test/f49.py");
  EXPECT_THAT(report.broken, SizeIs(2));
  EXPECT_EQ(report.failures.at(0).text, "crashed") << "no message: the outcome says it";
}

TEST(RunReport, NotesTellWhyTheAccountIsOpen) {
  RunRecord record;
  record.device = "cpu";
  record.missing_shards = {2};
  record.not_run["interrupted"] = {"a::test_x"};
  record.outstanding = {"interrupted"};
  record.notes = {"said"};
  RunReport report = report_of(record);
  EXPECT_FALSE(report.head.complete);
  EXPECT_THAT(report.notes, ElementsAre("the account is open: missing shards 2",
                                        "the account is open: 1 not run (interrupted)", "said"));
  EXPECT_THAT(report_of(RunRecord()).files, IsEmpty());
}

TEST(RunReport, Directories) {
  EXPECT_EQ(directory_of("test/nn/a/test_x.py"), "test/nn");
  EXPECT_EQ(directory_of("test/test_x.py"), "test");
  EXPECT_EQ(directory_of("other/test_x.py"), "other");
  EXPECT_EQ(directory_of("test_x.py"), ".");
}

}  // namespace
}  // namespace hwsift::history
