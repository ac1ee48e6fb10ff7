#include "history/timeline.h"

#include <algorithm>
#include <utility>

namespace hwsift::history {

std::string author_of(const Commit& commit) { return commit.gap_before ? "unknown (gap)" : commit.author; }

std::map<std::string, SharedMeasure> Timeline::files() const {
  std::map<std::string, SharedMeasure> files;
  for (const Version& version : versions) {
    if (version.measure == nullptr)
      files.erase(version.path);
    else
      files[version.path] = version.measure;
  }
  return files;
}

Listed Timeline::listed() const {
  Listed listed;
  for (const AllowlistStep& step : allowlist) {
    if (step.added)
      listed[step.entry] = {step.path, step.whole_file};
    else
      listed.erase(step.entry);
  }
  return listed;
}

std::vector<AllowlistStep> steps_between(const Listed& before, const Listed& after) {
  std::vector<AllowlistStep> steps;
  for (const auto& [name, entry] : before)
    if (after.count(name) == 0) steps.push_back({0, name, entry.path, entry.whole_file, false});
  for (const auto& [name, entry] : after)
    if (before.count(name) == 0) steps.push_back({0, name, entry.path, entry.whole_file, true});
  return steps;
}

void cut_after(Timeline& timeline, std::size_t commit) {
  if (commit + 1 >= timeline.commits.size()) return;
  timeline.commits.resize(commit + 1);
  std::erase_if(timeline.versions, [&](const Version& version) { return version.commit > commit; });
  std::erase_if(timeline.allowlist, [&](const AllowlistStep& step) { return step.commit > commit; });
}

namespace {

bool is_same(const SharedMeasure& a, const SharedMeasure& b) { return a == b || *a == *b; }

// By path, as versions stand in a timeline.
std::vector<Version> versions_between(const std::map<std::string, SharedMeasure>& before,
                                      const std::map<std::string, SharedMeasure>& after, std::size_t commit) {
  std::vector<Version> versions;
  for (const auto& [path, measure] : after) {
    auto old = before.find(path);
    if (old == before.end() || !is_same(old->second, measure))
      versions.push_back({commit, path, measure, ""});
  }
  for (const auto& [path, measure] : before)
    if (after.count(path) == 0) versions.push_back({commit, path, nullptr, ""});
  std::sort(versions.begin(), versions.end(),
            [](const Version& a, const Version& b) { return a.path < b.path; });
  return versions;
}

}  // namespace

void add_work_tree(Timeline& timeline, const std::map<std::string, SharedMeasure>& files,
                   const std::optional<Listed>& listed, const std::string& date) {
  std::vector<Version> versions = versions_between(timeline.files(), files, timeline.commits.size());
  std::vector<AllowlistStep> steps = steps_between(timeline.listed(), listed.value_or(Listed()));
  if (!timeline.empty() && versions.empty() && steps.empty()) return;
  Commit commit;
  commit.date = timeline.empty() ? date : std::max(date, timeline.commits.back().date);
  commit.new_ruler = !timeline.empty() && timeline.commits.back().other_ruler;
  if (listed) commit.allowlisted = static_cast<long long>(listed->size());
  for (AllowlistStep& step : steps) step.commit = timeline.commits.size();
  timeline.commits.push_back(std::move(commit));
  timeline.versions.insert(timeline.versions.end(), versions.begin(), versions.end());
  timeline.allowlist.insert(timeline.allowlist.end(), steps.begin(), steps.end());
}

}  // namespace hwsift::history
