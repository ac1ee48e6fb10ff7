// The boundaries of hwsift's own rules: where each fires, and what stands beside it and is right.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/lint/marks.h"

namespace hwsift::lint {
namespace {

constexpr char kAccelerator[] = "    hw_classification = HardwareClassification.ACCELERATOR\n";
constexpr char kGeneric[] = "    hw_classification = HardwareClassification.GENERIC\n";

std::string indented(const std::string& code, const std::string& indent) {
  std::string result;
  for (const std::string& line : split(code, '\n'))
    if (!line.empty()) result += indent + line + "\n";
  return result;
}

// A class for every accelerator with one test, test_a(self, device).
struct DeviceClass {
  std::string body = "torch.ones(1, device=device)";
  std::string decorators = {};        // of the test
  std::string class_decorators = {};  // of the class
  std::string filters = {};           // of the call: ", only_for='cuda'"
  std::string params = "self, device";
  std::string head = {};  // at the top of the module
  std::string label = "ACCELERATOR";

  std::string source() const {
    return head + class_decorators +
           "class TestA(TestCase):\n    hw_classification = HardwareClassification." + label + "\n" +
           indented(decorators, "    ") + "    def test_a(" + params + "):\n" + indented(body, "        ") +
           "instantiate_device_type_tests(TestA, globals()" + filters + ")\n";
  }
};

bool fires_in(const std::string& source, const std::string& rule) {
  std::vector<Finding> findings = lint_text("recommended", source);
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.rule == rule; });
}

bool fires(const std::string& rule, const DeviceClass& cls) { return fires_in(cls.source(), rule); }

std::string message_of(const std::string& rule, const std::string& source) {
  for (const Finding& finding : lint_text("all", source))
    if (finding.rule == rule) return full_message(finding);
  return "";
}

// --- hardcoded_device ---

constexpr char kLiteral[] = "torch.ones(1, device='cuda')";

TEST(HardcodedDevice, IsToldOfPlacements) {
  for (const char* body :
       {kLiteral, "torch.ones(1).cuda()", "torch.ones(1).to('cuda:1')", "torch.device('cuda', 1)",
        "self.model.xpu()", "torch.ones(1, device=f'cuda:{i}')"})
    EXPECT_TRUE(fires("hardcoded_device", {.body = body})) << body;
}

TEST(HardcodedDevice, IsNotToldOfDataNorOfTheCpu) {
  for (const char* body : {"torch.ones(1, device='cpu')", "torch.ones(1).cpu()", "x = 'cuda'", "x = ['cuda']",
                           "x.is_cuda", "torch.ones(1, device='meta')", "print('cuda')"})
    EXPECT_FALSE(fires("hardcoded_device", {.body = body})) << body;
}

TEST(HardcodedDevice, IsSilentWhereTheTestIsKeptToOneDevice) {
  EXPECT_FALSE(fires("hardcoded_device", {.body = kLiteral, .decorators = "@onlyCUDA"}));
  EXPECT_FALSE(fires("hardcoded_device", {.body = kLiteral, .decorators = "@onlyOn(['cuda'])"}));
  EXPECT_FALSE(
      fires("hardcoded_device", {.body = kLiteral, .filters = ", only_for='cuda'", .label = "CUDA"}));
  EXPECT_FALSE(
      fires("hardcoded_device", {.body = kLiteral, .filters = ", only_for=('cuda',)", .label = "CUDA"}));
  EXPECT_FALSE(fires("hardcoded_device",
                     {.body = kLiteral, .class_decorators = "@unittest.skipIf(not TEST_CUDA, 'x')\n"}));
  EXPECT_FALSE(
      fires("hardcoded_device",
            {.body = kLiteral, .filters = ", only_for=('cuda', 'cpu'), except_for='cpu'", .label = "CUDA"}));
}

TEST(HardcodedDevice, IsToldWhereSeveralDevicesAreLeft) {
  EXPECT_TRUE(fires("hardcoded_device", {.body = kLiteral, .decorators = "@onlyOn(['cuda', 'hpu'])"}));
  EXPECT_TRUE(fires("hardcoded_device", {.body = kLiteral, .filters = ", only_for=('cuda', 'cpu')"}));
  EXPECT_TRUE(fires("hardcoded_device", {.body = kLiteral, .filters = ", except_for='cpu'"}));
  EXPECT_TRUE(fires("hardcoded_device",
                    {.body = kLiteral, .class_decorators = "@unittest.skipIf(TEST_CUDA, 'x')\n"}));
  EXPECT_TRUE(
      fires("hardcoded_device",
            {.body = kLiteral, .class_decorators = "@unittest.skipIf(not TEST_CUDA and SLOW, 'x')\n"}));
}

TEST(HardcodedDevice, IsSilentWhereTheFiltersCannotBeRead) {
  EXPECT_FALSE(
      fires("hardcoded_device", {.body = kLiteral, .filters = ", only_for=pick()", .label = "CUDA"}));
  EXPECT_FALSE(fires("hardcoded_device", {.body = kLiteral, .filters = ", **options"}));
  EXPECT_FALSE(fires("hardcoded_device", {.body = kLiteral, .filters = ", except_for=pick()"}));
}

TEST(HardcodedDevice, IsToldWhereTheLabelMeansMoreDevicesThanTheCall) {
  EXPECT_TRUE(fires("hardcoded_device", {.body = kLiteral, .filters = ", only_for='cuda'"}));
  EXPECT_TRUE(fires("hardcoded_device", {.body = kLiteral, .filters = ", only_for=pick()"}));
}

TEST(HardcodedDevice, IsSilentOnceTheTestAsksForItsDevice) {
  for (const char* body :
       {"if self.device_type == 'cuda':\n    x.cuda()", "if device.startswith('cuda'):\n    x.cuda()",
        "if 'cuda' in device:\n    x.cuda()\nelse:\n    x.xpu()",
        "if self.device_type != 'cuda':\n    return\nx.cuda()",
        "if torch.device(device).type != 'cuda':\n    self.skipTest('x')\nx.cuda()",
        "y = x.cuda() if device == 'cuda:0' else x", "if torch.cuda.is_available():\n    x.cuda()"})
    EXPECT_FALSE(fires("hardcoded_device", {.body = body})) << body;
}

TEST(HardcodedDevice, IsToldBehindSuchABranch) {
  EXPECT_TRUE(fires("hardcoded_device", {.body = "if self.device_type == 'cuda':\n    pass\nx.cuda()"}));
  EXPECT_TRUE(fires("hardcoded_device", {.body = "x.cuda()\nif self.device_type != 'cuda':\n    return"}));
}

TEST(HardcodedDevice, IsNotToldOfDefaultsNorDecorators) {
  EXPECT_FALSE(fires("hardcoded_device", {.params = "self, device, other=torch.device('cuda')"}));
  EXPECT_FALSE(fires("hardcoded_device", {.decorators = "@largeTensorTest('1GB', device='cuda')"}));
}

TEST(HardcodedDevice, IsToldOfASecondListOfDevices) {
  EXPECT_TRUE(fires("hardcoded_device", {.decorators = "@parametrize(\"device\", [\"cpu\", \"cuda\"])"}));
  EXPECT_FALSE(fires("hardcoded_device", {.decorators = "@parametrize(\"size\", [1, 2])"}));
}

TEST(HardcodedDevice, NeedsATestThatTakesTheDevice) {
  EXPECT_FALSE(fires("hardcoded_device", {.body = kLiteral, .params = "self"}));
  EXPECT_TRUE(fires("hardcoded_device", {.body = kLiteral, .params = "self, devices"}));
  std::string helper = "class TestA(TestCase):\n" + std::string(kAccelerator) +
                       "    def make(self, device): return torch.ones(1, device='cuda')\n"
                       "    def test_a(self, device): self.make(device)\n"
                       "instantiate_device_type_tests(TestA, globals())\n";
  EXPECT_FALSE(fires_in(helper, "hardcoded_device"));
}

// --- wrong_device, vendor_api ---

constexpr char kPicked[] = "device_of_all = 'cuda' if torch.cuda.is_available() else 'cpu'\n";

TEST(WrongDevice, IsToldOfADeviceThatTheModulePicks) {
  EXPECT_TRUE(fires("wrong_device", {.body = "torch.ones(1, device=device_of_all)", .head = kPicked}));
  EXPECT_TRUE(
      fires("wrong_device", {.body = "torch.ones(1, device=GPU_TYPE)",
                             .head = "from torch.testing._internal.inductor_utils import GPU_TYPE\n"}));
}

TEST(WrongDevice, IsSilentWhereThePickIsNoPlaceOrTheTestIsKeptToOneDevice) {
  EXPECT_FALSE(fires("wrong_device", {.body = "print(device_of_all)", .head = kPicked}));
  EXPECT_FALSE(
      fires("wrong_device",
            {.body = "torch.ones(1, device=device_of_all)", .decorators = "@onlyCUDA", .head = kPicked}));
  EXPECT_FALSE(fires("wrong_device", {.body = "torch.ones(1, device=d)", .head = "d = 'cpu'\n"}));
  EXPECT_FALSE(fires("wrong_device", {.body = "device_of_all = device\ntorch.ones(1, device=device_of_all)",
                                      .head = kPicked}));
}

TEST(VendorApi, IsToldWhereATwinIsThere) {
  EXPECT_TRUE(fires("vendor_api", {.body = "torch.cuda.synchronize()"}));
  EXPECT_FALSE(fires("vendor_api", {.body = "torch.cuda.CUDAGraph()"}));
  EXPECT_FALSE(fires("vendor_api", {.body = "torch.accelerator.synchronize()"}));
}

TEST(VendorApi, IsSilentInQuestionsAndBranchesOfTheDevice) {
  EXPECT_FALSE(fires("vendor_api", {.body = "if torch.cuda.device_count() > 1:\n    pass"}));
  EXPECT_FALSE(fires("vendor_api", {.body = "if self.device_type == 'cuda':\n    torch.cuda.synchronize()"}));
  EXPECT_FALSE(fires("vendor_api", {.body = "if TEST_CUDA:\n    torch.cuda.synchronize()"}));
  EXPECT_FALSE(fires("vendor_api", {.body = "torch.cuda.synchronize()", .decorators = "@onlyCUDA"}));
}

TEST(VendorApi, AsksTheReleaseOfTheTree) {
  Surroundings around;
  auto told = [&](const std::string& version, const std::string& call) {
    around.traits.version = version;
    for (const Finding& finding : lint_text("recommended", DeviceClass{.body = call}.source(), around))
      if (finding.rule == "vendor_api") return true;
    return false;
  };
  EXPECT_TRUE(told("2.6.0a0", "torch.cuda.synchronize()"));
  EXPECT_FALSE(told("2.6.0a0", "torch.cuda.memory_allocated()"));
  EXPECT_FALSE(told("2.13.1", "torch.cuda.memory_allocated()"));
  EXPECT_TRUE(told("2.14.0a0", "torch.cuda.memory_allocated()"));
  EXPECT_TRUE(told("3.0", "torch.cuda.memory_allocated()"));
  EXPECT_TRUE(told("", "torch.cuda.memory_allocated()"));
}

// --- device_guard ---

TEST(DeviceGuard, IsToldOfASkipThatAsksTheMachine) {
  for (const char* decorator :
       {"@unittest.skipIf(TEST_XPU, 'x')", "@unittest.skipIf(not TEST_CUDA, 'x')",
        "@unittest.skipUnless(TEST_CUDA, 'x')", "@unittest.skipIf(not torch.cuda.is_available(), 'x')"})
    EXPECT_TRUE(fires("device_guard", {.decorators = decorator})) << decorator;
  EXPECT_TRUE(fires("device_guard", {.body = "if not TEST_CUDA:\n    self.skipTest('x')\nf(device)"}));
}

TEST(DeviceGuard, NamesTheSkipForTheSideThatIsMeant) {
  EXPECT_NE(message_of("device_guard", DeviceClass{.decorators = "@unittest.skipIf(TEST_XPU, 'x')"}.source())
                .find("@skipXPUIf, which skips that variant alone"),
            std::string::npos);
  EXPECT_NE(
      message_of("device_guard", DeviceClass{.decorators = "@unittest.skipIf(not TEST_CUDA, 'x')"}.source())
          .find("drop the skip (a variant runs only where its device is), or move the test to a class about "
                "CUDA"),
      std::string::npos);
}

TEST(DeviceGuard, IsSilentOfOtherConditions) {
  for (const char* decorator :
       {"@unittest.skipIf(IS_WINDOWS, 'x')", "@unittest.skipIf(TEST_XPU and IS_LINUX, 'x')",
        "@unittest.skipIf(not TEST_CUDA and IS_LINUX, 'x')", "@skipCUDAIf(True, 'x')",
        "@skipXPUIf(TEST_XPU, 'x')", "@unittest.skip('x')"})
    EXPECT_FALSE(fires("device_guard", {.decorators = decorator})) << decorator;
}

TEST(DeviceGuard, IsSilentWhereTheTestIsKeptToOneDeviceOrAskedFirst) {
  EXPECT_FALSE(fires("device_guard", {.decorators = "@onlyCUDA\n@unittest.skipIf(not SM70OrLater, 'x')"}));
  EXPECT_FALSE(fires("device_guard", {.decorators = "@unittest.skipIf(not TEST_CUDA, 'x')",
                                      .filters = ", only_for='cuda'",
                                      .label = "CUDA"}));
  EXPECT_FALSE(fires("device_guard", {.body = "if 'cuda' in device:\n    if not SM70OrLater:\n"
                                              "        self.skipTest('x')\nf(device)"}));
  EXPECT_FALSE(fires("device_guard", {.body = "if TEST_CUDA:\n    f()\nf(device)"}));
}

TEST(DeviceGuard, OnAClassIsToldOnceAndOnTheClass) {
  DeviceClass cls{.decorators = "@unittest.skipIf(not SM70OrLater, 'x')",
                  .class_decorators = "@unittest.skipIf(not TEST_CUDA, 'x')\n"};
  EXPECT_EQ(found_in("recommended", cls.source()), Marks{"1 device_guard"});
  EXPECT_NE(message_of("device_guard", cls.source()).find("only_for=\"cuda\""), std::string::npos);
  cls.filters = ", only_for='cuda'";
  cls.label = "CUDA";
  EXPECT_FALSE(fires("device_guard", cls));
}

TEST(DeviceGuard, OfAnyAcceleratorIsRightWhereNoOtherVariantIsMade) {
  const char* guard = "@unittest.skipIf(not HAS_GPU, 'x')";
  const char* head = "from torch.testing._internal.inductor_utils import HAS_GPU\n";
  EXPECT_TRUE(fires("device_guard", {.decorators = guard, .head = head}));
  EXPECT_FALSE(fires("device_guard", {.decorators = guard, .filters = ", except_for='cpu'", .head = head}));
  EXPECT_FALSE(
      fires("device_guard", {.decorators = std::string("@onlyAccelerator\n") + guard, .head = head}));
}

// --- device_compare ---

TEST(DeviceCompare, IsToldOfWhatIsNeverTrue) {
  for (const char* body :
       {"a = device == 'cuda'", "a = device != 'xpu'", "a = 'xpu' == device", "a = 'XPU' in device",
        "a = device in ('cuda', 'xpu')", "a = device not in ['cuda']", "a = device == torch.device('cpu')",
        "a = device == 'CUDA:0'", "if device == 'mps':\n    pass"})
    EXPECT_TRUE(fires("device_compare", {.body = body})) << body;
}

TEST(DeviceCompare, IsSilentOfWhatMayBeTrue) {
  for (const char* body :
       {"a = device == 'cpu'", "a = device == 'cuda:0'", "a = 'cuda' in device", "a = 'xpu' not in device",
        "a = device == other", "a = self.device_type == 'cuda'", "a = torch.device(device).type == 'cuda'",
        "a = device.split(':')[0] == 'cuda'", "a = x.device == torch.device(device)", "a = device == 'meta'",
        "a = device in 'cuda:0'"})
    EXPECT_FALSE(fires("device_compare", {.body = body})) << body;
}

TEST(DeviceCompare, KnowsWhoseDeviceItIs) {
  for (const char* body :
       {"device = torch.device(device).type\na = device == 'cuda'", "f = lambda device: device == 'cuda'",
        "a = [device for device in xs if device == 'cuda']", "for device in xs:\n    a = device == 'cuda'",
        "def f(device):\n    return device == 'cuda'", "with f() as device:\n    a = device == 'cuda'"})
    EXPECT_FALSE(fires("device_compare", {.body = body})) << body;
  EXPECT_TRUE(fires("device_compare", {.body = "f = lambda x: device == 'cuda'"}));
  EXPECT_TRUE(fires("device_compare", {.body = "def f():\n    return device == 'cuda'"}));
  EXPECT_TRUE(fires("device_compare", {.body = "a = [x for x in xs if device == 'cuda']"}));
  EXPECT_FALSE(fires("device_compare", {.body = "a = device == 'cuda'", .params = "self"}));
}

TEST(DeviceCompare, NeedsTheFramework) {
  std::string source = DeviceClass{.body = "a = device == 'cuda'"}.source();
  EXPECT_FALSE(fires_in(source.substr(0, source.find("instantiate")), "device_compare"));
}

// --- unused_device ---

TEST(UnusedDevice, IsToldWhereNothingLooksAtIt) {
  EXPECT_TRUE(fires("unused_device", {.body = "self.assertEqual(parse('a'), ['a'])"}));
  EXPECT_TRUE(fires("unused_device", {.body = "f = lambda x: x\nself.assertTrue(f(1))"}));
  EXPECT_TRUE(fires("unused_device", {.body = "f(device=1)"}));
  EXPECT_TRUE(fires("unused_device", {.body = "x.device"}));
}

TEST(UnusedDevice, IsSilentWhereSomethingMay) {
  for (const char* body :
       {"torch.ones(1, device=device)", "self.helper()", "f(locals())", "pass", "raise NotImplementedError",
        "self.skipTest('x')", "f(self.device_type)", "f = lambda: device\nself.assertTrue(f())",
        "xs = [f(device) for x in y]\nself.assertTrue(xs)", "f(self.rank)"})
    EXPECT_FALSE(fires("unused_device", {.body = body})) << body;
  EXPECT_FALSE(fires("unused_device", {.body = "f(op)", .params = "self, device, op"}));
}

TEST(UnusedDevice, IsSilentWhereOneVariantIsMeant) {
  std::string source = DeviceClass{.body = "f()", .filters = ", only_for='cuda'"}.source();
  std::string cuda = source;
  cuda.replace(cuda.find("ACCELERATOR"), 11, "CUDA");
  EXPECT_TRUE(fires_in(source, "unused_device"));
  EXPECT_FALSE(fires_in(cuda, "unused_device"));
}

// --- golden_device ---

TEST(GoldenDevice, IsToldOfADeviceInAnExpectedText) {
  const char* body = "self.assertExpectedInline(str(x), \"tensor([1], device='cuda:0')\")\nf(device)";
  EXPECT_TRUE(fires("golden_device", {.body = body}));
  EXPECT_FALSE(fires("golden_device", {.body = body, .decorators = "@onlyCUDA"}));
  EXPECT_FALSE(fires("golden_device",
                     {.body = "if 'cuda' in device:\n"
                              "    self.assertExpectedInline(str(x), \"device='cuda:0'\")\nf(device)"}));
  EXPECT_FALSE(fires("golden_device", {.body = "self.assertExpectedInline(str(x), 'barracuda')\nf(device)"}));
}

// --- the wiring ---

TEST(ZeroVariants, IsToldWhereNothingIsMade) {
  for (const char* filters :
       {", only_for='xpu'", ", only_for='mps'", ", only_for=('xpu', 'mps')",
        ", only_for='xpu', allow_mps=True", ", only_for=('cuda',), except_for=('cuda',)",
        ", only_for=('xpu', 'cuda')", ", only_for='XPU'"})
    EXPECT_TRUE(fires("zero_variants", {.filters = filters})) << filters;
}

TEST(ZeroVariants, IsSilentWhereSomethingMayBe) {
  for (const char* filters :
       {"", ", only_for='xpu', allow_xpu=True", ", only_for='mps', allow_mps=True", ", only_for='cuda'",
        ", only_for='xpu', allow_xpu=FLAG", ", only_for=pick()", ", **options", ", except_for='cpu'",
        ", only_for='privateuse1'", ", only_for='my_backend'", ", only_for=('fpga',)", ", only_for=[]"})
    EXPECT_FALSE(fires("zero_variants", {.filters = filters})) << filters;
}

TEST(MissingVariants, NamesTheFlagsThatNoFilterExplains) {
  auto told = [](const std::string& filters) {
    return message_of("missing_variants", DeviceClass{.filters = filters}.source());
  };
  EXPECT_NE(told("").find("does not set allow_xpu and allow_mps"), std::string::npos) << told("");
  EXPECT_NE(told(", allow_xpu=True").find("does not set allow_mps"), std::string::npos);
  EXPECT_NE(told(", except_for='mps'").find("does not set allow_xpu"), std::string::npos);
  EXPECT_EQ(told(", allow_xpu=True, allow_mps=True"), "");
  EXPECT_EQ(told(", except_for=('mps', 'xpu')"), "");
  EXPECT_EQ(told(", **options"), "");
  EXPECT_FALSE(fires("missing_variants", DeviceClass{}));
}

TEST(LabelScope, IsToldWhereLabelAndCallShareNoDevice) {
  auto source = [](const std::string& label, const std::string& filters) {
    std::string text = DeviceClass{.filters = filters}.source();
    return text.replace(text.find("ACCELERATOR"), 11, label);
  };
  EXPECT_TRUE(fires_in(source("CUDA", ", only_for='xpu', allow_xpu=True"), "label_scope"));
  EXPECT_TRUE(fires_in(source("CPU", ", except_for='cpu'"), "label_scope"));
  EXPECT_TRUE(fires_in(source("CUDA", ", only_for=('xpu', 'cpu'), allow_xpu=True"), "label_scope"));
  EXPECT_FALSE(fires_in(source("CUDA", ", only_for=('cuda', 'cpu')"), "label_scope"));
  EXPECT_FALSE(fires_in(source("CUDA", ""), "label_scope"));
  EXPECT_FALSE(fires_in(source("CUDA", ", only_for=pick()"), "label_scope"));
  EXPECT_FALSE(fires_in(source("ACCELERATOR", ", only_for='cuda'"), "label_scope"));
  EXPECT_FALSE(fires_in(source("CUDA", ", only_for='xpu', allow_xpu=True"), "only_for")) << "said once";
}

TEST(NameTrap, IsToldOfValuesThatLookLikeTests) {
  auto source = [](const std::string& member, const std::string& call) {
    return "class TestA(TestCase):\n" + std::string(kAccelerator) + "    " + member +
           "\n    def test_a(self, device): f(device)\n" + call;
  };
  const char* call = "instantiate_device_type_tests(TestA, globals())\n";
  EXPECT_TRUE(fires_in(source("test_ns = 'x'", call), "name_trap"));
  EXPECT_TRUE(fires_in(source("test_sizes = [1, 2]", call), "name_trap"));
  EXPECT_FALSE(fires_in(source("test_made = make()", call), "name_trap"));
  EXPECT_FALSE(fires_in(source("tests = 1", ""), "name_trap"));
  EXPECT_FALSE(fires_in(source("ns = 'x'", call), "name_trap"));
}

TEST(NameTrap, IsToldOfAClassThatIsNamedLikeAVariant) {
  auto source = [](const std::string& name, const std::string& filters) {
    return DeviceClass{.filters = filters}.source() + "class " + name + "(TestCase):\n" + kGeneric +
           "    def test_b(self): f()\n";
  };
  EXPECT_TRUE(fires_in(source("TestACUDA", ""), "name_trap"));
  EXPECT_TRUE(fires_in(source("TestACPU", ""), "name_trap"));
  EXPECT_FALSE(fires_in(source("TestACUDA", ", except_for='cuda'"), "name_trap"));
  EXPECT_FALSE(fires_in(source("TestAXPU", ""), "name_trap"));
  EXPECT_TRUE(fires_in(source("TestAXPU", ", allow_xpu=True"), "name_trap"));
  EXPECT_FALSE(fires_in(source("TestACuda", ""), "name_trap"));
  EXPECT_FALSE(fires_in(source("TestAFPGA", ""), "name_trap"));
}

TEST(NameTrap, IsToldOfASecondCall) {
  std::string twice = DeviceClass{}.source() + "instantiate_device_type_tests(TestA, globals())\n";
  EXPECT_TRUE(fires_in(twice, "name_trap"));
  std::string either = DeviceClass{}.source();
  std::size_t at = either.find("instantiate_device_type_tests");
  either = either.substr(0, at) +
           "if X:\n    instantiate_device_type_tests(TestA, globals())\n"
           "else:\n    instantiate_device_type_tests(TestA, globals())\n";
  EXPECT_FALSE(fires_in(either, "name_trap"));
}

TEST(SubclassTraps, IsToldOfInheritedTestsThatNeedADevice) {
  auto source = [](const std::string& inherited, const std::string& own = "") {
    return "class Base(TestCase):\n" + inherited + "class TestA(Base):\n" + kAccelerator + own +
           "    def test_a(self, device): f(device)\n"
           "instantiate_device_type_tests(TestA, globals())\n";
  };
  EXPECT_TRUE(fires_in(source("    def test_b(self, device): f(device)\n"), "subclass_traps"));
  EXPECT_FALSE(fires_in(source("    def test_b(self): f()\n"), "subclass_traps"));
  EXPECT_FALSE(fires_in(source("    def test_b(self, device='cpu'): f(device)\n"), "subclass_traps"));
  EXPECT_FALSE(fires_in(source("    def helper(self, device): f(device)\n"), "subclass_traps"));
  EXPECT_FALSE(fires_in(
      source("    def test_b(self, device): f(device)\n", "    def test_b(self, device): f(device)\n"),
      "subclass_traps"));
  EXPECT_FALSE(fires_in(source("    @some_parametrizer\n    def test_b(self, device): f(device)\n"),
                        "subclass_traps"));
  std::string alone = source("    def test_b(self, device): f(device)\n");
  EXPECT_FALSE(fires_in(alone.substr(0, alone.find("instantiate")), "subclass_traps"));
}

TEST(InvisibleTest, IsToldOfFunctionsThatAreCollected) {
  EXPECT_TRUE(fires_in("def test_a(): pass\n", "invisible_test"));
  EXPECT_TRUE(fires_in("@pytest.mark.parametrize('a', [1])\ndef test_a(a): pass\n", "invisible_test"));
  EXPECT_FALSE(fires_in("def helper(): pass\n", "invisible_test"));
  EXPECT_FALSE(fires_in("def test_a(x): pass\n", "invisible_test"));
  EXPECT_FALSE(fires_in("def test_a(): pass\nrun(test_a)\n", "invisible_test"));
  EXPECT_FALSE(fires_in("@pytest.fixture\ndef test_a(): pass\n", "invisible_test"));
}

TEST(InvisibleTest, IsToldOfClassesThatNoStatementMakes) {
  EXPECT_TRUE(fires_in("TestA = type('TestA', (TestCase,), {'test_a': f})\n", "invisible_test"));
  EXPECT_FALSE(fires_in("TestA = type('TestA', (TestCase,), {'hw_classification': X, 'test_a': f})\n",
                        "invisible_test"));
  EXPECT_FALSE(fires_in("A = type('A', (dict,), {})\n", "invisible_test"));
  EXPECT_TRUE(fires_in("globals().update(make_tests())\n", "invisible_test"));
  EXPECT_FALSE(fires_in("globals().update(load_settings())\n", "invisible_test"));
}

// --- the label ---

std::string labelled(const std::string& label, const std::string& body, const std::string& decorator = "") {
  return "from torch.testing._internal.common_utils import TEST_CUDA\n"
         "class TestA(TestCase):\n    hw_classification = HardwareClassification." +
         label + "\n" + indented(decorator, "    ") + "    def test_a(self):\n" + indented(body, "        ");
}

TEST(LabelMismatch, IsToldWhereTheCodeNeedsMoreThanTheLabelSays) {
  EXPECT_TRUE(fires_in(labelled("GENERIC", kLiteral), "label_mismatch"));
  EXPECT_TRUE(fires_in(labelled("GENERIC", "x.cuda()"), "label_mismatch"));
  EXPECT_TRUE(fires_in(labelled("GENERIC", "f()", "@unittest.skipIf(not TEST_CUDA, 'x')"), "label_mismatch"));
  EXPECT_TRUE(fires_in(labelled("CPU", kLiteral), "label_mismatch"));
  EXPECT_TRUE(fires_in(labelled("GENERIC", "if torch.cuda.is_available():\n    x.cuda()"), "label_mismatch"))
      << "running on a CPU too is no reason for GENERIC";
  EXPECT_TRUE(fires_in(labelled("XPU", "torch.cuda.CUDAGraph()"), "label_mismatch"));
  EXPECT_TRUE(fires_in(labelled("ACCELERATOR", "torch.cuda.CUDAGraph()"), "label_mismatch"));
}

TEST(LabelMismatch, IsSilentWhereTheyAgreeOrADeviceIsOnlyNamed) {
  EXPECT_FALSE(fires_in(labelled("GENERIC", "f(1)"), "label_mismatch"));
  EXPECT_FALSE(fires_in(labelled("GENERIC", "x = 'cuda'"), "label_mismatch"));
  EXPECT_FALSE(fires_in(labelled("GENERIC", "f(['cuda'])"), "label_mismatch"));
  EXPECT_FALSE(fires_in(labelled("GENERIC", "torch.ones(1, device='cpu')"), "label_mismatch"));
  EXPECT_FALSE(fires_in(labelled("GENERIC", "f()", "@unittest.skipIf(TEST_CUDA, 'x')"), "label_mismatch"));
  EXPECT_FALSE(fires_in(labelled("ACCELERATOR", kLiteral), "label_mismatch"));
  EXPECT_FALSE(fires_in(labelled("CUDA", "torch.cuda.CUDAGraph()"), "label_mismatch"));
}

TEST(MixedClass, IsToldWhereOneLabelCannotFitAllTests) {
  std::string source =
      labelled("GENERIC", "f(1)") + "    def test_b(self):\n        torch.cuda.CUDAGraph()\n";
  EXPECT_TRUE(fires_in(source, "mixed_class"));
  EXPECT_FALSE(fires_in(source, "label_mismatch")) << "said once";
  EXPECT_FALSE(
      fires_in(labelled("GENERIC", "f(1)") + "    def test_b(self):\n        g(2)\n", "mixed_class"));
}

TEST(Decorator, KnowsWhatAGenericClassLacks) {
  auto source = [](const std::string& label, const std::string& decorator) {
    return labelled(label, "f()", decorator);
  };
  EXPECT_TRUE(fires_in(source("GENERIC", "@onlyAccelerator"), "decorator"));
  EXPECT_TRUE(fires_in(source("GENERIC", "@onlyCUDA"), "decorator"));
  EXPECT_FALSE(fires_in(source("GENERIC", "@only_if_slow"), "decorator"));
  EXPECT_FALSE(fires_in(source("ACCELERATOR", "@onlyAccelerator"), "decorator"));
  EXPECT_TRUE(fires_in(source("ACCELERATOR", "@onlyCUDA"), "decorator"));
}

// --- settings ---

std::vector<Finding> with_settings(const Settings& settings, const std::string& source) {
  Profile profile = *builtin_lint_rules().profile("recommended");
  profile.settings = settings;
  const classifier::Vocabulary& vocabulary = classifier::builtin_vocabulary();
  analyzer::FileFacts file = analyzer::analyze_python("test/test_a.py", source, vocabulary.lexicon());
  std::vector<classifier::ClassVerdict> verdicts = classifier::classify(file, vocabulary);
  Surroundings around;
  return lint_file({profile, file, verdicts, vocabulary, around, source});
}

TEST(Settings, OnlyForOfAcceleratorsAlone) {
  Settings accepts{.accelerators_in_only_for = true};
  auto found = [&](const std::string& filters) {
    return as_marks(with_settings(accepts, DeviceClass{.filters = filters}.source()));
  };
  EXPECT_EQ(found(", only_for=('cuda', 'xpu'), allow_xpu=True"), Marks{});
  EXPECT_EQ(found(", only_for=('cuda', 'my_backend')"), Marks{});
  EXPECT_EQ(found(", only_for=('cuda', 'cpu')"), Marks{"5 only_for"});
  EXPECT_EQ(found(", only_for=pick()"), Marks{"5 only_for"});
  EXPECT_EQ(found_in("recommended", DeviceClass{.filters = ", only_for=('cuda', 'hpu')"}.source()),
            Marks{"5 only_for"});
}

TEST(Settings, InheritedLabel) {
  Settings accepts{.inherited_label = true};
  std::string source =
      "class Base(TestCase):\n" + std::string(kGeneric) + "class TestA(Base):\n    def test_a(self): f()\n";
  EXPECT_EQ(as_marks(with_settings(accepts, source)), Marks{});
  EXPECT_EQ(found_in("recommended", source), Marks{"3 hw_classification"});
  std::string none = source + "class TestB(Base):\n    hw_classification = None\n    def test_b(self): f()\n";
  EXPECT_EQ(as_marks(with_settings(accepts, none)), Marks{"5 hw_classification"});
  std::string device = source.replace(source.find("GENERIC"), 7, "ACCELERATOR");
  EXPECT_EQ(as_marks(with_settings(accepts, device)), (Marks{"3 instantiation", "4 device_param"}));
}

}  // namespace
}  // namespace hwsift::lint
