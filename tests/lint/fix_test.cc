// What the fixes of each rule make of a file, and what holds for every file whatever its fixes are.
#include "lint/fix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/disk.h"
#include "lint/line_origins.h"
#include "tests/lint/marks.h"

namespace hwsift::lint {
namespace {

constexpr std::size_t kMaxFixtureBytes = 1u << 20;
constexpr char kHead[] =
    "import torch\n"
    "from torch.testing._internal.common_device_type import instantiate_device_type_tests\n"
    "from torch.testing._internal.common_utils import HardwareClassification, TestCase\n";

std::string fixed(const std::string& source, Safety limit = Safety::safe, const Surroundings& around = {}) {
  return fix_bytes("recommended", source, limit, around).bytes;
}

// The test's body after the fixes, each on a line of its own.
std::string body(const std::string& statement, const std::string& params = "self, device",
                 const Surroundings& around = {}) {
  std::string before = std::string(kHead) +
                       "class TestA(TestCase):\n    hw_classification = HardwareClassification.ACCELERATOR\n"
                       "    def test_a(" +
                       params + "):\n        ";
  std::string after = "\ninstantiate_device_type_tests(TestA, globals())\n";
  std::string made = fixed(before + statement + after, Safety::review, around);
  EXPECT_TRUE(made.starts_with(before) && made.ends_with(after)) << made;
  if (made.size() < before.size() + after.size()) return made;
  return made.substr(before.size(), made.size() - before.size() - after.size());
}

// The call after the fixes, of a class with this label.
std::string call(const std::string& label, const std::string& filters, Safety limit = Safety::review) {
  std::string before = std::string(kHead) +
                       "class TestA(TestCase):\n    hw_classification = HardwareClassification." + label +
                       "\n    def test_a(self, device): f(device)\n";
  std::string made =
      fixed(before + "instantiate_device_type_tests(TestA, globals()" + filters + ")\n", limit);
  EXPECT_TRUE(made.starts_with(before)) << made;
  return made.substr(std::min(made.size(), before.size()));
}

std::string of_call(const std::string& filters) {
  return "instantiate_device_type_tests(TestA, globals()" + filters + ")\n";
}

// --- the label ---

std::string class_with(const std::string& label) {
  return std::string(kHead) + "class TestA(TestCase):\n" + label + "    def test_a(self): pass\n";
}

TEST(FixLabel, RepairsWhatSaysWhichOneIsMeant) {
  std::string right = class_with("    hw_classification = HardwareClassification.CPU\n");
  auto of = [](const std::string& value) { return class_with("    hw_classification = " + value + "\n"); };
  right = of("HardwareClassification.GENERIC");
  EXPECT_EQ(fixed(of("\"GENERIC\"")), right);
  EXPECT_EQ(fixed(of("'generic'")), right);
  EXPECT_EQ(fixed(of("HardwareClassification.generic")), right);
}

TEST(FixLabel, LeavesWhatOnlyAPersonKnows) {
  for (const char* label : {"    hw_classification = None\n", "    hw_classification = pick()\n",
                            "    hw_classification: object\n",
                            "    if X:\n        hw_classification = HardwareClassification.GENERIC\n",
                            "    hw_classification = HardwareClassification.GENERIK\n"})
    EXPECT_EQ(fixed(class_with(label), Safety::review), class_with(label)) << label;
}

TEST(FixLabel, UsesTheSpellingOfTheTree) {
  std::string source =
      std::string(kHead) + "class TestA(TestCase):\n    def test_a(self, device): f(device)\n" + of_call("");
  Surroundings around;
  around.traits.has_common_utils = true;
  around.traits.members = {"GENERIC", "DEVICE_GENERIC", "CPU", "CUDA"};
  EXPECT_NE(fixed(source, Safety::review, around).find("HardwareClassification.DEVICE_GENERIC"),
            std::string::npos);
  around.traits.members = {"GENERIC", "ACCELERATOR", "CPU", "CUDA"};
  EXPECT_NE(fixed(source, Safety::review, around).find("HardwareClassification.ACCELERATOR"),
            std::string::npos);
}

TEST(FixLabel, RenamesAMemberThatTheTreeDoesNotHave) {
  Surroundings around;
  around.traits.has_common_utils = true;
  around.traits.members = {"GENERIC", "DEVICE_GENERIC", "CPU", "CUDA"};
  std::string source = std::string(kHead) +
                       "class TestA(TestCase):\n    hw_classification = HardwareClassification.ACCELERATOR\n"
                       "    def test_a(self, device): f(device)\n" +
                       of_call("");
  std::string made = fixed(source, Safety::safe, around);
  EXPECT_NE(made.find("HardwareClassification.DEVICE_GENERIC\n"), std::string::npos) << made;
  EXPECT_EQ(fixed(made, Safety::safe, around), made);
}

TEST(FixLabel, IsForReviewWhereTheTreeHasNoSuchEnum) {
  std::string source = class_with("");
  Surroundings around;
  around.traits.has_common_utils = true;
  EXPECT_EQ(fixed(source, Safety::safe, around), source);
  EXPECT_NE(fixed(source, Safety::review, around), source);
  around.traits.members = {"GENERIC"};
  EXPECT_NE(fixed(source, Safety::safe, around), source);
}

TEST(FixLabel, LeavesAMixedClass) {
  std::string source = std::string(kHead) +
                       "class TestA(TestCase):\n    def test_a(self): f(1)\n"
                       "    def test_b(self): torch.cuda.CUDAGraph()\n";
  ASSERT_EQ(found_in("recommended", source), Marks{"4 hw_classification"});
  EXPECT_EQ(fixed(source, Safety::review), source);
}

TEST(FixLabel, OfTwoClassesShareOneImport) {
  std::string made = fixed(
      "from torch.testing._internal.common_utils import TestCase\n"
      "class TestA(TestCase):\n    def test_a(self): pass\nclass TestB(TestCase):\n    def test_b(self): "
      "pass\n");
  EXPECT_EQ(made,
            "from torch.testing._internal.common_utils import HardwareClassification, TestCase\n"
            "class TestA(TestCase):\n    hw_classification = HardwareClassification.GENERIC\n\n"
            "    def test_a(self): pass\nclass TestB(TestCase):\n"
            "    hw_classification = HardwareClassification.GENERIC\n\n    def test_b(self): pass\n");
}

// --- the call ---

TEST(FixCall, AddsTheFlagsThatOnlyForAsksFor) {
  EXPECT_EQ(call("XPU", ", only_for='xpu'", Safety::safe), of_call(", only_for='xpu', allow_xpu=True"));
  EXPECT_EQ(call("MPS", ", only_for=('mps',)", Safety::safe), of_call(", only_for=('mps',), allow_mps=True"));
  EXPECT_EQ(call("XPU", ", only_for='xpu', allow_xpu=FLAG", Safety::safe),
            of_call(", only_for='xpu', allow_xpu=FLAG"));
}

TEST(FixCall, DropsAnEmptyFilter) {
  EXPECT_EQ(call("ACCELERATOR", ", only_for=[]", Safety::safe), of_call(""));
  EXPECT_EQ(call("ACCELERATOR", ", allow_xpu=True, only_for=()", Safety::safe), of_call(", allow_xpu=True"));
}

TEST(FixCall, SaysExceptForInsteadOfAListOfAccelerators) {
  EXPECT_EQ(call("ACCELERATOR", ", only_for=('cuda', 'hpu')"), of_call(", except_for=\"cpu\""));
  EXPECT_EQ(call("ACCELERATOR", ", only_for=('cuda', 'hpu')", Safety::safe),
            of_call(", only_for=('cuda', 'hpu')"));
  EXPECT_EQ(call("ACCELERATOR", ", only_for=('cpu', 'cuda')"), of_call(""));
  EXPECT_EQ(call("ACCELERATOR", ", only_for='cpu'"), of_call(", only_for='cpu'"));
  EXPECT_EQ(call("ACCELERATOR", ", only_for=('cuda', 'hpu'), except_for='hpu'"),
            of_call(", only_for=('cuda', 'hpu'), except_for='hpu'"));
  EXPECT_EQ(call("ACCELERATOR", ", only_for=pick()"), of_call(", only_for=pick()"));
  EXPECT_EQ(call("ACCELERATOR", ", ('cuda',)"), of_call(", ('cuda',)")) << "by position";
}

TEST(FixCall, NamesTheDeviceOfTheLabel) {
  EXPECT_EQ(call("CUDA", ""), of_call(", only_for=\"cuda\""));
  EXPECT_EQ(call("CUDA", ", only_for=('cuda', 'cpu')"), of_call(", only_for=\"cuda\""));
  EXPECT_EQ(call("CUDA", ", only_for='cuda', except_for='cpu'"), of_call(", only_for='cuda'"));
  EXPECT_EQ(call("CUDA", ", only_for='cuda', except_for='cpu'", Safety::safe),
            of_call(", only_for='cuda', except_for='cpu'"));
  EXPECT_EQ(call("XPU", ""), of_call(", only_for=\"xpu\", allow_xpu=True"));
}

TEST(FixCall, IsWrittenWithItsImport) {
  std::string source =
      "from torch.testing._internal.common_device_type import onlyCUDA\n"
      "from torch.testing._internal.common_utils import HardwareClassification, TestCase\n"
      "class TestA(TestCase):\n    hw_classification = HardwareClassification.XPU\n"
      "    def test_a(self, device): f(device)\n";
  std::string made = fixed(source, Safety::review);
  EXPECT_TRUE(made.starts_with(
      "from torch.testing._internal.common_device_type import instantiate_device_type_tests, onlyCUDA\n"))
      << made;
  EXPECT_TRUE(
      made.ends_with("\n\n\ninstantiate_device_type_tests(TestA, globals(), only_for=\"xpu\", "
                     "allow_xpu=True)\n"))
      << made;
  EXPECT_EQ(fixed(source), source) << "for review alone";
}

TEST(FixCall, IsNotWrittenWhereATestTakesNoDevice) {
  std::string source = std::string(kHead) +
                       "class TestA(TestCase):\n    hw_classification = HardwareClassification.CUDA\n"
                       "    def test_a(self, device): f(device)\n    def test_b(self): f()\n";
  EXPECT_EQ(fixed(source, Safety::review), source);
}

// --- the code of a test ---

TEST(FixCode, HandsOnTheDevice) {
  EXPECT_EQ(body("x.cuda()"), "x.to(device)");
  EXPECT_EQ(body("f(x.cuda(), y.cuda())"), "f(x.to(device), y.to(device))");
  EXPECT_EQ(body("x.cuda().cuda()"), "x.to(device).to(device)");
  EXPECT_EQ(body("x.cuda(non_blocking=True)"), "x.to(device, non_blocking=True)");
  EXPECT_EQ(body("x.cuda(1)"), "x.cuda(1)") << "another index";
  EXPECT_EQ(body("x.cuda(async_=True)"), "x.cuda(async_=True)");
  EXPECT_EQ(body("y = x.cuda"), "y = x.cuda");
  EXPECT_EQ(body("torch.ones(1, device='cuda')"), "torch.ones(1, device=device)");
  EXPECT_EQ(body("torch.ones(1, device='cuda:0')"), "torch.ones(1, device=device)");
  EXPECT_EQ(body("torch.ones(1, device=\"cuda:1\")"), "torch.ones(1, device=f\"{self.device_type}:1\")");
  EXPECT_EQ(body("torch.ones(1).to('''cuda''')"), "torch.ones(1).to(device)");
}

TEST(FixCode, LeavesWhatItDoesNotUnderstand) {
  for (const char* statement : {"torch.device('cuda', 1)", "torch.ones(1, device=f'cuda:{i}')",
                                "torch.ones(1, device='cuda:x')", "x.to('cu' 'da')"})
    EXPECT_EQ(body(statement), statement);
}

TEST(FixCode, KnowsAListOfDevices) {
  EXPECT_EQ(body("x.cuda()", "self, devices"), "x.to(devices[0])");
  EXPECT_EQ(body("torch.ones(1, device='cuda')", "self, devices"), "torch.ones(1, device=devices[0])");
}

TEST(FixCode, CallsTheTwinThatTheTreeHas) {
  Surroundings around;
  around.traits.version = "2.6.0a0";
  EXPECT_EQ(body("torch.cuda.synchronize()", "self, device", around), "torch.accelerator.synchronize()");
  EXPECT_EQ(body("torch.cuda.memory_allocated()", "self, device", around), "torch.cuda.memory_allocated()");
  around.traits.version = "2.14.0";
  EXPECT_EQ(body("torch.cuda.memory_allocated()", "self, device", around),
            "torch.accelerator.memory_allocated()");
  EXPECT_EQ(body("torch.cuda.CUDAGraph()"), "torch.cuda.CUDAGraph()");
}

TEST(FixCode, UnderAnAliasIsLeft) {
  std::string source =
      std::string(kHead) +
      "from torch import cuda\nclass TestA(TestCase):\n    hw_classification = "
      "HardwareClassification.ACCELERATOR\n    def test_a(self, device): cuda.synchronize()\n" +
      of_call("");
  EXPECT_EQ(fixed(source, Safety::review), source);
}

TEST(FixCode, ComparesTheTypeOfTheDevice) {
  EXPECT_EQ(body("a = device == 'cuda'"), "a = self.device_type == 'cuda'");
  EXPECT_EQ(body("a = device in ('cuda', 'xpu')"), "a = self.device_type in ('cuda', 'xpu')");
  EXPECT_EQ(body("a = 'XPU' in device"), "a = 'XPU' in device");
}

TEST(FixCode, TakesTheParameterInPlaceOfTheModulesDevice) {
  std::string source = std::string(kHead) +
                       "gpu = 'cuda' if torch.cuda.is_available() else 'cpu'\n"
                       "class TestA(TestCase):\n    hw_classification = HardwareClassification.ACCELERATOR\n"
                       "    def test_a(self, device): torch.ones(1, device=gpu)\n" +
                       of_call("");
  EXPECT_NE(fixed(source, Safety::review).find("torch.ones(1, device=device)"), std::string::npos);
}

TEST(FixCode, IsForReviewAlone) {
  for (const char* statement : {"x.cuda()", "torch.cuda.synchronize()", "a = device == 'cuda'"}) {
    std::string source =
        std::string(kHead) +
        "class TestA(TestCase):\n    hw_classification = HardwareClassification.ACCELERATOR\n"
        "    def test_a(self, device):\n        f(device)\n        " +
        statement + "\n" + of_call("");
    EXPECT_EQ(fixed(source), source) << statement;
    EXPECT_NE(fixed(source, Safety::review), source) << statement;
  }
}

// --- suppressions ---

TEST(FixSuppression, TakesOneOutThatIsNotNeeded) {
  EXPECT_EQ(fixed("x = 1  # hwsift: ignore[only_for] on purpose\ny = 2\n"), "x = 1\ny = 2\n");
  EXPECT_EQ(fixed("x = 1\n    # hwsift: ignore[only_for] on purpose\ny = 2\n"), "x = 1\ny = 2\n");
  EXPECT_EQ(fixed("x = 1  # noqa  # hwsift: ignore[only_for] on purpose\n"), "x = 1  # noqa\n");
  EXPECT_EQ(fixed("# hwsift: ignore[only_for] on purpose"), "");
  EXPECT_EQ(fixed("x = 1  # hwsift: ignore[only_for] on purpose\r\ny = 2\r\n"), "x = 1\r\ny = 2\r\n");
  EXPECT_EQ(fixed("x = 1\r\n# hwsift: ignore[only_for] on purpose\r\ny = 2\r\n"), "x = 1\r\ny = 2\r\n");
}

TEST(FixSuppression, KeepsTheOtherOneOfAComment) {
  std::string head = std::string(kHead) + "class TestA(TestCase):";
  std::string rest = "\n    def test_a(self): pass\n";
  std::string needed = "  # hwsift: ignore[hw_classification] made elsewhere";
  EXPECT_EQ(fixed(head + needed + " # hwsift: ignore[only_for] on purpose" + rest), head + needed + rest);
  EXPECT_EQ(fixed(head + "  # hwsift: ignore[only_for] on purpose" + needed + rest), head + needed + rest);
}

TEST(FixSuppression, KeepsOneThatAPersonMustLookAt) {
  for (const char* comment : {"# hwsift: ignore[onlyfor] why\n", "# hwsift: ignore why\n",
                              "# hwsift: ignore[only_for, hw_clasification] why\n"})
    EXPECT_EQ(fixed(comment, Safety::review), comment);
}

TEST(FixSuppression, OfAFindingKeepsItFromTheFix) {
  std::string source = std::string(kHead) +
                       "class TestA(TestCase):  # hwsift: ignore[hw_classification] made elsewhere\n"
                       "    def test_a(self): pass\n";
  EXPECT_EQ(fixed(source, Safety::review), source);
}

// --- bytes ---

constexpr char kPlain[] =
    "from torch.testing._internal.common_utils import TestCase\nclass TestA(TestCase):\n    def "
    "test_a(self): "
    "pass\n";

std::string with(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

TEST(FixBytes, KeepTheLineEndsOfTheFile) {
  std::string made = fixed(with(kPlain, "\n", "\r\n"));
  EXPECT_EQ(made, with(fixed(kPlain), "\n", "\r\n"));
  EXPECT_NE(made.find("GENERIC\r\n\r\n"), std::string::npos);
}

TEST(FixBytes, KeepTheByteOrderMark) {
  EXPECT_EQ(fixed("\xEF\xBB\xBF" + std::string(kPlain)), "\xEF\xBB\xBF" + fixed(kPlain));
}

TEST(FixBytes, CountBytesNotCharacters) {
  std::string head = "# \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\nx = '\xC3\xA9'\n";
  EXPECT_EQ(fixed(head + kPlain), head + fixed(kPlain));
}

TEST(FixBytes, OfAnotherEncodingAreTouchedOnlyWhereTheyAreAscii) {
  std::string cookie = "# -*- coding: latin-1 -*-\n";
  EXPECT_EQ(fixed(cookie + "# caf\xE9\n" + kPlain), cookie + "# caf\xE9\n" + kPlain);
  EXPECT_EQ(fixed(cookie + kPlain), cookie + fixed(kPlain));
}

// What is put in would end its lines another way.
TEST(FixBytes, WithLoneCarriageReturnsStay) {
  std::string lone = with(kPlain, "\n", "\r");
  EXPECT_EQ(fix_bytes("recommended", lone, Safety::safe).bytes, lone);
}

TEST(FixBytes, OfAFileThatDoesNotParseStay) {
  for (const std::string& broken : {std::string(kPlain) + "x = (\n", std::string("\xFF\xFE") + kPlain,
                                    std::string(kPlain) + std::string("\0", 1)}) {
    FixedFile made = fix_bytes("recommended", broken, Safety::review);
    EXPECT_EQ(made.bytes, broken);
    EXPECT_EQ(made.applied, 0u);
    EXPECT_EQ(as_marks(made.findings).size(), 1u);
  }
}

TEST(FixBytes, OfAFileWithoutALastLineFeed) {
  std::string text = kPlain;
  text.pop_back();
  std::string expected = fixed(kPlain);
  expected.pop_back();
  EXPECT_EQ(fixed(text), expected);
}

TEST(WithEdits, LeavesTheRest) {
  EXPECT_EQ(with_edits("abcdef", {{1, 2, "X"}, {4, 4, "Y"}}), "aXcdYef");
  EXPECT_EQ(with_edits("abc", {{0, 1, ""}, {3, 3, "d"}}), "bcd");
  EXPECT_EQ(with_edits("abc", {}), "abc");
}

TEST(FixBytes, OfAFindingAreThoseOfTheFile) {
  std::string bytes =
      "\xEF\xBB\xBF"
      "x = 1  # hwsift: ignore[only_for] on purpose\n";
  const analyzer::Lexicon lexicon = classifier::builtin_vocabulary().lexicon();
  analyzer::ScannedFile file = analyzer::scan_text("test/test_a.py", bytes, lexicon);
  std::vector<Finding> findings = lint_facts("recommended", file.facts, {}, file.text, file.text_begin);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].col, 8) << "columns do not count the mark";
  EXPECT_EQ(with_edits(bytes, findings[0].fix->edits), "\xEF\xBB\xBFx = 1\n");
}

// --- the fixer ---

// Lints as if each of these edits were a finding's fix, once a file that is still as it was.
FixedFile fixed_by(
    const std::string& source, std::vector<Fix> fixes, Safety limit = Safety::safe,
    const Counts& counts = [](const Finding&) { return true; }) {
  const analyzer::Lexicon lexicon = classifier::builtin_vocabulary().lexicon();
  LintScanned lint = [&](const analyzer::ScannedFile& file) {
    std::vector<Finding> findings;
    for (std::size_t i = 0; file.bytes == source && i < fixes.size(); ++i) {
      Finding finding;
      finding.rule = "rule" + std::to_string(i);
      finding.fix = fixes[i];
      findings.push_back(finding);
    }
    return findings;
  };
  return fix_file(analyzer::scan_text("test/test_a.py", source, lexicon), limit, lexicon, lint, counts);
}

constexpr char kCode[] = "class TestA:\n    def test_a(self): pass\n\ndef test_b(): pass\n";

TEST(Fixer, LeavesOutAFixThatWouldBreakTheFile) {
  std::string source = kCode;
  std::size_t test = source.find("test_a");
  std::size_t cls = source.find("TestA");
  std::size_t function = source.find("test_b");
  const Fix breaking[] = {{Safety::safe, {{0, 0, "("}}},
                          {Safety::safe, {{test, test + 6, "test_x"}}},
                          {Safety::safe, {{cls, cls + 5, "TestX"}}},
                          {Safety::safe, {{function, function + 6, "helper"}}},
                          {Safety::safe, {{0, source.size(), ""}}},
                          {Safety::safe, {{source.size(), source.size(), "def test_c(): pass\n"}}}};
  for (const Fix& fix : breaking) {
    FixedFile made = fixed_by(source, {fix});
    EXPECT_EQ(made.bytes, source) << fix.edits[0].text;
    EXPECT_EQ(made.applied, 0u);
    ASSERT_EQ(made.refused.size(), 1u);
    EXPECT_EQ(made.refused[0].rule, "rule0");
  }
}

TEST(Fixer, AppliesTheGoodOnesBesideABadOne) {
  const analyzer::Lexicon lexicon;
  std::string source = kCode;
  // The bad fix is offered in each round, the good one until it is made.
  LintScanned lint = [&](const analyzer::ScannedFile& file) {
    Finding bad;
    bad.rule = "bad";
    bad.fix = Fix{Safety::safe, {{0, 0, "("}}};
    Finding good;
    good.rule = "good";
    good.fix = Fix{Safety::safe, {{file.bytes.size(), file.bytes.size(), "# end\n"}}};
    return file.bytes == source ? std::vector<Finding>{bad, good} : std::vector<Finding>{bad};
  };
  FixedFile made = fix_file(analyzer::scan_text("test/test_a.py", source, lexicon), Safety::safe, lexicon,
                            lint, [](const Finding&) { return true; });
  EXPECT_EQ(made.bytes, source + "# end\n");
  EXPECT_EQ(made.applied, 1u);
  ASSERT_EQ(made.refused.size(), 1u);
  EXPECT_EQ(made.refused[0].rule, "bad");
}

TEST(Fixer, EndsWhereFixesNeverDo) {
  const analyzer::Lexicon lexicon;
  LintScanned lint = [](const analyzer::ScannedFile&) {
    Finding finding;
    finding.rule = "again";
    finding.fix = Fix{Safety::safe, {{0, 0, "#\n"}}};
    return std::vector<Finding>{finding};
  };
  FixedFile made = fix_file(analyzer::scan_text("test/test_a.py", kCode, lexicon), Safety::safe, lexicon,
                            lint, [](const Finding&) { return true; });
  EXPECT_GT(made.applied, 1u);
  EXPECT_LT(made.applied, 100u);
}

TEST(Fixer, KeepsToItsLimitAndToWhatCounts) {
  Fix review{Safety::review, {{0, 0, "# a\n"}}};
  EXPECT_EQ(fixed_by(kCode, {review}).bytes, kCode);
  EXPECT_EQ(fixed_by(kCode, {review}, Safety::review).bytes, std::string("# a\n") + kCode);
  FixedFile made = fixed_by(kCode, {review}, Safety::review, [](const Finding&) { return false; });
  EXPECT_EQ(made.bytes, kCode);
  EXPECT_TRUE(made.findings.empty());
}

TEST(Fixer, NeverHalvesAFix) {
  std::string source = "class TestA :\n    pass\nx = 1\n";
  Fix clashing{Safety::safe, {{6, 8, "Te"}, {23, 24, "y"}}};
  FixedFile made = fixed_by(source, {{Safety::safe, {{6, 11, "TestA"}, {23, 28, "x = 2"}}}, clashing});
  EXPECT_EQ(made.bytes, "class TestA :\n    pass\nx = 2\n");
  EXPECT_EQ(made.applied, 1u);
}

TEST(Fixer, ToldBreakageNamesTheFindingOnce) {
  FixedFile made = fixed_by(kCode, {{Safety::safe, {{0, 0, "("}}}, {Safety::safe, {{0, 0, ")"}}}});
  EXPECT_EQ(made.refused.size(), 2u);
  EXPECT_EQ(made.bytes, kCode);
}

TEST(LineOrigins, FollowEdits) {
  auto after = [](const std::string& text, const std::vector<Edit>& edits) {
    LineOrigins origins(text);
    origins.follow(text, 0, edits);
    std::string made = with_edits(text, edits);
    std::vector<int> lines;
    for (int line = 1; line <= std::count(made.begin(), made.end(), '\n') + 1; ++line)
      lines.push_back(origins.of(line));
    return lines;
  };
  using Lines = std::vector<int>;
  std::string text = "ab\ncd\n\nef\n";  // line 5 is the empty one at the end
  EXPECT_EQ(after(text, {}), (Lines{1, 2, 3, 4, 5}));
  EXPECT_EQ(after(text, {{3, 3, "x\n"}}), (Lines{1, 0, 2, 3, 4, 5})) << "a line before";
  EXPECT_EQ(after(text, {{5, 5, "\n\nx"}}), (Lines{1, 2, 0, 0, 3, 4, 5})) << "two lines below";
  EXPECT_EQ(after(text, {{3, 5, "x"}}), (Lines{1, 2, 3, 4, 5})) << "a whole line written anew";
  EXPECT_EQ(after(text, {{3, 6, ""}}), (Lines{1, 3, 4, 5})) << "a line less";
  EXPECT_EQ(after(text, {{2, 5, ""}}), (Lines{1, 3, 4, 5})) << "the end of one and the whole next one";
  EXPECT_EQ(after(text, {{1, 1, "x\ny"}}), (Lines{1, 1, 2, 3, 4, 5})) << "a line in two";
  EXPECT_EQ(after(text, {{0, 0, "x\n"}, {3, 6, ""}, {7, 7, "y\n"}}), (Lines{0, 1, 3, 0, 4, 5}));
  LineOrigins origins("ab");
  EXPECT_EQ(origins.of(0), 0);
  EXPECT_EQ(origins.of(9), 0);
}

TEST(Fixer, TellsFindingsByTheirLineInTheOriginal) {
  std::string source = std::string(kHead) + "class TestA(TestCase):\n    def test_a(self, device):\n" +
                       "        x.cuda()\n        x.cuda()\n        f(device)\n" + of_call("");
  const analyzer::Lexicon lexicon = classifier::builtin_vocabulary().lexicon();
  LintScanned lint = [&](const analyzer::ScannedFile& file) {
    return lint_facts("recommended", file.facts, {}, file.text, file.text_begin);
  };
  FixedFile made = fix_file(analyzer::scan_text("test/test_a.py", source, lexicon), Safety::review, lexicon,
                            lint, [](const Finding& finding) { return finding.line != 6; });
  EXPECT_NE(made.bytes.find("        x.cuda()\n        x.to(device)\n"), std::string::npos) << made.bytes;
  EXPECT_NE(made.bytes.find("hw_classification = HardwareClassification.ACCELERATOR"), std::string::npos);
  EXPECT_TRUE(made.findings.empty()) << "what does not count is not told";
}

// --- every fixture ---

std::vector<std::string> fixtures() {
  std::vector<std::string> files;
  for (const char* folder : {"facts", "lint", "sample", "cases", "python_syntax/valid"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(HWSIFT_FIXTURES "/") + folder))
      if (entry.path().extension() == ".py") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> names_in(const std::string& bytes) {
  const analyzer::Lexicon lexicon;
  analyzer::FileFacts file = analyzer::scan_text("test/test_a.py", bytes, lexicon).facts;
  std::vector<std::string> names;
  for (const analyzer::Class& cls : file.classes)
    for (const analyzer::Method& method : cls.methods)
      names.push_back(cls.qualified_name + "." + method.name);
  return names;
}

bool parses(const std::string& bytes) {
  const analyzer::Lexicon lexicon;
  return analyzer::scan_text("test/test_a.py", bytes, lexicon).facts.parse.ok;
}

TEST(EveryFixture, IsFixedOnceAndForAll) {
  std::vector<std::string> files = fixtures();
  ASSERT_GT(files.size(), 80u);
  std::size_t changed = 0;
  for (const std::string& file : files) {
    Result<std::string> bytes = real_disk().read(file, kMaxFixtureBytes);
    ASSERT_TRUE(bytes.ok()) << file;
    for (const char* profile : {"recommended", "all"}) {
      FixedFile once = fix_bytes(profile, *bytes, Safety::review);
      EXPECT_TRUE(once.refused.empty()) << file << ": " << once.refused.front().rule;
      EXPECT_EQ(parses(once.bytes), parses(*bytes)) << file;
      EXPECT_EQ(names_in(once.bytes), names_in(*bytes)) << file;
      FixedFile twice = fix_bytes(profile, once.bytes, Safety::review);
      EXPECT_EQ(twice.bytes, once.bytes) << file;
      EXPECT_EQ(twice.applied, 0u) << file;
      EXPECT_EQ(as_marks(twice.findings), as_marks(once.findings)) << file;
      for (const Finding& finding : once.findings) EXPECT_FALSE(finding.fix) << file << ": " << finding.rule;
      changed += once.bytes != *bytes;
    }
  }
  EXPECT_GT(changed, 60u);
}

TEST(EveryFixture, LosesNothingButWhatTheEditsName) {
  for (const std::string& file : fixtures()) {
    Result<std::string> bytes = real_disk().read(file, kMaxFixtureBytes);
    ASSERT_TRUE(bytes.ok()) << file;
    const analyzer::Lexicon lexicon = classifier::builtin_vocabulary().lexicon();
    analyzer::ScannedFile scanned = analyzer::scan_text("test/test_a.py", *bytes, lexicon);
    for (const Finding& finding :
         lint_facts("all", scanned.facts, {}, scanned.editable ? scanned.text : "", scanned.text_begin)) {
      if (!finding.fix) continue;
      ASSERT_FALSE(finding.fix->edits.empty()) << file;
      std::size_t end = 0;
      for (const Edit& edit : finding.fix->edits) {
        EXPECT_LE(end, edit.begin) << file << ": edits in order, none overlaps another";
        EXPECT_LE(edit.begin, edit.end) << file;
        EXPECT_LE(edit.end, bytes->size()) << file;
        EXPECT_LT(edit.end - edit.begin, 200u) << file << ": " << finding.rule;
        end = edit.end;
      }
      std::string made = with_edits(*bytes, finding.fix->edits);
      EXPECT_TRUE(parses(made)) << file << ": " << finding.rule << " alone";
    }
  }
}

TEST(EveryFixture, IsFixedTheSameWithCarriageReturns) {
  for (const std::string& file : fixtures()) {
    Result<std::string> bytes = real_disk().read(file, kMaxFixtureBytes);
    ASSERT_TRUE(bytes.ok()) << file;
    bool plain = bytes->find('\r') == std::string::npos && bytes->find("\\\n") == std::string::npos;
    if (!plain || !parses(*bytes)) continue;
    std::string crlf = with(*bytes, "\n", "\r\n");
    if (!parses(crlf)) continue;
    EXPECT_EQ(fix_bytes("all", crlf, Safety::review).bytes,
              with(fix_bytes("all", *bytes, Safety::review).bytes, "\n", "\r\n"))
        << file;
  }
}

// --- where no fix is right ---

TEST(FixFlags, AnExplicitFalseStays) {
  for (const char* given : {", only_for='xpu', allow_xpu=False", ", None, 'xpu', False, False, False"})
    EXPECT_EQ(call("XPU", given, Safety::safe), of_call(given));
}

TEST(FixInstantiation, StaysAwayFromAClassThatIsUsedBelow) {
  std::string cls = std::string(kHead) +
                    "class TestA(TestCase):\n    hw_classification = HardwareClassification.ACCELERATOR\n"
                    "    def test_a(self, device): f(device)\n";
  EXPECT_NE(fixed(cls, Safety::review), cls);
  for (const char* use : {"TestA.foo = 3\n", "class TestB(TestA):\n    pass\n", "register(TestA)\n"})
    EXPECT_EQ(fixed(cls + use, Safety::review), cls + use);
}

TEST(FixLabel, AnImportUnderAConditionIsNoneToRelyOn) {
  std::string cls = "class TestA(TestCase):\n    def test_a(self): pass\n";
  std::string head =
      "if TYPE_CHECKING:\n    from torch.testing._internal.common_utils import HardwareClassification\n";
  std::string made = fixed(head + cls);
  EXPECT_TRUE(made.find("\nfrom torch.testing._internal.common_utils import HardwareClassification\n") !=
              std::string::npos)
      << made;
}

TEST(FixLabel, AParenthesisedDocstringStaysTheFirstStatement) {
  std::string made = fixed(std::string(kHead) +
                           "class TestA(TestCase):\n    (\"a\"\n     \"b\")\n    def test_a(self): pass\n");
  EXPECT_LT(made.find("\"b\")"), made.find("hw_classification =")) << made;
}

TEST(FixLiteral, KeepsItsQuotesInsideAnFString) {
  EXPECT_EQ(body("x = f\"{torch.ones(1, device='cuda:1')}\""),
            "x = f\"{torch.ones(1, device=f'{self.device_type}:1')}\"");
}

TEST(FixLiteral, IsATypeWhereATypeIsAskedFor) {
  EXPECT_EQ(body("torch.autocast('cuda')"), "torch.autocast(self.device_type)");
  EXPECT_EQ(body("torch.autocast(device_type='cuda')"), "torch.autocast(device_type=self.device_type)");
  EXPECT_EQ(body("init_device_mesh('cuda', (2,))"), "init_device_mesh(self.device_type, (2,))");
}

TEST(FixLiteral, KnowsWhoseDeviceAndSelfTheNamesMean) {
  for (const char* inside :
       {"def inner(device): torch.ones(1, device='cuda')", "f = lambda device: torch.ones(1, device='cuda')",
        "class M(Module):\n            def forward(self, x): return x.to('cuda:1')"})
    EXPECT_EQ(body(inside), inside);
}

TEST(FixLiteral, AComparedDeviceIsNotRewritten) {
  std::string made = body("x = device == torch.device('cuda')");
  EXPECT_EQ(made, "x = device == torch.device('cuda')");
}

TEST(FixTwin, OnlyOfACallWithoutArguments) {
  EXPECT_EQ(body("torch.cuda.synchronize()\n        f(device)"),
            "torch.accelerator.synchronize()\n        f(device)");
  EXPECT_EQ(body("torch.cuda.synchronize(device=device)"), "torch.cuda.synchronize(device=device)");
}

}  // namespace
}  // namespace hwsift::lint
