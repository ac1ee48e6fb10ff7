// The database: what runs came to and how long tests took. The only user of SQLite.
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/disk.h"
#include "base/result.h"
#include "runner/result.h"
#include "store/connection.h"

namespace hwsift::store {

inline constexpr int kSchemaVersion = 2;

// How much a database holds.
struct Contents {
  long long runs = 0;
  long long points = 0;  // of the history that reports show
  long long items = 0;
};

class Store {
 public:
  // Opens the file, makes it where it is not there, brings it to this version's schema. A file that a newer
  // hwsift or another program wrote, one that is no database and one that cannot be written are errors, and
  // left as they are.
  static Result<Store> open(const std::string& file);

  // To read alone, of a file that is there: as `open`, and where nothing can be written, the file as it is.
  static Result<Store> open_to_read(const std::string& file);

  // Whether a file that is there is a database that this hwsift can read; nothing is written to it.
  static Status check_file(const std::string& file);

  Store(Store&& other) noexcept = default;
  Store& operator=(Store&& other) noexcept = default;
  ~Store() = default;

  // All of a run or nothing.
  Status record_run(const runner::RunRecord& record);

  // Mean seconds of the last `last` times that each test ran to an end on this device type, by id.
  Result<std::map<std::string, double>> test_seconds(const std::string& device, int last = 5);
  // The sum of these by file.
  Result<std::map<std::string, double>> file_seconds(const std::string& device, int last = 5);
  // Ids whose last result on this device type is bad.
  Result<std::set<std::string>> failed_tests(const std::string& device);
  Result<Contents> contents();

  const std::string& file() const { return file_; }
  // For the other files of this folder.
  sqlite3* handle() const { return handle_.get(); }

 private:
  Store(std::string file, Handle handle) : file_(std::move(file)), handle_(std::move(handle)) {}
  Status check_origin(long long& version);
  Status prepare_schema();
  Result<std::map<std::string, double>> seconds_by(const char* sql, const std::string& device, int last);

  std::string file_;
  Handle handle_;
};

// .hwsift/hwsift.sqlite of a tree; makes the folder, with a .gitignore that keeps all of it out of git.
Result<std::string> default_file(Disk& disk, const std::string& tree);

}  // namespace hwsift::store
