// Walks the statements of a file once, in source order, and writes down what it meets. Its functions stand by
// what they read: analyze.cc blocks and expressions, imports.cc names, definitions.cc classes and functions,
// assignments.cc values.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/facts.h"
#include "analyzer/python/names.h"
#include "analyzer/python/node.h"
#include "analyzer/python/uses.h"

namespace hwsift::analyzer {

constexpr std::size_t kMaxText = 200;  // of code that facts repeat

inline bool starts_with_test(std::string_view name) { return name.starts_with("test"); }
// One expression without a comma after it, which would make it a tuple.
bool is_alone(TSNode statement);
bool is_docstring(TSNode statement);
TSNode name_of_parameter(TSNode node);

// Where a statement stands.
struct Position {
  Context context = Context::module;
  Scope scope;
  std::string prefix;        // of qualified names: "Outer.", "function.<locals>."
  int class_body = -1;       // the class whose body this is, directly or under an `if` of it
  bool conditional = false;  // under a compound statement of the class body
  bool direct = true;  // a statement of its module, class or function itself, so that an early exit ends that
  bool optional = false;          // runs only where a hardware condition holds
  bool in_device_branch = false;  // runs only after a comparison with a device
  bool faked = false;             // under a mode that makes no real tensors
  int depth = 0;
};

// How many functions and classes stand around a statement.
struct Around {
  int functions = 0;
  int classes = 0;

  void step(TSNode definition, int by) {
    if (is(definition, grammar().function_definition)) functions += by;
    if (is(definition, grammar().class_definition)) classes += by;
  }
};

class FileReader {
 public:
  FileReader(FileFacts& facts, const Source& source, const Lexicon& lexicon)
      : facts_(facts), source_(source), uses_(source, lexicon, names_, facts) {}

  void read(TSNode root) {
    if (source_.excerpt() != nullptr)
      read_plain_names(*source_.excerpt());
    else
      read_names(root);
    read_block(root, Position{});
    settle_torch_calls();
    settle_reads();
    find_references();
  }

 private:
  // --- statements ---
  void read_block(TSNode block, const Position& at);
  void read_statement(TSNode node, const Position& at);
  void read_type_statement(TSNode node, const Position& at);
  void note_deleted(TSNode node, const Position& at);
  bool read_compound(TSNode node, const Position& at);
  void read_if(TSNode node, const Position& at);
  void read_for(TSNode node, const Position& at);
  void read_clauses(TSNode node, const Position& at, Context context);
  void read_definition(TSNode node, const std::vector<TSNode>& decorators, const Position& at);
  void read_class(TSNode node, const std::vector<TSNode>& decorators, const Position& at);
  void read_function(TSNode node, const std::vector<TSNode>& decorators, const Position& at);
  void read_plain_function(const PlainFunction& plain, const Position& at);
  Method method_of(TSNode function, const std::vector<TSNode>& decorators) const;
  Method method_of(const PlainFunction& plain, const std::vector<TSNode>& decorators) const;
  void read_decorators(const PlainFunction& plain, const std::vector<TSNode>& nodes,
                       const std::vector<Decorator>& decorators, const Scope& scope);
  Scope add_function(Method method, const Position& at);
  void read_decorated(TSNode node, const Position& at);
  void read_expression_statement(TSNode node, const Position& at);
  void read_assignment(TSNode node, const Position& at);
  void read_target(TSNode node, TSNode target, const Position& at);
  void read_label(TSNode assignment, Class& cls, const Position& at, bool outside);
  void read_module_value(const std::string& name, TSNode value, std::size_t first_use);

  // --- parts ---
  std::vector<Decorator> decorators_of(const std::vector<TSNode>& nodes) const;
  Decorator decorator_of(TSNode node) const;
  Decorator decorator_of(const PlainDecorator& plain) const;
  std::vector<Parameter> parameters_of(TSNode function) const;
  void read_defaults(TSNode function, const Scope& scope);
  void read_decorators(const std::vector<TSNode>& nodes, const std::vector<Decorator>& decorators,
                       const Scope& scope);
  void read_expression(TSNode node, const Position& at, const Standing& standing, bool is_statement = false);
  void add_instantiation(Instantiation call, const Position& at, bool is_statement);
  void add_torch_call(TSNode call, const Position& at);
  void settle_torch_calls();
  void settle_reads();
  void find_references();
  bool makes_fake_mode(TSNode call) const;
  bool enters_fake_mode(TSNode with_clause) const;
  bool asks_for_test_name(TSNode condition) const;
  void note_target(TSNode target, std::size_t first_use);
  void bind_locals(TSNode target, const Position& at);
  void bind_parameters(TSNode list, Locals::Binding binding);
  void bind_parameters(const std::vector<Parameter>& params, Locals::Binding binding);
  void add_constant(const std::string& name, const DeviceFilter& filter);
  void add_dynamic_class(TSNode call, const Position& at);
  Standing standing_at(const Position& at, Role role, Polarity polarity = Polarity::none) const {
    return {role, polarity, at.optional, at.in_device_branch || device_settled_, at.faked};
  }
  Class* class_named(std::string_view name);

  // --- imports ---
  void read_names(TSNode root);
  void read_plain_names(const Excerpt& excerpt);
  void read_name_of(TSNode statement, const Around& around);
  void read_import(TSNode node, bool top_level);
  void read_import_from(TSNode node, bool top_level);
  void add_import(std::string module, std::string name, std::string alias, TSNode node, bool top_level);
  void add_import(Import import);

  FileFacts& facts_;
  const Source& source_;
  Names names_;
  UseReader uses_;
  std::set<std::string, std::less<>> fake_modes_;  // names that were given such a mode: fake_mode, self.mode
  bool device_settled_ = false;                    // the function at hand has left early for some devices
  std::unordered_map<std::string, std::vector<std::string>>
      loop_classes_;  // loop variable to literal class names
};

}  // namespace hwsift::analyzer
