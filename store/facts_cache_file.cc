#include "store/facts_cache_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

#include "base/disk.h"
#include "base/environment.h"
#include "embedded/facts_cache_schema.h"
#include "store/statement.h"

namespace hwsift::store {
namespace {

constexpr long long kCacheId = 1752655459;  // "hwfc", in the header of the file
constexpr long long kCacheVersion = 1;      // of facts_cache.sql
constexpr int kShortWait = 250;             // milliseconds: nobody should wait for a cache
constexpr char kWithout[] = "or work without it: --no-cache";

// A failure, and whether the file itself is to blame for it.
struct Preparation {
  Status status;
  bool damaged = false;
};

Preparation failed(const std::string& file, const std::string& doing, sqlite3* handle) {
  return {cache_error(file, doing, handle), is_damaged(handle)};
}

long long number_of(sqlite3* handle, const char* sql) {
  Statement statement(handle, sql);
  return statement.row() ? statement.number(0) : -1;
}

bool is_current(sqlite3* handle) {
  return number_of(handle, "PRAGMA application_id") == kCacheId &&
         number_of(handle, "PRAGMA user_version") == kCacheVersion &&
         Statement(handle, "SELECT hash, analysis, used, size, seal, facts FROM contents").valid() &&
         Statement(handle, "SELECT stamp, hash FROM files").valid();
}

bool is_foreign(sqlite3* handle) {
  return number_of(handle, "PRAGMA application_id") != kCacheId &&
         number_of(handle, "SELECT count(*) FROM sqlite_master") > 0;
}

bool drop_tables(sqlite3* handle) {
  std::vector<std::string> tables;
  {
    Statement statement(handle,
                        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
    while (statement.row()) tables.push_back(statement.text(0));
  }
  for (const std::string& table : tables)
    if (!execute(handle, "DROP TABLE \"" + table + "\"")) return false;
  return true;
}

bool make_tables(sqlite3* handle) {
  return drop_tables(handle) && execute(handle, std::string(embedded::facts_cache_schema())) &&
         execute(handle, "PRAGMA application_id = " + std::to_string(kCacheId)) &&
         execute(handle, "PRAGMA user_version = " + std::to_string(kCacheVersion));
}

// Two processes may come here at once: the second finds it made.
Preparation make_anew(const std::string& file, sqlite3* handle) {
  if (is_foreign(handle))
    return {Error{file, "is a database of another program", std::string("move it away, ") + kWithout}};
  execute(handle, "PRAGMA page_size = 16384");  // most facts fit into one page
  execute(handle, "PRAGMA journal_mode = WAL");
  Transaction transaction(handle);
  if (!transaction.begun()) return failed(file, "write to the cache", handle);
  if (is_current(handle)) return {};
  if (!make_tables(handle) || !transaction.commit()) return failed(file, "set up the cache", handle);
  return {};
}

Status check_kind(const std::string& file) {
  Result<FileInfo> info = real_disk().info(file);
  if (!info.ok() || info->kind == FileInfo::Kind::file) return {};
  return Error{file, "the cache is no regular file", std::string("move it away, ") + kWithout};
}

// A relative name would be another file for each connection, did the working folder change.
Result<Handle> open(const std::string& file, int flags) {
  sqlite3* raw = nullptr;
  int code = sqlite3_open_v2(file.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Handle handle(raw);
  if (raw == nullptr) return Error{file, "cannot open the cache: out of memory", ""};
  if (code != SQLITE_OK) return cache_error(file, "open the cache", raw);
  sqlite3_busy_timeout(raw, kShortWait);
  execute(raw, "PRAGMA synchronous = OFF");  // what a crash of the machine takes is analysed again
  return handle;
}

// A folder that a user named is for the user to make.
Preparation try_to_prepare(const CachePlace& place) {
  const std::string& file = place.file;
  if (Status made = place.ours ? real_disk().make_folders(folder_of(file)) : Status(); !made.ok())
    return {Error{made.error().where, made.error().what,
                  std::string("name another folder with HWSIFT_CACHE_DIR, ") + kWithout}};
  if (Status fine = check_kind(file); !fine.ok()) return {fine};
  Result<Handle> handle = open(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!handle.ok()) return {handle.error()};
  if (number_of(handle->get(), "PRAGMA user_version") < 0)
    return failed(file, "read the cache", handle->get());
  if (sqlite3_db_readonly(handle->get(), "main") == 1)
    return {
        Error{file, "the cache cannot be written to",
              std::string("check its permissions, name another folder with HWSIFT_CACHE_DIR, ") + kWithout}};
  if (is_current(handle->get())) return {};
  return make_anew(file, handle->get());
}

// The header of a database file ends with the id of the program that owns it.
bool has_our_header(const std::string& file) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  constexpr std::size_t kHeader = 100;
  constexpr std::size_t kIdAt = 68;
  char bytes[kHeader] = {};
  std::ifstream in(file, std::ios::binary);
  if (!in.read(bytes, sizeof bytes) || !std::string_view(bytes, sizeof bytes).starts_with(kMagic))
    return false;
  long long id = 0;
  for (std::size_t i = kIdAt; i < kIdAt + 4; ++i) id = id * 256 + static_cast<unsigned char>(bytes[i]);
  return id == kCacheId;
}

bool is_regular(const std::string& file) {
  struct stat found {};
  return ::lstat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode);
}

std::optional<std::string> absolute_variable(const char* name) {
  std::optional<std::string> value = environment_variable(name);
  if (!value || !value->starts_with('/')) return std::nullopt;
  return value;
}

}  // namespace

CachePlace default_cache_place() {
  std::string folder;
  std::optional<std::string> own = environment_variable("HWSIFT_CACHE_DIR");
  if (own && !own->empty())
    folder = absolute_path(*own);
  else if (std::optional<std::string> xdg = absolute_variable("XDG_CACHE_HOME"))
    folder = join_path(*xdg, "hwsift");
  else if (std::optional<std::string> home = absolute_variable("HOME"))
    folder = join_path(*home, ".cache/hwsift");
  return {folder.empty() ? "" : join_path(folder, "facts.sqlite"), true};
}

Error cache_error(const std::string& file, const std::string& doing, sqlite3* handle) {
  std::string hint = "check its permissions, name another folder with HWSIFT_CACHE_DIR, ";
  int code = sqlite3_extended_errcode(handle) & 0xff;
  if (is_damaged(handle)) hint = "move it away, ";
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) hint = "another process holds it: try again, ";
  if (code == SQLITE_FULL) hint = "free some disk space, ";
  return {file, "cannot " + doing + ": " + sqlite3_errmsg(handle), hint + kWithout};
}

bool is_damaged(sqlite3* handle) {
  int code = sqlite3_errcode(handle) & 0xff;
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

Result<Handle> connect_cache(const std::string& file) { return open(file, SQLITE_OPEN_READWRITE); }

Status prepare_cache(const CachePlace& place, bool& mended) {
  Preparation first = try_to_prepare(place);
  mended = !first.status.ok() && first.damaged && remove_cache(place);
  return mended ? try_to_prepare(place).status : first.status;
}

bool remove_cache(const CachePlace& place) {
  if (!is_regular(place.file) || (!place.ours && !has_our_header(place.file))) return false;
  for (const char* beside : {"-wal", "-shm"}) ::unlink((place.file + beside).c_str());
  return ::unlink(place.file.c_str()) == 0;
}

CacheState look_at_cache(const std::string& file) {
  CacheState state;
  Result<FileInfo> info = real_disk().info(file);
  state.exists = info.ok();
  if (!state.exists) return state;
  state.bytes = static_cast<long long>(info->size);
  if (Status fine = check_kind(file); !fine.ok()) return state.problem = fine.error().what, state;
  Result<Handle> handle = connect_cache(file);
  if (!handle.ok()) return state.problem = handle.error().what, state;
  state.contents = number_of(handle->get(), "SELECT count(*) FROM contents");
  if (state.contents < 0) {
    state.problem = sqlite3_errmsg(handle->get());
    state.contents = 0;
  }
  return state;
}

}  // namespace hwsift::store
