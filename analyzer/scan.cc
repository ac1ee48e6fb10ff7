#include "analyzer/scan.h"

#include "analyzer/python/analyze.h"
#include "base/threads.h"

namespace hwsift::analyzer {
namespace {

FileFacts unread(const SourcePath& file, const std::string& message) {
  FileFacts facts;
  facts.path = file.path;
  facts.test_file = is_test_file(file.path);
  facts.parse = {false, false, {{0, 0, message}}};
  return facts;
}

FileFacts scan_one(Disk& disk, const SourcePath& file, const Lexicon& lexicon, const ScanOptions& options) {
  // A pipe or a device would never end, or wait for a writer that never comes.
  Result<FileInfo> info = disk.info(file.absolute);
  if (info.ok() && info->kind != FileInfo::Kind::file)
    return unread(file, "not a regular file (name a file, or a folder of files)");
  Result<std::string> bytes = disk.read(file.absolute, options.max_file_bytes);
  if (bytes.ok()) return analyze_python(file.path, *bytes, lexicon);
  std::string hint = bytes.error().hint;
  if (hint.empty()) hint = "raise max_file_bytes in hwsift.yaml, or name the path under exclude";
  return unread(file, bytes.error().what + " (" + hint + ")");
}

}  // namespace

std::vector<FileFacts> scan(Disk& disk, const std::vector<SourcePath>& files, const Lexicon& lexicon,
                            const ScanOptions& options) {
  std::vector<FileFacts> facts(files.size());
  for_each_index(files.size(), options.jobs,
                 [&](std::size_t i) { facts[i] = scan_one(disk, files[i], lexicon, options); });
  return facts;
}

}  // namespace hwsift::analyzer
