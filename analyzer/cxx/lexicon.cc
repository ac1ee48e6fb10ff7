#include "analyzer/cxx/lexicon.h"

namespace hwsift::analyzer::cxx {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

const CxxWord* find(const std::map<std::string, CxxWord>& words, const std::string& text) {
  auto found = words.find(text);
  return found == words.end() ? nullptr : &found->second;
}

const CxxWord* find_stem(std::string_view word, const CxxLexicon& lexicon) {
  for (const auto& [stem, entry] : lexicon.stems)
    if (word.starts_with(stem) && word.size() > stem.size() && is_upper(word[stem.size()])) return &entry;
  return nullptr;
}

}  // namespace

// From the whole name to its last two words, then what stands above it; a last word alone says least.
const CxxWord* find_word(const std::string& symbol, bool member, const CxxLexicon& lexicon) {
  std::string_view rest = symbol;
  for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
    if (const CxxWord* found = find(lexicon.names, std::string(rest))) return found;
    rest.remove_prefix(dot + 1);
  }
  for (std::size_t dot = symbol.rfind('.'); dot != std::string::npos && dot > 0;
       dot = symbol.rfind('.', dot - 1))
    if (const CxxWord* found = find(lexicon.below, symbol.substr(0, dot))) return found;
  if (const CxxWord* found = find(lexicon.names, std::string(rest))) return found;
  return member ? nullptr : find_stem(rest, lexicon);
}

}  // namespace hwsift::analyzer::cxx
