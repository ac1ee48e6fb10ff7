#include "analyzer/cxx/analyze.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/cxx/lex.h"

namespace hwsift::analyzer::cxx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

FileFacts facts_of(const std::string& text) {
  CxxLexicon words;
  words.names = {{"kCUDA", {UseKind::constant, {"cuda"}}}, {"hasCUDA", {UseKind::flag, {"cuda"}}}};
  words.uses_device = {"to"};
  words.test_macros = {{"TEST", TestMacro::Kind::plain, false},
                       {"TEST_F", TestMacro::Kind::plain, true},
                       {"TYPED_TEST", TestMacro::Kind::typed, true},
                       {"TEST_P", TestMacro::Kind::parametrized, true}};
  return analyze("test/cpp/x.cpp", lex(text, {}), words);
}

TEST(CxxAnalyze, ASuiteIsAClassAndItsTestsAreMethods) {
  FileFacts facts = facts_of(
      "struct RNNTest : torch::test::SeedingFixture { void SetUp() override { x.to(kCUDA); } };\n"
      "TEST_F(RNNTest, One) { helper(); }\nTEST(Other, Two) {}\n#ifdef USE_CUDA\nTEST_F(RNNTest, Three) { "
      "x.to(kCUDA); }\n"
      "#endif\nvoid helper() {}\n");
  EXPECT_EQ(facts.language, "cpp");
  EXPECT_TRUE(facts.test_file);
  ASSERT_THAT(facts.classes, SizeIs(2));
  const Class& suite = facts.classes[0];
  EXPECT_EQ(suite.name, "RNNTest");
  ASSERT_THAT(suite.bases, SizeIs(1));
  EXPECT_EQ(suite.bases[0].symbol, "torch.test.SeedingFixture");
  ASSERT_THAT(suite.methods, SizeIs(2));
  EXPECT_EQ(suite.methods[1].name, "Three");
  EXPECT_TRUE(suite.methods[1].is_test);
  ASSERT_THAT(suite.methods[1].conditions, SizeIs(1));
  EXPECT_EQ(suite.methods[1].conditions[0].text, "USE_CUDA");
  EXPECT_THAT(suite.methods[0].names_read, ElementsAre("helper"));
  ASSERT_THAT(facts.functions, SizeIs(2));
  EXPECT_EQ(facts.functions[0].name, "RNNTest::SetUp");
  EXPECT_EQ(facts.functions[1].name, "helper");
  ASSERT_THAT(facts.uses, SizeIs(2));
  EXPECT_EQ(facts.uses[0].function_index, 0);
  EXPECT_EQ(facts.uses[1].method_index, 1);
}

TEST(CxxAnalyze, NamesOfTypedAndParametrizedTests) {
  FileFacts facts = facts_of(
      "using Types = testing::Types<int, char>;\nTYPED_TEST_SUITE(A, Types);\nTYPED_TEST(A, Works) {}\n"
      "TYPED_TEST(B, Works) {}\nTEST_P(C, Works) {}\n");
  EXPECT_THAT(facts.classes[0].methods[0].instance_names, ElementsAre("A/0.Works", "A/1.Works"));
  EXPECT_FALSE(facts.classes[0].methods[0].expands);
  EXPECT_TRUE(facts.classes[1].methods[0].expands);
  EXPECT_TRUE(facts.classes[2].methods[0].expands);
}

TEST(CxxAnalyze, AFixtureOfAnotherFileIsABaseByItsName) {
  FileFacts facts = facts_of("TEST_F(GraphExecutorTest, Runs) {}\nTEST(Plain, Runs) {}\n");
  EXPECT_EQ(facts.classes[0].bases[0].symbol, "GraphExecutorTest");
  EXPECT_THAT(facts.classes[1].bases, IsEmpty());
}

TEST(CxxAnalyze, AFixtureHasTheBasesOfItsBases) {
  FileFacts facts = facts_of(
      "class A : public testing::Test {};\nclass B : public A {};\nclass C : public B {};\n"
      "TEST_F(C, Runs) {}\nclass D : public D {};\nTEST_F(D, Runs) {}\n");
  std::vector<std::string> bases;
  for (const Base& base : facts.classes[0].bases) bases.push_back(base.name);
  EXPECT_THAT(bases, ElementsAre("B", "A", "testing::Test"));
  EXPECT_THAT(facts.classes[1].bases, SizeIs(1));
}

TEST(CxxAnalyze, AGuardMayAskAFunctionOfTheFile) {
  FileFacts facts = facts_of(
      "struct F : testing::Test { bool skipTest() { if (!hasCUDA()) return true; return false; } };\n"
      "bool other() { return true; }\n"
      "TEST_F(F, One) { if (skipTest()) return; }\nTEST_F(F, Two) { if (other()) return; }\n");
  std::vector<Use> guards;
  for (const Use& use : facts.uses)
    if (use.class_index == 0) guards.push_back(use);
  ASSERT_THAT(guards, SizeIs(1));
  EXPECT_EQ(guards[0].symbol, "skipTest");
  EXPECT_EQ(guards[0].method_index, 0);
  EXPECT_EQ(guards[0].role, Role::guard);
  EXPECT_THAT(guards[0].devices, ElementsAre("cuda"));
}

TEST(CxxAnalyze, AnAnswerOfAFunctionHasAPolarity) {
  auto guards = [](const std::string& function, const std::string& condition) {
    FileFacts facts = facts_of(function + "\nTEST(A, B) { if (" + condition + ") return; f(); }\n");
    std::size_t found = 0;
    for (const Use& use : facts.uses) found += use.class_index == 0 ? 1 : 0;
    return found;
  };
  EXPECT_EQ(guards("bool has() { return hasCUDA(); }", "!has()"), 1U);
  EXPECT_EQ(guards("bool has() { return hasCUDA(); }", "has()"), 0U);
  EXPECT_EQ(guards("bool none() { return !hasCUDA(); }", "none()"), 1U);
  EXPECT_EQ(guards("bool skip() { if (!hasCUDA()) { log(); return true; } return false; }", "skip()"), 1U);
  EXPECT_EQ(guards("bool skip() { if (!hasCUDA()) { return true; } return false; }", "!skip()"), 0U);
  EXPECT_EQ(guards("int count() { if (hasCUDA()) return 2; return 1; }", "count() < 5"), 0U);
}

TEST(CxxAnalyze, ErrorsHaveTheirPlace) {
  FileFacts facts = facts_of("TEST(A, B) {\n");
  EXPECT_FALSE(facts.parse.ok);
  ASSERT_THAT(facts.parse.errors, SizeIs(1));
  EXPECT_EQ(facts.parse.errors[0].line, 1);
  EXPECT_TRUE(facts_of("").parse.ok);
}

}  // namespace
}  // namespace hwsift::analyzer::cxx
