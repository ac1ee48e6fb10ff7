#include "store/connection.h"

#include <fmt/format.h>

#include "base/disk.h"
#include "store/statement.h"

namespace hwsift::store {
namespace {

// To open a pipe would wait for its other end.
Status check_kind(const std::string& file) {
  Result<FileInfo> info = real_disk().info(file);
  if (!info.ok() || info->kind == FileInfo::Kind::file) return {};
  return Error{file, "not a regular file", "name another file with --db"};
}

// SQLite takes some names for more than a file: ":memory:", "file:...", "".
std::string plain_name(const std::string& file) { return file.starts_with('/') ? file : "./" + file; }

Result<Handle> open(const std::string& file, const std::string& name, int flags) {
  sqlite3* raw = nullptr;
  int code = sqlite3_open_v2(name.c_str(), &raw, flags, nullptr);
  Handle handle(raw);
  if (raw == nullptr) return Error{file, "cannot open the database: out of memory", ""};
  if (code != SQLITE_OK) return database_error(file, "open the database", raw);
  sqlite3_busy_timeout(raw, kBusyMilliseconds);
  return handle;
}

// The files that a log needs cannot be made beside the database.
bool lacks_room_for_log(sqlite3* handle) {
  if (execute(handle, "PRAGMA user_version")) return false;
  int code = sqlite3_errcode(handle) & 0xff;
  return code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
}

}  // namespace

std::string immutable_address(const std::string& file) {
  std::string address = "file:";
  for (char c : plain_name(file)) {
    bool is_mark = c == '%' || c == '?' || c == '#';
    address += is_mark ? fmt::format("%{:02X}", c) : std::string(1, c);
  }
  return address + "?immutable=1";
}

bool has_log(const std::string& file) {
  Result<FileInfo> log = real_disk().info(file + "-wal");
  return log.ok() && log->size > 0;
}

void leave_log(sqlite3* handle, bool leave) {
  sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, leave ? 1 : 0, nullptr);
}

Result<Handle> connect(const std::string& file, Access access) {
  if (Status fine = check_kind(file); !fine.ok()) return fine.error();
  int flags = SQLITE_OPEN_READWRITE | (access == Access::create ? SQLITE_OPEN_CREATE : 0);
  // To read, too: a read-only connection would leave files of its log behind.
  Result<Handle> handle = open(file, plain_name(file), flags);
  if (!handle.ok() || access == Access::create) return handle;
  leave_log(handle->get(), has_log(file));
  if (!lacks_room_for_log(handle->get())) return handle;
  if (has_log(file))
    return Error{file, "cannot be read: changes stand in its log, and nothing can be written beside it",
                 "open it once where its folder can be written to, or copy it together with its log"};
  return open(file, immutable_address(file), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

}  // namespace hwsift::store
