// Real repositories, made by git.
#include "base/repository.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "base/clock.h"
#include "base/process.h"
#include "base/text.h"
#include "tests/temporary_folder.h"

namespace hwsift {

void PrintTo(const FileChange& change, std::ostream* out) {
  *out << change.path << " " << change.before.substr(0, 6) << ">" << change.after.substr(0, 6);
  if (!change.moved_from.empty()) *out << " was " << change.moved_from;
}

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

bool never(const std::string&) { return false; }

class RepositoryTest : public TemporaryFolder {
 protected:
  void SetUp() override {
    for (const char* name : {"GIT_AUTHOR_", "GIT_COMMITTER_"}) {
      ::setenv((std::string(name) + "NAME").c_str(), "A. U. Thor", 1);
      ::setenv((std::string(name) + "EMAIL").c_str(), "a@example.org", 1);
    }
    ::setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    git("init", "-q", "-b", "main");
  }
  void TearDown() override {
    for (const char* name :
         {"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
          "GIT_CONFIG_GLOBAL", "GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"})
      ::unsetenv(name);
  }

  template <class... Words>
  std::string git(const Words&... words) {
    ProcessSpec spec;
    spec.command = {"git", "-C", folder_, words...};
    spec.folder = "/";
    Result<Finished> finished = run_to_end(*processes_, spec, 60);
    EXPECT_TRUE(finished.ok() && finished->ending.code == 0) << (finished.ok() ? finished->output : "");
    return finished.ok() ? std::string(trim(finished->output)) : "";
  }
  // The new commit's hash.
  std::string commit(const std::string& message, const std::string& date = "2026-03-14T15:09:26Z") {
    ::setenv("GIT_COMMITTER_DATE", date.c_str(), 1);
    ::setenv("GIT_AUTHOR_DATE", date.c_str(), 1);
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD");
  }
  std::string place(const std::string& path) const { return join_path(folder_, path); }
  void write(const std::string& path, const std::string& bytes) {
    std::filesystem::create_directories(std::filesystem::path(place(path)).parent_path());
    std::ofstream(place(path), std::ios::binary) << bytes;
  }
  static std::string lines(int count, const std::string& word = "line ") {
    std::string text;
    for (int i = 1; i <= count; ++i) text += word + std::to_string(i) + "\n";
    return text;
  }

  static Repository opened(const std::string& folder) {
    Result<Repository> repository = Repository::open(folder);
    EXPECT_TRUE(repository.ok()) << to_string(repository.error());
    return std::move(*repository);
  }
  Repository here(const std::string& below = "") { return opened(place(below)); }
  static std::vector<std::string> subjects(const FirstParents& line) {
    std::vector<std::string> subjects;
    for (const CommitFacts& facts : line.commits) subjects.push_back(facts.subject);
    return subjects;
  }
  static FirstParents line_of(const Repository& repository, const std::string& from = "HEAD") {
    Result<FirstParents> line = repository.first_parents(**repository.find_commit(from), never);
    EXPECT_TRUE(line.ok()) << to_string(line.error());
    return line.ok() ? *line : FirstParents();
  }
  static std::vector<std::string> told(const Result<std::vector<FileChange>>& changes) {
    EXPECT_TRUE(changes.ok()) << to_string(changes.error());
    std::vector<std::string> told;
    if (!changes.ok()) return {"error"};
    for (const FileChange& change : *changes)
      told.push_back(std::string(change.before.empty()  ? "+"
                                 : change.after.empty() ? "-"
                                                        : "") +
                     change.path + (change.moved_from.empty() ? "" : " < " + change.moved_from));
    return told;
  }

  std::unique_ptr<Processes> processes_ = real_processes();
};

TEST_F(RepositoryTest, FirstParentsThroughMerges) {
  write("a.py", "1\n");
  std::string first = commit("first");
  git("switch", "-q", "-c", "topic");
  write("b.py", "1\n");
  commit("on topic");
  git("switch", "-q", "main");
  write("c.py", "1\n");
  commit("on main");
  git("merge", "-q", "--no-ff", "-m", "merge", "topic");
  Repository repository = here();
  FirstParents line = line_of(repository);
  EXPECT_THAT(subjects(line), ElementsAre("merge", "on main", "first"));
  EXPECT_EQ(line.end, FirstParents::End::root);
  EXPECT_EQ(line.commits[0].parent, line.commits[1].hash);
  EXPECT_EQ(line.commits[0].author, "A. U. Thor");
  EXPECT_EQ(line.commits[2].parent, "");
  EXPECT_FALSE(repository.is_shallow());
  Result<FirstParents> part =
      repository.first_parents(line.commits[0].hash, [&](const std::string& hash) { return hash == first; });
  EXPECT_THAT(subjects(*part), ElementsAre("merge", "on main", "first")) << "the last one is included";
  EXPECT_EQ(part->end, FirstParents::End::reached);
  EXPECT_THAT(told(repository.changes(line.commits[1].hash, line.commits[0].hash, ".py")),
              ElementsAre("+b.py"))
      << "all that the branch brought";
}

TEST_F(RepositoryTest, RevisionsThatNameCommits) {
  write("a.py", "1\n");
  std::string first = commit("first");
  git("tag", "-a", "-m", "a tag", "v1");
  std::string second = commit("second");
  Repository repository = here();
  for (const std::string& name : {std::string("v1"), std::string("HEAD~1"), std::string("main^"), first,
                                  first.substr(0, 10), std::string("v1^{commit}")})
    EXPECT_EQ(**repository.find_commit(name), first) << name;
  EXPECT_EQ(**repository.find_commit("refs/heads/main"), second);
  for (const char* name : {"nowhere", "HEAD~2", "v2", "0123456789012345678901234567890123456789"}) {
    Result<std::optional<std::string>> found = repository.find_commit(name);
    ASSERT_TRUE(found.ok()) << name << to_string(found.error());
    EXPECT_FALSE(found->has_value()) << name;
  }
  for (const char* name :
       {"", "--all", "a b", "HEAD^{", "..", "HEAD:a.py", "HEAD^{tree}", "HEAD..main", ":/nothing"}) {
    Result<std::optional<std::string>> found = repository.find_commit(name);
    EXPECT_TRUE(!found.ok() || !found->has_value()) << name;
  }
}

TEST_F(RepositoryTest, WithoutACommitThereIsNoHead) {
  Result<std::optional<std::string>> head = here().find_commit("HEAD");
  ASSERT_TRUE(head.ok()) << to_string(head.error());
  EXPECT_FALSE(head->has_value());
}

TEST_F(RepositoryTest, WhatChangedWithRenamesAndEdits) {
  write("old.py", lines(30));
  write("gone.py", lines(3, "gone "));
  write("same.py", "1\n");
  std::string first = commit("first");
  git("mv", "old.py", "new.py");
  write("new.py", lines(31));
  std::filesystem::remove(place("gone.py"));
  write("sub/fresh.py", "fresh\n");
  std::string second = commit("second");
  Repository repository = here();
  EXPECT_THAT(told(repository.changes(first, second, ".py")),
              ElementsAre("-gone.py", "+new.py < old.py", "-old.py", "+sub/fresh.py"));
  EXPECT_THAT(told(repository.changes(first, second, ".txt")),
              ElementsAre("-gone.py", "+new.py", "-old.py", "+sub/fresh.py"))
      << "renames of other files are not looked for";
  EXPECT_THAT(told(repository.changes("", first, ".py")), ElementsAre("+gone.py", "+old.py", "+same.py"));
  EXPECT_THAT(told(repository.changes(second, second, ".py")), IsEmpty());
  EXPECT_THAT(told(repository.changes(second, first, ".py")),
              ElementsAre("+gone.py", "-new.py", "+old.py < new.py", "-sub/fresh.py"));
}

TEST_F(RepositoryTest, AFolderOfTheRepositoryAsTree) {
  write("sub/test/test_a.py", "1\n");
  write("subway/test_b.py", "1\n");
  write("sub.py", "1\n");
  write("[s]ub/test_c.py", "1\n");
  std::string first = commit("first");
  write("sub/test/test_a.py", "2\n");
  write("subway/test_b.py", "2\n");
  write("sub.py", "2\n");
  std::string second = commit("second");
  Repository repository = here("sub");
  EXPECT_THAT(told(repository.changes("", first, ".py")), ElementsAre("+test/test_a.py"));
  EXPECT_THAT(told(repository.changes(first, second, ".py")), ElementsAre("test/test_a.py"));
  EXPECT_THAT(told(here("[s]ub").changes("", first, ".py")), ElementsAre("+test_c.py")) << "no pattern";
  EXPECT_THAT(told(here("sub/test").changes(first, second, ".py")), ElementsAre("test_a.py"));
  CommitDisk disk(repository);
  ASSERT_TRUE(disk.show(first).ok());
  EXPECT_EQ(*disk.read("/test/test_a.py", 100), "1\n");
  EXPECT_THAT(*disk.list("/"), ElementsAre("test"));
  EXPECT_FALSE(disk.info("/subway").ok());
  EXPECT_FALSE(disk.info("/../sub.py").ok());
  std::filesystem::create_symlink(place("sub"), place("link"));
  EXPECT_THAT(told(here("link").changes(first, second, ".py")), ElementsAre("test/test_a.py"))
      << "by another name";
}

TEST_F(RepositoryTest, ATreeThatIsNotThereYet) {
  write("a.py", "1\n");
  std::string first = commit("first");
  write("sub/test/test_a.py", "1\n");
  std::string second = commit("second");
  Repository repository = here("sub");
  CommitDisk disk(repository);
  ASSERT_TRUE(disk.show(first).ok());
  EXPECT_FALSE(disk.info("/").ok());
  EXPECT_FALSE(disk.list("/test").ok());
  EXPECT_EQ(disk.blob_of("/test/test_a.py"), "");
  EXPECT_THAT(told(repository.changes(first, second, ".py")), ElementsAre("+test/test_a.py"));
}

TEST_F(RepositoryTest, AShallowCloneSaysWhereItEnds) {
  for (int i = 1; i <= 5; ++i) {
    write("a.py", lines(i));
    commit("step " + std::to_string(i));
  }
  std::string second = git("rev-parse", "HEAD~3");
  git("clone", "-q", "--depth=3", "file://" + folder_, "clone");
  Repository repository = here("clone");
  EXPECT_TRUE(repository.is_shallow());
  FirstParents line = line_of(repository);
  EXPECT_THAT(subjects(line), ElementsAre("step 5", "step 4", "step 3"));
  EXPECT_EQ(line.end, FirstParents::End::shallow);
  EXPECT_EQ(line.commits.back().parent, "");
  EXPECT_FALSE(repository.find_commit(second)->has_value());
  EXPECT_FALSE(repository.find_commit("HEAD~3")->has_value());
  std::string boundary = line.commits.back().hash;
  Result<FirstParents> reached = repository.first_parents(
      line.commits[0].hash, [&](const std::string& hash) { return hash == boundary; });
  EXPECT_EQ(reached->end, FirstParents::End::reached);
  EXPECT_THAT(told(repository.changes("", boundary, ".py")), ElementsAre("+a.py"));
}

TEST_F(RepositoryTest, LinksAndSubmodulesAreNoFiles) {
  write("sub/b.py", "1\n");
  write("a.py", "1\n");
  write("tool.py", "1\n");
  std::filesystem::permissions(place("tool.py"), std::filesystem::perms::owner_exec,
                               std::filesystem::perm_options::add);
  std::filesystem::create_symlink("a.py", place("link.py"));
  std::filesystem::create_symlink("sub", place("folder"));
  std::string first = commit("first");
  git("update-index", "--add", "--cacheinfo", "160000," + first + ",module");
  std::filesystem::create_directories(place("module"));
  std::filesystem::remove(place("a.py"));
  std::filesystem::create_symlink("tool.py", place("a.py"));
  std::filesystem::remove(place("link.py"));
  write("link.py", "a file now\n");
  git("add", "a.py", "link.py");
  git("commit", "-q", "-m", "second");
  std::string second = git("rev-parse", "HEAD");
  Repository repository = here();
  EXPECT_THAT(told(repository.changes("", first, ".py")), ElementsAre("+a.py", "+sub/b.py", "+tool.py"));
  EXPECT_THAT(told(repository.changes(first, second, ".py")), ElementsAre("-a.py", "+link.py"));
  CommitDisk disk(repository);
  ASSERT_TRUE(disk.show(second).ok());
  EXPECT_EQ(disk.info("/a.py")->kind, FileInfo::Kind::other);
  EXPECT_EQ(disk.info("/module")->kind, FileInfo::Kind::other);
  EXPECT_EQ(disk.info("/folder")->kind, FileInfo::Kind::other);
  EXPECT_EQ(disk.info("/tool.py")->kind, FileInfo::Kind::file);
  EXPECT_EQ(disk.info("/sub")->kind, FileInfo::Kind::directory);
  EXPECT_EQ(disk.blob_of("/a.py"), "");
  EXPECT_EQ(disk.blob_of("/sub"), "");
  EXPECT_FALSE(disk.read("/a.py", 100).ok());
  EXPECT_FALSE(disk.list("/module").ok());
  EXPECT_FALSE(disk.info("/folder/b.py").ok());
}

TEST_F(RepositoryTest, FilesOfACommit) {
  std::string bytes("a\0b\r\n\xff", 6);
  write("a.py", bytes);
  write("empty.py", "");
  write("test/deep/b.py", "b\n");
  std::string first = commit("first");
  write("a.py", "other\n");
  std::string second = commit("second");
  Repository repository = here();
  CommitDisk disk(repository);
  EXPECT_FALSE(disk.info("/a.py").ok()) << "no commit is shown yet";
  EXPECT_EQ(disk.blob_of("/a.py"), "");
  ASSERT_TRUE(disk.show(first).ok());
  EXPECT_EQ(*disk.read("/a.py", 6), bytes);
  EXPECT_FALSE(disk.read("/a.py", 5).ok());
  EXPECT_EQ(*disk.read("/empty.py", 0), "");
  EXPECT_EQ(*disk.read("/test/./deep/../deep/b.py", 10), "b\n");
  EXPECT_THAT(*disk.list("/"), ElementsAre("a.py", "empty.py", "test"));
  EXPECT_THAT(*disk.list("/test/"), ElementsAre("deep"));
  EXPECT_FALSE(disk.list("/a.py").ok());
  EXPECT_FALSE(disk.read("/test", 10).ok());
  EXPECT_FALSE(disk.read("/none.py", 10).ok());
  EXPECT_NE(disk.info("/a.py")->inode, disk.info("/empty.py")->inode);
  EXPECT_FALSE(disk.write("/a.py", "x").ok());
  EXPECT_FALSE(disk.make_folders("/x").ok());
  std::string old = disk.blob_of("/a.py");
  ASSERT_TRUE(disk.show(second).ok());
  EXPECT_EQ(*disk.read("/a.py", 100), "other\n");
  EXPECT_EQ(*disk.read_blob(old, 100), bytes) << "of any commit";
  EXPECT_FALSE(disk.read_blob("nonsense", 100).ok());
  EXPECT_FALSE(disk.show("nonsense").ok());
}

TEST_F(RepositoryTest, ACommitOfTooManyPathsCannotBeListed) {
  write("a/b/c/test_x.py", "x");
  write("a/b/test_y.py", "y");
  commit("one");
  Repository repository = here();
  for (std::size_t most : {5u, 4u}) {
    CommitDisk disk(repository, most);
    for (int again = 0; again < 2; ++again) {
      ASSERT_TRUE(disk.show(**repository.find_commit("HEAD")).ok());
      for (const char* folder : {"/", "/a", "/a/b"}) EXPECT_TRUE(disk.list(folder).ok());
      EXPECT_FALSE(disk.has_failed());
      EXPECT_EQ(disk.list("/a/b/c").ok(), most == 5);
      EXPECT_EQ(disk.take_failure().has_value(), most == 4);
    }
  }
}

TEST_F(RepositoryTest, AFileIsNoFolder) {
  write("a/b.py", "b");
  write("c", "c");
  commit("one");
  Repository repository = here();
  CommitDisk disk(repository);
  ASSERT_TRUE(disk.show(**repository.find_commit("HEAD")).ok());
  for (const char* path : {"/c/d", "/a/b.py/c", "/none/b.py", "/a/none.py", "/a//none"})
    EXPECT_FALSE(disk.info(path).ok()) << path;
  EXPECT_EQ(disk.info("/a")->kind, FileInfo::Kind::directory);
  EXPECT_EQ(*disk.read("/a/b.py", 10), "b");
  std::filesystem::remove_all(place("a"));
  write("a", "now a file");
  commit("two");
  ASSERT_TRUE(disk.show(**repository.find_commit("HEAD")).ok());
  EXPECT_FALSE(disk.info("/a/b.py").ok()) << "of the commit that was shown before";
  EXPECT_EQ(disk.info("/a")->kind, FileInfo::Kind::file);
}

TEST_F(RepositoryTest, TheNameOfAContentIsGits) {
  for (const std::string& bytes :
       {std::string(), std::string("a\n"), std::string("a\0\r\n\xff", 5), lines(5000)}) {
    write("file", bytes);
    EXPECT_EQ(blob_hash(bytes), git("hash-object", "--no-filters", "file"));
  }
}

TEST_F(RepositoryTest, StrangeNames) {
  std::vector<std::string> names = {"a b.py",      "li\nne.py",   "qu\"o\\te.py", "t\tab.py",
                                    "\xff\xfe.py", "\xc3\xa9.py", "*.py"};
  for (const std::string& name : names) write("d/" + name, "x\n");
  std::string first = commit("first");
  std::sort(names.begin(), names.end());
  Repository repository = here();
  CommitDisk disk(repository);
  ASSERT_TRUE(disk.show(first).ok());
  EXPECT_EQ(*disk.list("/d"), names);
  Result<std::vector<FileChange>> changes = repository.changes("", first, ".py");
  ASSERT_EQ(changes->size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ((*changes)[i].path, "d/" + names[i]);
    EXPECT_EQ(*disk.read("/d/" + names[i], 10), "x\n");
  }
}

TEST_F(RepositoryTest, AuthorsAndSubjectsInAnyEncoding) {
  std::string tree = git("write-tree");
  write("commit", "tree " + tree +
                      "\nauthor J\xf6rg <a@example.org> 1 +0000\ncommitter A <a@example.org> 1 +0000\n\n" +
                      "gr\xfc\xdf"
                      "e\nsecond line\n\nbody");
  std::string hash = git("hash-object", "-t", "commit", "-w", "commit");
  CommitFacts facts = line_of(here(), hash).commits[0];
  EXPECT_EQ(facts.author, valid_utf8("J\xf6rg"));
  EXPECT_EQ(facts.subject, valid_utf8("gr\xfc\xdf"
                                      "e second line"));
}

TEST_F(RepositoryTest, AnyDateOfACommit) {
  std::vector<std::string> dates = {"@4102444800 +0000", "@100 -0700", "@253402300800 +0000",
                                    "@1700000000 +1400"};
  for (const std::string& date : dates) commit(date, date);
  FirstParents line = line_of(here());
  ASSERT_THAT(line.commits, SizeIs(4));
  EXPECT_EQ(line.commits[0].time, 1700000000);
  EXPECT_EQ(utc_text(line.commits[1].time), "9999-12-31T23:59:59Z");
  EXPECT_EQ(line.commits[2].time, 100);
  EXPECT_EQ(line.commits[3].time, 4102444800);
}

// Made by hand or by other programs.
TEST_F(RepositoryTest, ACommitWithABrokenDate) {
  write("a.py", "1\n");
  std::string first = commit("first");
  auto made = [&](const std::string& date) {
    write("commit", "tree " + git("rev-parse", first + "^{tree}") + "\nparent " + first +
                        "\nauthor A <a@example.org> 1 +0000\ncommitter A <a@example.org> " + date +
                        "\n\nbroken\n");
    return git("hash-object", "-t", "commit", "-w", "--literally", "commit");
  };
  for (const char* date : {"-86400 +0000", ""}) {
    Result<FirstParents> line = here().first_parents(made(date), never);
    ASSERT_TRUE(line.ok()) << date << ": " << to_string(line.error());
    EXPECT_THAT(subjects(*line), ElementsAre("broken", "first")) << date;
    EXPECT_EQ(utc_text(line->commits[0].time), "1970-01-01T00:00:00Z");
  }
  for (const char* date : {"nonsense", "99999999999999999999999 +0000"}) {
    std::string hash = made(date);
    Result<FirstParents> line = here().first_parents(hash, never);
    ASSERT_FALSE(line.ok()) << date;
    EXPECT_THAT(to_string(line.error()), HasSubstr("commit " + hash));
  }
}

TEST_F(RepositoryTest, AWorktreeAndASubmoduleHaveTheirGitElsewhere) {
  write("a.py", "1\n");
  std::string first = commit("first");
  git("worktree", "add", "-q", "-b", "other", "elsewhere");
  Repository repository = here("elsewhere");
  EXPECT_EQ(**repository.find_commit("HEAD"), first);
  write("elsewhere/sub/b.py", "1\n");
  git("-C", place("elsewhere"), "add", "-A");
  git("-C", place("elsewhere"), "commit", "-q", "-m", "second");
  EXPECT_NE(**repository.find_commit("HEAD"), first);
  EXPECT_EQ(**here().find_commit("HEAD"), first);
  EXPECT_THAT(told(here("elsewhere/sub").changes(first, **repository.find_commit("HEAD"), ".py")),
              ElementsAre("+b.py"));
  git("clone", "-q", "--depth=1", "file://" + folder_, "clone");
  git("-C", place("clone"), "worktree", "add", "-q", "-b", "more", "../more");
  EXPECT_TRUE(here("more").is_shallow()) << "as the repository it belongs to";
}

TEST_F(RepositoryTest, ABareRepository) {
  write("a.py", "1\n");
  std::string first = commit("first");
  git("clone", "-q", "--bare", "file://" + folder_, "bare.git");
  Repository repository = here("bare.git");
  EXPECT_THAT(told(repository.changes("", first, ".py")), ElementsAre("+a.py"));
}

TEST_F(RepositoryTest, WhatIsMissingIsNamed) {
  write("a.py", "1\n");
  std::string first = commit("first");
  write("a.py", "2\n");
  write("test/b.py", "2\n");
  std::string second = commit("second");
  auto lose = [&](const std::string& hash) {
    std::filesystem::remove(place(".git/objects/" + hash.substr(0, 2) + "/" + hash.substr(2)));
  };
  lose(git("rev-parse", "HEAD:a.py"));
  {
    Repository repository = here();
    CommitDisk disk(repository);
    ASSERT_TRUE(disk.show(second).ok());
    std::string blob = disk.blob_of("/a.py");
    EXPECT_NE(blob, "");
    Result<std::string> bytes = disk.read("/a.py", 100);
    ASSERT_FALSE(bytes.ok());
    EXPECT_THAT(to_string(bytes.error()), HasSubstr(blob));
    EXPECT_THAT(to_string(bytes.error()), HasSubstr("fetch"));
    EXPECT_THAT(told(repository.changes(first, second, ".py")), ElementsAre("a.py", "+test/b.py"));
  }
  lose(git("rev-parse", "HEAD:test"));
  EXPECT_THAT(to_string(here().changes(first, second, ".py").error()), HasSubstr("commit " + second));
  lose(first);
  Result<FirstParents> line = here().first_parents(second, never);
  ASSERT_FALSE(line.ok());
  EXPECT_THAT(to_string(line.error()), HasSubstr("commit " + first));
}

// A rename of a file whose content is missing (a partial clone) is no reason to stop.
TEST_F(RepositoryTest, ARenameOfWhatIsMissingIsNoRename) {
  write("old.py", lines(30));
  std::string first = commit("first");
  std::string blob = git("rev-parse", "HEAD:old.py");
  git("mv", "old.py", "new.py");
  write("new.py", lines(31));
  std::string second = commit("second");
  std::filesystem::remove(place(".git/objects/" + blob.substr(0, 2) + "/" + blob.substr(2)));
  Result<std::vector<FileChange>> changes = here().changes(first, second, ".py");
  if (changes.ok())
    EXPECT_THAT(told(changes), ElementsAre("+new.py", "-old.py"));
  else
    EXPECT_THAT(to_string(changes.error()), HasSubstr("fetch"));
}

TEST_F(RepositoryTest, WithoutARepository) {
  std::filesystem::remove_all(place(".git"));
  Result<Repository> repository = Repository::open(folder_);
  if (repository.ok()) GTEST_SKIP() << "the temporary folder is in a repository";
  EXPECT_THAT(to_string(repository.error()), HasSubstr("not in a git repository"));
  write(".git", "gitdir: /no/such/place\n");
  EXPECT_FALSE(Repository::open(folder_).ok());
  std::filesystem::remove(place(".git"));
  std::filesystem::create_directories(place(".git"));
  EXPECT_FALSE(Repository::open(folder_).ok());
}

TEST_F(RepositoryTest, TheRepositoryOfAnotherUserIsNotTrusted) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  write("a.py", "1\n");
  commit("first");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
    ASSERT_EQ(::lchown(entry.path().c_str(), 65534, 65534), 0);
  ASSERT_EQ(::lchown(folder_.c_str(), 65534, 65534), 0);
  Result<Repository> repository = Repository::open(folder_);
  ASSERT_FALSE(repository.ok());
  EXPECT_THAT(to_string(repository.error()), HasSubstr("another user owns it"));
  EXPECT_THAT(to_string(repository.error()), HasSubstr("safe.directory"));
}

// Whatever was committed: what stood before, and the changes, give what stands now.
TEST_F(RepositoryTest, ChangesLeadFromCommitToCommit) {
  std::mt19937 random(3);
  auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  auto name = [&] { return std::string(below(2) == 0 ? "t/" : "t/sub/") + "abcd"[below(4)] + ".py"; };
  std::map<std::string, std::string> files;
  std::string older;
  write("t/stays.py", "1\n");
  for (int step = 0; step < 40; ++step) {
    for (int edits = 1 + below(3); edits > 0; --edits) {
      std::string path = place(name());
      std::filesystem::remove(path);
      if (below(3) == 0) continue;
      std::filesystem::create_directories(folder_of(path));
      std::string other = place(name());
      if (below(4) == 0)
        std::filesystem::create_symlink("a.py", path);
      else if (below(3) == 0 && std::filesystem::is_regular_file(std::filesystem::symlink_status(other)))
        std::filesystem::rename(other, path);
      else
        std::ofstream(path) << lines(20 + below(3), std::string(1, "xy"[below(2)]));
    }
    std::string newer = commit("step");
    Repository repository = here("t");
    Result<std::vector<FileChange>> changes = repository.changes(older, newer, ".py");
    ASSERT_TRUE(changes.ok()) << to_string(changes.error());
    for (const FileChange& change : *changes) {
      ASSERT_EQ(files[change.path], change.before) << change.path << " at step " << step;
      ASSERT_NE(change.before, change.after);
      files[change.path] = change.after;
    }
    std::map<std::string, std::string> wanted;
    for (const std::string& line : split(git("ls-tree", "-r", newer), '\n')) {
      if (!line.starts_with("100")) continue;
      wanted[line.substr(line.find('\t') + 3)] = line.substr(12, 40);
    }
    std::erase_if(files, [](const auto& file) { return file.second.empty(); });
    ASSERT_EQ(files, wanted) << "step " << step;
    older = newer;
  }
}

}  // namespace
}  // namespace hwsift
