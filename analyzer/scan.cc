#include "analyzer/scan.h"

#include <functional>
#include <optional>
#include <utility>

#include "analyzer/python/analyze.h"
#include "base/hash.h"
#include "base/threads.h"

namespace hwsift::analyzer {
namespace {

FileFacts unread(const SourcePath& file, const Error& error) {
  FileFacts facts;
  facts.path = file.path;
  facts.test_file = is_test_file(file.path);
  facts.parse = {false, false, {{0, 0, error.what + " (" + error.hint + ")"}}};
  return facts;
}

Result<std::string> read_source(Disk& disk, const SourcePath& file, const Result<FileInfo>& info,
                                const ScanOptions& options) {
  // A pipe or a device would never end, or wait for a writer that never comes.
  if (info.ok() && info->kind != FileInfo::Kind::file)
    return Error{file.path, "not a regular file", "name a file, or a folder of files"};
  MeterScope scope(options.meter, kReadFile);
  Result<std::string> bytes = disk.read(file.absolute, options.max_file_bytes);
  if (bytes.ok()) scope.count(bytes->size());
  if (bytes.ok() || !bytes.error().hint.empty()) return bytes;
  bool too_large = info.ok() && info->size > options.max_file_bytes;
  std::string remedy = too_large ? "raise max_file_bytes in hwsift.yaml" : "mend or remove it";
  return Error{file.path, bytes.error().what, remedy + ", or name the path under exclude"};
}

FileFacts placed(FileFacts facts, const SourcePath& file) {
  facts.path = file.path;
  facts.test_file = is_test_file(file.path);
  return facts;
}

// The cache's answer for a file that need not be read.
std::optional<FileFacts> known_unread(const SourcePath& file, const Result<FileInfo>& info,
                                      const ScanOptions& options) {
  if (options.cache == nullptr || !info.ok() || info->kind != FileInfo::Kind::file ||
      info->size > options.max_file_bytes)
    return std::nullopt;
  MeterScope scope(options.meter, kAskCache);
  std::optional<FileFacts> found = options.cache->find_unchanged(file, *info);
  if (found) return placed(std::move(*found), file);
  return std::nullopt;
}

// The cache's answer for these bytes, else what `analyze` says, for the next time.
FileFacts facts_of(const SourcePath& file, const Result<FileInfo>& info, const std::string& bytes,
                   const ScanOptions& options, const std::function<FileFacts()>& analyze) {
  FactsCache* cache = options.cache;
  if (cache == nullptr) return analyze();
  auto asked = [&](auto ask) {
    MeterScope scope(options.meter, kAskCache);
    return ask();
  };
  Hash content = asked([&] { return hash_of(bytes); });
  std::optional<FileFacts> found = asked([&] { return cache->find(content); });
  if (!found) {
    found = analyze();
    asked([&] { cache->keep(content, *found); });
  }
  if (info.ok()) cache->remember(file, *info, content);
  return placed(std::move(*found), file);
}

Decoded decoded_source(const std::string& bytes, Meter* meter) {
  MeterScope scope(meter, kDecode);
  scope.count(bytes.size());
  return decode_python_source(bytes);
}

FileFacts scan_one(Disk& disk, const SourcePath& file, const Lexicon& lexicon, const ScanOptions& options) {
  Result<FileInfo> info = disk.info(file.absolute);
  if (std::optional<FileFacts> known = known_unread(file, info, options)) return std::move(*known);
  Result<std::string> bytes = read_source(disk, file, info, options);
  if (!bytes.ok()) return unread(file, bytes.error());
  return facts_of(file, info, *bytes, options, [&] {
    return analyze_python(file.path, decoded_source(*bytes, options.meter), lexicon, Reading::excerpt,
                          options.meter);
  });
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

using Facts = std::function<FileFacts(const std::string& bytes, const Decoded& decoded)>;

static ScannedFile with_text(std::string bytes, const Facts& facts, Meter* meter = nullptr) {
  ScannedFile scanned;
  Decoded decoded = decoded_source(bytes, meter);
  scanned.facts = facts(bytes, decoded);
  scanned.text_begin = decoded.source.had_bom ? kByteOrderMark : 0;
  scanned.editable = is_editable(decoded, bytes, scanned.text_begin);
  scanned.text = std::move(decoded.source.text);
  scanned.bytes = std::move(bytes);
  return scanned;
}

ScannedFile scan_text(const std::string& path, std::string bytes, const Lexicon& lexicon) {
  return with_text(std::move(bytes), [&](const std::string&, const Decoded& decoded) {
    return analyze_python(path, decoded, lexicon);
  });
}

ScannedFile scan_with_text(Disk& disk, const SourcePath& file, const Lexicon& lexicon,
                           const ScanOptions& options) {
  Result<FileInfo> info = disk.info(file.absolute);
  Result<std::string> read = read_source(disk, file, info, options);
  if (!read.ok()) {
    ScannedFile scanned;
    scanned.facts = unread(file, read.error());
    return scanned;
  }
  // By content: were the file another one since `info`, the spans of its facts would be places elsewhere.
  auto facts = [&](const std::string& bytes, const Decoded& decoded) {
    return facts_of(file, info, bytes, options, [&] {
      return analyze_python(file.path, decoded, lexicon, Reading::excerpt, options.meter);
    });
  };
  return with_text(std::move(*read), facts, options.meter);
}

}  // namespace hwsift::analyzer
