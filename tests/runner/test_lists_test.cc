#include "runner/test_lists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hwsift::runner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Conditions kLinux = {{"linux"}, {"cpu", "cuda"}};

DisabledTests disabled(const std::string& json) {
  Result<DisabledTests> list = DisabledTests::parse(json, "disabled.json");
  EXPECT_TRUE(list.ok()) << to_string(list.error());
  return list.ok() ? *list : DisabledTests();
}

std::string issue_of(const DisabledTests& list, const char* cls, const char* name,
                     const Conditions& here = kLinux) {
  const DisabledTest* found = list.find(cls, name, here);
  return found == nullptr ? "" : found->issue;
}

TEST(DisabledTests, MatchTheClassByItsStartAndTheMethodWhole) {
  DisabledTests list = disabled(R"j({"test_add (__main__.TestAdd)": ["i/1", []]})j");
  EXPECT_EQ(issue_of(list, "TestAdd", "test_add"), "i/1");
  EXPECT_EQ(issue_of(list, "TestAddCUDA", "test_add"), "i/1");
  EXPECT_EQ(issue_of(list, "Outer.TestAdd", "test_add"), "i/1");
  EXPECT_EQ(issue_of(list, "TestAd", "test_add"), "");
  EXPECT_EQ(issue_of(list, "MyTestAdd", "test_add"), "");
  EXPECT_EQ(issue_of(list, "TestAdd", "test_add_2"), "");
  EXPECT_EQ(issue_of(list, "TestAdd", "test_ad"), "");
}

TEST(DisabledTests, MatchWithoutDtypeAndTheDeviceBeforeIt) {
  DisabledTests list = disabled(R"j({"test_add (__main__.TestAdd)": ["i/1", []],
                                    "test_sub_xpu (x.y.TestAdd)": ["i/2", []]})j");
  EXPECT_EQ(issue_of(list, "TestAddCUDA", "test_add_cuda_float32"), "i/1");
  EXPECT_EQ(issue_of(list, "TestAddCUDA", "test_add_bfloat16"), "i/1");
  EXPECT_EQ(issue_of(list, "TestAddCUDA", "test_add_cuda"), "");            // upstream keeps a device alone
  EXPECT_EQ(issue_of(list, "TestAddXPU", "test_add_xpu_float32"), "");      // no device type there
  EXPECT_EQ(issue_of(list, "TestAddXPU", "test_sub_xpu_float32"), "i/2");   // so only the dtype goes
  EXPECT_EQ(issue_of(list, "TestAddCUDA", "test_add_cuda_complex32"), "");  // upstream's list lacks it
}

TEST(DisabledTests, HoldOnTheirPlatforms) {
  DisabledTests list = disabled(R"j({"test_a (__main__.T)": ["a", ["mac", "windows"]],
                                    "test_b (__main__.T)": ["b", ["rocm", "linux"]],
                                    "test_c (__main__.T)": ["c", ["dynamo_wrapped"]]})j");
  EXPECT_EQ(issue_of(list, "T", "test_a"), "");
  EXPECT_EQ(issue_of(list, "T", "test_b"), "b");
  EXPECT_EQ(issue_of(list, "T", "test_c"), "");
  EXPECT_EQ(issue_of(list, "T", "test_c", {{"linux", "dynamo"}, {}}), "c");
  EXPECT_EQ(issue_of(list, "T", "test_a", {{"win"}, {}}), "a");
  EXPECT_THAT(list.warnings(), IsEmpty());
}

TEST(DisabledTests, TheFirstEntryThatHoldsTellsTheIssue) {
  DisabledTests list = disabled(R"j({"test_a (__main__.TestX)": ["long", ["mac"]],
                                    "test_a (__main__.Test)": ["short", []]})j");
  EXPECT_EQ(issue_of(list, "TestX", "test_a"), "short");
  EXPECT_EQ(issue_of(list, "TestX", "test_a", {{"mac"}, {}}), "short");
}

TEST(DisabledTests, UnknownPlatformsAndNamesAreWarningsAsUpstreamReadsThem) {
  DisabledTests list = disabled(R"j({"test_a (__main__.T)": ["a", ["amiga"]],
                                    "test_b (__main__.T)": ["b", ["amiga", "mac"]],
                                    "test_c": ["c", []]})j");
  EXPECT_EQ(issue_of(list, "T", "test_a"), "a");  // for all platforms, as none is left
  EXPECT_EQ(issue_of(list, "T", "test_b"), "");
  EXPECT_EQ(issue_of(list, "T", "test_c"), "");
  ASSERT_EQ(list.warnings().size(), 3u);
  EXPECT_THAT(list.warnings()[0].what, HasSubstr("'test_a (__main__.T)' is disabled for 'amiga'"));
  EXPECT_THAT(list.warnings()[2].what, HasSubstr("names no test"));
}

TEST(DisabledTests, TheFormWithANumberIsReadToo) {
  EXPECT_EQ(issue_of(disabled(R"j({"test_a (__main__.T)": ["123", "i/123", ["linux"]]})j"), "T", "test_a"),
            "i/123");
}

TEST(DisabledTests, OddNamesDoNoHarm) {
  DisabledTests list = disabled(R"j({"test_a )": ["a", []], "test_b ()": ["b", []], " ": ["c", []]})j");
  EXPECT_EQ(issue_of(list, "T", "test_a"), "a");  // no class: upstream takes it for every one
  EXPECT_EQ(issue_of(list, "T", "test_b"), "b");
}

TEST(DisabledTests, OtherFormsAreErrors) {
  for (const char* json :
       {"", "[]", "3", R"j({"a (b.C)": 1})j", R"j({"a (b.C)": []})j", R"j({"a (b.C)": ["i"]})j",
        R"j({"a (b.C)": ["i", [1]]})j", R"j({"a (b.C)": [1, []]})j", R"j({"a (b.C)": ["i", {}]})j",
        "{\"a (b.C)\": [\"\xff\", []]}"}) {
    Result<DisabledTests> list = DisabledTests::parse(json, "disabled.json");
    ASSERT_FALSE(list.ok()) << json;
    EXPECT_THAT(list.error().where, testing::StartsWith("disabled.json")) << json;
  }
}

TEST(SlowTests, MatchAsDisabledOnesDo) {
  Result<SlowTests> list = SlowTests::parse(
      R"j({"test_add (__main__.TestAdd)": 70.5, "test_add (__main__.TestAddC)": 90, "test_b (__main__.T)": 60})j",
      "slow.json");
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(list->size(), 3u);
  EXPECT_EQ(list->find("TestAdd", "test_add", kLinux), 70.5);
  EXPECT_EQ(list->find("TestAddCUDA", "test_add_cuda_float32", kLinux), 90);
  EXPECT_EQ(list->find("TestAdd", "test_sub", kLinux), std::nullopt);
  for (const char* json : {"[]", R"j({"a (b.C)": "1"})j", R"j({"a (b.C)": -1})j", R"j({"a (b.C)": 1e999})j"})
    EXPECT_FALSE(SlowTests::parse(json, "slow.json").ok()) << json;
}

constexpr char kQuarantine[] = R"(
- test: test/test_a.py::TestA::test_x
  reason: flaky on two cards
  until: 2026-03-14
  owner: distributed
  issue: i/1
- {test: "test/test_b.py::*", reason: broken driver}
- {test: "test/test_b.py::TestB::test_[*", reason: brackets are text}
)";

Quarantine quarantine(const std::string& yaml) {
  Result<Quarantine> list = Quarantine::parse(yaml, "quarantine.yaml");
  EXPECT_TRUE(list.ok()) << to_string(list.error());
  return list.ok() ? *list : Quarantine();
}

std::string reason_of(const Quarantine& list, const char* id, const char* today = "2026-03-01") {
  const Quarantined* found = list.find(id, today);
  return found == nullptr ? "" : found->reason;
}

TEST(Quarantine, FindsIdsAndGlobs) {
  Quarantine list = quarantine(kQuarantine);
  EXPECT_EQ(reason_of(list, "test/test_a.py::TestA::test_x"), "flaky on two cards");
  EXPECT_EQ(reason_of(list, "test/test_a.py::TestA::test_x2"), "");
  EXPECT_EQ(reason_of(list, "test/test_b.py::TestB::test_[1]"), "broken driver");
  EXPECT_EQ(list.entries().front().issue, "i/1");
  EXPECT_EQ(list.entries().front().owner, "distributed");
  EXPECT_THAT(quarantine("").entries(), IsEmpty());
  EXPECT_THAT(quarantine("[]").entries(), IsEmpty());
}

TEST(Quarantine, EndsWithItsLastDay) {
  Quarantine list = quarantine(kQuarantine);
  EXPECT_EQ(reason_of(list, "test/test_a.py::TestA::test_x", "2026-03-14"), "flaky on two cards");
  EXPECT_EQ(reason_of(list, "test/test_a.py::TestA::test_x", "2026-03-15"), "");
}

TEST(Quarantine, SaysWhatRots) {
  Quarantine list = quarantine(kQuarantine);
  std::vector<std::string> ids = {"test/test_a.py::TestA::test_x", "test/test_b.py::TestB::test_1"};
  std::vector<std::string> lines;
  for (const Error& warning : list.warnings(ids, "2026-03-15"))
    lines.push_back(warning.where + " " + warning.what);
  EXPECT_THAT(
      lines,
      ElementsAre("quarantine.yaml:2 the quarantine of 'test/test_a.py::TestA::test_x' ended on 2026-03-14",
                  "quarantine.yaml:8 the quarantine of 'test/test_b.py::TestB::test_[*' matches no test"));
  EXPECT_EQ(list.warnings(ids, "2026-03-01").size(), 1u);
}

TEST(Quarantine, RefusesWhatIsNotWellFormed) {
  const std::pair<const char*, const char*> cases[] = {
      {"a: b", "a quarantine is a list"},
      {"- a", "expected a map"},
      {"- {test: 'a.py::t'}", "'reason' is missing"},
      {"- {test: 'a.py::t', reason: ' '}", "has no reason"},
      {"- {reason: x}", "'test' is missing"},
      {"- {test: 'a.py', reason: x}", "is no test id"},
      {"- {test: '*::*', reason: x}", "is every test"},
      {"- {test: 'a.py::t', reason: x, untill: 2026-01-01}", "did you mean 'until'?"},
      {"- {test: 'a.py::t', raison: x}", "unknown key 'raison'"},
      {"- {test: 'a.py::t', reason: x, until: tomorrow}", "is no date"},
      {"- {test: 'a.py::t', reason: x, until: 2026-13-01}", "is no date"},
      {"- {test: 'a.py::t', reason: x, until: 2026-02-29}", "is no date"},
      {"- {test: 'a.py::t', reason: x, until: 2026-04-00}", "is no date"},
      {"- {test: 'a.py::t', reason: [x]}", "'reason' must be text"},
      {"- {test: 'a.py::t', reason: x}\n- {test: 'a.py::t', reason: y}", "stands twice"}};
  for (const auto& [yaml, says] : cases) {
    Result<Quarantine> list = Quarantine::parse(yaml, "quarantine.yaml");
    ASSERT_FALSE(list.ok()) << yaml;
    EXPECT_THAT(list.error().where, HasSubstr("quarantine.yaml:")) << yaml;
    EXPECT_THAT(to_string(list.error()), HasSubstr(says)) << yaml;
  }
  EXPECT_TRUE(Quarantine::parse("- {test: 'a.py::t', reason: x, until: 2028-02-29}", "q.yaml").ok());
}

}  // namespace
}  // namespace hwsift::runner
