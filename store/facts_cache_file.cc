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
constexpr long long kCacheVersion = 2;      // of facts_cache.sql
constexpr int kShortWait = 250;             // milliseconds: nobody should wait for a cache
constexpr char kWithout[] = "or work without it: --no-cache";
constexpr char kElsewhere[] = "name another folder with HWSIFT_CACHE_DIR, ";

std::optional<long long> number_of(sqlite3* handle, const char* sql) {
  Statement statement(handle, sql);
  return statement.row() ? std::optional(statement.number(0)) : std::nullopt;
}

int code_of(sqlite3* handle) { return sqlite3_errcode(handle) & 0xff; }

Error foreign(const std::string& file) {
  return {file, "is a database of another program", std::string("move it away, ") + kWithout};
}

enum class Kind {
  current,
  outdated,  // of another version, or not set up yet
  foreign,   // of another program
  damaged,
  unreadable,
};

bool is_current(sqlite3* handle) {
  return number_of(handle, "PRAGMA application_id") == kCacheId &&
         number_of(handle, "PRAGMA user_version") == kCacheVersion &&
         number_of(handle,
                   "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND "
                   "name IN ('contents', 'facts', 'files')") == 3 &&
         Statement(handle, "SELECT hash, analysis, id, used, size FROM contents").valid() &&
         Statement(handle, "SELECT id, seal, facts FROM facts").valid() &&
         Statement(handle, "SELECT id, stamp, hash, seal FROM files").valid();
}

// At our own place a file is one of ours, too, where only its id is damaged.
bool is_foreign(const CachePlace& place, sqlite3* handle) {
  if (number_of(handle, "PRAGMA application_id") == kCacheId) return false;
  const char* theirs = place.ours ? "SELECT count(*) FROM sqlite_master WHERE "
                                    "tbl_name NOT IN ('contents', 'facts', 'files', 'sqlite_sequence')"
                                  : "SELECT count(*) FROM sqlite_master";
  return number_of(handle, theirs) > 0;
}

Kind kind_of(const CachePlace& place, sqlite3* handle) {
  if (!number_of(handle, "PRAGMA user_version") || !number_of(handle, "SELECT count(*) FROM sqlite_master"))
    return is_damaged(handle) ? Kind::damaged : Kind::unreadable;
  if (is_foreign(place, handle)) return Kind::foreign;
  return is_current(handle) ? Kind::current : Kind::outdated;
}

bool drop_all(sqlite3* handle) {
  std::vector<std::string> drops;
  {
    Statement statement(handle,
                        "SELECT 'DROP ' || type || ' \"' || replace(name, '\"', '\"\"') || '\"' "
                        "FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'");
    while (statement.row()) drops.push_back(statement.text(0));
  }
  for (const std::string& drop : drops)
    if (!execute(handle, drop)) return false;
  return true;
}

bool make_tables(sqlite3* handle) {
  return drop_all(handle) && execute(handle, std::string(embedded::facts_cache_schema())) &&
         execute(handle, "PRAGMA application_id = " + std::to_string(kCacheId)) &&
         execute(handle, "PRAGMA user_version = " + std::to_string(kCacheVersion));
}

// Of a file that had tables before, such a setting holds once it was written anew.
void let_it_shrink(sqlite3* handle) {
  constexpr int kIncremental = 2;
  if (number_of(handle, "PRAGMA auto_vacuum") == kIncremental) return;
  execute(handle, "PRAGMA auto_vacuum = INCREMENTAL");
  execute(handle, "VACUUM");
}

// What came of an attempt, and whether the file itself is to blame for it.
struct Preparation {
  Result<CacheAccess> access;
  bool damaged = false;
};

Preparation failed(const std::string& file, const std::string& doing, sqlite3* handle) {
  return {cache_error(file, doing, handle), is_damaged(handle)};
}

// Two processes may come here at once: the second finds it made.
Preparation make_anew(const std::string& file, sqlite3* handle) {
  execute(handle, "PRAGMA page_size = 16384");  // most facts fit into one page
  execute(handle, "PRAGMA auto_vacuum = INCREMENTAL");
  execute(handle, "PRAGMA journal_mode = WAL");
  {
    Transaction transaction(handle);
    if (!transaction.begun()) return failed(file, "write to the cache", handle);
    if (is_current(handle)) return {CacheAccess::write};
    if (!make_tables(handle) || !transaction.commit()) return failed(file, "set up the cache", handle);
  }
  let_it_shrink(handle);
  return {CacheAccess::write};
}

bool is_there(const std::string& file) { return real_disk().info(file).ok(); }

Status check_kind(const std::string& file) {
  for (const char* beside : {"", "-wal", "-shm"}) {
    Result<FileInfo> info = real_disk().info(file + beside);
    if (info.ok() && info->kind != FileInfo::Kind::file)
      return Error{file + beside, beside[0] == '\0' ? "the cache is no regular file" : "is no regular file",
                   std::string("move it away, ") + kWithout};
  }
  return {};
}

// A relative name would be another file for each connection, did the working folder change.
Result<Handle> open(const std::string& file, const std::string& name, int flags) {
  sqlite3* raw = nullptr;
  int code = sqlite3_open_v2(name.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Handle handle(raw);
  if (raw == nullptr) return Error{file, "cannot open the cache: out of memory", ""};
  if (code != SQLITE_OK) return cache_error(file, "open the cache", raw);
  sqlite3_busy_timeout(raw, kShortWait);
  return handle;
}

// The file, or the folder for its log.
bool cannot_be_written(sqlite3* handle) {
  if (sqlite3_db_readonly(handle, "main") == 1) return true;
  if (execute(handle, "PRAGMA user_version")) return false;
  return code_of(handle) == SQLITE_CANTOPEN || code_of(handle) == SQLITE_READONLY;
}

// Nothing is written beside a file that can only be read, so its locks must be there already.
CacheAccess access_to_read(const std::string& file) {
  return has_log(file) && is_there(file + "-shm") ? CacheAccess::read : CacheAccess::read_without_locks;
}

struct Opened {
  Handle handle;
  CacheAccess access = CacheAccess::write;
};

Result<Opened> open_as_allowed(const std::string& file, int create) {
  Result<Handle> handle = open(file, file, SQLITE_OPEN_READWRITE | create);
  if (!handle.ok()) return handle.error();
  if (!cannot_be_written(handle->get())) return Opened{std::move(*handle), CacheAccess::write};
  CacheAccess access = access_to_read(file);
  Result<Handle> reader = connect_cache(file, access);
  if (!reader.ok()) return reader.error();
  return Opened{std::move(*reader), access};
}

// A number in the header may forbid that it is written, which is seen once it was read.
bool is_locked_by_its_header(const Opened& opened) {
  return opened.access == CacheAccess::write && sqlite3_db_readonly(opened.handle.get(), "main") == 1;
}

Preparation take(const CachePlace& place, const Opened& opened) {
  sqlite3* handle = opened.handle.get();
  Kind kind = kind_of(place, handle);
  if (kind == Kind::damaged || kind == Kind::unreadable) return failed(place.file, "read the cache", handle);
  if (kind == Kind::foreign) return {foreign(place.file)};
  if (is_locked_by_its_header(opened)) return {Error{place.file, "the cache is damaged", kWithout}, true};
  if (kind == Kind::current) return {opened.access};
  if (opened.access == CacheAccess::write) return make_anew(place.file, handle);
  return {Error{place.file, "the cache is of another version of hwsift, and cannot be written to",
                std::string(kElsewhere) + kWithout}};
}

// A folder that a user named is for the user to make.
Preparation try_to_prepare(const CachePlace& place) {
  if (place.refused) return {*place.refused};
  if (Status made = place.ours ? real_disk().make_folders(folder_of(place.file)) : Status(); !made.ok())
    return {Error{made.error().where, made.error().what, std::string(kElsewhere) + kWithout}};
  if (Status fine = check_kind(place.file); !fine.ok()) return {fine.error()};
  Result<Opened> opened = open_as_allowed(place.file, SQLITE_OPEN_CREATE);
  if (!opened.ok()) return {opened.error()};
  return take(place, *opened);
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
  if (own && own->starts_with('~'))
    return {*own, true,
            Error{"HWSIFT_CACHE_DIR", "begins with ~, which stands for itself here",
                  "let a shell replace it: HWSIFT_CACHE_DIR=\"$HOME/...\""}};
  if (own && !own->empty())
    folder = absolute_path(*own);
  else if (std::optional<std::string> xdg = absolute_variable("XDG_CACHE_HOME"))
    folder = join_path(*xdg, "hwsift");
  else if (std::optional<std::string> home = absolute_variable("HOME"))
    folder = join_path(*home, ".cache/hwsift");
  return {folder.empty() ? "" : join_path(folder, "facts.sqlite"), true};
}

Error cache_error(const std::string& file, const std::string& doing, sqlite3* handle) {
  std::string hint = std::string("check its permissions, ") + kElsewhere;
  if (is_damaged(handle)) hint = "move it away, ";
  if (is_busy(handle)) hint = "another process holds it: try again, ";
  if (code_of(handle) == SQLITE_FULL) hint = "free some disk space, ";
  return {file, "cannot " + doing + ": " + sqlite3_errmsg(handle), hint + kWithout};
}

// Our statements fit the tables that we make, so it is the tables where they do not. (A statement that could
// not be made fails without an error of its own.)
bool is_damaged(sqlite3* handle) {
  switch (code_of(handle)) {
    case SQLITE_OK:
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
      return true;
    default:
      return false;
  }
}

bool is_busy(sqlite3* handle) { return code_of(handle) == SQLITE_BUSY || code_of(handle) == SQLITE_LOCKED; }

Result<Handle> connect_cache(const std::string& file, CacheAccess access) {
  if (access == CacheAccess::read_without_locks)
    return open(file, immutable_address(file), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  if (access == CacheAccess::read) return open(file, file, SQLITE_OPEN_READONLY);
  Result<Handle> handle = open(file, file, SQLITE_OPEN_READWRITE);
  // What a crash of the machine takes is analysed again.
  if (handle.ok()) execute(handle->get(), "PRAGMA synchronous = OFF");
  return handle;
}

Result<CacheAccess> prepare_cache(const CachePlace& place, bool& mended) {
  Preparation first = try_to_prepare(place);
  mended = !first.access.ok() && first.damaged && remove_cache(place);
  return mended ? try_to_prepare(place).access : first.access;
}

bool may_remove_cache(const CachePlace& place) {
  return is_regular(place.file) && (place.ours || has_our_header(place.file));
}

bool remove_cache(const CachePlace& place) {
  if (!may_remove_cache(place)) return false;
  for (const char* beside : {"-wal", "-shm"}) ::unlink((place.file + beside).c_str());
  return ::unlink(place.file.c_str()) == 0;
}

CacheRoom room_of(sqlite3* handle) {
  long long page = number_of(handle, "PRAGMA page_size").value_or(0);
  long long pages = number_of(handle, "PRAGMA page_count").value_or(0);
  long long empty = number_of(handle, "PRAGMA freelist_count").value_or(0);
  return {(pages - empty) * page, pages * page};
}

// Of a place where there is no file: "" where a run can make one.
static std::string obstacle(const CachePlace& place) {
  std::string folder = folder_of(absolute_path(place.file));
  while (place.ours && !is_there(folder) && folder != "/") folder = folder_of(folder);
  Result<FileInfo> info = real_disk().info(folder);
  if (!info.ok()) return folder + ": " + info.error().what;
  if (info->kind != FileInfo::Kind::directory) return folder + " is no folder";
  return ::access(folder.c_str(), W_OK | X_OK) == 0 ? "" : folder + " cannot be written to";
}

static void count_contents(sqlite3* handle, const Hash& analysis, CacheState& state) {
  Statement count(handle, "SELECT count(*), ifnull(sum(analysis = ?), 0) FROM contents");
  count.bind_bytes(1, {reinterpret_cast<const char*>(analysis.data()), analysis.size()});
  if (!count.row()) return;
  state.contents = count.number(0);
  state.usable = count.number(1);
}

static bool is_sound(sqlite3* handle) {
  Statement check(handle, "PRAGMA quick_check(1)");
  return check.row() && check.text(0) == "ok";
}

static void look_into(const CachePlace& place, const Opened& opened, const Hash& analysis,
                      CacheState& state) {
  sqlite3* handle = opened.handle.get();
  state.read_only = opened.access != CacheAccess::write;
  bool replaced = !state.read_only && may_remove_cache(place);
  std::string damaged =
      replaced ? "damaged: the run that comes upon that makes it anew" : "damaged: move it away";
  Kind kind = kind_of(place, handle);
  if (kind == Kind::foreign) state.problem = foreign(place.file).what;
  if (kind == Kind::unreadable) state.problem = cache_error(place.file, "read the cache", handle).what;
  if (kind == Kind::outdated)
    state.problem = state.read_only ? "of another version of hwsift, and cannot be written to"
                                    : "of another version of hwsift: the next run makes it anew";
  if (kind == Kind::damaged || is_locked_by_its_header(opened)) state.problem = damaged;
  if (kind != Kind::current) return;
  count_contents(handle, analysis, state);
  if (!is_sound(handle)) state.problem = damaged;
}

CacheState look_at_cache(const CachePlace& place, const Hash& analysis) {
  CacheState state;
  if (place.refused) return state.problem = place.refused->what, state;
  Result<FileInfo> info = real_disk().info(place.file);
  state.exists = info.ok();
  if (!state.exists) return state.problem = obstacle(place), state;
  state.bytes = static_cast<long long>(info->size);
  if (Status fine = check_kind(place.file); !fine.ok()) return state.problem = fine.error().what, state;
  Result<Opened> opened = open_as_allowed(place.file, 0);
  if (!opened.ok()) return state.problem = opened.error().what, state;
  look_into(place, *opened, analysis, state);
  return state;
}

}  // namespace hwsift::store
