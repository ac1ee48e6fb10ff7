// Facts of C++ files, through the helper program hwsift-cxx.
#pragma once

#include <string>
#include <vector>

#include "analyzer/cxx/lexicon.h"
#include "analyzer/discover.h"
#include "analyzer/facts.h"
#include "base/process.h"

namespace hwsift::analyzer::cxx {

struct CxxScanOptions {
  std::string helper;  // path of hwsift-cxx; "" where it is not installed
  int seconds = 20;    // of time for one file
  int megabytes = 2048;
  int jobs = 1;  // helpers side by side
};

// One FileFacts a file, in the same order. A file that brings the helper down, or takes too long, has
// parse.read == false and one error; the others are read.
std::vector<FileFacts> scan(Processes& processes, const std::vector<SourcePath>& files,
                            const CxxLexicon& lexicon, const CxxScanOptions& options);

}  // namespace hwsift::analyzer::cxx
