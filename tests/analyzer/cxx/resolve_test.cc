// Files on disk with small headers of their own, read by the compiler.
#include "analyzer/cxx/resolve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "analyzer/cxx/lex.h"
#include "base/json.h"
#include "tests/temporary_folder.h"

namespace hwsift::analyzer::cxx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kTorch[] = R"(
#pragma once
#include <stddef.h>
namespace c10 {
enum class DeviceType : signed char { CPU, CUDA };
constexpr DeviceType kCUDA = DeviceType::CUDA;
inline namespace v1 { struct Device { Device(DeviceType); }; }
}
namespace at {
using c10::Device;
using c10::kCUDA;
struct TensorBase { bool is_cuda() const; };
struct Tensor : TensorBase { Tensor cuda() const; template <class T> T item() const; };
Tensor ones(size_t);
Tensor ones(size_t, Device);
namespace cuda { bool is_available(); }
}
namespace torch { using namespace at; }
)";

constexpr char kGtest[] = R"(
#pragma once
namespace testing {
struct Test { virtual ~Test(); };
struct TestInfo;
namespace internal { TestInfo* MakeAndRegisterTestInfo(const char*, const char*, void*); }
}
#define TEST(a, b)                                                                              \
  struct a##_##b##_Test : testing::Test { void TestBody(); static testing::TestInfo* info; };   \
  testing::TestInfo* a##_##b##_Test::info = testing::internal::MakeAndRegisterTestInfo(#a, #b, nullptr); \
  void a##_##b##_Test::TestBody()
#define HOST_TEST(a, b) TEST(a##Host, b)
#define EACH(_) _(One) _(Two)
#define EXPECT_TRUE(x) if (!(x)) return
)";

class CxxResolve : public TemporaryFolder {
 protected:
  void SetUp() override {
    write("torch.h", kTorch);
    write("gtest.h", kGtest);
    command_ = {"g++", "-std=c++17", "-fno-such-flag-of-clang", "-Werror=all", "-c", "x.cpp", "-o", "x.o"};
  }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
  }

  LexedFile resolve_text(const std::string& text) {
    write("x.cpp", text);
    Json command = {{"directory", folder_}, {"file", "x.cpp"}, {"arguments", command_}};
    write("compile_commands.json", dump_json(Json::array({command}), -1));
    LexedFile file = lex(text, {});
    Result<CompileCommands> commands = CompileCommands::load(folder_);
    EXPECT_TRUE(commands.ok());
    resolve(folder_ + "/x.cpp", text, *commands, file);
    return file;
  }

  // Of the tokens with this text, the names that they have.
  std::vector<std::string> names_of(const std::string& word, const std::string& text) {
    LexedFile file = resolve_text("#include \"torch.h\"\n#include \"gtest.h\"\n" + text);
    EXPECT_THAT(file.notes, IsEmpty());
    EXPECT_EQ(file.origin, Origin::full);
    std::vector<std::string> names;
    for (const Token& token : file.tokens)
      if (token.text == word && !token.resolved.empty()) names.push_back(token.resolved);
    return names;
  }

  std::vector<std::string> command_;
};

TEST_F(CxxResolve, UsingDeclarationsDirectivesAndAliases) {
  EXPECT_THAT(names_of("is_available", "using namespace at::cuda; bool f() { return is_available(); }"),
              ElementsAre("at.cuda.is_available"));
  EXPECT_THAT(names_of("is_available", "using at::cuda::is_available; bool f() { return is_available(); }"),
              ElementsAre("at.cuda.is_available"));
  EXPECT_THAT(names_of("is_available", "namespace ac = at::cuda; bool f() { return ac::is_available(); }"),
              ElementsAre("at.cuda.is_available"));
  EXPECT_THAT(names_of("kCUDA", "torch::Device d(torch::kCUDA);"), ElementsAre("c10.kCUDA"));
  EXPECT_THAT(names_of("CUDA", "auto d = c10::DeviceType::CUDA;"), ElementsAre("c10.DeviceType.CUDA"));
}

TEST_F(CxxResolve, Types) {
  EXPECT_THAT(names_of("Device", "torch::Device d(at::kCUDA);"), ElementsAre("c10.Device"));
  EXPECT_THAT(names_of("Dev", "using Dev = at::Device; Dev d(at::kCUDA);"), ElementsAre("c10.Device"));
  EXPECT_THAT(names_of("Int", "using Int = int; Int i;"), ElementsAre("Int"));
}

TEST_F(CxxResolve, MembersHaveTheClassThatDeclaresThem) {
  EXPECT_THAT(names_of("cuda", "void f(at::Tensor* x) { x->cuda(); }"), ElementsAre("at.Tensor.cuda"));
  EXPECT_THAT(names_of("is_cuda", "bool f(at::Tensor x) { return x.cuda().is_cuda(); }"),
              ElementsAre("at.TensorBase.is_cuda"));
  EXPECT_THAT(names_of("cuda", "namespace { struct Mine { void cuda(); }; }\nvoid f(Mine x) { x.cuda(); }"),
              ElementsAre("Mine.cuda"));
  EXPECT_THAT(names_of("item", "int f(at::Tensor x) { return x.item<int>(); }"),
              ElementsAre("at.Tensor.item"));
}

TEST_F(CxxResolve, LocalsAreThemselves) {
  EXPECT_THAT(names_of("device", "void f(at::Device device) { at::ones(1, device); }"),
              ElementsAre("device"));
}

TEST_F(CxxResolve, TemplatesAsFarAsTheyAreKnown) {
  EXPECT_THAT(names_of("kCUDA", "template <class T> void f(T x) { x.to(at::kCUDA); }"),
              ElementsAre("c10.kCUDA"));
  EXPECT_THAT(names_of("ones", "template <class T> void f(T x) { at::ones(x); }"), ElementsAre("at.ones"));
  EXPECT_THAT(names_of("cuda", "template <class T> void f(T x) { x.cuda(); }"), IsEmpty());
}

TEST_F(CxxResolve, ArgumentsOfMacros) {
  EXPECT_THAT(names_of("is_cuda", "void f(at::Tensor x) {\n  EXPECT_TRUE(x.is_cuda()); }"),
              ElementsAre("at.TensorBase.is_cuda"));
  EXPECT_THAT(names_of("cuda", "#define MOVE(x) x.cuda()\nvoid f(at::Tensor y) { MOVE(y); }"),
              ElementsAre("at.Tensor.cuda"));
  EXPECT_THAT(names_of("y", "#define MOVE(x) x.cuda()\nvoid f(at::Tensor y) { MOVE(y); }"), ElementsAre("y"));
}

TEST_F(CxxResolve, AWordThatMeansTwoThingsAtOnePlaceHasNoName) {
  EXPECT_THAT(names_of("cuda",
                       "struct A { void cuda(); };\n#define BOTH x.cuda(); y.cuda();\n"
                       "void f(at::Tensor x, A y) { BOTH }"),
              IsEmpty());
}

TEST_F(CxxResolve, ABranchThatTheBuildLeavesOutStaysAsItIsWritten) {
  LexedFile file = resolve_text(
      "#include \"torch.h\"\n#ifdef USE_CUDA\nvoid f(at::Tensor x) { x.cuda(); }\n#else\n"
      "void f(at::Tensor x) { x.is_cuda(); }\n#endif\n");
  ASSERT_EQ(file.origin, Origin::full);
  for (const Token& token : file.tokens) {
    EXPECT_TRUE(!token.is("cuda") || token.resolved.empty());
    EXPECT_TRUE(!token.is("is_cuda") || token.resolved == "at.TensorBase.is_cuda");
  }
}

TEST_F(CxxResolve, TestsThatMacrosOfHeadersMake) {
  LexedFile file = resolve_text(
      "#include \"gtest.h\"\nTEST(A, Plain) {}\nHOST_TEST(B, One) {\n}\n#define MAKE(n) HOST_TEST(C, n) {}\n"
      "  EACH(MAKE)\n");
  ASSERT_THAT(file.made_tests, SizeIs(4));
  EXPECT_EQ(file.made_tests[0].suite, "A");
  EXPECT_EQ(file.made_tests[1].suite, "BHost");
  EXPECT_EQ(file.made_tests[1].name, "One");
  EXPECT_EQ(file.made_tests[1].line, 3);
  EXPECT_EQ(file.made_tests[3].name, "Two");
  EXPECT_EQ(file.made_tests[3].line, 6);
  EXPECT_EQ(file.made_tests[3].col, 3);
}

TEST_F(CxxResolve, EachMacroOfGoogleTestItself) {
  write("real.h",
        "#include <gtest/gtest.h>\n#define T1 TEST\n#define T2 TEST_F\n#define T3 TEST_P\n"
        "#define T4 TYPED_TEST\n#define T5 TYPED_TEST_P\n");
  LexedFile file = resolve_text(
      "#include \"real.h\"\nT1(A, One) {}\nstruct F : testing::Test {};\nT2(F, Two) {}\n"
      "struct P : testing::TestWithParam<int> {};\nT3(P, Three) {}\n"
      "template <class T> struct Y : testing::Test {};\nusing Types = testing::Types<int, char>;\n"
      "TYPED_TEST_SUITE(Y, Types);\nT4(Y, Four) {}\nTYPED_TEST_SUITE_P(Y);\nT5(Y, Five) {}\n");
  if (file.origin == Origin::fast) GTEST_SKIP() << file.notes.front();
  std::vector<std::string> made;
  for (const MadeTest& test : file.made_tests)
    made.push_back(test.suite + "." + test.name + (test.expands ? " expands" : ""));
  EXPECT_THAT(made, ElementsAre("A.One", "F.Two", "P.Three expands", "Y.Four expands", "Y.Five expands"));
}

TEST_F(CxxResolve, ColumnsCountCodePoints) {
  EXPECT_THAT(names_of("is_cuda", "bool f(at::Tensor x) { return /* \xc3\xa9\xc3\xa9 */ x.is_cuda(); }"),
              ElementsAre("at.TensorBase.is_cuda"));
}

TEST_F(CxxResolve, WhatCannotBeCompiledIsReadAsItIsWritten) {
  for (const char* text : {"#include <no/such/header.h>\n", "int f() { return g(); }\n", "int f( {"}) {
    LexedFile file = resolve_text(text);
    EXPECT_EQ(file.origin, Origin::fast);
    ASSERT_THAT(file.notes, SizeIs(1));
    EXPECT_THAT(file.notes[0], HasSubstr("x.cpp:1: ")) << text;
    EXPECT_FALSE(file.tokens.empty() && std::string(text).find("int") == 0);
  }
}

TEST_F(CxxResolve, WithoutACommandThatClangUnderstands) {
  command_ = {"/usr/local/cuda/bin/nvcc", "-c", "x.cpp"};
  EXPECT_THAT(resolve_text("int a;\n").notes,
              ElementsAre("read without headers: its compile command is for nvcc"));
  command_ = {"ccache", "c++", "-c", "x.cpp"};
  EXPECT_THAT(resolve_text("int a;\n").notes, IsEmpty());
  LexedFile file;
  resolve("/no/such/file.cpp", "", *CompileCommands::load(folder_), file);
  EXPECT_THAT(file.notes, ElementsAre("read without headers: no compile command names it"));
}

TEST_F(CxxResolve, FlagsOfOtherCompilersAndWarningsAreNoErrors) {
  command_ = {"g++",
              "-fabi-version=11",
              "-fno-gnu-unique",
              "-Wno-stringop-overflow",
              "-Werror",
              "-pedantic-errors",
              "-MD",
              "-MF",
              "x.d",
              "-fmodule-mapper=x.modmap",
              "-O3",
              "-march=x86-64",
              "-DX=\"a b\"",
              "-c",
              "x.cpp",
              "-o",
              "x.o"};
  EXPECT_THAT(resolve_text("int f() { int unused; }\nconst char* s = X; int a[] = {1.5};").notes, IsEmpty());
}

TEST_F(CxxResolve, EachLevelOfOptimization) {
  for (const char* level : {"-O", "-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-Oz", "-Ofast"}) {
    command_ = {"g++", level, "-c", "x.cpp"};
    EXPECT_THAT(resolve_text("int a;\n").notes, IsEmpty()) << level;
  }
}

TEST_F(CxxResolve, DefinitionsAndHeadersOfTheCommandStay) {
  std::filesystem::create_directories(folder_ + "/include");
  write("include/found.h", "inline int found() { return GIVEN; }\n");
  write("before.h", "inline int before() { return 1; }\n");
  write("pch.h", "inline int precompiled() { return 1; }\n");
  command_ = {"clang++", "-DGIVEN=1", "-Iinclude",   "-include", "before.h", "-Xclang", "-include-pch",
              "-Xclang", "pch.pch",   "-Xclang",     "-include", "-Xclang",  "pch.h",   "-O2",
              "-c",      "x.cpp",     "/lib/none.o", "-o",       "x"};
  EXPECT_THAT(
      resolve_text("#include \"found.h\"\nint a() { return found() + before() + precompiled(); }\n").notes,
      IsEmpty());
}

TEST_F(CxxResolve, NothingIsWritten) {
  command_ = {"clang++",
              "-O2",
              "-c",
              "x.cpp",
              "-o",
              "out/x.o",
              "-MD",
              "-MF",
              "out/x.d",
              "-MT",
              "x.o",
              "-MJ",
              "out/x.json",
              "-MJout/y.json",
              "-Wp,-MMD,out/w.d",
              "--serialize-diagnostics",
              "out/x.dia",
              "-save-stats",
              "-save-stats=obj",
              "-save-temps",
              "-save-temps=obj",
              "-dependency-dot",
              "out/x.dot",
              "-Xclang",
              "-diagnostic-log-file",
              "-Xclang",
              "out/x.log",
              "-Xclang",
              "-stats-file=out/x.stats",
              "-Xclang",
              "-load",
              "-Xclang",
              "/no/plugin.so",
              "-fcrash-diagnostics-dir=out",
              "-ftime-trace",
              "-ftime-trace=out/t.json",
              "-ftime-report",
              "-fplugin=/no/plugin.so",
              "-fsave-optimization-record",
              "--coverage",
              "-fstack-usage",
              "-fmodules",
              "-fmodules-cache-path=out/cache",
              "-gsplit-dwarf",
              "-emit-llvm",
              "-Xpreprocessor",
              "-MF",
              "-Xpreprocessor",
              "out/p.d"};
  std::filesystem::create_directories(folder_ + "/out");
  EXPECT_THAT(resolve_text("#include \"torch.h\"\nint a;\n").notes, IsEmpty());
  EXPECT_TRUE(std::filesystem::is_empty(folder_ + "/out"));
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    names.push_back(entry.path().filename().string());
  EXPECT_THAT(names,
              testing::UnorderedElementsAre("compile_commands.json", "gtest.h", "out", "torch.h", "x.cpp"));
}

TEST(CxxCompileCommands, AFileThatIsNoneIsAnError) {
  Result<CompileCommands> commands = CompileCommands::load("/no/such/folder");
  ASSERT_FALSE(commands.ok());
  EXPECT_THAT(commands.error().hint, HasSubstr("CMAKE_EXPORT_COMPILE_COMMANDS"));
}

}  // namespace
}  // namespace hwsift::analyzer::cxx
