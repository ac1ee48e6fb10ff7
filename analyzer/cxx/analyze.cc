#include "analyzer/cxx/analyze.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/cxx/body.h"
#include "analyzer/cxx/brackets.h"
#include "analyzer/cxx/made_tests.h"

namespace hwsift::analyzer::cxx {
namespace {

class Analyzer {
 public:
  Analyzer(const LexedFile& file, const std::vector<TestMacro>& macros, const Lexicon& lexicon)
      : file_(file), lexicon_(lexicon), brackets_(file.tokens), outline_(outline(file, macros)) {
    add_made_tests(file, brackets_, outline_);
  }

  FileFacts run(const std::string& path) {
    facts_.path = path;
    facts_.language = "cpp";
    facts_.origin = file_.origin;
    facts_.parse.notes = file_.notes;
    facts_.test_file = !outline_.tests.empty();
    for (const OutlinedTest& test : outline_.tests) add_test(test);
    for (const OutlinedFunction& function : outline_.functions) add_function(function);
    add_errors();
    return std::move(facts_);
  }

 private:
  void add_test(const OutlinedTest& test) {
    int owner = suite_of(test);
    Class& suite = facts_.classes[static_cast<std::size_t>(owner)];
    suite.end_line = std::max(suite.end_line, test.end_line);
    Method method;
    method.name = test.name;
    method.line = test.line;
    method.col = test.col;
    method.end_line = test.end_line;
    method.is_test = true;
    method.conditions = conditions_around(test.condition);
    name_instances(test, method);
    int index = static_cast<int>(suite.methods.size());
    method.names_read = read(test.body, owner, index, -1);
    suite.methods.push_back(std::move(method));
  }

  int suite_of(const OutlinedTest& test) {
    auto [known, fresh] = suites_.try_emplace(test.suite, static_cast<int>(facts_.classes.size()));
    if (!fresh) return known->second;
    Class suite;
    suite.name = suite.qualified_name = test.suite;
    suite.line = test.line;
    suite.col = test.col;
    if (test.macro.fixture) add_fixture(suite);
    facts_.classes.push_back(std::move(suite));
    return known->second;
  }

  // The bases of the fixture; where another file defines it, the fixture itself.
  void add_fixture(Class& suite) const {
    auto fixture = std::find_if(outline_.classes.begin(), outline_.classes.end(),
                                [&](const OutlinedClass& one) { return one.name == suite.name; });
    if (fixture == outline_.classes.end()) return suite.bases.push_back({suite.name, suite.name, suite.name});
    for (const std::string& base : fixture->bases) suite.bases.push_back({base, dotted(base), base});
  }

  static std::string dotted(std::string name) {
    for (std::size_t at = name.find("::"); at != std::string::npos; at = name.find("::", at))
      name.replace(at, 2, ".");
    return name;
  }

  std::vector<BuildCondition> conditions_around(int innermost) const {
    std::vector<BuildCondition> all;
    for (int i = innermost; i >= 0; i = file_.conditions[static_cast<std::size_t>(i)].parent) {
      const Condition& one = file_.conditions[static_cast<std::size_t>(i)];
      all.insert(all.begin(), {one.text, one.negated, one.line});
    }
    return all;
  }

  void name_instances(const OutlinedTest& test, Method& method) const {
    if (test.macro.kind == TestMacro::Kind::plain || test.macro.kind == TestMacro::Kind::named) return;
    method.expands = true;
    if (test.macro.kind != TestMacro::Kind::typed) return;
    for (const SuiteInstance& instance : outline_.instances) {
      if (instance.suite != test.suite || instance.types < 0) continue;
      method.expands = false;
      for (int i = 0; i < instance.types; ++i)
        method.instance_names.push_back(test.suite + "/" + std::to_string(i) + "." + test.name);
    }
  }

  void add_function(const OutlinedFunction& outlined) {
    auto suite = suites_.find(outlined.class_name);
    if (suite != suites_.end()) {
      Class& cls = facts_.classes[static_cast<std::size_t>(suite->second)];
      Method method;
      method.name = outlined.name;
      method.line = outlined.line;
      method.end_line = outlined.end_line;
      method.names_read = read(outlined.body, suite->second, static_cast<int>(cls.methods.size()), -1);
      cls.methods.push_back(std::move(method));
      return;
    }
    Function function;
    function.name = outlined.name;
    function.line = outlined.line;
    function.end_line = outlined.end_line;
    function.names_read = read(outlined.body, -1, -1, static_cast<int>(facts_.functions.size()));
    facts_.functions.push_back(std::move(function));
  }

  std::vector<std::string> read(TokenRange body, int class_index, int method_index, int function_index) {
    BodyFacts found = read_body(file_, brackets_, body, lexicon_);
    for (Use& use : found.uses) {
      use.class_index = class_index;
      use.method_index = method_index;
      use.function_index = function_index;
      facts_.uses.push_back(std::move(use));
    }
    return std::move(found.names_read);
  }

  void add_errors() {
    for (const LexError& error : file_.errors) add_error(error);
    for (const LexError& error : outline_.errors) add_error(error);
    facts_.parse.ok = facts_.parse.errors.empty();
  }

  void add_error(const LexError& error) {
    facts_.parse.errors.push_back({error.line, error.col, error.message});
  }

  const LexedFile& file_;
  const Lexicon& lexicon_;
  Brackets brackets_;
  Outline outline_;
  FileFacts facts_;
  std::map<std::string, int> suites_;  // into FileFacts::classes
};

}  // namespace

FileFacts analyze(const std::string& path, const LexedFile& file, const std::vector<TestMacro>& macros,
                  const Lexicon& lexicon) {
  return Analyzer(file, macros, lexicon).run(path);
}

}  // namespace hwsift::analyzer::cxx
