#include "history/census.h"

#include <algorithm>
#include <utility>

#include "lint/tree_traits.h"

namespace hwsift::history {
namespace {

constexpr std::size_t kAtOnce = 128;  // files

bool is_test_source(const std::string& path) { return path.starts_with("test/") && path.ends_with(".py"); }

// What a reader of the history would see is the same, and so is what it rests on.
bool is_same(const CountedFile& a, const CountedFile& b) {
  return a.blob == b.blob && a.needs == b.needs && *a.measure == *b.measure;
}

}  // namespace

Census::Census(const Ruler& ruler, Measurer& measurer, FindKept find_kept, BlobOf blob_of)
    : ruler_(ruler),
      measurer_(measurer),
      find_kept_(std::move(find_kept)),
      blob_of_(std::move(blob_of)),
      traits_(measurer.traits()) {}

CountedFile Census::counted(const std::string& blob, KeptMeasure kept) {
  CountedFile file{blob, std::move(kept.measure), {{}, kept.calls}, kept.id};
  for (const auto& [need, content] : kept.needs) file.needs.paths.push_back(need);
  return file;
}

void Census::resume(const std::string& path, const std::string& blob, KeptMeasure kept) {
  for (const auto& [need, content] : kept.needs)
    if (files_.count(need) == 0) known_[need] = content;
  put(path, counted(blob, std::move(kept)));
}

void Census::look_up_needs() {
  for (auto& [path, blob] : known_) blob = blob_of_(path);
}

std::string Census::known_blob(const std::string& path) const {
  if (auto file = files_.find(path); file != files_.end()) return file->second.blob;
  auto known = known_.find(path);
  return known == known_.end() ? blob_of_(path) : known->second;
}

void Census::put(const std::string& path, CountedFile file) {
  remove(path);
  for (const std::string& need : file.needs.paths) {
    dependents_[need].insert(path);
    if (files_.count(need) == 0 && known_.count(need) == 0) known_[need] = blob_of_(need);
  }
  if (file.needs.calls) callers_.insert(path);
  add(*file.measure, tally_);
  known_.erase(path);
  files_[path] = std::move(file);
}

void Census::remove(const std::string& path) {
  auto found = files_.find(path);
  if (found == files_.end()) return;
  for (const std::string& need : found->second.needs.paths) dependents_[need].erase(path);
  callers_.erase(path);
  add(*found->second.measure, tally_, -1);
  files_.erase(found);
  if (auto rest = dependents_.find(path); rest != dependents_.end() && !rest->second.empty())
    known_[path] = "";
}

std::vector<FileChange> Census::differences(const std::map<std::string, std::string>& test_files) const {
  std::vector<FileChange> changes;
  for (const auto& [path, blob] : test_files) {
    auto known = files_.find(path);
    std::string before = known == files_.end() ? "" : known->second.blob;
    if (before != blob) changes.push_back({path, before, blob, ""});
  }
  for (const auto& [path, file] : files_)
    if (test_files.count(path) == 0) changes.push_back({path, file.blob, "", ""});
  for (const auto& [path, blob] : known_) {
    if (files_.count(path) != 0 || test_files.count(path) != 0) continue;
    std::string now = blob_of_(path);
    if (now != blob) changes.push_back({path, blob, now, ""});
  }
  std::sort(changes.begin(), changes.end(),
            [](const FileChange& a, const FileChange& b) { return a.path < b.path; });
  return changes;
}

// The files whose measures the changes may change, those that went included.
std::set<std::string> Census::touched_by(const std::vector<FileChange>& changes) {
  std::set<std::string> touched;
  bool traits = false;
  bool calls = false;
  for (const FileChange& change : changes) {
    if (ruler_.covers(change.path)) touched.insert(change.path);
    if (auto found = dependents_.find(change.path); found != dependents_.end())
      touched.insert(found->second.begin(), found->second.end());
    traits = traits || lint::tells_traits(change.path);
    calls = calls || is_test_source(change.path);
  }
  if (calls) touched.insert(callers_.begin(), callers_.end());
  if ((traits && measurer_.read_traits()) || other_traits_) {
    traits_ = measurer_.traits();
    other_traits_ = false;
    for (const auto& [path, file] : files_) touched.insert(path);
  }
  return touched;
}

std::optional<CountedFile> Census::kept(const std::string& path, const std::string& blob) const {
  for (KeptMeasure& kept : find_kept_(path, blob)) {
    if (kept.calls || kept.traits != traits_) continue;
    bool holds = std::all_of(kept.needs.begin(), kept.needs.end(),
                             [&](const auto& need) { return blob_of_(need.first) == need.second; });
    if (holds) return counted(blob, std::move(kept));
  }
  return std::nullopt;
}

void Census::measure_some(const std::vector<std::string>& paths,
                          const std::map<std::string, std::string>& blobs) {
  std::vector<Measured> measured = measurer_.measure(paths);
  measured_ += paths.size();
  for (std::size_t i = 0; i < paths.size(); ++i)
    put(paths[i], {blobs.at(paths[i]), std::move(measured[i].measure), std::move(measured[i].needs), 0});
}

void Census::measure(const std::vector<std::string>& paths, const std::map<std::string, std::string>& blobs) {
  for (std::size_t at = 0; at < paths.size(); at += kAtOnce) {
    auto first = paths.begin() + static_cast<std::ptrdiff_t>(at);
    std::vector<std::string> some(first,
                                  first + static_cast<std::ptrdiff_t>(std::min(kAtOnce, paths.size() - at)));
    measure_some(some, blobs);
    if (keeper_ && paths.size() > kAtOnce) keeper_(some);
  }
}

std::map<std::string, std::string> Census::take_out(const std::set<std::string>& touched,
                                                    const std::map<std::string, std::string>& after) {
  std::map<std::string, std::string> to_count;
  for (const std::string& path : touched) {
    auto old = files_.find(path);
    auto now = after.find(path);
    std::string blob = now != after.end() ? now->second : old == files_.end() ? "" : old->second.blob;
    if (blob.empty())
      remove(path);
    else
      to_count[path] = blob;
  }
  return to_count;
}

void Census::count(const std::map<std::string, std::string>& blobs) {
  std::vector<std::string> left;
  for (const auto& [path, blob] : blobs) {
    if (std::optional<CountedFile> file = kept(path, blob))
      put(path, std::move(*file));
    else
      left.push_back(path);
  }
  measure(left, blobs);
}

std::vector<CensusStep> Census::apply(const std::vector<FileChange>& changes) {
  std::vector<std::string> changed;
  std::map<std::string, std::string> after;
  std::map<std::string, std::string> moved_from;
  for (const FileChange& change : changes) {
    changed.push_back(change.path);
    after[change.path] = change.after;
    moved_from[change.path] = change.moved_from;
    if (auto known = known_.find(change.path); known != known_.end()) known->second = change.after;
  }
  if (has_measured_) measurer_.forget(changed);
  has_measured_ = true;
  std::set<std::string> touched = touched_by(changes);
  std::map<std::string, CountedFile> before;
  for (const std::string& path : touched)
    if (auto old = files_.find(path); old != files_.end()) before[path] = old->second;
  count(take_out(touched, after));

  std::vector<CensusStep> steps;
  for (const std::string& path : touched) {
    auto file = files_.find(path);
    auto old = before.find(path);
    if (file == files_.end() && old == before.end()) continue;
    if (file == files_.end()) {
      steps.push_back({path, nullptr, ""});
      continue;
    }
    if (old != before.end() && is_same(old->second, file->second)) {
      file->second.id = old->second.id;
      continue;
    }
    steps.push_back({path, &file->second, moved_from[path]});
  }
  return steps;
}

}  // namespace hwsift::history
