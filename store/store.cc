#include "store/store.h"

#include <sqlite3.h>

#include "base/json.h"
#include "embedded/schema.h"

namespace hwsift::store {
namespace {

constexpr int kBusyMilliseconds = 10000;

Error database_error(const std::string& file, const std::string& doing, sqlite3* handle) {
  int code = sqlite3_extended_errcode(handle) & 0xff;
  std::string hint = "name another file with --db";
  if (code == SQLITE_NOTADB)
    hint = "it is no database of hwsift: name another file with --db, or move it away";
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) hint = "another process holds it: try again";
  if (code == SQLITE_FULL) hint = "free some disk space";
  return {file, "cannot " + doing + ": " + sqlite3_errmsg(handle), hint};
}

// A statement for the time of a scope.
class Statement {
 public:
  Statement(sqlite3* handle, const char* sql) { sqlite3_prepare_v2(handle, sql, -1, &statement_, nullptr); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  // An invalid statement is null; binding to it and stepping it fail, and `run` says so.
  void bind(int at, const std::string& text) {
    sqlite3_bind_text(statement_, at, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  void bind(int at, double value) { sqlite3_bind_double(statement_, at, value); }
  void bind(int at, long long value) { sqlite3_bind_int64(statement_, at, value); }

  bool row() { return statement_ != nullptr && sqlite3_step(statement_) == SQLITE_ROW; }
  // Runs to the end; false where that failed.
  bool run() {
    if (statement_ == nullptr) return false;
    int code = sqlite3_step(statement_);
    while (code == SQLITE_ROW) code = sqlite3_step(statement_);
    sqlite3_reset(statement_);
    return code == SQLITE_DONE;
  }
  std::string text(int column) const {
    const unsigned char* bytes = sqlite3_column_text(statement_, column);
    return bytes == nullptr ? "" : std::string(reinterpret_cast<const char*>(bytes));
  }
  long long number(int column) const { return sqlite3_column_int64(statement_, column); }
  double real(int column) const { return sqlite3_column_double(statement_, column); }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

bool execute(sqlite3* handle, const std::string& sql) {
  return sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

bool insert_run(sqlite3* handle, const runner::RunRecord& record) {
  Statement statement(handle, "INSERT INTO run (started, seconds, device, environment) VALUES (?, ?, ?, ?)");
  statement.bind(1, record.started);
  statement.bind(2, record.seconds);
  statement.bind(3, record.device);
  statement.bind(4, dump_json(Json(record.environment), -1));
  return statement.run();
}

bool insert_results(sqlite3* handle, const runner::RunRecord& record) {
  long long run = sqlite3_last_insert_rowid(handle);
  Statement test(handle, "INSERT OR IGNORE INTO test (node, path) VALUES (?, ?)");
  Statement result(handle,
                   "INSERT OR REPLACE INTO result (run, test, outcome, seconds, attempts) "
                   "SELECT ?, id, ?, ?, ? FROM test WHERE node = ?");
  for (const runner::TestResult& one : record.results) {
    test.bind(1, one.id);
    test.bind(2, one.path);
    result.bind(1, run);
    result.bind(2, std::string(word(one.outcome)));
    result.bind(3, one.seconds);
    result.bind(4, static_cast<long long>(one.attempts));
    result.bind(5, one.id);
    if (!test.run() || !result.run()) return false;
  }
  return true;
}

// The last results of each test that came to an end by itself.
constexpr const char* kTestSeconds = R"(
  WITH recent AS (
    SELECT test, result.seconds AS seconds, row_number() OVER (PARTITION BY test ORDER BY run DESC) AS age
    FROM result JOIN run ON run.id = result.run
    WHERE run.device = ?1 AND outcome IN ('passed', 'failed', 'xfailed', 'xpassed', 'skipped'))
  SELECT node, avg(seconds) FROM recent JOIN test ON test.id = recent.test WHERE age <= ?2 GROUP BY test ORDER BY node)";

constexpr const char* kFileSeconds = R"(
  WITH recent AS (
    SELECT test, result.seconds AS seconds, row_number() OVER (PARTITION BY test ORDER BY run DESC) AS age
    FROM result JOIN run ON run.id = result.run
    WHERE run.device = ?1 AND outcome IN ('passed', 'failed', 'xfailed', 'xpassed', 'skipped')),
  means AS (SELECT test, avg(seconds) AS mean FROM recent WHERE age <= ?2 GROUP BY test)
  SELECT path, sum(mean) FROM means JOIN test ON test.id = means.test GROUP BY path ORDER BY path)";

constexpr const char* kFailedTests = R"(
  WITH latest AS (
    SELECT test, outcome, row_number() OVER (PARTITION BY test ORDER BY run DESC) AS age
    FROM result JOIN run ON run.id = result.run WHERE run.device = ?1)
  SELECT node FROM latest JOIN test ON test.id = latest.test
  WHERE age = 1 AND outcome IN ('failed', 'error', 'crashed', 'timeout') ORDER BY node)";

}  // namespace

void Store::Close::operator()(sqlite3* handle) const { sqlite3_close(handle); }

Result<Store> Store::open(const std::string& file) {
  sqlite3* handle = nullptr;
  int code = sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  if (handle == nullptr) return Error{file, "cannot open the database: out of memory", ""};
  Store store(file, handle);
  if (code != SQLITE_OK) return database_error(file, "open the database", handle);
  sqlite3_busy_timeout(handle, kBusyMilliseconds);
  if (Status ready = store.prepare_schema(); !ready.ok()) return ready.error();
  return store;
}

Status Store::prepare_schema() {
  sqlite3* handle = handle_.get();
  if (sqlite3_db_readonly(handle, "main") == 1)
    return Error{file_, "the database is read-only", "name another file with --db"};
  if (!execute(handle,
               "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; BEGIN "
               "IMMEDIATE"))
    return database_error(file_, "write to the database", handle);
  Statement version(handle, "PRAGMA user_version");
  long long found = version.row() ? version.number(0) : 0;
  version.run();
  bool fine = true;
  if (found == 0)
    fine = execute(handle, std::string(embedded::schema())) &&
           execute(handle, "PRAGMA user_version = " + std::to_string(kSchemaVersion));
  Error failure = fine ? Error{} : database_error(file_, "set up the database", handle);
  execute(handle, fine ? "COMMIT" : "ROLLBACK");
  if (!fine) return failure;
  if (found > kSchemaVersion)
    return Error{file_, "written by a newer hwsift (schema " + std::to_string(found) + ")",
                 "update hwsift, or name another file with --db"};
  return {};
}

Status Store::record_run(const runner::RunRecord& record) {
  sqlite3* handle = handle_.get();
  if (!execute(handle, "BEGIN IMMEDIATE")) return database_error(file_, "write to the database", handle);
  bool fine = insert_run(handle, record) && insert_results(handle, record) && execute(handle, "COMMIT");
  if (fine) return {};
  Error failure = database_error(file_, "record the run", handle);
  execute(handle, "ROLLBACK");
  return failure;
}

Result<std::map<std::string, double>> Store::seconds_by(const char* sql, const std::string& device,
                                                        int last) {
  Statement statement(handle_.get(), sql);
  statement.bind(1, device);
  statement.bind(2, static_cast<long long>(last));
  std::map<std::string, double> seconds;
  while (statement.row()) seconds[statement.text(0)] = statement.real(1);
  int code = sqlite3_errcode(handle_.get());
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
    return database_error(file_, "read the database", handle_.get());
  return seconds;
}

Result<std::map<std::string, double>> Store::test_seconds(const std::string& device, int last) {
  return seconds_by(kTestSeconds, device, last);
}

Result<std::map<std::string, double>> Store::file_seconds(const std::string& device, int last) {
  return seconds_by(kFileSeconds, device, last);
}

Result<std::set<std::string>> Store::failed_tests(const std::string& device) {
  Statement statement(handle_.get(), kFailedTests);
  statement.bind(1, device);
  std::set<std::string> failed;
  while (statement.row()) failed.insert(statement.text(0));
  int code = sqlite3_errcode(handle_.get());
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
    return database_error(file_, "read the database", handle_.get());
  return failed;
}

Result<long long> Store::count_runs() {
  Statement statement(handle_.get(), "SELECT count(*) FROM run");
  if (!statement.row()) return database_error(file_, "read the database", handle_.get());
  return statement.number(0);
}

Result<std::string> default_file(Disk& disk, const std::string& tree) {
  std::string folder = join_path(tree, ".hwsift");
  if (Status made = disk.make_folders(folder); !made.ok()) return made.error();
  std::string ignore = join_path(folder, ".gitignore");
  if (!disk.info(ignore).ok())
    if (Status written = disk.write(ignore, "*\n"); !written.ok()) return written.error();
  return join_path(folder, "hwsift.sqlite");
}

}  // namespace hwsift::store
