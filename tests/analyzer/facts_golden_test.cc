// Golden tests of the Python analyzer: tests/fixtures/facts/NAME.py is read, and its facts are compared with
// NAME.facts.
#include <gtest/gtest.h>

#include <cstdlib>

#include "analyzer/python/analyze.h"
#include "base/disk.h"
#include "base/text.h"

namespace hwsift::analyzer {
namespace {

Lexicon lexicon() {
  Lexicon words;
  words.device_types = {"cpu", "cuda", "xpu", "mps", "meta"};
  for (const char* device : {"cpu", "cuda", "xpu"})
    words.members[device] = {UseKind::device_method, {device}};
  words.members["is_cuda"] = {UseKind::device_method, {"cuda"}};
  words.prefixes["torch.cuda"] = {UseKind::api, {"cuda"}};
  words.names["torch.accelerator.synchronize"] = {UseKind::api, {}};
  const std::string internal = "torch.testing._internal.";
  auto name = [&](const std::string& symbol, UseKind kind, const std::vector<std::string>& devices) {
    words.names[symbol] = {kind, devices};
    words.last_words[symbol.substr(symbol.rfind('.') + 1)] = {kind, devices};
  };
  name(internal + "common_utils.TEST_CUDA", UseKind::flag, {"cuda"});
  name(internal + "common_device_type.onlyCUDA", UseKind::decorator, {"cuda"});
  name(internal + "common_device_type.skipCUDAIf", UseKind::decorator, {"cuda"});
  name(internal + "inductor_utils.HAS_GPU", UseKind::flag, {});
  name(internal + "inductor_utils.GPU_TYPE", UseKind::constant, {});
  name(internal + "common_fsdp.FSDPTest", UseKind::base_class, {});
  words.names["torch_npu"] = {UseKind::import, {"npu"}};
  return words;
}

std::string place(int line, int col) { return std::to_string(line) + ":" + std::to_string(col); }

std::string params_text(const std::vector<Parameter>& params) {
  static const char* const marks[] = {"", "/", "=", "*", "**"};
  std::string text;
  for (const Parameter& p : params)
    text += (text.empty() ? "" : ", ") + (marks[static_cast<int>(p.kind)] + p.name);
  return "(" + text + ")";
}

std::string decorators_text(const std::vector<Decorator>& decorators) {
  std::string text;
  for (const Decorator& d : decorators) text += " @" + d.symbol + (d.called ? "()" : "") + "[" + d.text + "]";
  return text;
}

std::string filter_text(const char* name, const DeviceFilter& filter) {
  if (filter.state == DeviceFilter::State::absent) return "";
  std::string text = std::string(" ") + name + "=" + word(filter.state);
  if (filter.state == DeviceFilter::State::literal) text += "[" + join(filter.values, ",") + "]";
  if (filter.single_text) text += " text";
  if (filter.is_set) text += " set";
  if (filter.by_position) text += " positional";
  if (filter.from_constant) text += " constant";
  return text;
}

std::string use_text(const FileFacts& file, const Use& use) {
  std::string text = "use " + place(use.line, use.col) + " " + word(use.kind) + " " + use.symbol + " [" +
                     join(use.devices, ",") + "] " + word(use.role);
  if (use.polarity != Polarity::none) text += std::string(" ") + word(use.polarity);
  if (!use.callee.empty()) text += " of " + use.callee;
  if (use.optional) text += " optional";
  if (use.in_device_branch) text += " in-device-branch";
  if (use.has_alternative) text += " has-alternative";
  if (use.faked) text += " faked";
  if (!use.target.empty()) text += " to " + use.target;
  return text + " in " + scope_of(file, use) + "\n";
}

std::string reads_text(const std::vector<std::string>& of_self, const std::vector<std::string>& names) {
  std::string text;
  if (!of_self.empty()) text += " self[" + join(of_self, ",") + "]";
  if (!names.empty()) text += " reads[" + join(names, ",") + "]";
  return text;
}

std::string method_marks(const Method& m) {
  std::string text;
  if (m.reads_device) text += " reads-device";
  if (m.is_stub) text += " stub";
  return text + reads_text(m.self_reads, m.names_read);
}

std::string class_text(const Class& cls) {
  std::string text = "class " + cls.qualified_name + " " + place(cls.line, cls.col) + "-" +
                     std::to_string(cls.end_line) + " " + word(cls.context);
  for (const Base& base : cls.bases) text += " <" + (base.symbol.empty() ? "?" + base.text : base.symbol);
  text += decorators_text(cls.decorators) + reads_text({}, cls.names_read) + "\n";
  for (const Label& label : cls.labels)
    text += "  label " + place(label.line, label.col) + " " + word(label.form) + " '" + label.value + "'" +
            (label.conditional ? " conditional" : "") + (label.outside ? " outside" : "") + "\n";
  for (const Method& m : cls.methods)
    text += "  def " + m.name + params_text(m.params) + " " + place(m.line, m.col) + "-" +
            std::to_string(m.end_line) + (m.async ? " async" : "") + (m.conditional ? " conditional" : "") +
            decorators_text(m.decorators) + method_marks(m) + "\n";
  for (const AssignedTest& test : cls.assigned_tests)
    text += "  assigned " + test.name + (test.is_value ? " value" : "") + "\n";
  return text;
}

std::string call_text(const Instantiation& call) {
  static const char* const callees[] = {"bare", "attribute", "alias"};
  static const char* const flags[] = {"", "=yes", "=unknown"};
  std::string text = "instantiate " + place(call.line, call.col) + " " + call.class_name + "(" +
                     call.first_argument + ") " + callees[static_cast<int>(call.callee)] + " " +
                     word(call.context);
  if (!call.is_statement) text += " nested";
  if (call.template_by_keyword) text += " keyword";
  if (call.from_loop) text += " loop";
  text += filter_text("only_for", call.only_for) + filter_text("except_for", call.except_for);
  if (call.allow_mps != Tri::no) text += std::string(" allow_mps") + flags[static_cast<int>(call.allow_mps)];
  if (call.allow_xpu != Tri::no) text += std::string(" allow_xpu") + flags[static_cast<int>(call.allow_xpu)];
  if (call.include_lazy != Tri::no)
    text += std::string(" include_lazy") + flags[static_cast<int>(call.include_lazy)];
  return text + "\n";
}

std::string scope_text(const FileFacts& file, int class_index, int method_index) {
  const Class& cls = file.classes[static_cast<std::size_t>(class_index)];
  return " in " + cls.name + "." + cls.methods[static_cast<std::size_t>(method_index)].name + "\n";
}

std::string comparison_text(const FileFacts& file, const DeviceComparison& c) {
  std::string other = (c.against == DeviceComparison::Against::texts ? "" : "device ") + join(c.values, ",");
  if (!c.one_text) other = "(" + other + ")";
  return "compare " + place(c.line, c.col) + " " +
         (c.device_is_left ? c.left + " " + c.op + " " + other : other + " " + c.op + " " + c.left) +
         scope_text(file, c.class_index, c.method_index);
}

std::string suppression_text(const Suppression& s) {
  return "ignore " + place(s.line, s.col) + " of line " + std::to_string(s.target_line) + " [" +
         join(s.rules, ",") + "] '" + s.reason + "'" + (s.malformed ? " malformed" : "") +
         (s.own_line ? " own-line" : "") + "\n";
}

std::string other_facts_text(const FileFacts& file) {
  std::string text;
  for (const DeviceComparison& c : file.comparisons) text += comparison_text(file, c);
  for (const GoldenText& g : file.golden_texts)
    text += "golden " + place(g.line, g.col) + " " + g.device + " of " + g.callee +
            (g.in_device_branch ? " in-device-branch" : "") + scope_text(file, g.class_index, g.method_index);
  for (const DynamicClass& c : file.dynamic_classes)
    text += "dynamic " + place(c.line, c.col) + " '" + c.name + "' <" + join(c.bases, ",") +
            (c.labelled ? " labelled" : "") + "\n";
  for (const CopiedTests& c : file.copied_tests)
    text += "copied " + std::to_string(c.line) + " " + c.from + " to " + c.to + "\n";
  for (const DeviceConstant& c : file.constants)
    text += "constant " + c.name + filter_text("is", c.value) + "\n";
  for (const Suppression& s : file.suppressions) text += suppression_text(s);
  for (const std::string& owner : file.owners) text += "owner " + owner + "\n";
  return text;
}

std::string facts_text(const FileFacts& file) {
  std::string text;
  for (const ParseError& error : file.parse.errors) text += "error " + place(error.line, error.col) + "\n";
  for (const Class& cls : file.classes) text += class_text(cls);
  for (const Function& f : file.functions)
    text += "function " + f.name + params_text(f.params) + " " + place(f.line, f.col) +
            (f.async ? " async" : "") + (f.referenced ? " referenced" : "") + decorators_text(f.decorators) +
            reads_text(f.self_reads, f.names_read) + "\n";
  for (const Instantiation& call : file.instantiations) text += call_text(call);
  for (const Use& use : file.uses) text += use_text(file, use);
  return text + other_facts_text(file);
}

std::vector<std::string> fixtures() {
  std::vector<std::string> names;
  for (const std::string& name : real_disk().list(HWSIFT_FIXTURES "/facts").value())
    if (name.size() > 3 && name.substr(name.size() - 3) == ".py")
      names.push_back(name.substr(0, name.size() - 3));
  return names;
}

class FactsGolden : public testing::TestWithParam<std::string> {};

TEST_P(FactsGolden, AreAsRecorded) {
  std::string stem = HWSIFT_FIXTURES "/facts/" + GetParam();
  std::string source = real_disk().read(stem + ".py", 1 << 20).value();
  std::string found = facts_text(analyze_python("test/test_x.py", source, lexicon()));
  if (std::getenv("HWSIFT_UPDATE_GOLDENS") != nullptr) {
    ASSERT_TRUE(real_disk().write(stem + ".facts", found).ok());
  }
  Result<std::string> recorded = real_disk().read(stem + ".facts", 1 << 20);
  ASSERT_TRUE(recorded.ok()) << "no golden file; run with HWSIFT_UPDATE_GOLDENS=1 and read the diff";
  EXPECT_EQ(found, *recorded);
}

INSTANTIATE_TEST_SUITE_P(Python, FactsGolden, testing::ValuesIn(fixtures()),
                         [](const testing::TestParamInfo<std::string>& fixture) { return fixture.param; });

TEST(FactsGoldens, AreThere) { EXPECT_GE(fixtures().size(), 6u); }

}  // namespace
}  // namespace hwsift::analyzer
