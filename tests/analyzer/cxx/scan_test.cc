// With the real helper program.
#include "analyzer/cxx/scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace hwsift::analyzer::cxx {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class CxxScan : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "hwsift-cxx-scan";
    std::filesystem::create_directories(folder_);
    words_.test_macros = {{"TEST", TestMacro::Kind::plain, false}};
    options_.helper = HWSIFT_CXX;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::string file = folder_ + "/" + name;
    std::ofstream(file, std::ios::binary) << text;
    files_.push_back({"test/" + name, file, file});
  }

  std::vector<FileFacts> run() {
    std::unique_ptr<Processes> processes = real_processes();
    return scan(*processes, files_, words_, options_);
  }

  std::string folder_;
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

TEST(CxxFiles, AreToldByTheirNames) {
  for (const char* name : {"a.cpp", "a.cc", "a.cxx", "a.cu", "a.mm"}) EXPECT_TRUE(is_cxx_file(name)) << name;
  for (const char* name : {"a.py", "a.h", "cpp", "a.cpp.in"}) EXPECT_FALSE(is_cxx_file(name)) << name;
}

}  // namespace
}  // namespace hwsift::analyzer::cxx
