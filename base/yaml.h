// YAML as a plain tree with places, and a strict way to read it: what is not asked for is an error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hwsift {

struct Yaml {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  std::string file;
  int line = 0;  // 1-based, as is col
  int col = 0;
  std::string scalar;
  bool quoted = false;  // a quoted scalar is text, never true, null or a number
  std::vector<Yaml> items;
  struct Entry;                // a plain struct: Clang cannot make a std::pair of a type that holds it
  std::vector<Entry> entries;  // in the order of the file

  std::string place() const;  // "file:line"
  const Yaml* find(std::string_view key) const;
};

struct Yaml::Entry {
  std::string key;
  Yaml value;
};

// One document. Anchors, aliases, several documents and doubled keys are refused: no file of hwsift needs
// them, and aliases let a small file grow without bound.
Result<Yaml> parse_yaml(const std::string& bytes, const std::string& file);

// Reads a map key by key and collects errors; finish() adds one for each key that nobody asked for.
class YamlMap {
 public:
  YamlMap(const Yaml& node, std::vector<Error>& errors);

  bool has(std::string_view key) const { return node_.find(key) != nullptr; }
  // "" and an error when the key is missing; text_or gives the default instead. A list or map is an error.
  std::string text(const std::string& key);
  std::string text_or(const std::string& key, const std::string& otherwise);
  bool flag_or(const std::string& key, bool otherwise);
  long long number_or(const std::string& key, long long otherwise, long long least, long long most);
  // A list of scalars; a lone scalar is a list of one; [] when missing.
  std::vector<std::string> texts(const std::string& key);
  // The items of a list ([] when missing) or the node itself (nullptr when missing), for the caller to read.
  const std::vector<Yaml>& items(const std::string& key);
  const Yaml* node(const std::string& key);
  void finish();

 private:
  const Yaml* ask(const std::string& key);
  void fail(const Yaml& at, const std::string& what, const std::string& hint = "");

  const Yaml& node_;
  std::vector<Error>& errors_;
  std::vector<std::string> asked_;
};

}  // namespace hwsift
