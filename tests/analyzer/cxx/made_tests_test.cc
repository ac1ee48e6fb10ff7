#include "analyzer/cxx/made_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/cxx/lex.h"

namespace hwsift::analyzer::cxx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Joined {
  LexedFile file;
  Outline outline;
};

Joined join(const std::string& text, const std::vector<MadeTest>& made) {
  Joined all{lex(text, {}), {}};
  all.file.made_tests = made;
  all.outline = outline(all.file, {{"TEST", TestMacro::Kind::plain, false}});
  add_made_tests(all.file, Brackets(all.file.tokens), all.outline);
  return all;
}

// "Suite.Name line-end_line", and the first token of the body.
std::vector<std::string> tests_of(const Joined& joined) {
  std::vector<std::string> all;
  for (const OutlinedTest& test : joined.outline.tests) {
    std::string line =
        test.suite + "." + test.name + " " + std::to_string(test.line) + "-" + std::to_string(test.end_line);
    if (!test.body.empty()) line += " " + joined.file.tokens[test.body.begin].text;
    all.push_back(line);
  }
  return all;
}

TEST(CxxMadeTests, ATestThatBothHaveStandsOnce) {
  EXPECT_THAT(tests_of(join("TEST(A, B) { x(); }\n", {{"A", "B", false, 1, 1}})), ElementsAre("A.B 1-1 x"));
}

TEST(CxxMadeTests, AMacroOfAHeaderHasTheBodyThatIsWrittenThere) {
  Joined joined =
      join("TEST(A, B) {}\nMAKE(C, D) {\n  x();\n}\nTEST(E, F) {}\nvoid g() {}\n", {{"C", "D", false, 2, 1}});
  EXPECT_THAT(tests_of(joined), ElementsAre("A.B 1-1", "C.D 2-4 x", "E.F 5-5"));
  ASSERT_THAT(joined.outline.functions, testing::SizeIs(1));
  EXPECT_EQ(joined.outline.functions[0].name, "g");
}

TEST(CxxMadeTests, WithoutABodyItHasWhatTheMacroIsGiven) {
  Joined joined = join("#ifdef USE_CUDA\nMAKE_ALL(kCUDA, 1);\n#endif\n",
                       {{"A", "One", false, 2, 1}, {"A", "Two", true, 2, 1}});
  EXPECT_THAT(tests_of(joined), ElementsAre("A.One 2-2 kCUDA", "A.Two 2-2 kCUDA"));
  EXPECT_EQ(joined.file.conditions.at(static_cast<std::size_t>(joined.outline.tests[0].condition)).text,
            "USE_CUDA");
  EXPECT_EQ(joined.outline.tests[1].macro.kind, TestMacro::Kind::parametrized);
}

TEST(CxxMadeTests, TheCompilerKnowsTheNameBetter) {
  EXPECT_THAT(tests_of(join("TEST(A, B) { x(); }\n", {{"AHost", "B", false, 1, 1}})),
              ElementsAre("AHost.B 1-1 x"));
}

TEST(CxxMadeTests, PlacesThatAreNotThereDoNoHarm) {
  EXPECT_THAT(tests_of(join("x", {{"A", "B", false, 9, 9}})), ElementsAre("A.B 9-9"));
  EXPECT_THAT(tests_of(join("MAKE(", {{"A", "B", false, 1, 1}})), ElementsAre("A.B 1-1"));
  EXPECT_THAT(tests_of(join("MAKE(A) {", {{"A", "B", false, 1, 1}})), ElementsAre("A.B 1-1 A"));
  EXPECT_THAT(tests_of(join("", {})), IsEmpty());
}

}  // namespace
}  // namespace hwsift::analyzer::cxx
