// What the hardware symbols of PyTorch mean. Read from rules/ (compiled in; --rules DIR replaces it).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/facts.h"
#include "analyzer/lexicon.h"
#include "base/disk.h"
#include "base/result.h"
#include "base/yaml.h"

namespace hwsift::classifier {

// What a symbol says about the code that uses it (before polarity is applied).
enum class Meaning {
  requires_device,       // works on `devices` only, whatever device a test is given (torch.cuda.CUDAGraph)
  requires_accelerator,  // some accelerator (HAS_GPU, skip_if_lt_x_gpu); where `devices` are given, those are
                         // named by habit and another would do (TEST_CUDA, torch.cuda.synchronize)
  selects_device,        // runs on a device that the test is given or picks (GPU_TYPE, get_all_device_types)
  restricts_variants,    // in an instantiated class, other variants skip (onlyCUDA)
  skips_variants,  // in an instantiated class, the variants of `devices` skip (skipCUDAIf): no need, stays
                   // generic
  fakes_device,    // what it sets up runs on no device, whatever its code names (FakeStore)
  neutral,         // known, and says nothing about the category
};

// What else a symbol asks for, beside a device.
struct Need {
  int count = 0;                     // at least so many devices
  bool count_from_argument = false;  // as many as the first argument of the call says: skip_if_lt_x_gpu(2)
  std::string library;               // "cudnn"
  std::string capability;            // "sm80", "flash_attention"
};

struct Symbol {
  std::string name;               // dotted and resolved: "torch.testing._internal.common_utils.TEST_CUDA"
  std::string module;             // "torch.testing._internal.common_utils"
  std::string kind_word = "api";  // as rules/ has it: finer than what the analyzer tells apart
  analyzer::UseKind kind = analyzer::UseKind::api;
  Meaning meaning = Meaning::neutral;
  bool prefix = false;  // stands for every name below it too
  std::vector<std::string> devices;
  std::string twin;   // the device-agnostic replacement, "" where there is none
  std::string since;  // the oldest PyTorch release known to have it, "" where 2.6 has it
  std::string until;  // the newest PyTorch release known to have it, "" where 2.14 has it
  Need need;
  std::string
      build;  // the device type (or "mpi") whose builds or plug-in alone have it, "" where every one does
  bool package = false;  // of a package of its own, which PyTorch does not bring
  bool recorded = true;  // a use is a fact; false for what only sounds like hardware

  // Whether the last component alone tells what is meant (onlyCUDA), as star imports and re-exports leave it.
  bool known_by_last_word() const;
};

// How instantiate_device_type_tests treats a device type.
enum class Instantiated {
  always,     // cpu, cuda, hpu, a PrivateUse1 backend
  allow_mps,  // needs allow_mps=True
  allow_xpu,
  lazy,   // include_lazy=True
  never,  // meta: a word that may stand in a filter and never matches
};

struct DeviceType {
  std::string name;      // "cuda"
  std::string category;  // "CUDA" where it has a category of its own, else ""
  bool accelerator = true;
  Instantiated instantiated = Instantiated::always;
  std::vector<std::string> members;  // names on a tensor or module that belong to it: cuda, is_cuda
  std::vector<std::string> words;    // parts of a file's or class's own name that hint at it
  bool stands_for_any = false;       // tests that name it by habit would do with another accelerator
  bool literal = true;               // its name as text is a device of a test
  bool privateuse1 = false;          // a backend behind PrivateUse1
  std::vector<std::string> visible_devices = {};  // variables that say which of its devices a process sees
};

// Answers to questions on which maintainers differ (rules/policy.yaml says what each asks).
struct Policy {
  bool follow_helpers = true;
  bool unused_device_is_generic = true;
  bool cpu_template_needs_a_sign = true;
  bool only_cpu_tests_are_cpu = true;
  bool names_decide = true;
  bool fake_group_is_generic = true;
};

struct PolicySwitch {
  const char* name;
  bool Policy::*value;
};

inline constexpr PolicySwitch kPolicySwitches[] = {
    {"follow_helpers", &Policy::follow_helpers},
    {"unused_device_is_generic", &Policy::unused_device_is_generic},
    {"cpu_template_needs_a_sign", &Policy::cpu_template_needs_a_sign},
    {"only_cpu_tests_are_cpu", &Policy::only_cpu_tests_are_cpu},
    {"names_decide", &Policy::names_decide},
    {"fake_group_is_generic", &Policy::fake_group_is_generic},
};

// Lets string maps be asked with a string_view.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using TextIndex = std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>>;

struct CxxVocabulary;

class Vocabulary {
 public:
  std::vector<DeviceType> devices;
  std::vector<Symbol> symbols;  // sorted by name
  Policy policy;
  std::string version;                       // of the rules, for --version and caches
  std::shared_ptr<const CxxVocabulary> cxx;  // of --rules; nullptr for the built-in one (cxx_vocabulary.h)

  const DeviceType* device(std::string_view name) const;
  // The symbol of this name: exact, else the longest prefix entry above it, else the first one that is known
  // by its last word and has the last word of `name`; nullptr where there is none.
  const Symbol* find(std::string_view name) const;
  analyzer::Lexicon lexicon() const;
  // Sorts the symbols and builds the look-up tables; call after symbols are complete.
  void index();

 private:
  const Symbol* prefix_above(std::string_view name) const;

  TextIndex by_name_;
  TextIndex by_last_word_;
};

std::string_view last_word(std::string_view dotted);
const char* word(Meaning meaning);
const char* word(Instantiated instantiated);

// The vocabulary that was compiled in. Built on first use.
const Vocabulary& builtin_vocabulary();
// rules/devices.yaml, rules/policy.yaml and rules/symbols/*.yaml of a folder. The error holds all errors,
// each with file and line.
Result<Vocabulary> load_vocabulary(Disk& disk, const std::string& rules_folder);
// Adds the PrivateUse1 device types of a project, as hwsift.yaml lists them: names, or {name, category,
// members, words}. The error names file and line.
Status add_project_devices(const Yaml& list, Vocabulary& vocabulary);

}  // namespace hwsift::classifier
