#include "analyzer/cxx/body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/cxx/lex.h"

namespace hwsift::analyzer::cxx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Lexicon lexicon() {
  Lexicon words;
  words.device_types = {"cpu", "cuda"};
  words.members = {{"cuda", {UseKind::device_method, {"cuda"}}},
                   {"is_cuda", {UseKind::device_method, {"cuda"}}}};
  words.last_words = {{"kCUDA", {UseKind::constant, {"cuda"}}}, {"hasCUDA", {UseKind::flag, {"cuda"}}}};
  words.names = {{"cuda.is_available", {UseKind::flag, {"cuda"}}},
                 {"cuda.device_count", {UseKind::flag, {"cuda"}}}};
  words.prefixes = {{"at.cuda", {UseKind::api, {"cuda"}}}};
  return words;
}

// "symbol role polarity callee", with '?' behind what is optional.
std::vector<std::string> uses_of(const std::string& text) {
  LexedFile file = lex(text, {});
  BodyFacts found = read_body(file, Brackets(file.tokens), {0, file.tokens.size()}, lexicon());
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
              ElementsAre("kCUDA device_argument in to", "cuda other", "cuda:0 device_argument in f"));
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
              ElementsAre("at.cuda.is_available guard requires"));
  EXPECT_THAT(uses_of("if (torch::cuda::device_count() < 2) { GTEST_SKIP() << \"no\"; }"),
              ElementsAre("torch.cuda.device_count guard requires"));
  EXPECT_THAT(uses_of("if (!at::globalContext().hasCUDA()) { std::cerr << 1; return; }"),
              ElementsAre("hasCUDA guard requires"));
  EXPECT_THAT(uses_of("if (hasCUDA()) return;"), ElementsAre("hasCUDA guard excludes"));
  EXPECT_THAT(uses_of("bool has = hasCUDA(); if (!has) return;"),
              ElementsAre("hasCUDA assigned", "has guard requires"));
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

// The uses of a text whose word the compiler resolved to a name.
std::vector<std::string> resolved_uses_of(const std::string& text, const std::string& word,
                                          const std::string& name) {
  LexedFile file = lex(text, {});
  for (Token& token : file.tokens)
    if (token.text == word) token.resolved = name;
  BodyFacts found = read_body(file, Brackets(file.tokens), {0, file.tokens.size()}, lexicon());
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

TEST(CxxBody, HostileBodiesEnd) {
  uses_of("if (" + std::string(5000, '(') + "hasCUDA" + std::string(5000, ')') + ") return;");
  uses_of("if if (else if ( { ) }");
  uses_of(std::string(5000, '{'));
}

}  // namespace
}  // namespace hwsift::analyzer::cxx
