// The database: what runs came to and how long tests took. The only user of SQLite.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/disk.h"
#include "base/result.h"
#include "runner/result.h"

struct sqlite3;

namespace hwsift::store {

inline constexpr int kSchemaVersion = 2;

class Store {
 public:
  // Opens the file, makes it where it is not there, brings it to this version's schema. A file that a newer
  // hwsift or another program wrote, one that is no database and one that cannot be written are errors, and
  // left as they are.
  static Result<Store> open(const std::string& file);

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
  Result<long long> count_runs();

  const std::string& file() const { return file_; }
  // For the other files of this folder.
  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };

  Store(std::string file, sqlite3* handle) : file_(std::move(file)), handle_(handle) {}
  Status check_origin(long long& version);
  Status prepare_schema();
  Result<std::map<std::string, double>> seconds_by(const char* sql, const std::string& device, int last);

  std::string file_;
  std::unique_ptr<sqlite3, Close> handle_;
};

// .hwsift/hwsift.sqlite of a tree; makes the folder, with a .gitignore that keeps all of it out of git.
Result<std::string> default_file(Disk& disk, const std::string& tree);

}  // namespace hwsift::store
