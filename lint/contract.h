// What the contracts share: the making of findings, and what a label requires of a class. A contract decides
// which classes, tests and calls it sees; the requirements below speak about what it hands in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/category.h"
#include "classifier/classify.h"
#include "classifier/vocabulary.h"
#include "lint/finding.h"
#include "lint/profile.h"
#include "lint/surroundings.h"

namespace hwsift::lint {

// A file under lint.
struct Subject {
  const Profile& profile;
  const analyzer::FileFacts& file;
  const std::vector<classifier::ClassVerdict>& verdicts;
  const classifier::Vocabulary& vocabulary;
  const Surroundings& around;
  std::string_view text;       // decoded; "" where no fix is asked for
  std::size_t text_begin = 0;  // where it starts in the file's bytes: behind a byte order mark
};

class PythonView;

// A test class as a contract sees it.
struct SeenClass {
  const analyzer::Class* cls = nullptr;
  std::vector<const analyzer::Method*> tests;
};

// Where a finding stands: 1-based, the width in code points.
struct Place {
  int line = 0;
  int col = 0;
  int width = 1;
};

// Collects findings in the order in which they are reported; those of rules outside the profile are dropped.
class Report {
 public:
  explicit Report(const Subject& subject) : subject_(subject) {}

  // Each returns the finding, so that a fix can be added; what is done to one that was dropped is lost.
  Finding& at_file(const char* rule, int line, int col, const std::string& message, const std::string& hint);
  Finding& at_class(const char* rule, const analyzer::Class& cls, const std::string& message,
                    const std::string& hint);
  Finding& at_method(const char* rule, const analyzer::Class& cls, const analyzer::Method& method,
                     const std::string& message, const std::string& hint);
  Finding& at_call(const char* rule, const analyzer::Class& cls, const analyzer::Instantiation& call,
                   const std::string& message, const std::string& hint);
  Finding& at_place(const char* rule, const analyzer::Class& cls, const Place& place,
                    const std::string& message, const std::string& hint);
  // A place in the code of a test.
  Finding& at_code(const char* rule, const analyzer::Class& cls, const analyzer::Method& method,
                   const Place& place, const std::string& message, const std::string& hint);

  const Subject& subject() const { return subject_; }
  bool has(const char* rule) const { return subject_.profile.rules.count(rule) > 0; }
  // The category as the checked tree writes it.
  std::string spell(const classifier::Category& category) const {
    return subject_.around.traits.spelling(category);
  }
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  Finding& add(Finding finding);

  const Subject& subject_;
  std::vector<Finding> findings_;
  Finding dropped_;
};

// The contracts, each in its own file. A file with parse errors never reaches them.
std::vector<Finding> lint_upstream_strict(const Subject& subject);
std::vector<Finding> lint_upstream_relaxed(const Subject& subject);
std::vector<Finding> lint_recommended(const Subject& subject, const PythonView& view);
std::vector<Finding> lint_declare(const Subject& subject);

// --- what a label requires ---

void forbid_instantiation(Report& report, const analyzer::Class& cls, const analyzer::Instantiation& call);
void require_instantiation(Report& report, const SeenClass& seen, const classifier::Category& category);
void forbid_device_param(Report& report, const SeenClass& seen);
void require_device_param(Report& report, const SeenClass& seen);
void forbid_decorator(Report& report, const analyzer::Class& cls, const analyzer::Method& test,
                      const analyzer::Decorator& decorator);
// The filters as the contract sees them; `call` says where.
void forbid_only_for(Report& report, const analyzer::Class& cls, const analyzer::Instantiation& call,
                     const analyzer::DeviceFilter& only_for);
void forbid_except_for(Report& report, const analyzer::Class& cls, const analyzer::Instantiation& call,
                       const analyzer::DeviceFilter& except_for, const classifier::Category& category);
void require_only_for(Report& report, const analyzer::Class& cls, const analyzer::Instantiation& call,
                      const analyzer::DeviceFilter& only_for, const classifier::Category& category);

// Calls in code of the module whose class is that of another file of the tree, as far as that can be told.
std::vector<const analyzer::Instantiation*> foreign_calls(const Subject& subject);

bool is_given(const analyzer::DeviceFilter& filter);  // neither absent nor None

// --- the declaration ---

// What the tests of a class need by their code; nullopt where there is no verdict.
std::optional<classifier::Category> inferred(const Subject& subject, const analyzer::Class& cls);
// The category that Python would read in the class body, if one can be told.
std::optional<classifier::Category> python_label(const analyzer::Class& cls);
// The same, or where the profile accepts it the label that the class inherits from a base in the tree.
std::optional<classifier::Category> effective_label(const Subject& subject, const analyzer::Class& cls);
// Whether the checked tree's own enum has the member that the label names; a tree without the enum has all.
bool is_defined(const Subject& subject, const analyzer::Class& cls);
// Why the declaration fails, and what to write instead. `seen` is the label that counts, nullptr where there
// is none.
void report_declaration(Report& report, const Subject& subject, const analyzer::Class& cls,
                        const analyzer::Label* seen);

}  // namespace hwsift::lint
