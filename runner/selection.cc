#include "runner/selection.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "base/threads.h"
#include "classifier/eligibility.h"
#include "classifier/variants.h"
#include "runner/cxx_selection.h"
#include "runner/fit.h"
#include "runner/owners.h"

namespace hwsift::runner {
namespace {

using analyzer::Class;
using analyzer::FileFacts;
using analyzer::Function;
using analyzer::Method;
using classifier::ClassTest;
using classifier::ClassVerdict;
using classifier::CountedCategory;
using classifier::Eligibilities;
using classifier::Eligibility;
using classifier::is_parametrized;
using classifier::Reason;
using classifier::Variant;

const Method& method_of(const FileFacts& file, const ClassTest& test) {
  const Class& owner = file.classes[static_cast<std::size_t>(test.owner_index)];
  return owner.methods[static_cast<std::size_t>(test.method_index)];
}

bool is_slow(const std::vector<analyzer::Decorator>& decorators) {
  return std::any_of(decorators.begin(), decorators.end(), [](const analyzer::Decorator& decorator) {
    return classifier::last_word(decorator.symbol) == "slowTest";
  });
}

// Kinds of what skips a test while it runs, on this machine and not on every one.
bool is_skip_there(const Reason& reason) {
  switch (reason.kind) {
    case Reason::Kind::decorator:
    case Reason::Kind::guard:
    case Reason::Kind::count:
    case Reason::Kind::capability:
    case Reason::Kind::library:
      return reason.effect == Reason::Effect::prevents;
    default:
      return false;
  }
}

// Why it is skipped for sure, "" where it may run.
std::string skipped_by(const Eligibility& answer) {
  for (const Reason& reason : answer.reasons)
    if (is_skip_there(reason)) return "skipped on " + answer.device + ": " + reason.text;
  return "";
}

class Selector {
 public:
  explicit Selector(const SelectOptions& options) : options_(options) {
    selection_.device = options.machine.device;
    selection_.privateuse1 = options.machine.is_privateuse1();
    selection_.variants = {selection_.device};
    for (const classifier::DeviceType& type : options.machine.vocabulary.devices)
      if (selection_.device == "cpu" && !type.accelerator &&
          type.instantiated == classifier::Instantiated::lazy)
        selection_.variants.push_back(type.name);
    for (const std::string& type : selection_.variants) suffixes_.push_back(ascii_upper(type));
    if (options.machine.is_privateuse1()) suffixes_.emplace_back("PRIVATEUSE1");
  }

  void add(const FileFacts& file, const std::vector<ClassVerdict>& verdicts) {
    std::size_t before = selection_.tests.size();
    Judged judged(file, verdicts, options_.machine);
    add_classes(judged, true);
    if (file.test_file && options_.index != nullptr) add_imported(judged);
    add_classes(judged, false);
    for (std::size_t i = 0; i < file.functions.size(); ++i)
      if (file.functions[i].is_test) add_function(judged, static_cast<int>(i));
    if (selection_.tests.size() == before) return;
    auto by_line = [](const SelectedTest& a, const SelectedTest& b) { return a.line < b.line; };
    std::stable_sort(selection_.tests.begin() + static_cast<std::ptrdiff_t>(before), selection_.tests.end(),
                     by_line);
    selection_.files.push_back(file.path);
    if (!file.owners.empty()) selection_.owners[file.path] = file.owners;
  }

  Selection take() { return std::move(selection_); }

 private:
  // A file with what is asked about its tests: for the device, and for others whose variants run there too.
  struct Judged {
    const FileFacts& file;
    const std::vector<ClassVerdict>& verdicts;
    const classifier::Machine& machine;
    Eligibilities answers;
    std::optional<Eligibilities> alone;  // on a machine with one such device
    std::map<std::string, Eligibilities> others;

    Judged(const FileFacts& f, const std::vector<ClassVerdict>& v, const classifier::Machine& m)
        : file(f), verdicts(v), machine(m), answers(f, v, m) {
      if (m.is_accelerator() && m.count != 1)
        alone.emplace(f, v, classifier::Machine{m.device, m.vocabulary, 1, m.variables});
    }
    const classifier::FileClasses& classes() const { return answers.classes(); }
    const Class& class_at(int index) const { return file.classes[static_cast<std::size_t>(index)]; }
    // Whether one device alone makes it a skip.
    bool needs_several(const ClassTest& test) const {
      return alone && skipped_by(alone->of(test)) != skipped_by(answers.of(test));
    }
    const Eligibilities& answers_for(const std::string& device) {
      if (device == machine.device) return answers;
      classifier::Machine other{device, machine.vocabulary, machine.count, machine.variables};
      return others.try_emplace(device, file, verdicts, other).first->second;
    }
  };

  // A class of another file, read for those that import it.
  struct Home {
    analyzer::SharedFacts file;
    std::vector<ClassVerdict> verdicts;
    std::unique_ptr<Judged> judged;
  };

  // Where pytest finds a class: the module's path, and the name that the module has for it.
  struct Place {
    const std::string& path;
    std::string name;
  };

  static Place own_place(const Judged& judged, int index) {
    return {judged.file.path, classifier::name_for_pytest(judged.class_at(index))};
  }

  // The collected ones come first: a name belongs to them, whatever else has it.
  void add_classes(Judged& judged, bool collected) {
    for (int i = 0; i < static_cast<int>(judged.file.classes.size()); ++i) {
      std::string left_out = judged.classes().uncollected(i);
      if (left_out.empty() != collected) continue;
      if (collected)
        add_collected(judged, i, own_place(judged, i), "");
      else
        add_tests(judged, i, judged.answers, nullptr, own_place(judged, i), left_out, false);
    }
  }

  void add_imported(const Judged& importer) {
    std::vector<analyzer::ImportedClass> classes = options_.index->imported_classes(importer.file, suffixes_);
    // Of two that have a name the later one counts, as in Python.
    for (auto imported = classes.rbegin(); imported != classes.rend(); ++imported) {
      Judged& home = home_of(imported->found.file);
      int index = static_cast<int>(imported->found.cls - home.file.classes.data());
      if (!home.classes().uncollected_where_imported(index).empty()) continue;
      bool is_template = home.classes().is_template(index);
      bool gone = is_template && !imported->by_star && imported->name == imported->found.cls->name;
      if (gone) continue;
      std::string variant = is_template && !imported->by_star ? imported->name : "";
      add_collected(home, index, {importer.file.path, imported->name}, variant);
    }
  }

  Judged& home_of(const analyzer::SharedFacts& file) {
    Home& home = homes_[file->path];
    if (home.judged == nullptr) {
      home.file = file;
      home.verdicts = classifier::classify(*file, options_.machine.vocabulary, options_.index);
      home.judged = std::make_unique<Judged>(*file, home.verdicts, options_.machine);
    }
    return *home.judged;
  }

  // `only` is the one variant that is there; "" for all of them.
  void add_collected(Judged& judged, int index, const Place& place, const std::string& only) {
    const ClassVerdict* verdict = judged.answers.verdict_of(index);
    if (!judged.classes().is_template(index)) {
      add_fit(place, verdict);
      return add_tests(judged, index, judged.answers, nullptr, place, "", true);
    }
    for (const std::string& type : selection_.variants) {
      if (type != selection_.device && !has_lazy(judged, index)) continue;
      const Eligibilities& answers = judged.answers_for(type);
      std::optional<Variant> variant = answers.variant_of(index);
      bool absent = variant->state == Variant::State::absent;
      if (absent && type != selection_.device) continue;
      if (!only.empty() && (absent || variant->class_name != only)) continue;
      Place there{place.path, absent ? place.name : variant->class_name};
      if (!absent) add_fit(there, verdict);
      std::string why = absent ? "not instantiated for " + type + ": " + variant->reason : "";
      add_tests(judged, index, answers, absent ? nullptr : &*variant, there, why, true);
    }
  }

  static bool has_lazy(const Judged& judged, int index) {
    const classifier::FileClasses::Calls& calls = judged.classes().calls_of(index);
    return std::any_of(calls.begin(), calls.end(), [](const analyzer::Instantiation* call) {
      return call->include_lazy != analyzer::Tri::no;
    });
  }

  std::string misfit(const CountedCategory& need) const { return runner::misfit(need, options_); }

  // What is skipped exists all the same.
  std::string skip_of(const Eligibility& answer) const {
    return options_.every_category ? "" : skipped_by(answer);
  }

  void add_fit(const Place& place, const ClassVerdict* verdict) {
    if (verdict == nullptr) return;
    CountedCategory need{verdict->effective(), verdict->declared.has_value()};
    selection_.classes[place.path + "::" + place.name] = {need.declared, misfit(need)};
  }

  // `left_out` is why the whole class is not selected; of one that pytest does not collect, the tests run
  // where they are inherited, if they fit the device.
  void add_tests(const Judged& judged, int index, const Eligibilities& answers, const Variant* variant,
                 const Place& place, const std::string& left_out, bool collected) {
    for (const ClassTest& of_class : judged.classes().tests_of(index)) {
      if (of_class.method_index < 0 || (of_class.inherited() && !collected)) continue;
      SelectedTest test = named(judged, of_class, variant, place);
      Eligibility answer = answers.of(of_class);
      test.category = answer.counted.category;
      std::string unwanted = misfit(answer.counted);
      if (unwanted.empty()) unwanted = skip_of(answer);
      test.several_devices = unwanted.empty() && judged.needs_several(of_class);
      if (unwanted.empty() && !collected) selection_.inheritable.insert(test.id);
      bool by_class = !left_out.empty() && (unwanted.empty() || collected);
      add_test(std::move(test), by_class ? left_out : unwanted);
    }
  }

  // The framework renames the own tests of a template only.
  static SelectedTest named(const Judged& judged, const ClassTest& of_class, const Variant* variant,
                            const Place& place) {
    const Class& cls = judged.class_at(of_class.class_index);
    const Method& method = method_of(judged.file, of_class);
    SelectedTest test;
    test.path = place.path;
    test.cls = cls.name;
    test.run_class = place.name;
    test.method = method.name;
    test.line = method.line;
    test.expands =
        classifier::expands(method) || is_parametrized(method.decorators) || is_parametrized(cls.decorators);
    test.slow = is_slow(method.decorators);
    bool renamed = variant != nullptr && !test.expands && !of_class.inherited();
    std::string name = renamed ? method.name + "_" + variant->device : method.name;
    test.id = test.path + "::" + test.run_class + "::" + name;
    return test;
  }

  void add_function(const Judged& judged, int index) {
    const Function& function = judged.file.functions[static_cast<std::size_t>(index)];
    SelectedTest test;
    test.path = judged.file.path;
    test.method = function.name;
    test.line = function.line;
    test.expands = is_parametrized(function.decorators);
    test.id = test.path + "::" + function.name;
    test.slow = is_slow(function.decorators);
    Eligibility answer = judged.answers.of_function(index);
    test.category = answer.counted.category;
    std::string left_out =
        judged.file.test_file ? "" : "not collected: the file is no test_*.py or *_test.py";
    if (left_out.empty()) left_out = misfit(answer.counted);
    add_test(std::move(test), left_out.empty() ? skip_of(answer) : left_out);
  }

  // A name that is bound twice is one test.
  void add_test(SelectedTest test, const std::string& left_out) {
    if (!seen_.insert(test.id).second) return;
    if (left_out.empty()) {
      selection_.tests.push_back(std::move(test));
      return;
    }
    if (test.expands) selection_.expanding.insert(test.id);
    selection_.not_selected[left_out].push_back(std::move(test.id));
  }

  const SelectOptions& options_;
  Selection selection_;
  std::vector<std::string> suffixes_;  // of the variants' names
  std::unordered_map<std::string, Home> homes_;
  std::unordered_set<std::string> seen_;
};

template <class T>
void append(std::vector<T>&& more, std::vector<T>& all) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void append(Selection&& part, Selection& whole) {
  append(std::move(part.tests), whole.tests);
  append(std::move(part.files), whole.files);
  for (auto& [reason, ids] : part.not_selected) append(std::move(ids), whole.not_selected[reason]);
  whole.expanding.merge(part.expanding);
  whole.inheritable.merge(part.inheritable);
  whole.classes.merge(part.classes);
  whole.owners.merge(part.owners);
}

Selection select_file(const FileFacts& file, const std::vector<ClassVerdict>& verdicts,
                      const SelectOptions& options) {
  if (is_cxx(file)) return select_cxx(file, verdicts, options);
  Selector selector(options);
  selector.add(file, verdicts);
  return selector.take();
}

}  // namespace

Selection select(const std::vector<FileFacts>& files, const std::vector<std::vector<ClassVerdict>>& verdicts,
                 const SelectOptions& options) {
  std::vector<std::size_t> order(files.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return files[a].path < files[b].path; });
  // The ids of a file begin with its path: files say nothing about each other.
  std::vector<Selection> parts(files.size());
  for_each_index(files.size(), options.jobs, [&](std::size_t i) {
    parts[i] = select_file(files[order[i]], verdicts[order[i]], options);
  });
  Selection whole = Selector(options).take();
  for (Selection& part : parts) append(std::move(part), whole);
  return whole;
}

std::string class_of_id(const std::string& id) { return id.substr(0, id.rfind("::")); }

namespace {

std::string without_end(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.ends_with(end) ? text.substr(0, text.size() - end.size()) : text;
}

// "test/x.py::TestAddCPU::test_add_cpu" as the source has it: "test/x.py::TestAdd::test_add".
std::string as_in_source(const std::string& id, const std::string& device) {
  std::string cls = without_end(without_end(class_of_id(id), ascii_upper(device)), "PRIVATEUSE1");
  return cls + "::" + without_end(id.substr(id.rfind("::") + 2), "_" + device);
}

// The id itself, or one of what it names.
bool is_within(const std::string& id, const std::string& wanted) {
  return id == wanted || id.starts_with(wanted + "::");
}

}  // namespace

std::vector<LeftOutClass> left_out_classes(const Selection& selection) {
  std::set<std::string> kept;
  for (const SelectedTest& test : selection.tests) kept.insert(class_of_id(test.id));
  std::map<std::string, std::map<std::string, std::size_t>> counts;
  for (const auto& [reason, ids] : selection.not_selected)
    for (const std::string& id : ids)
      if (std::string cls = class_of_id(id); kept.count(cls) == 0) ++counts[cls][reason];
  std::vector<LeftOutClass> classes;
  for (const auto& [cls, reasons] : counts) {
    auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    LeftOutClass left{cls, 0, std::max_element(reasons.begin(), reasons.end(), fewer)->first};
    for (const auto& [reason, count] : reasons) left.tests += count;
    classes.push_back(std::move(left));
  }
  return classes;
}

Whereabouts whereabouts(const Selection& selection, const std::string& id) {
  const std::string& device = selection.device;
  Owners owners(selection);
  const Owners::Owner* owner = owners.find(id);
  auto means = [&](const std::string& one) {
    return is_within(one, id) || is_within(as_in_source(one, device), id) ||
           is_within(class_of_id(as_in_source(one, device)), id) || (owner != nullptr && owner->id == one);
  };
  Whereabouts found;
  for (const SelectedTest& test : selection.tests)
    if (means(test.id)) found.selected.push_back(&test);
  for (const auto& [reason, ids] : selection.not_selected)
    for (const std::string& one : ids)
      if (means(one)) found.not_selected[reason].push_back(one);
  return found;
}

}  // namespace hwsift::runner
