// Which bracket closes which, in the tokens of a file.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/cxx/lexed_file.h"

namespace hwsift::analyzer::cxx {

bool opens(const Token& token);
bool closes(const Token& token);

class Brackets {
 public:
  explicit Brackets(const std::vector<Token>& tokens);

  // Its own place where it has none.
  std::size_t partner(std::size_t at) const { return partner_[at]; }
  bool matched(std::size_t at) const { return partner_[at] != at; }
  // The place behind a bracket and what it holds; behind the token itself where it closes, or opens nothing.
  std::size_t behind(std::size_t at) const { return (partner_[at] > at ? partner_[at] : at) + 1; }
  // Braces without a partner.
  const std::vector<std::size_t>& unmatched() const { return unmatched_; }

 private:
  void close(const std::vector<Token>& tokens, std::vector<std::size_t>& open, std::size_t at);

  std::vector<std::size_t> partner_;
  std::vector<std::size_t> unmatched_;
};

}  // namespace hwsift::analyzer::cxx
