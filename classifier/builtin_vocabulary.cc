#include "base/text.h"
#include "classifier/builtin_tables.h"

namespace hwsift::classifier {
namespace {

std::vector<std::string> list_of(const char* joined) {
  if (*joined == '\0') return {};
  return split(joined, ',');
}

Vocabulary from_tables(const BuiltinTables& tables) {
  Vocabulary vocabulary;
  vocabulary.version = tables.version;
  for (const DeviceRow& row : tables.devices)
    vocabulary.devices.push_back({row.name, row.category, row.accelerator, row.instantiated,
                                  list_of(row.members), list_of(row.words), row.stands_for_any, row.literal,
                                  row.privateuse1});
  vocabulary.symbols.reserve(tables.symbols.size());
  for (const SymbolRow& row : tables.symbols)
    vocabulary.symbols.push_back({row.name, static_cast<analyzer::UseKind>(row.kind), row.meaning, row.prefix,
                                  list_of(row.devices), row.twin, row.since});
  vocabulary.index();
  return vocabulary;
}

}  // namespace

const Vocabulary& builtin_vocabulary() {
  static const Vocabulary vocabulary = from_tables(kBuiltinTables);
  return vocabulary;
}

}  // namespace hwsift::classifier
