#include "report/junit.h"

#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "base/text.h"

namespace hwsift::report {
namespace {

using runner::Outcome;

runner::TestResult result(const std::string& path, const std::string& cls, const std::string& name,
                          Outcome outcome, const std::string& message = "") {
  runner::TestResult one;
  one.path = path;
  one.cls = cls;
  one.name = name;
  one.id = path + (cls.empty() ? "" : "::" + cls) + "::" + name;
  one.outcome = outcome;
  one.message = message;
  one.seconds = 0.25;
  return one;
}

runner::RunRecord sample() {
  runner::RunRecord record;
  record.device = "cpu";
  record.results = {result("test/nn/test_a.py", "TestA", "test_one", Outcome::passed),
                    result("test/nn/test_a.py", "TestA", "test_two", Outcome::failed, "1 != 2"),
                    result("test/test_b.py", "", "test_function[x::y]", Outcome::crashed, "SIGSEGV"),
                    result("test/test_b.py", "TestB", "test_skip", Outcome::skipped, "a <reason> & \"more\""),
                    result("test/test_b.py", "TestB", "test_x", Outcome::xpassed)};
  return record;
}

TEST(Junit, OneSuiteAFileAndOneCaseAResult) {
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_string(run_junit(sample()).c_str()));
  pugi::xml_node suites = xml.child("testsuites");
  EXPECT_EQ(suites.attribute("tests").as_int(), 5);
  EXPECT_EQ(suites.attribute("failures").as_int(), 1);
  EXPECT_EQ(suites.attribute("errors").as_int(), 1);
  EXPECT_EQ(suites.attribute("skipped").as_int(), 1);
  pugi::xml_node first = suites.child("testsuite");
  EXPECT_STREQ(first.attribute("name").value(), "test/nn/test_a.py");
  EXPECT_STREQ(first.attribute("time").value(), "0.500");
  pugi::xml_node one = first.child("testcase");
  EXPECT_STREQ(one.attribute("classname").value(), "test.nn.test_a.TestA");
  EXPECT_STREQ(one.attribute("file").value(), "test/nn/test_a.py");
  EXPECT_FALSE(one.first_child());
  EXPECT_STREQ(one.next_sibling().child("failure").attribute("message").value(), "1 != 2");
  pugi::xml_node function = first.next_sibling().child("testcase");
  EXPECT_STREQ(function.attribute("classname").value(), "test.test_b");
  EXPECT_STREQ(function.attribute("name").value(), "test_function[x::y]");
  EXPECT_STREQ(function.child("error").attribute("type").value(), "crashed");
  EXPECT_STREQ(function.next_sibling().child("skipped").attribute("message").value(),
               "a <reason> & \"more\"");
}

TEST(Junit, NoTextCanBreakIt) {
  runner::RunRecord record = sample();
  std::string nasty = "bell \x07 null ";
  nasty += '\0';
  nasty += " esc \x1b[31m ]]> bad \xff\xfe surrogate \xed\xa0\x80 non \xef\xbf\xbf";
  for (runner::TestResult& one : record.results) one.name = one.message = one.details = one.output = nasty;
  std::string text = run_junit(record);
  EXPECT_FALSE(invalid_utf8_at(text).has_value());
  for (char c : text) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') << int(c);
  EXPECT_EQ(text.find("&#"), std::string::npos) << "no reference to a forbidden character";
  EXPECT_EQ(text.find("\xef\xbf\xbf"), std::string::npos);
  pugi::xml_document xml;
  EXPECT_TRUE(xml.load_string(text.c_str()));
}

TEST(Junit, XmlSafeKeepsWhatXmlAllows) { EXPECT_EQ(xml_safe("a\tb\nc é 漢 \x07"), "a\tb\nc é 漢 \\x07"); }

}  // namespace
}  // namespace hwsift::report
