// hwsift sorts PyTorch tests by the hardware they need. This file knows the subcommands and the global
// options only.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

#include "base/text.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/stats.h"
#include "version.h"

namespace hwsift::cli {
namespace {

constexpr Command kCommands[] = {
    {"scan", "facts: files, classes, tests, instantiation calls, hardware uses", declare_scan},
    {"classify", "declared, inferred and mixed per class, with evidence and confidence", declare_classify},
    {"explain",
     "why a file, class or test has its category and runs on a device or not; or what a rule means",
     declare_explain},
    {"lint", "findings of a profile, minus the allowlist", declare_lint},
    {"allowlist", "what may still break rules: init, check, prune, add, merge", declare_allowlist},
    {"select", "the tests for a device, and why the others are not", declare_select},
    {"plan", "the tests for a device in shards that take equally long", declare_plan},
    {"run", "run the tests for a device with pytest, and account for every one", declare_run},
    {"merge", "shards and attempts of one plan, joined into one run", declare_merge},
    {"rerun", "run again what failed in a run, or what it did not reach", declare_rerun},
    {"replay", "what a run document says, as if it ran now", declare_replay},
    {"report", "reports for people: progress of the migration, and runs", declare_report},
    {"doctor", "devices, Python, PyTorch, database, cache: what hwsift sees", declare_doctor},
    {"history", "what git and the database know of the past: backfill, query", declare_history},
    {"track", "tracked items: import, list, show, set", declare_track},
    {"rules", "the lint rules and the hardware symbols: list, show, symbols, docs", declare_rules},
};

void declare_globals(CLI::App& app, Globals& globals) {
  app.add_option("-C", globals.directory,
                 "the tree around DIR; PATHS are relative to DIR, files of -o and --db are not")
      ->type_name("DIR");
  app.add_option("--config", globals.config, "settings instead of the tree's hwsift.yaml")->type_name("FILE");
  app.add_option("--rules", globals.rules, "rules instead of the built-in ones")->type_name("DIR");
  app.add_option("--db", globals.db, "database instead of .hwsift/hwsift.sqlite")->type_name("FILE");
  app.add_flag("--no-cache", globals.no_cache,
               "analyse every file anew, and keep nothing for later runs in the cache ($HWSIFT_CACHE_DIR)");
  app.add_option("--compile-commands", globals.compile_commands,
                 "a build's compile_commands.json, or its folder: C++ names are resolved by the compiler")
      ->type_name("PATH");
  app.add_option("--jobs", globals.jobs, "threads (default: one a processor)")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  app.add_option("--color", globals.colour, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  app.add_flag("-q,--quiet", globals.quiet, "errors and data only");
  app.add_flag("-v,--verbose", globals.verbose, "say more");
  app.add_flag("--stats", globals.stats, "print what each stage and part of the work took");
}

std::string version_text() {
  return std::string("hwsift " HWSIFT_VERSION "\ngrammar tree-sitter-python " HWSIFT_GRAMMAR_VERSION
                     "\nrules ") +
         classifier::builtin_vocabulary().version + "\n";
}

// What CLI11 could not place; the first that is no option was meant as a command.
std::string mistyped_command(const CLI::App& app) {
  if (!app.get_subcommands().empty()) return "";
  for (const std::string& left : app.remaining())
    if (!left.empty() && left.front() != '-') return left;
  return "";
}

// CLI11 says what is wrong; for a mistyped command we say which, and what may have been meant.
std::string usage_text(const CLI::App& app, const CLI::ParseError& error) {
  std::string typed = mistyped_command(app);
  if (typed.empty()) return error.what();
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  std::optional<std::string> near = closest(typed, names);
  return "no command '" + printable(typed) + "'" + (near ? " (did you mean '" + *near + "'?)" : "");
}

int usage_error(const CLI::App& app, const CLI::ParseError& error) {
  std::fprintf(stderr, "hwsift: error: %s\nRun 'hwsift --help' for the commands and options.\n",
               usage_text(app, error).c_str());
  return kUsage;
}

// The name of an option or argument that was given with nothing in it, "" where there is none.
std::string empty_option(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& value : option->results())
      if (value.empty()) return option->get_name();
  for (const CLI::App* sub : app.get_subcommands())
    if (std::string name = empty_option(*sub); !name.empty()) return name;
  return "";
}

bool is_among(const char* name, int argc, char** argv) {
  return std::any_of(argv, argv + argc, [&](const char* one) { return std::strcmp(one, name) == 0; });
}

int run_main(int argc, char** argv) {
  CLI::App app("hwsift sorts PyTorch tests by the hardware they need.", "hwsift");
  Context context{{}, real_disk(), {}};
  app.formatter(std::make_shared<HelpFormatter>());
  declare_globals(app, context.globals);
  app.fallthrough();
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text);
  std::vector<std::pair<CLI::App*, Action>> actions;
  for (const Command& command : kCommands) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    sub->fallthrough();
    // The options of the others would take longer than many a command does.
    if (is_among(command.name, argc, argv)) actions.emplace_back(sub, command.declare(*sub, context));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return usage_error(app, error);
  }
  if (std::string empty = empty_option(app); !empty.empty()) {
    print_error(context, {empty, "empty", "give it a value, or leave it out; was a variable not set?"});
    return kUsage;
  }
  Meter meter = make_meter(context.globals);
  if (context.globals.stats) context.meter = &meter;
  int code = kInternal;
  for (auto& [sub, action] : actions)
    if (sub->parsed()) code = action();
  if (context.cache != nullptr) {
    Stage stage(context.stopwatch, "cache");
    context.cache->finish();
  }
  if (context.globals.stats) print_stats(context);
  return code;
}

}  // namespace
}  // namespace hwsift::cli

// Of the allocator (cli/CMakeLists.txt). A run is short: memory that it gave back it will want again, and
// with large pages the system is asked for it less often.
extern "C" const char* malloc_conf;
const char* malloc_conf = "dirty_decay_ms:-1,muzzy_decay_ms:-1,thp:always";

int main(int argc, char** argv) {
  try {
    return hwsift::cli::run_main(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "hwsift: internal error: %s (please report it with the command line)\n", e.what());
    return hwsift::cli::kInternal;
  }
}
