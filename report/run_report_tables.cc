#include "report/run_report_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"

namespace hwsift::report {
namespace {

using history::Comparison;
using history::Match;
using history::OutcomeCounts;
using history::ParityGroup;
using history::ReasonCluster;
using history::Relation;
using history::Rename;
using history::RunGroup;
using history::ShownTest;
using history::TestState;
using runner::Outcome;

constexpr char kNoCategory[] = "no category known";
constexpr char kNoDevice[] = "no device in the name";

ReportCell number(std::size_t value) { return {"", static_cast<long long>(value)}; }
ReportCell words(std::string text) { return {std::move(text), std::nullopt}; }
ReportCell id(std::string text) { return {std::move(text), std::nullopt, true}; }
// "not_run" is "not run" where people read it.
std::string spaced(std::string_view word) {
  std::string text(word);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}
ReportCell state_cell(std::string_view word) { return {spaced(word), std::nullopt, false, true}; }
ReportCell seconds(double value) { return {seconds_text(value), std::nullopt}; }

// A list of which the first rows are made.
template <class Item, class Make>
void fill(ReportTable& table, const std::vector<Item>& items, std::size_t limit, Make make) {
  table.total = items.size();
  for (std::size_t i = 0; i < std::min(limit, items.size()); ++i) table.rows.push_back(make(items[i]));
}

ReportTable outcomes(const history::RunReport& run) {
  ReportTable table{"total", "Outcomes", "", {{"Outcome"}, {"Tests", true, "tests"}}};
  auto add = [&](const std::string& name, std::size_t tests) {
    table.rows.push_back({name, {state_cell(name), number(tests)}});
  };
  add("results", run.total.results());
  for (Outcome outcome : runner::kOutcomes)
    if (run.total.of(outcome) > 0 || outcome == Outcome::passed || outcome == Outcome::failed)
      add(word(outcome), run.total.of(outcome));
  if (run.quarantined > 0) add("quarantined", run.quarantined);
  add("not_run", run.total.not_run);
  table.total = table.rows.size();
  return table;
}

// Columns for the outcomes that the run has at all.
struct CountColumns {
  CountColumns(const OutcomeCounts& total, bool with_not_run) : not_run(with_not_run && total.not_run > 0) {
    for (Outcome outcome : runner::kOutcomes)
      if (total.of(outcome) > 0) outcomes.push_back(outcome);
  }
  void add_to(ReportTable& table) const {
    table.columns.push_back({"results", true, "results"});
    for (Outcome outcome : outcomes) table.columns.push_back({word(outcome), true, word(outcome)});
    if (not_run) table.columns.push_back({"not run", true, "not_run"});
    table.columns.push_back({"seconds", true, "seconds"});
  }
  ReportRow row(const std::string& name, ReportCell first, const OutcomeCounts& counts) const {
    ReportRow row{name, {std::move(first), number(counts.results())}};
    for (Outcome outcome : outcomes) row.cells.push_back(number(counts.of(outcome)));
    if (not_run) row.cells.push_back(number(counts.not_run));
    row.cells.push_back(seconds(counts.seconds));
    return row;
  }
  std::vector<Outcome> outcomes;
  bool not_run;
};

ReportTable groups(ReportTable table, const std::vector<RunGroup>& list, const CountColumns& columns,
                   std::size_t limit, const std::string& nameless, bool is_path) {
  columns.add_to(table);
  fill(table, list, limit, [&](const RunGroup& group) {
    std::string name = group.name.empty() ? nameless : group.name;
    return columns.row(name, is_path ? id(name) : words(name), group.counts);
  });
  return table;
}

// Those with trouble first, then those with most tests.
std::vector<RunGroup> worst_first(std::vector<RunGroup> files) {
  std::stable_sort(files.begin(), files.end(), [](const RunGroup& a, const RunGroup& b) {
    std::size_t left = a.counts.bad(), right = b.counts.bad();
    return left != right ? left > right : a.counts.results() > b.counts.results();
  });
  return files;
}

std::vector<std::string> example_lines(const ReasonCluster& cluster) {
  std::vector<std::string> lines;
  for (const history::ClusterExample& example : cluster.examples)
    lines.push_back(cluster.texts == 1 ? example.id : example.id + ": " + example.text);
  return lines;
}

ReportTable clusters(ReportTable table, const std::vector<ReasonCluster>& list, std::size_t limit) {
  table.columns = {{"Tests", true, "tests"}, {"Texts", true, "texts"}, {"Reason"}};
  table.noun = "reasons";
  fill(table, list, limit, [](const ReasonCluster& cluster) {
    ReportRow row{cluster.text, {number(cluster.tests), number(cluster.texts), id(cluster.text)}};
    row.more = example_lines(cluster);
    return row;
  });
  return table;
}

ReportTable broken(const history::RunReport& run, std::size_t limit) {
  ReportTable table{
      "broken", "Crashes and timeouts", "", {{"Outcome"}, {"Seconds", true, "seconds"}, {"Test"}}};
  table.noun = "tests";
  fill(table, run.broken, limit, [](const ShownTest& test) {
    ReportRow row{test.id, {state_cell(word(test.outcome)), seconds(test.seconds), id(test.id)}};
    if (!test.text.empty()) row.more.push_back(test.text);
    return row;
  });
  return table;
}

ReportTable flaky(const history::RunReport& run, std::size_t limit) {
  ReportTable table{"flaky",
                    "Flaky",
                    "Fine after several attempts, or not the same in the runs that were joined.",
                    {{"Outcome"}, {"Attempts", true, "attempts"}, {"Test"}}};
  table.noun = "tests";
  fill(table, run.flaky, limit, [](const ShownTest& test) {
    ReportRow row{
        test.id,
        {state_cell(word(test.outcome)), number(static_cast<std::size_t>(test.attempts)), id(test.id)}};
    if (!test.text.empty()) row.more.push_back(test.text);
    return row;
  });
  return table;
}

ReportTable slowest_tests(const history::RunReport& run, std::size_t limit) {
  ReportTable table{
      "slowest_tests", "Slowest tests", "", {{"Seconds", true, "seconds"}, {"Outcome"}, {"Test"}}};
  fill(table, run.slowest_tests, limit, [](const ShownTest& test) {
    return ReportRow{test.id, {seconds(test.seconds), state_cell(word(test.outcome)), id(test.id)}};
  });
  table.total = table.rows.size();  // the first of all tests, whatever their number
  return table;
}

ReportTable slowest_files(const history::RunReport& run, std::size_t limit) {
  ReportTable table{"slowest_files",
                    "Slowest files",
                    "",
                    {{"Seconds", true, "seconds"}, {"Results", true, "results"}, {"File"}}};
  fill(table, run.slowest_files, limit, [](const history::SlowFile& file) {
    return ReportRow{file.path, {seconds(file.seconds), number(file.tests), id(file.path)}};
  });
  table.total = table.rows.size();
  return table;
}

// --- the comparison ---

std::vector<TestState> states_here(const Comparison& comparison) {
  std::vector<TestState> states;
  for (TestState state : history::kAllTestStates)
    if (comparison.here_in(state) > 0) states.push_back(state);
  return states;
}

std::vector<TestState> states_there(const Comparison& comparison) {
  std::vector<TestState> states;
  for (TestState state : history::kAllTestStates)
    if (comparison.there_in(state) > 0) states.push_back(state);
  return states;
}

ReportTable shares(const Comparison& comparison) {
  ReportTable table{
      "share",
      "Parity and agreement",
      "",
      {{"Share"}, {"Percent", true, "percent"}, {"Tests", true, "tests"}, {"Of", true, "of"}, {"Meaning"}}};
  auto add = [&](const char* name, const history::Share& share, const char* says) {
    table.rows.push_back(
        {name,
         {words(name), words(percent_text(share)), number(share.part), number(share.whole), words(says)}});
  };
  add("parity", comparison.parity, "of what passed there, passed here");
  add("agreement", comparison.agreement, "of what has a result on both sides, says the same");
  table.total = table.rows.size();
  return table;
}

// What the baseline's passes are here: the answer that vendors look for.
ReportTable baseline_passes(const Comparison& comparison) {
  ReportTable table{
      "passed_there",
      "What passed in the baseline",
      "missing: this run does not know the test; not run: it knows the test and left it out for a "
      "reason; skipped: the test ran into a skip.",
      {{"Here"}, {"Tests", true, "tests"}}};
  for (TestState state : history::kAllTestStates)
    if (std::size_t tests = comparison.cell(state, TestState::passed);
        tests > 0 || state == TestState::passed || state == TestState::skipped || state == TestState::missing)
      table.rows.push_back({word(state), {state_cell(word(state)), number(tests)}});
  table.total = table.rows.size();
  return table;
}

ReportTable matrix(const Comparison& comparison) {
  ReportTable table{"matrix",
                    "Here by baseline",
                    "Rows: this run. Columns: the baseline. Each test of both is in one cell.",
                    {{"here \\ there"}}};
  std::vector<TestState> columns = states_there(comparison);
  for (TestState there : columns) table.columns.push_back({spaced(word(there)), true, word(there)});
  for (TestState here : states_here(comparison)) {
    ReportRow row{word(here), {state_cell(word(here))}};
    for (TestState there : columns) row.cells.push_back(number(comparison.cell(here, there)));
    table.rows.push_back(std::move(row));
  }
  table.total = table.rows.size();
  return table;
}

const char* meaning(Relation relation) {
  switch (relation) {
    case Relation::agree:
      return "results that say the same";
    case Relation::disagree:
      return "results that differ";
    case Relation::not_run_here:
      return "a result there; known here and left out";
    case Relation::not_run_there:
      return "a result here; known there and left out";
    case Relation::neither:
      return "left out on both sides";
    case Relation::only_here:
      return "missing there";
    case Relation::only_there:
      return "missing here";
    case Relation::ambiguous:
      return "several tests could be the counterpart";
  }
  return "";
}

ReportTable relations(const Comparison& comparison) {
  ReportTable table{"relation", "Each test once", "", {{"Relation"}, {"Tests", true, "tests"}, {"Meaning"}}};
  for (Relation relation : history::kRelations)
    table.rows.push_back(
        {word(relation),
         {words(spaced(word(relation))), number(comparison.of(relation)), words(meaning(relation))}});
  table.rows.push_back({"all", {words("all"), number(comparison.pairs), words("")}});
  table.total = table.rows.size();
  return table;
}

const char* meaning(Match match) {
  switch (match) {
    case Match::none:
      return "";
    case Match::exact:
      return "one id";
    case Match::device:
      return "variants of one template for the two devices";
    case Match::name:
      return "one class, names that differ in the device alone";
    case Match::template_name:
      return "a template that did not run stands for the tests it makes";
    case Match::rename:
      return "class renamed, listed below";
  }
  return "";
}

ReportTable matches(const Comparison& comparison) {
  ReportTable table{
      "match", "How counterparts were found", "", {{"By"}, {"Tests", true, "tests"}, {"Meaning"}}};
  for (Match match : history::kMatches)
    if (comparison.of(match) > 0)
      table.rows.push_back(
          {word(match), {words(word(match)), number(comparison.of(match)), words(meaning(match))}});
  table.total = table.rows.size();
  return table;
}

ReportTable parity_groups(ReportTable table, const Comparison& comparison, std::vector<ParityGroup> list,
                          std::size_t limit, bool is_path) {
  auto lost = [](const ParityGroup& group) { return group.parity().whole - group.parity().part; };
  if (is_path)
    std::stable_sort(list.begin(), list.end(),
                     [&](const ParityGroup& a, const ParityGroup& b) { return lost(a) > lost(b); });
  std::vector<TestState> states;
  for (TestState state : history::kAllTestStates)
    if (comparison.cell(state, TestState::passed) > 0) states.push_back(state);
  table.columns.push_back({"passed there", true, "passed_there"});
  for (TestState state : states) table.columns.push_back({spaced(word(state)), true, word(state)});
  table.columns.push_back({"parity", true, "parity"});
  fill(table, list, limit, [&](const ParityGroup& group) {
    history::Share share = group.parity();
    std::string name = group.name.empty() ? kNoCategory : group.name;
    ReportRow row{name, {is_path ? id(name) : words(name), number(share.whole)}};
    for (TestState state : states) row.cells.push_back(number(group.here[static_cast<std::size_t>(state)]));
    row.cells.push_back(words(percent_text(share)));
    return row;
  });
  return table;
}

ReportTable renames(ReportTable table, const std::vector<Rename>& list, std::size_t limit) {
  table.columns = {{"Tests", true, "tests"}, {"Baseline"}, {"Here"}, {"File"}};
  table.noun = "classes";
  fill(table, list, limit, [](const Rename& rename) {
    return ReportRow{rename.path + "::" + rename.there + " " + rename.here,
                     {number(rename.tests), id(rename.there), id(rename.here), id(rename.path)}};
  });
  return table;
}

ReportRow difference_row(const history::Difference& one) {
  const std::string& shown = one.here.empty() ? one.there : one.here;
  ReportRow row{shown, {state_cell(word(one.there_state)), state_cell(word(one.here_state)), id(shown)}};
  if (!one.here.empty() && !one.there.empty() && one.here != one.there)
    row.more.push_back(fmt::format("there: {} (by {})", one.there, word(one.match)));
  if (!one.here_text.empty()) row.more.push_back("here: " + one.here_text);
  if (!one.there_text.empty()) row.more.push_back("there: " + one.there_text);
  row.here = one.here;
  row.there = one.there;
  return row;
}

// At most so many of each kind (missing here and passed there, ...) that all kinds are seen: places that one
// does not need go to the others. In their order.
std::vector<const history::Difference*> of_each_kind(const std::vector<history::Difference>& all,
                                                     std::size_t limit) {
  std::map<std::pair<TestState, TestState>, std::size_t> left;  // of a kind, not chosen yet
  for (const history::Difference& one : all) ++left[{one.here_state, one.there_state}];
  std::map<std::pair<TestState, TestState>, std::size_t> chosen;
  std::size_t places = std::min(limit, all.size());
  while (places > 0) {
    auto open = static_cast<std::size_t>(
        std::count_if(left.begin(), left.end(), [](const auto& kind) { return kind.second > 0; }));
    std::size_t share = std::max<std::size_t>(places / open, 1);
    for (auto& [kind, number] : left) {
      std::size_t more = std::min({share, number, places});
      chosen[kind] += more, number -= more, places -= more;
    }
  }
  std::vector<const history::Difference*> list;
  for (const history::Difference& one : all) {
    std::size_t& number = chosen[{one.here_state, one.there_state}];
    if (number > 0) --number, list.push_back(&one);
  }
  return list;
}

ReportTable differences(const Comparison& comparison, std::size_t limit) {
  ReportTable table{
      "difference",
      comparison.only_if_passed ? "Tests that passed in the baseline and not here" : "Tests that differ",
      comparison.only_if_passed ? "" : "What passed in the baseline comes first.",
      {{"There"}, {"Here"}, {"Test"}}};
  table.noun = "tests";
  table.total = comparison.differences.size();
  for (const history::Difference* one : of_each_kind(comparison.differences, limit))
    table.rows.push_back(difference_row(*one));
  if (table.left_out() > 0)
    table.says += std::string(table.says.empty() ? "" : " ") + "The first of each kind.";
  return table;
}

std::vector<ReportTable> with_rows(std::vector<ReportTable> tables) {
  std::erase_if(tables, [](const ReportTable& table) { return table.total == 0; });
  return tables;
}

std::string side_text(const history::ComparedSide& side) {
  auto torch = side.head.environment.find("torch");
  std::string text = side.head.device;
  if (torch != side.head.environment.end()) text += ", torch " + torch->second;
  if (!side.head.started.empty()) text += ", " + side.head.started;
  return fmt::format("{} ({} tests; {})", text, side.tests, join(side.head.documents, ", "));
}

void add_template_sentence(const history::ComparedSide& side, const char* where,
                           std::vector<std::string>& sentences) {
  if (side.templates > 0)
    sentences.push_back(
        fmt::format("{} template{} that did not run {} stand{} for {} test{} of the other side.",
                    side.templates, side.templates == 1 ? "" : "s", where, side.templates == 1 ? "s" : "",
                    side.stood_for, side.stood_for == 1 ? "" : "s"));
}

}  // namespace

std::string seconds_text(double seconds) { return fmt::format("{:.2f}", seconds); }

std::string percent_text(const history::Share& share) {
  return share.whole == 0 ? "-" : fmt::format("{:.2f}", share.percent());
}

std::string report_title(const RunReport& report) {
  const std::string& device = report.run.head.device;
  if (!report.comparison) return fmt::format("Run on {}", device);
  const std::string& other = report.comparison->there.head.device;
  return fmt::format("Run on {} against {}", device, other == device ? "another one" : other);
}

std::vector<ReportFact> head_facts(const history::RunHead& head) {
  std::vector<ReportFact> facts = {{"device", head.device}};
  for (const auto& [name, value] : head.environment) facts.push_back({name, value});
  if (!head.started.empty()) facts.push_back({"started", head.started});
  facts.push_back({"seconds", seconds_text(head.seconds)});
  facts.push_back({"selected", fmt::format("{}, before templates expand", head.selected)});
  if (head.parts > 1) facts.push_back({"runs joined", fmt::format("{}", head.parts)});
  facts.push_back(
      {"account", head.complete ? "complete" : "open: not every selected test has a result or a reason"});
  facts.push_back({"documents", join(head.documents, ", ")});
  return facts;
}

std::vector<std::string> comparison_sentences(const Comparison& comparison) {
  std::vector<std::string> sentences = {"Here, this run: " + side_text(comparison.here),
                                        "There, the baseline: " + side_text(comparison.there)};
  add_template_sentence(comparison.here, "here", sentences);
  add_template_sentence(comparison.there, "there", sentences);
  if (comparison.same_method > 0)
    sentences.push_back(fmt::format(
        "{} tests that are missing on one side have a method that several classes of the file have on "
        "the other: no rename is guessed.",
        comparison.same_method));
  if (comparison.only_if_passed)
    sentences.emplace_back("The lists hold what passed in the baseline alone; the numbers are of all tests.");
  return sentences;
}

std::vector<ReportTable> run_tables(const history::RunReport& run, const ReportLimits& limits) {
  CountColumns of_results(run.total, false);
  CountColumns all(run.total, true);
  return with_rows({
      outcomes(run),
      groups(
          {"category", "By category", "Of results; what did not run has its reasons below.", {{"Category"}}},
          run.categories, of_results, kNoLimit, kNoCategory, false),
      groups({"device", "By device", "As the names of the tests say.", {{"Device"}}}, run.devices, all,
             kNoLimit, kNoDevice, false),
      groups({"directory", "By directory", "", {{"Directory"}}, {}, 0, "directories"}, run.directories, all,
             limits.groups, "", true),
      groups({"file", "By file", "Those with failures first.", {{"File"}}, {}, 0, "files"},
             worst_first(run.files), all, limits.groups, "", true),
      clusters({"failure", "Failures",
                "Messages that differ in numbers and names alone count as one; texts: how many there are."},
               run.failures, limits.clusters),
      broken(run, limits.tests),
      clusters({"skip", "Skips", "Reasons of tests that ran into a skip, counted in the same way."},
               run.skips, limits.clusters),
      clusters(
          {"not_run", "Not run", "Reasons of tests that are known and did not run, counted in the same way."},
          run.not_run, limits.clusters),
      flaky(run, limits.tests),
      slowest_tests(run, limits.tests),
      slowest_files(run, limits.tests),
  });
}

std::vector<ReportTable> comparison_tables(const Comparison& made, const ReportLimits& limits) {
  return with_rows({
      shares(made),
      baseline_passes(made),
      matrix(made),
      relations(made),
      matches(made),
      parity_groups(
          {"parity_category", "Parity by category", "Categories as the baseline has them.", {{"Category"}}},
          made, made.categories, kNoLimit, false),
      parity_groups({"parity_directory",
                     "Parity by directory",
                     "Most lost first.",
                     {{"Directory"}},
                     {},
                     0,
                     "directories"},
                    made, made.directories, limits.groups, true),
      parity_groups({"parity_file", "Parity by file", "Most lost first.", {{"File"}}, {}, 0, "files"}, made,
                    made.files, limits.groups, true),
      renames({"rename", "Renamed classes", "Their tests were taken for the same ones."}, made.renames,
              limits.clusters),
      renames({"possible_rename", "Possibly renamed classes",
               "The names say nothing of each other: their tests stand as missing."},
              made.possible_renames, limits.clusters),
      clusters({"failure_here", "Failures here of tests that differ"}, made.failures_here, limits.clusters),
      clusters({"skip_here", "Skips here of tests that differ"}, made.skips_here, limits.clusters),
      clusters({"not_run_here", "Not run here, with a result there"}, made.not_run_here, limits.clusters),
      clusters({"skip_there", "Skips there of tests that differ"}, made.skips_there, limits.clusters),
      clusters({"not_run_there", "Not run there, with a result here"}, made.not_run_there, limits.clusters),
      differences(made, limits.differences),
  });
}

}  // namespace hwsift::report
