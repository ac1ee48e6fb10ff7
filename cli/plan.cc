#include "report/plan.h"

#include <memory>

#include "base/process.h"
#include "base/text.h"
#include "cli/planning.h"
#include "cli/testing.h"

namespace hwsift::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::vector<std::string> outputs;
  SelectionFlags selection;
  int shards = 0;
  std::string target_time;
  PlanningOptions planning;
  report::KubernetesSettings kubernetes;
  std::string tree_in_image;
};

// What is printed from.
struct Made {
  runner::Selection selection;
  runner::Plan plan;
  report::ShardCommand command;  // here; in a container with other paths
  report::ShardCommand in_container;
  report::KubernetesSettings kubernetes;
};

std::string render(const report::OutputSpec& output, const Made& made, const report::Style& style) {
  if (output.format == "json") return report::plan_json(made.selection, made.plan);
  if (output.format == "github-matrix") return report::plan_github_matrix(made.plan);
  if (output.format == "slurm") return report::plan_slurm(made.command);
  if (output.format == "k8s") return report::plan_kubernetes(made.in_container, made.kubernetes);
  return report::plan_text(made.plan, style);
}

const report::OutputSpec* output_in(const std::vector<report::OutputSpec>& outputs,
                                    const std::string& format) {
  for (const report::OutputSpec& output : outputs)
    if (output.format == format) return &output;
  return nullptr;
}

const report::OutputSpec* json_file_in(const std::vector<report::OutputSpec>& outputs) {
  for (const report::OutputSpec& output : outputs)
    if (output.format == "json" && !output.file.empty()) return &output;
  return nullptr;
}

int read_wanted(const Context& context, const Options& options, runner::PlanOptions& wanted) {
  wanted.shards = options.shards;
  if ((options.shards > 0) == !options.target_time.empty()) {
    print_error(context, {"plan", options.shards > 0 ? "both --shards and --target-time" : "how many shards?",
                          "name one of --shards N and --target-time TIME"});
    return kUsage;
  }
  if (options.shards > 0) return kClean;
  Result<double> target = parse_duration("--target-time", options.target_time);
  if (!target.ok()) return print_error(context, target.error()), kUsage;
  wanted.target_seconds = *target;
  return kClean;
}

// Times change from run to run: shards that each make the plan anew would not fit together.
int check_outputs(const Context& context, const Options& options,
                  const std::vector<report::OutputSpec>& outputs) {
  const report::OutputSpec* slurm = output_in(outputs, "slurm");
  const report::OutputSpec* k8s = output_in(outputs, "k8s");
  if (slurm != nullptr && json_file_in(outputs) == nullptr) {
    print_error(context, {"-o slurm", "the jobs need a plan that they all read",
                          "add -o json:FILE, where all nodes see it"});
    return kUsage;
  }
  if (k8s != nullptr && options.kubernetes.image.empty()) {
    print_error(context, {"-o k8s", "which image?",
                          "name one that holds hwsift, a PyTorch and the tree: --image NAME"});
    return kUsage;
  }
  return kClean;
}

// GitHub starts none of the jobs of a larger matrix.
int check_matrix(const Context& context, const std::vector<report::OutputSpec>& outputs, std::size_t shards) {
  if (shards <= report::kMostJobsOfMatrix || output_in(outputs, "github-matrix") == nullptr) return kClean;
  print_error(context, {"-o github-matrix",
                        std::to_string(shards) + " shards, but GitHub takes " +
                            std::to_string(report::kMostJobsOfMatrix) + " jobs of a matrix at most",
                        "plan fewer shards"});
  return kUsage;
}

std::vector<std::string> paths_of(const std::vector<analyzer::FileFacts>& files) {
  std::vector<std::string> paths;
  for (const analyzer::FileFacts& file : files) paths.push_back(file.path);
  return paths;
}

std::vector<std::string> shard_arguments(const Context& context, const std::string& tree,
                                         const std::string& plan) {
  std::vector<std::string> arguments{"-C", tree};
  if (!context.globals.config.empty())
    arguments.insert(arguments.end(), {"--config", absolute_path(context.globals.config)});
  if (!context.globals.rules.empty())
    arguments.insert(arguments.end(), {"--rules", absolute_path(context.globals.rules)});
  arguments.insert(arguments.end(), {"run", "--plan", plan});
  return arguments;
}

// How the shards are run, on machines that see this tree and in containers.
void set_commands(Context& context, const Options& options, const Tree& tree,
                  const std::vector<report::OutputSpec>& outputs, Made& made) {
  int shards = static_cast<int>(made.plan.shards.size());
  const report::OutputSpec* json = json_file_in(outputs);
  std::string plan_file = json != nullptr ? absolute_path(json->file) : "";
  made.command = {shard_arguments(context, tree.root, plan_file), made.plan.fingerprint, shards};
  if (output_in(outputs, "k8s") == nullptr) return;
  made.kubernetes = options.kubernetes;
  made.kubernetes.plan = report::plan_json(made.selection, made.plan, -1);
  std::string plan = report::kPlanInContainer;
  if (made.kubernetes.plan.size() > report::kMostBytesOfConfigMap) {
    made.kubernetes.plan.clear();
    plan = "/results/plan-" + made.plan.fingerprint.substr(0, 12) + ".json";
    print_note(context, "The plan is too large for a ConfigMap: put that of -o json:FILE on the volume, as " +
                            base_name(plan));
  }
  made.in_container = {{"-C", options.tree_in_image, "run", "--plan", plan}, made.plan.fingerprint, shards};
}

// Only the binary knows which C++ tests there are: `run --gtest --shard` splits them by itself.
int leave_cxx_out(const Context& context, Opening& opening) {
  auto is_cxx = [](const analyzer::FileFacts& file) { return file.language == "cpp"; };
  std::size_t left_out = std::erase_if(opening.files, is_cxx);
  if (left_out == 0) return kClean;
  constexpr char kHow[] = "`run --gtest BINARY:SOURCES --shard I/N` takes a part of them";
  if (!opening.files.empty())
    return print_note(context, std::to_string(left_out) + " C++ files are left out; " + kHow), kClean;
  print_error(context, {"plan", "C++ tests are split without a plan", kHow});
  return kUsage;
}

int plan(Context& context, const Options& options) {
  runner::PlanOptions wanted;
  if (int bad = read_wanted(context, options, wanted)) return bad;
  std::string device;
  if (int bad = device_type_of(context, options.selection.device, device)) return bad;
  Opening opening;
  if (int bad = open_files(context, options.paths, options.outputs,
                           {"text", "json", "github-matrix", "slurm", "k8s"}, opening))
    return bad;
  if (int bad = leave_cxx_out(context, opening)) return bad;
  if (opening.code == kUsage) return kUsage;  // a plan of fewer files than were named is none
  if (int bad = check_outputs(context, options, opening.outputs)) return bad;

  Made made;
  if (int bad = select_opened(context, opening, options.selection, device, made.selection)) return bad;
  if (int bad = make_plan(context, opening.tree, made.selection, options.planning, wanted, made.plan))
    return bad;
  if (int bad = check_matrix(context, opening.outputs, made.plan.shards.size())) return bad;
  made.plan.scope = scope_of(options.selection);
  if (!options.paths.empty()) made.plan.scope.paths = paths_of(opening.files);
  set_commands(context, options, opening.tree, opening.outputs, made);
  int code = made.selection.tests.empty() ? worse(opening.code, kNothingSelected) : opening.code;
  return worse(code, emit_all(context, opening.outputs, [&](const report::OutputSpec& output) {
                 return render(output, made, context.style_for(output));
               }));
}

}  // namespace

Action declare_plan(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("PATHS", options->paths, "files or folders; @FILE reads paths from a file (default: test/)");
  declare_selection_flags(app, options->selection, "cpu");
  add_python_option(app, options->selection.python);
  app.add_option("--shards", options->shards, "how many shards")
      ->check(CLI::Range(1, runner::kMostShards))
      ->type_name("N");
  app.add_option("--target-time", options->target_time, "as few shards as keep to this: 90, 90s, 30m")
      ->type_name("TIME");
  add_planning_options(app, options->planning);
  options->kubernetes.claim = "hwsift";
  options->tree_in_image = "/workspace";
  app.add_option("--image", options->kubernetes.image,
                 "for k8s: an image with hwsift, a PyTorch and the tree")
      ->type_name("NAME");
  app.add_option("--image-tree", options->tree_in_image,
                 "for k8s: where the tree is in it (default: /workspace)")
      ->type_name("DIR");
  app.add_option("--claim", options->kubernetes.claim,
                 "for k8s: the volume claim for results (default: hwsift)")
      ->type_name("NAME");
  add_output_option(app, options->outputs, "text, json, github-matrix, slurm or k8s");
  return [&context, options] { return plan(context, *options); };
}

}  // namespace hwsift::cli
