#include "store/store.h"

#include <string_view>
#include <vector>

#include "base/json.h"
#include "embedded/schema.h"
#include "store/statement.h"

namespace hwsift::store {
namespace {

constexpr long long kApplicationId = 1752658790;  // as schema.sql sets it

// The sections of schema.sql: what each version adds.
std::vector<std::string> migrations() {
  constexpr std::string_view kMark = "\n-- @version ";
  std::string_view schema = embedded::schema();
  std::vector<std::string> parts;
  for (std::size_t at = schema.find(kMark); at != std::string_view::npos;) {
    std::size_t next = schema.find(kMark, at + 1);
    parts.emplace_back(schema.substr(at, next == std::string_view::npos ? next : next - at));
    at = next;
  }
  return parts;
}

long long number_of(sqlite3* handle, const char* sql) {
  Statement statement(handle, sql);
  return statement.row() ? statement.number(0) : -1;
}

// A database of something else, whose tables must not get ours for neighbours.
bool is_foreign(sqlite3* handle, long long version) {
  long long tables = number_of(handle, "SELECT count(*) FROM sqlite_master");
  if (version == 0) return tables > 0;
  if (version > 1) return number_of(handle, "PRAGMA application_id") != kApplicationId;
  return number_of(handle, "SELECT count(*) FROM sqlite_master WHERE name IN ('run', 'test', 'result')") != 3;
}

// The names of the tables that these sections make.
std::vector<std::string> tables_of(const std::vector<std::string>& parts, long long version) {
  constexpr std::string_view kMake = "CREATE TABLE ";
  std::vector<std::string> tables;
  for (std::size_t i = 0; i < parts.size() && i < static_cast<std::size_t>(version); ++i)
    for (std::size_t at = parts[i].find(kMake); at != std::string::npos; at = parts[i].find(kMake, at + 1)) {
      std::size_t name = at + kMake.size();
      tables.push_back(parts[i].substr(name, parts[i].find(' ', name) - name));
    }
  return tables;
}

// "" where all are there.
std::string missing_table(sqlite3* handle, long long version) {
  for (const std::string& table : tables_of(migrations(), version)) {
    Statement statement(handle, "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?");
    statement.bind(1, table);
    if (statement.row() && statement.number(0) == 0) return table;
  }
  return "";
}

bool migrate(sqlite3* handle, long long from) {
  std::vector<std::string> parts = migrations();
  for (std::size_t i = static_cast<std::size_t>(from); i < parts.size(); ++i)
    if (!execute(handle, parts[i])) return false;
  return execute(handle, "PRAGMA user_version = " + std::to_string(parts.size()));
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

Result<Store> Store::open(const std::string& file) {
  Result<Handle> handle = connect(file, Access::create);
  if (!handle.ok()) return handle.error();
  Store store(file, std::move(*handle));
  if (Status ready = store.prepare_schema(); !ready.ok()) return ready.error();
  return store;
}

Result<Store> Store::open_to_read(const std::string& file) {
  Result<Handle> handle = connect(file, Access::read);
  if (!handle.ok()) return handle.error();
  bool is_fixed = sqlite3_db_readonly(handle->get(), "main") == 1;
  if (!is_fixed) return open(file);
  Store store(file, std::move(*handle));
  long long version = 0;
  if (Status ours = store.check_origin(version); !ours.ok()) return ours.error();
  if (version < kSchemaVersion)
    return Error{file, "written by an older hwsift, and cannot be brought up to date: it is read-only",
                 "name a copy of it with --db"};
  return store;
}

namespace {

// The time of one look: what others write meanwhile is not seen.
class Look {
 public:
  explicit Look(sqlite3* handle) : handle_(handle), mine_(sqlite3_get_autocommit(handle) != 0) {
    if (mine_) execute(handle_, "BEGIN");
  }
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;
  ~Look() {
    if (mine_) execute(handle_, "COMMIT");
  }

 private:
  sqlite3* handle_;
  bool mine_;
};

}  // namespace

// Nothing is written before the file is known to be ours: not even the journal's mode, which is kept in it.
Status Store::check_origin(long long& version) {
  sqlite3* handle = handle_.get();
  Look look(handle);
  version = number_of(handle, "PRAGMA user_version");
  if (version < 0)
    return has_failed(handle)
               ? database_error(file_, "read the database", handle)
               : Error{file_, "its version is no number that hwsift gives", "name another file with --db"};
  bool foreign = is_foreign(handle, version);
  if (has_failed(handle)) return database_error(file_, "read the database", handle);
  if (foreign) return Error{file_, "a database of another program", "name another file with --db"};
  if (version > kSchemaVersion)
    return Error{file_, "written by a newer hwsift (schema " + std::to_string(version) + ")",
                 "update hwsift, or name another file with --db"};
  if (std::string table = missing_table(handle, version); !table.empty())
    return Error{file_, "damaged: the table '" + table + "' is missing",
                 "move it away, or name another file with --db"};
  return {};
}

Status Store::check_file(const std::string& file) {
  Result<Handle> handle = connect(file, Access::read);
  if (!handle.ok()) return handle.error();
  Store store(file, std::move(*handle));
  long long version = 0;
  return store.check_origin(version);
}

namespace {

// SQLite does not wait for its lock where two set up one file at a time.
bool set_up_connection(sqlite3* handle) {
  constexpr int kPause = 10;  // milliseconds
  for (int waited = 0;; waited += kPause) {
    if (execute(handle, "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL"))
      return true;
    if ((sqlite3_errcode(handle) & 0xff) != SQLITE_BUSY || waited >= kBusyMilliseconds) return false;
    sqlite3_sleep(kPause);
  }
}

}  // namespace

Status Store::prepare_schema() {
  sqlite3* handle = handle_.get();
  long long version = 0;
  leave_log(handle, has_log(file_));
  if (Status ours = check_origin(version); !ours.ok()) return ours;
  leave_log(handle, false);
  if (sqlite3_db_readonly(handle, "main") == 1)
    return Error{file_, "the database is read-only", "name another file with --db"};
  if (!set_up_connection(handle)) return database_error(file_, "write to the database", handle);
  if (version == kSchemaVersion) return {};
  Transaction transaction(handle);
  if (!transaction.begun()) return database_error(file_, "write to the database", handle);
  if (Status ours = check_origin(version); !ours.ok()) return ours;  // another hwsift may have been first
  if (!migrate(handle, version) || !transaction.commit())
    return database_error(file_, "set up the database", handle);
  return {};
}

Status Store::record_run(const runner::RunRecord& record) {
  sqlite3* handle = handle_.get();
  Transaction transaction(handle);
  if (!transaction.begun()) return database_error(file_, "write to the database", handle);
  if (!insert_run(handle, record) || !insert_results(handle, record) || !transaction.commit())
    return database_error(file_, "record the run", handle);
  return {};
}

Result<std::map<std::string, double>> Store::seconds_by(const char* sql, const std::string& device,
                                                        int last) {
  Statement statement(handle_.get(), sql);
  statement.bind(1, device);
  statement.bind(2, static_cast<long long>(last));
  std::map<std::string, double> seconds;
  while (statement.row()) seconds[statement.text(0)] = statement.real(1);
  if (has_failed(handle_.get())) return database_error(file_, "read the database", handle_.get());
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
  if (has_failed(handle_.get())) return database_error(file_, "read the database", handle_.get());
  return failed;
}

Result<Contents> Store::contents() {
  Statement statement(
      handle_.get(),
      "SELECT (SELECT count(*) FROM run), "
      "(SELECT count(*) FROM line_commit WHERE line = 0 AND point = 1), (SELECT count(*) FROM item)");
  if (!statement.row()) return database_error(file_, "read the database", handle_.get());
  return Contents{statement.number(0), statement.number(1), statement.number(2)};
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
