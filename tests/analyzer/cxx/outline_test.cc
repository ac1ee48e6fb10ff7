#include "analyzer/cxx/outline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/cxx/lex.h"

namespace hwsift::analyzer::cxx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const std::vector<TestMacro> kMacros = {{"TEST", TestMacro::Kind::plain, false},
                                        {"TEST_F", TestMacro::Kind::plain, true},
                                        {"TEST_P", TestMacro::Kind::parametrized, true},
                                        {"TYPED_TEST", TestMacro::Kind::typed, true},
                                        {"TEST_CASE", TestMacro::Kind::named, false}};

Outline outline_of(const std::string& text) { return outline(lex(text, {}), kMacros); }

std::vector<std::string> tests_of(const std::string& text) {
  std::vector<std::string> names;
  for (const OutlinedTest& test : outline_of(text).tests) names.push_back(test.suite + "." + test.name);
  return names;
}

std::vector<std::string> functions_of(const std::string& text) {
  std::vector<std::string> names;
  for (const OutlinedFunction& one : outline_of(text).functions)
    names.push_back(one.class_name + "::" + one.name);
  return names;
}

TEST(CxxOutline, TestsOfEveryKind) {
  EXPECT_THAT(
      tests_of("TEST(A, B) { f(); }\nTEST_F(C, D) {}\nnamespace n { namespace {\nTYPED_TEST(E, F) {}\n} }\n"
               "TEST_P(G, H) {}\nTEST_CASE(\"adds\", \"[cpu]\") {}\n"),
      ElementsAre("A.B", "C.D", "E.F", "G.H", ".\"adds\""));
}

TEST(CxxOutline, ATestBehindAMacroThatNoSemicolonEnds) {
  EXPECT_THAT(tests_of("FOR_ALL_TYPES(MAKE)\n\nTEST(A, B) {}\n"), ElementsAre("A.B"));
}

TEST(CxxOutline, TestsInAttributedNamespacesFunctionTryBlocksAndDigraphs) {
  EXPECT_THAT(tests_of("namespace [[deprecated]] q { TEST(A, B) {} }\n"
                       "namespace __attribute__((visibility(\"hidden\"))) r { TEST(A, C) {} }\n"
                       "TEST(A, D) try { f(); } catch (...) {}\nTEST(A, E) <% f(); %>\n"),
              ElementsAre("A.B", "A.C", "A.D", "A.E"));
}

TEST(CxxOutline, AFunctionOfTheNameOfAMacroIsNoTest) {
  EXPECT_THAT(tests_of("bool TEST(const V& sizes, std::string name) { return true; }\n"), IsEmpty());
}

TEST(CxxOutline, WhatOnlyLooksLikeATest) {
  EXPECT_THAT(
      tests_of("// TEST(A, B) {}\nconst char* s = \"TEST(A, B) {}\";\nTEST(A, B);\nvoid TEST_X(int);\n"),
      IsEmpty());
}

TEST(CxxOutline, ATestKnowsItsLines) {
  OutlinedTest test = outline_of("\n  TEST(A, B) {\n  x();\n}\n").tests.at(0);
  EXPECT_EQ(test.line, 2);
  EXPECT_EQ(test.col, 3);
  EXPECT_EQ(test.end_line, 4);
}

TEST(CxxOutline, ClassesAndTheirBases) {
  Outline found = outline_of(
      "struct A : ::testing::Test, private n::B<int> { void SetUp() override { g(); } };\n"
      "class TORCH_API C final : public A {};\nstruct D;\nenum class E { x };\ntemplate <class T> class F "
      "{};\n");
  ASSERT_THAT(found.classes, SizeIs(3));
  EXPECT_EQ(found.classes[0].name, "A");
  EXPECT_THAT(found.classes[0].bases, ElementsAre("testing::Test", "n::B"));
  EXPECT_EQ(found.classes[1].name, "C");
  EXPECT_THAT(found.classes[1].bases, ElementsAre("A"));
  EXPECT_EQ(found.classes[2].name, "F");
}

TEST(CxxOutline, FunctionsWithTheirClass) {
  EXPECT_THAT(functions_of(
                  "static int f(int a) { return a; }\nint declared(int);\nstruct S {\n  S() : a(1), b{2} {}\n"
                  "  auto g() const noexcept -> int { return 1; }\n};\nvoid S::h() {}\n"
                  "template <typename T> void t(T x = {}) {}\nextern \"C\" { void e() {} }\n"
                  "int table[] = {1, 2};\nauto l = [](int x) { return x; };\n"),
              ElementsAre("::f", "S::S", "S::g", "S::h", "::t", "::e"));
}

TEST(CxxOutline, HowManyTypesASuiteHas) {
  Outline found = outline_of(
      "using Types = ::testing::Types<int, std::pair<int, char>, float>;\nTYPED_TEST_SUITE(A, Types);\n"
      "typedef testing::Types<int> One;\nTYPED_TEST_CASE(B, One);\nTYPED_TEST_SUITE(C, Elsewhere);\n"
      "INSTANTIATE_TEST_SUITE_P(Prefix, D, testing::Values(1, 2));\n");
  ASSERT_THAT(found.instances, SizeIs(4));
  EXPECT_EQ(found.instances[0].types, 3);
  EXPECT_EQ(found.instances[1].types, 1);
  EXPECT_EQ(found.instances[2].types, -1);
  EXPECT_EQ(found.instances[3].suite, "D");
  EXPECT_EQ(found.instances[3].prefix, "Prefix");
}

TEST(CxxOutline, ABraceWithoutAPartnerIsTold) {
  Outline found = outline_of("TEST(A, B) {\n  if (x) {\n}\nTEST(C, D) {}\n");
  ASSERT_THAT(found.errors, SizeIs(1));
  EXPECT_EQ(found.errors[0].line, 1);
  EXPECT_THAT(outline_of("}\nTEST(A, B) {}\n").tests, SizeIs(1));
}

TEST(CxxOutline, DeepNestingEnds) {
  std::string deep(100000, '(');
  outline_of("int x = " + deep + ";");
  outline_of(std::string(100000, '{'));
  std::string classes;
  for (int i = 0; i < 20000; ++i) classes += "struct A {";
  outline_of(classes + "TEST(A, B) {}" + std::string(20000, '}'));
}

}  // namespace
}  // namespace hwsift::analyzer::cxx
