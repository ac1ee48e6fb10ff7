#include "report/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "base/text.h"
#include "base/yaml.h"
#include "tests/runner/planned.h"

namespace hwsift::report {
namespace {

using runner::add_file;
using runner::KnownTimes;
using runner::Plan;
using runner::Selection;
using runner::selection_of;
using testing::HasSubstr;
using testing::Not;

const std::string kA = "test/test_a.py";

Selection sample() {
  std::vector<runner::SelectedTest> tests;
  add_file(kA, 2, 10, tests);
  add_file("test/test_b.py", 1, 1, tests);
  return selection_of(tests);
}

Plan planned(const KnownTimes& times = {{}, {}, {{kA, 100}}}, int shards = 2) {
  return runner::make_plan(sample(), times, {.shards = shards, .unit_seconds = 50}).value();
}

TEST(PlanText, IsATableWithWhatIsWorthKnowing) {
  EXPECT_EQ(plan_text(planned({{}, {}, {{kA, 100}, {"test/test_b.py", 2}}}), {}),
            R"(2 shards for cpu: 21 tests in 2 files
    shard    seconds  files   tests
      1/2       55.0      1      10
      2/2       52.0      2      11
The slowest takes 55.0 s, 1.03 of the mean.
1 long file in parts.
Times known for 2 of 2 files.
Next: keep it with -o json:plan.json, and on each machine
  hwsift run --plan plan.json --shard INDEX/2
)");
}

TEST(PlanText, SaysWhatIsNotKnown) {
  EXPECT_THAT(plan_text(planned({}), {}), HasSubstr("No times are known: each test is taken for 1 s."));
  EXPECT_THAT(plan_text(planned(), {}),
              HasSubstr("Times known for 1 of 2 files; the others are taken for the mean"));
  std::string nothing = plan_text(runner::make_plan(selection_of({}), {}, {.shards = 1}).value(), {});
  EXPECT_THAT(nothing, HasSubstr("1 shard for cpu: 0 tests in 0 files\nNothing to plan"));
  EXPECT_THAT(nothing, Not(HasSubstr("Next:")));
  Plan odd = planned();
  odd.device = "x\x1b[31m";
  EXPECT_THAT(plan_text(odd, {}), Not(HasSubstr("\x1b")));
}

TEST(PlanJson, HoldsTheSelectionAndTheShards) {
  Plan plan = planned();
  std::string text = plan_json(sample(), plan);
  Json document = parse_json(text, "plan").value();
  EXPECT_EQ(document.begin().key(), "schema");
  EXPECT_EQ(document["schema"], "hwsift.plan/1");
  EXPECT_EQ(document["device"], "cpu");
  EXPECT_EQ(document["tests"].size(), 21u);
  EXPECT_EQ(document["fingerprint"], plan.fingerprint);
  EXPECT_EQ(document["times"]["known"], 1);
  EXPECT_EQ(document["times"]["files"], 2);
  ASSERT_EQ(document["shards"].size(), 2u);
  EXPECT_EQ(document["shards"][1]["index"], 2);
  std::size_t whole = 0;
  for (const Json& shard : document["shards"])
    for (const Json& unit : shard["units"]) whole += !unit.contains("tests");
  EXPECT_EQ(whole, 1u) << "only parts name their tests again";
  EXPECT_FALSE(document.contains("paths")) << "the whole tree";
  EXPECT_EQ(split(plan_json(sample(), plan, -1), '\n').size(), 2u);
}

TEST(PlanGithubMatrix, IsOneLineForTheOutputs) {
  std::string text = plan_github_matrix(planned());
  ASSERT_TRUE(text.starts_with("matrix={"));
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  Json matrix = parse_json(text.substr(7), "matrix").value();
  ASSERT_EQ(matrix["include"].size(), 2u);
  EXPECT_EQ(matrix["include"][1]["shard"], 2);
  EXPECT_EQ(matrix["include"][1]["total"], 2);
  EXPECT_GT(matrix["include"][1]["expected_seconds"], 50);
}

TEST(ShellWord, IsOneWord) {
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b$c`d\\"), "'a b$c`d\\'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
}

TEST(YamlText, ReadsBackAsItWas) {
  for (const std::string text :
       {"", "a", "\"quoted\" \\ back", "line\nline\r\n\ttab", "\x01\x7F",
        "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80 \xC2\x85 \xE2\x80\xA8", "{{a: 1}} # no: comment"}) {
    std::string scalar = yaml_text(text);
    for (char c : scalar) EXPECT_TRUE(c >= 0x20 && c < 0x7F) << scalar;
    Result<Yaml> read = parse_yaml("key: " + scalar + "\n", "a.yaml");
    ASSERT_TRUE(read.ok()) << scalar << to_string(read.error());
    EXPECT_EQ(read->find("key")->scalar, text);
  }
  EXPECT_EQ(yaml_text("a\xFF"), "\"a\\uFFFD\"");
}

ShardCommand command() {
  return {{"-C", "/it's \"here\"/$(x) $HOME", "run", "--plan", "/a b/plan.json"}, "0123456789abcdef", 3};
}

TEST(PlanSlurm, QuotesWhatItHandsOn) {
  std::string script = plan_slurm(command());
  EXPECT_TRUE(script.starts_with("#!/bin/bash\n"));
  EXPECT_THAT(script, HasSubstr("\nshards=3\narguments=('-C' '/it'\\''s \"here\"/$(x) $HOME' 'run' '--plan' "
                                "'/a b/plan.json')\n"));
}

std::vector<Yaml> documents(const std::string& text) {
  std::vector<Yaml> all;
  std::size_t from = text.find("---\n") + 4;
  while (from < text.size()) {
    std::size_t end = std::min(text.find("\n---\n", from), text.size());
    Result<Yaml> document = parse_yaml(text.substr(from, end - from), "k8s.yaml");
    EXPECT_TRUE(document.ok()) << to_string(document.error()) << text;
    if (document.ok()) all.push_back(*document);
    from = end + 5;
  }
  return all;
}

// The node at a path of keys and indices.
const Yaml& at(const Yaml& node, const std::string& path) {
  static const Yaml missing;
  const Yaml* here = &node;
  for (const std::string& key : split(path, '/')) {
    bool index = key.find_first_not_of("0123456789") == std::string::npos;
    if (index && std::stoul(key) < here->items.size())
      here = &here->items[std::stoul(key)];
    else if (here = here->find(key); here == nullptr) {
      ADD_FAILURE() << "no " << key << " of " << path;
      return missing;
    }
  }
  return *here;
}

TEST(PlanKubernetes, HasThePlanTheShardsAndTheMerge) {
  KubernetesSettings settings{"registry/image:1 \"x\"", "my-claim", "{\"plan\": \"$(HOME)\"}\n"};
  std::vector<Yaml> all = documents(plan_kubernetes(command(), settings));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(at(all[0], "kind").scalar, "ConfigMap");
  EXPECT_EQ(at(all[0], "metadata/name").scalar, "hwsift-0123456789ab");
  EXPECT_EQ(at(all[0], "data/plan.json").scalar, settings.plan);

  const Yaml& job = all[1];
  EXPECT_EQ(at(job, "kind").scalar, "Job");
  EXPECT_EQ(at(job, "spec/completionMode").scalar, "Indexed");
  EXPECT_EQ(at(job, "spec/completions").scalar, "3");
  EXPECT_EQ(at(job, "spec/parallelism").scalar, "3");
  const Yaml& pod = at(job, "spec/template/spec");
  EXPECT_EQ(at(pod, "restartPolicy").scalar, "Never") << "a pod failure policy needs it";
  EXPECT_EQ(at(pod, "volumes/0/persistentVolumeClaim/claimName").scalar, "my-claim");
  EXPECT_EQ(at(pod, "volumes/1/configMap/name").scalar, "hwsift-0123456789ab");
  EXPECT_EQ(at(pod, "containers/0/image").scalar, settings.image);
  EXPECT_EQ(at(pod, "containers/0/env/1/value").scalar, "3");
  EXPECT_TRUE(at(pod, "containers/0/env/1/value").quoted) << "a variable is text";
  EXPECT_EQ(at(pod, "containers/0/args/1").scalar, "/it's \"here\"/$$(x) $$HOME") << "no variable to expand";
  EXPECT_EQ(at(pod, "containers/0/args").items.size(), 5u);
  EXPECT_THAT(at(pod, "containers/0/command/2").scalar, HasSubstr("$$((JOB_COMPLETION_INDEX + 1)).json"));

  EXPECT_EQ(at(all[2], "metadata/name").scalar, "hwsift-0123456789ab-merge");
  EXPECT_EQ(at(all[2], "spec/suspend").scalar, "true");
  EXPECT_THAT(at(all[2], "spec/template/spec/containers/0/command/2").scalar, HasSubstr("hwsift merge"));
}

TEST(PlanKubernetes, WithoutThePlanHasNoMapOfIt) {
  std::string text = plan_kubernetes(command(), {"image", "claim", ""});
  EXPECT_EQ(documents(text).size(), 2u);
  EXPECT_THAT(text, Not(HasSubstr("configMap")));
}

}  // namespace
}  // namespace hwsift::report
