// Small inputs from real reports, one a file of tests/fixtures/cases, with the right answer beside the line
// (see marks.h): what `recommended` finds, what a profile that is named finds on top of it, and after "says"
// the label that a finding proposes, or "split".
#include <gtest/gtest.h>

#include <algorithm>

#include "base/disk.h"
#include "tests/lint/marks.h"

namespace hwsift::lint {
namespace {

const std::string kFolder = HWSIFT_FIXTURES "/cases";

std::string file_of(const std::string& name) { return join_path(kFolder, name).append(".py"); }
constexpr std::size_t kMaxFixtureBytes = 1u << 20;

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  Result<std::vector<std::string>> files = real_disk().list(kFolder);
  if (!files.ok()) return {"unreadable"};
  for (const std::string& file : *files) names.push_back(file.substr(0, file.size() - 3));
  return names;
}

bool says(const std::vector<Finding>& findings, const std::string& mark) {
  std::string word = mark.substr(mark.find(' ') + 1);
  std::string said = word == "split" ? "split it into" : "HardwareClassification." + word;
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return mark.starts_with(std::to_string(finding.line) + " ") &&
           finding.hint.find(said) != std::string::npos;
  });
}

class Cases : public testing::TestWithParam<std::string> {};

TEST_P(Cases, FindWhatStandsBesideTheLines) {
  Result<std::string> source = real_disk().read(file_of(GetParam()), kMaxFixtureBytes);
  ASSERT_TRUE(source.ok()) << GetParam();
  ASSERT_TRUE(source->starts_with("# ")) << "a comment says what the case is about";
  std::map<std::string, Marks> expected = marks_in(*source);
  std::vector<Finding> findings = lint_text("recommended", *source);
  EXPECT_EQ(as_marks(findings), expected["recommended"]);
  for (const std::string& mark : expected["says"]) EXPECT_TRUE(says(findings, mark)) << mark;
  Marks all = expected["recommended"];
  all.insert(all.end(), expected["all"].begin(), expected["all"].end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(found_in("all", *source), all);
}

INSTANTIATE_TEST_SUITE_P(Each, Cases, testing::ValuesIn(case_names()),
                         [](const testing::TestParamInfo<std::string>& example) { return example.param; });

TEST(Case, EveryFileHasAMarkOrIsMeantToBeClean) {
  std::size_t marked = 0;
  for (const std::string& name : case_names()) {
    Result<std::string> source = real_disk().read(file_of(name), kMaxFixtureBytes);
    if (source.ok() && !marks_in(*source).empty()) ++marked;
  }
  EXPECT_GE(marked, 40u);  // a mark that is not read would make every case clean
}

}  // namespace
}  // namespace hwsift::lint
