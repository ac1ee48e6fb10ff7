#include "analyzer/python/excerpt.h"

#include <gtest/gtest.h>

#include <string>

#include "analyzer/python/analyze.h"
#include "analyzer/python/syntax.h"
#include "classifier/vocabulary.h"

namespace hwsift::analyzer {
namespace {

const Lexicon& lexicon() {
  static const Lexicon made = classifier::builtin_vocabulary().lexicon();
  return made;
}

FileFacts facts_of(const std::string& source, Reading reading) {
  return analyze_python("test/test_a.py", decode_python_source(source), lexicon(), reading);
}

Excerpt excerpt_of(const std::string& source) {
  return make_excerpt(source, tokenize(source), *lexicon().words);
}

std::string text_of(const std::string& source) { return excerpt_of(source).text(); }

// Facts by the excerpt, which must be those of the whole text.
FileFacts same_facts(const std::string& source) {
  FileFacts facts = facts_of(source, Reading::excerpt);
  EXPECT_EQ(facts, facts_of(source, Reading::whole)) << source << "---\n" << text_of(source);
  EXPECT_TRUE(parse_python(source, lexicon().words.get()).excerpt) << "not parsed by its excerpt: " << source;
  return facts;
}

FileFacts in_method(const std::string& body) {
  return same_facts("def helper(x): pass\n\n\nclass TestA(TestCase):\n    def test_a(self, device):\n" +
                    body);
}

const Method& method_of(const FileFacts& facts) { return facts.classes.at(0).methods.at(0); }

TEST(Excerpt, LeavesOutWhatSaysNothing) {
  EXPECT_EQ(text_of("x = torch.ones(3)\nprint(x)\n"), "x = 0\n");
  EXPECT_EQ(text_of("class TestA(TestCase):\n    def test_a(self):\n        x = 1\n        return x\n"),
            "class TestA:  0\n");
}

TEST(Excerpt, KeepsWhatNamesHardware) {
  EXPECT_EQ(text_of("def f(x):\n    y = 1\n    x.cuda()  # moved\n    return y\n"), "class f:  x.cuda()\n");
  EXPECT_EQ(text_of("def f(x):\n    x.to('cuda:0',\n         'long')\n"), "class f:  x.to(\"\")\n");
}

TEST(Excerpt, OneNumberStandsForFunctionsInARow) {
  std::string source =
      "class TestA(TestCase):\n    def test_a(self): pass\n    def test_b(self):\n        pass\n    x = 1\n  "
      "  def test_c(self):\n        pass\n";
  EXPECT_EQ(text_of(source), "class TestA:\n def test_a(self): pass\n 0\n");
  EXPECT_EQ(same_facts(source).classes.at(0).methods.size(), 3u);
}

TEST(Excerpt, SimpleStatementsStandOnTheLineOfTheirHeader) {
  EXPECT_EQ(text_of("def f(x):\n    if x:\n        y = x.cuda()\n        z = x.xpu()\n    return x.cpu()\n"),
            "class f:\n if 0:   y = x.cuda();  z = x.xpu()\n return x.cpu()\n");
  in_method("        x.cuda();\n        x.xpu()\n");
  in_method("        if x: x.cuda()\n        x.xpu()\n");
  in_method("        for y in x:\n            if y: y.cuda()\n            x.xpu()\n");
  in_method("        def g(a) -> None:\n            x[a].cuda()\n        return g\n");
  in_method(
      "        while x:\n            x.cuda()\n            x = 1\n        else:\n            x.xpu()\n");
  in_method("        match x:\n            case 1: x.cuda()\n            case _: pass\n");
  in_method("        match x:\n            case 1: pass\n        x.cuda()\n");
  in_method("        x = 1\n        @f\n        def g(): return x.cuda()\n        y.xpu()\n");
}

TEST(Excerpt, WhatTheParserDoesNotKnowIsInNoExcerpt) {
  in_method("        (a[0], c[0 + 1], self.x) = torch.cuda.f((d + 1, e))\n");
  in_method("        [a, (b + c)[0], *d] = x.cuda()\n");
  in_method("        return x.cuda(), *[y.cuda() for y in x]\n");
  in_method("        return x[*y].cuda()\n");
  in_method("        return (x.\n                cuda())\n");
}

TEST(Excerpt, PlacesAreThoseOfTheFile) {
  std::string source = "import os\n\n\ndef f(x):\n    y = 'é'\n    z = x.cuda()\n    return z\n";
  Excerpt excerpt = excerpt_of(source);
  std::uint32_t at = static_cast<std::uint32_t>(excerpt.text().find("x.cuda"));
  Span place = excerpt.place(at, at + 8);
  EXPECT_EQ(source.substr(place.begin, place.end - place.begin), "x.cuda()");
  Use use = same_facts(source).uses.at(0);
  EXPECT_EQ(use.line, 6);
  EXPECT_EQ(use.col, 11);
}

TEST(Excerpt, EndsOfFunctionsStayWhereTheyAre) {
  FileFacts facts = in_method(
      "        x.cuda()\n        y = [\n            1,\n        ]\n\n    def test_b(self):\n        pass\n");
  EXPECT_EQ(facts.classes[0].methods[0].end_line, 9);
  EXPECT_EQ(facts.classes[0].end_line, 12);
}

TEST(Excerpt, ReadsOfSilentLinesBelongToTheirFunction) {
  FileFacts facts = in_method(
      "        self.run(helper, device)\n        self.assertEqual(self.x, 1)\n        self.y = 1\n");
  EXPECT_EQ(method_of(facts).self_reads, (std::vector<std::string>{"run", "x"}));
  EXPECT_EQ(method_of(facts).names_read, std::vector<std::string>{"helper"});
  EXPECT_TRUE(method_of(facts).reads_device);
}

TEST(Excerpt, NamesThatAreBoundAreNotThoseOfTheModule) {
  for (const char* body :
       {"        helper = 1\n        helper()\n", "        for helper in x:\n            helper()\n",
        "        with x as helper:\n            helper()\n",
        "        y = [helper for helper in x]\n        helper()\n",
        "        def inner(helper):\n            return helper()\n        helper()\n",
        "        f = lambda helper: helper\n        helper()\n",
        "        if (helper := x):\n            helper()\n", "        class helper: pass\n        helper()\n",
        "        global helper\n        helper()\n"})
    in_method(body);
  same_facts("def helper(): pass\ndef f(helper):\n    helper()\ndef g():\n    helper()\n");
}

TEST(Excerpt, TheDeviceOfATest) {
  for (const char* body : {"        x.to(device=device)\n", "        print(f'{device=}')\n",
                           "        x = [device for device in y]\n        z = 'cuda'\n",
                           "        device = 'cuda'\n        x.to(device)\n",
                           "        if device == 'cuda':\n            return\n        x = 1\n",
                           "        self.device = device\n        y = 'cuda'\n",
                           "        if kwargs['device'] == 'a':\n            pass\n", "        locals()\n",
                           "        self.x = 1\n        y = 'cuda'\n"})
    in_method(body);
}

TEST(Excerpt, ADefinitionNamedAsTheDevice) {
  same_facts(
      "def device(): pass\nclass TestA:\n    def test_a(self):\n        for device in self.x:\n            y "
      "= 1\n        device\n");
}

TEST(Excerpt, AssignmentsToMembersBindNoName) {
  FileFacts facts = in_method("        self.x = 1\n        y = 'cuda'\n");
  EXPECT_TRUE(facts.uses.at(0).sees_device);
}

TEST(Excerpt, MembersOfWhatIsSpread) {
  FileFacts facts = in_method("        return [*self.items, *self.more()]\n");
  EXPECT_EQ(method_of(facts).self_reads, (std::vector<std::string>{"items", "more"}));
  in_method("        x = [*self.items]\n        x.cuda()\n");
}

TEST(Excerpt, WhatLooksLikeATypeAlias) {
  FileFacts facts = in_method("        self.s = 1\n        type(self).k = self.s\n");
  EXPECT_EQ(method_of(facts).self_reads, (std::vector<std::string>{"s", "self"}));
  in_method("        type(self.a).b = helper('cuda')\n        helper()\n");
  in_method("        type helper = self.x\n        helper()\n");
}

TEST(Excerpt, Stubs) {
  for (const char* body : {"        pass\n", "        '''Text.'''\n", "        raise NotImplementedError\n",
                           "        ...\n", "        return\n", "        f'{x}'\n"})
    EXPECT_TRUE(method_of(in_method(body)).is_stub) << body;
  for (const char* body :
       {"        x = 1\n        pass\n", "        return 1\n", "        import os\n        raise x\n",
        "        x.cuda()\n        pass\n", "        y = 1\n        self.skipTest('x')\n"})
    EXPECT_FALSE(method_of(in_method(body)).is_stub) << body;
}

TEST(Excerpt, WhatLeavesTheScope) {
  for (const char* body :
       {"        if not TEST_CUDA:\n            x = 1\n            return\n        y = 'cuda'\n",
        "        if TEST_CUDA:\n            return\n            x = 1\n        y = 'cuda'\n",
        "        if device == 'cpu':\n            raise ValueError('long')\n        else:\n            x = "
        "1\n        y = 'cuda'\n",
        "        if x:\n            return 1\n        y = 'cuda'\n"})
    in_method(body);
}

TEST(Excerpt, ModuleLevelNames) {
  for (const char* source :
       {"DEVICES = ('cuda', 'xpu')\nDEVICES = 3\ninstantiate_device_type_tests(A, globals(), "
        "only_for=DEVICES)\n",
        "x = f()\nx = 'cuda'\n", "x = 'cuda'\nx += 1\n", "device = 'cuda'\ndef f():\n    x.to(device)\n",
        "import torch.testing._internal.common_cuda as c\nflags = c\ndef f():\n    return flags.TEST_CUDA\n",
        "import torch\ncuda = torch.cuda\nc = cuda\ndef f():\n    c.synchronize()\n",
        "made = type('A', (B,), {})\n", "globals().update(make())\n", "x: str = 'cuda'\n", "a = b = 'cuda'\n",
        "class A: pass\ndel A\n",
        "for c in (A, B):\n    for c in [C]:\n        pass\n    instantiate_device_type_tests(c, "
        "globals())\n",
        "if __main__ == '__name__':\n    class A: pass\n",
        "if __name__ == '__main__':\n    if TEST_CUDA:\n        run_tests()\n"})
    same_facts(source);
}

TEST(Excerpt, Imports) {
  for (const char* source :
       {"import a, b.c as d, e.f\n", "from . import a as b, c\n", "from .. x import (a,\n  b as c,)\n",
        "from a import *\n", "from __future__ import annotations\n", "if x: import a; from b import c\n",
        "def f(): import a\n", "def f():\n    from a import b\nclass C:\n    import d\n",
        "try:\n    import a\nexcept ImportError:\n    import b as a\n", "import \\\n  a\n", "import a . b\n"})
    same_facts(source);
}

TEST(Excerpt, Headers) {
  for (const char* header :
       {"def test_a(self, a, /, b, *, c=1, **k):",
        "async def test_a(self, *args: int, d: str = 'x') -> None:",
        "def test_a(self, a=lambda x, y: x, b=(1, 2)):", "def test_a(self, a='cuda'):",
        "def test_a[T](self, a: T):", "@dtypes(torch.float, torch.half)\n    def test_a(self):",
        "@onlyCUDA\n    def test_a(self):", "@skipIf(not TEST_CUDA, 'x')\n    def test_a(self):",
        "@a . b (1)\n    def test_a(self):", "@torch.cuda.amp.autocast()\n    def test_a(self):",
        "@f(x['device'] == 'y')\n    def test_a(self, a=y['device'] == 'z'):",
        "@(f)(1)\n    def test_a(self):", "@f(1)(2)\n    def test_a(self):",
        "@f  # why\n    # and why\n    def test_a(self):"})
    for (const char* body : {"        pass\n", "        x.cuda()\n"})
      same_facts("class TestA:\n    hw_classification = X.GENERIC\n    " + std::string(header) + "\n" + body);
}

TEST(Excerpt, ClassesInFunctions) {
  in_method(
      "        class M(torch.nn.Module):\n            '''Text.'''\n            def __init__(self):\n         "
      "       self.a = 1\n"
      "            def forward(self, x):\n                return self.linear(helper(x))\n        "
      "M().cuda()\n");
  in_method(
      "        class M:\n            x = self.b\n            test_y = 1\n            def f(self, helper):\n  "
      "              helper()\n");
}

TEST(Excerpt, LabelsStayWhole) {
  for (const char* value : {"(HardwareClassification.GENERIC\n    )", "f(1, 2)", "'GENERIC'", "None", "X.Y"})
    same_facts("class TestA:\n    hw_classification = " + std::string(value) +
               "\n    test_x = (a.b)\n    def test_a(self): pass\ndef f():\n    TestA.hw_classification = (" +
               value + ")\n");
}

TEST(Excerpt, CallsThatReachAnAccelerator) {
  for (const char* call : {"torch.cuda.x()", "torch.rand(2).cuda()", "torch.xla.y()", "torch.accelerator.x()",
                           "torch.CUDA()", "torch.rand(1)"}) {
    FileFacts facts = same_facts("import torch\nclass TestA:\n    hw_classification = X.GENERIC\n    @f(" +
                                 std::string(call) + ")\n    def test_a(self):\n        x = " + call + "\n");
    bool reaches = std::string(call).find("rand(1)") == std::string::npos &&
                   std::string(call).find("CUDA") == std::string::npos;
    EXPECT_EQ(facts.torch_calls.size(), reaches ? 2u : 0u) << call;
  }
}

TEST(Excerpt, DocstringsAndBases) {
  for (const char* source : {"class A(b.c, metaclass=D):\n    ('Text.')\n    x = 1\n",
                             "class A(B[int], c()):\n    'Text.' f'{x}'\n", "class A:\n    'Text.'; x = 1\n",
                             "class A(*b, **c):\n    'Text.'()\n", "class A[T](B):\n    ('a', 'b')\n",
                             "class A(b . c,):\n    # why\n    @f\n    def g(self): pass\n    # and why\n\n# "
                             "not of it\nx = 'cuda'\n"})
    same_facts(source);
}

TEST(Excerpt, WhatSaysNothingInBrackets) {
  for (const char* body :
       {"        f(x + 1, y, 'cuda', key=z)\n",
        "        x[a:b, c.d(), 'cuda'] = {1: f(2, 3), 'device': 'cuda'}\n",
        "        f(a for a, b in c).to('cuda', d)\n", "        f(lambda a, b: (a, b), 'cuda')\n",
        "        f(*a, **b, c='cuda')\n", "        assert x == torch.device('cuda', 0)\n",
        "        if device in ('cuda', 'other', a.b):\n            pass\n",
        "        f((a + b) * c, (yield), 'cuda')\n", "        unittest.skipIf(a.b(c), 'cuda')\n",
        "        f(print(helper, self.x), (y := 'cuda'), self.z)\n",
        "        [self.a, helper(b), 'cuda'][c + d]\n", "        f(a, b)(c, 'cuda')(d, e)\n",
        "        f(f'{a, b}', x=f'cuda:{self.r}')\n"})
    in_method(body);
}

TEST(Excerpt, DefinitionsOnOneLineStayWhole) {
  in_method("        class Own(Exception, a.b): pass\n        x = 1\n");
  in_method("        def f(a, helper): return a.cuda()\n        helper()\n");
  in_method("        @f(a, b)\n        def g(c, d='cuda'): pass\n");
}

TEST(Excerpt, TextsThatATestExpects) {
  EXPECT_EQ(in_method("        self.assertExpectedInline(str(x), '''cuda:0''')\n").golden_texts.size(), 1u);
  EXPECT_EQ(in_method("        self.assertExpectedInline(str(x), '''none''')\n").golden_texts.size(), 0u);
}

TEST(Excerpt, BlocksOfEveryKind) {
  in_method(
      "        try:\n            x = 1\n        except* ValueError as e:\n            x.cuda()\n        "
      "else:\n            y = 2\n"
      "        finally:\n            z = 3\n");
  in_method(
      "        match device:\n            case 'cuda':\n                x = 1\n            case [*helper]:\n "
      "               helper()\n");
  in_method("        while x:\n            y = 1\n        else:\n            torch.cuda.synchronize()\n");
  in_method(
      "        with FakeTensorMode() as mode:\n            x = 1\n        with mode:\n            y = "
      "'cuda'\n");
  in_method(
      "        if 'cuda' in self._testMethodName:\n            x = 1\n        elif self.id() == 'x':\n       "
      "     y = 'cuda'\n");
  in_method("        if x: return self.y\n        elif z: pass\n        else: y = 'cuda'\n");
  in_method("        x = 1; y = self.z; w = 'cuda'\n");
}

TEST(Excerpt, FakeModesAmongOtherItems) {
  for (std::string with : {"self.mode, ctx()", "ctx(), self.mode", "self.mode ", "x, (self.mode)"}) {
    FileFacts facts = in_method("        self.mode = FakeTensorMode()\n        with " + with +
                                ":\n            x.to('cuda')\n");
    EXPECT_TRUE(facts.uses.at(0).faked) << with;
  }
  in_method("        m[0] = FakeTensorMode()\n        with m[0], x:\n            x.to('cuda')\n");
}

TEST(Excerpt, MembersOfWhatStandsInParentheses) {
  std::string labelled = "import torch\nclass TestA(TestCase):\n    hw_classification = X.GENERIC\n";
  std::string method = "    def test_a(self):\n        ";
  EXPECT_EQ(same_facts(labelled + method + "x = (torch.randn(9 + 9)).cuda()\n").torch_calls.size(), 1u);
  EXPECT_EQ(same_facts(labelled + method + "(torch._C)._cuda_releasePool(1)\n").torch_calls.size(), 1u);
}

TEST(Excerpt, AliasesOfModules) {
  std::string test = "class TestA(TestCase):\n    def test_a(self):\n        C._cuda_releasePool(1)\n";
  for (std::string alias : {"C = torch._C", "C: Any = torch._C", "a = 1; C = torch._C", "C = torch._C; a = 1",
                            "C = D = torch._C", "D = C = torch._C"})
    EXPECT_EQ(same_facts("import torch\n" + alias + "\n" + test).uses.size(), 1u) << alias;
}

TEST(Excerpt, AliasesOfWhatHoldsATextAgainstAnother) {
  std::string test =
      "class TestA(TestCase):\n    def test_a(self, device):\n        aei(str(x.y), \"device='cuda:0'\")\n";
  for (std::string alias :
       {"from m import assertExpectedInline as aei", "import m\naei = m.assertExpectedInline"})
    EXPECT_EQ(same_facts(alias + "\n" + test).golden_texts.size(), 1u) << alias;
}

TEST(Excerpt, NamesThatNoFunctionBinds) {
  std::string test = "class TestA(TestCase):\n    def test_a(self):\n        helper()\n";
  for (std::string bound :
       {"with open('f') as helper: pass", "print(helper := 3)", "try: pass\nexcept E as helper: pass"}) {
    FileFacts facts = same_facts("def helper(): pass\n" + bound + "\n" + test);
    EXPECT_EQ(method_of(facts).names_read, std::vector<std::string>{"helper"}) << bound;
  }
  same_facts("def helper(): pass\nclass TestB:\n    x = (helper := 3)\n" + test);
}

TEST(Excerpt, WhatADeviceIsComparedWith) {
  for (std::string value :
       {"((\"vulkan0\"))", "([\"foo\", \"bar\"])", "(torch.device(\"foo\"))", "(\"cuda\", f\"foo1\")"})
    EXPECT_EQ(in_method("        x = device in " + value + "\n").comparisons.size(), 1u) << value;
}

TEST(Excerpt, AKeywordBeforeAStarKeepsItsPlace) {
  in_method("        unittest.skipIf(reason='abc', *(TEST_CUDA,))(lambda: 0)\n");
}

TEST(Excerpt, TextsThatAreCode) {
  EXPECT_TRUE(method_of(in_method("        f'{device=}'\n")).reads_device);
  EXPECT_EQ(method_of(in_method("        f'{self.x}'\n")).self_reads, std::vector<std::string>{"x"});
  EXPECT_FALSE(method_of(in_method("        'a',\n")).is_stub);
  EXPECT_TRUE(method_of(in_method("        'a'\n")).is_stub);
}

TEST(Excerpt, CommentsAndLineEndsWithinStatements) {
  FileFacts facts = same_facts("class Model(torch.nn  # cuda\n            .Module):\n    x = 1\n");
  EXPECT_EQ(facts.classes.at(0).bases.at(0).name, "torch.nn.Module");
  FileFacts method = in_method("        x = f(a **\n3)\n        self.x.cuda()\n");
  EXPECT_EQ(method_of(method).end_line, 8);
  EXPECT_EQ(method.uses.size(), 1u);
}

TEST(Excerpt, AnAnnotationWithALambda) {
  EXPECT_FALSE(
      same_facts("def f(self, x: lambda a=1: a):\n    y = 1\n").functions.at(0).params.at(1).has_default);
}

TEST(Excerpt, StarsApartFromTheirNames) {
  FileFacts facts = same_facts("def f(*  # all\n  a, x='cuda', **\n  b): pass\n");
  EXPECT_EQ(facts.functions.at(0).params.at(0).name, "a");
  EXPECT_EQ(facts.functions.at(0).params.at(2).name, "b");
}

TEST(Excerpt, AClassThatIsNamedAsTheDevices) {
  FileFacts facts = same_facts("class devices(TestCase):\n    def test_a(self):\n        devices.f(self)\n");
  EXPECT_FALSE(method_of(facts).reads_device);
  same_facts("class A:\n    class B:\n        def f(self, B):\n            B.x = y\n");
}

TEST(Excerpt, ItemsOfTypeAreNoAlias) {
  EXPECT_EQ(method_of(in_method("        type[x] = self.baz\n")).self_reads, std::vector<std::string>{"baz"});
  for (std::string broken : {"type = = 1\n", "type X[ = 1\n", "type  = \n", "type\n= 1\n", "type * = 1\n"})
    EXPECT_FALSE(facts_of(broken, Reading::excerpt).parse.ok) << broken;
}

}  // namespace
}  // namespace hwsift::analyzer
