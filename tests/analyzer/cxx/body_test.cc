#include "analyzer/cxx/body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/cxx/lex.h"

namespace hwsift::analyzer::cxx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

CxxLexicon lexicon() {
  CxxLexicon words;
  words.device_types = {"cpu", "cuda"};
  words.members = {{"cuda", {UseKind::device_method, {"cuda"}}},
                   {"is_cuda", {UseKind::device_method, {"cuda"}}}};
  words.names = {{"kCUDA", {UseKind::constant, {"cuda"}}},
                 {"hasCUDA", {UseKind::flag, {"cuda"}}},
                 {"cuda.is_available", {UseKind::flag, {"cuda"}}},
                 {"cuda.device_count", {UseKind::flag, {"cuda"}}},
                 {"at.cuda.detail", {UseKind::import, {}, false}}};
  words.below = {{"at.cuda", {UseKind::api, {"cuda"}}}};
  words.stems = {{"cuda", {UseKind::api, {"cuda"}}}};
  words.uses_device = {"to", "ones", "fill"};
  words.describes_device = {"device", "Device", "dtype", "TensorOptions"};
  words.device_parameters = {"Device", "DeviceType"};
  words.builds = {{"USE_CUDA", {"cuda"}}};
  return words;
}

// "symbol role polarity callee", with '?' behind what is optional.
std::vector<std::string> uses_of(const std::string& text) {
  LexedFile file = lex(text, {});
  BodyFacts found = read_body(file, Brackets(file.tokens), {{}, {0, file.tokens.size()}, -1}, lexicon());
  std::vector<std::string> all;
  for (const Use& use : found.uses) {
    std::string line = use.symbol + " " + word(use.role);
    if (use.polarity != Polarity::none) line += std::string(" ") + word(use.polarity);
    if (!use.callee.empty()) line += " in " + use.callee;
    all.push_back(line + (use.optional ? "?" : ""));
  }
  return all;
}

TEST(CxxBody, ADeviceThatATensorIsMadeOn) {
  EXPECT_THAT(uses_of("auto x = torch::ones({2, 3}, torch::device(torch::kCUDA).dtype(kFloat));"),
              ElementsAre("torch.kCUDA device_argument in ones"));
  EXPECT_THAT(uses_of("model->to(torch::Device(torch::kCUDA, 1));"),
              ElementsAre("torch.kCUDA device_argument in to"));
  EXPECT_THAT(uses_of("x.to({kCUDA, 1}); y.cuda(); f(\"cuda:0\"); g(\"cuda is here\");"),
              ElementsAre("kCUDA device_argument in to", "cuda other", "cuda:0 argument in f"));
}

TEST(CxxBody, ADeviceThatIsOnlyDescribedOrCompared) {
  EXPECT_THAT(uses_of("auto options = TensorOptions().device(kCUDA);"), ElementsAre("kCUDA assigned"));
  EXPECT_THAT(uses_of("ASSERT_EQ(x.device().type(), torch::kCUDA);"),
              ElementsAre("torch.kCUDA compared in ASSERT_EQ"));
  EXPECT_THAT(uses_of("bool b = d.type() == kCUDA;"), ElementsAre("kCUDA compared"));
  EXPECT_THAT(uses_of("switch (d) { case kCUDA: break; }"), ElementsAre("kCUDA compared"));
}

TEST(CxxBody, AVariableThatHoldsADevice) {
  EXPECT_THAT(uses_of("torch::Device device(torch::kCUDA);\nfill(x, device);"),
              ElementsAre("torch.kCUDA assigned", "device device_argument in fill"));
}

TEST(CxxBody, GuardsWithTheirPolarity) {
  EXPECT_THAT(uses_of("if (!at::cuda::is_available()) return;"),
              ElementsAre("at.cuda.is_available guard requires in return"));
  EXPECT_THAT(uses_of("if (torch::cuda::device_count() < 2) { GTEST_SKIP() << \"no\"; }"),
              ElementsAre("torch.cuda.device_count guard requires in GTEST_SKIP"));
  EXPECT_THAT(uses_of("if (!at::globalContext().hasCUDA()) { std::cerr << 1; return; }"),
              ElementsAre("hasCUDA guard requires in return"));
  EXPECT_THAT(uses_of("if (hasCUDA()) return;"), ElementsAre("hasCUDA guard excludes in return"));
  EXPECT_THAT(uses_of("bool has = hasCUDA(); if (!has) return;"),
              ElementsAre("hasCUDA assigned", "has guard requires in return"));
}

TEST(CxxBody, AGuardInEverySpelling) {
  for (const char* condition :
       {"not hasCUDA()", "!(hasCUDA())", "!(cuda::device_count() >= 1)", "0 == cuda::device_count()",
        "false == hasCUDA()", "1 > cuda::device_count()", "hasCUDA() != true", "cuda::device_count() == 0u",
        "!!(!hasCUDA())", "auto n = 1; cuda::device_count() < n"}) {
    std::vector<std::string> uses = uses_of("if (" + std::string(condition) + ") return;");
    ASSERT_EQ(uses.size(), 1U) << condition;
    EXPECT_THAT(uses.front(), testing::HasSubstr("guard requires in return")) << condition;
  }
  EXPECT_THAT(uses_of("if (!hasCUDA()) [[unlikely]] { return; }"),
              ElementsAre("hasCUDA guard requires in return"));
  EXPECT_THAT(uses_of("bool missing = !hasCUDA(); if (missing) return;"),
              ElementsAre("hasCUDA assigned", "missing guard requires in return"));
  EXPECT_THAT(uses_of("if (hasCUDA()) { a(); b(); } else { GTEST_SKIP(); }"),
              ElementsAre("hasCUDA guard requires in return"));
  EXPECT_THAT(uses_of("ASSERT_TRUE(hasCUDA());"), ElementsAre("hasCUDA guard requires in ASSERT_TRUE"));
}

TEST(CxxBody, WhatDoesNotSettleTheTestIsNoGuard) {
  EXPECT_THAT(uses_of("if (busy() && !hasCUDA()) return;"), ElementsAre("hasCUDA condition excludes"));
  EXPECT_THAT(uses_of("if (hasCUDA() || x) { a(); }"), ElementsAre("hasCUDA condition requires"));
  EXPECT_THAT(uses_of("if (hasCUDA()) { x.to(kCUDA); return; } a(); b();"),
              ElementsAre("hasCUDA guard excludes in return", "kCUDA device_argument in to?"));
  EXPECT_THAT(uses_of("auto f = [&] { if (!hasCUDA()) return; x.to(kCUDA); };"),
              ElementsAre("hasCUDA condition excludes", "kCUDA device_argument in to?"));
  EXPECT_THAT(uses_of("if (!hasCUDA()) goto done; x.to(kCUDA); done: a();"),
              ElementsAre("hasCUDA condition excludes", "kCUDA device_argument in to?"));
  EXPECT_THAT(uses_of("for (auto d : all) { if (!hasCUDA()) continue; a(); } x.to(kCUDA);"),
              ElementsAre("hasCUDA condition excludes", "kCUDA device_argument in to"));
  EXPECT_THAT(uses_of("EXPECT_THROW(torch::ones({1}, kCUDA), c10::Error);"), ElementsAre("kCUDA compared"));
}

TEST(CxxBody, AVariableMayHaveTheNameOfWhatMakesIt) {
  EXPECT_THAT(uses_of("auto ones = torch::ones({1}, kCUDA);"), ElementsAre("kCUDA device_argument in ones"));
}

TEST(CxxBody, ABranchForTheDeviceIsOptional) {
  EXPECT_THAT(uses_of("if (hasCUDA()) { x.to(kCUDA); } y.to(kCUDA);"),
              ElementsAre("hasCUDA condition requires", "kCUDA device_argument in to?",
                          "kCUDA device_argument in to"));
  EXPECT_THAT(uses_of("if (!hasCUDA()) { a(); } else { x.to(kCUDA); }"),
              ElementsAre("hasCUDA condition excludes", "kCUDA device_argument in to?"));
}

TEST(CxxBody, AReturnInALoopOrALambdaEndsNoTest) {
  EXPECT_THAT(uses_of("for (;;) { if (!hasCUDA()) return; }"), ElementsAre("hasCUDA condition excludes"));
  EXPECT_THAT(uses_of("auto f = [&]() { if (!hasCUDA()) return; };"),
              ElementsAre("hasCUDA condition excludes"));
}

TEST(CxxBody, KernelLaunchesAndApis) {
  EXPECT_THAT(uses_of("kernel<<<1, 2>>>(x); at::cuda::synchronize();"),
              ElementsAre("<<<>>> other", "at.cuda.synchronize other"));
  EXPECT_THAT(uses_of("x << 1; std::cout << y;"), IsEmpty());
}

TEST(CxxBody, ACallOfTheVendorsLibraryIsKnownByItsBeginning) {
  EXPECT_THAT(uses_of("cudaMalloc(&p, 4); cudaless(1); x.cudaThing();"), ElementsAre("cudaMalloc other"));
}

TEST(CxxBody, AnEntryCanTakeANameOutOfTheOneAboveIt) {
  EXPECT_THAT(uses_of("at::cuda::detail(); at::cuda::other();"), ElementsAre("at.cuda.other other"));
}

TEST(CxxBody, AChoiceHasAWayOut) {
  LexedFile file = lex("Device d = hasCUDA() ? kCUDA : kCPU; f(hasCUDA() ? kCUDA : kCPU, kCUDA);", {});
  BodyFacts found = read_body(file, Brackets(file.tokens), {{}, {0, file.tokens.size()}, -1}, lexicon());
  std::vector<bool> ways_out;
  for (const Use& use : found.uses) ways_out.push_back(use.has_alternative);
  EXPECT_THAT(ways_out, ElementsAre(false, true, false, true, false));
  EXPECT_EQ(found.uses.front().role, Role::condition);
}

TEST(CxxBody, APartForOneKindOfBuildIsOptional) {
  EXPECT_THAT(uses_of("\n#ifdef USE_CUDA\nx.to(kCUDA);\n#endif\n#ifndef NDEBUG\ny.to(kCUDA);\n#endif\n"),
              ElementsAre("kCUDA device_argument in to?", "kCUDA device_argument in to"));
}

TEST(CxxBody, AParameterHandsAFunctionItsDevice) {
  LexedFile file =
      lex("const torch::Device& device, DeviceType type = kCPU, int n | x.to(device); fill(type); g(n);", {});
  auto bar = std::find_if(file.tokens.begin(), file.tokens.end(), [](const Token& t) { return t.is("|"); });
  std::size_t at = static_cast<std::size_t>(bar - file.tokens.begin());
  BodyFacts found =
      read_body(file, Brackets(file.tokens), {{0, at}, {at + 1, file.tokens.size()}, -1}, lexicon());
  ASSERT_EQ(found.uses.size(), 2U);
  for (const Use& use : found.uses) {
    EXPECT_EQ(use.kind, UseKind::device_variable);
    EXPECT_EQ(use.role, Role::device_argument);
    EXPECT_THAT(use.devices, IsEmpty());
  }
}

TEST(CxxBody, WhatAVariableMayHoldIsNoNeed) {
  LexedFile file =
      lex("bool cuda, int n | Device d = cuda ? kCUDA : kCPU; x.to(d); if (cuda) { x.to(kCUDA); }"
          "else { y.to(kCUDA); } Device e(kCPU); if (hasCUDA()) e = kCUDA; x.to(e); e = kCUDA; x.to(e);",
          {});
  auto bar = std::find_if(file.tokens.begin(), file.tokens.end(), [](const Token& t) { return t.is("|"); });
  std::size_t at = static_cast<std::size_t>(bar - file.tokens.begin());
  BodyFacts found =
      read_body(file, Brackets(file.tokens), {{0, at}, {at + 1, file.tokens.size()}, -1}, lexicon());
  std::vector<bool> needs;
  for (const Use& use : found.uses)
    if (use.role == Role::device_argument) needs.push_back(!use.optional && !use.has_alternative);
  EXPECT_THAT(needs, ElementsAre(false, false, false, false, true));
}

TEST(CxxBody, ConditionsOfTheBuild) {
  auto devices = [](const std::string& text, bool negated = false) {
    CxxLexicon words = lexicon();
    words.builds["USE_ROCM"] = {"cuda"};
    words.builds["USE_XPU"] = {"xpu"};
    return devices_of_condition(text, negated, words);
  };
  EXPECT_THAT(devices("USE_CUDA"), ElementsAre("cuda"));
  EXPECT_THAT(devices("USE_CUDA", true), IsEmpty());
  EXPECT_THAT(devices("!defined(USE_CUDA)"), IsEmpty());
  EXPECT_THAT(devices("defined(USE_CUDA) || defined(USE_ROCM)"), ElementsAre("cuda"));
  EXPECT_THAT(devices("defined(USE_CUDA) || defined(USE_XPU)"), ElementsAre("cuda", "xpu"));
  EXPECT_THAT(devices("defined(USE_CUDA) || defined(__linux__)"), IsEmpty());
  EXPECT_THAT(devices("(defined(USE_CUDA) || defined(USE_ROCM)) && !defined(_WIN32)"), ElementsAre("cuda"));
  EXPECT_THAT(devices(std::string(1000, '(') + "USE_CUDA" + std::string(1000, ')')), IsEmpty());
  EXPECT_THAT(devices(")("), IsEmpty());
}

// The uses of a text whose word the compiler resolved to a name.
std::vector<std::string> resolved_uses_of(const std::string& text, const std::string& word,
                                          const std::string& name) {
  LexedFile file = lex(text, {});
  for (Token& token : file.tokens)
    if (token.text == word) token.resolved = name;
  BodyFacts found = read_body(file, Brackets(file.tokens), {{}, {0, file.tokens.size()}, -1}, lexicon());
  std::vector<std::string> all;
  for (const Use& use : found.uses)
    all.push_back(use.symbol + " " + hwsift::analyzer::word(use.kind) + " " +
                  hwsift::analyzer::word(use.origin));
  return all;
}

TEST(CxxBody, ResolvedNamesCountInsteadOfWrittenOnes) {
  EXPECT_THAT(resolved_uses_of("x.cuda();", "cuda", "at.Tensor.cuda"),
              ElementsAre("at.Tensor.cuda device_method full"));
  EXPECT_THAT(resolved_uses_of("x.cuda();", "cuda", "Mine.cuda"), IsEmpty());
  EXPECT_THAT(resolved_uses_of("x.cuda();", "", ""), ElementsAre("cuda device_method fast"));
  EXPECT_THAT(resolved_uses_of("if (is_available()) f();", "is_available", "at.cuda.is_available"),
              ElementsAre("at.cuda.is_available flag full"));
  EXPECT_THAT(resolved_uses_of("ac::synchronize();", "synchronize", "at.cuda.synchronize"),
              ElementsAre("at.cuda.synchronize api full"));
  EXPECT_THAT(resolved_uses_of("cuda::is_available();", "is_available", "mine.is_available"), IsEmpty());
}

TEST(CxxBody, MoreConditionsOfTheBuild) {
  EXPECT_THAT(devices_of_condition("USE_CUDA == 0", false, lexicon()), IsEmpty());
}

TEST(CxxBody, HostileBodiesEnd) {
  uses_of("if (" + std::string(5000, '(') + "hasCUDA" + std::string(5000, ')') + ") return;");
  uses_of("if if (else if ( { ) }");
  uses_of(std::string(5000, '{'));
}

}  // namespace
}  // namespace hwsift::analyzer::cxx
