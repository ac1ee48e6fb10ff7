// History in a database: what is written comes back, whoever else writes, and whatever file it is given.
#include "store/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "base/text.h"
#include "embedded/schema.h"
#include "lint/profile.h"
#include "store/query.h"
#include "tests/fake_disk.h"
#include "tests/temporary_folder.h"

namespace hwsift::store {
namespace {

using history::CommitRecord;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string file_with(const std::string& cls, const std::string& label = "", bool cuda = false) {
  return "# Owner(s): [\"module: nn\"]\nclass " + cls + "(TestCase):\n" +
         (label.empty() ? "" : "    hw_classification = HardwareClassification." + label + "\n") +
         "    def test_a(self): " + (cuda ? "torch.ones(1, device='cuda')" : "pass") + "\n";
}

// A tree whose commits are written to a line, as a backfill does.
class Walk {
 public:
  Walk(History& kept, int line) : kept_(kept), line_(line) {}

  Walk& put(const std::string& path, const std::string& bytes) {
    now_["/" + path] = bytes;
    return *this;
  }
  Walk& remove(const std::string& path) {
    now_.erase("/" + path);
    return *this;
  }
  Walk& list(const std::string& entry, bool added) {
    steps_.push_back({0, entry, entry, true, added});
    listed_ += added ? 1 : -1;
    return *this;
  }
  // `hash` is one letter.
  Status commit(char hash) {
    std::vector<FileChange> changes;
    std::map<std::string, std::string> all = disk_.files;
    all.insert(now_.begin(), now_.end());
    for (const auto& [path, bytes] : all) {
      auto old = disk_.files.find(path);
      auto fresh = now_.find(path);
      FileChange change{path.substr(1), old == disk_.files.end() ? "" : blob_hash(old->second),
                        fresh == now_.end() ? "" : blob_hash(fresh->second), ""};
      if (change.before != change.after) changes.push_back(change);
    }
    disk_.files = now_;
    CommitRecord record;
    record.commit.hash = std::string(40, hash);
    record.commit.date = "2026-01-0" + std::to_string(hash - 'a' + 1) + "T00:00:00Z";
    record.commit.author = std::string("Author ") + hash;
    record.commit.subject = "it's \"so\"; --";
    record.commit.point = true;
    if (listed_ > 0) record.commit.allowlisted = listed_;
    record.steps = census.apply(changes);
    record.allowlist = std::move(steps_);
    record.tally = census.tally();
    steps_.clear();
    return kept_.append(line_, record, census);
  }

  static history::Ruler ruler() {
    history::Ruler ruler;
    ruler.vocabulary = &classifier::builtin_vocabulary();
    ruler.profile = lint::builtin_lint_rules().profile("recommended");
    return ruler;
  }

 private:
  History& kept_;
  int line_;
  std::map<std::string, std::string> now_;
  std::vector<history::AllowlistStep> steps_;
  long long listed_ = 0;
  FakeDisk disk_;
  history::Ruler ruler_ = ruler();
  history::Measurer measurer_{disk_, "/", ruler_};

 public:
  history::Census census{
      ruler_, measurer_,
      [this](const std::string& path, const std::string& blob) { return kept_.kept(path, blob); },
      [this](const std::string& path) {
        auto found = disk_.files.find("/" + path);
        return found == disk_.files.end() ? "" : blob_hash(found->second);
      }};
};

constexpr char kFingerprint[] = "one ruler";

class HistoryTest : public TemporaryFolder {
 protected:
  std::string file() const { return join_path(folder_, "hwsift.sqlite"); }
  std::string bytes(const std::string& name = "hwsift.sqlite") const {
    std::stringstream text;
    text << std::ifstream(join_path(folder_, name), std::ios::binary).rdbuf();
    return text.str();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  Store open() const {
    Result<Store> store = Store::open(file());
    EXPECT_TRUE(store.ok()) << to_string(store.error());
    return std::move(*store);
  }
  static History open(Store& store, const std::string& fingerprint = kFingerprint) {
    Result<History> kept = History::open(store, fingerprint);
    EXPECT_TRUE(kept.ok()) << to_string(kept.error());
    return *kept;
  }
  static history::Timeline timeline(Store& store, const std::string& fingerprint = kFingerprint) {
    Result<history::Timeline> timeline = read_timeline(store, fingerprint);
    EXPECT_TRUE(timeline.ok()) << to_string(timeline.error());
    return *timeline;
  }
  // "a b! c": letters of the commits, with what another ruler measured, and gaps.
  static std::string letters(const history::Timeline& timeline) {
    std::string letters;
    for (const history::Commit& commit : timeline.commits)
      letters += std::string(commit.gap_before ? "~" : "") + commit.hash.substr(0, 1) +
                 (commit.other_ruler ? "!" : "");
    return letters;
  }
  static std::string labels(const history::Timeline& timeline) {
    std::string labels;
    for (const auto& [path, measure] : timeline.files())
      for (const history::ClassMeasure& cls : measure->classes)
        labels += path + ":" + cls.name + "=" + cls.declared + " ";
    return labels;
  }
  // With the sqlite3 library, as any program would.
  void execute(const std::string& sql) const {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(handle);
    sqlite3_close(handle);
  }
  std::string answer(const std::string& sql) const {
    Result<Table> table = query(file(), sql);
    if (!table.ok()) return to_string(table.error());
    std::string text;
    for (const std::vector<Cell>& row : table->rows)
      for (const Cell& cell : row) text += cell.text + "|";
    return text;
  }
  void three_commits(History& kept) {
    ASSERT_TRUE(
        kept.set_state(kShownLine, {"allow.json", "the repository begins", "", history::Every::week}).ok());
    Walk walk(kept, kShownLine);
    ASSERT_TRUE(walk.put("test/test_x.py", file_with("TestX", "", true))
                    .list("test/test_x.py", true)
                    .commit('a')
                    .ok());
    ASSERT_TRUE(walk.put("test/test_y.py", file_with("TestY")).list("test/test_y.py", true).commit('b').ok());
    ASSERT_TRUE(walk.put("test/test_x.py", file_with("TestX", "GENERIC"))
                    .list("test/test_x.py", false)
                    .remove("test/test_y.py")
                    .commit('c')
                    .ok());
  }
};

TEST_F(HistoryTest, WhatIsWrittenComesBack) {
  {
    Store store = open();
    History kept = open(store);
    three_commits(kept);
  }
  Store store = open();
  history::Timeline line = timeline(store);
  EXPECT_EQ(letters(line), "abc");
  EXPECT_EQ(line.begins, "the repository begins");
  EXPECT_EQ(line.allowlist_file, "allow.json");
  EXPECT_EQ(line.commits[1].author, "Author b");
  EXPECT_EQ(line.commits[1].subject, "it's \"so\"; --");
  EXPECT_EQ(line.commits[1].allowlisted, 2);
  EXPECT_EQ(line.commits[2].date, "2026-01-03T00:00:00Z");
  ASSERT_THAT(line.versions, SizeIs(4));
  EXPECT_EQ(line.versions[0].measure->classes[0].uses, 1);
  EXPECT_THAT(line.versions[0].measure->owners, ElementsAre("module: nn"));
  EXPECT_EQ(line.versions[3].path, "test/test_y.py");
  EXPECT_EQ(line.versions[3].measure, nullptr);
  EXPECT_EQ(labels(line), "test/test_x.py:TestX=GENERIC ");
  ASSERT_THAT(line.listed(), SizeIs(1));
  EXPECT_EQ(line.listed().begin()->first, "test/test_y.py");
  EXPECT_EQ(letters(timeline(store, "another")), "a!b!c!");
  History kept = open(store);
  Result<std::vector<StoredFile>> files = kept.files_at_end(kShownLine);
  ASSERT_THAT(*files, SizeIs(1));
  EXPECT_EQ((*files)[0].blob, blob_hash(file_with("TestX", "GENERIC")));
  EXPECT_EQ((*kept.listed_at_end(kShownLine))->size(), 1u);
  EXPECT_EQ((*kept.state(kShownLine))->every, history::Every::week);
  EXPECT_NE((*kept.state(kShownLine))->traits, "");
  EXPECT_FALSE(kept.state(kNewLine)->has_value());
}

TEST_F(HistoryTest, MeasuresOfAContentAreKept) {
  Store store = open();
  History kept = open(store);
  three_commits(kept);
  EXPECT_THAT(kept.kept("test/test_y.py", blob_hash(file_with("TestY"))), SizeIs(1));
  EXPECT_THAT(kept.kept("test/test_z.py", blob_hash(file_with("TestY"))), IsEmpty()) << "of that path";
  EXPECT_THAT(open(store, "another").kept("test/test_y.py", blob_hash(file_with("TestY"))), IsEmpty());
  Walk again(kept, kNewLine);
  ASSERT_TRUE(kept.set_state(kNewLine, {}).ok());
  ASSERT_TRUE(again.put("test/test_x.py", file_with("TestX", "", true)).commit('a').ok());
  EXPECT_EQ(again.census.measured(), 0u);
  EXPECT_EQ(answer("SELECT count(*) FROM measure"), "3|");
}

TEST_F(HistoryTest, MeasuresAreKeptBeforeTheirCommitIs) {
  Store store = open();
  History kept = open(store);
  ASSERT_TRUE(kept.set_state(kShownLine, {}).ok());
  Walk walk(kept, kShownLine);
  std::size_t count = 0;
  walk.census.set_keeper([&](const std::vector<std::string>& paths) {
    count += paths.size();
    ASSERT_TRUE(kept.keep(paths, walk.census).ok());
    ASSERT_TRUE(kept.keep(paths, walk.census).ok()) << "twice is once";
  });
  for (int i = 0; i < 300; ++i) walk.put("test/test_" + std::to_string(i) + ".py", file_with("TestA"));
  ASSERT_TRUE(walk.commit('a').ok());
  EXPECT_EQ(count, 300u);
  EXPECT_THAT(kept.kept("test/test_7.py", blob_hash(file_with("TestA"))), SizeIs(1));
  EXPECT_EQ(answer("SELECT count(*) FROM measure"), "300|");
}

TEST_F(HistoryTest, CutsWhatIsOfAnotherBranch) {
  Store store = open();
  History kept = open(store);
  three_commits(kept);
  ASSERT_TRUE(kept.cut(kShownLine, 2, false).ok());
  history::Timeline line = timeline(store);
  EXPECT_EQ(letters(line), "ab");
  EXPECT_FALSE(line.commits[1].point);
  EXPECT_EQ(labels(line), "test/test_x.py:TestX= test/test_y.py:TestY= ");
  EXPECT_EQ(line.listed().size(), 2u);
}

TEST_F(HistoryTest, ARebuiltLineTakesThePlaceOfAll) {
  Store store = open();
  three_commits(*std::make_unique<History>(open(store)));
  History kept = open(store, "another");
  ASSERT_TRUE(kept.set_state(kNewLine, {"", "anew", "", history::Every::commit}).ok());
  Walk walk(kept, kNewLine);
  ASSERT_TRUE(walk.put("test/test_z.py", file_with("TestZ")).commit('a').ok());
  EXPECT_EQ(letters(timeline(store)), "abc") << "until it is whole, the old one is shown";
  ASSERT_TRUE(kept.show_new_line(0, false).ok());
  history::Timeline line = timeline(store, "another");
  EXPECT_EQ(letters(line), "a");
  EXPECT_EQ(labels(line), "test/test_z.py:TestZ= ");
  EXPECT_EQ(line.begins, "anew");
  EXPECT_TRUE(line.listed().empty());
  ASSERT_TRUE(kept.drop_old_measures().ok());
  EXPECT_EQ(answer("SELECT count(*) FROM measure"), "1|");
  EXPECT_EQ(answer("SELECT count(*) FROM class_measure"), "1|");
}

TEST_F(HistoryTest, WhatIsOlderThanARebuiltLineStays) {
  Store store = open();
  three_commits(*std::make_unique<History>(open(store)));
  History kept = open(store, "another");
  ASSERT_TRUE(kept.set_state(kNewLine, {}).ok());
  Walk walk(kept, kNewLine);
  // As of commit b, but for test_y.py, which today's settings leave out.
  ASSERT_TRUE(
      walk.put("test/test_x.py", file_with("TestX", "", true)).list("test/test_y.py", true).commit('b').ok());
  ASSERT_TRUE(walk.put("test/test_x.py", file_with("TestX", "GENERIC")).commit('c').ok());
  ASSERT_TRUE(walk.put("test/test_w.py", file_with("TestW")).commit('d').ok());
  ASSERT_TRUE(kept.show_new_line(2, false).ok());
  history::Timeline line = timeline(store, "another");
  EXPECT_EQ(letters(line), "a!bcd");
  EXPECT_TRUE(line.commits[1].new_ruler);
  EXPECT_FALSE(line.commits[2].new_ruler);
  EXPECT_EQ(labels(line), "test/test_w.py:TestW= test/test_x.py:TestX=GENERIC ");
  EXPECT_EQ(line.listed().size(), 1u) << "test_x.py left it with commit b";
  ASSERT_TRUE(kept.drop_old_measures().ok());
  EXPECT_EQ(labels(timeline(store)), "test/test_w.py:TestW= test/test_x.py:TestX=GENERIC ")
      << "what is shown is kept";
}

TEST_F(HistoryTest, ARebuiltLineAfterAGap) {
  Store store = open();
  three_commits(*std::make_unique<History>(open(store)));
  History kept = open(store, "another");
  ASSERT_TRUE(kept.set_state(kNewLine, {}).ok());
  Walk walk(kept, kNewLine);
  ASSERT_TRUE(walk.put("test/test_w.py", file_with("TestW")).commit('e').ok());
  ASSERT_TRUE(kept.show_new_line(4, true).ok());
  history::Timeline line = timeline(store, "another");
  EXPECT_EQ(letters(line), "a!b!c!~e");
  EXPECT_EQ(labels(line), "test/test_w.py:TestW= ");
  EXPECT_TRUE(line.listed().empty());
}

TEST_F(HistoryTest, TwoThatWriteAtOnceDoNotMixTheirCommits) {
  Store one = open();
  Store two = open();
  History first = open(one);
  History second = open(two);
  ASSERT_TRUE(first.commits(kShownLine).ok());
  ASSERT_TRUE(second.commits(kShownLine).ok());
  Walk walk(first, kShownLine);
  Walk other(second, kShownLine);
  ASSERT_TRUE(walk.put("test/test_x.py", file_with("TestX")).commit('a').ok());
  Status late = other.put("test/test_y.py", file_with("TestY")).commit('a');
  ASSERT_FALSE(late.ok());
  EXPECT_THAT(to_string(late.error()), HasSubstr("another hwsift"));
  ASSERT_TRUE(walk.put("test/test_x.py", file_with("TestX", "CPU")).commit('b').ok());
  EXPECT_FALSE(second.cut(kShownLine, 0, true).ok()) << "nor take away what it does not know";
  EXPECT_FALSE(second.clear(kShownLine).ok());
  EXPECT_FALSE(second.show_new_line(0, false).ok());
  EXPECT_EQ(letters(timeline(two)), "ab");
  ASSERT_TRUE(second.commits(kShownLine).ok()) << "it looks again";
  ASSERT_TRUE(second.cut(kShownLine, 1, true).ok());
  EXPECT_FALSE(walk.put("test/test_z.py", file_with("TestZ")).commit('c').ok());
  EXPECT_EQ(letters(timeline(one)), "a");
}

TEST_F(HistoryTest, NothingOfACommitThatCannotBeWritten) {
  Store store = open();
  History kept = open(store);
  three_commits(kept);
  execute("CREATE TRIGGER no BEFORE INSERT ON allowlist_step BEGIN SELECT raise(ABORT, 'disk is gone'); END");
  Walk walk(kept, kShownLine);
  Status failed = walk.put("test/test_q.py", file_with("TestQ")).list("x", true).commit('d');
  ASSERT_FALSE(failed.ok());
  EXPECT_THAT(to_string(failed.error()), HasSubstr("disk is gone"));
  EXPECT_EQ(letters(timeline(store)), "abc");
  EXPECT_EQ(answer("SELECT count(*) FROM measure WHERE path = 'test/test_q.py'"), "0|");
}

TEST_F(HistoryTest, ADamagedCellIsNamed) {
  Store store = open();
  History kept = open(store);
  three_commits(kept);
  execute("UPDATE measure SET findings = '[' WHERE path = 'test/test_y.py'");
  Result<history::Timeline> line = read_timeline(store, kFingerprint);
  ASSERT_FALSE(line.ok());
  EXPECT_THAT(to_string(line.error()), HasSubstr("test/test_y.py"));
  EXPECT_THAT(kept.kept("test/test_y.py", blob_hash(file_with("TestY"))), IsEmpty()) << "cache";
}

TEST_F(HistoryTest, CellsOfAnyTypeAreNoHarm) {
  Store store = open();
  History kept = open(store);
  three_commits(kept);
  execute(
      "UPDATE line_commit SET date = 7, author = x'ff00', classes = 'many'; UPDATE version SET path = 5 "
      "WHERE "
      "position = 1; UPDATE allowlist_step SET added = 'x'; UPDATE line_state SET every = 'day'; "
      "UPDATE class_measure SET uses = 1e300, name = x'00'");
  EXPECT_EQ(letters(timeline(store)), "abc");
  EXPECT_TRUE(kept.files_at_end(kShownLine).ok());
}

// --- files of other versions and other programs ---

std::string first_schema() {
  std::string schema(embedded::schema());
  return schema.substr(0, schema.find("-- @version 2")) + "PRAGMA user_version = 1;";
}

TEST_F(HistoryTest, ADatabaseOfTheFirstVersionKeepsItsRuns) {
  execute(first_schema() +
          "INSERT INTO run VALUES (1, '2026-01-01T00:00:00Z', 3, 'cpu', '{}');"
          "INSERT INTO test VALUES (1, 'test/test_x.py::TestX::test_a', 'test/test_x.py');"
          "INSERT INTO result VALUES (1, 1, 'passed', 2.5, 1);");
  EXPECT_EQ(answer("SELECT count(*) FROM run"), "1|") << "an older one can be asked as it is";
  EXPECT_EQ(answer("PRAGMA user_version"), "1|");
  Store store = open();
  EXPECT_EQ(store.contents()->runs, 1);
  EXPECT_EQ(store.test_seconds("cpu")->at("test/test_x.py::TestX::test_a"), 2.5);
  History kept = open(store);
  three_commits(kept);
  EXPECT_EQ(letters(timeline(store)), "abc");
  EXPECT_EQ(answer("PRAGMA user_version"), "2|");
}

TEST_F(HistoryTest, TwoThatMigrateAtOnce) {
  execute(first_schema());
  Result<Store> one = Store::open(file());
  Result<Store> two = Store::open(file());
  EXPECT_TRUE(one.ok() && two.ok());
}

TEST_F(HistoryTest, ADatabaseOfAnotherProgramIsLeftAsItIs) {
  for (const char* sql :
       {"CREATE TABLE notes (text)", "PRAGMA user_version = 1; CREATE TABLE run (x)",
        "PRAGMA user_version = 2; CREATE TABLE run (x)", "PRAGMA application_id = 7; CREATE TABLE x (y)",
        "PRAGMA journal_mode = WAL; CREATE TABLE notes (text); INSERT INTO notes VALUES (1)"}) {
    std::filesystem::remove(file());
    execute(sql);
    std::string before = bytes();
    Result<Store> store = Store::open(file());
    ASSERT_FALSE(store.ok()) << sql;
    EXPECT_THAT(to_string(store.error()), HasSubstr("another program")) << sql;
    EXPECT_THAT(to_string(store.error()), HasSubstr(file()));
    EXPECT_THAT(answer("SELECT 1"), HasSubstr("another program"));
    EXPECT_EQ(bytes(), before) << sql;
    EXPECT_THAT(names(), ElementsAre("hwsift.sqlite")) << sql;
  }
}

// A program that was killed: its last words are in the write-ahead log.
TEST_F(HistoryTest, TheLogOfAnotherProgramIsLeftAsItIs) {
  execute("PRAGMA journal_mode = WAL; CREATE TABLE notes (text)");
  std::string wal;
  {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &handle), SQLITE_OK);
    sqlite3_exec(handle, "INSERT INTO notes VALUES ('last words')", nullptr, nullptr, nullptr);
    wal = bytes("hwsift.sqlite-wal");
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite3_close(handle);
  }
  ASSERT_NE(wal, "");
  std::string before = bytes();
  EXPECT_FALSE(Store::open(file()).ok());
  EXPECT_FALSE(query(file(), "SELECT 1").ok());
  EXPECT_EQ(bytes(), before);
  EXPECT_EQ(bytes("hwsift.sqlite-wal"), wal);
}

TEST_F(HistoryTest, ABrokenDatabaseIsLeftAsItIs) {
  {
    Store store = open();
    History kept = open(store);
    three_commits(kept);
  }
  std::string whole = bytes();
  for (std::size_t at : {std::size_t{0}, std::size_t{100}, std::size_t{4096 + 8}, whole.size() / 2}) {
    std::string broken = whole;
    for (std::size_t i = at; i < at + 64; ++i) broken[i] = '\x7f';
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << broken;
    Result<Store> store = Store::open(file());
    if (store.ok()) {
      Result<history::Timeline> line = read_timeline(*store, kFingerprint);
      if (!line.ok()) {
        EXPECT_THAT(to_string(line.error()), HasSubstr(file()));
      }
      continue;
    }
    EXPECT_THAT(to_string(store.error()), HasSubstr(file())) << at;
    EXPECT_THAT(to_string(store.error()), HasSubstr("--db")) << at;
    EXPECT_EQ(bytes(), broken) << at;
  }
  for (std::size_t size : {std::size_t{10}, std::size_t{100}, std::size_t{5000}}) {
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << whole.substr(0, size);
    Result<Store> store = Store::open(file());
    if (!store.ok()) {
      EXPECT_EQ(bytes(), whole.substr(0, size)) << size;
    }
  }
}

// The sheet of the schema is broken, in a file whose version is 0.
TEST_F(HistoryTest, ABrokenDatabaseWithoutAVersionIsLeftAsItIs) {
  execute("CREATE TABLE notes (text)");
  std::string broken = bytes();
  for (std::size_t i = 100; i < 164; ++i) broken[i] = '\x7f';
  std::ofstream(file(), std::ios::binary | std::ios::trunc) << broken;
  EXPECT_FALSE(Store::open(file()).ok());
  EXPECT_EQ(bytes(), broken);
}

TEST_F(HistoryTest, AnEmptyFileBecomesADatabase) {
  std::ofstream(file(), std::ios::binary) << "";
  Store store = open();
  EXPECT_EQ(store.contents()->runs, 0);
}

// --- questions ---

class QueryTest : public HistoryTest {
 protected:
  QueryTest() {
    Store store = open();
    History kept = open(store);
    three_commits(kept);
  }
};

TEST_F(QueryTest, Answers) {
  Result<Table> table =
      query(file(), "SELECT author, classes, 0.5 AS half, NULL, x'00ff' FROM line_commit LIMIT 1");
  ASSERT_TRUE(table.ok()) << to_string(table.error());
  EXPECT_THAT(table->columns, ElementsAre("author", "classes", "half", "NULL", "x'00ff'"));
  ASSERT_THAT(table->rows, SizeIs(1));
  const std::vector<Cell>& row = table->rows[0];
  EXPECT_EQ(row[0].text, "Author a");
  EXPECT_EQ(row[1].kind, Cell::Kind::integer);
  EXPECT_EQ(row[2].kind, Cell::Kind::real);
  EXPECT_EQ(row[3].kind, Cell::Kind::null);
  EXPECT_EQ(row[4].text, "00ff");
  EXPECT_EQ(answer("SELECT x'', '', 'a' || char(0) || 'b', cast(x'ff41' AS TEXT)"),
            std::string("||a\0b|", 6) + "\xef\xbf\xbd" + "A|");
  EXPECT_EQ(answer("SELECT count(*) FROM run WHERE 0"), "0|");
  EXPECT_EQ(answer("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3) SELECT i FROM n"),
            "1|2|3|");
  EXPECT_EQ(answer("SELECT 1; -- that is all\n /* no more */ ;"), "1|") << "a comment is no second statement";
  EXPECT_EQ(answer("VALUES (1), (2)"), "1|2|");
  EXPECT_THAT(answer("PRAGMA table_info(run)"), HasSubstr("started|TEXT"));
}

TEST_F(QueryTest, NothingIsWritten) {
  std::string before = bytes();
  std::string other = join_path(folder_, "other.sqlite");
  for (const std::string& sql : {std::string("INSERT INTO run VALUES (9, '', 0, '', '')"),
                                 std::string("DELETE FROM run"),
                                 std::string("UPDATE line_commit SET author = ''"),
                                 std::string("DROP TABLE run"),
                                 std::string("CREATE TABLE x (y)"),
                                 std::string("CREATE TEMP TABLE x (y)"),
                                 std::string("CREATE TEMP VIEW x AS SELECT 1"),
                                 std::string("PRAGMA user_version = 99"),
                                 std::string("PRAGMA journal_mode = DELETE"),
                                 std::string("PRAGMA writable_schema = ON"),
                                 std::string("PRAGMA wal_checkpoint(TRUNCATE)"),
                                 "ATTACH '" + other + "' AS o",
                                 "VACUUM INTO '" + other + "'",
                                 std::string("VACUUM"),
                                 std::string("REINDEX"),
                                 std::string("ANALYZE"),
                                 std::string("BEGIN EXCLUSIVE"),
                                 std::string("SAVEPOINT s"),
                                 std::string("SELECT load_extension('x')"),
                                 std::string("DETACH main"),
                                 std::string("INSERT INTO run SELECT * FROM run RETURNING id"),
                                 std::string("EXPLAIN DELETE FROM run"),
                                 std::string("SELECT 1; DELETE FROM run"),
                                 std::string("SELECT 1; SELECT 2"),
                                 std::string("SELECT 1; nonsense"),
                                 std::string(""),
                                 std::string("  -- nothing\n"),
                                 std::string("SELECT"),
                                 std::string("SELECT * FROM nowhere")}) {
    Result<Table> table = query(file(), sql);
    EXPECT_FALSE(table.ok()) << sql;
  }
  for (const char* sql :
       {"PRAGMA wal_checkpoint", "PRAGMA optimize", "PRAGMA incremental_vacuum", "PRAGMA journal_mode"})
    static_cast<void>(query(file(), sql));
  EXPECT_EQ(bytes(), before);
  EXPECT_FALSE(std::filesystem::exists(other));
  EXPECT_THAT(names(), ElementsAre("hwsift.sqlite")) << "nor is anything left behind";
}

TEST_F(QueryTest, AnswersHaveLimits) {
  constexpr char kRows[] = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
  EXPECT_THAT(to_string(query(file(), kRows).error()), HasSubstr("LIMIT"));
  EXPECT_FALSE(query(file(), "SELECT zeroblob(900000000)").ok());
  EXPECT_FALSE(query(file(), "SELECT hex(randomblob(400000000))").ok());
}

TEST_F(QueryTest, AQuestionEndsInTime) {
  QueryLimits limits;
  limits.seconds = 0.05;
  Result<Table> table =
      query(file(), "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
            limits);
  ASSERT_FALSE(table.ok());
  EXPECT_THAT(to_string(table.error()), testing::AllOf(HasSubstr("0.05 s"), HasSubstr("--timeout")));
  limits = {};
  limits.bytes = 1 << 20;
  table = query(
      file(), "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT zeroblob(9999) FROM n",
      limits);
  ASSERT_FALSE(table.ok());
  EXPECT_THAT(to_string(table.error()), HasSubstr("larger than 1 MB"));
}

// The answer of someone who may not write to the folder, nor to the file: 0 where `works` holds.
int as_a_reader(const std::string& folder, const std::function<bool()>& works) {
  namespace fs = std::filesystem;
  constexpr fs::perms kRead = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
  constexpr fs::perms kEnter = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    fs::permissions(entry.path(), kRead);
  fs::permissions(folder, kRead | kEnter);
  constexpr uid_t kNobody = 65534;
  pid_t child = ::fork();
  if (child == 0) {
    bool can_try = ::geteuid() != 0 || ::setuid(kNobody) == 0;
    ::_exit(can_try && works() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  fs::permissions(folder, fs::perms::owner_all);
  return status;
}

TEST_F(QueryTest, WhereNothingCanBeWritten) {
  EXPECT_EQ(as_a_reader(folder_,
                        [&] {
                          Result<Table> table = query(file(), "SELECT count(*) FROM allowlist_step");
                          Result<Store> store = Store::open_to_read(file());
                          return table.ok() && table->rows.size() == 1 && store.ok() &&
                                 store->contents().ok() && !Store::open(file()).ok() &&
                                 !store->record_run({}).ok();
                        }),
            0);
  EXPECT_THAT(names(), ElementsAre("hwsift.sqlite")) << "nor is a log left behind";
}

TEST_F(QueryTest, ALogBesideAFixedFileIsNotPassedOver) {
  std::filesystem::copy(file(), file() + ".copy");
  {
    Store store = open();
    ASSERT_EQ(sqlite3_exec(store.handle(), "DELETE FROM allowlist_step", nullptr, nullptr, nullptr),
              SQLITE_OK);
    std::filesystem::copy(file() + "-wal", file() + ".copy-wal");
  }
  EXPECT_EQ(as_a_reader(folder_,
                        [&] {
                          Result<Table> table =
                              query(file() + ".copy", "SELECT count(*) FROM allowlist_step");
                          return !table.ok() && to_string(table.error()).find("log") != std::string::npos;
                        }),
            0);
}

TEST_F(QueryTest, WhileAnotherWrites) {
  Store store = open();
  sqlite3_exec(store.handle(), "BEGIN IMMEDIATE; DELETE FROM allowlist_step", nullptr, nullptr, nullptr);
  EXPECT_EQ(answer("SELECT count(*) FROM allowlist_step"), "3|") << "what was there before";
}

}  // namespace
}  // namespace hwsift::store
