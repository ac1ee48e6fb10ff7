#include "runner/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hwsift::runner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string>& categories() {
  static const std::vector<std::string> names = {"GENERIC", "DEVICE_GENERIC", "CPU", "CUDA", "XPU", "MPS"};
  return names;
}

Filter filter_of(const std::string& text) {
  Result<Filter> filter = Filter::parse(text, categories());
  EXPECT_TRUE(filter.ok()) << text << ": " << to_string(filter.error());
  return filter.ok() ? *filter : Filter::parse("none()", categories()).value();
}

std::string error_of(const std::string& text) {
  Result<Filter> filter = Filter::parse(text, categories());
  return filter.ok() ? "parsed as " + filter->to_text() : to_string(filter.error());
}

std::string text_of(const std::string& text) { return filter_of(text).to_text(); }

const std::vector<std::string> kOwners = {"module: nn", "oncall: quantization", "NNC"};

TestTraits test() {
  TestTraits traits;
  traits.id = "test/nn/test_init.py::TestAddCUDA::test_add_cuda_float32";
  traits.path = "test/nn/test_init.py";
  traits.cls = "TestAdd";
  traits.run_class = "TestAddCUDA";
  traits.method = "test_add";
  traits.name = "test_add_cuda_float32";
  traits.category = "DEVICE_GENERIC";
  traits.owners = &kOwners;
  return traits;
}

bool takes(const std::string& text, const TestTraits& traits, const ChangedFiles& changed = {}) {
  return filter_of(text).matches(traits, changed);
}
bool takes(const std::string& text) { return takes(text, test()); }

TEST(Filter, FileIsAPathOrAFolderAboveIt) {
  for (const char* text : {"file(test/nn/test_init.py)", "file(nn/test_init.py)", "file(test/nn/test_init)",
                           "file(nn/test_init)", "file(test/nn)", "file(test/nn/)", "file(nn)", "file(test)",
                           "file(./test/nn)", "file(nn/test_*)", "file(*init*)", "file(n?)",
                           "file(=nn/test_init)", "file(#*/test_init)", "file(~nn/test)"})
    EXPECT_TRUE(takes(text)) << text;
  for (const char* text : {"file(test_init.py)", "file(test_init)", "file(n)", "file(test/nn/test)",
                           "file(NN)", "file(=test/nn)", "file(#nn)", "file(~n/n)", "file(nn/test_init.)"})
    EXPECT_FALSE(takes(text)) << text;
  TestTraits elsewhere = test();
  elsewhere.path = "functorch/test_ops.py";
  EXPECT_TRUE(takes("file(functorch)", elsewhere));
  EXPECT_FALSE(takes("file(test)", elsewhere));
}

TEST(Filter, ClassLooksAtTheTemplateAndTheVariant) {
  for (const char* text :
       {"class(Add)", "class(~AddCU)", "class(=TestAdd)", "class(=TestAddCUDA)", "class(#*CUDA)"})
    EXPECT_TRUE(takes(text)) << text;
  for (const char* text : {"class(=Add)", "class(add)", "class(#Add*)", "class(test_add)"})
    EXPECT_FALSE(takes(text)) << text;
  TestTraits function = test();
  function.cls = function.run_class = "";
  EXPECT_FALSE(takes("class(#*)", function));
}

TEST(Filter, TestLooksAtTheMethodAndTheNameThatRuns) {
  for (const char* text :
       {"test(add)", "test(=test_add)", "test(=test_add_cuda_float32)", "test(#*_float32)"})
    EXPECT_TRUE(takes(text)) << text;
  for (const char* text : {"test(=add)", "test(#add*)", "test(TestAdd)", "test(sub)"})
    EXPECT_FALSE(takes(text)) << text;
}

TEST(Filter, HwIsOneOfSeveralCategories) {
  EXPECT_TRUE(takes("hw(DEVICE_GENERIC)"));
  EXPECT_TRUE(takes("hw(accelerator)"));
  EXPECT_TRUE(takes("hw(cuda, Device_Generic)"));
  EXPECT_FALSE(takes("hw(GENERIC, CUDA)"));
  EXPECT_EQ(text_of("hw( cuda,ACCELERATOR , CUDA)"), "hw(CUDA, DEVICE_GENERIC)");
  EXPECT_EQ(error_of("hw(CDUA)"), "-E: column 4: no category 'CDUA' (did you mean 'CUDA'?)");
  EXPECT_EQ(error_of("hw(ACCELERATR)"),
            "-E: column 4: no category 'ACCELERATR' (did you mean 'ACCELERATOR'?)");
  EXPECT_THAT(error_of("hw(quantum)"), testing::HasSubstr("there are GENERIC, DEVICE_GENERIC, CPU"));
  EXPECT_THAT(error_of("hw(CUDA,)"), testing::HasSubstr("a category is missing"));
}

TEST(Filter, OwnerNeedsNoPrefixAndNoCase) {
  for (const char* text : {"owner(nn)", "owner(module: nn)", "owner(MODULE: NN)", "owner(quantization)",
                           "owner(=nnc)", "owner(~quant)", "owner(#oncall:*)"})
    EXPECT_TRUE(takes(text)) << text;
  for (const char* text : {"owner(n)", "owner(module)", "owner(quant)", "owner(oncall: nn)"})
    EXPECT_FALSE(takes(text)) << text;
  TestTraits orphan = test();
  orphan.owners = nullptr;
  EXPECT_TRUE(takes("!owner(#*)", orphan));
  EXPECT_FALSE(takes("!owner(#*)"));
}

TEST(Filter, SlowIsKnownOrMeasured) {
  TestTraits slow = test();
  slow.slow = true;
  EXPECT_TRUE(takes("slow()", slow));
  EXPECT_FALSE(takes("slow(1)", slow));  // nothing recorded
  TestTraits measured = test();
  measured.seconds = 90;
  EXPECT_FALSE(takes("slow()", measured));
  for (const char* text : {"slow(90)", "slow(90s)", "slow(1.5m)", "slow( 1.5 m )", "slow(1)"})
    EXPECT_TRUE(takes(text, measured)) << text;
  for (const char* text : {"slow(90.5)", "slow(2m)", "slow(1h)"}) EXPECT_FALSE(takes(text, measured)) << text;
  for (const char* text :
       {"slow(fast)", "slow(-1)", "slow(0)", "slow(nan)", "slow(inf)", "slow(1d)", "slow(1 2)"})
    EXPECT_THAT(error_of(text), testing::HasSubstr("is no duration")) << text;
}

TEST(Filter, FailedAskForTheLastRun) {
  TestTraits failed = test();
  failed.failed = true;
  EXPECT_TRUE(takes("failed()", failed));
  EXPECT_FALSE(takes("failed()"));
}

TEST(Filter, ChangedLooksIntoTheSetOfItsBase) {
  ChangedFiles changed = {{"", {"test/nn/test_init.py"}}, {"main", {"test/test_x.py"}}};
  EXPECT_TRUE(takes("changed()", test(), changed));
  EXPECT_FALSE(takes("changed(main)", test(), changed));
  EXPECT_FALSE(takes("changed(HEAD~1)", test(), changed));
  EXPECT_THAT(error_of("changed(--output=x)"), testing::HasSubstr("cannot name a commit"));
}

TEST(Filter, AllAndNone) {
  EXPECT_TRUE(takes("all()"));
  EXPECT_FALSE(takes("none()"));
}

TEST(Filter, OperatorsBindAsDocumented) {
  EXPECT_TRUE(takes("none() & none() | all()"));
  EXPECT_FALSE(takes("none() & (none() | all())"));
  EXPECT_TRUE(takes("all() | all() & none()"));
  EXPECT_TRUE(takes("all() - none()"));
  EXPECT_FALSE(takes("all() - all()"));
  EXPECT_TRUE(takes("all() - (all() - all())"));
  EXPECT_FALSE(takes("all() - all() - all()"));
  EXPECT_FALSE(takes("all() - all() & all()"));
  EXPECT_FALSE(takes("!all() & none()"));
  EXPECT_TRUE(takes("!(all() & none())"));
  EXPECT_TRUE(takes("!none() | none()"));
  EXPECT_TRUE(takes("!!all()"));
}

TEST(Filter, WordsAreOperatorsToo) {
  EXPECT_EQ(text_of("not slow() and test(a) or class(B)"), "!slow() & test(a) | class(B)");
  EXPECT_EQ(text_of("not(slow())or(failed())"), "!slow() | failed()");
}

TEST(Filter, IsPrintedWithTheParenthesesItNeeds) {
  EXPECT_EQ(text_of(" ( (test(a)&((class(B)))) ) "), "test(a) & class(B)");
  EXPECT_EQ(text_of("test(a)&(class(B)-slow())"), "test(a) & (class(B) - slow())");
  EXPECT_EQ(text_of("(test(a)|class(B))&slow()"), "(test(a) | class(B)) & slow()");
  EXPECT_EQ(text_of("!(test(a)|class(B))"), "!(test(a) | class(B))");
  EXPECT_EQ(text_of("test( ~ a )&class(=B)&file(#c)&owner(= d)"),
            "test(a) & class(=B) & file(#c) & owner(d)");
}

TEST(Filter, ArgumentsHoldAnythingBalancedOrQuoted) {
  TestTraits odd = test();
  odd.name = "test_add[f(x) - 'y'] & (";
  EXPECT_TRUE(takes("test(f(x) - 'y')", odd));
  EXPECT_TRUE(takes("test('] & (')", odd));
  EXPECT_TRUE(takes(R"(test(="test_add[f(x) - 'y'] & ("))", odd));
  EXPECT_TRUE(takes(R"(test('- \'y\''))", odd));
  EXPECT_TRUE(takes("test(#test_add[*])", test()) == false);
  EXPECT_EQ(text_of("test('a b')"), "test(a b)");
  EXPECT_EQ(text_of("test('=a')"), "test(\"=a\")");
  EXPECT_EQ(text_of("test(' a')"), "test(\" a\")");
  EXPECT_EQ(text_of(R"(test('(\\"'))"), R"(test("(\\\""))");
  EXPECT_EQ(text_of(R"(test(a\b))"), R"(test(a\b))");
}

TEST(Filter, GlobsKnowNothingButStarAndQuestionMark) {
  TestTraits odd = test();
  odd.name = "test_\xC3\xA9[0-9]";
  EXPECT_TRUE(takes("test(#test_?[0-9])", odd));
  EXPECT_FALSE(takes("test(#test_??[0-9])", odd));
  EXPECT_FALSE(takes("test(#test_*[5])", odd));
  std::string name(3000, 'a');
  odd.name = name;
  std::string stars;
  for (int i = 0; i < 1000; ++i) stars += "*a";
  EXPECT_FALSE(takes("test(#" + stars + "*b)", odd));  // ends at all
  EXPECT_TRUE(takes("test(#" + stars + ")", odd));
}

TEST(Filter, SaysWhatItNeeds) {
  Filter filter = filter_of("slow() & changed(main) | changed() - changed(main)");
  EXPECT_FALSE(filter.needs_history());
  EXPECT_FALSE(filter.needs_failed());
  EXPECT_THAT(filter.changed_bases(), ElementsAre("", "main"));
  EXPECT_TRUE(filter_of("all() | slow(3)").needs_history());
  EXPECT_TRUE(filter_of("all() | failed()").needs_failed());
  EXPECT_THAT(filter_of("all()").changed_bases(), IsEmpty());
}

TEST(FilterErrors, NameThePlaceAndARemedy) {
  EXPECT_EQ(error_of("all() & tets(a)"), "-E: column 9: no predicate 'tets' (did you mean 'test'?)");
  EXPECT_THAT(error_of("frobnicate(a)"), testing::HasSubstr("there are file(), class(), test(), hw()"));
  EXPECT_EQ(
      error_of("TestNN"),
      "-E: column 1: no predicate 'TestNN' (to look for it in names write test(TestNN) or class(TestNN))");
  EXPECT_EQ(error_of("slow"), "-E: column 5: 'slow' needs parentheses (as in slow(30s))");
  EXPECT_EQ(error_of("test()"), "-E: column 6: test() needs a text (as in test(add))");
  EXPECT_EQ(error_of("failed(x)"), "-E: column 8: failed() takes nothing (write failed())");
  EXPECT_EQ(error_of("hw(=CUDA)"), "-E: column 4: hw() takes no '=' (as in hw(CUDA))");
  EXPECT_THAT(error_of("test(a"), testing::StartsWith("-E: column 1: no ')' ends this predicate"));
  EXPECT_THAT(error_of("test('a)"), testing::StartsWith("-E: column 6: this quote is not closed"));
  EXPECT_THAT(error_of("test('a'b)"), testing::StartsWith("-E: column 9: ')' is missing after"));
  EXPECT_EQ(error_of("(all()"), "-E: column 1: no ')' belongs to this '(' (add one)");
  EXPECT_EQ(error_of("all())"), "-E: column 6: no '(' belongs to this ')' (remove it)");
  EXPECT_THAT(error_of("all() none()"), testing::StartsWith("-E: column 7: an operator is missing here"));
  EXPECT_THAT(error_of("all() not none()"), testing::StartsWith("-E: column 7: an operator is missing here"));
  for (const char* text : {"", "  ", "all() &", "!", "("})
    EXPECT_THAT(error_of(text), testing::HasSubstr("a predicate is missing at the end (one of file(),"))
        << text;
  for (const char* text : {"()", "& all()", "all() & | none()", "and all()"})
    EXPECT_THAT(error_of(text), testing::HasSubstr("a predicate is missing here")) << text;
  for (const char* text : {"file(/)", "file(/home/x)", "file(.)"})
    EXPECT_THAT(error_of(text), testing::HasSubstr("told from the root of the tree")) << text;
}

TEST(FilterErrors, CountCharactersAndPointAtThem) {
  std::size_t fault = 0;
  std::string text = "test(\xC3\xA9) & tets(a)";
  Result<Filter> filter = Filter::parse(text, categories(), &fault);
  ASSERT_FALSE(filter.ok());
  EXPECT_EQ(filter.error().where, "-E: column 11");
  EXPECT_EQ(fault, 11u);
  EXPECT_EQ(caret(text, fault), "  test(\xC3\xA9) & tets(a)\n            ^\n");
  EXPECT_EQ(caret("a\tb", 2), "  a\\x09b\n       ^\n");
  EXPECT_EQ(caret("a", 9), "  a\n   ^\n");
  std::string around = caret(std::string(500, 'x'), 250);
  EXPECT_EQ(around, "  ..." + std::string(120, 'x') + "...\n  " + std::string(63, ' ') + "^\n");
}

TEST(FilterErrors, NoDepthAndNoLengthIsTooMuch) {
  std::string open(30000, '(');
  EXPECT_TRUE(takes(open + "all()" + std::string(30000, ')')));
  EXPECT_TRUE(takes(std::string(60000, '!') + "all()"));
  EXPECT_THAT(error_of(open), testing::HasSubstr("a predicate is missing at the end"));
  EXPECT_THAT(error_of(std::string(100000, '(')), testing::HasSubstr("longer than 64 KiB"));
  EXPECT_THAT(error_of(std::string(60000, 'x')), testing::SizeIs(testing::Lt(400u)));
}

TEST(Filter, PrintedTextReadsTheSame) {
  for (const char* text : {"file(nn) | test(a) & !class(~B) - owner(#*x)", "file('a b/') & file(' ./ ./x')",
                           "slow( 1.5 m )", "changed(HEAD~1) | changed()", "test(='=x')", "test(\"'\")",
                           "hw(accelerator,cpu) - !(all() | none())", "a", "test(')')"}) {
    Result<Filter> filter = Filter::parse(text, categories());
    if (!filter.ok()) continue;
    EXPECT_EQ(text_of(filter->to_text()), filter->to_text()) << text;
  }
}

}  // namespace
}  // namespace hwsift::runner
