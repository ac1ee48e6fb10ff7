// SQLite as the files of this folder use it: statements and transactions for the time of a scope, and errors
// that say what to do.
#pragma once

#include <sqlite3.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace hwsift::store {

// What went wrong last on this connection: "cannot record the run: disk is full".
Error database_error(const std::string& file, const std::string& doing, sqlite3* handle);
// Whether the last call on this connection failed. (Stepping to the end of rows is no failure.)
bool has_failed(sqlite3* handle);
bool execute(sqlite3* handle, const std::string& sql);

// Binding to an invalid statement and stepping it fail, and `run` says so.
class Statement {
 public:
  Statement(sqlite3* handle, const char* sql) { sqlite3_prepare_v2(handle, sql, -1, &statement_, nullptr); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  void bind(int at, const std::string& text) {
    sqlite3_bind_text(statement_, at, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  void bind(int at, double value) { sqlite3_bind_double(statement_, at, value); }
  void bind(int at, long long value) { sqlite3_bind_int64(statement_, at, value); }
  // The bytes must stay until the statement has run.
  void bind_bytes(int at, std::string_view bytes) {
    sqlite3_bind_blob64(statement_, at, bytes.data(), bytes.size(), SQLITE_STATIC);
  }
  void bind_null(int at) { sqlite3_bind_null(statement_, at); }

  bool row() { return statement_ != nullptr && sqlite3_step(statement_) == SQLITE_ROW; }
  // Runs to the end, ready to run again; false where that failed.
  bool run();
  void reset() { sqlite3_reset(statement_); }
  bool valid() const { return statement_ != nullptr; }

  bool is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  std::string text(int column) const;
  // Until the next step or reset.
  std::string_view bytes(int column) const;
  long long number(int column) const { return sqlite3_column_int64(statement_, column); }
  double real(int column) const { return sqlite3_column_double(statement_, column); }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

// Takes back what was written since, unless it was committed.
class Transaction {
 public:
  explicit Transaction(sqlite3* handle) : handle_(handle), open_(execute(handle, "BEGIN IMMEDIATE")) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (open_) execute(handle_, "ROLLBACK");
  }
  bool begun() const { return open_; }
  bool commit() {
    bool done = open_ && execute(handle_, "COMMIT");
    if (done) open_ = false;
    return done;
  }

 private:
  sqlite3* handle_;
  bool open_;
};

}  // namespace hwsift::store
