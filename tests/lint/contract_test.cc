// The contracts on sources whose expected findings stand beside their lines; the format is described at the
// top of tests/fixtures/lint/test_labels.py.
#include <gtest/gtest.h>

#include "analyzer/python/analyze.h"
#include "base/disk.h"
#include "lint/lint.h"
#include "tests/lint/marks.h"

namespace hwsift::lint {
namespace {

constexpr std::size_t kMaxFixtureBytes = 1u << 20;

class Contracts : public testing::TestWithParam<const char*> {};

TEST_P(Contracts, FindWhatStandsBesideTheLines) {
  std::string file = std::string(HWSIFT_FIXTURES "/lint/") + GetParam();
  Result<std::string> source = real_disk().read(file, kMaxFixtureBytes);
  ASSERT_TRUE(source.ok()) << file;
  std::map<std::string, Marks> expected = marks_in(*source);
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(found_in("upstream-strict", *source), expected["strict"]);
  EXPECT_EQ(found_in("upstream-relaxed", *source), expected["relaxed"]);
  EXPECT_EQ(found_in("recommended", *source), expected["recommended"]);
  EXPECT_EQ(found_in("declare", *source), expected["declare"]);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, Contracts,
                         testing::Values("test_accelerator_calls.py", "test_calls.py", "test_filters.py",
                                         "test_labels.py", "test_tests.py", "test_unknown_call.py",
                                         "test_visible_classes.py"),
                         [](const testing::TestParamInfo<const char*>& example) {
                           std::string name = example.param;
                           return name.substr(0, name.size() - 3);
                         });

TEST(Contract, OrderOfOneClassIsUpstreams) {
  std::vector<std::string> order;
  for (const Finding& finding : lint_text("upstream-strict",
                                          "class A:\n"
                                          "    hw_classification = HardwareClassification.CUDA\n"
                                          "    def test_a(self): pass\n"
                                          "instantiate_device_type_tests(A, globals(), except_for='cpu')\n"
                                          "class B:\n"
                                          "    hw_classification = HardwareClassification.ACCELERATOR\n"
                                          "    @onlyCUDA\n"
                                          "    def test_a(self): pass\n"
                                          "    def test_b(self): pass\n"))
    order.push_back(finding.rule + " " + std::to_string(finding.line));
  EXPECT_EQ(order,
            (std::vector<std::string>{"device_param 3", "except_for 4", "only_for 4", "instantiation 5",
                                      "device_param 8", "device_param 9", "decorator 8"}));
}

TEST(Contract, FirstCallCountsForStrictLastForRelaxedEachForRecommended) {
  std::string source =
      "class A:\n"
      "    hw_classification = HardwareClassification.ACCELERATOR\n"
      "    def test_a(self, device): pass\n"
      "instantiate_device_type_tests(A, globals(), only_for='cuda')\n"
      "instantiate_device_type_tests(A, globals())\n";
  EXPECT_EQ(found_in("upstream-strict", source), Marks{"4 only_for"});
  EXPECT_EQ(found_in("upstream-relaxed", source), Marks{});
  EXPECT_EQ(found_in("recommended", source), (Marks{"4 only_for", "5 name_trap"}));
}

TEST(Contract, PlacesCoverTheHeadOfWhatTheyAreAbout) {
  std::vector<Finding> findings =
      lint_text("recommended", "if 1:\n  class Tést:\n    def test_a(self): pass\n");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].line, 2);
  EXPECT_EQ(findings[0].col, 3);
  EXPECT_EQ(findings[0].end_line, 2);
  EXPECT_EQ(findings[0].end_col, 13);
  EXPECT_EQ(findings[0].cls, "Tést");
  EXPECT_EQ(findings[0].path, "test/test_a.py");
}

TEST(Contract, ParseErrorsStandOnTheRealLineAndUpstreamsOnLineZero) {
  analyzer::FileFacts file;
  file.path = "test/test_a.py";
  file.parse.ok = false;
  file.parse.errors = {{7, 3, "unexpected ')'"}, {9, 1, "bad dedent"}};
  file.classes.push_back({});
  std::vector<Finding> ours = lint_facts("recommended", file);
  ASSERT_EQ(ours.size(), 1u);
  EXPECT_EQ(ours[0].rule, "parse_error");
  EXPECT_EQ(ours[0].line, 7);
  EXPECT_EQ(ours[0].col, 3);
  EXPECT_EQ(ours[0].message, "not valid Python: unexpected ')' (and 1 more)");
  std::vector<Finding> strict = lint_facts("upstream-strict", file);
  ASSERT_EQ(strict.size(), 1u);
  EXPECT_EQ(strict[0].line, 0);
  EXPECT_EQ(strict[0].message, "line 7: not valid Python: unexpected ')' (and 1 more)");
  EXPECT_TRUE(lint_facts("upstream-relaxed", file).empty());
}

TEST(Contract, AnUnreadFileIsAParseErrorWithoutALine) {
  analyzer::FileFacts file;
  file.parse.ok = file.parse.read = false;
  file.parse.errors = {{0, 0, "cannot open: Permission denied"}};
  std::vector<Finding> findings = lint_facts("declare", file);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].line, 0);
  EXPECT_EQ(findings[0].message, "cannot be read: cannot open: Permission denied");
}

TEST(Contract, CoversFilesAsUpstreamDoes) {
  const Profile& strict = *builtin_lint_rules().profile("upstream-strict");
  const Profile& relaxed = *builtin_lint_rules().profile("upstream-relaxed");
  struct Case {
    const char* path;
    bool strict;
    bool relaxed;
  };
  for (const Case& c :
       {Case{"test/test_a.py", true, true}, Case{"test/x/a_test.py", true, true},
        Case{"test/test_dir/__init__.py", false, true}, Case{"test/helper.py", false, false},
        Case{"torch/test_a.py", true, false}, Case{"test/cpython/test_a.py", true, false},
        Case{"test/cpp_extensions/open_registration_extension/test/test_a.py", true, false},
        Case{"/elsewhere/test/test_a.py", true, false}, Case{"test/test_a.pyi", false, false}}) {
    EXPECT_EQ(covers(strict, c.path), c.strict) << c.path;
    EXPECT_EQ(covers(relaxed, c.path), c.relaxed) << c.path;
  }
}

}  // namespace
}  // namespace hwsift::lint
