// The file of the cache of facts: how it is found, opened, made anew, and taken away where it is damaged.
#pragma once

#include <optional>
#include <string>

#include "base/hash.h"
#include "base/result.h"
#include "store/connection.h"

namespace hwsift::store {

inline constexpr long long kMostCacheBytes = 256'000'000;  // of the file

struct CachePlace {
  std::string file;
  // Named by hwsift, not by a user: what is damaged there is taken away, whatever it was.
  bool ours = false;
  std::optional<Error> refused = {};  // why there can be no cache at the place that was asked for
};

// How the caches of a machine are looked up: $HWSIFT_CACHE_DIR, else hwsift/ in $XDG_CACHE_HOME, else in
// $HOME/.cache. An empty file name where none of them is set.
CachePlace default_cache_place();

enum class CacheAccess {
  write,
  read,  // it cannot be written, and somebody else may be writing it
  // It cannot be written, and there are no locks beside it. Should somebody write it all the same, what is
  // torn by that fails its seal, or reads as damaged.
  read_without_locks,
};

// What went wrong last on this connection, with what to do.
Error cache_error(const std::string& file, const std::string& doing, sqlite3* handle);
// Whether the file is to blame: a sound one does not fail like this.
bool is_damaged(sqlite3* handle);
bool is_busy(sqlite3* handle);

// One more connection to a cache that is there.
Result<Handle> connect_cache(const std::string& file, CacheAccess access = CacheAccess::write);

// Whether there is a cache of this version to work with afterwards, and how; makes the file and its folder
// where they are not there. `mended` says that a damaged file was taken away for it.
Result<CacheAccess> prepare_cache(const CachePlace& place, bool& mended);

// Whether a damaged cache may be taken away; what may be no cache of hwsift is left.
bool may_remove_cache(const CachePlace& place);
bool remove_cache(const CachePlace& place);

// The bytes of the file that rows stand in, and all of them.
struct CacheRoom {
  long long used = 0;
  long long all = 0;
};
CacheRoom room_of(sqlite3* handle);

// For those that only show it: nothing is made or changed.
struct CacheState {
  bool exists = false;
  bool read_only = false;
  std::string problem;     // "" where all is well
  long long bytes = 0;     // of the file
  long long contents = 0;  // whose facts it holds
  long long usable = 0;    // of these by the analysis that was asked for
};
CacheState look_at_cache(const CachePlace& place, const Hash& analysis);

}  // namespace hwsift::store
