#include "lint/allowlist_merge.h"

#include <gtest/gtest.h>

namespace hwsift::lint {
namespace {

std::string merge(const std::string& base, const std::string& ours, const std::string& theirs,
                  const std::string& name = "") {
  Result<std::string> merged = merge_allowlists({base, "%O"}, {ours, "%A"}, {theirs, "%B"}, name);
  return merged.ok() ? *merged : "error " + to_string(merged.error());
}

// The JSON form of one-letter paths: "ab" is ["a", "b"].
std::string list(const std::string& letters) {
  std::string text = "[";
  for (char c : letters) text += std::string(text.size() > 1 ? "," : "") + "\n  \"" + c + "\"";
  return text + (letters.empty() ? "]\n" : "\n]\n");
}

TEST(AllowlistMerge, RemovalsOfBothSidesAddUp) {
  EXPECT_EQ(merge(list("abcd"), list("bcd"), list("abc")), list("bc"));
  EXPECT_EQ(merge(list("ab"), list("a"), list("b")), list(""));
}

TEST(AllowlistMerge, WhatOneSideAddedStays) {
  EXPECT_EQ(merge(list("b"), list("ab"), list("bc")), list("abc"));
  EXPECT_EQ(merge(list("b"), list("a"), list("bc")), list("ac"));
  EXPECT_EQ(merge("", list("ab"), list("bc")), list("abc"));
}

// Every way in which three versions can hold three paths.
TEST(AllowlistMerge, TheSidesMayChangePlaces) {
  auto subset = [](int bits) {
    std::string letters;
    for (int i = 0; i < 3; ++i)
      if ((bits >> i) % 2 == 1) letters += static_cast<char>('a' + i);
    return letters;
  };
  for (int base = 0; base < 8; ++base)
    for (int ours = 0; ours < 8; ++ours)
      for (int theirs = 0; theirs < 8; ++theirs) {
        std::string expected = list(subset((ours & theirs) | (~base & (ours | theirs))));
        EXPECT_EQ(merge(list(subset(base)), list(subset(ours)), list(subset(theirs))), expected);
        EXPECT_EQ(merge(list(subset(base)), list(subset(theirs)), list(subset(ours))), expected);
      }
}

TEST(AllowlistMerge, OrderAndFormattingDoNotMatter) {
  EXPECT_EQ(merge("[\"b\",\"a\"]", "[ \"a\" ]", list("ab")), list("a"));
}

const std::string kWhole = "- path: a\n  reason: r\n";
const std::string kNarrow = "- path: a\n  class: A\n  reason: r\n";

TEST(AllowlistMerge, RemovalWinsOverAChange) {
  EXPECT_EQ(merge(kWhole, "- path: a\n  reason: s\n", "[]\n"), "[]\n");
  EXPECT_EQ(merge(kWhole, "[]\n", "- path: a\n  reason: s\n"), "[]\n");
}

TEST(AllowlistMerge, TheNarrowerEntryWins) {
  EXPECT_EQ(merge(kWhole, kWhole, kNarrow), kNarrow);
  EXPECT_EQ(merge("", kWhole, kNarrow), kNarrow);
  EXPECT_EQ(merge("", kNarrow, kWhole), kNarrow);
}

TEST(AllowlistMerge, TextsAreOursUnlessOnlyTheirsChanged) {
  auto entry = [](const std::string& reason, const std::string& owner) {
    return "- path: a\n  reason: " + reason + "\n  owner: " + owner + "\n";
  };
  EXPECT_EQ(merge(entry("r", "o"), entry("r", "p"), entry("s", "o")), entry("s", "p"));
  EXPECT_EQ(merge(entry("r", "o"), entry("s", "o"), entry("t", "o")), entry("s", "o"));
  EXPECT_EQ(merge("# h\n[]\n", "# h\n[]\n", "# i\n[]\n"), "# i\n[]\n");
}

TEST(AllowlistMerge, OfTwoFormsTheOneThatSaysMoreStays) {
  EXPECT_EQ(merge(list("ab"), list("a"), "- path: a\n  reason: r\n- path: b\n  reason: r\n"), kWhole);
  EXPECT_EQ(merge(list("ab"), kWhole, list("ab")), kWhole);
  EXPECT_EQ(merge("[]", "[]", kWhole), kWhole);
  EXPECT_EQ(merge("", "[]", list("a")), list("a"));
  EXPECT_EQ(merge("[]", "[]", kWhole, "x.yaml"), kWhole);
}

TEST(AllowlistMerge, AnEntryThatTheFormCannotHoldIsAConflict) {
  EXPECT_EQ(merge(list(""), kWhole, list("b")).substr(0, 5), "error");
}

TEST(AllowlistMerge, WhatCannotBeReadIsAConflictWithItsPlace) {
  EXPECT_EQ(merge(list("a"), "[1", list("a")).substr(0, 11), "error %A:1:");
  EXPECT_EQ(merge(list("a"), list("a"), "<<<<<<< x\n").substr(0, 10), "error %B:1");
  EXPECT_EQ(merge("[", list("a"), list("a")).substr(0, 11), "error %O:1:");
  EXPECT_EQ(merge(list("a"), "", list("a")).substr(0, 10), "error %A:1");
}

TEST(AllowlistMerge, BudgetsTakeTheSmallest) {
  EXPECT_EQ(merge("9\n", "7\n", "8\n"), "7\n");
  EXPECT_EQ(merge("9\n", "8\n", "7"), "7\n");
  EXPECT_EQ(merge("", "8\n", "9\n"), "8\n");
  EXPECT_EQ(merge("9\n", "8\n", "x\n").substr(0, 11), "error %B:1:");
}

}  // namespace
}  // namespace hwsift::lint
