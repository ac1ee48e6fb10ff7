#include "analyzer/facts_codec.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "analyzer/python/analyze.h"
#include "classifier/vocabulary.h"

namespace hwsift::analyzer {
namespace {

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

FileFacts facts_of(const std::string& bytes) {
  return analyze_python("", bytes, classifier::builtin_vocabulary().lexicon());
}

FileFacts facts_of_fixture(const std::string& name) {
  return facts_of(bytes_of(std::filesystem::path(HWSIFT_FIXTURES) / name));
}

// Every member has a value that it does not begin with.
Method cxx_method() {
  Method method;
  method.name = "Add/0";
  method.line = method.col = method.end_line = 1 << 30;
  method.is_test = method.async = method.conditional = method.reads_device = method.is_stub = method.expands =
      true;
  method.params = {{"device", Parameter::Kind::var_keyword, true}};
  method.decorators = {{"a.b", "c.b", "a.b(1)", true, 3, 4, {5, 60000}}};
  method.param_list = {4000000000U, 4294967295U};
  method.self_reads = {"a", "b"};
  method.names_read = {"c"};
  method.conditions = {{"USE_CUDA", true, 7}};
  method.instance_names = {"Suite/0.Add", std::string("\0\xff", 2)};
  return method;
}

FileFacts cxx_facts() {
  FileFacts facts;
  facts.language = "cpp";
  facts.origin = Origin::full;
  facts.parse = {false, false, {{1, 2, "bad"}}, false, {"read without headers: none"}};
  Class cls;
  cls.name = cls.qualified_name = "Suite";
  cls.context = Context::class_;
  cls.methods = {cxx_method()};
  cls.labels = {{Label::Form::unknown, "X", "y", 1, 2, true, true, {1, 2}}};
  cls.assigned_tests = {{"test_x", true, 3, 4}};
  facts.classes = {cls, cls};
  facts.classes[1].label_from = 0;
  Use use;
  use.origin = Origin::fast;
  use.class_index = 1;
  use.method_index = 0;
  use.line = -1;
  facts.uses = {use};
  facts.golden_texts = {{"cuda", "check", 1, 2, true, 0, -1}};
  facts.copied_tests = {{"A", "B", 9}};
  facts.suppressions = {{{"rule"}, "why", true, true, 1, 2, 3, {4, 5}}};
  return facts;
}

TEST(FactsCodec, BringsEveryFixtureBack) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(HWSIFT_FIXTURES)) {
    if (entry.path().extension() != ".py") continue;
    ++files;
    FileFacts facts = facts_of(bytes_of(entry.path()));
    facts.test_file = false;  // where it stands is not for the bytes to say
    std::optional<FileFacts> back = decode_facts(encode_facts(facts));
    ASSERT_TRUE(back) << entry.path();
    EXPECT_TRUE(*back == facts) << entry.path();
  }
  EXPECT_GT(files, 100U);
}

TEST(FactsCodec, BringsWhatOnlyCxxHasBack) {
  std::optional<FileFacts> back = decode_facts(encode_facts(cxx_facts()));
  ASSERT_TRUE(back);
  EXPECT_TRUE(*back == cxx_facts());
}

TEST(FactsCodec, LeavesOutWhereTheContentStands) {
  FileFacts facts = facts_of_fixture("facts/uses.py");
  std::string bytes = encode_facts(facts);
  facts.path = "test/test_elsewhere.py";
  facts.test_file = true;
  EXPECT_EQ(encode_facts(facts), bytes);
}

TEST(FactsCodec, WritesEachTextOnce) {
  FileFacts facts;
  facts.owners.assign(100, std::string(1000, 'x'));
  EXPECT_LT(encode_facts(facts).size(), 1200U);
}

TEST(FactsCodec, RefusesBytesThatEndEarlyOrLate) {
  std::string bytes = encode_facts(facts_of_fixture("facts/classes.py"));
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(decode_facts(std::string_view(bytes).substr(0, length))) << length;
  EXPECT_FALSE(decode_facts(bytes + '\0'));
}

TEST(FactsCodec, RefusesAnotherFormat) {
  std::string bytes = encode_facts(FileFacts());
  ASSERT_TRUE(decode_facts(bytes));
  ++bytes[0];
  EXPECT_FALSE(decode_facts(bytes));
}

// Some changed bytes are facts too, other ones; they must be ones that can be worked with.
TEST(FactsCodec, TakesNoDamagedBytesForMoreThanTheyAre) {
  for (const FileFacts& facts : {facts_of_fixture("facts/labels.py"), cxx_facts()}) {
    std::string bytes = encode_facts(facts);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      for (int flip : {0x01, 0x10, 0x80, 0xff}) {
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ flip);
        std::optional<FileFacts> read = decode_facts(damaged);
        if (!read) continue;
        for (const Use& use : read->uses) scope_of(*read, use);
        EXPECT_TRUE(decode_facts(encode_facts(*read)) == read);
      }
    }
  }
}

TEST(FactsCodec, RefusesPlacesOutsideTheirLists) {
  auto refused = [](const std::function<void(FileFacts&)>& change) {
    FileFacts facts = cxx_facts();
    change(facts);
    return !decode_facts(encode_facts(facts));
  };
  EXPECT_FALSE(refused([](FileFacts&) {}));
  EXPECT_TRUE(refused([](FileFacts& facts) { facts.uses[0].class_index = 2; }));
  EXPECT_TRUE(refused([](FileFacts& facts) { facts.uses[0].class_index = -2; }));
  EXPECT_TRUE(refused([](FileFacts& facts) { facts.uses[0].method_index = 1; }));
  EXPECT_TRUE(refused([](FileFacts& facts) { facts.uses[0].class_index = -1; }));
  EXPECT_TRUE(refused([](FileFacts& facts) { facts.uses[0].function_index = 0; }));
  EXPECT_TRUE(refused([](FileFacts& facts) { facts.golden_texts[0].class_index = 9; }));
  EXPECT_TRUE(refused([](FileFacts& facts) { facts.classes[0].label_from = 2; }));
  EXPECT_TRUE(refused([](FileFacts& facts) { facts.classes[0].labels.clear(); }));
  EXPECT_TRUE(refused([](FileFacts& facts) { facts.uses[0].span = {9, 8}; }));
  EXPECT_TRUE(refused([](FileFacts& facts) { facts.uses[0].role = static_cast<Role>(99); }));
}

TEST(FactsCodec, TakesNoMemoryForCountsThatTheBytesCannotHold) {
  // Texts without end, then a list of classes without end.
  EXPECT_FALSE(decode_facts("\x01\xff\xff\xff\xff\x0f"));
  std::string bytes = encode_facts(FileFacts());
  for (std::size_t i = 1; i < bytes.size(); ++i)
    EXPECT_FALSE(decode_facts(bytes.substr(0, i) + "\xff\xff\xff\xff\x0f" + bytes.substr(i + 1)));
}

}  // namespace
}  // namespace hwsift::analyzer
