// What a tree is measured with. History is measured with one ruler from end to end: today's rules and today's
// settings, whatever those of an old commit were.
#pragma once

#include <string>
#include <vector>

#include "analyzer/scan.h"
#include "classifier/vocabulary.h"
#include "lint/profile.h"

namespace hwsift::history {

struct Ruler {
  const classifier::Vocabulary* vocabulary = nullptr;
  const lint::Profile* profile = nullptr;
  analyzer::ScanOptions scan;         // its jobs are those of the measuring
  std::vector<std::string> excluded;  // files or folders below the tree
  std::string allowlist;              // relative to the tree; "" for none

  // Whether the path is one of the tree's test files: Python below test/, hidden folders and what is excluded
  // left out.
  bool covers(const std::string& path) const;
  // Equal where two rulers measure the same: hwsift's own sources, rules and settings. (An allowlist measures
  // nothing.)
  std::string fingerprint() const;
};

}  // namespace hwsift::history
