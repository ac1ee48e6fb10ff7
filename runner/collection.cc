#include "runner/collection.h"

#include <algorithm>

#include "base/disk.h"
#include "base/text.h"
#include "runner/owners.h"
#include "runner/restrict.h"

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

std::string class_within(const CollectedTest& item) {
  if (item.classes.empty() || item.within.size() < item.name.size() + 2) return "";
  return item.within.substr(0, item.within.size() - item.name.size() - 2);
}

TestIndex::TestIndex(const Selection& selection, std::string root)
    : selection_(selection), root_(std::move(root)) {
  for (const auto& [reason, ids] : selection.not_selected)
    for (const std::string& id : ids) add_left_out(id, reason, false);
  for (const auto& [reason, ids] : selection.left_out_elsewhere)
    for (const std::string& id : ids) add_left_out(id, reason, true);
  for (const SelectedTest& test : selection.elsewhere) add_selected(test, std::nullopt);
  for (std::size_t i = 0; i < selection.tests.size(); ++i) {
    add_selected(selection.tests[i], i);
    by_path_[selection.tests[i].path].push_back(i);
  }
}

void TestIndex::add_left_out(const std::string& id, const std::string& reason, bool elsewhere) {
  SplitId split = split_id(id);
  bool inheritable = selection_.inheritable.count(id) > 0;
  ClassEntry& cls = classes_[split.cls];
  bool expands = selection_.expanding.count(id) > 0;
  cls.tests[split.name] = {std::nullopt, id, expands, inheritable, elsewhere, &reason};
  cls.any_runs = cls.any_runs || inheritable;
}

void TestIndex::add_selected(const SelectedTest& test, std::optional<std::size_t> selected) {
  SplitId split = split_id(test.id);
  ClassEntry& cls = classes_[split.cls];
  cls.tests[split.name] = {selected, test.id, test.expands, true, !selected, nullptr};
  cls.any_runs = true;
}

std::string TestIndex::class_id(const std::string& path, const std::string& told) const {
  if (told.compare(0, 2, "::") == 0) return path + told;
  return path_below(told, root_);
}

// A class of a PrivateUse1 backend carries either name, by what else the process has instantiated before it.
const TestIndex::ClassEntry* TestIndex::find_class(const std::string& id) const {
  if (auto found = classes_.find(id); found != classes_.end()) return &found->second;
  if (!selection_.privateuse1) return nullptr;
  std::string device = ascii_upper(selection_.device);
  const std::string generic(kPrivateUse1);
  for (const auto& [from, to] : {std::pair(generic, device), std::pair(device, generic)}) {
    if (!id.ends_with(from)) continue;
    auto found = classes_.find(id.substr(0, id.size() - from.size()) + to);
    if (found != classes_.end()) return &found->second;
  }
  return nullptr;
}

const TestIndex::Entry* TestIndex::find_test(const ClassEntry& cls, const std::string& name) const {
  if (auto found = cls.tests.find(name); found != cls.tests.end()) return &found->second;
  for (const std::string& shorter : names_it_extends(name, selection_.device)) {
    auto found = cls.tests.find(shorter);
    if (found != cls.tests.end() && found->second.expands) return &found->second;
  }
  return nullptr;
}

Choice TestIndex::choose(const std::string& path, const CollectedTest& item) const {
  Choice choice = choose_anywhere(path, item);
  if (selection_.only && !asked_for(path + "::" + item.within, choice))
    return {false, std::nullopt, true, ""};
  bool ours = choice.owner || selection_.found_elsewhere.count(path) == 0;
  return ours ? choice : Choice{false, std::nullopt, true, ""};
}

bool TestIndex::asked_for(const std::string& id, const Choice& choice) const {
  return covers(*selection_.only, id) ||
         (choice.owner && selection_.only->count(selection_.tests[*choice.owner].id) > 0);
}

Choice TestIndex::choose_anywhere(const std::string& path, const CollectedTest& item) const {
  // A class that the module has from another one is told with the other's path: here it goes by its name
  // here.
  std::vector<std::string> classes{path + "::" + class_within(item)};
  for (const std::string& told : item.classes)
    if (std::string id = class_id(path, told); id != classes.front()) classes.push_back(id);
  std::string name = without_parameters(item.name);
  if (std::optional<Choice> own = choose_by_name(classes, 0, 1, name)) return *own;
  if (item.classes.empty()) return choose_unknown(item);
  if (std::optional<Choice> labelled = choose_by_class(classes.front(), true)) return *labelled;
  if (std::optional<Choice> inherited = choose_by_name(classes, 1, classes.size(), name)) return *inherited;
  for (const std::string& id : classes)
    if (std::optional<Choice> known = choose_by_class(id, false)) return *known;
  if (std::optional<Choice> refused = choose_by_template(classes.front(), item)) return *refused;
  return choose_unknown(item);
}

// A variant where none was predicted: a variable or a plugin of the framework adds what the call leaves out.
std::optional<Choice> TestIndex::choose_by_template(const std::string& id, const CollectedTest& item) const {
  const std::string suffixes[] = {ascii_upper(item.device), ascii_upper(selection_.device),
                                  std::string(kPrivateUse1)};
  for (const std::string& suffix : suffixes) {
    if (suffix.empty() || !id.ends_with(suffix)) continue;
    const ClassEntry* cls = find_class(id.substr(0, id.size() - suffix.size()));
    if (cls == nullptr || cls->any_runs || cls->tests.empty()) continue;
    auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
    auto first = std::min_element(cls->tests.begin(), cls->tests.end(), by_name);
    return Choice{false, std::nullopt, false, *first->second.reason};
  }
  return std::nullopt;
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
    bool expanded = own && entry->expands && !entry->elsewhere;
    return Choice{false, std::nullopt, own, *entry->reason, expanded ? entry->id : ""};
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
                     (item.device == "privateuse1" && selection_.privateuse1);
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
