// With the real helper program.
#include "analyzer/cxx/scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/json.h"
#include "tests/temporary_folder.h"

namespace hwsift::analyzer::cxx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class CxxScan : public TemporaryFolder {
 protected:
  void SetUp() override {
    words_.test_macros = {{"TEST", TestMacro::Kind::plain, false}};
    options_.helper = HWSIFT_CXX;
  }

  void write(const std::string& name, const std::string& text) {
    std::string file = folder_ + "/" + name;
    std::ofstream(file, std::ios::binary) << text;
    files_.push_back({"test/" + name, file, file});
  }

  std::vector<FileFacts> run() {
    std::unique_ptr<Processes> processes = real_processes();
    return scan(*processes, files_, words_, options_).files;
  }

  std::vector<SourcePath> files_;
  CxxLexicon words_;
  CxxScanOptions options_;
};

TEST_F(CxxScan, FilesInTheirOrder) {
  write("b.cpp", "TEST(B, One) {}\n");
  write("a with space.cu", "TEST(A, One) {}\nTEST(A, Two) {}\n");
  std::vector<FileFacts> facts = run();
  ASSERT_THAT(facts, SizeIs(2));
  EXPECT_EQ(facts[0].path, "test/b.cpp");
  EXPECT_THAT(facts[1].classes.at(0).methods, SizeIs(2));
  EXPECT_TRUE(facts[1].parse.ok);
}

TEST_F(CxxScan, AnyNumberOfHelpersGivesTheSame) {
  for (int i = 0; i < 50; ++i) {
    std::string number = std::to_string(i);
    write(number + ".cpp", "TEST(S" + number + ", One) {}\n");
  }
  std::filesystem::remove(files_[7].absolute);
  for (int jobs : {0, 1, 3, 100}) {
    options_.jobs = jobs;
    std::vector<FileFacts> facts = run();
    ASSERT_THAT(facts, SizeIs(50));
    for (std::size_t i = 0; i < 50; ++i) {
      EXPECT_EQ(facts[i].path, files_[i].path);
      EXPECT_THAT(facts[i].classes, SizeIs(i == 7 ? 0 : 1)) << files_[i].path;
    }
  }
}

TEST_F(CxxScan, AFileThatTakesTooLongCostsItselfAlone) {
  write("a.cpp", "TEST(A, One) {}\n");
  std::string bomb = "#define A0(x) x x x x\n";
  for (int i = 1; i < 30; ++i) {
    std::string before = "A" + std::to_string(i - 1) + "(x)";
    bomb += "#define A" + std::to_string(i) + "(x) " + before + " " + before + " " + before + "\n";
  }
  write("bomb.cpp", bomb + "int f(A29());\n");
  write("c.cpp", "TEST(C, One) {}\n");
  options_.seconds = 2;
  for (int jobs : {1, 2}) {
    options_.jobs = jobs;
    std::vector<FileFacts> facts = run();
    ASSERT_THAT(facts, SizeIs(3));
    EXPECT_THAT(facts[0].classes, SizeIs(1));
    EXPECT_FALSE(facts[1].parse.ok);
    EXPECT_THAT(facts[2].classes, SizeIs(1));
  }
}

TEST_F(CxxScan, MemoryIsLimited) {
  write("a.cpp", "#define A x x x x x x x x\nTEST(A, One) {}\n" + std::string(20u << 20, 'x'));
  write("c.cpp", "TEST(C, One) {}\n");
  options_.megabytes = 400;
  std::vector<FileFacts> facts = run();
  ASSERT_THAT(facts, SizeIs(2));
  EXPECT_THAT(facts[1].classes, SizeIs(1));
}

TEST_F(CxxScan, AFileThatIsGone) {
  write("a.cpp", "TEST(A, One) {}\n");
  std::filesystem::remove(files_[0].absolute);
  EXPECT_FALSE(run().at(0).parse.ok);
}

TEST_F(CxxScan, WithoutTheHelperItIsSaid) {
  write("a.cpp", "TEST(A, One) {}\n");
  options_.helper = "";
  EXPECT_THAT(run().at(0).parse.errors.at(0).message, HasSubstr("hwsift-cxx, which is not installed"));
  options_.helper = "/no/such/program";
  EXPECT_FALSE(run().at(0).parse.read);
  options_.helper = "/bin/false";
  EXPECT_THAT(run().at(0).parse.errors.at(0).message, HasSubstr("exit code 1"));
  options_.helper = "/bin/echo";
  EXPECT_THAT(run().at(0).parse.errors.at(0).message, HasSubstr("does not understand"));
}

// With compile_commands.json: a.cpp, what a test adds, and z.cpp, which are all well but for that.
class CxxFullScan : public CxxScan {
 protected:
  std::vector<FileFacts> run_with(const std::string& name, const std::string& text) {
    write("a.cpp", "namespace at { bool hasCUDA(); }\nusing namespace at;\nbool f() { return hasCUDA(); }\n");
    write(name, text);
    write("z.cpp", "int z;\n");
    Json commands = Json::array();
    for (const SourcePath& file : files_)
      commands.push_back({{"directory", folder_},
                          {"file", file.absolute},
                          {"arguments", {"c++", "-std=c++17", "-c", file.absolute}}});
    std::ofstream(folder_ + "/compile_commands.json") << dump_json(commands, -1);
    words_.names = {{"hasCUDA", {UseKind::flag, {"cuda"}}}};
    options_.compile_commands = folder_;
    std::vector<FileFacts> facts = run();
    EXPECT_THAT(facts, SizeIs(3));
    for (const FileFacts& one : {facts.at(0), facts.at(2)}) {
      EXPECT_EQ(one.origin, Origin::full) << one.path;
      EXPECT_THAT(one.parse.notes, IsEmpty());
    }
    return facts;
  }
};

TEST_F(CxxFullScan, UsesHaveTheNamesThatTheCompilerKnows) {
  FileFacts facts = run_with("b.cpp", "bool g() { return hasCUDA; }\n").at(0);
  ASSERT_THAT(facts.uses, SizeIs(1));
  EXPECT_EQ(facts.uses[0].symbol, "at.hasCUDA");
  EXPECT_EQ(facts.uses[0].origin, Origin::full);
}

TEST_F(CxxFullScan, AFileThatCannotBeCompiledIsReadAsItIsWritten) {
  FileFacts facts = run_with("b.cpp", "#include \"nowhere.h\"\nbool g() { return hasCUDA; }\n").at(1);
  EXPECT_TRUE(facts.parse.ok);
  EXPECT_EQ(facts.origin, Origin::fast);
  EXPECT_THAT(facts.parse.notes, ElementsAre("read without headers: b.cpp:1: 'nowhere.h' file not found"));
  ASSERT_THAT(facts.uses, SizeIs(1));
  EXPECT_EQ(facts.uses[0].origin, Origin::fast);
}

TEST_F(CxxFullScan, ACrashOfTheCompilerCostsTheNamesOfThatFileAlone) {
  for (int jobs : {1, 3}) {
    files_.clear();
    options_.jobs = jobs;
    FileFacts facts = run_with("b.cpp", "#pragma clang __debug crash\nTEST(A, B) {}\n").at(1);
    EXPECT_TRUE(facts.parse.ok);
    EXPECT_EQ(facts.origin, Origin::fast);
    EXPECT_THAT(facts.classes, SizeIs(1));
    EXPECT_THAT(facts.parse.notes, ElementsAre(HasSubstr("read without headers: hwsift-cxx ended with SIG")));
  }
}

TEST_F(CxxFullScan, SoDoesAFileThatTakesTooLong) {
  options_.full_seconds = 2;
  FileFacts facts =
      run_with("b.cpp",
               "template <int N, long M> struct F { static constexpr long v = F<N - 1, 2 * M>::v + "
               "F<N - 1, 2 * M + 1>::v; };\n"
               "template <long M> struct F<0, M> { static constexpr long v = 1; };\n"
               "static_assert(F<40, 0>::v > 0);\nTEST(A, B) {}\n")
          .at(1);
  EXPECT_EQ(facts.origin, Origin::fast);
  EXPECT_THAT(facts.classes, SizeIs(1));
  EXPECT_THAT(facts.parse.notes, ElementsAre("read without headers: takes longer than 2 s to read"));
}

TEST_F(CxxFullScan, CompileCommandsThatAreNotThereAreAnError) {
  write("a.cpp", "TEST(A, One) {}\n");
  options_.compile_commands = folder_ + "/nowhere.json";
  FileFacts facts = run().at(0);
  EXPECT_FALSE(facts.parse.read);
  EXPECT_THAT(facts.parse.errors.at(0).message, HasSubstr("cannot be read as compile commands"));
}

TEST(CxxFiles, AreToldByTheirNames) {
  for (const char* name : {"a.cpp", "a.cc", "a.cxx", "a.cu", "a.mm", "a.h", "a.cuh"})
    EXPECT_TRUE(is_cxx_file(name)) << name;
  for (const char* name : {"a.py", "cpp", "h", "a.cpp.in"}) EXPECT_FALSE(is_cxx_file(name)) << name;
}

}  // namespace
}  // namespace hwsift::analyzer::cxx
