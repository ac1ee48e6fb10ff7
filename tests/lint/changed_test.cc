#include "lint/changed.h"

#include <gtest/gtest.h>

namespace hwsift::lint {
namespace {

Finding at(const std::string& path, int line, int end_line, const std::string& rule = "only_for") {
  Finding finding;
  finding.path = path;
  finding.line = line;
  finding.end_line = end_line;
  finding.rule = rule;
  return finding;
}

TEST(KeepChanged, KeepsWhatTouchesAChangedLine) {
  ChangedLines changed = {{"a", {{3, 4}, {10, 10}}}, {"b", {}}};
  std::vector<Finding> findings = {at("a", 2, 2),  at("a", 2, 3),   at("a", 4, 9), at("a", 5, 9),
                                   at("a", 10, 0), at("a", 11, 11), at("b", 1, 1), at("c", 3, 3)};
  keep_changed(changed, findings);
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].end_line, 3);
  EXPECT_EQ(findings[1].line, 4);
  EXPECT_EQ(findings[2].line, 10);
}

TEST(KeepChanged, KeepsWhatIsAboutTheWholeFile) {
  std::vector<Finding> findings = {at("a", 0, 0), at("a", 7, 7, "parse_error")};
  keep_changed({}, findings);
  EXPECT_EQ(findings.size(), 2u);
}

TEST(Changed, ACauseCountsAsThePlaceDoes) {
  Finding finding{"label_mismatch", "test/test_a.py", 3, 1, 3, 5, Severity::error, "m", "", "A", ""};
  finding.causes = {{10, 12}};
  auto kept = [&](int line) {
    std::vector<Finding> findings{finding};
    keep_changed({{"test/test_a.py", {{line, line}}}}, findings);
    return findings.size();
  };
  EXPECT_EQ(kept(3), 1u);
  EXPECT_EQ(kept(11), 1u);
  EXPECT_EQ(kept(9), 0u);
}

}  // namespace
}  // namespace hwsift::lint
