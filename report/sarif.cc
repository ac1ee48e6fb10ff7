// SARIF 2.1.0 (an OASIS standard), as code scanning and editors read it.
#include <fmt/format.h>

#include <map>

#include "base/json.h"
#include "base/text.h"
#include "report/findings.h"
#include "report/rules.h"

namespace hwsift::report {
namespace {

using lint::Edit;
using lint::Finding;
using lint::RuleDocument;
using lint::Safety;
using lint::Severity;

// Code scanning takes no log without it. The standard's name for its schema; nothing is fetched from there.
constexpr char kSchema[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr char kRoot[] = "SRCROOT";

const char* level(Severity severity) { return severity == Severity::advice ? "note" : word(severity); }

bool stands_in_uri(unsigned char c) {
  bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || is_ascii_digit(static_cast<char>(c)) ||
         std::string_view("-._~/").find(static_cast<char>(c)) != std::string_view::npos;
}

// Byte by byte, so that a name that is no text is still a URI.
std::string uri_path(const std::string& path) {
  std::string uri;
  for (char c : path) {
    auto byte = static_cast<unsigned char>(c);
    uri += stands_in_uri(byte) ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

// A file outside the tree has an absolute path.
Json artifact(const std::string& path) {
  if (path.starts_with('/')) return {{"uri", "file://" + uri_path(path)}};
  return {{"uri", uri_path(path)}, {"uriBaseId", kRoot}};
}

Json text_object(const std::string& text) { return {{"text", text}}; }

Json region(const Finding& finding) {
  Json region = {{"startLine", finding.line}};
  if (finding.col > 0) region["startColumn"] = finding.col;
  if (finding.end_line >= finding.line) region["endLine"] = finding.end_line;
  if (finding.end_line >= finding.line && finding.end_col > 0) region["endColumn"] = finding.end_col;
  return region;
}

Json location(const Finding& finding) {
  Json physical = {{"artifactLocation", artifact(finding.path)}};
  if (finding.line > 0) physical["region"] = region(finding);
  Json location = {{"physicalLocation", std::move(physical)}};
  if (finding.cls.empty()) return location;
  Json logical = {{"fullyQualifiedName", finding.cls}, {"kind", "type"}};
  if (!finding.method.empty())
    logical = {{"fullyQualifiedName", finding.cls + "." + finding.method}, {"kind", "member"}};
  location["logicalLocations"] = Json::array({std::move(logical)});
  return location;
}

Json replacement(const Edit& edit) {
  Json json = {{"deletedRegion", {{"byteOffset", edit.begin}, {"byteLength", edit.end - edit.begin}}}};
  if (!edit.text.empty()) json["insertedContent"] = text_object(edit.text);
  return json;
}

const char* description(Safety safety) {
  return safety == Safety::safe ? "Leaves as it is what the tests do and which of them run."
                                : "A person must look at the result.";
}

Json fix(const Finding& finding) {
  Json replacements = Json::array();
  for (const Edit& edit : finding.fix->edits) replacements.push_back(replacement(edit));
  return {{"description", text_object(description(finding.fix->safety))},
          {"artifactChanges", Json::array({{{"artifactLocation", artifact(finding.path)},
                                            {"replacements", std::move(replacements)}}})}};
}

// JSON cannot carry text that is no UTF-8.
bool has_fix(const Finding& finding) {
  if (!finding.fix || finding.fix->edits.empty()) return false;
  for (const Edit& edit : finding.fix->edits)
    if (invalid_utf8_at(edit.text)) return false;
  return true;
}

// What stays the same when lines move: rule, file, class and method, and for several of these their number.
std::string identity(const Finding& finding) {
  return fmt::format("{}:{}:{}:{}", finding.rule, finding.path, finding.cls, finding.method);
}

class Results {
 public:
  explicit Results(const std::map<std::string, std::size_t>& rule_indexes) : rule_indexes_(rule_indexes) {}

  Json result(const Finding& finding) {
    std::string same = identity(finding);
    Json json = {{"ruleId", finding.rule},
                 {"ruleIndex", rule_indexes_.at(finding.rule)},
                 {"level", level(finding.severity)},
                 {"message", text_object(full_message(finding))},
                 {"locations", Json::array({location(finding)})},
                 {"partialFingerprints", {{"scope/v1", fmt::format("{}:{}", same, ++seen_[same])}}}};
    if (has_fix(finding)) json["fixes"] = Json::array({fix(finding)});
    return json;
  }

 private:
  const std::map<std::string, std::size_t>& rule_indexes_;
  std::map<std::string, std::size_t> seen_;
};

// The page of the manual without the comment that says where it comes from.
std::string page(const lint::LintRules& rules, const RuleDocument& document) {
  std::string text = rule_markdown(rules, document);
  return text.starts_with("<!--") ? text.substr(text.find('\n') + 1) : text;
}

Json rule(const std::string& id, Severity severity, const lint::LintRules& rules) {
  Json json = {{"id", id}, {"defaultConfiguration", {{"level", level(severity)}}}};
  const RuleDocument* document = rules.document(id);
  if (document == nullptr) return json;
  json["shortDescription"] = text_object(document->summary);
  json["fullDescription"] = text_object(std::string(trim(document->why)));
  json["help"] = {{"text", rule_text(rules, *document, Style{})}, {"markdown", page(rules, *document)}};
  return json;
}

}  // namespace

std::string findings_sarif(const LintReport& report, const lint::LintRules& rules,
                           const std::map<std::string, lint::Severity>& in_force,
                           const std::string& version) {
  std::map<std::string, Severity> severities = in_force;
  for (const Finding& finding : report.findings) severities.emplace(finding.rule, finding.severity);
  Json listed = Json::array();
  std::map<std::string, std::size_t> indexes;
  for (const auto& [id, severity] : severities) {
    indexes.emplace(id, listed.size());
    listed.push_back(rule(id, severity, rules));
  }
  Results printer(indexes);
  Json results = Json::array();
  for (const Finding& finding : report.findings) results.push_back(printer.result(finding));
  Json driver = {{"name", "hwsift"}, {"version", version}, {"rules", std::move(listed)}};
  Json root = {{"description", text_object("The tree: the folder that holds test/.")}};
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"originalUriBaseIds", {{kRoot, std::move(root)}}},
              {"columnKind", "unicodeCodePoints"},
              {"results", std::move(results)},
              {"properties",
               {{"profile", report.profile}, {"files", report.files}, {"allowlisted", report.allowlisted}}}};
  return dump_json({{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}}, 1) +
         "\n";
}

}  // namespace hwsift::report
