#include "base/json_writer.h"

#include <gtest/gtest.h>

namespace hwsift {
namespace {

Json sample() {
  return {{"text", "plain"},
          {"escaped", "a \"quoted\" \\ back\nnew\ttab \x01 \x7f / caf\xc3\xa9 bad \xff end"},
          {"nothing", nullptr},
          {"truth", true},
          {"number", -7},
          {"large", std::uint64_t{18446744073709551615U}},
          {"fraction", 0.1},
          {"texts", {"a", "b\n"}},
          {"none", Json::array()},
          {"empty", Json::object()},
          {"nested", {{"list", {1, {{"deep", {{"er", 2}}}}, "x\ny"}}}},
          {"key \"\xff", 1}};
}

std::string written(int indent) {
  std::string text;
  JsonWriter writer(text, indent);
  writer.begin_object();
  writer.member("text", "plain");
  writer.member("escaped",
                std::string("a \"quoted\" \\ back\nnew\ttab \x01 \x7f / caf\xc3\xa9 bad \xff end"));
  writer.member("nothing", nullptr);
  writer.member("truth", true);
  writer.member("number", -7);
  writer.member("large", std::uint64_t{18446744073709551615U});
  writer.member("fraction", 0.1);
  writer.member("texts", std::vector<std::string>{"a", "b\n"});
  writer.member("none", std::vector<std::string>{});
  writer.key("empty");
  writer.begin_object();
  writer.end_object();
  writer.member("nested", sample()["nested"]);
  writer.member("key \"\xff", 1);
  writer.end_object();
  return text;
}

TEST(JsonWriter, writes_what_dump_json_gives_for_the_same_values) {
  for (int indent : {-1, 0, 1, 2, 4}) EXPECT_EQ(written(indent), dump_json(sample(), indent)) << indent;
}

TEST(JsonWriter, writes_lists_of_objects_and_bare_values) {
  std::string text;
  JsonWriter writer(text, 1);
  writer.object([&] {
    writer.list("of", std::vector<int>{0, 1}, [&](int i) { writer.object([&] { writer.member("i", i); }); });
    writer.text_or_null("some", "x");
    writer.text_or_null("none", "");
  });
  Json same = {{"of", {{{"i", 0}}, {{"i", 1}}}}, {"some", "x"}, {"none", nullptr}};
  EXPECT_EQ(text, dump_json(same, 1));
  std::string bare;
  JsonWriter(bare, 1).value("x");
  EXPECT_EQ(bare, "\"x\"");
}

}  // namespace
}  // namespace hwsift
