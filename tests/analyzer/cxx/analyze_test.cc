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
  Lexicon words;
  words.last_words = {{"kCUDA", {UseKind::constant, {"cuda"}}}};
  return analyze("test/cpp/x.cpp", lex(text, {}),
                 {{"TEST", TestMacro::Kind::plain, false},
                  {"TEST_F", TestMacro::Kind::plain, true},
                  {"TYPED_TEST", TestMacro::Kind::typed, true},
                  {"TEST_P", TestMacro::Kind::parametrized, true}},
                 words);
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
  ASSERT_THAT(suite.methods, SizeIs(3));
  EXPECT_EQ(suite.methods[1].name, "Three");
  EXPECT_TRUE(suite.methods[1].is_test);
  ASSERT_THAT(suite.methods[1].conditions, SizeIs(1));
  EXPECT_EQ(suite.methods[1].conditions[0].text, "USE_CUDA");
  EXPECT_EQ(suite.methods[2].name, "SetUp");
  EXPECT_FALSE(suite.methods[2].is_test);
  EXPECT_THAT(suite.methods[0].names_read, ElementsAre("helper"));
  ASSERT_THAT(facts.functions, SizeIs(1));
  ASSERT_THAT(facts.uses, SizeIs(2));
  EXPECT_EQ(facts.uses[0].method_index, 1);
  EXPECT_EQ(facts.uses[1].method_index, 2);
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

TEST(CxxAnalyze, ErrorsHaveTheirPlace) {
  FileFacts facts = facts_of("TEST(A, B) {\n");
  EXPECT_FALSE(facts.parse.ok);
  ASSERT_THAT(facts.parse.errors, SizeIs(1));
  EXPECT_EQ(facts.parse.errors[0].line, 1);
  EXPECT_TRUE(facts_of("").parse.ok);
}

}  // namespace
}  // namespace hwsift::analyzer::cxx
