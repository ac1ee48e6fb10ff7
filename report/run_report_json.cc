#include "base/json.h"
#include "report/run_report.h"

namespace hwsift::report {
namespace {

using history::Comparison;
using history::OutcomeCounts;
using history::ParityGroup;
using history::ReasonCluster;
using history::Rename;
using history::RunGroup;
using history::ShownTest;
using history::TestState;

Json head_json(const history::RunHead& head) {
  return {
      {"device", head.device},           {"environment", head.environment}, {"started", head.started},
      {"seconds", head.seconds},         {"selected", head.selected},       {"runs", head.parts},
      {"fingerprint", head.fingerprint}, {"complete", head.complete},       {"documents", head.documents}};
}

Json counts_json(const OutcomeCounts& counts) {
  Json json = {{"results", counts.results()}};
  for (runner::Outcome outcome : runner::kOutcomes) json[word(outcome)] = counts.of(outcome);
  json["not_run"] = counts.not_run;
  json["seconds"] = counts.seconds;
  return json;
}

template <class Item, class Make>
Json list_json(const std::vector<Item>& items, Make make) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(make(item));
  return list;
}

Json groups_json(const std::vector<RunGroup>& groups) {
  return list_json(groups, [](const RunGroup& group) {
    Json json = {{"name", group.name}};
    json.update(counts_json(group.counts));
    return json;
  });
}

Json clusters_json(const std::vector<ReasonCluster>& clusters) {
  return list_json(clusters, [](const ReasonCluster& cluster) {
    Json examples = list_json(cluster.examples, [](const history::ClusterExample& one) {
      return Json{{"id", one.id}, {"text", one.text}};
    });
    return Json{
        {"text", cluster.text}, {"tests", cluster.tests}, {"texts", cluster.texts}, {"examples", examples}};
  });
}

Json tests_json(const std::vector<ShownTest>& tests) {
  return list_json(tests, [](const ShownTest& test) {
    return Json{{"id", test.id},
                {"outcome", word(test.outcome)},
                {"seconds", test.seconds},
                {"attempts", test.attempts},
                {"text", test.text}};
  });
}

Json run_json_of(const history::RunReport& run) {
  Json json = head_json(run.head);
  json["counts"] = counts_json(run.total);
  json["quarantined"] = run.quarantined;
  json["categories"] = groups_json(run.categories);
  json["devices"] = groups_json(run.devices);
  json["directories"] = groups_json(run.directories);
  json["files"] = groups_json(run.files);
  json["failures"] = clusters_json(run.failures);
  json["skips"] = clusters_json(run.skips);
  json["not_run"] = clusters_json(run.not_run);
  json["broken"] = tests_json(run.broken);
  json["flaky"] = tests_json(run.flaky);
  json["slowest_tests"] = tests_json(run.slowest_tests);
  json["slowest_files"] = list_json(run.slowest_files, [](const history::SlowFile& file) {
    return Json{{"path", file.path}, {"results", file.tests}, {"seconds", file.seconds}};
  });
  json["notes"] = run.notes;
  return json;
}

// --- the comparison ---

Json side_json(const history::ComparedSide& side) {
  Json json = head_json(side.head);
  json["tests"] = side.tests;
  json["templates"] = side.templates;
  json["stood_for"] = side.stood_for;
  return json;
}

Json share_json(const history::Share& share) {
  return {{"tests", share.part}, {"of", share.whole}, {"percent", share.percent()}};
}

Json matrix_json(const Comparison& comparison) {
  Json matrix = Json::object();
  for (TestState here : history::kAllTestStates)
    for (TestState there : history::kAllTestStates)
      matrix[word(here)][word(there)] = comparison.cell(here, there);
  return matrix;
}

Json parity_json(const std::vector<ParityGroup>& groups) {
  return list_json(groups, [](const ParityGroup& group) {
    Json json = {{"name", group.name}, {"passed_there", group.parity().whole}};
    for (TestState state : history::kAllTestStates)
      json[word(state)] = group.here[static_cast<std::size_t>(state)];
    return json;
  });
}

Json renames_json(const std::vector<Rename>& renames) {
  return list_json(renames, [](const Rename& rename) {
    return Json{
        {"path", rename.path}, {"there", rename.there}, {"here", rename.here}, {"tests", rename.tests}};
  });
}

Json differences_json(const std::vector<history::Difference>& differences) {
  return list_json(differences, [](const history::Difference& one) {
    return Json{{"here", one.here},
                {"there", one.there},
                {"here_state", word(one.here_state)},
                {"there_state", word(one.there_state)},
                {"matched_by", word(one.match)},
                {"here_text", one.here_text},
                {"there_text", one.there_text}};
  });
}

Json comparison_json(const Comparison& made) {
  Json json = {{"here", side_json(made.here)},
               {"there", side_json(made.there)},
               {"only_if_passed", made.only_if_passed},
               {"parity", share_json(made.parity)},
               {"agreement", share_json(made.agreement)},
               {"tests", made.pairs}};
  for (history::Relation relation : history::kRelations)
    json["relations"][word(relation)] = made.of(relation);
  for (history::Match match : history::kMatches) json["matched_by"][word(match)] = made.of(match);
  json["matrix"] = matrix_json(made);
  json["categories"] = parity_json(made.categories);
  json["directories"] = parity_json(made.directories);
  json["files"] = parity_json(made.files);
  json["renames"] = renames_json(made.renames);
  json["possible_renames"] = renames_json(made.possible_renames);
  json["same_method"] = made.same_method;
  json["failures_here"] = clusters_json(made.failures_here);
  json["skips_here"] = clusters_json(made.skips_here);
  json["not_run_here"] = clusters_json(made.not_run_here);
  json["skips_there"] = clusters_json(made.skips_there);
  json["not_run_there"] = clusters_json(made.not_run_there);
  json["differences"] = differences_json(made.differences);
  return json;
}

}  // namespace

std::string run_report_json(const RunReport& report) {
  Json document = {{"schema", "hwsift.run_report/1"}, {"made", report.made}, {"version", report.version}};
  document["run"] = run_json_of(report.run);
  if (report.comparison) document["comparison"] = comparison_json(*report.comparison);
  return dump_json(document, 1) + "\n";
}

}  // namespace hwsift::report
