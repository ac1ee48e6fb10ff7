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

// Where one is met, the answer is an error, and not a part of it.
struct QueryLimits {
  double seconds = 60;
  std::size_t rows = 1000000;
  std::size_t bytes = std::size_t{256} << 20;  // of the text of all cells
};

// One statement. The file must be there, and be a database of hwsift of this version's schema or an older
// one; it may be one that nobody can write to.
Result<Table> query(const std::string& file, const std::string& sql, const QueryLimits& limits = {});

}  // namespace hwsift::store
