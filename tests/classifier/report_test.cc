#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/text.h"
#include "report/classes.h"
#include "report/classes_csv.h"
#include "report/classes_table.h"

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

// Its tests come from a base that is not in its file.
ClassVerdict unseen() {
  ClassVerdict verdict = subclass();
  verdict.name = "TestUnseen";
  verdict.methods.clear();
  verdict.evidence.clear();
  verdict.confidence = 0.4;
  return verdict;
}

std::vector<Category> all_categories() {
  std::vector<Category> categories = {Category::generic(), Category::device_generic()};
  for (const char* device : {"cpu", "cuda", "xpu", "mps"}) categories.push_back(Category::of_device(device));
  return categories;
}

ClassesReport report_of(std::vector<ClassVerdict> verdicts, std::set<Attention> show = {}) {
  return {std::move(verdicts), {}, {}, all_categories(), std::move(show)};
}

ClassesReport report_with_all() {
  ClassesReport report = report_of({mixed_class(), plain_class(), subclass(), unseen()});
  report.dynamic = {
      {"test/test_b.py", 200, "TestMade", "type(\"TestMade\", (TestCase,), {})", "made by type()"}};
  report.functions = {{"test/test_b.py", 300, "test_alone"}};
  return report;
}

Json document(const ClassesReport& report) {
  Result<Json> parsed = parse_json(classes_json(report), "out.json");
  EXPECT_TRUE(parsed.ok());
  return parsed.ok() ? *parsed : Json();
}

std::vector<std::string> names_in(const Json& list) {
  std::vector<std::string> names;
  for (const Json& item : list) names.push_back(item["name"].get<std::string>());
  return names;
}

using Names = std::vector<std::string>;

TEST(ClassesJson, IsTheDocument) {
  Json json = document(report_of({mixed_class(), plain_class(), subclass()}));
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
      "split": [{"name": "TestA", "category": "GENERIC", "methods": ["test_a", "test_c"], "helpers": [],
                 "joins": false},
                {"name": "TestACUDA", "category": "CUDA", "methods": ["test_b"], "helpers": [],
                 "joins": false}]})"));
  EXPECT_TRUE(json["classes"][1]["declared"].is_null());
  EXPECT_FALSE(json["classes"][2]["own_tests"].get<bool>());
  EXPECT_EQ(json["counts"], Json::parse(R"({"classes": 2, "tests": 4, "declared": 1, "mixed": 1,
      "without_own_tests": 1, "disagree": 1, "dynamic": 0, "functions": 0, "shown": 3})"));
  EXPECT_EQ(json["show"], Json::array());
}

TEST(ClassesJson, NamesWhatNoClassStatementMakesAndTestsInNoClass) {
  Json json = document(report_with_all());
  EXPECT_EQ(json["dynamic"], Json::parse(R"json([{"path": "test/test_b.py", "name": "TestMade", "line": 200,
      "text": "type(\"TestMade\", (TestCase,), {})", "why": "made by type()"}])json"));
  EXPECT_EQ(json["functions"],
            Json::parse(R"json([{"path": "test/test_b.py", "name": "test_alone", "line": 300}])json"));
}

TEST(ClassesJson, HoldsWhatIsShownAndSaysSo) {
  ClassesReport report = report_with_all();
  report.show = {Attention::mixed};
  Json json = document(report);
  EXPECT_EQ(json["show"], Json::parse(R"(["mixed"])"));
  EXPECT_EQ(names_in(json["classes"]), Names{"TestA"});
  EXPECT_TRUE(json["dynamic"].empty());
  EXPECT_TRUE(json["functions"].empty());
  EXPECT_EQ(json["counts"]["classes"], 2);
  EXPECT_EQ(json["counts"]["shown"], 1);
  report.show = {Attention::disagree, Attention::unknown};
  json = document(report);
  EXPECT_EQ(names_in(json["classes"]), (Names{"TestA", "TestUnseen"}));
  EXPECT_EQ(names_in(json["dynamic"]), Names{"TestMade"});
  EXPECT_EQ(names_in(json["functions"]), Names{"test_alone"});
}

TEST(ClassesJson, OfNothingIsStillADocument) { EXPECT_TRUE(document(report_of({}))["classes"].empty()); }

TEST(Attention, AConfidenceBelowTheLimitIsUnknownUnlessAPersonHasSpoken) {
  ClassVerdict verdict = plain_class();
  verdict.confidence = 0.5999999;  // a mean of 0.6, as it is printed
  EXPECT_FALSE(is_unknown(verdict));
  verdict.confidence = 0.59;
  EXPECT_TRUE(is_unknown(verdict));
  verdict.declared = Category::generic();
  EXPECT_FALSE(is_unknown(verdict));
  EXPECT_TRUE(is_unknown(unseen()));
}

TEST(Attention, ALabelIsHeldAgainstTestsThatWereSeen) {
  ClassVerdict verdict = unseen();
  verdict.declared = Category::generic();
  EXPECT_FALSE(disagrees(verdict));
  verdict = subclass();
  verdict.declared = Category::generic();
  EXPECT_TRUE(disagrees(verdict));
}

TEST(ClassesText, GroupsByFolderAndEndsWithATableAndTheNextStep) {
  EXPECT_EQ(classes_text(report_of({mixed_class(), plain_class(), subclass()}), 80, false, Style{}),
            "test/nn\n"
            "  test_a.py:7  TestA  GENERIC         declared DEVICE_GENERIC, mixed: 2 GENERIC + 1 CUDA\n"
            "\n"
            "test\n"
            "  test_b.py:123  TestLonger  DEVICE_GENERIC  cuda (line 130) names CUDA where an accelerator is "
            "wanted\n"
            "  test_b.py:123  TestSub     DEVICE_GENERIC  cuda (line 130) names CUDA where an accelerator is "
            "wanted\n"
            "\n"
            "Classes by directory and category\n"
            "directory     GENERIC DEVICE_GENERIC CUDA mixed classes tests\n"
            "test                -              1    -     -       1     1\n"
            "test/nn             -              -    -     1       1     3\n"
            "total               -              1    -     1       2     4\n"
            "tests of each       2              1    1                   4\n"
            "\n"
            "1 of 2 classes are declared, 1 otherwise than their tests say.\n"
            "1 more have no tests of their own and run inherited or copied ones.\n"
            "Next: 'hwsift classify --show mixed,disagree' lists what needs a person;\n"
            "'hwsift lint' says which labels are missing or break their contract.\n");
}

TEST(ClassesText, NamesWhatIsMadeElsewhereAndCountsTestsInNoClass) {
  std::string text = classes_text(report_with_all(), 80, false, Style{});
  EXPECT_THAT(text, HasSubstr("test/test_b.py:200  TestMade, made by type(): type("));
  EXPECT_THAT(text, HasSubstr("1 place makes classes without a class statement: dynamic, unclassified.\n"));
  EXPECT_THAT(text, HasSubstr("1 test function stands in no class: invisible to the filter.\n"));
  EXPECT_THAT(text, HasSubstr("--show mixed,disagree,unknown"));
}

TEST(ClassesText, ShowsOneKindAlone) {
  ClassesReport report = report_with_all();
  report.show = {Attention::mixed};
  EXPECT_EQ(classes_text(report, 80, false, Style{}),
            "mixed: 1 class, tests of different categories in one class\n"
            "\n"
            "test/nn\n"
            "  test_a.py:7  TestA  GENERIC         2 GENERIC + 1 CUDA: split into TestA, TestACUDA\n"
            "\n"
            "1 class is shown; 3 others are not.\n"
            "Next: 'hwsift classify --show mixed -o json' says which test goes into which part.\n");
}

TEST(ClassesText, ShowsWhatIsUnknown) {
  ClassesReport report = report_with_all();
  report.show = {Attention::unknown};
  EXPECT_EQ(classes_text(report, 80, false, Style{}),
            "unknown: 1 class, not labelled, and little is known of their tests\n"
            "\n"
            "test\n"
            "  test_b.py:123  TestUnseen  DEVICE_GENERIC  its tests were not seen\n"
            "\n"
            "dynamic, unclassified: 1 place makes test classes without a class statement\n"
            "  test/test_b.py:200  TestMade, made by type(): type(\"TestMade\", (TestCase,), {})\n"
            "\n"
            "invisible to the filter: 1 test function stands in no class\n"
            "  test/test_b.py:300  test_alone\n"
            "\n"
            "1 class is shown; 3 others are not.\n"
            "Next: label these by hand; tests in no class statement need one first.\n");
}

TEST(ClassesText, ANameCannotSpeakToTheTerminal) {
  ClassesReport report = report_with_all();
  report.verdicts[1].path = "test/\x1b[2J.py";
  report.dynamic[0].text = "\x1b[2J";
  report.functions[0].name = "test_\x1b[2J";
  for (const std::set<Attention>& show : {std::set<Attention>{}, {Attention::unknown, Attention::mixed}}) {
    report.show = show;
    std::string text = classes_text(report, 80, false, Style{});
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_THAT(text, HasSubstr("\\x1b"));
  }
  EXPECT_EQ(classes_csv(report).find('\x1b'), std::string::npos);
}

TEST(ClassesText, SaysSoWhenThereIsNothing) {
  EXPECT_THAT(classes_text(report_of({}), 80, false, Style{}), HasSubstr("No test classes here"));
}

ClassVerdict one_test(const std::string& path, const Category& category) {
  ClassVerdict verdict = plain_class();
  verdict.path = path;
  verdict.inferred = category;
  verdict.methods = {{"test_x", 1, category, {}}};
  return verdict;
}

std::vector<std::string> table_lines(const ClassesReport& report, std::size_t width) {
  std::vector<std::string> lines = split(classes_table(report, width, Style{}), '\n');
  lines.pop_back();
  return lines;
}

std::size_t widest(const std::vector<std::string>& lines) {
  std::size_t most = 0;
  for (const std::string& line : lines) most = std::max(most, code_points(line));
  return most;
}

TEST(ClassesTable, FoldsDeepDirectoriesIntoTheirParent) {
  ClassesReport report = report_of({one_test("test/a/b/c/d/test_x.py", Category::generic()),
                                    one_test("test/a/b/test_y.py", Category::generic()),
                                    one_test("test/test_z.py", Category::generic()),
                                    one_test("/elsewhere/test_w.py", Category::generic())});
  EXPECT_EQ(table_lines(report, 80), (Names{"directory          GENERIC mixed classes tests",
                                            "(outside the tree)       1     -       1     1",
                                            "test                     1     -       1     1",
                                            "test/a/b                 2     -       2     2",
                                            "total                    4     -       4     4",
                                            "tests of each            4                   4"}));
}

ClassesReport wide_report() {
  std::vector<ClassVerdict> verdicts;
  for (const Category& category : all_categories())
    for (int i = 0; i < 12; ++i)
      verdicts.push_back(one_test("test/a_directory_of_a_long_name/another_one/test_x.py", category));
  return report_of(verdicts);
}

TEST(ClassesTable, ShortensWhatDoesNotFitAndSaysHow) {
  EXPECT_EQ(table_lines(wide_report(), 140).front(),
            "directory                                   GENERIC DEVICE_GENERIC CPU CUDA XPU MPS mixed "
            "classes tests");
  std::vector<std::string> lines = table_lines(wide_report(), 80);
  EXPECT_EQ(lines.front(), "directory     GENERIC DEV_GEN CPU CUDA XPU MPS mixed classes tests");
  EXPECT_EQ(lines[1], "…/another_one      12      12  12   12  12  12     -      72    72");
  EXPECT_EQ(lines.back(), "DEV_GEN is DEVICE_GENERIC");
  EXPECT_LE(widest(lines), 80u);
}

TEST(ClassesTable, JoinsTheRarestDevicesWhereColumnsAreTooMany) {
  ClassesReport report = wide_report();
  for (int i = 0; i < 9; ++i) {
    Category category = Category::of_device("device" + std::to_string(i));
    report.categories.push_back(category);
    for (int n = 0; n <= i; ++n) report.verdicts.push_back(one_test("test/test_x.py", category));
  }
  std::vector<std::string> lines = table_lines(report, 80);
  EXPECT_LE(widest(lines), 80u);
  EXPECT_THAT(lines.front(), HasSubstr("CUDA"));
  EXPECT_THAT(lines.front(), HasSubstr(" others mixed"));
  EXPECT_THAT(classes_table(report, 80, Style{}), HasSubstr("\nothers are DEVICE0, DEVICE1, DEVICE2, "));
  EXPECT_THAT(classes_table(report, 80, Style{}), HasSubstr(" 117 "));  // all classes
}

TEST(ClassesTable, IsColouredOnATerminalOnly) {
  EXPECT_EQ(classes_table(wide_report(), 80, Style{}).find('\x1b'), std::string::npos);
  EXPECT_NE(classes_table(wide_report(), 80, Style{true}).find('\x1b'), std::string::npos);
}

TEST(ClassesCsv, IsARowAClass) {
  EXPECT_EQ(classes_csv(report_with_all()),
            "path,class,line,declared,inferred,mixed,confidence,tests,"
            "GENERIC,DEVICE_GENERIC,CPU,CUDA,XPU,MPS,split,evidence,kind\r\n"
            "test/nn/test_a.py,TestA,7,DEVICE_GENERIC,GENERIC,true,0.80,3,2,0,0,1,0,0,TestA=2;TestACUDA=1,"
            "torch.cuda.CUDAGraph (line 12) is about CUDA alone,own tests\r\n"
            "test/test_b.py,TestLonger,123,,DEVICE_GENERIC,false,0.95,1,0,1,0,0,0,0,,"
            "cuda (line 130) names CUDA where an accelerator is wanted,own tests\r\n"
            "test/test_b.py,TestSub,123,,DEVICE_GENERIC,false,0.95,0,0,0,0,0,0,0,,"
            "cuda (line 130) names CUDA where an accelerator is wanted,inherited tests\r\n"
            "test/test_b.py,TestUnseen,123,,DEVICE_GENERIC,false,0.40,0,0,0,0,0,0,0,,,inherited tests\r\n"
            "test/test_b.py,TestMade,200,,,,,,,,,,,,,"
            "\"dynamic, unclassified: made by type(): type(\"\"TestMade\"\", (TestCase,), {})\",dynamic\r\n");
}

TEST(ClassesCsv, HoldsWhatIsShown) {
  ClassesReport report = report_with_all();
  report.show = {Attention::disagree};
  EXPECT_EQ(split(classes_csv(report), '\n').size(), 3u);  // header, TestA, and nothing after the last end
}

TEST(ClassesCsv, ACellIsNoFormulaAndQuotedWhereNeeded) {
  EXPECT_EQ(csv_cell("=1+1"), "'=1+1");
  EXPECT_EQ(csv_cell("+1"), "'+1");
  EXPECT_EQ(csv_cell("-1"), "'-1");
  EXPECT_EQ(csv_cell("@A1"), "'@A1");
  EXPECT_EQ(csv_cell("\t=1"), "'\\x09=1");
  EXPECT_EQ(csv_cell("=HYPERLINK(\"x\",1)"), "\"'=HYPERLINK(\"\"x\"\",1)\"");
  EXPECT_EQ(csv_cell("a=b"), "a=b");
  EXPECT_EQ(csv_cell(""), "");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"a\""), "\"say \"\"a\"\"\"");
  EXPECT_EQ(csv_cell("a\r\nb"), "a\\x0d\\x0ab");
}

TEST(ClassesReport, GathersWhatTheClassifierDoesNotSee) {
  analyzer::FileFacts file;
  file.path = "test/test_c.py";
  file.test_file = true;
  file.classes.resize(1);
  file.classes[0].name = "TestHere";
  file.dynamic_classes.resize(2);
  file.dynamic_classes[0].name = "TestMade";
  file.dynamic_classes[0].line = 30;
  file.dynamic_classes[1].opaque = true;
  file.dynamic_classes[1].line = 40;
  file.instantiations.resize(4);
  const char* templates[] = {"TestHere", "TestMade", "TestImported", "TestImported"};
  for (std::size_t i = 0; i < 4; ++i) {
    file.instantiations[i].class_name = file.instantiations[i].first_argument = templates[i];
    file.instantiations[i].line = static_cast<int>(10 + i);
  }
  for (const char* name : {"test_seen", "test_called", "test_fixture", "helper"}) {
    analyzer::Function function;
    function.name = name;
    function.is_test = function.name != "helper";
    function.referenced = function.name == "test_called";
    if (function.name == "test_fixture")
      function.decorators = {{"pytest.fixture", "pytest.fixture", "pytest.fixture"}};
    file.functions.push_back(function);
  }
  ClassesReport report;
  add_file(file, {}, report);
  ASSERT_EQ(report.dynamic.size(), 3u);
  EXPECT_EQ(report.dynamic[0].name, "TestImported");
  EXPECT_EQ(report.dynamic[0].why, "a template from elsewhere");
  EXPECT_EQ(report.dynamic[0].line, 12);
  EXPECT_EQ(report.dynamic[1].name, "TestMade");
  EXPECT_EQ(report.dynamic[2].why, "put there by globals().update()");
  ASSERT_EQ(report.functions.size(), 1u);
  EXPECT_EQ(report.functions[0].name, "test_seen");
}

}  // namespace
}  // namespace hwsift::report
