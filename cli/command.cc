#include "cli/command.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>
#include <string>

#include "analyzer/scan.h"
#include "base/environment.h"
#include "base/text.h"
#include "base/threads.h"
#include "cli/cxx_scan.h"
#include "cli/database.h"

namespace hwsift::cli {
namespace {

void print_line(const std::string& prefix, const Error& error) {
  std::string line = "hwsift: " + prefix + " " + printable(to_string(error)) + "\n";
  std::fputs(line.c_str(), stderr);
}

void leave_out(const std::vector<std::string>& excluded, std::vector<analyzer::SourcePath>& files) {
  auto is_excluded = [&](const analyzer::SourcePath& file) {
    for (const std::string& path : excluded)
      if (file.path == path || path_below(file.path, path) != file.path) return true;
    return false;
  };
  std::erase_if(files, is_excluded);
}

bool is_cxx(const analyzer::SourcePath& file) { return analyzer::is_cxx_file(file.path); }

int rank(int code) {
  switch (code) {
    case kInterrupted:
    case kTerminated:
      return 8;
    case kUsage:
      return 7;
    case kEnvironment:
      return 6;
    case kInternal:
      return 5;
    case kIncomplete:
      return 4;
    case kFindings:
      return 3;
    case kStaleAllowlist:
      return 2;
    case kNothingSelected:
      return 1;
    default:
      return 0;
  }
}

}  // namespace

int worse(int a, int b) { return rank(b) > rank(a) ? b : a; }

int Context::jobs() const { return globals.jobs > 0 ? globals.jobs : usable_cores(); }

Action declare_parts(CLI::App& app, Context& context, std::span<const Command> parts) {
  std::vector<std::pair<CLI::App*, Action>> actions;
  for (const Command& part : parts) {
    CLI::App* sub = app.add_subcommand(part.name, part.summary);
    sub->fallthrough();
    actions.emplace_back(sub, part.declare(*sub, context));
  }
  app.require_subcommand(1);
  return [actions] {
    for (const auto& [sub, action] : actions)
      if (sub->parsed()) return action();
    return static_cast<int>(kUsage);
  };
}

void print_error(const Context& context, const Error& error) {
  print_line(context.err_style().red("error:"), error);
}

void print_warning(const Context& context, const Error& error) {
  if (!context.globals.quiet) print_line(context.err_style().yellow("warning:"), error);
}

void print_note(const Context& context, const std::string& text) {
  if (!context.globals.quiet) std::fputs((text + "\n").c_str(), stderr);
}

Result<const classifier::Vocabulary*> choose_vocabulary(Context& context, classifier::Vocabulary& storage) {
  if (context.globals.rules.empty()) return &classifier::builtin_vocabulary();
  Result<classifier::Vocabulary> loaded = classifier::load_vocabulary(context.disk, context.globals.rules);
  if (!loaded.ok()) return loaded.error();
  storage = std::move(*loaded);
  return &storage;
}

// Nothing is copied where neither --rules nor the tree's devices change what was compiled in.
static Status read_vocabulary(Context& context, Tree& tree) {
  Result<const classifier::Vocabulary*> chosen = choose_vocabulary(context, tree.loaded);
  if (!chosen.ok()) return chosen.error();
  tree.vocabulary = *chosen;
  const Yaml& devices = tree.config.devices;
  if (devices.kind == Yaml::Kind::null) return {};
  if (tree.vocabulary != &tree.loaded) tree.loaded = *tree.vocabulary;
  tree.vocabulary = &tree.loaded;
  return classifier::add_project_devices(devices, tree.loaded);
}

Status read_tree(Context& context, Tree& tree) {
  Result<std::string> root = analyzer::find_tree(context.disk, context.globals.directory);
  if (!root.ok()) return root.error();
  tree.root = *root;
  Result<Config> config = load_config(context.disk, tree.root, context.globals.config);
  if (!config.ok()) return config.error();
  tree.config = *config;
  return read_vocabulary(context, tree);
}

int open_tree(Context& context, Tree& tree) {
  Status opened = read_tree(context, tree);
  if (opened.ok()) return kClean;
  print_error(context, opened.error());
  return kUsage;
}

int find_files(Context& context, const Tree& tree, const std::vector<std::string>& paths,
               analyzer::Discovery& found) {
  Stage stage(context.stopwatch, "discover");
  std::string here =
      context.globals.directory.empty() ? absolute_path(".") : absolute_path(context.globals.directory);
  Result<analyzer::Discovery> discovery =
      analyzer::discover(context.disk, tree.root, here, paths, tree.config.languages);
  if (!discovery.ok()) return print_error(context, discovery.error()), kUsage;
  found = std::move(*discovery);
  if (paths.empty()) leave_out(tree.config.exclude, found.files);
  for (const Error& skipped : found.skipped) print_warning(context, skipped);
  if (std::none_of(found.files.begin(), found.files.end(), is_cxx)) return kClean;
  Status usable = check_compile_commands(context, tree);
  if (!usable.ok()) return print_error(context, usable.error()), kUsage;
  return kClean;
}

analyzer::ScanOptions scan_options(const Tree& tree, int jobs) {
  analyzer::ScanOptions options;
  options.jobs = jobs;
  if (tree.config.max_file_bytes > 0) options.max_file_bytes = tree.config.max_file_bytes;
  return options;
}

// Of what the lexicon finds: a command has one tree, and so one of them.
static analyzer::FactsCache* facts_cache(Context& context, const Tree& tree) {
  store::CachePlace place = cache_place(context);
  if (context.globals.no_cache || place.file.empty()) return nullptr;
  if (context.cache == nullptr)
    context.cache = std::make_unique<store::SqliteFactsCache>(
        place, store::analysis_of(tree.vocabulary->lexicon()), [&context](const Error& error) {
          print_note(context, "hwsift: note: " + printable(to_string(error)));
        });
  return context.cache.get();
}

analyzer::ScanOptions scan_options(Context& context, const Tree& tree, int jobs) {
  analyzer::ScanOptions options = scan_options(tree, jobs);
  options.cache = facts_cache(context, tree);
  options.meter = context.meter;
  return options;
}

std::vector<analyzer::FileFacts> scan_files(Context& context, const Tree& tree,
                                            const std::vector<analyzer::SourcePath>& files) {
  Stage stage(context.stopwatch, "analyze");
  std::vector<analyzer::SourcePath> cxx;
  std::copy_if(files.begin(), files.end(), std::back_inserter(cxx), is_cxx);
  std::vector<analyzer::SourcePath> python;
  std::remove_copy_if(files.begin(), files.end(), std::back_inserter(python), is_cxx);
  std::vector<analyzer::FileFacts> facts = analyzer::scan(context.disk, python, tree.vocabulary->lexicon(),
                                                          scan_options(context, tree, context.jobs()));
  if (cxx.empty()) return facts;
  for (analyzer::FileFacts& file : scan_cxx_files(context, tree, cxx)) facts.push_back(std::move(file));
  std::stable_sort(
      facts.begin(), facts.end(),
      [](const analyzer::FileFacts& a, const analyzer::FileFacts& b) { return a.path < b.path; });
  return facts;
}

std::vector<std::vector<classifier::ClassVerdict>> classify_files(
    Context& context, const Tree& tree, const std::vector<analyzer::FileFacts>& files,
    analyzer::TreeIndex* index) {
  if (index == nullptr) {
    analyzer::TreeIndex own(context.disk, tree.root, tree.vocabulary->lexicon(),
                            scan_options(context, tree, 1));
    for (const analyzer::FileFacts& file : files) own.know(file);
    return classify_files(context, tree, files, &own);
  }
  Stage stage(context.stopwatch, "classify");
  std::vector<std::vector<classifier::ClassVerdict>> verdicts(files.size());
  for_each_index(files.size(), context.jobs(), [&](std::size_t i) {
    MeterScope scope(context.meter, kClassifyPart);
    verdicts[i] = classifier::classify(files[i], *tree.vocabulary, index);
  });
  return verdicts;
}

int report_unread(const Context& context, const std::vector<analyzer::FileFacts>& files) {
  int code = kClean;
  for (const analyzer::FileFacts& file : files) {
    if ((file.parse.read && file.parse.decoded) || file.parse.errors.empty()) continue;
    const analyzer::ParseError& error = file.parse.errors.front();
    std::string where = error.line > 0 ? file.path + ":" + std::to_string(error.line) : file.path;
    std::string hint =
        file.parse.decoded ? "" : "save it as UTF-8, declare its encoding, or exclude it in hwsift.yaml";
    print_error(context, {where, error.message, hint});
    code = kInternal;
  }
  return code;
}

void warn_of_syntax_errors(const Context& context, const std::vector<analyzer::FileFacts>& files) {
  std::size_t count = 0;
  const analyzer::FileFacts* first = nullptr;
  for (const analyzer::FileFacts& file : files) {
    if (!file.parse.read || !file.parse.decoded || file.parse.errors.empty()) continue;
    ++count;
    if (first == nullptr || file.path < first->path) first = &file;
  }
  if (first == nullptr) return;
  std::string what = count == 1 ? "1 file has syntax errors, its"
                                : std::to_string(count) + " files have syntax errors, their";
  print_warning(context, {first->path + ":" + std::to_string(first->parse.errors.front().line),
                          what + " classes after the error may be missing", "'hwsift scan' shows them"});
}

namespace {

// Two documents in one file would leave the second only; a device such as /dev/null takes any number.
int distinct_files(const Context& context, const std::vector<report::OutputSpec>& outputs) {
  std::set<std::string> files;
  for (const report::OutputSpec& output : outputs) {
    if (output.file.empty() || output.file.compare(0, 5, "/dev/") == 0) continue;
    if (files.insert(absolute_path(output.file)).second) continue;
    print_error(context, {"-o " + output.format + ":" + output.file, "a second output to this file",
                          "name another file"});
    return kUsage;
  }
  return kClean;
}

}  // namespace

std::string path_from_here(const Context& context, const std::string& path) {
  bool own_place = path.starts_with('/') || context.globals.directory.empty();
  return absolute_path(own_place ? path : join_path(context.globals.directory, path));
}

std::string from_checkout(const std::string& root) {
  std::string workspace = environment_variable("GITHUB_WORKSPACE").value_or("");
  std::string checkout = absolute_path(workspace.empty() ? "." : workspace);
  return root == checkout ? "" : path_below(root, checkout) + "/";
}

void add_output_option(CLI::App& app, std::vector<std::string>& outputs, const std::string& formats) {
  app.add_option("-o,--output", outputs, formats + "; with :FILE to write to a file; repeats")
      ->allow_extra_args(false)
      ->type_name("FORMAT[:FILE]");
}

int parse_outputs(Context& context, const std::vector<std::string>& given,
                  const std::vector<std::string>& allowed, const std::string& otherwise,
                  std::vector<report::OutputSpec>& outputs) {
  for (const std::string& text : given) {
    Result<report::OutputSpec> spec = report::parse_output_spec(text, allowed);
    if (!spec.ok()) return print_error(context, spec.error()), kUsage;
    if (Status there = report::check_writable(*spec); !there.ok())
      return print_error(context, there.error()), kUsage;
    outputs.push_back(*spec);
  }
  if (outputs.empty()) outputs.push_back({otherwise, ""});
  auto on_stdout = [](const report::OutputSpec& output) { return output.file.empty(); };
  if (std::count_if(outputs.begin(), outputs.end(), on_stdout) <= 1) return distinct_files(context, outputs);
  print_error(context, {"-o", "two formats for standard output", "give all but one a file: -o FORMAT:FILE"});
  return kUsage;
}

int open_files(Context& context, const std::vector<std::string>& paths,
               const std::vector<std::string>& outputs, const std::vector<std::string>& formats,
               Opening& opening) {
  if (int bad = parse_outputs(context, outputs, formats, "text", opening.outputs)) return bad;
  if (int bad = open_tree(context, opening.tree)) return bad;
  analyzer::Discovery found;
  if (int bad = find_files(context, opening.tree, paths, found)) return bad;
  for (const Error& missing : found.missing) print_error(context, missing), opening.code = kUsage;
  if (!found.skipped.empty()) opening.code = worse(opening.code, kInternal);  // what they hold is not known
  opening.files = scan_files(context, opening.tree, found.files);
  opening.code = worse(opening.code, report_unread(context, opening.files));
  return kClean;
}

int emit_all(Context& context, const std::vector<report::OutputSpec>& outputs,
             const std::function<std::string(const report::OutputSpec&)>& render) {
  Stage stage(context.stopwatch, "print");
  int code = kClean;
  for (const report::OutputSpec& output : outputs) {
    MeterScope scope(context.meter, kPrintPart);
    std::string text = render(output);
    scope.count(text.size());
    Status written = report::emit(context.disk, output, text);
    if (written.ok()) continue;
    print_error(context, written.error());
    code = kUsage;
  }
  return code;
}

}  // namespace hwsift::cli
