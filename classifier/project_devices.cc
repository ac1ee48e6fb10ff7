// The devices of a project, as `devices:` of hwsift.yaml lists them, to the vocabulary. What a name means by
// itself is what PyTorch makes of a PrivateUse1 backend that is renamed to it: a device type, a member and an
// is_ member of tensors, a module torch.NAME.
#include <algorithm>
#include <span>

#include "base/text.h"
#include "base/yaml.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {
namespace {

constexpr const char* kReserved[] = {"auto", "rocm"};  // words that --device takes for something else

// Modules of torch, and members of torch and of its tensors that say nothing of a device; of PyTorch 2.6.0 or
// 2.14.1. What no device of a project is called is left out.
constexpr const char* kOwnNames[] = {"abs",
                                     "add",
                                     "all",
                                     "amp",
                                     "any",
                                     "ao",
                                     "arange",
                                     "autograd",
                                     "backends",
                                     "backward",
                                     "bool",
                                     "bfloat16",
                                     "cat",
                                     "classes",
                                     "clone",
                                     "compile",
                                     "compiler",
                                     "copy_",
                                     "cpp",
                                     "ctypes",
                                     "data",
                                     "data_ptr",
                                     "detach",
                                     "device",
                                     "dim",
                                     "distributed",
                                     "distributions",
                                     "double",
                                     "dtype",
                                     "empty",
                                     "export",
                                     "fft",
                                     "float",
                                     "fill_",
                                     "func",
                                     "functional",
                                     "futures",
                                     "fx",
                                     "grad",
                                     "grad_fn",
                                     "half",
                                     "hub",
                                     "imag",
                                     "int",
                                     "is_complex",
                                     "is_contiguous",
                                     "is_floating_point",
                                     "is_leaf",
                                     "is_nested",
                                     "is_pinned",
                                     "is_quantized",
                                     "is_shared",
                                     "is_sparse",
                                     "item",
                                     "jit",
                                     "layout",
                                     "library",
                                     "linalg",
                                     "load",
                                     "long",
                                     "manual_seed",
                                     "masked",
                                     "max",
                                     "mean",
                                     "min",
                                     "monitor",
                                     "mul",
                                     "multiprocessing",
                                     "name",
                                     "names",
                                     "ndim",
                                     "nested",
                                     "new",
                                     "nn",
                                     "no_grad",
                                     "numel",
                                     "numpy",
                                     "ones",
                                     "ops",
                                     "optim",
                                     "overrides",
                                     "package",
                                     "pin_memory",
                                     "profiler",
                                     "quantization",
                                     "quasirandom",
                                     "rand",
                                     "randn",
                                     "random",
                                     "real",
                                     "requires_grad",
                                     "reshape",
                                     "return_types",
                                     "save",
                                     "serialization",
                                     "shape",
                                     "share_memory_",
                                     "short",
                                     "signal",
                                     "size",
                                     "sparse",
                                     "special",
                                     "storage",
                                     "stride",
                                     "sub",
                                     "sum",
                                     "tensor",
                                     "testing",
                                     "to",
                                     "tolist",
                                     "torch",
                                     "type",
                                     "types",
                                     "utils",
                                     "version",
                                     "view",
                                     "windows",
                                     "zero_",
                                     "zeros"};

// Words in the name of nearly every test file or test.
constexpr const char* kCommonWords[] = {"test", "tests", "torch", "pytorch", "py"};

bool is_among(std::span<const char* const> names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_identifier(const std::string& name) {
  auto plain = [](char c) { return is_word_char(c) && static_cast<unsigned char>(c) < 0x80; };
  return !name.empty() && !is_ascii_digit(name.front()) && std::all_of(name.begin(), name.end(), plain);
}

bool is_lower(const std::string& text) { return ascii_lower(text) == text; }

const DeviceType* owner_of_member(const Vocabulary& vocabulary, const std::string& member) {
  for (const DeviceType& type : vocabulary.devices)
    if (std::find(type.members.begin(), type.members.end(), member) != type.members.end()) return &type;
  return nullptr;
}

void read_mapping(const Yaml& entry, DeviceType& type, std::vector<Error>& errors) {
  YamlMap map(entry, errors);
  type.name = map.text("name");
  type.category = map.text_or("category", "");
  type.members = map.texts("members");
  type.visible_devices = map.texts("visible_devices");
  type.words = map.texts("words");
  map.finish();
}

DeviceType read_device(const Yaml& entry, std::vector<Error>& errors) {
  DeviceType type;
  type.privateuse1 = true;
  if (entry.kind == Yaml::Kind::scalar)
    type.name = entry.scalar;
  else
    read_mapping(entry, type, errors);
  if (type.members.empty()) type.members = {type.name, "is_" + type.name};
  if (type.words.empty()) type.words = {type.name};
  return type;
}

Status check_name(const std::string& name, const std::string& place, const Vocabulary& vocabulary) {
  if (!is_identifier(name) || !is_lower(name))
    return Error{place, "'" + name + "' is no name of a device type",
                 "write it as torch.device has it, without an index: lower case, digits and '_'"};
  if (is_among(kReserved, name) || vocabulary.device(name) != nullptr)
    return Error{place, "the device type '" + name + "' is known already", "take it off the list"};
  if (is_among(kOwnNames, name))
    return Error{place, "'" + name + "' is PyTorch's own name for something else",
                 "name the device as torch.device has it"};
  if (vocabulary.find("torch." + name) != nullptr)
    return Error{place, "torch." + name + " is no device module", "name the device as torch.device has it"};
  return {};
}

Status check_words(const DeviceType& type, const std::string& place) {
  for (const std::string& word : type.words) {
    if (!is_identifier(word) || !is_lower(word))
      return Error{place, "'" + word + "' is no word of a name", "write one word in lower case"};
    if (is_among(kCommonWords, word))
      return Error{place, "the word '" + word + "' is in the name of nearly every test",
                   word == type.name ? "give the device other words: {name: " + word + ", words: [...]}"
                                     : "leave it out"};
  }
  return {};
}

Status check(const DeviceType& type, const std::string& place, const Vocabulary& vocabulary) {
  Status name = check_name(type.name, place, vocabulary);
  if (!name.ok()) return name;
  if (!type.category.empty() && type.category != ascii_upper(type.name))
    return Error{place, "'" + type.category + "' is no category of " + type.name,
                 "a category is called like its device: " + ascii_upper(type.name) + ", or none"};
  for (const std::string& member : type.members) {
    if (!is_identifier(member))
      return Error{place, "'" + member + "' is no name of a member",
                   "write it without a dot: is_" + type.name};
    if (is_among(kOwnNames, member))
      return Error{place, "the member '" + member + "' is PyTorch's own", "leave it out"};
    if (const DeviceType* other = owner_of_member(vocabulary, member))
      return Error{place, "the member '" + member + "' belongs to " + other->name, "leave it out"};
  }
  return check_words(type, place);
}

// For caches: what was added changes what the rules say.
std::string told(const DeviceType& type) {
  return "+" + type.name + "," + type.category + "," + join(type.members, ",") + "," + join(type.words, ",");
}

void add(DeviceType type, Vocabulary& vocabulary) {
  Symbol module;
  module.name = "torch." + type.name;
  module.meaning = type.category.empty() ? Meaning::requires_accelerator : Meaning::requires_device;
  module.prefix = true;
  module.devices = {type.name};
  vocabulary.version += told(type);
  vocabulary.symbols.push_back(std::move(module));
  vocabulary.devices.push_back(std::move(type));
}

}  // namespace

Status add_project_devices(const Yaml& list, Vocabulary& vocabulary) {
  if (list.kind != Yaml::Kind::list)
    return Error{list.place(), "'devices' must be a list", "write devices: [NAME, ...]"};
  for (const Yaml& entry : list.items) {
    std::vector<Error> errors;
    DeviceType type = read_device(entry, errors);
    if (!errors.empty()) return errors.front();
    Status sound = check(type, entry.place(), vocabulary);
    if (!sound.ok()) return sound;
    add(std::move(type), vocabulary);
  }
  vocabulary.index();
  return {};
}

}  // namespace hwsift::classifier
