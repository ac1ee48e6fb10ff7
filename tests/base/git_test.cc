#include "base/git.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/disk.h"
#include "tests/temporary_folder.h"

namespace hwsift {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

// A repository of its own, with one commit: a.py of ten lines.
class GitTest : public TemporaryFolder {
 protected:
  void SetUp() override {
    ::setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    git("init", "-q", "-b", "main");
    git("config", "user.name", "A");
    git("config", "user.email", "a@example.org");
    write("a.py", lines(10));
    commit("first");
  }
  void TearDown() override { ::unsetenv("GIT_CONFIG_GLOBAL"); }

  static std::string lines(int count) {
    std::string text;
    for (int i = 1; i <= count; ++i) text += "line " + std::to_string(i) + "\n";
    return text;
  }

  template <class... Words>
  void git(const Words&... words) {
    ProcessSpec spec;
    spec.command = {"git", words...};
    spec.folder = folder_;
    Result<Finished> finished = run_to_end(*processes_, spec, 60);
    ASSERT_TRUE(finished.ok()) << to_string(finished.error());
    ASSERT_EQ(finished->ending.code, 0) << finished->output;
  }
  void commit(const std::string& message) {
    git("add", "-A");
    git("commit", "-q", "-m", message);
  }
  void write(const std::string& path, const std::string& bytes) {
    std::filesystem::path file = std::filesystem::path(folder_) / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
  }
  void remove(const std::string& path) { std::filesystem::remove(std::filesystem::path(folder_) / path); }
  Git here(const std::string& below = "") { return {*processes_, join_path(folder_, below)}; }

  std::vector<std::string> changed(const std::string& base = "HEAD", const std::string& below = "") {
    Result<std::vector<std::string>> files = changed_files(here(below), base);
    EXPECT_TRUE(files.ok()) << to_string(files.error());
    return files.ok() ? *files : std::vector<std::string>{};
  }
  std::map<std::string, std::string> moves(const std::vector<std::string>& paths) {
    Result<std::map<std::string, std::string>> found = renamed(here(), paths);
    EXPECT_TRUE(found.ok()) << to_string(found.error());
    return found.ok() ? *found : std::map<std::string, std::string>{};
  }

  std::unique_ptr<Processes> processes_ = real_processes();
};

TEST_F(GitTest, NothingChanged) {
  EXPECT_THAT(changed(), IsEmpty());
  EXPECT_TRUE(*in_repository(here()));
}

TEST_F(GitTest, WithoutGitNothingIsARepository) {
  std::string path = std::getenv("PATH");
  ::setenv("PATH", "/no/such", 1);
  Result<bool> inside = in_repository(here());
  Result<std::vector<std::string>> changes = changed_files(here(), "HEAD");
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_FALSE(*inside);
  EXPECT_THAT(to_string(changes.error()), HasSubstr("install git"));
}

TEST_F(GitTest, StagedUnstagedUntrackedAndRenamedButNotWhatIsGone) {
  write("gone.py", lines(3));
  write("old.py", lines(30));
  write("staged.py", "1\n");
  write(".gitignore", "ignored.py\n");
  commit("more");
  write("a.py", lines(11));
  write("staged.py", "2\n");
  git("add", "staged.py");
  git("mv", "old.py", "new.py");
  remove("gone.py");
  write("fresh.py", "1\n");
  write("ignored.py", "1\n");
  EXPECT_THAT(changed(), ElementsAre("a.py", "fresh.py", "new.py", "staged.py"));
}

TEST_F(GitTest, SinceTheMergeBaseOfABranch) {
  git("switch", "-q", "-c", "topic");
  write("topic.py", "1\n");
  commit("topic");
  git("switch", "-q", "main");
  write("main.py", "1\n");
  commit("main");
  git("switch", "-q", "topic");
  EXPECT_THAT(changed("main"), ElementsAre("topic.py"));
}

TEST_F(GitTest, OfAFolderBelowTheRepository) {
  write("sub/tree/test/test_a.py", "1\n");
  write("sub/other.py", "1\n");
  write("a.py", "1\n");
  EXPECT_THAT(changed("HEAD", "sub/tree"), ElementsAre("test/test_a.py"));
  git("add", "-A");
  EXPECT_THAT(changed("HEAD", "sub/tree"), ElementsAre("test/test_a.py"));
}

TEST_F(GitTest, OddNamesAreBytes) {
  std::vector<std::string> names = {"a b.py",   "li\nne.py",   "qu\"o\\te.py",
                                    "t\tab.py", "\xff\xfe.py", "\xc3\xa9.py"};
  for (const std::string& name : names) write(name, lines(3));
  std::sort(names.begin(), names.end());
  EXPECT_EQ(changed(), names);
  commit("odd");
  for (const std::string& name : names) write(name, lines(4));
  EXPECT_EQ(changed(), names);
  Result<ChangedLines> found = changed_lines(here(), "HEAD");
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->size(), names.size());
  for (const std::string& name : names) EXPECT_EQ((*found)[name], (std::vector<LineRange>{{4, 4}})) << name;
}

TEST_F(GitTest, LinesThatAreNewOrBesideAGap) {
  write("a.py", "line 1\nchanged\nline 3\nline 4\nline 7\nline 8\nline 9\nline 10\n+++ b/x\n@@ -1 +1 @@\n");
  write("fresh.py", lines(2));
  Result<ChangedLines> found = changed_lines(here(), "HEAD");
  ASSERT_TRUE(found.ok());
  EXPECT_THAT((*found)["a.py"], ElementsAre(LineRange{2, 2}, LineRange{4, 5}, LineRange{9, 10}));
  EXPECT_EQ((*found)["fresh.py"].front().first, 1);
  EXPECT_EQ(found->size(), 2u);
}

TEST_F(GitTest, BeforeTheFirstCommitAllIsNew) {
  git("checkout", "-q", "--orphan", "empty");
  git("rm", "-q", "--cached", "a.py");
  write("b.py", "1\n");
  git("add", "b.py");
  EXPECT_THAT(changed(), ElementsAre("a.py", "b.py"));
  EXPECT_THAT(moves({"gone.py"}), IsEmpty());
}

TEST_F(GitTest, RefusesWhatIsNoCommit) {
  EXPECT_THAT(to_string(changed_files(here(), "nowhere").error()),
              HasSubstr("'nowhere': git knows no commit of this name"));
  EXPECT_THAT(to_string(changed_files(here(), "--output=x").error()), HasSubstr("cannot name a commit"));
  EXPECT_THAT(to_string(changed_files(here(), "").error()), HasSubstr("cannot name a commit"));
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/x"));
}

TEST_F(GitTest, SaysThatAShallowCloneHasNoMergeBase) {
  git("checkout", "-q", "--orphan", "apart");
  commit("apart");
  EXPECT_THAT(to_string(changed_files(here(), "main").error()),
              HasSubstr("no commit in common (name another base)"));
  git("clone", "-q", "--depth=1", "--no-single-branch", "file://" + folder_, "clone");
  EXPECT_THAT(to_string(changed_files(here("clone"), "origin/main").error()), HasSubstr("--deepen"));
}

TEST_F(GitTest, OutsideARepositoryIsAnError) {
  std::filesystem::remove_all(folder_ + "/.git");
  Git git = here();
  if (changed_files(git, "HEAD").ok()) GTEST_SKIP() << "the temporary folder is in a repository";
  EXPECT_THAT(to_string(changed_files(git, "HEAD").error()), HasSubstr("not in a git repository"));
  EXPECT_FALSE(content_at(git, "HEAD", "a.py").ok());
  EXPECT_FALSE(*in_repository(git));
}

TEST_F(GitTest, VariablesOfAHookDoNotLeadElsewhere) {
  ::setenv("GIT_DIR", "/no/such", 1);
  ::setenv("GIT_EXTERNAL_DIFF", "false", 1);
  write("a.py", "1\n");
  EXPECT_THAT(changed(), ElementsAre("a.py"));
  ::unsetenv("GIT_DIR");
  ::unsetenv("GIT_EXTERNAL_DIFF");
}

TEST_F(GitTest, FollowsRenamesFromNameToName) {
  write("old.py", lines(30));
  write("plain.py", lines(40) + "plain\n");
  commit("more");
  git("mv", "old.py", "middle.py");
  commit("once");
  git("rm", "-q", "plain.py");
  commit("gone");
  EXPECT_THAT(moves({"old.py", "plain.py", "never.py"}), ElementsAre(Pair("old.py", "middle.py")));
  git("mv", "middle.py", "new.py");
  EXPECT_THAT(moves({"old.py", "middle.py"}),
              UnorderedElementsAre(Pair("old.py", "new.py"), Pair("middle.py", "new.py")));
  commit("twice");
  EXPECT_THAT(moves({"old.py"}), ElementsAre(Pair("old.py", "new.py")));
}

TEST_F(GitTest, FindsARenameOnAMergedBranch) {
  write("old.py", lines(30));
  commit("more");
  git("switch", "-q", "-c", "topic");
  git("mv", "old.py", "new.py");
  commit("move");
  git("switch", "-q", "main");
  write("b.py", "1\n");
  commit("main");
  git("merge", "-q", "--no-edit", "topic");
  EXPECT_THAT(moves({"old.py"}), ElementsAre(Pair("old.py", "new.py")));
}

TEST_F(GitTest, ContentAtACommit) {
  write("a.py", "now\n");
  EXPECT_EQ(**content_at(here(), "HEAD", "a.py"), lines(10));
  EXPECT_FALSE(content_at(here(), "HEAD", "none.py")->has_value());
  EXPECT_FALSE(content_at(here(), "-x", "a.py").ok());
}

TEST(LinesOfPatch, AnyTextIsRead) {
  EXPECT_THAT(lines_of_patch("+++ \n+++ \"b/\\\n@@ -x +y @@\n@@ -1,99999999999 +2 @@"), testing::SizeIs(1));
  ChangedLines far = lines_of_patch("+++ b/a\n@@ -1,0 +2147483647,2147483647 @@\n@@ -1,2 +2147483647,0 @@\n");
  EXPECT_THAT(far["a"], testing::Each(LineRange{2147483647, 2147483647}));
}

}  // namespace
}  // namespace hwsift
