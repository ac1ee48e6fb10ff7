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
  int seconds = 20;    // of processor time for one file
  int megabytes = 2048;
  std::size_t max_file_bytes = 16u << 20;  // a larger file is reported, not read
  int jobs = 1;                            // helpers side by side
  // compile_commands.json or its folder: names are resolved by the compiler; "" reads files without headers.
  std::string compile_commands = "";
  int full_seconds = 300;
  int full_megabytes = 6144;
};

struct CxxScan {
  std::vector<FileFacts> files;
  int signal = 0;  // that asked us to stop; the files left are unread
};

// One FileFacts a file, in the same order. A file that brings the helper down, or takes too long, has
// parse.read == false and one error; the others are read. With compile commands it is first read once more
// without, and has a note.
CxxScan scan(Processes& processes, const std::vector<SourcePath>& files, const CxxLexicon& lexicon,
             const CxxScanOptions& options);

}  // namespace hwsift::analyzer::cxx
