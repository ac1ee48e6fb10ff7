// The shape of the tables that compile_lint_rules writes.
#pragma once

#include <span>

#include "lint/profile.h"

namespace hwsift::lint {

struct RuleRow {
  const char* id;
  Severity severity;
};

struct ProfileRow {
  const char* name;
  const char* summary;
  Contract contract;
  std::span<const RuleRow> rules;
  Settings settings;
};

struct DocumentRow {
  const char* id;
  const char* summary;
  const char* why;
  const char* bad;
  const char* good;
  const char* fix;
};

struct BuiltinTables {
  std::span<const ProfileRow> profiles;
  std::span<const DocumentRow> documents;
};

extern const BuiltinTables kBuiltinTables;

}  // namespace hwsift::lint
