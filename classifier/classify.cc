// The decision: each test gets its category by the rules of method_rules.h, then the class is the category of
// its tests, or mixed.
#include "classifier/classify.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "classifier/cxx_classify.h"
#include "classifier/file_view.h"
#include "classifier/inheritance.h"
#include "classifier/method_rules.h"
#include "classifier/settle.h"
#include "classifier/split.h"

namespace hwsift::classifier {
namespace {

using analyzer::Class;
using analyzer::DeviceFilter;
using analyzer::FileFacts;
using analyzer::Instantiation;
using analyzer::Label;
using analyzer::Method;
using Kind = Signal::Kind;

// The one device that a literal only_for keeps.
std::optional<std::string> single_only_for(const Instantiation* call, const Vocabulary& vocabulary) {
  if (call == nullptr || call->only_for.state != DeviceFilter::State::literal) return std::nullopt;
  if (call->only_for.values.size() != 1) return std::nullopt;
  const DeviceType* type = vocabulary.device(call->only_for.values.front());
  return type == nullptr ? std::nullopt : std::optional<std::string>(type->name);
}

std::optional<Category> declared_by(const Class& cls) {
  const Label* label = cls.label();
  if (label == nullptr) return std::nullopt;
  switch (label->form) {
    case Label::Form::plain:
    case Label::Form::annotated:
    case Label::Form::other_annotation:
    case Label::Form::alias:
      return category_of_member(label->value);
    default:
      return std::nullopt;
  }
}

// The one device that `signals` restrict a test to, or "".
std::string restriction(const std::vector<Signal>& signals) {
  std::string device;
  for (const Signal& signal : signals) {
    if (signal.kind != Kind::restricts) continue;
    if (signal.devices.size() != 1 || (!device.empty() && device != signal.devices.front())) return "";
    device = signal.devices.front();
  }
  return device;
}

// A class whose tests come from elsewhere has no method to look at: copied or generated tests take what the
// template is given.
Method unseen_test(bool is_template, int line) {
  Method method;
  method.line = line;
  method.is_test = true;
  if (is_template) method.params = {{"device", analyzer::Parameter::Kind::positional}};
  method.reads_device = is_template;
  return method;
}

// Judges the classes of one file.
class FileJudge {
 public:
  FileJudge(const FileFacts& file, const Vocabulary& vocabulary, analyzer::TreeIndex* index)
      : file_(file),
        vocabulary_(vocabulary),
        view_(file, vocabulary, index),
        inheritance_(view_.inheritance()) {}

  std::vector<ClassVerdict> judge() {
    std::vector<ClassVerdict> verdicts;
    for (std::size_t i = 0; i < file_.classes.size(); ++i)
      if (runs_tests(static_cast<int>(i))) verdicts.push_back(judge_class(static_cast<int>(i)));
    return verdicts;
  }

 private:
  const Class& class_at(int index) const { return file_.classes[static_cast<std::size_t>(index)]; }

  // Has own tests, or is a class of the module that others hand tests to.
  bool runs_tests(int index) const {
    const Class& cls = class_at(index);
    if (cls.has_tests()) return true;
    if (cls.context == analyzer::Context::function || cls.context == analyzer::Context::class_) return false;
    return call_of(index) != nullptr || !inheritance_.tests_of(index).empty() || is_test_case(index);
  }

  // Told from the names of the bases outside the file.
  bool is_test_case(int index) const {
    const std::vector<int>& classes = inheritance_.line_of(index);
    return std::any_of(classes.begin(), classes.end(), [&](int i) {
      const std::vector<analyzer::Base>& bases = class_at(i).bases;
      return std::any_of(bases.begin(), bases.end(), [](const analyzer::Base& base) {
        return base.name.ends_with("TestCase") || base.name.ends_with("TestBase") ||
               base.name.ends_with("Test");
      });
    });
  }

  ClassVerdict judge_class(int index) {
    const Class& cls = class_at(index);
    ClassVerdict verdict;
    verdict.path = file_.path;
    verdict.name = cls.name;
    verdict.line = cls.line;
    verdict.class_index = index;
    verdict.own_tests = cls.has_tests();
    verdict.declared = declared_by(cls);
    rule_on_tests(verdict);
    return verdict;
  }

  // The first that instantiates the class, or nullptr.
  const Instantiation* call_of(int index) const {
    const FileClasses::Calls& calls = view_.classes().calls_of(index);
    return calls.empty() ? nullptr : calls.front();
  }

  Case case_of(int index, const Method& method, std::vector<Signal> signals) const {
    const Instantiation* call = call_of(index);
    return {class_at(index),    method, vocabulary_, call, single_only_for(call, vocabulary_),
            std::move(signals), {},     ""};
  }

  std::string common_restriction(const std::vector<std::vector<Signal>>& signals) const {
    std::optional<std::string> common;
    for (const std::vector<Signal>& of_test : signals) {
      std::string device = restriction(of_test);
      if (device.empty() || (common && *common != device)) return "";
      common = device;
    }
    return common.value_or("");
  }

  void rule_on_tests(ClassVerdict& verdict) {
    std::vector<MethodPlace> tests = inheritance_.tests_of(verdict.class_index);
    std::vector<std::string> hints;
    if (vocabulary_.policy.names_decide) hints = hinted_devices(file_.path, verdict.name, vocabulary_);
    if (tests.empty()) return rule_on_unseen_tests(verdict, hints);
    std::vector<Signal> around = view_.around_class(verdict.class_index);
    std::vector<std::vector<Signal>> signals;
    for (const MethodPlace& test : tests) {
      signals.push_back(view_.of_test(test, verdict.class_index));
      signals.back().insert(signals.back().end(), around.begin(), around.end());
    }
    std::string restricted_to = common_restriction(signals);
    double confidence = 0;
    for (std::size_t i = 0; i < tests.size(); ++i) {
      const Method& method = method_at(tests[i]);
      Case c = case_of(verdict.class_index, method, std::move(signals[i]));
      c.hints = hints;
      c.restricted_to = restricted_to;
      Ruling ruling = rule_on(std::move(c));
      confidence += ruling.confidence;
      verdict.methods.push_back(
          {method.name, method.line, ruling.category, unique_evidence(ruling.evidence)});
    }
    verdict.confidence = confidence / static_cast<double>(tests.size());
    settle(verdict, tests);
  }

  const Method& method_at(const MethodPlace& place) const {
    return class_at(place.class_index).methods[static_cast<std::size_t>(place.method_index)];
  }

  void rule_on_unseen_tests(ClassVerdict& verdict, const std::vector<std::string>& hints) {
    Method method = unseen_test(call_of(verdict.class_index) != nullptr, verdict.line);
    Case c = case_of(verdict.class_index, method, view_.of_whole_class(verdict.class_index));
    c.hints = hints;
    Ruling ruling = rule_on(std::move(c));
    verdict.inferred = ruling.category;
    verdict.confidence = ruling.confidence / 2;  // the tests themselves were not seen
    verdict.evidence = unique_evidence(ruling.evidence);
  }

  void settle(ClassVerdict& verdict, const std::vector<MethodPlace>& tests) const {
    settle_class(verdict);
    if (verdict.mixed && verdict.own_tests) verdict.split = split_of(verdict, tests);
  }

  std::vector<SplitPart> split_of(const ClassVerdict& verdict, const std::vector<MethodPlace>& tests) const {
    std::vector<SplitTest> parts;
    for (std::size_t i = 0; i < tests.size(); ++i)
      parts.push_back({verdict.methods[i].name, verdict.methods[i].category,
                       view_.own_helpers_of(tests[i], verdict.class_index)});
    return propose_split(verdict.name, parts, [this](const std::string& name) {
      return std::any_of(file_.classes.begin(), file_.classes.end(),
                         [&](const Class& cls) { return cls.name == name; });
    });
  }

  const FileFacts& file_;
  const Vocabulary& vocabulary_;
  FileView view_;
  const Inheritance& inheritance_;
};

}  // namespace

std::vector<ClassVerdict> classify(const FileFacts& file, const Vocabulary& vocabulary,
                                   analyzer::TreeIndex* index) {
  if (file.language == "cpp") return classify_cxx(file, vocabulary);
  return FileJudge(file, vocabulary, index).judge();
}

}  // namespace hwsift::classifier
