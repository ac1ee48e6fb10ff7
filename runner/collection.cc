#include "runner/collection.h"

#include <algorithm>

#include "base/disk.h"
#include "base/text.h"

namespace hwsift::runner {
namespace {

// Until its first use a PrivateUse1 backend's classes carry this word instead of its name.
constexpr std::string_view kPrivateUse1 = "PRIVATEUSE1";

struct SplitId {
  std::string cls;  // "path::Class" or "path::"
  std::string name;
};

// Of an id as static analysis makes it: names hold neither brackets nor colons.
SplitId split_id(const std::string& id) {
  std::size_t last = id.rfind("::");
  std::string cls = id.substr(0, last);
  if (cls.find("::") == std::string::npos) cls += "::";
  return {cls, id.substr(last + 2)};
}

std::string without_parameters(const std::string& name) { return name.substr(0, name.find('[')); }

}  // namespace

TestIndex::TestIndex(const Selection& selection, std::string root)
    : selection_(selection), root_(std::move(root)) {
  for (const auto& [reason, ids] : selection.not_selected)
    for (const std::string& id : ids) add_left_out(id, reason);
  for (const auto& [reason, ids] : selection.left_out_elsewhere)
    for (const std::string& id : ids) add_left_out(id, reason);
  for (const SelectedTest& test : selection.elsewhere) add_selected(test, std::nullopt);
  for (std::size_t i = 0; i < selection.tests.size(); ++i) {
    add_selected(selection.tests[i], i);
    by_path_[selection.tests[i].path].push_back(i);
  }
}

void TestIndex::add_left_out(const std::string& id, const std::string& reason) {
  SplitId split = split_id(id);
  bool inheritable = selection_.inheritable.count(id) > 0;
  ClassEntry& cls = classes_[split.cls];
  cls.tests[split.name] = {std::nullopt, selection_.expanding.count(id) > 0, inheritable, false, &reason};
  cls.any_runs = cls.any_runs || inheritable;
}

void TestIndex::add_selected(const SelectedTest& test, std::optional<std::size_t> selected) {
  SplitId split = split_id(test.id);
  ClassEntry& cls = classes_[split.cls];
  cls.tests[split.name] = {selected, test.expands, true, !selected, nullptr};
  cls.any_runs = true;
}

std::string TestIndex::class_id(const std::string& path, const std::string& told) const {
  if (told.compare(0, 2, "::") == 0) return path + told;
  return path_below(told, root_);
}

const TestIndex::ClassEntry* TestIndex::find_class(const std::string& id) const {
  if (auto found = classes_.find(id); found != classes_.end()) return &found->second;
  if (id.size() < kPrivateUse1.size() ||
      id.compare(id.size() - kPrivateUse1.size(), std::string::npos, kPrivateUse1) != 0)
    return nullptr;
  auto found = classes_.find(id.substr(0, id.size() - kPrivateUse1.size()) + ascii_upper(selection_.device));
  return found == classes_.end() ? nullptr : &found->second;
}

// "test_add_cpu_float32" belongs to "test_add" where no longer template is there.
const TestIndex::Entry* TestIndex::find_test(const ClassEntry& cls, const std::string& name) {
  if (auto found = cls.tests.find(name); found != cls.tests.end()) return &found->second;
  for (std::size_t end = name.rfind('_'); end != std::string::npos && end > 0;
       end = name.rfind('_', end - 1)) {
    auto found = cls.tests.find(name.substr(0, end));
    if (found != cls.tests.end() && found->second.expands) return &found->second;
  }
  return nullptr;
}

Choice TestIndex::choose(const std::string& path, const CollectedTest& item) const {
  Choice choice = choose_anywhere(path, item);
  bool ours = choice.owner || selection_.found_elsewhere.count(path) == 0;
  return ours ? choice : Choice{false, std::nullopt, true, ""};
}

Choice TestIndex::choose_anywhere(const std::string& path, const CollectedTest& item) const {
  std::vector<std::string> classes;
  for (const std::string& told : item.classes) classes.push_back(class_id(path, told));
  if (classes.empty()) classes.push_back(path + "::");
  std::string name = without_parameters(item.name);
  if (std::optional<Choice> own = choose_by_name(classes, 0, 1, name)) return *own;
  if (item.classes.empty()) return choose_unknown(item);
  if (std::optional<Choice> labelled = choose_by_class(classes.front(), true)) return *labelled;
  if (std::optional<Choice> inherited = choose_by_name(classes, 1, classes.size(), name)) return *inherited;
  for (const std::string& id : classes)
    if (std::optional<Choice> known = choose_by_class(id, false)) return *known;
  return choose_unknown(item);
}

std::optional<Choice> TestIndex::choose_by_name(const std::vector<std::string>& classes, std::size_t from,
                                                std::size_t to, const std::string& name) const {
  for (std::size_t i = from; i < to; ++i) {
    const ClassEntry* cls = find_class(classes[i]);
    const Entry* entry = cls == nullptr ? nullptr : find_test(*cls, name);
    if (entry == nullptr) continue;
    bool own = i == 0;
    if (own && entry->elsewhere) return Choice{false, std::nullopt, true, ""};
    if (entry->selected) return Choice{true, own ? entry->selected : std::nullopt, own, ""};
    if (entry->inheritable) return Choice{true, std::nullopt, false, ""};
    return Choice{false, std::nullopt, own, *entry->reason};
  }
  return std::nullopt;
}

std::optional<Choice> TestIndex::choose_by_class(const std::string& id, bool labels_only) const {
  auto fit = selection_.classes.find(id);
  bool has_fit = fit != selection_.classes.end();
  if (labels_only && !(has_fit && fit->second.declared)) return std::nullopt;
  const ClassEntry* cls = find_class(id);
  if (cls != nullptr && cls->any_runs && !labels_only) return Choice{true, std::nullopt, false, ""};
  if (has_fit) return Choice{fit->second.misfit.empty(), std::nullopt, false, fit->second.misfit};
  if (cls != nullptr) return Choice{false, std::nullopt, false, "nothing else of its class is selected"};
  return std::nullopt;
}

Choice TestIndex::choose_unknown(const CollectedTest& item) const {
  const std::vector<std::string>& variants = selection_.variants;
  bool made_for_us = std::find(variants.begin(), variants.end(), item.device) != variants.end() ||
                     (item.device == "privateuse1" && selection_.device != "cpu");
  bool run = made_for_us || (selection_.device == "cpu" && item.device.empty());
  if (run) return {true, std::nullopt, false, ""};
  std::string made = item.device.empty() ? "no device in particular" : item.device;
  return {false, std::nullopt, false,
          "found by pytest only: made for " + made + ", not for " + selection_.device};
}

const std::vector<std::size_t>& TestIndex::selected_in(const std::string& path) const {
  static const std::vector<std::size_t> none;
  auto found = by_path_.find(path);
  return found == by_path_.end() ? none : found->second;
}

}  // namespace hwsift::runner
