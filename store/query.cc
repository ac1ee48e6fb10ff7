#include "store/query.h"

#include <memory>
#include <string_view>

#include "base/text.h"
#include "store/statement.h"
#include "store/store.h"

namespace hwsift::store {
namespace {

struct CloseHandle {
  void operator()(sqlite3* handle) const { sqlite3_close(handle); }
};
using Handle = std::unique_ptr<sqlite3, CloseHandle>;

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

Result<Handle> open_to_read(const std::string& file) {
  sqlite3* raw = nullptr;
  // A read-only connection would leave files of its log behind.
  int code = sqlite3_open_v2(file.c_str(), &raw, SQLITE_OPEN_READWRITE, nullptr);
  Handle handle(raw);
  if (raw == nullptr) return Error{file, "cannot open the database: out of memory", ""};
  if (code != SQLITE_OK) return database_error(file, "open the database", raw);
  sqlite3_busy_timeout(raw, 10000);
  sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, kMostBytes);
  if (!execute(raw, "PRAGMA query_only = ON")) return database_error(file, "open the database", raw);
  return handle;
}

}  // namespace

Result<Table> query(const std::string& file, const std::string& sql) {
  if (Status ours = Store::check_file(file); !ours.ok()) return ours.error();
  Result<Handle> opened = open_to_read(file);
  if (!opened.ok()) return opened.error();
  sqlite3* handle = opened->get();
  sqlite3_set_authorizer(handle, authorize, nullptr);
  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  if (sqlite3_prepare_v2(handle, sql.c_str(), -1, &raw, &rest) != SQLITE_OK) return refused(sql, handle);
  std::unique_ptr<sqlite3_stmt, Finalize> statement(raw);
  if (raw == nullptr) return Error{"history query", "an empty statement", "give it a SELECT"};
  if (!is_nothing(handle, rest))
    return Error{"history query", "more than one statement", "ask one question at a time"};
  Table table;
  for (int i = 0; i < sqlite3_column_count(raw); ++i)
    table.columns.push_back(valid_utf8(sqlite3_column_name(raw, i)));
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(raw)) == SQLITE_ROW) {
    if (table.rows.size() == kMostRows)
      return Error{"history query", "more than " + std::to_string(kMostRows) + " rows", "add a LIMIT"};
    std::vector<Cell>& row = table.rows.emplace_back();
    for (int i = 0; i < sqlite3_column_count(raw); ++i) row.push_back(cell_of(raw, i));
  }
  if (code != SQLITE_DONE) return refused(sql, handle);
  return table;
}

}  // namespace hwsift::store
