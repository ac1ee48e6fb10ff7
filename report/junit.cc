#include "report/junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>
#include <vector>

#include "base/text.h"

namespace hwsift::report {
namespace {

using runner::Outcome;
using runner::TestResult;

struct Suite {
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  double seconds = 0;
};

void set(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name).set_value(xml_safe(value).c_str());
}

std::string seconds_text(double seconds) { return fmt::format("{:.3f}", seconds); }

// "test/nn/test_x.py" and "TestAdd" are test.nn.test_x.TestAdd; functions are of the module.
std::string class_name(const TestResult& result) {
  std::string module = junit_module(result.path);
  return result.cls.empty() ? module : module + "." + result.cls;
}

// A test in quarantine fails no run, and so no reader of this file.
const char* element_of(const TestResult& result) {
  if (is_bad(result.outcome) && result.quarantined) return "skipped";
  switch (result.outcome) {
    case Outcome::failed:
      return "failure";
    case Outcome::error:
    case Outcome::crashed:
    case Outcome::timeout:
      return "error";
    case Outcome::skipped:
    case Outcome::xfailed:
      return "skipped";
    default:
      return "";
  }
}

void count_in(Suite& suite, const TestResult& result) {
  std::string_view element = element_of(result);
  suite.failures += element == "failure";
  suite.errors += element == "error";
  suite.skipped += element == "skipped";
  suite.seconds += result.seconds;
}

void set_counts(pugi::xml_node node, const Suite& suite, std::size_t tests) {
  set(node, "tests", std::to_string(tests));
  set(node, "failures", std::to_string(suite.failures));
  set(node, "errors", std::to_string(suite.errors));
  set(node, "skipped", std::to_string(suite.skipped));
  set(node, "time", seconds_text(suite.seconds));
}

void add_property(pugi::xml_node properties, const char* name, std::string_view value) {
  pugi::xml_node property = properties.append_child("property");
  set(property, "name", name);
  set(property, "value", value);
}

// Of an earlier attempt only its number is known, which is too little for an element of its own.
void add_properties(pugi::xml_node test, const TestResult& result) {
  if (!result.flaky() && !result.quarantined) return;
  pugi::xml_node properties = test.append_child("properties");
  if (result.flaky()) add_property(properties, "flaky", "true");
  if (result.flaky()) add_property(properties, "attempts", std::to_string(result.attempts));
  if (result.quarantined) add_property(properties, "quarantined", "true");
}

void add_case(pugi::xml_node suite, const TestResult& result) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", class_name(result));
  set(test, "name", result.name.empty() ? result.path : result.name);
  set(test, "file", result.path);
  set(test, "time", seconds_text(result.seconds));
  add_properties(test, result);
  if (std::string_view element = element_of(result); !element.empty()) {
    pugi::xml_node problem = test.append_child(std::string(element).c_str());
    set(problem, "type", word(result.outcome));
    bool excused = is_bad(result.outcome) && result.quarantined;
    set(problem, "message", excused ? "quarantined: " + result.message : result.message);
    if (!result.details.empty()) problem.text().set(xml_safe(result.details).c_str());
  }
  if (!result.output.empty()) test.append_child("system-out").text().set(xml_safe(result.output).c_str());
}

bool is_forbidden(unsigned char byte) {
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
}

// U+FFFE and U+FFFF, which UTF-8 can hold and XML cannot.
bool is_noncharacter(std::string_view text, std::size_t at) {
  std::string_view bytes = text.substr(at, 3);
  return bytes == "\xEF\xBF\xBE" || bytes == "\xEF\xBF\xBF";
}

}  // namespace

std::string junit_module(std::string path) {
  if (path.ends_with(".py")) path.erase(path.size() - 3);
  std::replace(path.begin(), path.end(), '/', '.');
  return path;
}

std::string xml_safe(std::string_view text) {
  std::string valid = valid_utf8(text);
  std::string safe;
  safe.reserve(valid.size());
  for (std::size_t i = 0; i < valid.size(); ++i) {
    if (is_forbidden(static_cast<unsigned char>(valid[i]))) {
      safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(valid[i]));
    } else if (is_noncharacter(valid, i)) {
      safe += "\xEF\xBF\xBD";
      i += 2;
    } else {
      safe += valid[i];
    }
  }
  return safe;
}

// Results stand by file already.
std::string run_junit(const runner::RunRecord& record) {
  pugi::xml_document document;
  pugi::xml_node suites = document.append_child("testsuites");
  set(suites, "name", "hwsift " + record.device);
  Suite all;
  for (const TestResult& result : record.results) count_in(all, result);
  set_counts(suites, all, record.results.size());
  for (std::size_t start = 0; start < record.results.size();) {
    const std::string& path = record.results[start].path;
    std::size_t end = start;
    Suite counts;
    while (end < record.results.size() && record.results[end].path == path)
      count_in(counts, record.results[end++]);
    pugi::xml_node suite = suites.append_child("testsuite");
    set(suite, "name", path);
    set_counts(suite, counts, end - start);
    set(suite, "timestamp", record.started);
    for (; start < end; ++start) add_case(suite, record.results[start]);
  }
  std::ostringstream text;
  document.save(text, " ", pugi::format_indent, pugi::encoding_utf8);
  return text.str();
}

}  // namespace hwsift::report
