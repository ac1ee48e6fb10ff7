#include "report/facts.h"

#include <fmt/format.h>

#include "base/json.h"

namespace hwsift::report {
namespace {

using analyzer::FileFacts;

Json decorators_json(const std::vector<analyzer::Decorator>& decorators) {
  Json list = Json::array();
  for (const analyzer::Decorator& d : decorators)
    list.push_back({{"name", d.name}, {"symbol", d.symbol}, {"text", d.text}, {"line", d.line}});
  return list;
}

std::string stars(const analyzer::Parameter& parameter) {
  if (parameter.kind == analyzer::Parameter::Kind::var_positional) return "*";
  return parameter.kind == analyzer::Parameter::Kind::var_keyword ? "**" : "";
}

Json params_json(const std::vector<analyzer::Parameter>& params) {
  Json list = Json::array();
  for (const analyzer::Parameter& parameter : params) list.push_back(stars(parameter) + parameter.name);
  return list;
}

Json method_json(const analyzer::Method& method) {
  return {{"name", method.name},
          {"line", method.line},
          {"end_line", method.end_line},
          {"params", params_json(method.params)},
          {"decorators", decorators_json(method.decorators)},
          {"async", method.async},
          {"conditional", method.conditional}};
}

// A C++ test: what of its names and its place Python tests have not.
Json test_json(const analyzer::Method& test) {
  Json conditions = Json::array();
  for (const analyzer::BuildCondition& one : test.conditions)
    conditions.push_back({{"text", one.text}, {"negated", one.negated}, {"line", one.line}});
  return {{"name", test.name},
          {"line", test.line},
          {"end_line", test.end_line},
          {"conditions", conditions},
          {"instances", test.instance_names},
          {"expands", test.expands}};
}

Json filter_json(const analyzer::DeviceFilter& filter) {
  return {{"state", word(filter.state)}, {"values", filter.values}, {"text", filter.text}};
}

Json instantiation_json(const analyzer::Instantiation& call) {
  static const char* const callees[] = {"bare", "attribute", "alias"};
  return {{"class", call.class_name},
          {"line", call.line},
          {"form", callees[static_cast<int>(call.callee)]},
          {"context", word(call.context)},
          {"only_for", filter_json(call.only_for)},
          {"except_for", filter_json(call.except_for)},
          {"allow_mps", word(call.allow_mps)},
          {"allow_xpu", word(call.allow_xpu)},
          {"include_lazy", word(call.include_lazy)}};
}

Json declared_json(const analyzer::Class& cls) {
  const analyzer::Label* label = cls.label();
  if (label == nullptr) return {{"value", nullptr}, {"form", "absent"}, {"line", nullptr}};
  Json value = label->value.empty() ? Json() : Json(label->value);
  return {{"value", value}, {"form", word(label->form)}, {"line", label->line}};
}

// The label that the class has from a base of the same file, as Python would look it up; null where there is
// none.
Json inherits_json(const FileFacts& file, const analyzer::Class& cls) {
  const analyzer::InheritedLabel found = analyzer::inherited_label(file, cls);
  if (found.label == nullptr) return nullptr;
  return {{"value", found.label->value}, {"from", found.from->name}, {"line", found.label->line}};
}

Json bases_json(const analyzer::Class& cls) {
  Json bases = Json::array();
  for (const analyzer::Base& base : cls.bases) bases.push_back(base.text);
  return bases;
}

Json suite_json(const analyzer::Class& suite) {
  Json tests = Json::array();
  for (const analyzer::Method& test : suite.methods) tests.push_back(test_json(test));
  return {{"name", suite.name},
          {"line", suite.line},
          {"end_line", suite.end_line},
          {"bases", bases_json(suite)},
          {"methods", std::move(tests)}};
}

Json class_json(const FileFacts& file, const analyzer::Class& cls) {
  if (file.language == "cpp") return suite_json(cls);
  Json methods = Json::array();
  for (const analyzer::Method& method : cls.methods) methods.push_back(method_json(method));
  Json calls = Json::array();
  for (const analyzer::Instantiation* call : instantiations_of(file, cls))
    calls.push_back(instantiation_json(*call));
  Json assigned = Json::array();
  for (const analyzer::AssignedTest& test : cls.assigned_tests) assigned.push_back(test.name);
  return {{"name", cls.name},
          {"qualified_name", cls.qualified_name},
          {"line", cls.line},
          {"end_line", cls.end_line},
          {"context", word(cls.context)},
          {"bases", bases_json(cls)},
          {"decorators", decorators_json(cls.decorators)},
          {"declared", declared_json(cls)},
          {"inherits", inherits_json(file, cls)},
          {"methods", methods},
          {"assigned_tests", assigned},
          {"instantiations", calls}};
}

Json function_json(const analyzer::Function& function) {
  return {{"name", function.name},
          {"line", function.line},
          {"params", params_json(function.params)},
          {"decorators", decorators_json(function.decorators)},
          {"async", function.async}};
}

Json use_json(const FileFacts& file, const analyzer::Use& use) {
  Json json = {{"kind", word(use.kind)},
               {"symbol", use.symbol},
               {"devices", use.devices},
               {"scope", scope_of(file, use)},
               {"line", use.line},
               {"col", use.col},
               {"polarity", word(use.polarity)},
               {"role", word(use.role)},
               {"callee", use.callee},
               {"optional", use.optional},
               {"in_device_branch", use.in_device_branch}};
  if (file.origin != analyzer::Origin::none) json["origin"] = word(use.origin);
  return json;
}

std::string method_scope(const FileFacts& file, int class_index, int method_index) {
  const analyzer::Class& cls = file.classes[static_cast<std::size_t>(class_index)];
  return cls.name + "." + cls.methods[static_cast<std::size_t>(method_index)].name;
}

Json comparisons_json(const FileFacts& file) {
  Json list = Json::array();
  for (const analyzer::DeviceComparison& c : file.comparisons)
    list.push_back(
        {{"device", c.left},
         {"op", c.op},
         {"device_is_left", c.device_is_left},
         {"against", c.against == analyzer::DeviceComparison::Against::texts ? "text" : "torch.device"},
         {"values", c.values},
         {"scope", method_scope(file, c.class_index, c.method_index)},
         {"line", c.line},
         {"col", c.col}});
  return list;
}

Json golden_texts_json(const FileFacts& file) {
  Json list = Json::array();
  for (const analyzer::GoldenText& g : file.golden_texts)
    list.push_back({{"device", g.device},
                    {"callee", g.callee},
                    {"scope", method_scope(file, g.class_index, g.method_index)},
                    {"line", g.line},
                    {"col", g.col}});
  return list;
}

Json dynamic_classes_json(const FileFacts& file) {
  Json list = Json::array();
  for (const analyzer::DynamicClass& c : file.dynamic_classes)
    list.push_back({{"name", c.name.empty() ? Json() : Json(c.name)},
                    {"text", c.text},
                    {"bases", c.bases},
                    {"opaque", c.opaque},
                    {"line", c.line},
                    {"col", c.col}});
  return list;
}

Json suppressions_json(const FileFacts& file) {
  Json list = Json::array();
  for (const analyzer::Suppression& s : file.suppressions)
    list.push_back({{"rules", s.rules}, {"reason", s.reason}, {"line", s.line}, {"of_line", s.target_line}});
  return list;
}

Json parse_json_of(const analyzer::ParseOutcome& parse) {
  Json errors = Json::array();
  for (const analyzer::ParseError& error : parse.errors)
    errors.push_back({{"line", error.line}, {"col", error.col}, {"message", error.message}});
  Json json = {{"ok", parse.ok}, {"errors", errors}};
  if (!parse.notes.empty()) json["notes"] = parse.notes;
  return json;
}

Json file_json(const FileFacts& file) {
  Json classes = Json::array();
  for (const analyzer::Class& cls : file.classes) classes.push_back(class_json(file, cls));
  Json functions = Json::array();
  for (const analyzer::Function& function : file.functions) functions.push_back(function_json(function));
  Json calls = Json::array();
  for (const analyzer::Instantiation& call : file.instantiations) calls.push_back(instantiation_json(call));
  Json uses = Json::array();
  for (const analyzer::Use& use : file.uses) uses.push_back(use_json(file, use));
  Json json = {{"path", file.path},
               {"language", file.language},
               {"test_file", file.test_file},
               {"parse", parse_json_of(file.parse)},
               {"classes", classes},
               {"functions", functions},
               {"instantiations", calls},
               {"uses", uses},
               {"comparisons", comparisons_json(file)},
               {"golden_texts", golden_texts_json(file)},
               {"dynamic_classes", dynamic_classes_json(file)},
               {"suppressions", suppressions_json(file)},
               {"owners", file.owners}};
  if (file.origin != analyzer::Origin::none) json["origin"] = word(file.origin);
  return json;
}

Json counts_json(const analyzer::Counts& counts) {
  return {{"files", counts.files},
          {"test_files", counts.test_files},
          {"classes", counts.classes},
          {"tests", counts.tests},
          {"instantiations", counts.instantiations}};
}

}  // namespace

// Written file by file: the document of a whole tree is large, and its tree of values would be many times
// larger.
std::string facts_json(const std::vector<FileFacts>& files) {
  std::string text =
      "{\"schema\": \"hwsift.facts/1\",\n\"counts\": " + dump_json(counts_json(count(files)), -1);
  text += ",\n\"files\": [";
  for (std::size_t i = 0; i < files.size(); ++i)
    text += (i > 0 ? ",\n" : "\n") + dump_json(file_json(files[i]), -1);
  return text + "\n]}\n";
}

std::string facts_text(const std::vector<FileFacts>& files, const Style& style) {
  analyzer::Counts counts = count(files);
  std::string text = style.bold("Facts") + "\n";
  auto row = [&](const char* name, std::size_t n) { text += fmt::format("  {:<22}{:>9}\n", name, n); };
  row("files", counts.files);
  row("test files", counts.test_files);
  row("test classes", counts.classes);
  row("tests", counts.tests);
  row("instantiation calls", counts.instantiations);
  std::size_t uses = 0;
  std::size_t broken = 0;
  for (const FileFacts& file : files) uses += file.uses.size(), broken += file.parse.ok ? 0 : 1;
  row("hardware uses", uses);
  row("files with errors", broken);
  for (const FileFacts& file : files)
    for (const analyzer::ParseError& error : file.parse.errors)
      text += fmt::format("  {}:{}:{}: {}\n", file.path, error.line, error.col, style.red(error.message));
  return text + "Next: " + style.cyan("hwsift classify") + " says what each class needs; " +
         style.cyan("-o json") + " gives every fact.\n";
}

}  // namespace hwsift::report
