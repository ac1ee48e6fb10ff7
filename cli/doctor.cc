#include "report/doctor.h"

#include "base/environment.h"
#include "cli/database.h"
#include "cli/testing.h"
#include "runner/probe.h"

namespace hwsift::cli {
namespace {

struct Options {
  std::vector<std::string> outputs;
  std::string python;
};

constexpr const char* kVariables[] = {"CUDA_VISIBLE_DEVICES",
                                      "HIP_VISIBLE_DEVICES",
                                      "ROCR_VISIBLE_DEVICES",
                                      "ZE_AFFINITY_MASK",
                                      "ONEAPI_DEVICE_SELECTOR",
                                      "ASCEND_RT_VISIBLE_DEVICES",
                                      "HABANA_VISIBLE_DEVICES",
                                      "PYTORCH_TESTING_DEVICE_ONLY_FOR",
                                      "PYTORCH_TESTING_DEVICE_EXCEPT_FOR",
                                      "PYTORCH_TESTING_DEVICE_FOR_CUSTOM",
                                      "TORCH_TEST_DEVICES",
                                      "TORCH_DEVICE_BACKEND_AUTOLOAD"};

void look_at_variables(report::Diagnosis& diagnosis) {
  for (const char* name : kVariables)
    if (std::optional<std::string> value = environment_variable(name)) diagnosis.variables[name] = *value;
}

std::string problem_of(const runner::Introduction& told) {
  if (told.versions.count("torch") == 0)
    return "has no torch: install PyTorch, or name another Python with --python FILE";
  if (!told.problem.empty()) return "torch cannot be imported: " + told.problem;
  if (told.versions.count("pytest") == 0)
    return "has no pytest: install it, or name another Python with --python FILE";
  return "";
}

int look_at_python(const Options& options, report::Diagnosis& diagnosis) {
  std::unique_ptr<Processes> processes = real_processes();
  runner::Surroundings surroundings = runner::real_surroundings();
  bool named = !options.python.empty() || !surroundings.python.empty();
  Result<runner::Interpreter> found = runner::find_interpreter(*processes, options.python, surroundings);
  if (!found.ok()) {
    diagnosis.python_problem = to_string(found.error());
    return named ? kUsage : kEnvironment;
  }
  diagnosis.python = found->path;
  diagnosis.python_how = found->how;
  Result<runner::Introduction> told = runner::ask_devices(*processes, found->path, surroundings.python_path);
  diagnosis.python_problem = told.ok() ? problem_of(*told) : to_string(told.error());
  if (told.ok()) diagnosis.versions = told->versions;
  if (told.ok()) diagnosis.plugins = told->plugins;
  if (told.ok()) diagnosis.devices = told->devices;
  return diagnosis.python_problem.empty() ? kClean : python_fault(*found);
}

// What PyTorch says of a device type is better than what the system says.
void look_at_system(Context& context, report::Diagnosis& diagnosis) {
  std::vector<runner::Device> devices;
  for (const runner::Device& device : runner::system_devices(context.disk)) {
    bool told = false;
    for (const runner::Device& by_torch : diagnosis.devices) told = told || by_torch.type == device.type;
    if (!told) devices.push_back(device);
  }
  devices.insert(devices.begin() + 1, diagnosis.devices.begin(), diagnosis.devices.end());
  diagnosis.devices = std::move(devices);
}

void look_at_database(Context& context, report::Diagnosis& diagnosis) {
  report::DatabaseState& database = diagnosis.database;
  Result<std::string> tree = analyzer::find_tree(context.disk, context.globals.directory);
  if (tree.ok() || !context.globals.db.empty())
    database.file = database_file(context, tree.ok() ? *tree : "");
  database.exists = !database.file.empty() && context.disk.info(database.file).ok();
  if (!database.exists) return;
  Result<store::Store> store = store::Store::open_to_read(database.file);
  if (!store.ok()) {
    database.problem = store.error().what;
    return;
  }
  Result<store::Contents> contents = store->contents();
  if (!contents.ok()) {
    database.problem = contents.error().what;
    return;
  }
  database.runs = contents->runs;
  database.points = contents->points;
  database.items = contents->items;
}

// What hwsift would find with here; where there is no tree, or none that can be read, with what it brings.
Hash analysis_here(Context& context) {
  Tree tree;
  if (read_tree(context, tree).ok()) return store::analysis_of(tree.vocabulary->lexicon());
  classifier::Vocabulary storage;
  Result<const classifier::Vocabulary*> chosen = choose_vocabulary(context, storage);
  return store::analysis_of((chosen.ok() ? **chosen : classifier::builtin_vocabulary()).lexicon());
}

void look_at_cache(Context& context, report::CacheDiagnosis& cache) {
  store::CachePlace place = cache_place(context);
  cache.file = place.file;
  if (!cache.file.empty()) cache.state = store::look_at_cache(place, analysis_here(context));
}

int doctor(Context& context, const Options& options) {
  std::vector<report::OutputSpec> outputs;
  if (int bad = parse_outputs(context, options.outputs, {"text", "json"}, "text", outputs)) return bad;
  report::Diagnosis diagnosis;
  look_at_variables(diagnosis);
  int code = look_at_python(options, diagnosis);
  look_at_system(context, diagnosis);
  look_at_database(context, diagnosis);
  look_at_cache(context, diagnosis.cache);
  return worse(code, emit_all(context, outputs, [&](const report::OutputSpec& output) {
                 return output.format == "json" ? report::doctor_json(diagnosis)
                                                : report::doctor_text(diagnosis, context.out_style());
               }));
}

}  // namespace

Action declare_doctor(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  add_python_option(app, options->python);
  add_output_option(app, options->outputs, "text or json");
  return [&context, options] { return doctor(context, *options); };
}

}  // namespace hwsift::cli
