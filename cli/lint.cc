#include <algorithm>
#include <cstdlib>
#include <map>

#include "analyzer/python/decode.h"
#include "analyzer/scan.h"
#include "base/text.h"
#include "cli/fix_run.h"
#include "cli/lint_run.h"
#include "cli/ratchet.h"
#include "lint/changed.h"
#include "lint/rule_ids.h"
#include "version.h"

namespace hwsift::cli {
namespace {

constexpr char kLintrunner[] = "lintrunner";
const std::vector<std::string> kFormats = {"text", "json", "jsonl", kLintrunner, "sarif", "github", "junit"};
constexpr char kFailure[] = "hwsift";       // the name of messages about hwsift itself
constexpr char kMissing[] = "parse_error";  // the rule of paths that are not there

struct Options {
  std::vector<std::string> paths;
  std::vector<std::string> outputs;
  std::string profile;
  std::string allowlist;
  bool no_allowlist = false;
  ChangedOptions changed;
  FixOptions fix;
};

struct Prepared {
  Tree tree;
  lint::LintRules loaded_rules;
  const lint::LintRules* rules = nullptr;
  lint::Allowlist allowlist;
  std::string allowlist_file;
};

Status prepare(Context& context, const Options& options, Prepared& prepared) {
  Status opened = read_tree(context, prepared.tree);
  if (!opened.ok()) return opened;
  Result<const lint::LintRules*> rules = lint_rules(context, prepared.tree, prepared.loaded_rules);
  if (!rules.ok()) return rules.error();
  prepared.rules = *rules;
  std::string file =
      options.allowlist.empty() ? prepared.tree.config.allowlist : path_from_here(context, options.allowlist);
  if (options.no_allowlist || file.empty()) return {};
  Result<lint::Allowlist> allowlist = lint::load_allowlist(context.disk, file);
  if (!allowlist.ok()) return allowlist.error();
  prepared.allowlist = std::move(*allowlist);
  prepared.allowlist_file = file;
  return {};
}

bool asks_for(const std::vector<report::OutputSpec>& outputs, const std::string& format) {
  return std::any_of(outputs.begin(), outputs.end(),
                     [&](const report::OutputSpec& output) { return output.format == format; });
}

// lintrunner drops everything when a linter fails, so that even this is a message to it.
int fail(Context& context, const std::vector<report::OutputSpec>& outputs, const Error& error) {
  print_error(context, error);
  if (!asks_for(outputs, kLintrunner)) return kUsage;
  std::vector<report::OutputSpec> messages = outputs;
  std::erase_if(messages, [](const report::OutputSpec& output) { return output.format != kLintrunner; });
  return emit_all(context, messages,
                  [&](const report::OutputSpec&) { return report::lintrunner_failure(kFailure, "", error); });
}

// The lines of the files with findings, read again for the text: few, as above a limit no source is shown.
class Sources {
 public:
  Sources(Context& context, const std::vector<analyzer::SourcePath>& files)
      : context_(context), files_(files) {}

  std::string line(const lint::Finding& finding) {
    if (finding.line == 0) return "";  // about the file as a whole, which may be no regular one
    const std::vector<std::string>& lines = lines_of(finding.path);
    std::size_t index = static_cast<std::size_t>(finding.line) - 1;
    return finding.line > 0 && index < lines.size() ? lines[index] : "";
  }

 private:
  static std::string text_of(const std::string& path, const std::string& bytes) {
    if (analyzer::is_cxx_file(path)) return valid_utf8(bytes);
    return analyzer::decode_python_source(bytes).source.text;
  }

  const std::vector<std::string>& lines_of(const std::string& path) {
    auto [found, fresh] = lines_.try_emplace(path);
    auto file =
        std::lower_bound(files_.begin(), files_.end(), path,
                         [](const analyzer::SourcePath& f, const std::string& p) { return f.path < p; });
    if (!fresh || file == files_.end() || file->path != path) return found->second;
    Result<std::string> bytes = context_.disk.read(file->absolute, analyzer::kDefaultMaxFileBytes);
    if (bytes.ok()) found->second = split(text_of(path, *bytes), '\n');
    return found->second;
  }

  Context& context_;
  const std::vector<analyzer::SourcePath>& files_;
  std::map<std::string, std::vector<std::string>> lines_;
};

std::string lintrunner_text(const report::LintReport& report, const analyzer::Discovery& found) {
  std::map<std::string, std::string> given;  // the allowlist's own findings are in none of these
  for (const analyzer::SourcePath& file : found.files) given.emplace(file.path, file.given);
  std::string text;
  for (const Error& missing : found.missing)
    text += report::lintrunner_failure(kMissing, missing.where, missing);
  return text + report::lintrunner_messages(
                    report, [&](const std::string& path) { return given.emplace(path, path).first->second; });
}

void note_nothing_to_lint(const Context& context, const Options& options, const report::LintReport& report,
                          const analyzer::Discovery& found) {
  if (options.paths.empty() || found.files.empty() || report.files + report.allowlisted > 0) return;
  print_note(context, "hwsift: none of the named files is a test file of profile " + report.profile +
                          " (test_*.py, *_test.py, or C++)");
}

void note_no_fix(const Context& context, const report::LintReport& report) {
  auto review =
      std::count_if(report.findings.begin(), report.findings.end(),
                    [&](const lint::Finding& finding) { return finding.fix && !report.changes_with_review; });
  print_note(context, "hwsift: no fix to show for " + std::to_string(report.findings.size()) + " findings" +
                          (review == 0 ? "" : "; --fix=review has " + std::to_string(review)));
}

int exit_code(const report::LintReport& report, const analyzer::Discovery& found) {
  bool only_stale = std::all_of(report.findings.begin(), report.findings.end(),
                                [](const lint::Finding& f) { return f.rule == lint::rule::stale_allowlist; });
  int findings = report.findings.empty() ? kClean : only_stale ? kStaleAllowlist : kFindings;
  return worse(findings, found.missing.empty() ? kClean : kUsage);
}

// lintrunner applies what its messages carry, so that hwsift must not: the texts in them would be stale.
// A path that is not there may be a slip (--fix review): then nothing is written at all.
FixMode fix_mode(const Options& options, bool for_lintrunner, const analyzer::Discovery& found) {
  if (for_lintrunner || options.fix.diff) return FixMode::carry;
  return options.fix.kind.empty() || !found.missing.empty() ? FixMode::none : FixMode::write;
}

// What the command works on, filled stage by stage.
struct Job {
  const Options& options;
  Prepared prepared;
  const lint::Profile* profile = nullptr;
  analyzer::Discovery found;
  Changes changes;

  bool whole_tree() const { return options.paths.empty() && !changes.asked; }
};

void note_forgotten_allowlist(const Context& context) {
  print_note(context, std::string("hwsift: ") + kDefaultAllowlist +
                          " is there and was not asked: name it with --allowlist, or put 'allowlist: " +
                          kDefaultAllowlist + "' into hwsift.yaml");
}

report::LintReport find_and_fix(Context& context, const Job& job, bool for_lintrunner, int& fixed) {
  const Prepared& prepared = job.prepared;
  Linter linter(context, prepared.tree, *job.profile);
  report::LintReport report =
      lint_files(context, prepared.tree, linter, *job.profile, prepared.allowlist, job.found.files);
  std::vector<lint::Finding> all = report.findings;
  hold_to_allowlist(context, prepared.tree, *job.profile,
                    {prepared.allowlist, prepared.allowlist_file, job.whole_tree()}, job.found.files, report);
  if (job.options.changed.lines) lint::keep_changed(job.changes.lines, report.findings);
  fixed = apply_fixes(context, linter, fix_mode(job.options, for_lintrunner, job.found), job.options.fix,
                      job.found.files, taken_out(all, report.findings), report);
  bool without = job.whole_tree() && !job.options.no_allowlist && prepared.allowlist_file.empty();
  bool forgotten = without && context.disk.info(join_path(prepared.tree.root, kDefaultAllowlist)).ok();
  if (forgotten && !report.findings.empty()) note_forgotten_allowlist(context);
  report.offer_allowlist = job.whole_tree() && prepared.allowlist.entries.empty() && !forgotten;
  return report;
}

std::string render(Context& context, const Job& job, const report::LintReport& report,
                   const report::OutputSpec& output) {
  const std::string& format = output.format;
  if (format == "json") return report::findings_json(report);
  if (format == "jsonl") return report::findings_jsonl(report);
  if (format == kLintrunner) return lintrunner_text(report, job.found);
  if (format == "sarif")
    return report::findings_sarif(report, *job.prepared.rules, job.profile->rules, HWSIFT_VERSION);
  if (format == "github") return report::findings_github(report, from_checkout(job.prepared.tree.root));
  if (format == "junit") return report::findings_junit(report);
  report::Style style = output.file.empty() ? context.out_style() : report::Style{};
  if (job.options.fix.diff) return report::changes_diff(report, style);
  Sources sources(context, job.found.files);
  return report::findings_text(
      report, [&](const lint::Finding& f) { return sources.line(f); }, style);
}

int lint_command(Context& context, const Options& options) {
  std::vector<report::OutputSpec> outputs;
  if (int bad = parse_outputs(context, options.outputs, kFormats, "text", outputs)) return bad;
  bool for_lintrunner = asks_for(outputs, kLintrunner);
  Job job{options, {}, nullptr, {}, {}};
  Status ready = prepare(context, options, job.prepared);
  if (!ready.ok()) return fail(context, outputs, ready.error());
  Result<const lint::Profile*> profile =
      choose_profile(*job.prepared.rules, job.prepared.tree, options.profile);
  if (!profile.ok()) return fail(context, outputs, profile.error());
  job.profile = *profile;

  if (int bad = find_files(context, job.prepared.tree, options.paths, job.found)) return bad;
  if (!for_lintrunner)
    for (const Error& missing : job.found.missing) print_error(context, missing);
  Status kept = keep_changed_files(context, job.prepared.tree, options.changed, job.found, job.changes);
  if (!kept.ok()) return fail(context, outputs, kept.error());

  int fixed = kClean;
  report::LintReport report = find_and_fix(context, job, for_lintrunner, fixed);
  note_nothing_to_lint(context, options, report, job.found);
  if (options.fix.diff && report.changes.empty()) note_no_fix(context, report);
  int written = emit_all(context, outputs, [&](const report::OutputSpec& output) {
    return render(context, job, report, output);
  });
  written = worse(written, fixed);
  return for_lintrunner ? written : worse(written, exit_code(report, job.found));
}

}  // namespace

Action declare_lint(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("PATHS", options->paths, "files or folders; @FILE reads paths from a file (default: test/)");
  app.add_option("--profile", options->profile, "rules to hold to; 'hwsift rules list' has them")
      ->type_name("NAME");
  CLI::Option* allowlist =
      app.add_option("--allowlist", options->allowlist, "files that may still break rules")
          ->type_name("FILE");
  app.add_flag("--no-allowlist", options->no_allowlist, "lint the files of the allowlist too")
      ->excludes(allowlist);
  add_changed_options(app, options->changed);
  add_fix_options(app, options->fix);
  add_output_option(app, options->outputs, join(kFormats, ", "));
  return [&context, options] { return lint_command(context, *options); };
}

}  // namespace hwsift::cli
