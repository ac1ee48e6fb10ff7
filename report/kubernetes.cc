#include <fmt/format.h>

#include <cstdint>

#include "base/text.h"
#include "report/plan.h"

namespace hwsift::report {
namespace {

// The code point that starts at `at` in valid UTF-8, and how many bytes it has.
char32_t code_point(const std::string& text, std::size_t at, std::size_t& length) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  length = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
  char32_t point = length == 1 ? byte(0) : byte(0) & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) point = point << 6 | (byte(i) & 0x3Fu);
  return point;
}

// Kubernetes takes $(NAME) in arguments for a variable, and $$ for a dollar.
std::string argument(const std::string& text) {
  std::string escaped;
  for (char c : text) escaped += c == '$' ? std::string("$$") : std::string(1, c);
  return yaml_text(escaped);
}

// What a container found before its index was tried again is kept: the merge takes both.
constexpr const char* kShardScript =
    R"(set -eu; folder=/results/$HWSIFT_RUN; mkdir -p "$folder"; shard=$((JOB_COMPLETION_INDEX + 1)); try=1; )"
    R"(while [ -e "$folder/shard-$shard-$try.json" ]; do try=$((try + 1)); done; )"
    R"(exec hwsift --db /tmp/hwsift.sqlite "$@" --shard auto -o "json:$folder/shard-$shard-$try.json")";
constexpr const char* kMergeScript =
    R"(set -eu; folder=/results/$HWSIFT_RUN; exec hwsift merge "$folder"/shard-*.json -o "json:$folder/merged.json")";

std::string command_yaml(const char* script, const std::vector<std::string>& arguments) {
  std::string text = "          command: [\"/bin/sh\", \"-c\", " + argument(script) + ", \"hwsift\"]\n";
  if (arguments.empty()) return text;
  text += "          args:\n";
  for (const std::string& one : arguments) text += "            - " + argument(one) + "\n";
  return text;
}

std::string container_yaml(const std::string& name, const ShardCommand& command,
                           const KubernetesSettings& settings, bool with_plan) {
  std::string text = fmt::format(R"(      restartPolicy: Never
      terminationGracePeriodSeconds: 60
      volumes:
        - name: results
          persistentVolumeClaim: {{claimName: {}}}
)",
                                 yaml_text(settings.claim));
  if (with_plan) text += fmt::format("        - name: plan\n          configMap: {{name: {}}}\n", name);
  text += fmt::format(R"(      containers:
        - name: hwsift
          image: {}
          env:
            - {{name: HWSIFT_RUN, value: {}}}
            - {{name: HWSIFT_SHARD_TOTAL, value: "{}"}}
          volumeMounts:
            - {{name: results, mountPath: /results}}
)",
                      yaml_text(settings.image), yaml_text(name), command.shards);
  if (with_plan) text += "            - {name: plan, mountPath: /plan}\n";
  return text;
}

std::string config_map(const std::string& name, const std::string& plan) {
  return fmt::format(R"(---
apiVersion: v1
kind: ConfigMap
metadata: {{name: {}}}
data:
  plan.json: {}
)",
                     name, yaml_text(plan));
}

// 1 to 4 would come again: failed tests, usage, a file that cannot be read, nothing selected. 5 and 75 may
// not.
std::string shards_job(const std::string& name, const ShardCommand& command,
                       const KubernetesSettings& settings) {
  return fmt::format(R"(---
apiVersion: batch/v1
kind: Job
metadata: {{name: {0}}}
spec:
  completionMode: Indexed
  completions: {1}
  parallelism: {1}
  backoffLimitPerIndex: 1
  podFailurePolicy:
    rules:
      - action: FailIndex
        onExitCodes: {{containerName: hwsift, operator: In, values: [1, 2, 3, 4]}}
      - action: Ignore
        onPodConditions: [{{type: DisruptionTarget}}]
  template:
    spec:
)",
                     name, command.shards) +
         container_yaml(name, command, settings, !settings.plan.empty()) +
         command_yaml(kShardScript, command.arguments);
}

std::string merge_job(const std::string& name, const ShardCommand& command,
                      const KubernetesSettings& settings) {
  return fmt::format(R"(---
apiVersion: batch/v1
kind: Job
metadata: {{name: {0}-merge}}
spec:
  suspend: true
  backoffLimit: 0
  template:
    spec:
)",
                     name) +
         container_yaml(name, command, settings, false) + command_yaml(kMergeScript, {});
}

std::string how_to(const std::string& name) {
  return fmt::format(R"(# Written by `hwsift plan -o k8s`. Kubernetes 1.33 or later.
#   kubectl create -f THIS_FILE
#   until kubectl get job {0} -o 'jsonpath={{.status.conditions[*].type}}' | grep -qE 'Complete|Failed'; do sleep 10; done
#   kubectl patch job {0}-merge -p '{{"spec":{{"suspend":false}}}}'
# What the shards found, and what the merge makes of it, is in the folder {0} of the volume.
# A container gets its device by `resources`, which are for you to add to the first Job.
)",
                     name);
}

}  // namespace

std::string yaml_text(const std::string& text) {
  std::string valid = valid_utf8(text);
  std::string scalar = "\"";
  std::size_t length = 1;
  for (std::size_t at = 0; at < valid.size(); at += length) {
    char32_t point = code_point(valid, at, length);
    if (point == '"' || point == '\\')
      scalar += {'\\', static_cast<char>(point)};
    else if (point >= 0x20 && point < 0x7F)
      scalar += static_cast<char>(point);
    else if (point == '\n')
      scalar += "\\n";
    else if (point > 0xFFFF)
      scalar += fmt::format("\\U{:08X}", static_cast<std::uint32_t>(point));
    else
      scalar += fmt::format("\\u{:04X}", static_cast<std::uint32_t>(point));
  }
  return scalar + "\"";
}

std::string plan_kubernetes(const ShardCommand& command, const KubernetesSettings& settings) {
  std::string name = "hwsift-" + command.fingerprint.substr(0, 12);
  std::string text = how_to(name);
  if (!settings.plan.empty()) text += config_map(name, settings.plan);
  return text + shards_job(name, command, settings) + merge_job(name, command, settings);
}

}  // namespace hwsift::report
