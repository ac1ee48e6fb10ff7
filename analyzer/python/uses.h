// The hardware uses within one expression, and what part each plays there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "analyzer/lexicon.h"
#include "analyzer/python/names.h"
#include "analyzer/python/node.h"

namespace hwsift::analyzer {

// Whose code an expression is.
struct Scope {
  int class_index = -1;
  int method_index = -1;
  int function_index = -1;
};

// How the expression as a whole stands.
struct Standing {
  Role role = Role::other;
  Polarity polarity = Polarity::none;  // of a guard or condition that holds
  bool optional = false;
  bool in_device_branch = false;
  bool faked = false;
};

class UseReader {
 public:
  UseReader(const Source& source, const Lexicon& lexicon, const Names& names, FileFacts& facts)
      : source_(source), lexicon_(lexicon), names_(names), facts_(facts) {}

  // Appends the uses below `node`. `on_call` is told of every call, outermost first, and says whether to look
  // inside. With Role::decorator, `node` is the call of a decorator that read_decorator has seen: only its
  // arguments are read.
  void read(TSNode node, const Scope& scope, const Standing& standing,
            const std::function<bool(TSNode)>& on_call);
  // The decorator itself as a use, where it is one.
  void read_decorator(const Decorator& decorator, const Scope& scope);
  void read_base(const Base& base, const Scope& scope, int line, int col);
  // What a skip decorator's name does with its first argument: excludes for skipIf, requires for skipUnless.
  Polarity skip_polarity(std::string_view last_word) const;
  // Whether a condition compares something with a device: device == "cuda", x.is_cuda.
  bool asks_for_device(TSNode condition, int depth = 0) const;
  Locals& locals() { return locals_; }
  const Lexicon& lexicon() const { return lexicon_; }
  // Binds every identifier of a target.
  void bind_names(TSNode node, int depth = 0);
  // Whether a part of it, calls or not, is a word of the lexicon: "torch.rand().cuda".
  bool names_hardware(std::string_view chain) const;
  bool are_devices(const std::vector<std::string>& words) const;
  const LexiconEntry* look_up(const std::string& written, const std::string& symbol) const;

 private:
  // How the node at hand stands, handed down from its parent.
  struct State {
    Role role = Role::other;          // of names
    Role literal_role = Role::other;  // of device literals
    Polarity polarity = Polarity::none;
    bool optional = false;
    bool in_device_branch = false;
    bool negated = false;
    bool conjoined = false;
    bool has_alternative = false;
    bool faked = false;
    bool is_data = false;  // of torch.device("cuda").type: a name is asked of it and no tensor made
    int callee = -1;       // into callees_
  };
  struct Frame {
    TSNode node;
    State state;
    int position = 0;        // of the child at hand among the positional arguments
    std::size_t locals = 0;  // mark to go back to when the node is left
  };

  Method* method();
  bool is_own_parameter(std::string_view name) const;
  void note_read(std::string_view written);
  void note_name(std::string_view root);
  bool is_own_class(std::string_view name) const;
  std::vector<std::string>* names_read();
  std::vector<std::string>* self_reads();
  void note_comparison(TSNode node);
  void note_golden(const StringLiteral& literal, const State& state, TSNode node);
  bool is_test_device(TSNode node) const;
  bool compared_values(TSNode node, DeviceComparison& comparison) const;
  bool names_device(TSNode text) const;
  bool is_printed_value(TSNode golden, std::string_view callee) const;
  bool all_must_hold(TSNode boolean_operator, bool negated) const;
  void bind_own_names(TSNode node);
  State call_state(const Frame& call);
  State choice_state(Frame& choice);
  State logic_state(const Frame& parent) const;
  Role literal_role_in(const Frame& parent, TSFieldId field_in_parent) const;
  bool advance(TSTreeCursor& cursor, std::vector<Frame>& open);
  State child_state(Frame& parent, TSNode child, TSFieldId field_in_parent);
  State argument_state(Frame& call, TSNode argument);
  State comparison_state(const Frame& parent);
  bool enter(TSNode node, const State& state, TSNode parent, TSFieldId field_in_parent);
  void read_string(TSNode node, const State& state);
  bool read_name(TSNode node, const State& state, bool called);
  void add(UseKind kind, const State& state, std::string symbol, std::vector<std::string> devices,
           TSNode node);

  const Source& source_;
  const Lexicon& lexicon_;
  const Names& names_;
  FileFacts& facts_;
  Locals locals_;
  const std::function<bool(TSNode)>* on_call_ = nullptr;
  Scope scope_;
  std::vector<std::string> callees_;
  Cursor cursor_;
};

}  // namespace hwsift::analyzer
