// What `hwsift explain` answers about a file, a class or a test: its category and why, and for a device
// whether it runs there. hwsift.explanation/1, and prose for people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "classifier/classify.h"
#include "classifier/eligibility.h"
#include "classifier/test_id.h"
#include "lint/profile.h"
#include "report/output.h"

namespace hwsift::report {

struct TestExplanation {
  std::string name;
  int line = 0;
  std::string inherited_from;  // the base in the same file that defines it
  classifier::CountedCategory counted;
  classifier::Category inferred;
  bool seen = false;  // whether the classifier looked at the test itself
  std::vector<classifier::Evidence> evidence;
  std::optional<classifier::Eligibility> on_device;
};

struct ClassExplanation {
  const analyzer::Class* cls = nullptr;               // nullptr for the file's functions
  const classifier::ClassVerdict* verdict = nullptr;  // nullptr where it runs no tests
  const analyzer::Class* label_from = nullptr;        // the base in the file whose label it inherits
  const analyzer::Label* label = nullptr;             // its own, or that of label_from
  std::vector<const analyzer::Instantiation*> calls;
  std::vector<TestExplanation> tests;
};

struct Explanation {
  enum class Subject { file, cls, test };
  Subject subject = Subject::file;
  std::string id;     // as the source has it
  std::string asked;  // where that is another name: the one that was asked about
  std::string path;
  std::string device;        // "" where none was asked about
  std::string asked_device;  // that `asked` is the variant for, where it is another one
  std::string excluded_by;   // the setting that leaves the file out, "" where none does
  bool test_file = true;
  std::vector<std::string> parse_errors;
  std::vector<ClassExplanation> classes;  // one for a class or a test
};

// `device` "" stands for that of a name which the framework made, and else for none. What is returned points
// into `file` and `verdicts`.
Explanation explanation_of(const analyzer::FileFacts& file,
                           const std::vector<classifier::ClassVerdict>& verdicts,
                           const classifier::Target& target, const classifier::TestId& asked,
                           const classifier::Vocabulary& vocabulary, const std::string& device);

// Prose is wrapped at `width` columns.
std::string explanation_text(const Explanation& explanation, const Style& style, std::size_t width);
std::string explanation_json(const Explanation& explanation);

// The same document about a lint rule; as text, rule_text of report/rules.h says it.
std::string rule_explanation_json(const lint::RuleDocument& rule);

// "test/test_x.py::TestAddCUDA::test_add_cuda".
std::string run_id(const std::string& path, const classifier::Eligibility& answer);

}  // namespace hwsift::report
