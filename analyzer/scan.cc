#include "analyzer/scan.h"

#include <utility>

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

Result<std::string> read_source(Disk& disk, const SourcePath& file, const ScanOptions& options) {
  // A pipe or a device would never end, or wait for a writer that never comes.
  Result<FileInfo> info = disk.info(file.absolute);
  if (info.ok() && info->kind != FileInfo::Kind::file)
    return Error{file.path, "not a regular file", "name a file, or a folder of files"};
  Result<std::string> bytes = disk.read(file.absolute, options.max_file_bytes);
  if (bytes.ok() || !bytes.error().hint.empty()) return bytes;
  return Error{file.path, bytes.error().what,
               "raise max_file_bytes in hwsift.yaml, or name the path under exclude"};
}

FileFacts scan_one(Disk& disk, const SourcePath& file, const Lexicon& lexicon, const ScanOptions& options) {
  Result<std::string> bytes = read_source(disk, file, options);
  if (bytes.ok()) return analyze_python(file.path, *bytes, lexicon);
  return unread(file, bytes.error().what + " (" + bytes.error().hint + ")");
}

constexpr std::size_t kByteOrderMark = 3;

// In UTF-8, and in any encoding as long as the text is ASCII, places in the text are places in the file. One
// whose lines end in lone carriage returns is left alone: they are line feeds in the text.
bool is_editable(const Decoded& decoded, const std::string& bytes, std::size_t begin) {
  const std::string& text = decoded.source.text;
  return decoded.ok && bytes.size() - begin == text.size() && bytes.compare(begin, text.size(), text) == 0;
}

}  // namespace

std::vector<FileFacts> scan(Disk& disk, const std::vector<SourcePath>& files, const Lexicon& lexicon,
                            const ScanOptions& options) {
  std::vector<FileFacts> facts(files.size());
  for_each_index(files.size(), options.jobs,
                 [&](std::size_t i) { facts[i] = scan_one(disk, files[i], lexicon, options); });
  return facts;
}

ScannedFile scan_text(const std::string& path, std::string bytes, const Lexicon& lexicon) {
  ScannedFile scanned;
  Decoded decoded = decode_python_source(bytes);
  scanned.facts = analyze_python(path, decoded, lexicon);
  scanned.text_begin = decoded.source.had_bom ? kByteOrderMark : 0;
  scanned.editable = is_editable(decoded, bytes, scanned.text_begin);
  scanned.text = std::move(decoded.source.text);
  scanned.bytes = std::move(bytes);
  return scanned;
}

ScannedFile scan_with_text(Disk& disk, const SourcePath& file, const Lexicon& lexicon,
                           const ScanOptions& options) {
  Result<std::string> bytes = read_source(disk, file, options);
  if (bytes.ok()) return scan_text(file.path, std::move(*bytes), lexicon);
  ScannedFile scanned;
  scanned.facts = unread(file, bytes.error().what + " (" + bytes.error().hint + ")");
  return scanned;
}

}  // namespace hwsift::analyzer
