// Questions of users to the database, in SQL. Nothing can be written by one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace hwsift::store {

struct Cell {
  enum class Kind { null, integer, real, text };
  Kind kind = Kind::null;
  std::string text;  // as SQLite writes it; bytes that are no text come as hexadecimal
};

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

inline constexpr std::size_t kMostRows = 1000000;

// One statement. The file must be there, and be a database of hwsift of this version's schema or an older
// one.
Result<Table> query(const std::string& file, const std::string& sql);

}  // namespace hwsift::store
