#include "runner/times.h"

#include <gtest/gtest.h>

namespace hwsift::runner {
namespace {

constexpr const char* kTimes = R"({
  "linux": {"default": {"test_a": 1, "nn/test_b": 2.5}, "slow": {"test_a": 60}},
  "default": {"default": {"test_a": 3}, "slow": {"test_a": 40}}})";

double time_of_a(const std::string& job, const std::string& configuration) {
  Result<ReadTimes> read = parse_times(kTimes, "t.json", job, configuration);
  return read.ok() ? read->times.files.at("test/test_a.py") : -1;
}

TEST(Times, TheTableOfTheJobAndConfigurationElseTheDefaults) {
  EXPECT_EQ(time_of_a("linux", ""), 1);
  EXPECT_EQ(time_of_a("linux", "slow"), 60);
  EXPECT_EQ(time_of_a("", ""), 3);
  EXPECT_EQ(time_of_a("xpu", "slow"), 40);
  EXPECT_EQ(time_of_a("linux", "none"), 3);
  EXPECT_EQ(parse_times(kTimes, "t.json", "xpu", "slow")->table, "default > slow");
}

TEST(Times, FilesAreNamedAsTheTreeNamesThem) {
  Result<ReadTimes> read = parse_times(kTimes, "t.json", "linux", "");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->times.files.at("test/nn/test_b.py"), 2.5);
}

TEST(Times, ClassesHaveTimesToo) {
  Result<ReadTimes> read =
      parse_times(R"({"default": {"default": {"test_a": {"TestX": 4, "TestY": 0}}}})", "t.json", "", "");
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(read->times.files.empty());
  EXPECT_EQ(read->times.classes.at("test/test_a.py::TestX"), 4);
  EXPECT_EQ(read->times.classes.at("test/test_a.py::TestY"), 0);
}

TEST(Times, AnErrorNamesThePlace) {
  struct Case {
    const char* text;
    const char* where;
  };
  const Case cases[] = {
      {"{\n  \"default\": ", "t.json:2:14"},
      {"[]", "t.json"},
      {R"({"default": 1})", "t.json: default"},
      {R"({"default": {"default": []}})", "t.json: default > default"},
      {R"({"default": {"default": {"test_a": "1"}}})", "t.json: default > default > test_a"},
      {R"({"default": {"default": {"test_a": -1}}})", "t.json: default > default > test_a"},
      {R"({"default": {"default": {"test_a": 1e300}}})", "t.json: default > default > test_a"},
      {R"({"default": {"default": {"test_a": {"TestX": null}}}})",
       "t.json: default > default > test_a > TestX"},
      {R"({"other": {"default": {}}})", "t.json"},
  };
  for (const Case& one : cases) {
    Result<ReadTimes> read = parse_times(one.text, "t.json", "", "");
    ASSERT_FALSE(read.ok()) << one.text;
    EXPECT_EQ(read.error().where, one.where) << one.text;
    EXPECT_FALSE(read.error().hint.empty()) << one.text;
  }
  EXPECT_FALSE(parse_times(R"({"default": {"default": {"test_a": 1e999}}})", "t.json", "", "").ok());
}

TEST(Times, AJobThatIsNotThereIsNamedWithTheNearest) {
  Result<ReadTimes> read = parse_times(R"({"linux-cuda": {"default": {}}})", "t.json", "linux-cude", "");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().hint.find("'linux-cuda'"), std::string::npos);
}

TEST(Times, TheLastTimeWins) {
  KnownTimes known{{{"t", 1}}, {}, {{"f", 1}, {"g", 1}}};
  add_times({{{"t", 2}}, {{"c", 2}}, {{"f", 2}}}, known);
  EXPECT_EQ(known.tests.at("t"), 2);
  EXPECT_EQ(known.classes.at("c"), 2);
  EXPECT_EQ(known.files.at("f"), 2);
  EXPECT_EQ(known.files.at("g"), 1);
}

}  // namespace
}  // namespace hwsift::runner
