// How a subcommand is made: an entry in the table of main.cc, and one function that declares its options on a
// CLI::App and returns what to do once they are parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analyzer/discover.h"
#include "analyzer/facts.h"
#include "analyzer/python/analyze.h"
#include "analyzer/scan.h"
#include "base/disk.h"
#include "base/stopwatch.h"
#include "classifier/classify.h"
#include "classifier/vocabulary.h"
#include "cli/config.h"
#include "cli/exit_code.h"
#include "report/output.h"
#include "store/facts_cache.h"

namespace hwsift::cli {

// The options before COMMAND; they are also taken after it.
struct Globals {
  std::string directory;  // -C
  std::string config;
  std::string rules;
  std::string db;
  bool no_cache = false;
  std::string compile_commands;
  int jobs = 0;  // 0: one a processor
  std::string colour = "auto";
  bool quiet = false;
  bool verbose = false;
  bool stats = false;
};

struct Context {
  Globals globals;
  Disk& disk;
  Stopwatch stopwatch;
  Meter* meter = nullptr;                               // of the parts below, where --stats asks
  std::unique_ptr<store::SqliteFactsCache> cache = {};  // once a command has asked for it

  report::Style out_style() const { return report::style_for(1, globals.colour); }
  report::Style err_style() const { return report::style_for(2, globals.colour); }
  // Of standard output; none for a file.
  report::Style style_for(const report::OutputSpec& output) const {
    return output.file.empty() ? out_style() : report::Style{};
  }
  int jobs() const;
};

// Parts of stages that many threads share, for --stats: those of the analyzer first.
enum MeterPart : std::size_t { kClassifyPart = analyzer::kReadingParts, kLintPart, kPrintPart, kPartCount };

using Action = std::function<int()>;

struct Command {
  const char* name;
  const char* summary;
  Action (*declare)(CLI::App& app, Context& context);
};

// One function a subcommand, each in cli/<name>.cc.
Action declare_scan(CLI::App& app, Context& context);
Action declare_classify(CLI::App& app, Context& context);
Action declare_lint(CLI::App& app, Context& context);
Action declare_allowlist(CLI::App& app, Context& context);
Action declare_select(CLI::App& app, Context& context);
Action declare_plan(CLI::App& app, Context& context);
Action declare_run(CLI::App& app, Context& context);
Action declare_merge(CLI::App& app, Context& context);
Action declare_rerun(CLI::App& app, Context& context);
Action declare_replay(CLI::App& app, Context& context);
Action declare_report(CLI::App& app, Context& context);
Action declare_doctor(CLI::App& app, Context& context);
Action declare_track(CLI::App& app, Context& context);
Action declare_rules(CLI::App& app, Context& context);
Action declare_explain(CLI::App& app, Context& context);
Action declare_history(CLI::App& app, Context& context);

// A command made of others: `hwsift history backfill`. One of them must be named.
Action declare_parts(CLI::App& app, Context& context, std::span<const Command> parts);

// --- what the subcommands share ---

// One line on stderr: "hwsift: error: where: what (hint)".
void print_error(const Context& context, const Error& error);
void print_warning(const Context& context, const Error& error);
// For those that are not data: silent under -q.
void print_note(const Context& context, const std::string& text);

// The tree with its configuration and the vocabulary that holds in it.
struct Tree {
  std::string root;  // absolute
  Config config;
  const classifier::Vocabulary* vocabulary = nullptr;
  classifier::Vocabulary loaded;  // where --rules replaces the built-in one or hwsift.yaml adds devices
};

// The built-in vocabulary, or that of --rules, which `storage` then holds.
Result<const classifier::Vocabulary*> choose_vocabulary(Context& context, classifier::Vocabulary& storage);

// Stages of most commands. Each prints its errors; an exit code other than 0 ends the command.
int open_tree(Context& context, Tree& tree);
// The same, with the error for the caller to report.
Status read_tree(Context& context, Tree& tree);
int find_files(Context& context, const Tree& tree, const std::vector<std::string>& paths,
               analyzer::Discovery& found);
// How files of the tree are read, with so many threads; without a cache.
analyzer::ScanOptions scan_options(const Tree& tree, int jobs);
// The same with the cache of facts, unless --no-cache is given.
analyzer::ScanOptions scan_options(Context& context, const Tree& tree, int jobs);
std::vector<analyzer::FileFacts> scan_files(Context& context, const Tree& tree,
                                            const std::vector<analyzer::SourcePath>& files);
// The verdicts of each file, with what bases in other files of the tree say. Where there is an index of the
// tree already, that one is asked.
std::vector<std::vector<classifier::ClassVerdict>> classify_files(
    Context& context, const Tree& tree, const std::vector<analyzer::FileFacts>& files,
    analyzer::TreeIndex* index = nullptr);
// One warning a file that could not be read at all; kInternal when there is any.
int report_unread(const Context& context, const std::vector<analyzer::FileFacts>& files);
// One warning about all files whose syntax errors may hide classes.
void warn_of_syntax_errors(const Context& context, const std::vector<analyzer::FileFacts>& files);

// What a command that reads test files begins with.
struct Opening {
  std::vector<report::OutputSpec> outputs;
  Tree tree;
  std::vector<analyzer::FileFacts> files;
  int code = kClean;  // kUsage where a path is missing, kInternal where something could not be read
};
// Outputs, tree, files, facts. Text where no output is asked for. An exit code other than 0 ends the command;
// what leaves the good files to be done goes to Opening::code.
int open_files(Context& context, const std::vector<std::string>& paths,
               const std::vector<std::string>& outputs, const std::vector<std::string>& formats,
               Opening& opening);

// A path given on the command line, as seen from where the user works (-C).
std::string path_from_here(const Context& context, const std::string& path);

// The tree with a slash at its end, as GitHub wants it: from the checkout, which a job names, else from here.
std::string from_checkout(const std::string& root);

// Declares `-o FORMAT[:FILE]`, which repeats and takes one value a time, so that PATHS may follow.
void add_output_option(CLI::App& app, std::vector<std::string>& outputs, const std::string& formats);
// The -o options of a command, with `otherwise` where none is given; refuses unknown formats.
int parse_outputs(Context& context, const std::vector<std::string>& given,
                  const std::vector<std::string>& allowed, const std::string& otherwise,
                  std::vector<report::OutputSpec>& outputs);
// Emits each output; `render` makes the text of a format.
int emit_all(Context& context, const std::vector<report::OutputSpec>& outputs,
             const std::function<std::string(const report::OutputSpec&)>& render);

}  // namespace hwsift::cli
