#include "analyzer/discover.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/fake_disk.h"

namespace hwsift::analyzer {
namespace {

std::vector<std::string> paths(const Discovery& discovery) {
  std::vector<std::string> names;
  for (const SourcePath& file : discovery.files) names.push_back(file.path);
  return names;
}

FakeDisk sample() {
  FakeDisk disk;
  for (const char* path :
       {"/tree/test/test_b.py", "/tree/test/nn/test_a.py", "/tree/test/notes.txt",
        "/tree/test/.hidden/test_c.py", "/tree/test/__pycache__/test_d.py", "/tree/tools/t.py"})
    disk.files[path] = "";
  return disk;
}

TEST(Discover, DefaultIsThePythonFilesUnderTestSorted) {
  FakeDisk disk = sample();
  Result<Discovery> found = discover(disk, "/tree", "/tree", {});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(paths(*found), (std::vector<std::string>{"test/nn/test_a.py", "test/test_b.py"}));
}

TEST(Discover, NamedPathsAreSeenFromTheWorkingFolderThenFromTheTree) {
  FakeDisk disk = sample();
  Result<Discovery> found = discover(disk, "/tree", "/tree/test", {"test_b.py", "test/nn", "tools/t.py"});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(paths(*found), (std::vector<std::string>{"test/nn/test_a.py", "test/test_b.py", "tools/t.py"}));
  EXPECT_TRUE(found->missing.empty());
}

TEST(Discover, AMissingPathIsNamedAsItWasGivenAndTheOthersAreDone) {
  FakeDisk disk = sample();
  Result<Discovery> found = discover(disk, "/tree", "/tree", {"test/test_b.py", "gone.py"});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(paths(*found), std::vector<std::string>{"test/test_b.py"});
  ASSERT_EQ(found->missing.size(), 1u);
  EXPECT_EQ(found->missing[0].where, "gone.py");
}

TEST(Discover, AFileNamedTwiceIsReadOnce) {
  FakeDisk disk = sample();
  Result<Discovery> found =
      discover(disk, "/tree", "/tree", {"test/test_b.py", "/tree/test/test_b.py", "test"});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->files.size(), 2u);
}

TEST(Discover, AListOfPathsIsExpanded) {
  FakeDisk disk = sample();
  disk.files["/tmp/list"] = "/tree/test/test_b.py\r\n\n/tree/test/nn/test_a.py";
  Result<Discovery> found = discover(disk, "/tree", "/tree", {"@/tmp/list"});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->files.size(), 2u);
  EXPECT_EQ(found->files[1].given, "/tree/test/test_b.py");
  EXPECT_FALSE(discover(disk, "/tree", "/tree", {"@/tmp/gone"}).ok());
}

TEST(Discover, AnEmptyListIsNoFilesNotAllFiles) {
  FakeDisk disk = sample();
  disk.files["/tmp/list"] = "\n";
  Result<Discovery> found = discover(disk, "/tree", "/tree", {"@/tmp/list"});
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found->files.empty());
}

TEST(FindTree, IsTheNearestFolderUpwardWithATestFolder) {
  FakeDisk disk = sample();
  EXPECT_EQ(find_tree(disk, "/tree/tools").value(), "/tree");
  EXPECT_EQ(find_tree(disk, "/tree/test/nn").value(), "/tree");
  EXPECT_FALSE(find_tree(disk, "/gone").ok());
  EXPECT_FALSE(find_tree(disk, "/tree/tools/t.py").ok());
}

TEST(Discover, CirclesOfLinksEndAndNoFileIsFoundTwice) {
  std::string pattern = testing::TempDir() + "hwsift-links-XXXXXX";
  std::filesystem::path tree = mkdtemp(pattern.data());
  std::filesystem::create_directories(tree / "test/z");
  ASSERT_TRUE(real_disk().write((tree / "test/z/test_a.py").string(), "").ok());
  std::filesystem::create_symlink(tree / "test", tree / "test/z/up");
  std::filesystem::create_symlink("z", tree / "test/a_link");
  std::filesystem::create_symlink("gone.py", tree / "test/test_dangling.py");
  std::filesystem::create_symlink("self.py", tree / "test/self.py");
  Result<Discovery> found = discover(real_disk(), tree.string(), tree.string(), {});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(paths(*found),
            (std::vector<std::string>{"test/self.py", "test/test_dangling.py", "test/z/test_a.py"}))
      << "links that lead nowhere are files, which nobody can read";
  EXPECT_TRUE(found->skipped.empty());
  std::filesystem::remove_all(tree);
}

TEST(IsTestFile, GoesByTheBaseName) {
  EXPECT_TRUE(is_test_file("a/test_x.py"));
  EXPECT_TRUE(is_test_file("a/x_test.py"));
  EXPECT_FALSE(is_test_file("test_a/x.py"));
  EXPECT_FALSE(is_test_file("a/test_x.pyc"));
}

}  // namespace
}  // namespace hwsift::analyzer
