#include "lint/allowlist.h"

#include <gtest/gtest.h>

#include "tests/fake_disk.h"

namespace hwsift::lint {
namespace {

std::string error_of(const std::string& bytes) {
  Result<Allowlist> allowlist = parse_allowlist(bytes, "a.json");
  return allowlist.ok() ? "ok" : allowlist.error().where + ": " + allowlist.error().what;
}

TEST(Allowlist, IsASortedFlatArrayOfPaths) {
  Result<Allowlist> allowlist =
      parse_allowlist("[\"test/test_b.py\", \"test/test_a.py\", \"test/test_b.py\"]", "a.json");
  ASSERT_TRUE(allowlist.ok());
  EXPECT_TRUE(allowlist->allows("test/test_b.py"));
  EXPECT_FALSE(allowlist->allows("test/test_c.py"));
  EXPECT_EQ(to_json_text(*allowlist), "[\n  \"test/test_a.py\",\n  \"test/test_b.py\"\n]\n");
  EXPECT_EQ(to_json_text({}), "[]\n");
}

TEST(Allowlist, NamesThePlaceOfWhatItRefuses) {
  EXPECT_EQ(error_of("[1,"), "a.json:1:4: not valid JSON");
  EXPECT_EQ(error_of(""), "a.json:1:1: not valid JSON");
  EXPECT_EQ(error_of("{\"test/test_a.py\": 1}"), "a.json:1:1: not a JSON array");
  EXPECT_EQ(error_of("[\n  \"test/test_a.py\",\n  3\n]\n"), "a.json:3:3: an entry must be a text");
  EXPECT_EQ(error_of("[\"test/test_a.py\", \"\"]"), "a.json:1:20: an entry is empty");
}

TEST(Allowlist, RefusesPathsThatWouldNeverMatch) {
  EXPECT_EQ(error_of("[\n\"test//test_a.py\"]"), "a.json:2:1: 'test//test_a.py' is not a normal path");
  EXPECT_EQ(error_of("[\"./test/test_a.py\"]"), "a.json:1:2: './test/test_a.py' is not a normal path");
  EXPECT_EQ(error_of("[\"/test/test_a.py\"]"), "a.json:1:2: '/test/test_a.py' is not below the tree");
  EXPECT_EQ(error_of("[\"../test_a.py\"]"), "a.json:1:2: '../test_a.py' is not below the tree");
}

TEST(Allowlist, SaysHowToMakeAMissingOne) {
  FakeDisk disk;
  Result<Allowlist> allowlist = load_allowlist(disk, "/t/none.json");
  ASSERT_FALSE(allowlist.ok());
  EXPECT_EQ(allowlist.error().where, "/t/none.json");
  EXPECT_NE(allowlist.error().hint.find("allowlist init"), std::string::npos);
}

}  // namespace
}  // namespace hwsift::lint
