// compile_vocabulary RULES OUTPUT: writes the vocabulary of a rules folder as C++ tables, so that hwsift
// starts without reading YAML. Runs at build time only.
#include <cstdio>

#include "base/text.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {
namespace {

std::string quoted(const std::string& text) {
  std::string literal = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + "\"";
}

const char* flag(bool value) { return value ? "true" : "false"; }

// By number: both programs are compiled from the same header.
std::string kind_number(analyzer::UseKind kind) { return std::to_string(static_cast<int>(kind)); }

std::string device_row(const DeviceType& type) {
  return "    {" + quoted(type.name) + ", " + quoted(type.category) + ", " + flag(type.accelerator) +
         ", Instantiated::" + word(type.instantiated) + ", " + quoted(join(type.members, ",")) + ", " +
         quoted(join(type.words, ",")) + ", " + flag(type.stands_for_any) + ", " + flag(type.literal) + ", " +
         flag(type.privateuse1) + ", " + quoted(join(type.visible_devices, ",")) + "},\n";
}

std::string need_cells(const Need& need) {
  return std::to_string(need.count) + ", " + flag(need.count_from_argument) + ", " + quoted(need.library) +
         ", " + quoted(need.capability);
}

std::string symbol_row(const Symbol& symbol) {
  return "    {" + quoted(symbol.name) + ", " + quoted(symbol.module) + ", " + quoted(symbol.kind_word) +
         ", " + kind_number(symbol.kind) + ", Meaning::" + word(symbol.meaning) + ", " + flag(symbol.prefix) +
         ", " + quoted(join(symbol.devices, ",")) + ", " + quoted(symbol.twin) + ", " + quoted(symbol.since) +
         ", " + quoted(symbol.until) + ", " + need_cells(symbol.need) + ", " + quoted(symbol.build) + ", " +
         flag(symbol.package) + ", " + flag(symbol.recorded) + "},\n";
}

std::string policy_row(const Policy& policy) {
  std::vector<std::string> cells;
  for (const PolicySwitch& entry : kPolicySwitches) cells.emplace_back(flag(policy.*entry.value));
  return "{" + join(cells, ", ") + "}";
}

std::string source_of(const Vocabulary& vocabulary) {
  std::string text =
      "// Written by compile_vocabulary from rules/.\n#include \"classifier/builtin_tables.h\"\n\n"
      "namespace hwsift::classifier {\n\nstatic constexpr DeviceRow kDevices[] = {\n";
  for (const DeviceType& type : vocabulary.devices) text += device_row(type);
  text += "};\n\nstatic constexpr SymbolRow kSymbols[] = {\n";
  for (const Symbol& symbol : vocabulary.symbols) text += symbol_row(symbol);
  text += "};\n\nconst BuiltinTables kBuiltinTables = {" + quoted(vocabulary.version) +
          ", kDevices, kSymbols, " + policy_row(vocabulary.policy) +
          "};\n\n}  // namespace hwsift::classifier\n";
  return text;
}

int compile(const std::string& rules, const std::string& output) {
  Result<Vocabulary> vocabulary = load_vocabulary(real_disk(), rules);
  Status written =
      vocabulary.ok() ? real_disk().write(output, source_of(*vocabulary)) : Status(vocabulary.error());
  if (written.ok()) return 0;
  std::fprintf(stderr, "%s\n", to_string(written.error()).c_str());
  return 2;
}

}  // namespace
}  // namespace hwsift::classifier

int main(int argc, char** argv) {
  if (argc == 3) return hwsift::classifier::compile(argv[1], argv[2]);
  std::fprintf(stderr, "usage: compile_vocabulary RULES OUTPUT\n");
  return 2;
}
