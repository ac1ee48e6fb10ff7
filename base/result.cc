#include "base/result.h"

namespace hwsift {

std::string to_string(const Error& error) {
  std::string text = error.where.empty() ? error.what : error.where + ": " + error.what;
  if (!error.hint.empty()) text += " (" + error.hint + ")";
  return text;
}

}  // namespace hwsift
