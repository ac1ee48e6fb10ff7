#include "history/lineage.h"

#include <set>

namespace hwsift::history {
namespace {

using Named = std::map<std::string, std::size_t>;

// The versions of one commit.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Files whose names move, by what they were called before the commit: names may be swapped in one.
void follow_moves(const std::vector<Version>& versions, Span span, Named& named, Lineage& lineage,
                  std::set<std::string>& left) {
  Named arrived;
  for (std::size_t i = span.begin; i < span.end; ++i) {
    const Version& version = versions[i];
    if (version.moved_from.empty() || version.measure == nullptr) continue;
    auto from = named.find(version.moved_from);
    if (from == named.end() || !left.insert(version.moved_from).second) continue;
    lineage.of_version[i] = arrived[version.path] = from->second;
  }
  for (const std::string& path : left) named.erase(path);
  for (const auto& [path, file] : arrived) named[path] = file;
}

void follow_commit(const std::vector<Version>& versions, Span span, Named& named, Lineage& lineage) {
  std::set<std::string> left;
  follow_moves(versions, span, named, lineage, left);
  for (std::size_t i = span.begin; i < span.end; ++i) {
    const Version& version = versions[i];
    std::size_t& file = lineage.of_version[i];
    if (file == kNoFile) {
      if (version.measure == nullptr && left.count(version.path) > 0) continue;
      auto [place, is_new] = named.emplace(version.path, lineage.files);
      if (is_new) ++lineage.files;
      file = place->second;
    }
    lineage.last_named[version.path] = file;
  }
}

}  // namespace

Lineage lineage_of(const Timeline& timeline) {
  const std::vector<Version>& versions = timeline.versions;
  Lineage lineage;
  lineage.of_version.assign(versions.size(), kNoFile);
  Named named;
  for (std::size_t begin = 0; begin < versions.size();) {
    std::size_t end = begin;
    while (end < versions.size() && versions[end].commit == versions[begin].commit) ++end;
    follow_commit(versions, {begin, end}, named, lineage);
    begin = end;
  }
  return lineage;
}

}  // namespace hwsift::history
