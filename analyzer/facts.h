// The vocabulary of the analyzer: what was read in a source file, and where. Read this file first.
//
//   template        a test class that instantiate_device_type_tests turns into one class a device
//   label           the class attribute hw_classification
//   use             a place that says something about hardware: a device literal, a vendor's API, a guard ...
//   symbol          a dotted name after imports and aliases are resolved ("torch.cuda.is_available"); a name
//   that no
//                   import explains stands as it is written
//
// Facts are syntax and name resolution within one file. They say nothing about what a symbol means: that is
// the classifier's work. Lines and columns are 1-based; columns count Unicode code points.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hwsift::analyzer {

// Bytes [begin, end) of the decoded text: of the file itself where that is UTF-8 without a byte order mark.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool empty() const { return begin == end; }
  bool operator==(const Span&) const = default;
};

struct Parameter {
  enum class Kind { positional, positional_only, keyword_only, var_positional, var_keyword };
  std::string name;  // without stars
  Kind kind = Kind::positional;
  bool has_default = false;
  bool operator==(const Parameter&) const = default;
};

struct Decorator {
  std::string
      name;  // dotted, as written: "common_utils.skipIfRocm"; "" for an expression that is no dotted name
  std::string symbol;  // resolved: "torch.testing._internal.common_utils.skipIfRocm"
  std::string text;    // as written without '@', on one line, at most 200 bytes
  bool called = false;
  int line = 0;
  int col = 0;
  Span span = {};  // with its '@'
  bool operator==(const Decorator&) const = default;
};

struct Base {
  std::string name;    // dotted, as written; "" for any other expression
  std::string symbol;  // resolved
  std::string text;    // as written
  bool operator==(const Base&) const = default;
};

// Where a statement stands, as seen from its module or class: `module` is a direct child.
// Of nested compound statements the outermost is told, but match and except* (a try with except groups) win.
enum class Context { module, if_, try_, try_group, with, for_, while_, match, main_guard, function, class_ };

// C++: one `#if`, `#elif` or `#else` around a test.
struct BuildCondition {
  std::string text;      // "USE_CUDA" for #ifdef USE_CUDA and #if defined(USE_CUDA); else as written
  bool negated = false;  // the test is there where it does not hold
  int line = 0;
  bool operator==(const BuildCondition&) const = default;
};

struct Method {
  std::string name;
  int line = 0;  // of `def`, never of a decorator
  int col = 0;
  int end_line = 0;
  bool is_test = false;  // the name starts with "test"
  bool async = false;
  bool conditional = false;  // stands under an `if`, `try` ... of the class body
  std::vector<Parameter> params;
  std::vector<Decorator> decorators;
  Span param_list = {};                 // of the parameters, without the parentheses
  bool reads_device = false;            // reads its parameter `device` or `devices`, or calls locals()
  bool is_stub = false;                 // does nothing: pass, a docstring, raise or skip
  std::vector<std::string> self_reads;  // members of self that it reads, sorted, without assertions
  std::vector<std::string> names_read;  // functions and classes of the module that it reads, sorted
  std::vector<BuildCondition> conditions = {};  // C++: outermost first
  std::vector<std::string> instance_names =
      {};                // C++: of a typed test "Suite/0.Name"; [] where it is its own name
  bool expands = false;  // C++: its instances cannot be told from the file

  bool takes(const std::string& parameter) const;  // by name; `*args` and `**kwargs` take nothing
  bool takes_device() const { return takes("device") || takes("devices"); }
  bool operator==(const Method&) const = default;
};

// One statement that says something about the class attribute hw_classification.
struct Label {
  enum class Form {
    absent,            // no statement
    plain,             // hw_classification = HardwareClassification.X
    annotated,         // the same, annotated with exactly HardwareClassification
    other_annotation,  // the same, with another annotation (ClassVar[...], typing names)
    alias,             // X reached through another name of the enum (module.HardwareClassification.X, HC.X)
    text,              // a string: "GENERIC"
    none,              // None: unclassifies a subclass
    annotation_only,   // no value at all
    unknown,           // any other expression
  };
  Form form = Form::absent;
  std::string value;  // the member as written ("GENERIC", "generic"); "" where there is none
  std::string text;   // the right-hand side as written
  int line = 0;
  int col = 0;
  bool conditional = false;  // under an `if` of the class body
  bool outside = false;      // TestX.hw_classification = ... after the class
  Span value_span = {};      // of the right-hand side
  bool operator==(const Label&) const = default;
};

// An argument of instantiate_device_type_tests that filters devices.
struct DeviceFilter {
  enum class State { absent, none, literal, unknown };
  State state = State::absent;
  std::vector<std::string> values;  // for literal
  bool single_text = false;         // a str, which the framework tests by substring
  bool is_set = false;              // a set display
  bool by_position = false;
  bool from_constant = false;  // a name whose one module-level value is a literal
  std::string text;            // as written
  std::string symbol;          // of a name: resolved; it may be a constant of another file
  Span span = {};              // of the argument, keyword and all
  bool operator==(const DeviceFilter&) const = default;
};

enum class Tri { no, yes, unknown };

// One call of instantiate_device_type_tests; a call in a loop over literal classes stands once a class, at
// one place.
struct Instantiation {
  enum class Callee { bare, attribute, alias };
  std::string class_name;      // of the template; "" where it cannot be told
  std::string first_argument;  // as written
  std::string symbol;          // of the first argument, resolved; "" where it is no dotted name
  Callee callee = Callee::bare;
  bool is_statement = true;          // an expression statement; an assigned or nested call is not
  bool template_by_keyword = false;  // generic_test_class=...
  bool from_loop = false;            // class_name comes from a literal tuple or list that a `for` walks
  Context context = Context::module;
  int line = 0;
  int col = 0;
  DeviceFilter only_for;
  DeviceFilter except_for;
  Tri allow_mps = Tri::no;
  Tri allow_xpu = Tri::no;
  Tri include_lazy = Tri::no;
  bool allow_mps_given = false;  // in the call, whatever its value
  bool allow_xpu_given = false;
  Span last_argument = {};  // empty where it has none
  bool operator==(const Instantiation&) const = default;
};

// A name of the class body that starts with "test" and is bound by an assignment: test_x = make().
struct AssignedTest {
  std::string name;
  bool is_value = false;  // a text, a number, a display: nothing that can be called
  int line = 0;
  int col = 0;
  bool operator==(const AssignedTest&) const = default;
};

struct Class {
  std::string name;
  std::string qualified_name;  // "Outer.Inner", "function.<locals>.Test"
  int line = 0;                // of `class`
  int col = 0;
  int end_line = 0;
  Context context = Context::module;
  std::vector<Base> bases;
  std::vector<Decorator> decorators;
  std::vector<Label> labels;    // in source order; the last one wins, as in Python
  std::vector<Method> methods;  // own methods, in source order
  int deleted_line = 0;         // of a `del` of the module that takes its name away again; 0 for none
  int label_from = -1;          // into FileFacts::classes: the base whose label this class inherits
  std::vector<AssignedTest> assigned_tests;
  std::vector<std::string>
      names_read;       // by the body outside its methods: functions and classes of the module
  Span span = {};       // from `class`, without decorators, to the end of its last line with code
  Span body = {};       // from the first statement of the body, its docstring too
  Span docstring = {};  // empty where it has none

  bool has_tests() const;
  const Label* label() const;  // the label that Python would see, or nullptr
  bool operator==(const Class&) const = default;
};

struct Function {
  std::string name;
  int line = 0;
  int col = 0;
  int end_line = 0;
  bool is_test = false;
  bool async = false;
  std::vector<Parameter> params;
  std::vector<Decorator> decorators;
  bool referenced = false;  // its name is read elsewhere in the file; told of functions named test* alone
  std::vector<std::string> self_reads = {};  // as of a method, where a test hands itself over as `self`
  std::vector<std::string> names_read = {};
  bool operator==(const Function&) const = default;
};

enum class UseKind {
  device_literal,   // "cuda", "cuda:0", f"cuda:{rank}"
  device_method,    // .cuda(), .cpu(), .is_cuda: a member named for a device, on any object
  api,              // torch.cuda.synchronize and the like
  decorator,        // onlyCUDA, skipIfRocm
  flag,             // TEST_CUDA, HAS_GPU
  constant,         // GPU_TYPE
  base_class,       // FSDPTest
  call,             // skip_if_lt_x_gpu where it does not decorate; get_all_device_types
  device_variable,  // a module-level name whose value is itself a use: device = "cuda" if ... else "cpu"
  import,           // import torch_npu
};

// What part a use plays where it stands.
enum class Role {
  other,
  device_argument,  // device="cuda", .to("cuda"), torch.device("cuda"), torch.device("cuda", 0)
  argument,         // of any other call
  assigned,         // x = "cuda", a default value
  returned,         // return "cuda"
  compared,         // ==, in, match patterns
  key,              // of a dict display or a subscript
  element,          // of a list, tuple or set
  parametrized,     // inside a @parametrize decorator
  condition,  // in the test of an if, a while, a conditional expression or an assert: a branch hinges on it
  guard,      // in a skip decorator, or in an `if` that ends the scope early: the whole scope hinges on it
  decorator,
  base,
};

// Of guards and conditions. `requires`: the scope (the branch) runs only when the use holds: skipIf(not
// TEST_CUDA), if TEST_CUDA: ...; `excludes`: only when it does not.
enum class Polarity { none, requires_, excludes };

// C++: how a file, or the name of a use, was read.
enum class Origin {
  none,  // of another language
  fast,  // as it is written, without headers
  full,  // with its compile command: names are resolved by the compiler
};

struct Use {
  UseKind kind = UseKind::api;
  Role role = Role::other;
  Polarity polarity = Polarity::none;
  std::string symbol;                // resolved name, or the literal as written without quotes
  std::vector<std::string> devices;  // that the symbol names; [] where it says "some accelerator"
  std::string callee;  // resolved name of the call whose argument this is (roles argument, device_argument)
  std::string
      target;  // the name that gets the value it is part of: "device", "self.device"; "" where none does
  bool optional = false;          // stands in a branch that runs only where a hardware condition holds
  bool sees_device = false;       // the name `device` means the test's own parameter here, as `self` does
  bool in_device_branch = false;  // stands where a comparison with a device has been made: if device == "cpu"
  bool has_alternative =
      false;               // part of a choice that does without the hardware: "cuda" if available else "cpu"
  bool faked = false;      // under a mode that makes no real tensors: with FakeTensorMode():
  bool conjoined = false;  // of a guard or condition: other parts of it must hold as well ("and")
  int line = 0;
  int col = 0;
  int class_index = -1;     // into FileFacts::classes
  int method_index = -1;    // into that class's methods
  int function_index = -1;  // into FileFacts::functions, for module-level functions
  Span span = {};           // a literal with its quotes; a member with its dot: ".cuda"
  Origin origin = Origin::none;
  bool operator==(const Use&) const = default;
};

struct Import {
  std::string module;  // absolute where it can be told, else with its dots
  std::string name;    // "" for `import module`, "*" for a star import
  std::string alias;   // the name bound in the file
  int line = 0;
  bool top_level = false;  // at module level, conditional or not
  Span span = {};          // of the item: "name as alias"; of the star
  Span statement = {};
  bool operator==(const Import&) const = default;
};

// A comparison of the device that the framework hands to a test: device == "cuda", "xpu" in device.
struct DeviceComparison {
  enum class Against { texts, device_object };
  std::string left;  // as written
  std::string op;    // "==", "!=", "in", "not in", "is" ...
  Against against = Against::texts;
  std::vector<std::string> values;  // device texts on the other side
  bool device_is_left = true;
  bool one_text = true;  // the other side is one text, not a display of several
  int line = 0;
  int col = 0;
  Span span = {};          // of the whole comparison
  bool sees_self = false;  // the name `self` means the test's own parameter here
  Span device_span = {};   // of the side that is the device
  int class_index = -1;
  int method_index = -1;
  bool operator==(const DeviceComparison&) const = default;
};

// A device inside a longer text that a test expects to see: assertExpectedInline(x, "... device='cuda:0'
// ...").
struct GoldenText {
  std::string device;
  std::string callee;  // last word
  int line = 0;
  int col = 0;
  bool in_device_branch = false;
  int class_index = -1;
  int method_index = -1;
  bool operator==(const GoldenText&) const = default;
};

// Classes that no class statement makes, in code of the module: type("TestA", (TestCase,), {...}), or
// whatever globals().update(...) puts there.
struct DynamicClass {
  std::string name;                // "" where it cannot be told
  std::string text;                // the call, on one line
  std::vector<std::string> bases;  // as written
  bool labelled = false;           // hw_classification stands in the call
  bool opaque = false;             // globals().update(...): how many and which cannot be told
  int line = 0;
  int col = 0;
  bool operator==(const DynamicClass&) const = default;
};

// copy_tests(Template, TestXCPU, "cpu"): the tests of one class of the module put into another.
struct CopiedTests {
  std::string from;
  std::string to;
  int line = 0;
  bool operator==(const CopiedTests&) const = default;
};

// A module-level name that stands for one or more device types: GPUS = ("cuda", "xpu").
struct DeviceConstant {
  std::string name;
  DeviceFilter value;
  bool operator==(const DeviceConstant&) const = default;
};

// A module-level name for another name: TestB = module.TestA.
struct Alias {
  std::string name;
  std::string symbol;  // resolved
  bool operator==(const Alias&) const = default;
};

// "# hwsift: ignore[rule, ...] reason"
struct Suppression {
  std::vector<std::string> rules;
  std::string reason;
  bool malformed = false;  // no list of rules in brackets
  bool own_line = false;   // no code before it on its line
  int line = 0;
  int col = 0;
  int target_line = 0;  // of the code that it is about: its own line, or the next line with code
  Span span = {};       // of the comment, up to its end of line
  bool operator==(const Suppression&) const = default;
};

// A call in a class body whose function is reached from the bare name `torch`, by members and further calls,
// one of which is a word of hardware: torch.cuda.synchronize(), torch.rand(2).cuda().
struct TorchCall {
  std::string chain;  // as written without arguments: "torch.cuda.synchronize", "torch.rand().cuda"
  int line = 0;
  int col = 0;
  bool operator==(const TorchCall&) const = default;
};

struct ParseError {
  int line = 0;
  int col = 0;
  std::string message;
  bool operator==(const ParseError&) const = default;
};

// ok: Python would accept the file. decoded: its bytes are text in the encoding that it has. read: there is a
// tree, so that the other facts mean something.
struct ParseOutcome {
  bool ok = true;
  bool read = true;
  std::vector<ParseError> errors;
  bool decoded = true;
  std::vector<std::string> notes = {};  // C++: why it was read without its compile command
  bool operator==(const ParseOutcome&) const = default;
};

struct FileFacts {
  std::string path;  // relative to the tree, with '/'; absolute for a file outside it
  std::string language = "python";
  Origin origin = Origin::none;
  bool test_file = false;  // test_*.py or *_test.py
  ParseOutcome parse;
  std::vector<Import> imports;
  std::vector<Class> classes;       // every class statement, nested and local ones included, in source order
  std::vector<Function> functions;  // module-level functions
  std::vector<Instantiation> instantiations;
  std::vector<Use> uses;
  std::vector<TorchCall> torch_calls;  // by line; [] where no class of the file has a label
  std::vector<DeviceComparison> comparisons;
  std::vector<GoldenText> golden_texts;
  std::vector<DynamicClass> dynamic_classes;
  std::vector<CopiedTests> copied_tests;
  std::vector<DeviceConstant> constants;
  std::vector<Alias> aliases;
  std::vector<Suppression> suppressions;
  std::vector<std::string> owners;  // the labels of "# Owner(s): [...]", as written: "module: nn"
  bool operator==(const FileFacts&) const = default;
};

struct Counts {
  std::size_t files = 0;
  std::size_t test_files = 0;
  std::size_t classes = 0;  // with own test methods
  std::size_t tests = 0;    // their methods named test*
  std::size_t instantiations = 0;
};

Counts count(const std::vector<FileFacts>& files);

// "Class.method", "Class", "<module>.function" or "<module>".
std::string scope_of(const FileFacts& file, const Use& use);
// The calls that instantiate this class.
std::vector<const Instantiation*> instantiations_of(const FileFacts& file, const Class& cls);

// The label that a class without one of its own has from a base in the same file, first base first, as Python
// looks it up (bases that are not in the file are passed over); both nullptr where there is none.
struct InheritedLabel {
  const Label* label = nullptr;
  const Class* from = nullptr;
};
InheritedLabel inherited_label(const FileFacts& file, const Class& cls);
// Fills Class::label_from of every class, in one pass.
void link_inherited_labels(FileFacts& file);

// The words that JSON and text use.
const char* word(Label::Form form);
const char* word(DeviceFilter::State state);
const char* word(Context context);
const char* word(UseKind kind);
const char* word(Role role);
const char* word(Polarity polarity);
const char* word(Tri tri);
const char* word(Origin origin);

}  // namespace hwsift::analyzer
