#include "report/explanation.h"

#include <algorithm>

namespace hwsift::report {
namespace {

using analyzer::Class;
using analyzer::FileFacts;
using classifier::ClassTest;
using classifier::ClassVerdict;
using classifier::Eligibilities;
using classifier::MethodVerdict;
using classifier::Target;

// Puts together what file, verdicts and eligibility say.
class Explainer {
 public:
  Explainer(const FileFacts& file, const std::vector<ClassVerdict>& verdicts,
            const classifier::Vocabulary& vocabulary, const std::string& device)
      : file_(file),
        answers_(file, verdicts, {device.empty() ? "cpu" : device, vocabulary}),
        asks_device_(!device.empty()) {}

  bool says_something(int index) const {
    const Class& cls = class_at(index);
    return answers_.verdict_of(index) != nullptr || cls.has_tests() || cls.label() != nullptr ||
           answers_.classes().is_template(index);
  }

  ClassExplanation of_class(int index) const {
    ClassExplanation told = about(index);
    for (const ClassTest& test : answers_.classes().tests_of(index)) told.tests.push_back(of(test));
    return told;
  }

  ClassExplanation of_test(const ClassTest& test) const {
    ClassExplanation told = about(test.class_index);
    told.tests.push_back(of(test));
    return told;
  }

  TestExplanation of_function(int index) const {
    const analyzer::Function& function = file_.functions[static_cast<std::size_t>(index)];
    classifier::Eligibility answer = answers_.of_function(index);
    TestExplanation told;
    told.name = function.name;
    told.line = function.line;
    told.counted = answer.counted;
    told.inferred = answer.counted.category;
    if (asks_device_) told.on_device = std::move(answer);
    return told;
  }

 private:
  const Class& class_at(int index) const { return file_.classes[static_cast<std::size_t>(index)]; }

  ClassExplanation about(int index) const {
    ClassExplanation told;
    told.cls = &class_at(index);
    told.verdict = answers_.verdict_of(index);
    told.label = told.cls->label();
    if (told.label == nullptr && told.cls->label_from >= 0) {
      told.label_from = &class_at(told.cls->label_from);
      told.label = told.label_from->label();
    }
    told.calls = answers_.classes().calls_of(index);
    return told;
  }

  TestExplanation of(const ClassTest& test) const {
    classifier::Eligibility answer = answers_.of(test);
    TestExplanation told;
    told.name = test.name;
    told.line = test.line;
    told.counted = answer.counted;
    const ClassVerdict* verdict = answers_.verdict_on(test);
    told.inferred = verdict != nullptr ? verdict->inferred : classifier::Category::generic();
    if (test.inherited()) told.inherited_from = class_at(test.owner_index).name;
    if (verdict != nullptr) add_verdict(*verdict, test, told);
    if (asks_device_) told.on_device = std::move(answer);
    return told;
  }

  static void add_verdict(const ClassVerdict& verdict, const ClassTest& test, TestExplanation& told) {
    for (const MethodVerdict& method : verdict.methods) {
      if (method.line != test.line || method.name != test.name) continue;
      told.seen = true;
      told.inferred = method.category;
      told.evidence = method.evidence;
    }
    if (!told.seen) told.evidence = verdict.evidence;
  }

  const FileFacts& file_;
  Eligibilities answers_;
  bool asks_device_;
};

void add_whole_file(const FileFacts& file, const Explainer& explainer, Explanation& told) {
  for (std::size_t i = 0; i < file.classes.size(); ++i) {
    int index = static_cast<int>(i);
    if (explainer.says_something(index)) told.classes.push_back(explainer.of_class(index));
  }
  ClassExplanation functions;
  for (std::size_t i = 0; i < file.functions.size(); ++i)
    if (file.functions[i].is_test) functions.tests.push_back(explainer.of_function(static_cast<int>(i)));
  if (!functions.tests.empty()) told.classes.push_back(std::move(functions));
}

void add_parts(const FileFacts& file, const Target& target, const Explainer& explainer, Explanation& told) {
  if (target.function_index >= 0) {
    told.subject = Explanation::Subject::test;
    told.classes.resize(1);
    told.classes.front().tests.push_back(explainer.of_function(target.function_index));
    told.id += "::" + told.classes.front().tests.front().name;
    return;
  }
  if (target.class_index < 0) return add_whole_file(file, explainer, told);
  told.id += "::" + file.classes[static_cast<std::size_t>(target.class_index)].qualified_name;
  if (target.test) {
    told.subject = Explanation::Subject::test;
    told.id += "::" + target.test->name;
    told.classes.push_back(explainer.of_test(*target.test));
  } else {
    told.subject = Explanation::Subject::cls;
    told.classes.push_back(explainer.of_class(target.class_index));
  }
}

std::string written(const FileFacts& file, const classifier::TestId& id) {
  std::string text = file.path;
  if (!id.cls.empty()) text += "::" + id.cls;
  if (!id.test.empty()) text += "::" + id.test;
  return text;
}

}  // namespace

Explanation explanation_of(const FileFacts& file, const std::vector<ClassVerdict>& verdicts,
                           const Target& target, const classifier::TestId& asked,
                           const classifier::Vocabulary& vocabulary, const std::string& device) {
  Explanation told;
  told.id = told.path = file.path;
  told.device = device.empty() ? target.device : device;
  told.test_file = file.test_file;
  for (const analyzer::ParseError& error : file.parse.errors)
    told.parse_errors.push_back("line " + std::to_string(error.line) + ": " + error.message);
  Explainer explainer(file, verdicts, vocabulary, told.device);
  add_parts(file, target, explainer, told);
  if (target.generated) told.asked = written(file, asked);
  if (target.device != told.device) told.asked_device = target.device;
  return told;
}

std::string run_id(const std::string& path, const classifier::Eligibility& answer) {
  std::string id = path;
  if (!answer.run_class.empty()) id += "::" + answer.run_class;
  return id + "::" + answer.test;
}

}  // namespace hwsift::report
