#include "store/statement.h"

namespace hwsift::store {

Error database_error(const std::string& file, const std::string& doing, sqlite3* handle) {
  int code = sqlite3_extended_errcode(handle) & 0xff;
  std::string hint = "name another file with --db";
  if (code == SQLITE_NOTADB)
    hint = "it is no database of hwsift: name another file with --db, or move it away";
  if (code == SQLITE_CORRUPT) hint = "it is damaged: move it away, or name another file with --db";
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) hint = "another process holds it: try again";
  if (code == SQLITE_FULL) hint = "free some disk space";
  return {file, "cannot " + doing + ": " + sqlite3_errmsg(handle), hint};
}

bool has_failed(sqlite3* handle) {
  int code = sqlite3_errcode(handle);
  return code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW;
}

bool execute(sqlite3* handle, const std::string& sql) {
  return sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

bool Statement::run() {
  if (statement_ == nullptr) return false;
  int code = sqlite3_step(statement_);
  while (code == SQLITE_ROW) code = sqlite3_step(statement_);
  sqlite3_reset(statement_);
  return code == SQLITE_DONE;
}

std::string Statement::text(int column) const {
  const unsigned char* bytes = sqlite3_column_text(statement_, column);
  if (bytes == nullptr) return "";
  return {reinterpret_cast<const char*>(bytes),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::string_view Statement::bytes(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

}  // namespace hwsift::store
