// The one model of what instantiate_device_type_tests makes of a class; lint, explain and the runner all ask
// here. Source: torch/testing/_internal/common_device_type.py of PyTorch 2.6.0 and 2.14.1.
#pragma once

#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {

struct Variant {
  enum class State {
    generated,  // the class exists on a machine with this device
    absent,     // it does not; `reason` says why
    unknown,    // a filter or flag could not be read statically; it may exist
  };
  enum class Cause { none, no_call, no_base, flag, only_for, except_for, overlap, variable };
  State state = State::absent;
  std::string device;         // device type
  std::string class_name;     // TestAddCUDA
  std::string reason;         // "only_for is cuda", "allow_xpu is missing"
  int line = 0;               // of the call
  Cause cause = Cause::none;  // what `reason` is about
};

// PYTORCH_TESTING_DEVICE_ONLY_FOR and _EXCEPT_FOR, which filter what every call makes, and _FOR_CUSTOM, which
// adds what its filters leave out.
struct DeviceVariables {
  std::vector<std::string> only_for;  // device types; [] filters nothing
  std::vector<std::string> except_for;
  std::vector<std::string> for_custom = {};
};

// Whether any call instantiates this class.
bool is_template(const analyzer::FileFacts& file, const analyzer::Class& cls);

// The variant of a template for one device type; of several calls the first that generates it counts.
Variant variant_for(const analyzer::FileFacts& file, const analyzer::Class& cls, const std::string& device,
                    const Vocabulary& vocabulary);
Variant variant_for(const std::vector<const analyzer::Instantiation*>& calls, const analyzer::Class& cls,
                    const std::string& device, const Vocabulary& vocabulary);

// What one call makes of a class of that name for a device type.
Variant variant_of(const analyzer::Instantiation& call, const std::string& template_name,
                   const std::string& device, const Vocabulary& vocabulary);

// The same under these variables, which may take away a variant and add none.
Variant under(const DeviceVariables& variables, Variant variant, const Vocabulary& vocabulary);

// Whether decorators make several tests of one (@ops, @dtypes, @parametrize) or rename it (@decorateIf), so
// that real ids extend the name. A decorator of unknown origin counts as one that may. In an instantiated
// class each id extends the name anyway: {name}[_{suffix}]_{device type}[_{dtype}], for tests without a
// device parameter as well.
bool expands(const analyzer::Method& method);

}  // namespace hwsift::classifier
