#include "base/text.h"
#include "classifier/builtin_tables.h"

namespace hwsift::classifier {
namespace {

std::vector<std::string> list_of(const char* joined) {
  if (*joined == '\0') return {};
  return split(joined, ',');
}

Symbol symbol_of(const SymbolRow& row) {
  Symbol symbol;
  symbol.name = row.name;
  symbol.module = row.module;
  symbol.kind_word = row.kind_word;
  symbol.kind = static_cast<analyzer::UseKind>(row.kind);
  symbol.meaning = row.meaning;
  symbol.prefix = row.prefix;
  symbol.devices = list_of(row.devices);
  symbol.twin = row.twin;
  symbol.since = row.since;
  symbol.until = row.until;
  symbol.need = {row.count, row.count_from_argument, row.library, row.capability};
  symbol.build = row.build;
  symbol.package = row.package;
  symbol.recorded = row.recorded;
  return symbol;
}

Vocabulary from_tables(const BuiltinTables& tables) {
  Vocabulary vocabulary;
  vocabulary.version = tables.version;
  vocabulary.policy = tables.policy;
  for (const DeviceRow& row : tables.devices)
    vocabulary.devices.push_back({row.name, row.category, row.accelerator, row.instantiated,
                                  list_of(row.members), list_of(row.words), row.stands_for_any, row.literal,
                                  row.privateuse1, list_of(row.visible_devices)});
  vocabulary.symbols.reserve(tables.symbols.size());
  for (const SymbolRow& row : tables.symbols) vocabulary.symbols.push_back(symbol_of(row));
  vocabulary.index();
  return vocabulary;
}

}  // namespace

const Vocabulary& builtin_vocabulary() {
  static const Vocabulary vocabulary = from_tables(kBuiltinTables);
  return vocabulary;
}

}  // namespace hwsift::classifier
