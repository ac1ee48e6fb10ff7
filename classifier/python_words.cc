// The words of the vocabulary that the analyzer looks for in Python.
#include "analyzer/lexicon.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {

analyzer::Lexicon Vocabulary::lexicon() const {
  analyzer::Lexicon lexicon;
  for (const DeviceType& type : devices) {
    if (type.literal) lexicon.device_types.push_back(type.name);
    for (const std::string& member : type.members)
      lexicon.members[member] = {analyzer::UseKind::device_method, {type.name}};
  }
  for (const Symbol& symbol : symbols) {
    if (!symbol.recorded) continue;
    analyzer::LexiconEntry entry{symbol.kind, symbol.devices};
    if (symbol.known_by_last_word()) lexicon.last_words.emplace(std::string(last_word(symbol.name)), entry);
    if (symbol.prefix) lexicon.prefixes.emplace(symbol.name, entry);
    lexicon.names.emplace(symbol.name, std::move(entry));
  }
  analyzer::index_words(lexicon);
  return lexicon;
}

}  // namespace hwsift::classifier
