#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "history/items.h"

namespace hwsift::history {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

struct Read {
  std::vector<Item> items;
  std::vector<std::string> notes;
  std::string error;
  const Item& operator[](std::size_t i) const { return items.at(i); }
};

Read read(const std::string& bytes, const std::string& file) {
  Read read;
  Result<std::vector<Item>> items = parse_items(bytes, file, item_format_of(file, bytes), read.notes);
  if (items.ok()) read.items = *items;
  if (!items.ok()) read.error = to_string(items.error());
  return read;
}
Read csv(const std::string& bytes) { return read(bytes, "items.csv"); }
Read markdown(const std::string& bytes) { return read(bytes, "items.md"); }
Read json(const std::string& bytes) { return read(bytes, "items.json"); }

// --- CSV ---

TEST(ItemCsv, TheHeaderNamesTheColumns) {
  Read items =
      csv("Owner,Test file,id,Title,Classes,Module,URL,PR,Status,Colour,Size\r\n"
          "me,test/test_a.py,7,\"A, \"\"the\"\" "
          "title\",TestA;TestB,core,https://example.org/1,https://example.org/2 "
          "https://example.org/3,Done,red,3\r\n");
  ASSERT_THAT(items.items, SizeIs(1)) << items.error;
  const Item& item = items[0];
  EXPECT_EQ(item.id, "7");
  EXPECT_EQ(item.title, "A, \"the\" title");
  EXPECT_THAT(item.paths, ElementsAre("test/test_a.py"));
  EXPECT_THAT(item.classes, ElementsAre("TestA", "TestB"));
  EXPECT_EQ(item.area, "core");
  EXPECT_EQ(item.owner, "me");
  EXPECT_EQ(item.url, "https://example.org/1");
  EXPECT_THAT(item.links, ElementsAre("https://example.org/2", "https://example.org/3"));
  EXPECT_TRUE(item.done_by_hand);
  EXPECT_THAT(items.notes, ElementsAre("items.csv:1: not used: columns 'Colour', 'Size'"));
}

TEST(ItemCsv, PathsAsPeopleWriteThem) {
  Read items =
      csv("id,paths\n"
          "1,\"./test/test_a.py; test\\inductor\\test_b.py\n`test/test_c.py::TestC::test_c`\ttest/nn/, "
          "test/**/x_*.py\"\n"
          "2,https://example.org/o/r/blob/main/test/test_d.py#L12-L20\n"
          "3,TBD /home/me/test_a.py ../test_b.py\n");
  ASSERT_THAT(items.items, SizeIs(3)) << items.error;
  EXPECT_THAT(items[0].paths, ElementsAre("test/test_a.py", "test/inductor/test_b.py", "test/test_c.py",
                                          "test/nn", "test/**/x_*.py"));
  EXPECT_THAT(items[0].classes, ElementsAre("test/test_c.py::TestC"));
  EXPECT_THAT(items[1].paths, ElementsAre("test/test_d.py"));
  EXPECT_THAT(items[2].paths, IsEmpty());
  EXPECT_THAT(items.notes, ElementsAre("items.csv:5: 'TBD' is no path below the tree",
                                       "items.csv:5: '/home/me/test_a.py' is no path below the tree",
                                       "items.csv:5: '../test_b.py' is no path below the tree",
                                       "items.csv:5: item 3 names no path"));
}

TEST(ItemCsv, OtherSeparatorsAndMarksOfSpreadsheets) {
  for (char separator : {',', ';', '\t'}) {
    std::string bytes = "\xEF\xBB\xBFid,file,title\r\n1,test/test_a.py,\"a,b;c\td\"\r\n\r\n";
    std::replace(bytes.begin(), bytes.begin() + 36, ',', separator);
    Read items = csv(bytes);
    ASSERT_THAT(items.items, SizeIs(1)) << items.error << bytes;
    EXPECT_EQ(items[0].title, "a,b;c\td");
  }
}

TEST(ItemCsv, WithoutAnIdTheUrlOrThePathIsOne) {
  Read items = csv("path,url\ntest/test_a.py,https://example.org/1\ntest/test_b.py,\n");
  ASSERT_THAT(items.items, SizeIs(2)) << items.error;
  EXPECT_EQ(items[0].id, "https://example.org/1");
  EXPECT_EQ(items[1].id, "test/test_b.py");
  EXPECT_THAT(items.notes, ElementsAre(HasSubstr("no column 'id'")));
  EXPECT_EQ(csv("No.,path\n17,test/test_a.py\n")[0].id, "17");
}

TEST(ItemCsv, BrokenFilesAreRefusedWithTheirPlace) {
  EXPECT_THAT(csv("id,path\n1,test/test_a.py\n1,test/test_b.py\n").error,
              AllOf(HasSubstr("items.csv:3"), HasSubstr("items.csv:2"), HasSubstr("'1'")));
  EXPECT_THAT(csv("id,path\n\"1,test/test_a.py\n").error,
              HasSubstr("items.csv:2: a quoted cell that never ends"));
  EXPECT_THAT(csv("id,path\n\"1\"x,test/test_a.py\n").error, HasSubstr("items.csv:2: text behind"));
  EXPECT_THAT(csv("id,path\n1,\"a\nb\",c\n2\n").error,
              AllOf(HasSubstr("items.csv:2: 3 cells"), HasSubstr("items.csv:4: 1 cells")));
  EXPECT_THAT(csv("id,path\n,test/test_a.py\n").error, HasSubstr("items.csv:2: an item without an id"));
  EXPECT_THAT(csv("id,title\n1,a\n").error, HasSubstr("items.csv:1: no column of paths"));
  EXPECT_THAT(csv("id,path,ID\n1,a,2\n").error, HasSubstr("'id' and 'ID' mean the same"));
  EXPECT_THAT(csv("id,path\n").error, HasSubstr("no item in it"));
  EXPECT_THAT(csv("").error, HasSubstr("no item in it"));
}

TEST(ItemCsv, WhatIsNoTextIsRefused) {
  EXPECT_THAT(csv(std::string("id,path\n1,test/\0a.py\n", 21)).error, HasSubstr("items.csv:2:8: a NUL byte"));
  EXPECT_THAT(csv("id,path\n1,test/\xFF.py\n").error, HasSubstr("items.csv:2:8: not UTF-8"));
  EXPECT_THAT(csv("\xFF\xFEi").error, HasSubstr("UTF-16"));
  EXPECT_THAT(csv(std::string(kMostItemBytes + 1, 'a')).error,
              AllOf(HasSubstr("items.csv: larger than 33554432 bytes"), HasSubstr("import it in parts")));
  std::string many = "id,path\n1,\"";
  for (int i = 0; i < 2000; ++i) many += "test/test_" + std::to_string(i) + ".py ";
  EXPECT_THAT(csv(many + "\"\n").error, HasSubstr("items.csv:2: an item with more than 1000 paths"));
}

TEST(ItemCsv, ManyLines) {
  std::string bytes = "id,path\n";
  for (int i = 0; i < 100000; ++i) bytes += std::to_string(i) + ",test/test_a.py\n";
  EXPECT_THAT(csv(bytes).items, SizeIs(100000));
}

TEST(ItemCsv, OnlyOurOwnNamesLists) {
  Read ours =
      csv("id,without_regression,paths,list\n1,clean,test/test_a.py,graph\n2,clean,test/test_b.py,\n");
  ASSERT_THAT(ours.items, SizeIs(2)) << ours.error;
  EXPECT_EQ(ours[0].list, "graph");
  EXPECT_EQ(ours[1].list, "");
  EXPECT_THAT(ours.notes, IsEmpty());
  Read other = csv("id,paths,list\n1,test/test_a.py,graph\n");
  EXPECT_EQ(other[0].list, "");
  EXPECT_THAT(other.notes, ElementsAre(HasSubstr("not used: column 'list'")));
}

TEST(ItemCsv, OurOwnSaysWhatTheListSaidBeforeItWasSetByHand) {
  Read ours =
      csv("id,without_regression,paths,area,owner,listed_area,listed_owner\n1,clean,test/"
          "test_a.py,by,hand,core,me\n");
  ASSERT_THAT(ours.items, SizeIs(1)) << ours.error;
  EXPECT_EQ(ours[0].area, "core");
  EXPECT_EQ(ours[0].owner, "me");
  EXPECT_THAT(ours.notes, IsEmpty());
  EXPECT_EQ(csv("id,paths,owner\n1,test/test_a.py,hand\n")[0].owner, "hand");
}

TEST(ItemCsv, WhatIsOutOfProportionIsRefusedOrCounted) {
  EXPECT_THAT(csv("id,paths" + std::string(2000, ',')).error, HasSubstr("items.csv:1: more than 1000 cells"));
  std::string words;
  for (int i = 0; i < 5000; ++i) words += "a ";
  Read items = csv("id,paths\n1,test/test_a.py " + words + "\n");
  EXPECT_THAT(items[0].paths, ElementsAre("test/test_a.py"));
  ASSERT_THAT(items.notes, SizeIs(21));
  EXPECT_EQ(items.notes.back(), "items.csv:2: 4980 more words are no path");
  std::string rows = "id,paths\n";
  for (int i = 0; i <= 200000; ++i) rows += std::to_string(i) + ",test/a.py\n";
  EXPECT_THAT(csv(rows).error, HasSubstr("items.csv: more than 200000 items"));
  EXPECT_THAT(csv("id,paths,title\n1,test/a.py," + std::string(5000, 'a') + "\n")[0].title, SizeIs(1000));
}

// --- Markdown ---

TEST(ItemMarkdown, AChecklist) {
  Read items = markdown(
      "Intro with test/test_no.py\n\n## Core **tests**:\n"
      "- [ ] test/test_a.py (#123) @someone\n"
      "- [x] [Device-generic b](https://example.org/o/r/issues/45) `test/test_b.py::TestB`\n"
      "* [X] #46 test/test_c.py, https://example.org/o/r/pull/7\n"
      "+ [ ] `test/nn` `TestNN` and more\n"
      "- [ ] write a guide\n");
  ASSERT_THAT(items.items, SizeIs(4)) << items.error;
  EXPECT_EQ(items[0].id, "test/test_a.py");
  EXPECT_EQ(items[0].title, "test/test_a.py");
  EXPECT_EQ(items[0].area, "Core tests");
  EXPECT_EQ(items[0].owner, "someone");
  EXPECT_THAT(items[0].links, ElementsAre("#123"));
  EXPECT_FALSE(items[0].done_by_hand);
  EXPECT_EQ(items[1].id, "#45");
  EXPECT_EQ(items[1].url, "https://example.org/o/r/issues/45");
  EXPECT_EQ(items[1].title, "Device-generic b test/test_b.py::TestB");
  EXPECT_THAT(items[1].classes, ElementsAre("test/test_b.py::TestB"));
  EXPECT_TRUE(items[1].done_by_hand);
  EXPECT_EQ(items[2].id, "#46");
  EXPECT_TRUE(items[2].done_by_hand);
  EXPECT_THAT(items[2].links, ElementsAre("https://example.org/o/r/pull/7"));
  EXPECT_EQ(items[3].id, "test/nn::TestNN");
  EXPECT_THAT(items[3].classes, ElementsAre("TestNN"));
  EXPECT_THAT(items.notes, ElementsAre("items.md:8: no path in 'write a guide'"));
}

TEST(ItemMarkdown, AreasAreHeadingsAndBulletsAbove) {
  Read items = markdown(
      "# One\n"
      "- **graph**:\n"
      "  - [ ] test/test_a.py\n"
      "    - [ ] test/test_b.py\n"
      "- [ ] test/test_c.py\n"
      "### Two ###\n"
      "1. [ ] test/test_d.py\r\n");
  ASSERT_THAT(items.items, SizeIs(4)) << items.error;
  EXPECT_EQ(items[0].area, "graph");
  EXPECT_EQ(items[1].area, "graph");
  EXPECT_EQ(items[2].area, "One");
  EXPECT_EQ(items[3].area, "Two");
}

TEST(ItemMarkdown, Tables) {
  Read items = markdown(
      "## XPU\n"
      "| No. | Test file | Status | PR | Comment |\n"
      "|----:|-----------|:------:|----|---------|\n"
      "| 1 | test/test_a.py | ✅ | #12 | a \\| b |\n"
      "| 2 | `test/test_b.py` | in progress | [pr](https://example.org/pull/13) |\n"
      "| 3 | | | | |\n\n"
      "| a | b |\n|---|---|\n| 1 | test/test_c.py |\n"
      "- test/test_d.py is a bullet without a box\n");
  ASSERT_THAT(items.items, SizeIs(2)) << items.error;
  EXPECT_EQ(items[0].id, "test/test_a.py");
  EXPECT_EQ(items[0].area, "XPU");
  EXPECT_TRUE(items[0].done_by_hand);
  EXPECT_THAT(items[0].links, ElementsAre("#12"));
  EXPECT_FALSE(items[1].done_by_hand);
  EXPECT_THAT(items[1].links, ElementsAre("https://example.org/pull/13"));
  EXPECT_THAT(items.notes, ElementsAre("items.md:6: no path in this row",
                                       "items.md:8: a table without a column of paths"));
}

TEST(ItemMarkdown, FencesAndCommentsAreNoText) {
  Read items = markdown(
      "```\n- [ ] test/test_a.py\n```\n<!-- \n- [ ] test/test_b.py\n-->\n~~~~\n- [ ] test/test_c.py\n~~~~\n"
      "- test/test_d.py\n");
  ASSERT_THAT(items.items, SizeIs(1)) << items.error;
  EXPECT_EQ(items[0].id, "test/test_d.py");
}

TEST(ItemCsv, WhatOurOwnCsvGuardedComesBackAsItWas) {
  Read items = csv("id,title,paths,owner\n1,'=1+1,test/test_a.py,'@anna\n2,'quoted',test/test_b.py,\n");
  ASSERT_THAT(items.items, SizeIs(2)) << items.error;
  EXPECT_EQ(items[0].title, "=1+1");
  EXPECT_EQ(items[0].owner, "@anna");
  EXPECT_EQ(items[1].title, "'quoted'");
}

TEST(ItemCsv, ASpreadsheetOfAnotherFormatIsNamed) {
  EXPECT_THAT(csv("PK\x03\x04\x14").error, HasSubstr("save it as CSV"));
}

TEST(ItemMarkdown, BrokenOnesAreRefused) {
  EXPECT_THAT(markdown("# Nothing\n- [ ] todo\n").error, HasSubstr("items.md: no item in it"));
}

TEST(ItemMarkdown, LinesAboutOneFileAreOneItemWhichIsDoneWhenAllAre) {
  Read items = markdown("- [ ] test/test_a.py: guards\n\n- [x] ~~test/test_a.py~~ labels\n");
  ASSERT_THAT(items.items, SizeIs(1)) << items.error;
  EXPECT_EQ(items[0].id, "test/test_a.py");
  EXPECT_FALSE(items[0].done_by_hand);
}

TEST(ItemMarkdown, ABoxBelowAPathNarrowsItToAClass) {
  Read items = markdown(
      "- [x] test/test_a.py\n"
      "  - [x] TestFoo (#5) @me\n"
      "  - [ ] `TestBar`, TestBaz::test_one\n"
      "    - [x] **TestDeep**: its guards\n"
      "  - [x] Test the Tests of Testing\n"
      "- [x] test/test_b.py\n"
      "  - notes\n"
      "    - [x] `TestB`\n"
      "- [ ] test/test_c.py\n");
  ASSERT_THAT(items.items, SizeIs(3)) << items.error;
  EXPECT_EQ(items[0].id, "test/test_a.py");
  EXPECT_THAT(items[0].classes, ElementsAre("test/test_a.py::TestFoo", "test/test_a.py::TestBar",
                                            "test/test_a.py::TestBaz", "test/test_a.py::TestDeep"));
  EXPECT_THAT(items[0].links, ElementsAre("#5"));
  EXPECT_EQ(items[0].owner, "me");
  EXPECT_FALSE(items[0].done_by_hand) << "a box of it is not ticked";
  EXPECT_EQ(items[1].id, "test/test_b.py");
  EXPECT_THAT(items[1].classes, ElementsAre("test/test_b.py::TestB"));
  EXPECT_TRUE(items[1].done_by_hand);
  EXPECT_THAT(items[2].classes, IsEmpty());
  EXPECT_THAT(items.notes, ElementsAre("items.md:5: no class in 'Test the Tests of Testing'"));
}

TEST(ItemMarkdown, ClassesThatDoNotBeginWithTest) {
  Read items = markdown(
      "- [ ] test/test_a.py\n"
      "  - [ ] WeakTest\n"
      "  - [ ] `GPUTests`, CpuTestCase, `_TestBase` and __TestBold__\n"
      "  - [ ] latest tests of Testing, CommonTemplate\n");
  ASSERT_THAT(items.items, SizeIs(1)) << items.error;
  EXPECT_THAT(items[0].classes,
              UnorderedElementsAre("test/test_a.py::WeakTest", "test/test_a.py::GPUTests",
                                   "test/test_a.py::CpuTestCase", "test/test_a.py::_TestBase",
                                   "test/test_a.py::TestBold"));
  EXPECT_THAT(items.notes, SizeIs(1));
}

TEST(ItemMarkdown, ALineOfAnIdKeepsTheClassesOfAnother) {
  Read items = markdown(
      "- [ ] #1 test/test_a.py\n"
      "  - [ ] TestA\n"
      "- [ ] #1 test/test_b.py\n"
      "- [ ] #2 test/test_a.py\n"
      "  - [ ] TestA\n"
      "- [ ] #2 test/test_a.py\n");
  ASSERT_THAT(items.items, SizeIs(2)) << items.error;
  EXPECT_THAT(items[0].paths, ElementsAre("test/test_a.py", "test/test_b.py"));
  EXPECT_THAT(items[0].classes, ElementsAre("test/test_a.py::TestA"));
  EXPECT_THAT(items[1].classes, IsEmpty()) << "the second line names all of the file";
}

TEST(ItemMarkdown, ABoxBelowAPathWithAPathOrIdIsAnItem) {
  Read items = markdown(
      "- [ ] test/test_a.py test/test_b.py\n"
      "  - [ ] TestFoo\n"
      "  - [ ] test/test_c.py `TestC`\n"
      "  - [ ] #12 TestBar\n"
      "  - [ ] #13 a guide\n"
      "- test/test_d.py\n"
      "  - [ ] TestD\n"
      "- [ ] test/test_e.py `TestE`\n"
      "  - [ ] TestF\n");
  ASSERT_THAT(items.items, SizeIs(4)) << items.error;
  EXPECT_THAT(items[3].classes, ElementsAre("TestE", "TestF")) << "a path would hide TestE";
  EXPECT_THAT(items[0].classes, ElementsAre("TestFoo")) << "of either path";
  EXPECT_EQ(items[1].id, "test/test_c.py::TestC");
  EXPECT_EQ(items[2].id, "#12");
  EXPECT_THAT(items[2].paths, ElementsAre("test/test_a.py", "test/test_b.py"));
  EXPECT_THAT(items[2].classes, ElementsAre("TestBar"));
  EXPECT_THAT(items.notes, ElementsAre("items.md:7: no path in 'TestD'"));
  EXPECT_THAT(items[0].links, ElementsAre("#13")) << "a reference of the box above";
}

TEST(ItemMarkdown, ALinkToTheFileThatItShowsIsOnePath) {
  for (const char* shown : {"test_nn.py", "`test_nn.py`", "nn/test_nn.py", "Refactor test_nn.py"}) {
    Read items = markdown("- [ ] [" + std::string(shown) +
                          "](https://example.org/o/r/blob/main/test/nn/test_nn.py#L3) labels\n");
    ASSERT_THAT(items.items, SizeIs(1)) << items.error;
    EXPECT_EQ(items[0].id, "test/nn/test_nn.py");
    EXPECT_THAT(items[0].paths, ElementsAre("test/nn/test_nn.py")) << shown;
    EXPECT_THAT(items[0].links, IsEmpty());
  }
  Read clean = markdown("- [ ] [`test_nn.py`](https://example.org/o/r/blob/main/test/test_nn.py): labels\n");
  EXPECT_EQ(clean[0].title, "test_nn.py: labels");
  Read other = markdown("- [ ] [test_a.py](https://example.org/o/r/blob/main/test/test_nn.py)\n");
  EXPECT_THAT(other[0].paths, ElementsAre("test/test_nn.py", "test_a.py"));
  Read cls = markdown("- [ ] [test_nn.py::TestNN](https://example.org/o/r/blob/main/test/test_nn.py)\n");
  EXPECT_EQ(cls[0].id, "test/test_nn.py::TestNN");
  EXPECT_THAT(cls[0].paths, ElementsAre("test/test_nn.py"));
}

TEST(ItemMarkdown, ReferencesIntoARepository) {
  Read items = markdown(
      "- [ ] o/r#12 test/test_a.py\n"
      "- [ ] **o-o/r.r#13**: test/test_b.py\n"
      "- [ ] test/test_c.py (o/r#14), o/r#15. *o/r#16*\n"
      "- [ ] test/test_d.py#17 a/b/c#18\n"
      "- [ ] https://example.org/o/r/blob/main/test/test_e.py#19\n");
  ASSERT_THAT(items.items, SizeIs(5)) << items.error;
  EXPECT_EQ(items[0].id, "o/r#12");
  EXPECT_EQ(items[0].title, "test/test_a.py");
  EXPECT_EQ(items[1].id, "o-o/r.r#13");
  EXPECT_EQ(items[1].title, "test/test_b.py");
  EXPECT_EQ(items[2].id, "test/test_c.py");
  EXPECT_THAT(items[2].links, ElementsAre("o/r#14", "o/r#15", "o/r#16"));
  EXPECT_EQ(items[3].id, "test/test_d.py");
  EXPECT_THAT(items[3].links, IsEmpty());
  EXPECT_EQ(items[4].id, "test/test_e.py");
  EXPECT_THAT(items[4].links, IsEmpty());
}

TEST(ItemMarkdown, ALineOfAMillionWords) {
  std::string words;
  for (int i = 0; i < 300000; ++i) words += " a #" + std::to_string(i % 900) + " `b`";
  Read items = markdown("- [ ] test/test_a.py" + words + "\n");
  ASSERT_THAT(items.items, SizeIs(1)) << items.error;
  EXPECT_THAT(items[0].links, SizeIs(900));
  EXPECT_LE(items[0].title.size(), 1000u);
  std::string lines;
  for (int i = 0; i < 20000; ++i) lines += "- [ ] test/test_a.py #" + std::to_string(i) + "\n";
  EXPECT_THAT(markdown(lines).error, HasSubstr("items.md:1: an item with more than 1000 paths or links"));
  Read note = markdown("- [ ] test/test_a.py\n- [ ] " + std::string(5000, 'a') + "\n");
  ASSERT_THAT(note.notes, SizeIs(1));
  EXPECT_THAT(note.notes[0], SizeIs(500));
}

TEST(ItemMarkdown, HostileTextTakesNoTime) {
  for (const char* unit : {"[", "`", "[](", "[a]", "``a`", "|", "- ", "#", "(", "@", "**"}) {
    std::string bytes = "- [ ] ";
    while (bytes.size() < 200000) bytes += unit;
    markdown(bytes + " test/test_a.py");
  }
  std::string nested;
  for (int i = 0; i < 2000; ++i) nested += std::string(static_cast<std::size_t>(i), ' ') + "- a\n";
  EXPECT_THAT(markdown(nested + std::string(3000, ' ') + "- [ ] test/test_a.py\n").items, SizeIs(1));
}

// --- JSON ---

TEST(ItemJson, AsGhListsAProject) {
  Read items = json(R"({"items": [
    {"id": "PVTI_1", "title": "Make test/test_a.py generic", "status": "Done", "labels": ["triaged", "module: tests/core"],
     "assignees": ["one", "two"], "linked pull requests": ["https://example.org/o/r/pull/9"],
     "content": {"type": "Issue", "number": 12, "repository": "o/r", "title": "Make test/test_a.py generic",
                 "body": "see test/test_other.py", "url": "https://example.org/o/r/issues/12"}},
    {"id": "PVTI_2", "title": "Refactor b", "test file": "test/test_b.py::TestB", "area": "graph",
     "content": {"type": "PullRequest", "number": 13, "repository": "o/r", "title": "Refactor b", "state": "MERGED",
                 "body": "", "url": "https://example.org/o/r/pull/13"}},
    {"id": "PVTI_3", "title": "A draft", "content": {"type": "DraftIssue", "title": "A draft", "body": "- `test/test_c.py`"}},
    {"id": "PVTI_4", "title": "Hidden", "content": null}
    ], "totalCount": 259})");
  ASSERT_THAT(items.items, SizeIs(4)) << items.error;
  EXPECT_EQ(items[0].id, "#12");
  EXPECT_EQ(items[0].title, "Make test/test_a.py generic");
  EXPECT_THAT(items[0].paths, ElementsAre("test/test_a.py"));
  EXPECT_EQ(items[0].area, "tests/core");
  EXPECT_EQ(items[0].owner, "one, two");
  EXPECT_EQ(items[0].url, "https://example.org/o/r/issues/12");
  EXPECT_THAT(items[0].links, ElementsAre("https://example.org/o/r/pull/9"));
  EXPECT_TRUE(items[0].done_by_hand);
  EXPECT_THAT(items[1].classes, ElementsAre("test/test_b.py::TestB"));
  EXPECT_EQ(items[1].area, "graph");
  EXPECT_TRUE(items[1].done_by_hand);
  EXPECT_EQ(items[2].id, "PVTI_3");
  EXPECT_THAT(items[2].paths, ElementsAre("test/test_c.py"));
  EXPECT_THAT(items.notes, ElementsAre(HasSubstr("item PVTI_4 names no path"), HasSubstr("4 of 259 items")));
}

TEST(ItemJson, AsGraphqlAnswers) {
  Read items = json(R"({"data": {"organization": {"projectV2": {"items": {"nodes": [
    {"id": "PVTI_1", "content": {"__typename": "Issue", "number": 12, "title": "One", "url": "https://example.org/o/r/issues/12",
       "state": "OPEN", "repository": {"nameWithOwner": "o/r"}, "assignees": {"nodes": [{"login": "me"}]},
       "labels": {"nodes": [{"name": "module: tests/graph"}]}},
     "fieldValues": {"nodes": [{}, {"text": "test/test_a.py", "field": {"name": "Path"}},
       {"name": "Done", "field": {"name": "Status"}}, {"number": 3, "field": {"name": "Points"}}]}},
    {"id": "PVTI_2", "content": {"number": 12, "title": "test/test_b.py", "repository": {"nameWithOwner": "o/s"}}}
  ]}}}}})");
  ASSERT_THAT(items.items, SizeIs(2)) << items.error;
  EXPECT_EQ(items[0].id, "o/r#12");
  EXPECT_EQ(items[1].id, "o/s#12");
  EXPECT_THAT(items[0].paths, ElementsAre("test/test_a.py"));
  EXPECT_EQ(items[0].area, "tests/graph");
  EXPECT_EQ(items[0].owner, "me");
  EXPECT_TRUE(items[0].done_by_hand);
}

TEST(ItemJson, PlainObjectsWithOurNames) {
  Read items =
      json(R"([{"id": "1", "title": "t", "paths": ["test/test_a.py", "test/nn"], "classes": ["TestA"],
    "area": "core", "owner": "me", "url": "#7", "links": ["l"], "done_by_hand": true, "mark": "blocked",
    "reason": "r", "note": "n", "listed": {"owner": "you"}, "state": "clean", "parts": {"files": 3}},
    {"id": 2, "path": "test/test_b.py"}])");
  ASSERT_THAT(items.items, SizeIs(2)) << items.error;
  Item wanted{"1",           "t",    {"test/test_a.py", "test/nn"},
              {"TestA"},     "core", "me",
              "#7",          {"l"},  true,
              Mark::blocked, "r",    "n",
              std::nullopt,  "you",  ""};
  EXPECT_EQ(items[0], wanted);
  EXPECT_EQ(items[1].id, "2");
  EXPECT_THAT(items[1].paths, ElementsAre("test/test_b.py"));
}

TEST(ItemJson, OurOwnNamesLists) {
  Read items = json(R"({"schema": "hwsift.items/1", "items": [{"id": "1", "paths": [], "list": " graph "},
    {"id": "2", "paths": [], "list": ""}, {"id": "3", "paths": [], "list": 7}]})");
  ASSERT_THAT(items.items, SizeIs(3)) << items.error;
  EXPECT_EQ(items[0].list, "graph");
  EXPECT_EQ(items[1].list, "");
  EXPECT_EQ(items[2].list, "7");
}

TEST(ItemJson, WhatIsOutOfProportionIsRefused) {
  std::string values = "[";
  for (int i = 0; i < 1000000; ++i) values += "1,";
  EXPECT_THAT(json(values + "1]").error, HasSubstr("items.json: more than 1000000 values"));
  std::string owners;
  for (int i = 0; i < 200000; ++i) owners += "\"a\",";
  Read items = json("[{\"id\": 1, \"path\": \"test/a.py\", \"owners\": [" + owners + "\"b\"]}]");
  EXPECT_THAT(items[0].owner, SizeIs(200000 * 3 + 1)) << items.error;
  std::string text = "[{\"id\": 1, \"title\": \"" + std::string(2000000, ',') + "\\\",[[\"}]";
  EXPECT_THAT(json(text)[0].title, SizeIs(1000));
}

TEST(ItemJson, BrokenOnesAreRefused) {
  EXPECT_THAT(json("{\n\"items\": [\n").error, HasSubstr("items.json:3:"));
  EXPECT_THAT(json("{}").error, HasSubstr("no list of items"));
  EXPECT_THAT(json("[]").error, HasSubstr("no item in it"));
  EXPECT_THAT(json("[1]").error, HasSubstr("items.json: item 1: not an object"));
  EXPECT_THAT(json("[{\"title\": \"a\"}]").error, HasSubstr("item 1: an item without an id"));
  EXPECT_THAT(json(R"([{"id":"1","path":"test/a.py"},{"id":"1","path":"test/a.py"}])").error,
              AllOf(HasSubstr("item 2: a second item '1'"), HasSubstr("item 1")));
}

TEST(ItemJson, DeepNestingIsHarmless) {
  for (const char* unit :
       {"[", "{\"data\":", "[{\"title\":", "{\"items\":", "[{\"id\":1,\"title\":{\"nodes\":"}) {
    std::string bytes;
    for (int i = 0; i < 100000; ++i) bytes += unit;
    EXPECT_NE(json(bytes).error, "");
  }
  std::string deep = "[{\"id\": 1, \"content\": {\"title\": ";
  for (int i = 0; i < 100000; ++i) deep += "{\"nodes\": ";
  deep += "1";
  for (int i = 0; i < 100000; ++i) deep += "}";
  EXPECT_THAT(json(deep + "}}]").items, SizeIs(1));
}

// --- Which format ---

TEST(ItemFormats, ByNameElseByContent) {
  EXPECT_EQ(item_format_of("a.CSV", "{}"), ItemFormat::csv);
  EXPECT_EQ(item_format_of("a.tsv", ""), ItemFormat::csv);
  EXPECT_EQ(item_format_of("a.md", ""), ItemFormat::markdown);
  EXPECT_EQ(item_format_of("a.json", ""), ItemFormat::github_json);
  EXPECT_EQ(item_format_of("-", " {\"items\": []}"), ItemFormat::github_json);
  EXPECT_EQ(item_format_of("-", "[{}]"), ItemFormat::github_json);
  EXPECT_EQ(item_format_of("-", "id;path\n"), ItemFormat::csv);
  EXPECT_EQ(item_format_of("-", "- [ ] test/test_a.py, test\n"), ItemFormat::markdown);
  EXPECT_EQ(item_format_of("-", "[Title](x)\n"), ItemFormat::markdown);
}

}  // namespace
}  // namespace hwsift::history
