#include "store/query.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <string_view>

#include "base/text.h"
#include "store/connection.h"
#include "store/statement.h"
#include "store/store.h"

namespace hwsift::store {
namespace {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

constexpr int kMostBytes = 16 << 20;  // of one cell

// Questions about the schema; these alone take a name.
bool asks_for_schema(std::string_view pragma) {
  for (std::string_view known : {"table_info", "table_xinfo", "index_list", "index_info", "index_xinfo",
                                 "foreign_key_list", "table_list"})
    if (pragma == known) return true;
  return false;
}

bool is_plain(std::string_view pragma) {
  for (std::string_view known : {"user_version", "application_id", "journal_mode", "integrity_check",
                                 "quick_check", "foreign_key_check", "page_count", "page_size"})
    if (pragma == known) return true;
  return false;
}

// The connection writes nothing already; this keeps a question from other files, and from changing the
// connection.
int authorize(void*, int action, const char* name, const char* value, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_FUNCTION:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_PRAGMA:
      return asks_for_schema(name) || (is_plain(name) && value == nullptr) ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

std::string hex_of(sqlite3_stmt* row, int column) {
  constexpr char kDigits[] = "0123456789abcdef";
  const unsigned char* bytes = static_cast<const unsigned char*>(sqlite3_column_blob(row, column));
  std::string text;
  for (int i = 0; i < sqlite3_column_bytes(row, column); ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

Cell cell_of(sqlite3_stmt* row, int column) {
  switch (sqlite3_column_type(row, column)) {
    case SQLITE_NULL:
      return {};
    case SQLITE_BLOB:
      return {Cell::Kind::text, hex_of(row, column)};
    default:
      break;
  }
  Cell::Kind kind = sqlite3_column_type(row, column) == SQLITE_INTEGER ? Cell::Kind::integer
                    : sqlite3_column_type(row, column) == SQLITE_FLOAT ? Cell::Kind::real
                                                                       : Cell::Kind::text;
  const unsigned char* bytes = sqlite3_column_text(row, column);
  std::string text(reinterpret_cast<const char*>(bytes),
                   static_cast<std::size_t>(sqlite3_column_bytes(row, column)));
  return {kind, valid_utf8(text)};
}

Error refused(const std::string& sql, sqlite3* handle) {
  std::string what = sqlite3_errmsg(handle);
  bool writes = sqlite3_errcode(handle) == SQLITE_AUTH || sqlite3_errcode(handle) == SQLITE_READONLY;
  if (writes) return {"history query", "only questions are answered (SELECT), and nothing is written", ""};
  return {"history query", what + " in: " + printable(sql),
          "'hwsift history query \"SELECT sql FROM sqlite_schema\"' shows the tables"};
}

// Blanks and comments.
bool is_nothing(sqlite3* handle, const char* sql) {
  while (*sql != '\0') {
    sqlite3_stmt* raw = nullptr;
    const char* rest = nullptr;
    if (sqlite3_prepare_v2(handle, sql, -1, &raw, &rest) != SQLITE_OK) return false;
    std::unique_ptr<sqlite3_stmt, Finalize> statement(raw);
    if (raw != nullptr) return false;
    sql = rest;
  }
  return true;
}

Result<Handle> open_to_ask(const std::string& file) {
  Result<Handle> handle = connect(file, Access::read);
  if (!handle.ok()) return handle;
  sqlite3_limit(handle->get(), SQLITE_LIMIT_LENGTH, kMostBytes);
  if (!execute(handle->get(), "PRAGMA query_only = ON"))
    return database_error(file, "open the database", handle->get());
  return handle;
}

// Ends a statement that takes too long.
class Deadline {
 public:
  Deadline(sqlite3* handle, double seconds)
      : end_(Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {
    constexpr int kSteps = 10000;  // of SQLite's machine, between two looks at the clock
    sqlite3_progress_handler(handle, kSteps, &Deadline::is_over, this);
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  static int is_over(void* self) { return Clock::now() >= static_cast<Deadline*>(self)->end_ ? 1 : 0; }
  Clock::time_point end_;
};

std::size_t size_of(const std::vector<Cell>& row) {
  std::size_t size = 0;
  for (const Cell& cell : row) size += cell.text.size();
  return size;
}

Result<Table> read_rows(sqlite3_stmt* statement, const std::string& sql, const QueryLimits& limits) {
  Table table;
  for (int i = 0; i < sqlite3_column_count(statement); ++i)
    table.columns.push_back(valid_utf8(sqlite3_column_name(statement, i)));
  std::size_t bytes = 0;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    if (table.rows.size() == limits.rows)
      return Error{"history query", "more than " + std::to_string(limits.rows) + " rows", "add a LIMIT"};
    std::vector<Cell>& row = table.rows.emplace_back();
    for (int i = 0; i < sqlite3_column_count(statement); ++i) row.push_back(cell_of(statement, i));
    bytes += size_of(row);
    if (bytes > limits.bytes)
      return Error{"history query", "the answer is larger than " + std::to_string(limits.bytes >> 20) + " MB",
                   "add a LIMIT, or ask for fewer columns"};
  }
  if (code == SQLITE_INTERRUPT)
    return Error{"history query", fmt::format("no answer within {} s", limits.seconds),
                 "narrow the question, or give it longer with --timeout SECONDS"};
  if (code != SQLITE_DONE) return refused(sql, sqlite3_db_handle(statement));
  return table;
}

}  // namespace

Result<Table> query(const std::string& file, const std::string& sql, const QueryLimits& limits) {
  if (Status ours = Store::check_file(file); !ours.ok()) return ours.error();
  Result<Handle> opened = open_to_ask(file);
  if (!opened.ok()) return opened.error();
  sqlite3* handle = opened->get();
  Deadline deadline(handle, limits.seconds);
  sqlite3_set_authorizer(handle, authorize, nullptr);
  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  if (sqlite3_prepare_v2(handle, sql.c_str(), -1, &raw, &rest) != SQLITE_OK) return refused(sql, handle);
  std::unique_ptr<sqlite3_stmt, Finalize> statement(raw);
  if (raw == nullptr) return Error{"history query", "an empty statement", "give it a SELECT"};
  if (!is_nothing(handle, rest))
    return Error{"history query", "more than one statement", "ask one question at a time"};
  return read_rows(raw, sql, limits);
}

}  // namespace hwsift::store
