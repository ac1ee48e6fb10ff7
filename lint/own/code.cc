#include "lint/own/code.h"

#include <algorithm>

namespace hwsift::lint {

using analyzer::Use;

std::vector<CodeUse> unasked_uses(const FileView& view) {
  std::vector<CodeUse> uses;
  if (view.tests.all().empty()) return uses;
  for (const Use& use : view.file().uses) {
    if (use.optional || use.in_device_branch || use.method_index < 0) continue;
    const DeviceTest* test = view.tests.at(use.class_index, use.method_index);
    if (test != nullptr && use.span.begin >= test->method->param_list.end) uses.push_back({test, &use});
  }
  return uses;
}

const Use* use_of(const classifier::Evidence& evidence, const analyzer::FileFacts& file) {
  if (!evidence.path.empty()) return nullptr;
  auto use = std::lower_bound(file.uses.begin(), file.uses.end(), evidence.line,
                              [](const Use& u, int line) { return u.line < line; });
  for (; use != file.uses.end() && use->line == evidence.line; ++use)
    if (use->symbol == evidence.symbol) return &*use;
  return nullptr;
}

std::vector<std::string> accelerators_of(const Use& use, const classifier::Vocabulary& vocabulary) {
  std::vector<std::string> devices;
  for (const std::string& device : use.devices) {
    const classifier::DeviceType* type = vocabulary.device(device);
    if (type != nullptr && type->accelerator) devices.push_back(device);
  }
  return devices;
}

int width_of(const Use& use) {
  return std::max(1, static_cast<int>(use.span.end) - static_cast<int>(use.span.begin));
}

}  // namespace hwsift::lint
