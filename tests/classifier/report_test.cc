#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "report/classes.h"

namespace hwsift::report {
namespace {

using classifier::Category;
using classifier::ClassVerdict;
using testing::HasSubstr;

ClassVerdict mixed_class() {
  ClassVerdict verdict;
  verdict.path = "test/nn/test_a.py";
  verdict.name = "TestA";
  verdict.line = 7;
  verdict.declared = Category::device_generic();
  verdict.inferred = Category::generic();
  verdict.mixed = true;
  verdict.confidence = 0.8049;
  verdict.evidence = {{12, "torch.cuda.CUDAGraph", "is about CUDA alone", "test_b"}};
  verdict.methods = {{"test_a", 8, Category::generic(), {}},
                     {"test_c", 9, Category::generic(), {}},
                     {"test_b", 11, Category::of_device("cuda"), verdict.evidence}};
  verdict.split = {{"TestA", Category::generic(), {"test_a", "test_c"}},
                   {"TestACUDA", Category::of_device("cuda"), {"test_b"}}};
  return verdict;
}

ClassVerdict plain_class() {
  ClassVerdict verdict;
  verdict.path = "test/test_b.py";
  verdict.name = "TestLonger";
  verdict.line = 123;
  verdict.inferred = Category::device_generic();
  verdict.confidence = 0.95;
  verdict.evidence = {{130, "cuda", "names CUDA where an accelerator is wanted", "test_x"}};
  verdict.methods = {{"test_x", 129, Category::device_generic(), verdict.evidence}};
  return verdict;
}

ClassVerdict subclass() {
  ClassVerdict verdict = plain_class();
  verdict.name = "TestSub";
  verdict.own_tests = false;
  return verdict;
}

TEST(ClassesJson, IsTheDocument) {
  Result<Json> parsed = parse_json(classes_json({mixed_class(), plain_class(), subclass()}), "out.json");
  ASSERT_TRUE(parsed.ok());
  const Json& json = *parsed;
  EXPECT_EQ(json.begin().key(), "schema");
  EXPECT_EQ(json["schema"], "hwsift.classes/1");
  ASSERT_EQ(json["classes"].size(), 3u);
  EXPECT_EQ(
      json["classes"][0],
      Json::parse(R"({"path": "test/nn/test_a.py", "name": "TestA", "line": 7, "declared": "DEVICE_GENERIC",
      "inferred": "GENERIC", "mixed": true, "own_tests": true, "confidence": 0.8,
      "evidence": [{"line": 12, "symbol": "torch.cuda.CUDAGraph", "says": "is about CUDA alone", "method": "test_b"}],
      "methods": [{"name": "test_a", "line": 8, "category": "GENERIC", "evidence": []},
                  {"name": "test_c", "line": 9, "category": "GENERIC", "evidence": []},
                  {"name": "test_b", "line": 11, "category": "CUDA", "evidence": [
                     {"line": 12, "symbol": "torch.cuda.CUDAGraph", "says": "is about CUDA alone", "method": "test_b"}]}],
      "split": [{"name": "TestA", "category": "GENERIC", "methods": ["test_a", "test_c"]},
                {"name": "TestACUDA", "category": "CUDA", "methods": ["test_b"]}]})"));
  EXPECT_TRUE(json["classes"][1]["declared"].is_null());
  EXPECT_FALSE(json["classes"][2]["own_tests"].get<bool>());
  EXPECT_EQ(json["counts"], Json::parse(R"({"classes": 2, "tests": 4, "declared": 1, "mixed": 1,
      "without_own_tests": 1})"));
}

TEST(ClassesJson, OfNothingIsStillADocument) {
  Result<Json> parsed = parse_json(classes_json({}), "out.json");
  ASSERT_TRUE(parsed.ok());
  EXPECT_TRUE((*parsed)["classes"].empty());
}

TEST(ClassesText, GroupsByFolderAndEndsWithCountsAndTheNextStep) {
  EXPECT_EQ(classes_text({mixed_class(), plain_class(), subclass()}, Style{}),
            "test/nn\n"
            "  test_a.py:7  TestA  GENERIC         declared DEVICE_GENERIC, mixed: 2 GENERIC + 1 CUDA\n"
            "\n"
            "test\n"
            "  test_b.py:123  TestLonger  DEVICE_GENERIC  cuda (line 130) names CUDA where an accelerator is "
            "wanted\n"
            "  test_b.py:123  TestSub     DEVICE_GENERIC  cuda (line 130) names CUDA where an accelerator is "
            "wanted\n"
            "\n"
            "category         classes   mixed    tests\n"
            "GENERIC                1       1        2\n"
            "DEVICE_GENERIC         1       0        1\n"
            "CUDA                   0       0        1\n"
            "total                  2       1        4\n"
            "\n"
            "1 of 2 classes are declared, 1 otherwise than their tests say. 1 more have no tests of their "
            "own and run "
            "inherited or copied ones.\n"
            "Next: 'hwsift classify -o json' proposes how to split the mixed ones; 'hwsift lint' says which "
            "labels are missing or break their contract.\n");
}

TEST(ClassesText, ANameCannotSpeakToTheTerminal) {
  ClassVerdict verdict = plain_class();
  verdict.path = "test/\x1b[2J.py";
  EXPECT_EQ(classes_text({verdict}, Style{}).find('\x1b'), std::string::npos);
  EXPECT_THAT(classes_text({verdict}, Style{}), HasSubstr("\\x1b"));
}

TEST(ClassesText, SaysSoWhenThereIsNothing) {
  EXPECT_THAT(classes_text({}, Style{}), HasSubstr("No test classes here"));
}

}  // namespace
}  // namespace hwsift::report
