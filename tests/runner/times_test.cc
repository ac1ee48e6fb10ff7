#include "runner/times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hwsift::runner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr const char* kFile = "times.json";

// One file a table, so that its time tells which was taken.
constexpr const char* kTables = R"({
  "default": {"default": {"test_a": 1}, "slow": {"test_a": 2}},
  "linux-xpu": {"default": {"test_a": 3}, "slow": {"test_a": 4}},
  "linux-rocm": {"default": {"test_a": 5}}
})";

ReadTimes read(const std::string& bytes, const std::string& job = "", const std::string& configuration = "") {
  Result<ReadTimes> times = parse_times(bytes, kFile, job, configuration);
  EXPECT_TRUE(times.ok()) << to_string(times.error());
  return times.ok() ? *times : ReadTimes{};
}

Error refused(const std::string& bytes, const std::string& job = "", const std::string& configuration = "") {
  Result<ReadTimes> times = parse_times(bytes, kFile, job, configuration);
  EXPECT_FALSE(times.ok()) << bytes;
  return times.ok() ? Error{} : times.error();
}

TEST(Times, ReadsSecondsOfFilesAndOfTheirClasses) {
  KnownTimes times = read(R"({"default": {"default": {
      "test_ops": 12.5, "distributed/test_c10d": 0,
      "nn/test_conv": {"TestConvCPU": 2, "TestConvCUDA": 1e3}, "test_empty": {}}}})")
                         .times;
  EXPECT_THAT(times.files,
              ElementsAre(Pair("test/distributed/test_c10d.py", 0), Pair("test/test_ops.py", 12.5)));
  EXPECT_THAT(times.classes, ElementsAre(Pair("test/nn/test_conv.py::TestConvCPU", 2),
                                         Pair("test/nn/test_conv.py::TestConvCUDA", 1000)));
  EXPECT_THAT(times.tests, IsEmpty());
  EXPECT_FALSE(times.empty());
  EXPECT_TRUE(read(R"({"default": {"default": {}}})").times.empty());
}

TEST(Times, TakesTheNearestTable) {
  struct Case {
    const char* job;
    const char* configuration;
    double seconds;
    const char* table;
  };
  for (const Case& one :
       {Case{"", "", 1, "default > default"}, Case{"", "slow", 2, "default > slow"},
        Case{"linux-xpu", "", 3, "linux-xpu > default"}, Case{"linux-xpu", "slow", 4, "linux-xpu > slow"},
        Case{"linux-rocm", "slow", 2, "default > slow"}, Case{"linux-rocm", "none", 1, "default > default"},
        Case{"none", "none", 1, "default > default"}}) {
    ReadTimes taken = read(kTables, one.job, one.configuration);
    EXPECT_THAT(taken.times.files, ElementsAre(Pair("test/test_a.py", one.seconds))) << one.table;
    EXPECT_EQ(taken.table, one.table);
  }
}

TEST(Times, RefusesWithThePlace) {
  struct Case {
    const char* bytes;
    const char* where;
    const char* what;
  };
  for (const Case& one :
       {Case{"[]", "times.json", "no table of jobs"}, Case{"{", "times.json:1", ""},
        Case{R"({"default": []})", "times.json: default", "no table of configurations"},
        Case{R"({"default": {"default": 3}})", "times.json: default > default", "no table of files"},
        Case{R"({"default": {"default": {"test_a": "3"}}})", "times.json: default > default > test_a",
             "no number of seconds"},
        Case{R"({"default": {"default": {"test_a": {"TestA": null}}}})",
             "times.json: default > default > test_a > TestA", "no number of seconds"},
        Case{R"({"default": {"default": {"test_a": -0.1}}})", "times.json: default > default > test_a",
             "between 0 and 1000000"},
        Case{R"({"default": {"default": {"test_a": {"TestA": 1000001}}}})",
             "times.json: default > default > test_a > TestA", "between 0 and 1000000"}}) {
    Error error = refused(one.bytes);
    EXPECT_THAT(error.where, HasSubstr(one.where));
    EXPECT_THAT(error.what, HasSubstr(one.what));
  }
  EXPECT_EQ(read(R"({"default": {"default": {"test_a": 1000000}}})").times.files.at("test/test_a.py"), 1e6);
}

TEST(Times, NamesWhatIsMissingAndWhatIsNear) {
  const std::string others = R"({"linux-xpu": {"default": {}, "slow": {}}})";
  Error job = refused(others, "linux-xpv");
  EXPECT_EQ(job.where, kFile);
  EXPECT_THAT(job.what, HasSubstr("'linux-xpv > default'"));
  EXPECT_THAT(job.hint, HasSubstr("--times-job, such as 'linux-xpu'"));
  Error configuration = refused(others, "linux-xpu", "slov");
  EXPECT_THAT(configuration.what, HasSubstr("'linux-xpu > slov'"));
  EXPECT_THAT(configuration.hint, HasSubstr("--times-config, such as 'slow'"));
}

TEST(Times, OfTwoTheLaterStays) {
  KnownTimes known{{{"id", 1}, {"other", 5}}, {{"a::A", 1}}, {{"a", 1}, {"b", 2}}};
  add_times({{{"id", 2}}, {{"a::A", 3}, {"a::B", 4}}, {{"a", 5}}}, known);
  EXPECT_THAT(known.tests, ElementsAre(Pair("id", 2), Pair("other", 5)));
  EXPECT_THAT(known.classes, ElementsAre(Pair("a::A", 3), Pair("a::B", 4)));
  EXPECT_THAT(known.files, ElementsAre(Pair("a", 5), Pair("b", 2)));
}

}  // namespace
}  // namespace hwsift::runner
