// How a database file is opened.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>

#include "base/result.h"

namespace hwsift::store {

inline constexpr int kBusyMilliseconds = 10000;  // that a connection waits for another process

struct CloseHandle {
  void operator()(sqlite3* handle) const { sqlite3_close(handle); }
};
using Handle = std::unique_ptr<sqlite3, CloseHandle>;

enum class Access {
  create,  // makes the file where it is not there
  read,    // of a file that is there; it and its folder may be ones that nobody can write to
};

// Errors: what is no regular file, cannot be opened, or is no database. Nothing is written.
Result<Handle> connect(const std::string& file, Access access);

// The name of a file that is read without locks, as if nobody changed it; needs SQLITE_OPEN_URI.
std::string immutable_address(const std::string& file);

// Whether a program that did not come to its end left changes beside the file.
bool has_log(const std::string& file);
// Closing a file's last connection takes the log of a program that was killed into the file, unless it is
// left.
void leave_log(sqlite3* handle, bool leave);

}  // namespace hwsift::store
