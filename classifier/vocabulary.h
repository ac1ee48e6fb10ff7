// What the hardware symbols of PyTorch mean. Read from rules/ (compiled in; --rules DIR replaces it).
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/facts.h"
#include "analyzer/lexicon.h"
#include "base/disk.h"
#include "base/result.h"

namespace hwsift::classifier {

// What a symbol says about the code that uses it (before polarity is applied).
enum class Meaning {
  requires_device,       // works on `devices` only, whatever device a test is given (torch.cuda.CUDAGraph)
  requires_accelerator,  // some accelerator, which one does not matter (HAS_GPU, skip_if_lt_x_gpu)
  selects_device,        // runs on a device that the test is given or picks (GPU_TYPE, get_all_device_types)
  restricts_variants,    // in an instantiated class, other variants skip (onlyCUDA)
  skips_variants,  // in an instantiated class, the variants of `devices` skip (skipCUDAIf): no need, stays
                   // generic
  neutral,         // known, and says nothing about the category
};

struct Symbol {
  std::string name;  // dotted and resolved: "torch.testing._internal.common_utils.TEST_CUDA"
  analyzer::UseKind kind = analyzer::UseKind::api;
  Meaning meaning = Meaning::neutral;
  bool prefix = false;  // stands for every name below it too
  std::vector<std::string> devices;
  std::string twin;   // the device-agnostic replacement, "" where there is none
  std::string since;  // first PyTorch release that has it, "" where all that hwsift knows have it
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
};

class Vocabulary {
 public:
  std::vector<DeviceType> devices;
  std::vector<Symbol> symbols;  // sorted by name
  std::string version;          // of the rules, for --version and caches

  const DeviceType* device(std::string_view name) const;
  // The symbol of this name: exact, else the longest prefix entry above it, else the only or first one whose
  // last component is the whole of `name`; nullptr where there is none.
  const Symbol* find(std::string_view name) const;
  analyzer::Lexicon lexicon() const;
  // Builds the look-up tables; call after symbols are complete.
  void index();

 private:
  std::unordered_map<std::string, std::size_t> by_name_;
  std::unordered_map<std::string, std::size_t> by_last_word_;
};

// The vocabulary that was compiled in. Built on first use.
const Vocabulary& builtin_vocabulary();
// rules/devices.yaml and rules/symbols/*.yaml of a folder. All errors at once, each with file and line.
Result<Vocabulary> load_vocabulary(Disk& disk, const std::string& rules_folder);

}  // namespace hwsift::classifier
