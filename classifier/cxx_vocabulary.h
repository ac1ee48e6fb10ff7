// What rules/cxx.yaml knows of C++ tests. The file itself says what each part means.
#pragma once

#include <string>
#include <vector>

#include "analyzer/cxx/lexicon.h"
#include "base/result.h"
#include "classifier/category.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {

struct NameSuffix {
  std::string suffix;  // "_MultiCUDA"
  std::string device;  // device type
  int count = 1;       // of devices that such a test needs
};

struct FileKind {
  std::vector<std::string> endings;  // ".cu"
  std::string device;
};

struct CxxVocabulary {
  analyzer::cxx::CxxLexicon lexicon;  // without the device types, which devices.yaml has
  std::vector<DeviceType> devices;    // that only C++ tests name
  std::vector<NameSuffix> suffixes;   // the longest first
  std::vector<FileKind> kinds;
};

// The error holds all errors, each with file and line. `known` are the device types that other rules define.
Result<CxxVocabulary> parse_cxx_vocabulary(const std::string& bytes, const std::string& file,
                                           const std::vector<DeviceType>& known);

// Of --rules, else the one that was compiled in, which is read on first use.
const CxxVocabulary& cxx_vocabulary(const Vocabulary& vocabulary);

// The words for the analyzer: those of rules/cxx.yaml, and the device types of both.
analyzer::cxx::CxxLexicon cxx_lexicon(const Vocabulary& vocabulary);

// The category of what needs this device alone; DEVICE_GENERIC where the device has none of its own.
Category cxx_category_of(const std::string& device, const Vocabulary& vocabulary);

}  // namespace hwsift::classifier
