// The device that a test is handed is a text such as "cuda:0": comparing it with a bare type is never true.
#include <algorithm>

#include "base/text.h"
#include "lint/edits.h"
#include "lint/own/code.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::DeviceComparison;
using classifier::DeviceType;

// CPU and meta have no index; the framework hands the others over with one.
bool has_index(const DeviceType& type) { return type.accelerator; }

bool is_never_equal(const std::string& value, const classifier::Vocabulary& vocabulary) {
  const DeviceType* type = vocabulary.device(value);
  if (type != nullptr) return has_index(*type);
  std::string lower = ascii_lower(value);
  return lower != value && vocabulary.device(lower.substr(0, lower.find(':'))) != nullptr;  // "XPU", "CUDA:0"
}

// "XPU" in device: the text is in lower case.
bool is_never_part(const std::string& value, const classifier::Vocabulary& vocabulary) {
  std::string lower = ascii_lower(value);
  return lower != value && vocabulary.device(lower.substr(0, lower.find(':'))) != nullptr;
}

bool is_membership(const DeviceComparison& c) { return c.op == "in" || c.op == "not in"; }

// The values that the comparison can never meet.
std::vector<std::string> dead_values(const DeviceComparison& c, const classifier::Vocabulary& vocabulary) {
  if (c.against == DeviceComparison::Against::device_object) return c.values;  // a text is no torch.device
  bool equality = c.op == "==" || c.op == "!=";
  bool listed = is_membership(c) && c.device_is_left && !c.one_text;
  bool part = is_membership(c) && !c.device_is_left;
  std::vector<std::string> dead;
  for (const std::string& value : c.values) {
    bool never =
        (equality || listed) ? is_never_equal(value, vocabulary) : part && is_never_part(value, vocabulary);
    if (never) dead.push_back(value);
  }
  return dead;
}

std::string message_of(const DeviceComparison& c, const std::vector<std::string>& dead) {
  if (c.against == DeviceComparison::Against::device_object)
    return c.left + " is a text, which never equals a torch.device";
  std::string value = "\"" + dead.front() + "\"";
  if (is_membership(c) && !c.device_is_left) return c.left + " is in lower case and never holds " + value;
  std::string type = ascii_lower(dead.front().substr(0, dead.front().find(':')));
  return c.left + " is a text such as \"" + type + ":0\", which is never " + value;
}

}  // namespace

void check_device_compare(Report& report, const FileView& view) {
  for (const DeviceComparison& c : view.file().comparisons) {
    const DeviceTest* test = view.tests.at(c.class_index, c.method_index);
    if (test == nullptr || view.python.calls(*test->cls).empty()) continue;
    std::vector<std::string> dead = dead_values(c, view.subject.vocabulary);
    if (dead.empty()) continue;
    int width = std::max(1, static_cast<int>(c.span.end - c.span.begin));
    Finding& finding =
        report.at_code(rule::device_compare, *test->cls, *test->method, {c.line, c.col, width},
                       message_of(c, dead), "compare torch.device(" + c.left + ").type, or self.device_type");
    bool bare = c.sees_self && c.against == DeviceComparison::Against::texts && c.left == "device" &&
                c.device_is_left &&
                std::all_of(c.values.begin(), c.values.end(), [&](const std::string& value) {
                  return view.subject.vocabulary.device(value) != nullptr;
                });
    if (bare && !view.subject.text.empty())
      replace(finding, Safety::review, c.device_span, "self.device_type");
  }
}

}  // namespace hwsift::lint
