#include "base/git.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <set>
#include <string_view>

#include "base/disk.h"
#include "base/text.h"

namespace hwsift {
namespace {

using Arguments = std::vector<std::string>;
using Renames = std::map<std::string, std::string>;  // old path to new

constexpr double kSeconds = 300;
constexpr int kLastLine = std::numeric_limits<int>::max();
constexpr std::size_t kPathsAtOnce = 500;
constexpr int kMostRenames = 64;  // of one file
// Settings and programs of the user that would change what is printed or run something of their own.
constexpr const char* kSettings[] = {"core.quotepath=false", "core.fsmonitor=false", "log.follow=false",
                                     "log.showSignature=false", "diff.suppressBlankEmpty=false"};
constexpr const char* kDiffOptions[] = {
    "--no-ext-diff",   "--no-textconv",   "--no-color", "--relative",  "--ignore-submodules=all", "-M",
    "--src-prefix=a/", "--dst-prefix=b/", "--text",     "-O/dev/null", "--inter-hunk-context=0"};

// A hook of git sets variables that name its own repository; ours is the folder's. Settings stay.
Arguments own_variables() {
  Arguments names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string name(*entry, std::min(std::string_view(*entry).find('='), std::string_view(*entry).size()));
    bool kept = name.starts_with("GIT_CONFIG") || name == "GIT_EXEC_PATH" ||
                name == "GIT_CEILING_DIRECTORIES" || name == "GIT_DISCOVERY_ACROSS_FILESYSTEM";
    if (name.starts_with("GIT_") && !kept) names.push_back(name);
  }
  return names;
}

ProcessSpec spec_for(const Git& git, const Arguments& arguments) {
  ProcessSpec spec;
  spec.command = {"git", "--no-pager", "--literal-pathspecs"};
  for (const char* setting : kSettings) spec.command.insert(spec.command.end(), {"-c", setting});
  spec.command.insert(spec.command.end(), arguments.begin(), arguments.end());
  spec.folder = git.folder;
  spec.variables = {{"GIT_OPTIONAL_LOCKS", "0"}, {"GIT_TERMINAL_PROMPT", "0"}, {"LC_ALL", "C"}};
  spec.unset = own_variables();
  spec.capture = true;
  return spec;
}

Error git_missing() {
  return {"git", "cannot start: not found on PATH", "install git, or do without what needs it"};
}

Result<Finished> run(const Git& git, const Arguments& arguments) {
  Result<Finished> finished = run_to_end(git.processes, spec_for(git, arguments), kSeconds);
  if (!finished.ok() && finished.error().what.find("not found on PATH") != std::string::npos)
    return git_missing();
  return finished;
}

// The line in which git says why it gives up.
std::string complaint(const Finished& finished) {
  for (const std::string& line : split(finished.output, '\n')) {
    if (line.starts_with("fatal: ")) return line.substr(7);
    if (line.starts_with("error: ")) return line.substr(7);
  }
  return "git ended with " + finished.ending.text();
}

Error failure(const Git& git, const Finished& finished) {
  std::string what = complaint(finished);
  if (what.starts_with("not a git repository"))
    return {git.folder, "not in a git repository", "run in a checkout, or name the files instead"};
  if (what.find("dubious ownership") != std::string::npos)
    return {git.folder, "git does not trust this repository, as another user owns it",
            "add it to git's safe.directory"};
  return {git.folder, what, "run git there to see more"};
}

// The output of a git that has to succeed.
Result<std::string> output_of(const Git& git, const Arguments& arguments) {
  Result<Finished> finished = run(git, arguments);
  if (!finished.ok()) return finished.error();
  if (finished->ending.code != 0) return failure(git, *finished);
  return std::move(finished->captured);
}

Arguments diff(const std::string& command, const Arguments& more) {
  Arguments arguments = {command};
  arguments.insert(arguments.end(), std::begin(kDiffOptions), std::end(kDiffOptions));
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::vector<std::string> fields_of(const std::string& output) {
  std::vector<std::string> fields = split(output, '\0');
  if (!fields.empty() && fields.back().empty()) fields.pop_back();
  return fields;
}

// --- where to compare from ---

// The id of a commit, "" where there is none of that name.
Result<std::string> commit_of(const Git& git, const std::string& ref) {
  if (ref.empty() || ref.front() == '-' || ref.find('\0') != std::string::npos)
    return Error{"'" + printable(ref) + "'", "cannot name a commit", "name a branch, tag or commit"};
  Result<Finished> finished = run(git, {"rev-parse", "--verify", "--quiet", ref + "^{commit}"});
  if (!finished.ok()) return finished.error();
  if (finished->ending.code == 0) return std::string(trim(finished->captured));
  Result<std::string> inside = output_of(git, {"rev-parse", "--show-prefix"});
  if (!inside.ok()) return inside.error();
  return std::string();
}

bool is_shallow(const Git& git) {
  Result<std::string> answer = output_of(git, {"rev-parse", "--is-shallow-repository"});
  return answer.ok() && trim(*answer) == "true";
}

Error no_merge_base(const Git& git, const std::string& base) {
  std::string what = "HEAD and '" + printable(base) + "' have no commit in common";
  if (is_shallow(git))
    return {git.folder, what + " in this shallow clone", "fetch more history: git fetch --deepen=1000"};
  return {git.folder, what, "name another base"};
}

Error no_such_commit(const Git& git, const std::string& base) {
  std::string hint = "name a branch, tag or commit that is there; one of a remote must be fetched first";
  if (is_shallow(git)) hint += " (this clone is shallow)";
  return {"'" + printable(base) + "'", "git knows no commit of this name", hint};
}

// The commit to compare with; "" where nothing was committed yet, so that all files are new.
Result<std::string> starting_point(const Git& git, const std::string& base) {
  Result<std::string> commit = commit_of(git, base);
  if (!commit.ok()) return commit;
  if (commit->empty() && base != "HEAD") return no_such_commit(git, base);
  if (commit->empty() || base == "HEAD") return commit;
  Result<Finished> finished = run(git, {"merge-base", *commit, "HEAD"});
  if (!finished.ok()) return finished.error();
  if (finished->ending.code != 0) return no_merge_base(git, base);
  return std::string(trim(finished->captured));
}

Result<std::vector<std::string>> new_files(const Git& git, bool tracked_too) {
  Arguments arguments = {"ls-files", "-z", "--others", "--exclude-standard"};
  if (tracked_too) arguments.emplace_back("--cached");
  arguments.emplace_back("--");
  Result<std::string> output = output_of(git, arguments);
  if (!output.ok()) return output.error();
  return fields_of(*output);
}

// --- reading what diff prints ---

bool two_paths(const std::string& status) { return status.starts_with('R') || status.starts_with('C'); }

// `STATUS NUL PATH NUL`, with the old path before the new one where there are two; others are told to `each`.
template <class Each>
void read_statuses(const std::string& output, const Each& each) {
  std::vector<std::string> fields = fields_of(output);
  for (std::size_t i = 0; i + 1 < fields.size();) {
    bool two = two_paths(fields[i]);
    if (two && i + 2 >= fields.size()) return;
    each(fields[i], fields[i + 1], fields[i + (two ? 2 : 1)]);
    i += two ? 3 : 2;
  }
}

int octal(std::string_view digits) {
  int value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 8);
  return value;
}

char unescaped(char c) {
  constexpr std::string_view kNames = "abtnvfr";
  std::size_t at = kNames.find(c);
  return at == std::string_view::npos ? c : static_cast<char>('\a' + static_cast<int>(at));
}

// A path in a patch: in quotes, as in C, where it holds odd characters; followed by a tab where it has
// blanks.
std::string unquoted(std::string_view text) {
  if (text.empty() || text.front() != '"') return std::string(text.substr(0, text.find('\t')));
  std::string path;
  for (std::size_t i = 1; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      path += text[i];
    } else if (is_ascii_digit(text[i + 1])) {
      path += static_cast<char>(octal(text.substr(i + 1, 3)));
      i += 3;
    } else {
      path += unescaped(text[++i]);
    }
  }
  return path;
}

// "START" or "START,LENGTH" after `mark`.
struct Span {
  int start = 0;
  int length = 1;
};

std::optional<Span> read_span(std::string_view line, std::string_view mark) {
  std::size_t at = line.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const char* text = line.data() + at + mark.size();
  const char* end = line.data() + line.size();
  Span span;
  auto [comma, bad] = std::from_chars(text, end, span.start);
  if (bad != std::errc()) return std::nullopt;
  if (comma != end && *comma == ',') std::from_chars(comma + 1, end, span.length);
  return span;
}

// Where nothing is left of a hunk, the lines on both sides of the gap.
LineRange range_of(const Span& span) {
  auto clamped = [](long long line) { return static_cast<int>(std::clamp<long long>(line, 1, kLastLine)); };
  long long start = span.start;
  if (span.length > 0) return {clamped(start), clamped(start + span.length - 1)};
  return {clamped(start), clamped(start + 1)};
}

// --- renames ---

Result<Renames> renames_in(const Git& git, const Arguments& diff_arguments) {
  Result<std::string> output = output_of(git, diff_arguments);
  if (!output.ok()) return output.error();
  Renames renames;
  read_statuses(*output, [&](const std::string&, const std::string& from, const std::string& to) {
    renames.emplace(from, to);
  });
  return renames;
}

// For each path the commit that took it away last. The walk ends early where each commit took one.
Result<Renames> deleting_commits(const Git& git, const Arguments& paths) {
  Arguments arguments = {
      "log",        "--no-ext-diff",   "--no-textconv",   "--no-renames",
      "--no-color", "-O/dev/null",     "--relative",      "--name-status",
      "-z",         "--diff-filter=D", "--format=%x00%H", "--max-count=" + std::to_string(paths.size()),
      "--"};
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  Result<std::string> output = output_of(git, arguments);
  if (!output.ok()) return output.error();
  Renames commits;
  std::string commit;
  std::vector<std::string> fields = split(*output, '\0');
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::string field(trim(fields[i]));
    if (field == "D" && i + 1 < fields.size())
      commits.emplace(fields[++i], commit);
    else if (!field.empty())
      commit = field;
  }
  return commits;
}

// One step: where the paths went that are not there.
Result<Renames> committed_renames(const Git& git, const Arguments& paths) {
  Renames all;
  for (std::size_t at = 0; at < paths.size(); at += kPathsAtOnce) {
    auto first = paths.begin() + static_cast<std::ptrdiff_t>(at);
    auto last = paths.begin() + static_cast<std::ptrdiff_t>(std::min(paths.size(), at + kPathsAtOnce));
    Result<Renames> commits = deleting_commits(git, Arguments(first, last));
    if (!commits.ok()) return commits;
    std::set<std::string> once;
    for (const auto& [path, commit] : *commits) {
      if (!once.insert(commit).second) continue;
      Result<Renames> renames = renames_in(
          git,
          diff("diff-tree", {"-r", "-z", "--name-status", "--diff-filter=R", commit + "^1", commit, "--"}));
      if (!renames.ok()) return renames;
      for (const auto& [from, to] : *renames)
        if (auto gone = commits->find(from); gone != commits->end() && gone->second == commit)
          all.emplace(from, to);
    }
  }
  return all;
}

bool is_there(const Git& git, const std::string& path) {
  return ::access(join_path(git.folder, path).c_str(), F_OK) == 0;
}

}  // namespace

Result<bool> in_repository(const Git& git) {
  const char* path = std::getenv("PATH");
  if (find_program("git", path == nullptr ? "/usr/bin:/bin" : path).empty()) return false;
  Result<Finished> finished = run(git, {"rev-parse", "--show-prefix"});
  if (!finished.ok()) return finished.error();
  if (finished->ending.code == 0) return true;
  std::string why = complaint(*finished);
  bool outside =
      why.starts_with("not a git repository") || why.starts_with("this operation must be run in a work");
  if (!outside) return failure(git, *finished);
  return false;
}

Result<std::vector<std::string>> changed_files(const Git& git, const std::string& base) {
  Result<std::string> from = starting_point(git, base);
  if (!from.ok()) return from.error();
  Result<std::vector<std::string>> fresh = new_files(git, from->empty());
  if (!fresh.ok()) return fresh;
  std::set<std::string> paths(fresh->begin(), fresh->end());
  if (!from->empty()) {
    Result<std::string> output =
        output_of(git, diff("diff", {"-z", "--name-status", "--diff-filter=d", *from, "--"}));
    if (!output.ok()) return output.error();
    read_statuses(*output,
                  [&](const std::string&, const std::string&, const std::string& to) { paths.insert(to); });
  }
  return std::vector<std::string>(paths.begin(), paths.end());
}

Result<ChangedLines> changed_lines(const Git& git, const std::string& base) {
  Result<std::string> from = starting_point(git, base);
  if (!from.ok()) return from.error();
  Result<std::vector<std::string>> fresh = new_files(git, from->empty());
  if (!fresh.ok()) return fresh.error();
  ChangedLines lines;
  if (!from->empty()) {
    Result<std::string> patch = output_of(git, diff("diff", {"-U0", "--diff-filter=d", *from, "--"}));
    if (!patch.ok()) return patch.error();
    lines = lines_of_patch(*patch);
  }
  for (const std::string& path : *fresh) lines[path] = {{1, kLastLine}};
  return lines;
}

ChangedLines lines_of_patch(const std::string& patch) {
  ChangedLines lines;
  std::vector<LineRange>* file = nullptr;
  long body = 0;  // lines of the hunk that are left; these may look like anything
  for (std::size_t at = 0; at < patch.size();) {
    std::size_t end = std::min(patch.find('\n', at), patch.size());
    std::string_view line(patch.data() + at, end - at);
    at = end + 1;
    if (body > 0 && (line.starts_with('+') || line.starts_with('-'))) {
      --body;
    } else if (line.starts_with("diff --git ")) {
      file = nullptr;
    } else if (line.starts_with("+++ ")) {
      std::string path = unquoted(line.substr(4));
      file = path.starts_with("b/") ? &lines[path.substr(2)] : nullptr;
    } else if (line.starts_with("@@ ")) {
      std::optional<Span> before = read_span(line, " -");
      std::optional<Span> after = read_span(line, " +");
      if (!before || !after) continue;
      body = static_cast<long>(before->length) + after->length;
      if (file != nullptr) file->push_back(range_of(*after));
    }
  }
  return lines;
}

Result<Renames> renamed(const Git& git, const std::vector<std::string>& paths) {
  Result<std::string> head = commit_of(git, "HEAD");
  if (!head.ok()) return head.error();
  if (head->empty() || paths.empty()) return Renames();
  Result<Renames> pending =
      renames_in(git, diff("diff", {"-z", "--name-status", "--diff-filter=R", "HEAD", "--"}));
  if (!pending.ok()) return pending;
  Renames result;
  std::map<std::string, std::string> open;  // where a path is now, to where it began
  for (const std::string& path : paths) open.emplace(path, path);
  for (int step = 0; step < kMostRenames && !open.empty(); ++step) {
    Arguments gone;
    for (const auto& [now, start] : open)
      if (pending->count(now) == 0) gone.push_back(now);
    Result<Renames> moves = committed_renames(git, gone);
    if (!moves.ok()) return moves;
    moves->insert(pending->begin(), pending->end());
    std::map<std::string, std::string> next;
    for (const auto& [now, start] : open) {
      auto move = moves->find(now);
      if (move == moves->end()) continue;
      if (is_there(git, move->second))
        result.emplace(start, move->second);
      else
        next.emplace(move->second, start);
    }
    open = std::move(next);
  }
  return result;
}

Result<std::optional<std::string>> content_at(const Git& git, const std::string& ref,
                                              const std::string& path) {
  Result<std::string> commit = commit_of(git, ref);
  if (!commit.ok()) return commit.error();
  if (commit->empty()) return no_such_commit(git, ref);
  Result<Finished> finished = run(git, {"cat-file", "blob", *commit + ":./" + path});
  if (!finished.ok()) return finished.error();
  if (finished->ending.code != 0) return std::optional<std::string>();
  return std::optional<std::string>(std::move(finished->captured));
}

}  // namespace hwsift
