// The categories of C++ tests, on sources.
#include "classifier/cxx_classify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/cxx/analyze.h"
#include "analyzer/cxx/lex.h"

namespace hwsift::classifier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<ClassVerdict> classify_source(const std::string& text,
                                          const std::string& path = "test/cpp/a.cpp") {
  const Vocabulary& vocabulary = builtin_vocabulary();
  analyzer::cxx::CxxLexicon lexicon = cxx_lexicon(vocabulary);
  analyzer::FileFacts facts =
      analyzer::cxx::analyze(path, analyzer::cxx::lex(text, {lexicon.macros}), lexicon);
  return classify(facts, vocabulary);
}

std::string category_of(const std::string& text, const std::string& path = "test/cpp/a.cpp") {
  std::vector<ClassVerdict> verdicts = classify_source(text, path);
  return verdicts.empty() ? "none" : verdicts.front().methods.front().category.name();
}

std::string of_body(const std::string& body) { return category_of("TEST(A, B) { " + body + " }"); }

TEST(CxxClassify, ATestThatSaysNothingOfHardwareIsGeneric) {
  EXPECT_EQ(of_body("ASSERT_EQ(torch::ones({2}).sum().item<float>(), 2);"), "GENERIC");
  EXPECT_EQ(of_body(""), "GENERIC");
}

TEST(CxxClassify, AVendorsApiIsANeed) {
  EXPECT_EQ(of_body("torch::cuda::synchronize();"), "CUDA");
  EXPECT_EQ(of_body("cudaMalloc(&p, 4);"), "CUDA");
  EXPECT_EQ(of_body("kernel<<<1, 2>>>(p);"), "CUDA");
  EXPECT_EQ(of_body("at::xpu::getCurrentXPUStream();"), "XPU");
  EXPECT_EQ(of_body("c10::xpu::getStreamFromPool();"), "XPU");
  EXPECT_EQ(of_body("auto x = at::rand({1}).vulkan();"), "VULKAN");
}

TEST(CxxClassify, ADeviceCountsWhereSomethingIsMadeOnItOrMovedToIt) {
  EXPECT_EQ(of_body("auto x = torch::ones({2}, torch::kCUDA);"), "CUDA");
  EXPECT_EQ(of_body("x.to(torch::Device(\"cuda:0\"));"), "CUDA");
  EXPECT_EQ(of_body("auto x = torch::ones({2}).cuda();"), "CUDA");
  EXPECT_EQ(of_body("auto o = TensorOptions().device(kCUDA); auto x = torch::ones({2}, o);"), "CUDA");
  EXPECT_EQ(of_body("auto x = torch::ones({2}, at::device(at::kMPS));"), "MPS");
}

TEST(CxxClassify, ATokenIsNoNeed) {
  EXPECT_EQ(of_body("ASSERT_EQ(torch::Device(\"cuda:1\").type(), torch::kCUDA);"), "GENERIC");
  EXPECT_EQ(of_body("Device d(kCUDA, 1); ASSERT_EQ(d.str(), \"cuda:1\");"), "GENERIC");
  EXPECT_EQ(of_body("auto o = CUDA(kFloat); REQUIRE_OPTIONS(kCUDA, -1, kFloat, kStrided);"), "GENERIC");
  EXPECT_EQ(of_body("InlineDeviceGuard<FakeGuardImpl<DeviceType::CUDA>> g(1);"), "GENERIC");
  EXPECT_EQ(of_body("ASSERT_FALSE(x.is_cuda());"), "GENERIC");
  EXPECT_EQ(of_body("bool cuda = false; f(cuda);"), "GENERIC");
}

TEST(CxxClassify, AGuardSaysWhatTheRestNeeds) {
  EXPECT_EQ(of_body("if (!torch::cuda::is_available()) return; f();"), "CUDA");
  EXPECT_EQ(of_body("if (!at::hasCUDA()) { GTEST_SKIP() << \"no\"; } f();"), "CUDA");
  EXPECT_EQ(of_body("if (torch::cuda::device_count() < 2) return; f();"), "CUDA");
  EXPECT_EQ(of_body("if (torch::cuda::is_available()) return; f();"), "GENERIC");
}

TEST(CxxClassify, WhatABranchOrAChoiceOpensIsNoNeed) {
  EXPECT_EQ(of_body("f(); if (at::hasCUDA()) { x.to(kCUDA); } g();"), "GENERIC");
  EXPECT_EQ(of_body("Device d = torch::cuda::is_available() ? kCUDA : kCPU; x.to(d);"), "GENERIC");
  EXPECT_EQ(of_body("\n#ifdef USE_CUDA\nx.to(kCUDA);\n#endif\n"), "GENERIC");
}

TEST(CxxClassify, ABranchThatIsTheWholeTestIsAGuard) {
  EXPECT_EQ(of_body("manual_seed(123); if (at::hasCUDA()) { test(CUDA(kFloat)); }"), "CUDA");
  EXPECT_EQ(of_body("if (at::hasCUDA()) { a(); } else { b(); }"), "GENERIC");
  EXPECT_EQ(of_body("a(); b(); if (at::hasCUDA()) { c(); }"), "GENERIC");
}

TEST(CxxClassify, TheNameTheBuildAndTheFileSayIt) {
  EXPECT_EQ(category_of("TEST(A, Works_CUDA) { helper(true); }"), "CUDA");
  EXPECT_EQ(category_of("TEST(A, Works_MultiCUDA) { helper(true); }"), "CUDA");
  EXPECT_EQ(category_of("TEST(A, WorksCuda) { helper(true); }"), "GENERIC");
  EXPECT_EQ(category_of("#if defined(USE_CUDA) || defined(USE_ROCM)\nTEST(A, B) {}\n#endif"), "CUDA");
  EXPECT_EQ(category_of("#ifndef USE_CUDA\nTEST(A, B) {}\n#endif"), "GENERIC");
  EXPECT_EQ(category_of("TEST(A, B) {}", "aten/src/ATen/test/a.cu"), "CUDA");
  EXPECT_EQ(category_of("TEST(A, B) {}", "aten/src/ATen/test/a.mm"), "MPS");
}

TEST(CxxClassify, AHeaderOfBuildsForADeviceSaysItForTheWholeFile) {
  EXPECT_EQ(category_of("#include <c10/cuda/CUDAStream.h>\nTEST(A, B) {}"), "CUDA");
  EXPECT_EQ(category_of("#include \"ATen/cuda/CUDAContext.h\"\nTEST(A, B) {}"), "CUDA");
  EXPECT_EQ(category_of("#ifdef USE_CUDA\n#include <c10/cuda/CUDAStream.h>\n#endif\nTEST(A, B) {}"),
            "GENERIC");
  EXPECT_EQ(category_of("#include <torch/cuda.h>\nTEST(A, B) {}"), "GENERIC");
}

TEST(CxxClassify, SeveralDevicesMakeNoneTheSubject) {
  EXPECT_EQ(of_body("torch::cuda::synchronize(); at::xpu::synchronize();"), "DEVICE_GENERIC");
  EXPECT_EQ(of_body("auto d = at::getAccelerator(); x.to(d.value());"), "DEVICE_GENERIC");
}

TEST(CxxClassify, HelpersOfTheFileCount) {
  EXPECT_EQ(category_of("void help() { torch::cuda::synchronize(); }\nTEST(A, B) { help(); }"), "CUDA");
  EXPECT_EQ(category_of("void f() { torch::cuda::synchronize(); } void g() { f(); }\nTEST(A, B) { g(); }"),
            "CUDA");
  EXPECT_EQ(category_of("void help(bool cuda) { if (cuda) x.to(kCUDA); }\nTEST(A, B) { help(false); }"),
            "GENERIC");
  EXPECT_EQ(category_of("void help() { if (!hasCUDA()) return; x.to(kCUDA); }\nTEST(A, B) { help(); g(); }"),
            "GENERIC");
  EXPECT_EQ(category_of("void on(Device d) { x.to(d); }\nTEST(A, B) { on(kCUDA); }"), "CUDA");
  EXPECT_EQ(category_of("void on(Device d) { print(d); }\nTEST(A, B) { on(kCUDA); }"), "GENERIC");
}

TEST(CxxClassify, TheFixtureCounts) {
  const std::string fixture =
      "struct Base : testing::Test { void SetUp() override { if (!hasCUDA()) GTEST_SKIP(); } };\n";
  EXPECT_EQ(category_of(fixture + "TEST_F(Base, B) { f(); }"), "CUDA");
  EXPECT_EQ(category_of(fixture + "struct Own : Base {};\nTEST_F(Own, B) { f(); }"), "CUDA");
  EXPECT_EQ(category_of(fixture + "struct Own : Other {};\nTEST_F(Own, B) { f(); }"), "GENERIC");
  // A return from SetUp does not keep the test from running.
  EXPECT_EQ(
      category_of("struct F : testing::Test { void SetUp() { if (!hasCUDA()) return; x.to(kCUDA); } };\n"
                  "TEST_F(F, B) { f(); }"),
      "GENERIC");
}

TEST(CxxClassify, MembersCountWhereTheirClassIsMade) {
  const std::string cls = "struct Model { Model(int) {} void reset() { x.to(kCUDA); } };\n";
  EXPECT_EQ(category_of(cls + "TEST(A, B) { std::unique_ptr<int> p; p.reset(); }"), "GENERIC");
  EXPECT_EQ(category_of(cls + "TEST(A, B) { Model m(1); m.reset(); }"), "CUDA");
}

TEST(CxxClassify, AnOverriddenSetUpDoesNotRun) {
  const std::string base =
      "struct Base : testing::Test { void SetUp() override { if (!hasCUDA()) GTEST_SKIP(); } };\n";
  EXPECT_EQ(category_of(base + "struct F : Base { void SetUp() override {} };\nTEST_F(F, B) { f(); }"),
            "GENERIC");
  EXPECT_EQ(
      category_of(base +
                  "struct F : Base { void SetUp() override { Base::SetUp(); } };\nTEST_F(F, B) { f(); }"),
      "CUDA");
}

TEST(CxxClassify, WhatOnlyAsksTheCompilerResolvedToo) {
  analyzer::FileFacts facts;
  facts.language = "cpp";
  facts.classes.emplace_back();
  facts.classes[0].name = "A";
  facts.classes[0].methods.emplace_back();
  facts.classes[0].methods[0].name = "B";
  analyzer::Use use;
  use.kind = analyzer::UseKind::device_method;
  use.symbol = "at.TensorBase.is_cuda";
  use.devices = {"cuda"};
  use.class_index = use.method_index = 0;
  facts.uses = {use};
  EXPECT_EQ(classify(facts, builtin_vocabulary())[0].methods[0].category.name(), "GENERIC");
}

TEST(CxxClassify, ASuiteOfSeveralCategoriesIsMixedAndNotSplit) {
  std::vector<ClassVerdict> verdicts = classify_source("TEST(A, B) {}\nTEST(A, C) {}\nTEST(A, D_CUDA) {}");
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].inferred.name(), "GENERIC");
  EXPECT_TRUE(verdicts[0].mixed);
  EXPECT_TRUE(verdicts[0].split.empty());
  ASSERT_EQ(verdicts[0].methods[2].evidence.size(), 1U);
  EXPECT_EQ(verdicts[0].methods[2].evidence[0].says, "is named for CUDA");
}

TEST(CxxClassify, EvidenceHasItsPlace) {
  std::vector<ClassVerdict> verdicts = classify_source("TEST(A, B) {\n  torch::cuda::synchronize();\n}");
  const Evidence& evidence = verdicts[0].methods[0].evidence[0];
  EXPECT_EQ(evidence.line, 2);
  EXPECT_EQ(evidence.symbol, "torch.cuda.synchronize");
  EXPECT_THAT(evidence.says, HasSubstr("needs CUDA"));
}

TEST(CxxClassify, DisabledIsWhatAPartOfANameSays) {
  EXPECT_TRUE(is_disabled("DISABLED_Suite/0", "One"));
  EXPECT_TRUE(is_disabled("Pre/DISABLED_Suite", "One/0"));
  EXPECT_TRUE(is_disabled("Suite", "DISABLED_One"));
  EXPECT_FALSE(is_disabled("NOT_DISABLED_Suite", "One_DISABLED_"));
}

std::string error(const std::string& yaml) {
  Result<CxxVocabulary> parsed = parse_cxx_vocabulary(yaml, "cxx.yaml", builtin_vocabulary().devices);
  return parsed.ok() ? "" : to_string(parsed.error());
}

TEST(CxxClassify, RulesAreCheckedAsTheyAreRead) {
  EXPECT_EQ(error("version: 1\n"), "");
  EXPECT_THAT(error("symbols:\n  - {names: [x], says: needs}\n"), HasSubstr("cxx.yaml:2"));
  EXPECT_THAT(error("symbols:\n  - {names: [x], says: wants, devices: [cuda]}\n"),
              HasSubstr("one of: needs"));
  EXPECT_THAT(error("builds:\n  - {macros: [X], devices: [cda]}\n"), HasSubstr("unknown device type 'cda'"));
  EXPECT_THAT(error("symbols:\n  - {says: picks}\n"), HasSubstr("without a name"));
  EXPECT_THAT(error("nonsense: 1\n"), HasSubstr("nonsense"));
  EXPECT_THAT(error("test_macros:\n  - {names: [T], kind: odd}\n"), HasSubstr("plain, parametrized"));
}

TEST(CxxClassify, RulesWithEmptyTextsAreRefused) {
  for (const char* yaml :
       {"symbols:\n  - {names: [''], says: picks}\n", "symbols:\n  - {stems: [x, ''], says: picks}\n",
        "name_suffixes:\n  - {suffix: '', device: cuda}\n",
        "file_kinds:\n  - {endings: [''], device: cuda}\n", "headers:\n  - {begin: '', device: cuda}\n",
        "macros:\n  - ''\n", "uses_device:\n  - ''\n", "describes_device:\n  - ''\n",
        "device_types_of_parameters:\n  - ''\n", "test_macros:\n  - {names: [''], kind: plain}\n",
        "builds:\n  - {macros: [''], devices: [cuda]}\n", "devices:\n  - {name: ''}\n",
        "devices:\n  - {name: x, members: ['']}\n"})
    EXPECT_THAT(error(yaml), testing::AllOf(HasSubstr("cxx.yaml:2: an empty text in '"),
                                            HasSubstr("(fill it in or take it out)")))
        << yaml;
}

TEST(CxxClassify, RulesThatSayNothingAreRefused) {
  for (const char* yaml : {"", "# nothing but this\n"})
    EXPECT_THAT(error(yaml), testing::AllOf(HasSubstr("cxx.yaml:1: an empty file"), HasSubstr("copy")))
        << yaml;
  EXPECT_EQ(error("test_macros:\n  - {kind: plain}\n"),
            "cxx.yaml:2: an entry without names (add names: [...])");
  EXPECT_EQ(error("builds:\n  - {macros: [X]}\n"),
            "cxx.yaml:2: an entry without devices (add devices: [...])");
  EXPECT_EQ(error("builds:\n  - {devices: [cuda]}\n"),
            "cxx.yaml:2: an entry without macros (add macros: [...])");
  EXPECT_THAT(error("symbols:\n  - {names: [], says: picks}\n"), HasSubstr("without a name"));
  EXPECT_THAT(error("file_kinds:\n  - {device: cuda}\n"), HasSubstr("without endings"));
  EXPECT_THAT(error("headers:\n  - {device: cuda}\n"), HasSubstr("without begin"));
}

TEST(CxxClassify, RulesAreWrittenAsTheyAreMatched) {
  EXPECT_EQ(error("symbols:\n  - {says: picks,\n     names: ['at::f']}\n"),
            "cxx.yaml:3: 'at::f': names are written with dots (write '.' for '::')");
  EXPECT_THAT(error("uses_device: ['at::f']\n"), HasSubstr("write '.' for '::'"));
  for (const char* macro : {"F", "F(x", "F(x)", "1F=x", "=x", "a b=c", "F (x)=y", "-F=x"})
    EXPECT_EQ(error("macros:\n  - '" + std::string(macro) + "'\n"),
              "cxx.yaml:2: '" + std::string(macro) +
                  "': no definition of a macro (write NAME=TEXT or NAME(PARAMETERS)=TEXT)");
  for (const char* macro : {"F=", "F=1", "_F(a, ...)=g(a)", "F()=(a=b)"})
    EXPECT_EQ(error("macros: ['" + std::string(macro) + "']\n"), "") << macro;
}

TEST(CxxClassify, RulesGiveAWordOneMeaning) {
  EXPECT_EQ(error("symbols:\n  - {names: [x], says: needs, devices: [cuda]}\n"
                  "  - {names: [y, x], says: asks, devices: [cuda]}\n"),
            "cxx.yaml:3: 'x' has another meaning at cxx.yaml:2 (take it out of one of the two)");
  EXPECT_THAT(error("symbols:\n  - {stems: [x], says: needs, devices: [cuda]}\n"
                    "  - {stems: [x], says: needs, devices: [xpu]}\n"),
              HasSubstr("another meaning"));
  EXPECT_THAT(error("builds:\n  - {macros: [X], devices: [cuda]}\n  - {macros: [X], devices: [xpu]}\n"),
              HasSubstr("another meaning"));
  EXPECT_THAT(error("test_macros:\n  - {names: [T], kind: plain}\n  - {names: [T], kind: typed}\n"),
              HasSubstr("another meaning"));
  EXPECT_EQ(error("symbols:\n  - {names: [x], says: needs, devices: [cuda]}\n"
                  "  - {names: [x], says: needs, devices: [cuda]}\n"
                  "  - {names: [x], below: true, says: nothing}\n  - {stems: [x], says: picks}\n"),
            "");
}

}  // namespace
}  // namespace hwsift::classifier
