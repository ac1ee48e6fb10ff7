#include "base/result.h"

namespace hwsift {

std::string to_string(const Error& error) {
  std::string text = error.where.empty() ? error.what : error.where + ": " + error.what;
  if (!error.hint.empty()) text += " (" + error.hint + ")";
  return text;
}

Error joined(const std::vector<Error>& errors) {
  if (errors.size() == 1) return errors.front();
  std::string what;
  for (const Error& error : errors) what += what.empty() ? to_string(error) : "; " + to_string(error);
  return {errors.front().where, what.substr(errors.front().where.size() + 2), ""};
}

}  // namespace hwsift
