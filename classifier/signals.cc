#include "classifier/signals.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/text.h"

namespace hwsift::classifier {
namespace {

using analyzer::Class;
using analyzer::FileFacts;
using analyzer::Method;
using analyzer::Polarity;
using analyzer::Role;
using analyzer::Use;
using analyzer::UseKind;
using Kind = Signal::Kind;

bool is_in(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "CUDA", "CUDA and XPU".
std::string spoken(const std::vector<std::string>& devices) {
  std::vector<std::string> upper;
  for (const std::string& device : devices) upper.push_back(ascii_upper(device));
  return join(upper, " and ");
}

std::vector<std::string> accelerators_among(const std::vector<std::string>& devices,
                                            const Vocabulary& vocabulary) {
  std::vector<std::string> accelerators;
  for (const std::string& device : devices) {
    const DeviceType* type = vocabulary.device(device);
    if (type == nullptr || type->accelerator) accelerators.push_back(device);
  }
  return accelerators;
}

// A device with a category that tests do not name by mere habit.
bool is_subject(const std::vector<std::string>& devices, const Vocabulary& vocabulary) {
  if (devices.size() != 1) return false;
  const DeviceType* type = vocabulary.device(devices.front());
  return type != nullptr && !type->category.empty() && !type->stands_for_any;
}

bool has_category(const std::vector<std::string>& devices, const Vocabulary& vocabulary) {
  if (devices.size() != 1) return false;
  const DeviceType* type = vocabulary.device(devices.front());
  return type != nullptr && !type->category.empty();
}

Signal signal(Kind kind, std::vector<std::string> devices, std::string says, const Use& use) {
  return {kind, std::move(devices), {use.line, use.symbol, std::move(says), ""}};
}

Signal about(const std::vector<std::string>& devices, const Use& use) {
  return signal(Kind::subject, devices, "is about " + spoken(devices) + " alone", use);
}

Signal names_by_habit(const std::vector<std::string>& devices, const Use& use) {
  if (devices.empty()) return signal(Kind::accelerator, {}, "needs an accelerator", use);
  return signal(Kind::accelerator, devices, "names " + spoken(devices) + " where an accelerator is wanted",
                use);
}

Signal selects(const std::vector<std::string>& devices, const Use& use) {
  return signal(Kind::selects, devices, "runs on a device it is given or picks", use);
}

// Assertions and string work take a device's name as data.
bool takes_data(const std::string& callee) {
  std::string_view name = last_word(callee);
  return name.substr(0, 6) == "assert" || name.substr(0, 6) == "expect" ||
         is_in(name, {"check",    "check_not",  "run",      "check_count", "startswith",
                      "endswith", "replace",    "split",    "index",       "count",
                      "find",     "isinstance", "getattr",  "hasattr",     "setattr",
                      "print",    "warn",       "skipTest", "fail",        "rename_privateuse1_backend",
                      "environ",  "getenv",     "compile",  "eval",        "exec"});
}

bool is_data(const Use& use) {
  switch (use.role) {
    case Role::compared:
    case Role::key:
    case Role::other:
    case Role::condition:
      return true;
    case Role::argument:
      return takes_data(use.callee);
    default:
      return false;
  }
}

std::optional<Signal> named_device(const Use& use, const Vocabulary& vocabulary) {
  std::vector<std::string> devices = accelerators_among(use.devices, vocabulary);
  if (devices.empty()) return std::nullopt;
  return is_subject(devices, vocabulary) ? about(devices, use) : names_by_habit(devices, use);
}

std::optional<Signal> literal(const Use& use, const Vocabulary& vocabulary) {
  if (is_data(use)) return std::nullopt;
  return named_device(use, vocabulary);
}

// is_cuda and the like ask about a tensor; cuda() moves it.
std::optional<Signal> member(const Use& use, const Vocabulary& vocabulary) {
  bool asks = last_word(use.symbol).substr(0, 3) == "is_";
  if (asks) return std::nullopt;
  return named_device(use, vocabulary);
}

// device = "cuda" if torch.cuda.is_available() else "cpu": names an accelerator, or none at all when it is
// "cpu".
std::optional<Signal> variable(const Use& use, const Vocabulary& vocabulary) {
  if (use.role == Role::compared || use.role == Role::key) return std::nullopt;
  std::vector<std::string> devices = accelerators_among(use.devices, vocabulary);
  if (devices.empty() && !use.devices.empty()) return std::nullopt;
  return is_subject(devices, vocabulary) ? about(devices, use) : selects(devices, use);
}

// A decorator or flag that the file made itself of a hardware condition.
std::optional<Signal> local_name(const Use& use, const Vocabulary& vocabulary) {
  std::vector<std::string> devices = accelerators_among(use.devices, vocabulary);
  if (devices.empty() && !use.devices.empty()) return std::nullopt;
  return is_subject(devices, vocabulary) ? about(devices, use) : names_by_habit(devices, use);
}

std::optional<Signal> symbol(const Use& use, const Vocabulary& vocabulary) {
  const Symbol* found = vocabulary.find(use.symbol);
  if (found == nullptr) return local_name(use, vocabulary);
  switch (found->meaning) {
    case Meaning::requires_device:
      return has_category(found->devices, vocabulary) ? about(found->devices, use)
                                                      : names_by_habit(found->devices, use);
    case Meaning::requires_accelerator:
      return names_by_habit(found->devices, use);
    case Meaning::selects_device:
      return selects(found->devices, use);
    case Meaning::restricts_variants:
      return signal(Kind::restricts, found->devices, "skips the variants of other devices", use);
    case Meaning::skips_variants:
    case Meaning::neutral:
      return std::nullopt;
  }
  return std::nullopt;
}

// A question about hardware that no branch or skip hinges on decides nothing: tol = 1 if TEST_CUDA else 2 has
// a branch, but both sides run.
bool decides_nothing(const Use& use) { return use.polarity == Polarity::excludes; }

bool sets_up(const std::string& method) {
  return is_in(method, {"setUp", "setUpClass", "asyncSetUp", "setup_class", "setup_method", "device",
                        "device_type", "backend", "backend_str", "world_size"});
}

// A file that ends early where what one device alone has is missing is about that device as a whole.
bool gates_file(const Use& use) {
  return use.class_index < 0 && use.function_index < 0 && use.role == Role::guard &&
         use.polarity == Polarity::requires_;
}

// "TestMatmulCuda" to test, matmul, cuda; "test_c10d_nccl" to test, c10d, nccl; "TestCUDAGraph" to test,
// cuda, graph.
std::vector<std::string> words_of(std::string_view name) {
  auto is_upper = [&](std::size_t i) { return i < name.size() && name[i] >= 'A' && name[i] <= 'Z'; };
  auto is_lower = [&](std::size_t i) { return i < name.size() && name[i] >= 'a' && name[i] <= 'z'; };
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    bool separator = !is_upper(i) && !is_lower(i) && !is_ascii_digit(name[i]);
    bool starts = is_upper(i) && i > 0 && (!is_upper(i - 1) || is_lower(i + 1));
    if ((separator || starts) && !words.back().empty()) words.emplace_back();
    if (!separator) words.back() += name[i];
  }
  for (std::string& word : words) word = ascii_lower(word);
  return words;
}

bool hints_at(const DeviceType& type, const std::vector<std::string>& words) {
  return std::any_of(type.words.begin(), type.words.end(), [&](const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  });
}

}  // namespace

std::optional<Signal> signal_of(const Use& use, const Vocabulary& vocabulary) {
  if (decides_nothing(use)) return std::nullopt;
  switch (use.kind) {
    case UseKind::device_literal:
      return literal(use, vocabulary);
    case UseKind::device_method:
      return member(use, vocabulary);
    case UseKind::device_variable:
      return variable(use, vocabulary);
    default:
      return symbol(use, vocabulary);
  }
}

namespace {

// What counts for every test of a class is kept short: the first use of each symbol, a few for one meaning.
// Otherwise a made-up file could hand thousands of signals to thousands of tests.
constexpr std::size_t kMostOfOneMeaning = 4;
constexpr std::size_t kMostShared = 16;

void share(std::vector<Signal>& shared, Signal signal) {
  if (shared.size() >= kMostShared) return;
  std::size_t alike = 0;
  for (const Signal& other : shared) {
    bool same = other.kind == signal.kind && other.devices == signal.devices;
    if (same && other.evidence.symbol == signal.evidence.symbol) return;
    alike += same ? 1 : 0;
  }
  if (alike < kMostOfOneMeaning) shared.push_back(std::move(signal));
}

void share_all(std::vector<Signal>& shared, const std::vector<Signal>& signals) {
  for (const Signal& signal : signals) share(shared, signal);
}

}  // namespace

FileSignals::FileSignals(const FileFacts& file, const Vocabulary& vocabulary) : file_(file) {
  everywhere_.resize(file.classes.size());
  of_helpers_.resize(file.classes.size());
  of_methods_.resize(file.classes.size());
  for (std::size_t i = 0; i < file.classes.size(); ++i) of_methods_[i].resize(file.classes[i].methods.size());
  for (const Use& use : file.uses)
    if (std::optional<Signal> found = signal_of(use, vocabulary)) take(use, std::move(*found));
  link_bases();
}

// Where a signal counts: for its test; for each test where it stands in what runs around them all, unless it
// is optional there. What other helper methods do is not known to concern any one test.
void FileSignals::take(const Use& use, Signal found) {
  if (use.class_index < 0) {
    if (gates_file(use) && found.kind == Kind::subject) share(gates_, std::move(found));
    return;
  }
  auto index = static_cast<std::size_t>(use.class_index);
  const Class& cls = file_.classes[index];
  if (use.method_index < 0) return share(everywhere_[index], std::move(found));
  const Method& method = cls.methods[static_cast<std::size_t>(use.method_index)];
  bool optional = use.optional && cls.context == analyzer::Context::module;
  found.evidence.method = method.name;
  if (method.is_test) {
    of_methods_[index][static_cast<std::size_t>(use.method_index)].push_back(std::move(found));
  } else if (!optional) {
    share((sets_up(method.name) ? everywhere_ : of_helpers_)[index], std::move(found));
  }
}

// A base's name means the last class of that name before the subclass.
void FileSignals::link_bases() {
  direct_bases_.resize(file_.classes.size());
  has_subclass_.resize(file_.classes.size());
  std::unordered_map<std::string, int> latest;
  for (std::size_t i = 0; i < file_.classes.size(); ++i) {
    for (const analyzer::Base& base : file_.classes[i].bases) {
      auto found = latest.find(base.name);
      if (base.name.empty() || found == latest.end()) continue;
      direct_bases_[i].push_back(found->second);
      has_subclass_[static_cast<std::size_t>(found->second)] = true;
    }
    latest[file_.classes[i].name] = static_cast<int>(i);
  }
}

std::vector<int> FileSignals::bases_of(int class_index) const {
  constexpr std::size_t kMost = 64;  // real chains are short; a made-up one must not cost time
  std::vector<int> bases = direct_bases_[static_cast<std::size_t>(class_index)];
  for (std::size_t i = 0; i < bases.size() && bases.size() < kMost; ++i)
    for (int base : direct_bases_[static_cast<std::size_t>(bases[i])])
      if (std::find(bases.begin(), bases.end(), base) == bases.end()) bases.push_back(base);
  return bases;
}

bool FileSignals::has_subclass(int class_index) const {
  return has_subclass_[static_cast<std::size_t>(class_index)];
}

std::vector<Signal> FileSignals::around_class(int class_index) const {
  std::vector<Signal> signals = everywhere_[static_cast<std::size_t>(class_index)];
  for (int base : bases_of(class_index)) share_all(signals, everywhere_[static_cast<std::size_t>(base)]);
  share_all(signals, gates_);
  return signals;
}

std::vector<Signal> FileSignals::of_helpers(int class_index) const {
  std::vector<Signal> signals = of_helpers_[static_cast<std::size_t>(class_index)];
  for (int base : bases_of(class_index)) share_all(signals, of_helpers_[static_cast<std::size_t>(base)]);
  return signals;
}

const std::vector<Signal>& FileSignals::of_test(const TestPlace& test) const {
  return of_methods_[static_cast<std::size_t>(test.class_index)][static_cast<std::size_t>(test.method_index)];
}

std::vector<TestPlace> FileSignals::tests_of(int class_index) const {
  std::vector<int> owners = bases_of(class_index);
  owners.insert(owners.begin(), class_index);
  std::vector<TestPlace> tests;
  std::set<std::string> names;
  for (int owner : owners) {
    const Class& cls = file_.classes[static_cast<std::size_t>(owner)];
    for (std::size_t i = 0; i < cls.methods.size(); ++i) {
      bool counts =
          cls.methods[i].is_test && (owner == class_index || names.insert(cls.methods[i].name).second);
      if (counts) tests.push_back({owner, static_cast<int>(i)});
    }
    if (owner == class_index && !tests.empty()) break;
  }
  return tests;
}

std::vector<std::string> hinted_devices(const std::string& path, const std::string& class_name,
                                        const Vocabulary& vocabulary) {
  std::string file = path.substr(path.rfind('/') + 1);
  std::vector<std::string> words = words_of(file.substr(0, file.rfind('.')));
  for (std::string& word : words_of(class_name)) words.push_back(std::move(word));
  std::vector<std::string> devices;
  for (const DeviceType& type : vocabulary.devices)
    if (hints_at(type, words)) devices.push_back(type.name);
  return devices;
}

}  // namespace hwsift::classifier
