#include "history/backfill.h"

#include <utility>

#include "analyzer/discover.h"
#include "base/clock.h"
#include "lint/allowlist.h"

namespace hwsift::history {
namespace {

constexpr std::size_t kMaxAllowlist = std::size_t{64} << 20;
constexpr char kPython[] = ".py";

class Walk {
 public:
  Walk(const BackfillSource& source, BackfillState state, std::vector<std::string>& notes)
      : repository_(source.repository),
        disk_(source.disk),
        ruler_(source.ruler),
        census_(source.census),
        state_(std::move(state)),
        notes_(notes) {}

  Status step(const LineCommit& next, bool last, const BackfillListener& listener) {
    if (Status shown = disk_.show(next.facts.hash); !shown.ok()) return shown;
    bool first = state_.commit.empty();
    Result<std::vector<FileChange>> changes = changes_to(next.facts.hash);
    if (!changes.ok()) return changes.error();
    CommitRecord record;
    record.steps = census_.apply(*changes);
    if (std::optional<Error> failed = disk_.take_failure()) return *failed;
    record.allowlist = listed_steps(next.facts.hash);
    record.tally = census_.tally();
    record.commit = commit_of(next, state_.gap);
    state_.commit = next.facts.hash;
    state_.gap = false;
    bool changed = !record.steps.empty() || !record.allowlist.empty();
    if (!changed && !next.point && !first && !last) return {};
    return listener.record(record);
  }

 private:
  Result<std::vector<FileChange>> changes_to(const std::string& hash) {
    if (state_.gap) return census_.differences(test_files(disk_, ruler_));
    return repository_.changes(state_.commit, hash, kPython);
  }

  Commit commit_of(const LineCommit& next, bool gap) const {
    Commit commit;
    commit.hash = next.facts.hash;
    commit.date = utc_text(next.facts.time);
    commit.author = next.facts.author;
    commit.subject = next.facts.subject;
    commit.point = next.point;
    commit.gap_before = gap;
    if (state_.listed) commit.allowlisted = static_cast<long long>(state_.listed->size());
    return commit;
  }

  // An allowlist that cannot be read says nothing: what stood in it before stands.
  std::vector<AllowlistStep> listed_steps(const std::string& hash) {
    std::string blob = ruler_.allowlist.empty() ? "" : disk_.blob_of("/" + ruler_.allowlist);
    if (blob == listed_blob_) return {};
    listed_blob_ = blob;
    std::optional<Listed> now;
    if (!blob.empty()) {
      Result<std::string> bytes = disk_.read_blob(blob, kMaxAllowlist);
      Result<Listed> listed = bytes.ok() ? read_listed(*bytes, ruler_.allowlist) : bytes.error();
      if (!listed.ok()) {
        notes_.push_back(hash.substr(0, 10) + ": " + to_string(listed.error()));
        return {};
      }
      now = std::move(*listed);
    }
    std::vector<AllowlistStep> steps =
        steps_between(state_.listed ? *state_.listed : Listed(), now ? *now : Listed());
    state_.listed = std::move(now);
    return steps;
  }

  const Repository& repository_;
  CommitDisk& disk_;
  const Ruler& ruler_;
  Census& census_;
  BackfillState state_;
  std::vector<std::string>& notes_;
  std::string listed_blob_ = "?";  // the name of no content: the first commit is always looked at
};

}  // namespace

std::map<std::string, std::string> test_files(CommitDisk& disk, const Ruler& ruler) {
  std::map<std::string, std::string> files;
  Result<analyzer::Discovery> found = analyzer::discover(disk, "/", "/", {});
  if (!found.ok()) return files;  // there is no test/ in this commit
  for (const analyzer::SourcePath& file : found->files)
    if (ruler.covers(file.path)) files[file.path] = disk.blob_of(file.absolute);
  return files;
}

Result<Listed> read_listed(const std::string& bytes, const std::string& file) {
  Result<lint::Allowlist> allowlist = lint::parse_allowlist(bytes, file);
  if (!allowlist.ok()) return allowlist.error();
  Listed listed;
  for (const lint::AllowlistEntry& entry : allowlist->entries)
    listed[entry.name()] = {entry.path, entry.whole_file()};
  return listed;
}

Status backfill(const BackfillSource& source, BackfillState state, const std::vector<LineCommit>& todo,
                const BackfillListener& listener, std::vector<std::string>& notes) {
  Walk walk(source, std::move(state), notes);
  for (std::size_t i = 0; i < todo.size(); ++i) {
    listener.progress(i, todo[i]);
    Status done = walk.step(todo[i], i + 1 == todo.size(), listener);
    if (!done.ok()) return done;
  }
  return {};
}

}  // namespace hwsift::history
