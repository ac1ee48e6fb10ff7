#include "analyzer/cxx/analyze.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "analyzer/cxx/body.h"
#include "analyzer/cxx/brackets.h"
#include "analyzer/cxx/made_tests.h"
#include "analyzer/cxx/suppressions.h"

namespace hwsift::analyzer::cxx {
namespace {

class Analyzer {
 public:
  Analyzer(const LexedFile& file, const CxxLexicon& lexicon)
      : file_(file), lexicon_(lexicon), brackets_(file.tokens), outline_(outline(file, lexicon.test_macros)) {
    add_made_tests(file, brackets_, outline_);
  }

  FileFacts run(const std::string& path) {
    facts_.path = path;
    facts_.language = "cpp";
    facts_.origin = file_.origin;
    facts_.parse.notes = file_.notes;
    facts_.test_file = !outline_.tests.empty();
    for (const OutlinedClass& one : outline_.classes) classes_.emplace(one.name, &one);
    for (const SuiteInstance& one : outline_.instances)
      if (one.types >= 0) types_.emplace(one.suite, one.types);
    for (const OutlinedTest& test : outline_.tests) add_test(test);
    for (const OutlinedFunction& function : outline_.functions) add_function(function);
    resolve_guard_calls();
    std::stable_sort(facts_.uses.begin(), facts_.uses.end(), [](const Use& a, const Use& b) {
      return std::pair(a.line, a.col) < std::pair(b.line, b.col);
    });
    for (const Include& one : file_.includes) add_include(one);
    facts_.suppressions = read_suppressions(file_);
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
    method.names_read = read({{}, test.body, test.condition}, owner, index, -1);
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

  // The bases of the fixture, and theirs; where another file defines it, the fixture itself.
  void add_fixture(Class& suite) const {
    const OutlinedClass* fixture = find_class(suite.name);
    if (fixture == nullptr) return suite.bases.push_back({suite.name, suite.name, suite.name});
    constexpr std::size_t kMostClasses = 100;  // of a real fixture a few
    std::vector<const OutlinedClass*> line = {fixture};
    for (std::size_t i = 0; i < line.size(); ++i)
      for (const std::string& base : line[i]->bases) {
        suite.bases.push_back({base, dotted(base), base});
        const OutlinedClass* next = find_class(base.substr(base.rfind(':') + 1));
        bool fresh = next != nullptr && std::find(line.begin(), line.end(), next) == line.end();
        if (fresh && line.size() < kMostClasses) line.push_back(next);
      }
  }

  const OutlinedClass* find_class(const std::string& name) const {
    auto found = classes_.find(name);
    return found == classes_.end() ? nullptr : found->second;
  }

  static std::string dotted(std::string name) {
    for (std::size_t at = name.find("::"); at != std::string::npos; at = name.find("::", at))
      name.replace(at, 2, ".");
    return name;
  }

  std::vector<BuildCondition> conditions_around(int innermost) const {
    std::vector<BuildCondition> all;
    int left = kMostConditions;
    for (int i = innermost; i >= 0 && left > 0;
         i = file_.conditions[static_cast<std::size_t>(i)].parent, --left) {
      const Condition& one = file_.conditions[static_cast<std::size_t>(i)];
      all.push_back({one.text, one.negated, one.line});
    }
    std::reverse(all.begin(), all.end());
    return all;
  }

  void name_instances(const OutlinedTest& test, Method& method) const {
    if (test.macro.kind == TestMacro::Kind::plain || test.macro.kind == TestMacro::Kind::named) return;
    method.expands = true;
    if (test.macro.kind != TestMacro::Kind::typed) return;
    auto types = types_.find(test.suite);
    if (types == types_.end()) return;
    method.expands = false;
    for (int i = 0; i < types->second; ++i)
      method.instance_names.push_back(test.suite + "/" + std::to_string(i) + "." + test.name);
  }

  void add_function(const OutlinedFunction& outlined) {
    Function function;
    function.name = outlined.class_name.empty() ? outlined.name : outlined.class_name + "::" + outlined.name;
    function.line = outlined.line;
    function.end_line = outlined.end_line;
    function.names_read = read(place_of(outlined), -1, -1, static_cast<int>(facts_.functions.size()));
    facts_.functions.push_back(std::move(function));
  }

  BodyPlace place_of(const OutlinedFunction& function) const {
    return {function.parameters, function.body, function.condition};
  }

  std::vector<std::string> read(const BodyPlace& place, int class_index, int method_index,
                                int function_index) {
    BodyFacts found = read_body(file_, brackets_, place, lexicon_);
    auto own = [&](Use use) {
      use.class_index = class_index;
      use.method_index = method_index;
      use.function_index = function_index;
      return use;
    };
    for (Use& use : found.uses) facts_.uses.push_back(own(std::move(use)));
    for (const GuardCall& call : found.guard_calls) guard_calls_.push_back(own(guard_of(call)));
    return std::move(found.names_read);
  }

  static Use guard_of(const GuardCall& call) {
    Use use;
    use.kind = UseKind::flag;
    use.role = Role::guard;
    use.polarity = call.negated ? Polarity::excludes : Polarity::requires_;
    use.symbol = call.name;
    use.callee = call.leaves;
    use.line = call.line;
    use.col = call.col;
    return use;
  }

  // What a function of the file says of a device by its answer.
  struct Answer {
    std::vector<std::string> devices;
    std::optional<bool> where_there;  // what it returns where the device is there
  };

  // Who leaves by such an answer where the device is missing needs it.
  void resolve_guard_calls() {
    std::map<std::string, Answer> answers = answers_of_functions();
    for (Use& use : guard_calls_) {
      auto answer = answers.find(use.symbol);
      if (answer == answers.end() || !answer->second.where_there) continue;
      bool negated = use.polarity == Polarity::excludes;
      bool goes_on_where_there = *answer->second.where_there == negated;
      if (!goes_on_where_there) continue;
      use.polarity = Polarity::requires_;
      use.devices = answer->second.devices;
      facts_.uses.push_back(std::move(use));
    }
  }

  // By the last word of the function.
  std::map<std::string, Answer> answers_of_functions() const {
    std::map<std::string, Answer> answers;
    for (const Use& use : facts_.uses) {
      if (use.function_index < 0 || use.kind != UseKind::flag) continue;
      const std::string& name = facts_.functions[static_cast<std::size_t>(use.function_index)].name;
      Answer& answer = answers[name.substr(name.rfind(':') + 1)];
      for (const std::string& device : use.devices)
        if (std::find(answer.devices.begin(), answer.devices.end(), device) == answer.devices.end())
          answer.devices.push_back(device);
      if (!answer.where_there) answer.where_there = answer_where_there(use);
    }
    return answers;
  }

  // return hasCUDA(); or if (!hasCUDA()) return true;
  static std::optional<bool> answer_where_there(const Use& use) {
    bool requires_device = use.polarity == Polarity::requires_;
    if (use.role == Role::returned) return requires_device;
    if (use.role != Role::guard || !use.callee.starts_with("return ")) return std::nullopt;
    bool says = use.callee == "return true";
    return requires_device ? !says : says;  // a guard that requires the device leaves where it is missing
  }

  void add_include(const Include& one) {
    Import import;
    import.module = one.path;
    import.line = one.line;
    import.top_level = one.condition < 0;
    facts_.imports.push_back(std::move(import));
  }

  void add_errors() {
    for (const LexError& error : file_.errors) add_error(error);
    for (const LexError& error : outline_.errors) add_error(error);
    facts_.parse.ok = facts_.parse.errors.empty();
  }

  void add_error(const LexError& error) {
    facts_.parse.read = facts_.parse.read && error.line > 0;
    facts_.parse.errors.push_back({error.line, error.col, error.message});
  }

  const LexedFile& file_;
  const CxxLexicon& lexicon_;
  Brackets brackets_;
  Outline outline_;
  FileFacts facts_;
  std::map<std::string, int> suites_;  // into FileFacts::classes
  std::map<std::string, const OutlinedClass*> classes_;
  std::map<std::string, int> types_;  // of a typed suite: how many
  std::vector<Use> guard_calls_;      // without their devices
};

}  // namespace

FileFacts analyze(const std::string& path, const LexedFile& file, const CxxLexicon& lexicon) {
  return Analyzer(file, lexicon).run(path);
}

}  // namespace hwsift::analyzer::cxx
