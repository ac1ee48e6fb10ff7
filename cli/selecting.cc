#include "cli/selecting.h"

#include <algorithm>
#include <cstdio>

#include "base/environment.h"
#include "base/text.h"
#include "cli/database.h"
#include "cli/ratchet.h"
#include "cli/testing.h"
#include "runner/narrow.h"

namespace hwsift::cli {
namespace {

std::vector<std::string> known_categories(const classifier::Vocabulary& vocabulary) {
  std::vector<std::string> names{"GENERIC", "DEVICE_GENERIC", "ACCELERATOR"};
  for (const classifier::DeviceType& type : vocabulary.devices) names.push_back(ascii_upper(type.name));
  return names;
}

Result<std::string> category_of(const std::string& word, const classifier::Vocabulary& vocabulary) {
  std::vector<std::string> known = known_categories(vocabulary);
  std::string name = ascii_upper(trim(word));
  if (std::find(known.begin(), known.end(), name) != known.end())
    return name == "ACCELERATOR" ? "DEVICE_GENERIC" : name;
  std::optional<std::string> near = closest(name, known);
  return Error{"--hw " + word, "no category",
               near ? "did you mean " + *near + "?" : "there are all, " + join(known, ", ")};
}

std::vector<std::string> words_of_variable(const char* name) {
  std::string value = environment_variable(name).value_or("");
  return value.empty() ? std::vector<std::string>{} : split(value, ',');
}

// What the framework of the tests will see, too.
classifier::DeviceVariables device_variables() {
  return {words_of_variable("PYTORCH_TESTING_DEVICE_ONLY_FOR"),
          words_of_variable("PYTORCH_TESTING_DEVICE_EXCEPT_FOR"),
          words_of_variable("PYTORCH_TESTING_DEVICE_FOR_CUSTOM")};
}

runner::Unclassified unclassified_of(const std::string& word) {
  if (word == "include") return runner::Unclassified::include;
  return word == "exclude" ? runner::Unclassified::exclude : runner::Unclassified::infer;
}

Status add_categories(const Tree& tree, const std::string& list, runner::SelectOptions& options) {
  for (const std::string& word : split(list, ',')) {
    if (ascii_lower(trim(word)) == "all") {
      options.every_category = true;
      continue;
    }
    Result<std::string> category = category_of(word, *tree.vocabulary);
    if (!category.ok()) return category.error();
    options.categories.push_back(*category);
  }
  return {};
}

Status read_history(Context& context, const Tree& tree, const runner::Filter& filter,
                    const std::string& device, runner::FilterFacts& facts) {
  Result<std::optional<store::Store>> database = open_history(context, tree.root);
  if (!database.ok()) return database.error();
  if (!*database) return {};
  if (filter.needs_failed()) {
    Result<std::set<std::string>> failed = (*database)->failed_tests(device);
    if (!failed.ok()) return failed.error();
    facts.failed = std::move(*failed);
  }
  if (!filter.needs_history()) return {};
  Result<std::map<std::string, double>> seconds = (*database)->test_seconds(device);
  if (!seconds.ok()) return seconds.error();
  facts.seconds = std::move(*seconds);
  return {};
}

}  // namespace

void declare_selection_flags(CLI::App& app, SelectionFlags& flags, const char* default_device) {
  flags.device = default_device;
  app.add_option("--device", flags.device,
                 std::string("device type, as PyTorch names it, or auto (default: ") + default_device + ")")
      ->type_name("NAME");
  app.add_option("--device-count", flags.device_count,
                 "how many such devices there are, for tests that need several (default: what PyTorch sees "
                 "where it is asked, else enough)")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  app.add_option("--hw", flags.categories,
                 "categories instead of those of the device: GENERIC,CUDA; all: whatever exists for it")
      ->type_name("LIST")
      ->allow_extra_args(false);
  app.add_option("--unclassified", flags.unclassified,
                 "classes without a label: infer by their source (default), include or exclude them all")
      ->check(CLI::IsMember({"infer", "include", "exclude"}))
      ->type_name("HOW");
  app.add_option("-E,--filter", flags.filter,
                 "only tests that the expression takes: 'class(TestAdd) & !slow()'")
      ->type_name("EXPR");
}

Result<runner::SelectOptions> selection_options(const Tree& tree, const SelectionFlags& flags,
                                                const std::string& device, std::optional<int> count) {
  if (flags.device_count > 0) count = flags.device_count;
  runner::SelectOptions options{{device, *tree.vocabulary, count, device_variables()}};
  options.unclassified = unclassified_of(flags.unclassified);
  for (const std::string& list : flags.categories)
    if (Status added = add_categories(tree, list, options); !added.ok()) return added.error();
  return options;
}

int read_filter(Context& context, const Tree& tree, const SelectionFlags& flags,
                std::optional<runner::Filter>& filter) {
  if (flags.filter.empty()) return kClean;
  std::size_t fault = 0;
  Result<runner::Filter> parsed =
      runner::Filter::parse(flags.filter, known_categories(*tree.vocabulary), &fault);
  if (!parsed.ok()) {
    print_error(context, parsed.error());
    std::fprintf(stderr, "%s\n", runner::caret(flags.filter, fault).c_str());
    return kUsage;
  }
  filter = std::move(*parsed);
  return kClean;
}

int apply_filter(Context& context, const Tree& tree, const std::optional<runner::Filter>& filter,
                 runner::Selection& selection) {
  if (!filter) return kClean;
  runner::FilterFacts facts;
  if (filter->needs_history() || filter->needs_failed()) {
    if (Status read = read_history(context, tree, *filter, selection.device, facts); !read.ok())
      return print_error(context, read.error()), kUsage;
  }
  for (const std::string& base : filter->changed_bases()) {
    Stage stage(context.stopwatch, "git");
    Result<std::vector<std::string>> files =
        ask_git(tree.root, [&](const Git& git) { return changed_files(git, base.empty() ? "HEAD" : base); });
    if (!files.ok()) return print_error(context, files.error()), kUsage;
    facts.changed[base] = {files->begin(), files->end()};
  }
  selection = runner::narrowed(selection, *filter, facts);
  return kClean;
}

runner::Selection select_tests(Context& context, const Tree& tree,
                               const std::vector<analyzer::FileFacts>& facts, runner::SelectOptions options) {
  analyzer::TreeIndex index(context.disk, tree.root, tree.vocabulary->lexicon(),
                            scan_options(context, tree, 1));
  for (const analyzer::FileFacts& file : facts) index.know(file);
  std::vector<std::vector<classifier::ClassVerdict>> verdicts = classify_files(context, tree, facts, &index);
  Stage stage(context.stopwatch, "select");
  options.index = &index;
  options.jobs = context.jobs();
  return runner::select(facts, verdicts, options);
}

int select_opened(Context& context, const Opening& opening, const SelectionFlags& flags, std::string device,
                  runner::Selection& selection) {
  warn_of_syntax_errors(context, opening.files);
  std::optional<int> count;
  if (device == "auto")
    if (int bad = device_of_this_machine(context, flags.python, device, count)) return bad;
  note_unknown_device(context, *opening.tree.vocabulary, device);
  Result<runner::SelectOptions> wanted = selection_options(opening.tree, flags, device, count);
  if (!wanted.ok()) return print_error(context, wanted.error()), kUsage;
  std::optional<runner::Filter> filter;
  if (int bad = read_filter(context, opening.tree, flags, filter)) return bad;
  selection = select_tests(context, opening.tree, opening.files, *wanted);
  return apply_filter(context, opening.tree, filter, selection);
}

}  // namespace hwsift::cli
