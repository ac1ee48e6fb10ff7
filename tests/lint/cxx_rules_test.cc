// The lint rules about C++ tests, on sources.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "analyzer/cxx/analyze.h"
#include "analyzer/cxx/lex.h"
#include "classifier/cxx_vocabulary.h"
#include "lint/lint.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Finding> lint_source(const std::string& text, const std::string& path = "test/cpp/a.cpp") {
  const classifier::Vocabulary& vocabulary = classifier::builtin_vocabulary();
  analyzer::cxx::CxxLexicon lexicon = classifier::cxx_lexicon(vocabulary);
  analyzer::FileFacts facts =
      analyzer::cxx::analyze(path, analyzer::cxx::lex(text, {lexicon.macros}), lexicon);
  Surroundings around;
  std::vector<classifier::ClassVerdict> verdicts = classifier::classify(facts, vocabulary);
  return lint_file(
      {*builtin_lint_rules().profile("recommended"), facts, verdicts, vocabulary, around, "", 0});
}

// "rule line"
std::vector<std::string> found(const std::string& text, const std::string& path = "test/cpp/a.cpp") {
  std::vector<std::string> all;
  for (const Finding& finding : lint_source(text, path))
    all.push_back(finding.rule + " " + std::to_string(finding.line));
  return all;
}

class CxxRules : public testing::TestWithParam<const char*> {};

TEST_P(CxxRules, TheBadExampleFiresAndTheGoodOneIsSilent) {
  const RuleDocument* document = builtin_lint_rules().document(GetParam());
  ASSERT_NE(document, nullptr);
  std::set<std::string> fired;
  for (const Finding& finding : lint_source(document->bad)) fired.insert(finding.rule);
  EXPECT_EQ(fired.count(document->id), 1U);
  for (const Finding& finding : lint_source(document->good))
    ADD_FAILURE() << finding.line << " " << finding.rule << " " << finding.message;
}

INSTANTIATE_TEST_SUITE_P(Each, CxxRules,
                         testing::Values(rule::cxx_device_suffix, rule::cxx_hardcoded_device,
                                         rule::cxx_missing_guard),
                         [](const testing::TestParamInfo<const char*>& example) { return example.param; });

TEST(CxxLint, ATestThatNeedsADeviceSaysSoInItsNameAndLeavesWithoutIt) {
  EXPECT_THAT(found("TEST(A, B) { torch::cuda::synchronize(); }"),
              ElementsAre("cxx_device_suffix 1", "cxx_missing_guard 1"));
  EXPECT_THAT(found("TEST(A, B_CUDA) { torch::cuda::synchronize(); }"), IsEmpty());
  EXPECT_THAT(found("TEST(A, B_MultiCUDA) { torch::cuda::synchronize(); }"), IsEmpty());
  EXPECT_THAT(found("TEST(A, B) { if (!torch::cuda::is_available()) return; torch::cuda::synchronize(); }"),
              IsEmpty());
  EXPECT_THAT(found("#ifdef USE_CUDA\nTEST(A, B) { torch::cuda::synchronize(); }\n#endif"), IsEmpty());
  EXPECT_THAT(found("TEST(A, B) { torch::cuda::synchronize(); }", "a.cu"), IsEmpty());
  EXPECT_THAT(found("TEST(A, B_CUDA) { f(); }"), ElementsAre("cxx_device_suffix 1"));
  EXPECT_THAT(found("TEST(A, B_CUDA) { run_on_cuda(); }"), IsEmpty());
}

TEST(CxxLint, ASuffixNeedsNoMoreThanTheNameOfTheDevice) {
  EXPECT_THAT(found("TEST(A, B_CUDA) { ASSERT_EQ(load().device().type(), torch::kCUDA); }"), IsEmpty());
  EXPECT_THAT(found("void run(bool cuda) { Device d(cuda ? kCUDA : kCPU); m->to(d); }\n"
                    "TEST(A, B_CUDA) { run(true); }"),
              IsEmpty());
}

TEST(CxxLint, ADeviceThatIsOnlyNamedIsNoNeed) {
  EXPECT_THAT(found("TEST(A, B) { ASSERT_EQ(torch::Device(\"cuda:1\").type(), torch::kCUDA); }"), IsEmpty());
}

TEST(CxxLint, OnlyATestThatCallsNoVendorsApiCouldTakeAnyDevice) {
  EXPECT_THAT(found("TEST(A, B_CUDA) { auto x = torch::ones({2}, torch::kCUDA); }"),
              ElementsAre("cxx_hardcoded_device 1"));
  EXPECT_THAT(found("TEST(A, B_CUDA) { auto x = torch::ones({2}, torch::kCUDA); at::cuda::foo(); }"),
              IsEmpty());
}

TEST(CxxLint, MessagesNameTheNeedAndTheRemedy) {
  std::vector<Finding> all = lint_source("TEST(A, B) {\n  torch::cuda::synchronize();\n}");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_THAT(all[0].message, HasSubstr("A.B needs CUDA (line 2: torch.cuda.synchronize)"));
  EXPECT_EQ(all[0].hint, "call it B_CUDA");
  EXPECT_THAT(all[1].hint, HasSubstr("if (!torch::cuda::is_available()) GTEST_SKIP()"));
  EXPECT_EQ(all[1].cls, "A");
  EXPECT_EQ(all[1].method, "B");
}

TEST(CxxLint, ACommentWithAReasonSuppresses) {
  const std::string test = "TEST(A, B_CUDA) { f(); }";
  EXPECT_THAT(found("// hwsift: ignore[cxx_device_suffix] the helper does\n" + test), IsEmpty());
  EXPECT_THAT(found(test + "  // hwsift: ignore[cxx_device_suffix] the helper does"), IsEmpty());
  EXPECT_THAT(found("/* hwsift: ignore[cxx_device_suffix] the helper does */\n" + test), IsEmpty());
  EXPECT_THAT(found("// hwsift: ignore[cxx_device_suffix]\n" + test),
              ElementsAre("unused_suppression 1", "cxx_device_suffix 2"));
  EXPECT_THAT(found("// hwsift: ignore[cxx_missing_guard] why\n" + test),
              ElementsAre("unused_suppression 1", "cxx_device_suffix 2"));
  EXPECT_THAT(found("// hwsift: ignore\nint x;"), ElementsAre("unused_suppression 1"));
  EXPECT_THAT(found("const char* s = \"// hwsift: ignore[no_rule] x\";"), IsEmpty());
}

TEST(CxxLint, ASuppressionAboveTheFirstTestIsNotAboutItsSuite) {
  EXPECT_THAT(
      found("// hwsift: ignore[cxx_device_suffix] one\nTEST(A, B_CUDA) { f(); }\nTEST(A, C_CUDA) { f(); }"),
      ElementsAre("cxx_device_suffix 3"));
}

TEST(CxxLint, ACommentBeforeCodeOnItsLineIsAboutThatLine) {
  EXPECT_THAT(
      found("/* hwsift: ignore[cxx_device_suffix] one */ TEST(A, B_CUDA) { f(); }\nTEST(A, C_CUDA) { f(); }"),
      ElementsAre("cxx_device_suffix 2"));
  EXPECT_THAT(found("/// hwsift: ignore[cxx_device_suffix] one\nTEST(A, B_CUDA) { f(); }"), IsEmpty());
}

TEST(CxxLint, WhatRunsNowhereIsLeftAlone) {
  EXPECT_THAT(found("#if 0\nTEST(A, B) { torch::cuda::synchronize(); }\n#endif"), IsEmpty());
  EXPECT_THAT(found("TEST(A, DISABLED_B) { torch::cuda::synchronize(); }"), IsEmpty());
}

TEST(CxxLint, AFileThatIsNoCxxIsAFinding) {
  EXPECT_THAT(found("TEST(A, B) {"), ElementsAre("parse_error 1"));
}

}  // namespace
}  // namespace hwsift::lint
