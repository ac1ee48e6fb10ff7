#include "cli/fix_run.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "base/text.h"
#include "base/threads.h"

namespace hwsift::cli {
namespace {

using lint::Finding;
using Key = std::tuple<std::string, std::string, std::string, std::string, int>;

// Without its message, which may name lines that a fix above has moved.
Key key_of(const Finding& finding) {
  return {finding.path, finding.rule, finding.cls, finding.method, finding.line};
}

struct Job {
  const analyzer::SourcePath* file = nullptr;
  lint::FixedFile fixed;
  std::string original;
  Status written;
};

bool fits(const Finding& finding, lint::Safety limit) {
  return finding.fix && (limit == lint::Safety::review || finding.fix->safety == lint::Safety::safe);
}

std::vector<Job> jobs_of(const report::LintReport& report, lint::Safety limit,
                         const std::vector<analyzer::SourcePath>& files) {
  std::set<std::string> paths;
  for (const Finding& finding : report.findings)
    if (fits(finding, limit)) paths.insert(finding.path);
  std::vector<Job> jobs;
  for (const analyzer::SourcePath& file : files)
    if (paths.count(file.path) > 0) jobs.push_back({&file, {}, "", {}});
  return jobs;
}

void warn_of_refused(const Context& context, const std::vector<Job>& jobs) {
  for (const Job& job : jobs)
    for (const Finding& finding : job.fixed.refused)
      print_warning(context,
                    {finding.path + ":" + std::to_string(finding.line),
                     "the fix of " + finding.rule + " was left out: the file would not parse, or lose a test",
                     "mend it by hand; please report the source"});
}

// The findings of a file that was written give way to those that are left in it.
void replace_findings(std::vector<Job>& jobs, report::LintReport& report) {
  std::map<std::string, Job*> by_path;
  for (Job& job : jobs)
    if (job.fixed.applied > 0 && job.written.ok()) by_path[job.file->path] = &job;
  std::erase_if(report.findings, [&](const Finding& finding) { return by_path.count(finding.path) > 0; });
  for (auto& [path, job] : by_path)
    std::move(job->fixed.findings.begin(), job->fixed.findings.end(), std::back_inserter(report.findings));
  lint::sort_findings(report.findings);
}

int write_files(Context& context, std::vector<Job>& jobs) {
  int code = kClean;
  for (Job& job : jobs) {
    if (job.fixed.applied == 0) continue;
    job.written = context.disk.write(job.file->absolute, job.fixed.bytes);
    if (job.written.ok()) continue;
    print_error(context, job.written.error());
    code = kInternal;
  }
  return code;
}

std::string counted(std::size_t number, const char* noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : (std::string(noun) == "fix" ? "es" : "s"));
}

void say_what_was_done(const Context& context, const std::vector<Job>& jobs, const char* verb) {
  std::size_t fixes = 0;
  std::size_t files = 0;
  for (const Job& job : jobs) {
    if (!job.written.ok()) continue;
    fixes += job.fixed.applied;
    files += job.fixed.applied > 0 ? 1 : 0;
  }
  print_note(context,
             "hwsift: " + std::string(verb) + " " + counted(fixes, "fix") + " in " + counted(files, "file"));
}

}  // namespace

void add_fix_options(CLI::App& app, FixOptions& options) {
  app.add_flag("--fix{safe}", options.kind,
               "mend what is safe to mend; --fix=review: also what a person must look at then")
      ->type_name("KIND")
      ->check([](const std::string& kind) {
        return kind == "safe" || kind == "review" ? std::string()
                                                  : "'" + kind + "' is neither safe nor review";
      });
  app.add_flag("--diff", options.diff, "show what --fix would do, and write nothing");
}

std::vector<Finding> taken_out(const std::vector<Finding>& all, const std::vector<Finding>& kept) {
  std::set<Key> left;
  for (const Finding& finding : kept) left.insert(key_of(finding));
  std::vector<Finding> gone;
  std::copy_if(all.begin(), all.end(), std::back_inserter(gone),
               [&](const Finding& finding) { return left.count(key_of(finding)) == 0; });
  return gone;
}

int apply_fixes(Context& context, const Linter& linter, FixMode mode, const FixOptions& options,
                const std::vector<analyzer::SourcePath>& files, const std::vector<Finding>& not_counted,
                report::LintReport& report) {
  if (mode == FixMode::none) return kClean;
  Stage stage(context.stopwatch, "fix");
  std::set<Key> excluded;
  for (const Finding& finding : not_counted) excluded.insert(key_of(finding));
  lint::Counts counts = [&](const Finding& finding) { return excluded.count(key_of(finding)) == 0; };
  std::vector<Job> jobs = jobs_of(report, options.limit(), files);
  for_each_index(jobs.size(), context.jobs(), [&](std::size_t i) {
    analyzer::ScannedFile file = linter.scan(*jobs[i].file);
    jobs[i].fixed = linter.fix(file, options.limit(), counts);
    jobs[i].original = std::move(file.bytes);
  });
  warn_of_refused(context, jobs);
  if (mode == FixMode::write) {
    int code = write_files(context, jobs);
    replace_findings(jobs, report);
    say_what_was_done(context, jobs, "applied");
    return code;
  }
  report.changes_with_review = options.limit() == lint::Safety::review;
  for (Job& job : jobs)
    if (job.fixed.applied > 0)
      report.changes[job.file->path] = {std::move(job.original), std::move(job.fixed.bytes)};
  return kClean;
}

}  // namespace hwsift::cli
