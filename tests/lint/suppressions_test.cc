// "# hwsift: ignore[rule] reason": what it takes out, and when it is itself a finding.
#include <gtest/gtest.h>

#include "tests/lint/marks.h"

namespace hwsift::lint {
namespace {

// A class without a label, with a comment behind its `class` line and one behind its test.
std::string source(const std::string& at_class, const std::string& at_test = "",
                   const std::string& before = "") {
  return before + "class TestA(TestCase):" + at_class + "\n    def test_a(self): pass" + at_test + "\n";
}

// Two findings: device_param at the test of line 3 and instantiation at line 1.
std::string labelled(const std::string& at_class, const std::string& at_test = "") {
  return "class TestA(TestCase):" + at_class +
         "\n    hw_classification = HardwareClassification.CUDA\n    def test_a(self): pass" + at_test + "\n";
}

std::string message(const std::string& text) {
  for (const Finding& finding : lint_text("recommended", text))
    if (finding.rule == "unused_suppression") return full_message(finding);
  return "";
}

Marks found(const std::string& text) { return found_in("recommended", text); }

TEST(Suppressions, OnTheLine) {
  ASSERT_EQ(found(source("")), Marks{"1 hw_classification"});
  EXPECT_EQ(found(source("  # hwsift: ignore[hw_classification] made elsewhere")), Marks{});
  EXPECT_EQ(found(source("  # noqa  # hwsift: ignore[hw_classification] made elsewhere")), Marks{});
}

TEST(Suppressions, OnALineOfItsOwnAboveIt) {
  EXPECT_EQ(found(source("", "", "# hwsift: ignore[hw_classification] made elsewhere\n")), Marks{});
  EXPECT_EQ(found(source("", "", "# hwsift: ignore[hw_classification] made elsewhere\n\n# and more\n")),
            Marks{});
  EXPECT_EQ(found(source("", "", "# hwsift: ignore[hw_classification] made elsewhere\nx = 1\n")),
            (Marks{"1 unused_suppression", "3 hw_classification"}));
}

TEST(Suppressions, BelowALineAreAboutTheNextOne) {
  EXPECT_EQ(found(source("\n    # hwsift: ignore[hw_classification] made elsewhere")),
            (Marks{"1 hw_classification", "2 unused_suppression"}));
}

TEST(Suppressions, OnAClassLineAreAboutTheWholeClass) {
  ASSERT_EQ(found(labelled("")), (Marks{"1 instantiation", "3 device_param"}));
  EXPECT_EQ(found(labelled("  # hwsift: ignore[device_param] helper makes it")), Marks{"1 instantiation"});
  EXPECT_EQ(found(labelled("", "  # hwsift: ignore[device_param] helper makes it")),
            Marks{"1 instantiation"});
  EXPECT_EQ(found(labelled("", "  # hwsift: ignore[instantiation] helper makes it")),
            (Marks{"1 instantiation", "3 device_param", "3 unused_suppression"}));
}

TEST(Suppressions, OnADecoratorOfAClassAreAboutTheClassToo) {
  for (const char* before : {"@skip  # hwsift: ignore[hw_classification] made elsewhere\n",
                             "# hwsift: ignore[hw_classification] made elsewhere\n@skip\n",
                             "@first\n@second  # hwsift: ignore[hw_classification] made elsewhere\n"})
    EXPECT_EQ(found(source("", "", before)), Marks{}) << before;
}

TEST(Suppressions, OfAClassReachTheCallsThatInstantiateIt) {
  auto text = [](const std::string& at_class, const std::string& at_call) {
    return "class TestA(TestCase):" + at_class +
           "\n    hw_classification = HardwareClassification.ACCELERATOR\n"
           "    def test_a(self, device): f(device)\n"
           "instantiate_device_type_tests(TestA, globals(), only_for='cuda')" +
           at_call + "\n";
  };
  ASSERT_EQ(found(text("", "")), Marks{"4 only_for"});
  EXPECT_EQ(found(text("  # hwsift: ignore[only_for] it is slow", "")), Marks{});
  EXPECT_EQ(found(text("", "  # hwsift: ignore[only_for] it is slow")), Marks{});
}

TEST(Suppressions, OfOneClassLeaveAnotherAlone) {
  std::string two = source("  # hwsift: ignore[hw_classification] made elsewhere") +
                    "class TestB(TestCase):\n    def test_b(self): pass\n";
  EXPECT_EQ(found(two), Marks{"3 hw_classification"});
}

TEST(Suppressions, OfOneClassLeaveItsNamesakeAlone) {
  auto text = [](const std::string& first, const std::string& second) {
    return "if X:\n    class TestA(TestCase):" + first + "\n        def test_a(self): pass\nelse:\n" +
           "    class TestA(TestCase):" + second + "\n        def test_a(self): pass\n";
  };
  const char* comment = "  # hwsift: ignore[hw_classification] made elsewhere";
  EXPECT_EQ(found(text(comment, "")), Marks{"5 hw_classification"});
  EXPECT_EQ(found(text("", comment)), Marks{"2 hw_classification"});
  EXPECT_EQ(found(text(comment, comment)), Marks{});
}

TEST(Suppressions, NameSeveralRules) {
  EXPECT_EQ(found(labelled("  # hwsift: ignore[device_param, instantiation] helper makes it")), Marks{});
  EXPECT_EQ(found(labelled("  # hwsift: ignore[device_param,instantiation] helper makes it")), Marks{});
  std::string text = labelled("  # hwsift: ignore[device_param, except_for] helper makes it");
  EXPECT_EQ(found(text), (Marks{"1 instantiation", "1 unused_suppression"}));
  EXPECT_NE(message(text).find("nothing here breaks except_for,"), std::string::npos) << message(text);
}

TEST(Suppressions, WithoutAReasonSuppressNothing) {
  std::string text = source("  # hwsift: ignore[hw_classification]");
  EXPECT_EQ(found(text), (Marks{"1 hw_classification", "1 unused_suppression"}));
  EXPECT_NE(message(text).find("gives no reason"), std::string::npos);
}

TEST(Suppressions, OfAnUnknownRuleNameTheNearOne) {
  std::string text = source("  # hwsift: ignore[hw_clasification] made elsewhere");
  EXPECT_EQ(found(text), (Marks{"1 hw_classification", "1 unused_suppression"}));
  EXPECT_NE(message(text).find("no rule is called 'hw_clasification'; did you mean 'hw_classification'?"),
            std::string::npos)
      << message(text);
}

TEST(Suppressions, WithoutARuleSuppressNothing) {
  for (const char* comment :
       {"  # hwsift: ignore made elsewhere", "  # hwsift: ignore", "  # hwsift: ignore[] made elsewhere"}) {
    EXPECT_EQ(found(source(comment)), (Marks{"1 hw_classification", "1 unused_suppression"})) << comment;
    EXPECT_NE(message(source(comment)).find("names no rule"), std::string::npos) << comment;
  }
}

TEST(Suppressions, ThatAreNotNeededAreTold) {
  std::string text = source("", "  # hwsift: ignore[device_param] helper makes it");
  EXPECT_EQ(found(text), (Marks{"1 hw_classification", "2 unused_suppression"}));
  EXPECT_NE(message(text).find("nothing here breaks device_param"), std::string::npos);
}

TEST(Suppressions, OfRulesThatDoNotRunAreNotTold) {
  std::string text = source("  # hwsift: ignore[missing_variants] on purpose");
  EXPECT_EQ(found(text), Marks{"1 hw_classification"});
  EXPECT_EQ(found_in("all", text), (Marks{"1 hw_classification", "1 unused_suppression"}));
  EXPECT_EQ(found_in("declare", source("", "  # hwsift: ignore[device_param] on purpose")),
            Marks{"1 hw_classification"});
}

TEST(Suppressions, WorkInEveryProfile) {
  for (const char* profile : {"declare", "upstream-strict", "upstream-relaxed", "all"})
    EXPECT_EQ(found_in(profile, source("  # hwsift: ignore[hw_classification] made elsewhere")), Marks{})
        << profile;
}

TEST(Suppressions, InATextAreNone) {
  EXPECT_EQ(found("x = '# hwsift: ignore[hw_classification] text'\n" + source("")),
            Marks{"2 hw_classification"});
  EXPECT_EQ(found("'''\n# hwsift: ignore[hw_classification] text\n'''\n" + source("")),
            Marks{"4 hw_classification"});
}

TEST(Suppressions, InTheMiddleOfACommentAreNone) {
  EXPECT_EQ(found(source("  # write hwsift: ignore[hw_classification] there")), Marks{"1 hw_classification"});
}

TEST(Suppressions, CannotHideAParseError) {
  EXPECT_EQ(found("x = (  # hwsift: ignore[parse_error] later\n"), Marks{"1 parse_error"});
}

TEST(Suppressions, CannotHideAnotherSuppression) {
  EXPECT_EQ(found("x = 1  # hwsift: ignore[unused_suppression, only_for] on purpose\n").size(), 1u);
}

TEST(Suppressions, MayShareAComment) {
  std::string text = labelled("  # hwsift: ignore[device_param] one # hwsift: ignore[instantiation] two");
  EXPECT_EQ(found(text), Marks{});
  text = labelled("  # hwsift: ignore[device_param] # hwsift: ignore[instantiation] two");
  EXPECT_EQ(found(text), (Marks{"1 unused_suppression", "3 device_param"})) << "each needs its reason";
}

TEST(Suppressions, StandWhereTheyAreRead) {
  std::vector<Finding> findings = lint_text("recommended", "x = 1  # hwsift: ignore[only_for] on purpose\n");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].line, 1);
  EXPECT_EQ(findings[0].col, 8);
  EXPECT_EQ(findings[0].end_col, 45);
  EXPECT_EQ(findings[0].severity, Severity::warning);
  findings = lint_text("recommended", "x = 1  # noqa é  # hwsift: ignore[only_for] on purpose\r\n");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].col, 18);
  EXPECT_EQ(findings[0].end_col, 55);
}

TEST(Suppressions, WithoutAReasonAreToldOnce) {
  EXPECT_EQ(found(labelled("", "  # hwsift: ignore[only_for]")),
            (Marks{"1 instantiation", "3 device_param", "3 unused_suppression"}));
  EXPECT_EQ(found(labelled("", "  # hwsift: ignore[device_param] -")),
            (Marks{"1 instantiation", "3 device_param", "3 unused_suppression"}));
}

TEST(Suppressions, SlipsOfTheWordAreTold) {
  for (const char* slip : {"  # hwsift: Ignore[device_param] why", "  # hwsift: disable[device_param] why"})
    EXPECT_EQ(found(labelled("", slip)),
              (Marks{"1 instantiation", "3 device_param", "3 unused_suppression"}));
}

}  // namespace
}  // namespace hwsift::lint
