// The shape of the tables that compile_vocabulary writes. Lists are joined by commas.
#pragma once

#include <span>

#include "classifier/vocabulary.h"

namespace hwsift::classifier {

struct DeviceRow {
  const char* name;
  const char* category;
  bool accelerator;
  Instantiated instantiated;
  const char* members;
  const char* words;
  bool stands_for_any;
  bool literal;
  bool privateuse1;
  const char* visible_devices;
};

struct SymbolRow {
  const char* name;
  const char* module;
  const char* kind_word;
  int kind;  // analyzer::UseKind
  Meaning meaning;
  bool prefix;
  const char* devices;
  const char* twin;
  const char* since;
  const char* until;
  int count;
  bool count_from_argument;
  const char* library;
  const char* capability;
  const char* build;
  bool package;
  bool recorded;
};

struct BuiltinTables {
  const char* version;
  std::span<const DeviceRow> devices;
  std::span<const SymbolRow> symbols;
  Policy policy;
};

extern const BuiltinTables kBuiltinTables;

}  // namespace hwsift::classifier
