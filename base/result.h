// Errors are values: where it happened, what is wrong, and what the user can do about it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hwsift {

// `where` is a path, a path with ":line[:col]", or the option at fault; `hint` is the remedy and may be
// empty.
struct Error {
  std::string where;
  std::string what;
  std::string hint;
};

// One line for a person: "where: what (hint)".
std::string to_string(const Error& error);
// Many errors as one, which is not empty: the first keeps its place, the others follow with theirs.
Error joined(const std::vector<Error>& errors);

// A value or an Error. Reading the one that is not there is a programming error and aborts.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Error error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T value() && {
    return std::get<0>(std::move(state_));
  }  // by value: a reference would outlive the temporary
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

// Success or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace hwsift
