#include "base/yaml.h"

#include <gtest/gtest.h>

namespace hwsift {
namespace {

TEST(Yaml, KeepsPlacesAndOrder) {
  Result<Yaml> root = parse_yaml("b: 1\na:\n  - x\n  - 'y'\n", "f.yaml");
  ASSERT_TRUE(root.ok());
  EXPECT_EQ(root->entries[0].key, "b");
  EXPECT_EQ(root->entries[1].value.items[1].place(), "f.yaml:4");
  EXPECT_TRUE(root->entries[1].value.items[1].quoted);
}

TEST(Yaml, BrokenTextNamesTheLine) {
  Result<Yaml> root = parse_yaml("a: 1\nb: [1,\n", "f.yaml");
  ASSERT_FALSE(root.ok());
  EXPECT_EQ(root.error().where.substr(0, 7), "f.yaml:");
}

TEST(Yaml, RefusesWhatCanGrowOrHide) {
  EXPECT_FALSE(parse_yaml("a: &x 1\nb: *x\n", "f").ok());
  EXPECT_FALSE(parse_yaml("a: 1\na: 2\n", "f").ok());
  EXPECT_FALSE(parse_yaml("a: 1\n---\nb: 2\n", "f").ok());
  EXPECT_FALSE(parse_yaml("a: \xff\n", "f").ok());
}

TEST(Yaml, DeepNestingIsAnErrorNotACrash) {
  Result<Yaml> root = parse_yaml(std::string(200000, '['), "f");
  EXPECT_FALSE(root.ok());
}

TEST(YamlMap, AnUnknownKeyIsAnErrorWithItsLineAndASuggestion) {
  Result<Yaml> root = parse_yaml("name: a\nsevirity: error\n", "f.yaml");
  ASSERT_TRUE(root.ok());
  std::vector<Error> errors;
  YamlMap map(*root, errors);
  EXPECT_EQ(map.text("name"), "a");
  EXPECT_EQ(map.text_or("severity", "warning"), "warning");
  map.finish();
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(to_string(errors[0]), "f.yaml:2: unknown key 'sevirity' (did you mean 'severity'?)");
}

TEST(YamlMap, WrongKindsAreErrors) {
  Result<Yaml> root = parse_yaml("a: [1]\nb: maybe\nc: 12x\nd: {e: 1}\n", "f");
  ASSERT_TRUE(root.ok());
  std::vector<Error> errors;
  YamlMap map(*root, errors);
  map.text("a");
  map.flag_or("b", false);
  map.number_or("c", 0, 0, 100);
  map.texts("d");
  map.text("gone");
  map.finish();
  EXPECT_EQ(errors.size(), 5u);
}

}  // namespace
}  // namespace hwsift
