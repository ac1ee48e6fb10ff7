// The file of the cache of facts: how it is found, opened, made anew, and taken away where it is damaged.
#pragma once

#include <string>

#include "base/result.h"
#include "store/connection.h"

namespace hwsift::store {

struct CachePlace {
  std::string file;
  // Named by hwsift, not by a user: what is damaged there is taken away, whatever it was.
  bool ours = false;
};

// How the caches of a machine are looked up: $HWSIFT_CACHE_DIR, else hwsift/ in $XDG_CACHE_HOME, else in
// $HOME/.cache. An empty file name where none of them is set.
CachePlace default_cache_place();

// What went wrong last on this connection, with what to do.
Error cache_error(const std::string& file, const std::string& doing, sqlite3* handle);
bool is_damaged(sqlite3* handle);

// One more connection to a cache that is there.
Result<Handle> connect_cache(const std::string& file);

// Whether there is a cache of this version to work with afterwards; makes the file and its folder where they
// are not there. `mended` says that a damaged file was taken away for it.
Status prepare_cache(const CachePlace& place, bool& mended);

// Takes a damaged cache away; what may be no cache of hwsift is left.
bool remove_cache(const CachePlace& place);

// For those that only show it: nothing is made or changed.
struct CacheState {
  bool exists = false;
  std::string problem;     // "" where all is well
  long long bytes = 0;     // of the file
  long long contents = 0;  // whose facts it holds
};
CacheState look_at_cache(const std::string& file);

}  // namespace hwsift::store
