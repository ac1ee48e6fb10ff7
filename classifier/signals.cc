#include "classifier/signals.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace hwsift::classifier {
namespace {

using analyzer::Polarity;
using analyzer::Role;
using analyzer::Use;
using analyzer::UseKind;
using Kind = Signal::Kind;

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
  bool branches = use.role == Role::condition || (use.optional && use.role == Role::assigned);
  return {
      kind, std::move(devices), use.has_alternative || branches, {use.line, use.symbol, std::move(says), ""}};
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
  Signal picks = signal(Kind::selects, devices, "runs on a device it is given or picks", use);
  bool falls_back = use.kind == UseKind::device_variable &&
                    std::find(use.devices.begin(), use.devices.end(), "cpu") != use.devices.end();
  picks.has_alternative = picks.has_alternative || falls_back;
  return picks;
}

// Assertions and string work take a device's name as data.
bool takes_data(const std::string& callee) {
  // clang-format off
  constexpr std::string_view kTakers[] = {
      "_register_device_module", "check", "check_count", "check_not", "compile", "count", "endswith",
      "environ", "eval", "exec", "fail", "find", "getattr", "getenv", "hasattr", "hash", "index",
      "isinstance", "issubclass", "len", "object", "patch", "print", "rename_privateuse1_backend",
      "replace", "repr", "run", "setattr", "signature", "skipTest", "split", "startswith", "warn"};
  // clang-format on
  std::string_view name = last_word(callee);
  return name.starts_with("assert") || name.starts_with("expect") ||
         std::find(std::begin(kTakers), std::end(kTakers), name) != std::end(kTakers);
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

// A branch asks whether something is there; what the test is about shows in what it does then.
std::optional<Signal> asked(const std::vector<std::string>& devices, const Use& use,
                            const Vocabulary& vocabulary) {
  std::vector<std::string> accelerators = accelerators_among(devices, vocabulary);
  if (accelerators.empty()) return std::nullopt;
  return names_by_habit(accelerators, use);
}

std::optional<Signal> symbol(const Use& use, const Vocabulary& vocabulary) {
  if (use.role == Role::argument && takes_data(use.callee)) return std::nullopt;
  const Symbol* found = vocabulary.find(use.symbol);
  if (found != nullptr && found->meaning == Meaning::requires_device && use.role == Role::condition)
    return asked(found->devices, use, vocabulary);
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
    case Meaning::fakes_device:
      return signal(Kind::fakes, {}, "runs on no device", use);
    case Meaning::skips_variants:
    case Meaning::neutral:
      return std::nullopt;
  }
  return std::nullopt;
}

// A question about hardware that no branch or skip hinges on decides nothing: tol = 1 if TEST_CUDA else 2 has
// a branch, but both sides run.
bool decides_nothing(const Use& use) { return use.polarity == Polarity::excludes; }

// A guard that lets the scope run only where the device is missing; one against a generation or a library of
// it (skipIf(SM90OrLater)) says nothing of the kind.
bool asks_for_absence(const Use& use, const Vocabulary& vocabulary) {
  if (use.role != Role::guard || use.polarity != Polarity::excludes || use.conjoined) return false;
  const Symbol* found = vocabulary.find(use.symbol);
  if (found == nullptr) return false;
  if (last_word(use.symbol) == "is_built") return true;
  if (found->meaning != Meaning::requires_accelerator) return false;
  bool needs_more = !found->need.capability.empty() || !found->need.library.empty() || found->need.count > 0;
  return !needs_more && (found->kind == UseKind::flag || last_word(use.symbol) == "is_available");
}

// What a decorator about one device is given: skipCUDAIf(TEST_CUDNN, ...), largeTensorTest("4GB", "cuda").
bool qualifies_decorator(const Use& use, const Vocabulary& vocabulary) {
  if (use.callee.empty()) return false;
  const Symbol* callee = vocabulary.find(use.callee);
  if (callee == nullptr || callee->kind != UseKind::decorator) return false;
  return callee->meaning == Meaning::skips_variants || callee->meaning == Meaning::neutral;
}

// torch.cuda as a value: handed on, looked into by name. What is done with it shows elsewhere.
bool is_module_as_value(const Use& use, const Vocabulary& vocabulary) {
  if (use.kind != UseKind::api || use.symbol.substr(0, 6) != "torch.") return false;
  return vocabulary.device(std::string_view(use.symbol).substr(6)) != nullptr;
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

std::optional<Signal> signal_of(const Use& use, const Vocabulary& vocabulary) {
  if (asks_for_absence(use, vocabulary))
    return signal(Kind::absent, use.devices, "runs where there is none", use);
  if (decides_nothing(use) || use.faked || qualifies_decorator(use, vocabulary) ||
      is_module_as_value(use, vocabulary))
    return std::nullopt;
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

void share(std::vector<Signal>& shared, Signal signal) {
  constexpr std::size_t kMostOfOneMeaning = 4;
  constexpr std::size_t kMostShared = 16;
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
