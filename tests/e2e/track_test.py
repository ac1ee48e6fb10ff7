"""Tracked items: lists of several formats come in, what was set by hand stays, states come from the sources."""
import csv
import io
import json
import sqlite3
import subprocess

import harness
from harness import CUDA_TEST, HWSIFT, PLAIN_TEST, HwsiftTest, run

CLEAN = PLAIN_TEST.replace("import TestCase", "import HardwareClassification, TestCase").replace(
    "    def", "    hw_classification = HardwareClassification.GENERIC\n\n    def", 1)
LIST = """\
id,title,paths,classes,area,owner,url,links
1,Plain,test/test_plain.py,,core,me,https://example.org/o/r/issues/1,
2,Clean,test/test_clean.py,,core,you,,https://example.org/o/r/pull/3 #4
10,Folder,"test/sub
test/test_clean.py",,graph,"you, me",,
11,Gone,test/test_gone.py,,graph,,,
"""


class TrackTest(HwsiftTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_plain.py")
        self.write("test/test_clean.py", CLEAN)
        self.write("test/sub/test_move.py", CUDA_TEST)

    def track(self, *arguments, **options):
        return self.hwsift("track", *arguments, **options)

    def bring(self, content=LIST, name="items.csv", *arguments):
        self.write(name, content)
        ran = self.track("import", name, *arguments)
        self.assertEqual(ran.code, 0, ran.err)
        return ran

    def listed(self, *arguments):
        ran, document = self.document("track", "list", *arguments)
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(document["schema"], "hwsift.items/1")
        return {item["id"]: item for item in document["items"]}


class Import(TrackTest):
    def test_makes_the_database_and_is_idempotent(self):
        self.assertEqual(self.bring().out, "4 items: 4 new\n")
        self.assertTrue((self.tree / ".hwsift/hwsift.sqlite").exists())
        self.assertEqual(self.bring().out, "4 items: 4 unchanged\n")
        self.assertEqual(self.bring(LIST.replace("Plain", "Other")).out, "4 items: 1 changed, 3 unchanged\n")

    def test_what_the_file_does_not_name_stays_unless_pruned(self):
        self.bring()
        short = "\n".join(LIST.splitlines()[:2]) + "\n"
        self.track("set", "2", "--mark", "blocked", "--reason", "r")
        ran = self.bring(short)
        self.assertEqual(ran.out, "1 item: 1 unchanged\n")
        self.assertIn("does not name 2, 10, 11 of the default list (they stay; --prune", ran.err)
        ran = self.bring(short, "items.csv", "--prune")
        self.assertEqual(ran.out, "1 item: 1 unchanged, 2 removed\n")
        self.assertIn("does not name 2 of the default list (they stay, since", ran.err)
        self.assertEqual(set(self.listed()), {"1", "2"})

    def test_a_broken_file_changes_nothing(self):
        self.bring()
        self.write("items.csv", LIST + "1,Twice,test/test_a.py,,,,,\n")
        ran = self.track("import", "items.csv")
        self.assert_refused(ran, 2, "items.csv:7", "items.csv:2", "'1'")
        self.write("items.csv", LIST.replace("1,Plain", "1,\"Plain"))
        self.assert_refused(self.track("import", "items.csv"), 2, "items.csv:")
        self.assert_refused(self.track("import", "none.csv"), 2, "none.csv")
        self.assertEqual(set(self.listed()), {"1", "2", "10", "11"})

    def test_a_checklist_from_standard_input(self):
        text = "## Core\n- [x] test/test_plain.py (#7) @me\n- [ ] nothing here\n"
        ran = run("sh", "-c", f"printf '%s' '{text}' | '{HWSIFT}' track import -", cwd=self.tree)
        self.assertEqual((ran.code, ran.out), (0, "1 item: 1 new\n"), ran.err)
        self.assertIn("standard input:3: no path in 'nothing here'", ran.err)
        item = self.listed()["test/test_plain.py"]
        self.assertEqual((item["area"], item["owner"], item["links"], item["done_by_hand"], item["state"]),
                         ("Core", "me", ["#7"], True, "untouched"))

    def test_the_format_can_be_named(self):
        self.bring("id,paths\n1,test/test_plain.py\n", "items.txt", "--format", "csv")
        self.assert_refused(self.track("import", "items.txt", "--format", "github"), 2, "items.txt:1:")
        self.assertEqual(self.track("import", "items.txt", "--format", "yaml").code, 2)

    def test_a_board_of_github(self):
        items = [{"id": f"PVTI_{n}", "title": f"Refactor test/test_{name}.py", "status": status,
                  "content": {"type": "Issue", "number": n, "repository": "o/r", "body": "",
                              "title": f"Refactor test/test_{name}.py", "url": f"https://example.org/o/r/issues/{n}"}}
                 for n, name, status in ((8, "plain", "Done"), (9, "clean", "Todo"))]
        self.bring(json.dumps({"items": items, "totalCount": 2}), "board.json")
        listed = self.listed()
        self.assertEqual({key: (item["state"], item["done_by_hand"]) for key, item in listed.items()},
                         {"#8": ("untouched", True), "#9": ("clean", False)})
        self.assertIn("#9  Refactor", self.track("show", "9").out)

    def test_its_own_output_changes_nothing(self):
        self.bring()
        self.track("set", "2", "--mark", "blocked", "--reason", "r", "--note", "n")
        for form in ("json", "csv"):
            self.track("list", "-o", f"{form}:own.{form}")
            ran = self.track("import", f"own.{form}")
            self.assertEqual((ran.out, ran.err), ("4 items: 4 unchanged\n", ""))

    def test_its_own_json_holds_what_was_set_by_hand(self):
        self.bring()
        self.track("set", "2", "--mark", "blocked", "--reason", "r", "--note", "n", "--owner", "other")
        self.track("set", "11", "--area", "mine")
        self.track("list", "-o", "json:own.json")
        ran = self.track("import", "own.json")
        self.assertEqual((ran.out, ran.err), ("4 items: 4 unchanged\n", ""))
        before = self.track("list", "-o", "json").out
        ran = self.track("import", "own.json", "--db", "second.sqlite")
        self.assertEqual(ran.out, "4 items: 4 new\n")
        self.assertEqual(self.track("list", "-o", "json", "--db", "second.sqlite").out, before)


class Lists(TrackTest):
    GRAPH = "id,paths\n20,test/test_plain.py\n2,test/test_clean.py\n"

    def setUp(self):
        super().setUp()
        self.bring()
        self.first = self.bring(self.GRAPH, "graph.csv", "--list", "graph")

    def test_the_last_list_has_the_item(self):
        self.assertEqual((self.first.out, self.first.err), ("2 items: 1 new, 1 moved from another list\n", ""))
        self.assertEqual({key: item["list"] for key, item in self.listed().items()},
                         {"1": "", "2": "graph", "10": "", "11": "", "20": "graph"})
        self.assertEqual(self.bring().out, "4 items: 1 moved from another list, 3 unchanged\n")
        self.assertEqual(self.listed()["2"]["list"], "")

    def test_pruning_touches_one_list_only(self):
        ran = self.bring("id,paths\n20,test/test_plain.py\n", "graph.csv", "--list", "graph")
        self.assertIn("does not name 2 of list 'graph' (they stay; --prune", ran.err)
        ran = self.bring("id,paths\n1,test/test_plain.py\n", "items.csv", "--prune")
        self.assertEqual((ran.out, ran.err), ("1 item: 1 changed, 2 removed\n", ""))
        self.assertEqual(set(self.listed()), {"1", "2", "20"})
        ran = self.bring("id,paths\n20,test/test_plain.py\n", "graph.csv", "--list", " graph ", "--prune")
        self.assertEqual(ran.out, "1 item: 1 unchanged, 1 removed\n")

    def test_track_list_and_show_say_the_list(self):
        self.assertEqual(set(self.listed("--list", "graph")), {"2", "20"})
        self.assertEqual(set(self.listed("--list", "none")), {"1", "10", "11"})
        self.assertIn("none of 5 items fits", self.track("list", "--list", "other").err)
        text = self.track("list").out
        self.assertRegex(text, r"(?m)^1 +untouched .*default list  ")
        self.assertRegex(text, r"(?m)^20 +untouched .*graph  ")
        self.assertNotIn("default list", self.track("list", "--list", "none").out)
        self.assertIn("list       graph\n", self.track("show", "20").out)
        self.assertIn("list       default list\n", self.track("show", "1").out)

    def test_a_name_that_no_document_could_say_is_refused(self):
        ran = run("sh", "-c", f"'{HWSIFT}' track import items.csv --list \"$(printf '\\377')\"", cwd=self.tree)
        self.assert_refused(ran, 2, "--list", "not UTF-8")

    def test_its_own_output_keeps_the_lists(self):
        before = self.track("list", "-o", "json").out
        for form in ("json", "csv"):
            self.track("list", "-o", f"{form}:own.{form}")
            ran = self.track("import", f"own.{form}", "--prune")
            self.assertEqual((ran.out, ran.err), ("5 items: 5 unchanged\n", ""))
            self.track("import", f"own.{form}", "--db", f"{form}.sqlite")
            again = json.loads(self.track("list", "-o", "json", "--db", f"{form}.sqlite").out)
            self.assertEqual(again, json.loads(before))
            self.track("list", "--list", "graph", "-o", f"{form}:graph.{form}")
            ran = self.track("import", f"graph.{form}", "--prune")
            self.assertEqual((ran.out, ran.err), ("2 items: 2 unchanged\n", ""))
        ran = self.track("import", "own.csv", "--list", "all")
        self.assertEqual(ran.out, "5 items: 5 moved from another list\n")
        self.assertEqual({item["list"] for item in self.listed().values()}, {"all"})


class Markdown(TrackTest):
    def test_an_id_that_comes_later_renames_the_item(self):
        self.bring("- [ ] test/test_plain.py\n- [ ] test/test_clean.py\n", "board.md")
        self.track("set", "test/test_plain.py", "--mark", "blocked", "--reason", "r", "--note", "n")
        ran = self.bring("- [ ] #7 test/test_plain.py\n- [ ] test/test_clean.py\n", "board.md")
        self.assertEqual((ran.out, ran.err), ("2 items: 1 renamed, 1 unchanged\n", ""))
        listed = self.listed()
        self.assertEqual(set(listed), {"#7", "test/test_clean.py"})
        self.assertEqual([listed["#7"][key] for key in ("mark", "reason", "note")], ["blocked", "r", "n"])

    def test_boxes_below_name_classes(self):
        self.write("test/test_two.py", CLEAN + "\n\nclass TestOther(TestCase):\n    def test_a(self):\n        pass\n")
        self.bring("- [ ] [test_two.py](https://example.org/o/r/blob/main/test/test_two.py)\n  - [ ] TestLength\n", "board.md")
        item = self.listed()["test/test_two.py"]
        self.assertEqual((item["classes"], item["counts"]["classes"], item["state"]),
                         (["test/test_two.py::TestLength"], 1, "clean"))


class Bounds(TrackTest):
    def test_more_than_32_mib_is_refused(self):
        self.write("items.md", "- [ ] test/test_plain.py " + "a" * (32 << 20))
        self.assert_refused(self.track("import", "items.md"), 2, "items.md: larger than 33554432 bytes", "in parts")
        ran = run("sh", "-c", f"cat items.md | '{HWSIFT}' track import -", cwd=self.tree)
        self.assert_refused(ran, 2, "standard input: larger than 33554432 bytes", "in parts")

    def test_one_long_line(self):
        for start, unit, end in (("- [ ] test/test_plain.py ", "a ", ""), ("- [ ] test/test_plain.py ", "#1 ", ""),
                                 ('[{"id": 1, "path": "test/test_plain.py", "title": "', "a ", '"}]'),
                                 ("id,paths\n1,test/test_plain.py ", "a ", "\n")):
            self.write("items.txt", start + unit * ((2 << 20) // len(unit)) + end)
            self.assertEqual(self.track("import", "items.txt").code, 0)


class List(TrackTest):
    def test_states_come_from_the_sources(self):
        self.bring()
        items = self.listed()
        self.assertEqual({key: item["state"] for key, item in items.items()},
                         {"1": "untouched", "2": "clean", "10": "uses_left", "11": "missing"})
        self.assertEqual(list(items), ["1", "2", "10", "11"])
        self.assertEqual(items["10"]["counts"]["files"], 2)
        self.write("test/test_plain.py", CLEAN)
        self.assertEqual(self.listed()["1"]["state"], "clean")

    def test_filters(self):
        self.bring()
        self.track("set", "2", "--mark", "wont_do", "--reason", "r")
        self.assertEqual(set(self.listed("--state", "clean,missing")), {"2", "11"})
        self.assertEqual(set(self.listed("--area", "Core")), {"1", "2"})
        self.assertEqual(set(self.listed("--owner", "me")), {"1", "10"})
        self.assertEqual(set(self.listed("--mark", "wont_do")), {"2"})
        self.assertEqual(set(self.listed("--mark", "none", "--area", "core")), {"1"})
        self.assertEqual(self.track("list", "--state", "done").code, 2)
        ran = self.track("list", "--area", "nowhere")
        self.assertEqual((ran.code, ran.out), (0, ""))
        self.assertIn("none of 4 items fits", ran.err)

    def test_text_and_csv(self):
        self.bring()
        self.assertRegex(self.track("list").out, r"(?m)^11 +missing .*Gone$")
        rows = list(csv.DictReader(io.StringIO(self.track("list", "-o", "csv").out)))
        self.assertEqual([row["state"] for row in rows], ["untouched", "clean", "uses_left", "missing"])

    def test_our_own_csv_changes_nothing(self):
        self.bring()
        for options in (("1", "--owner", "zoe"), ("2", "--area", "ops"), ("10", "--mark", "blocked", "--reason", "a, b")):
            self.assertEqual(self.track("set", *options).code, 0)
        before = self.track("list", "-o", "json").out
        own = self.scratch / "own.csv"
        own.write_text(self.track("list", "-o", "csv").out)
        ran = self.track("import", own)
        self.assertEqual((ran.code, ran.out), (0, "4 items: 4 unchanged\n"), ran.err)
        self.assertEqual(self.track("list", "-o", "json").out, before)

    def test_without_items(self):
        ran = self.track("list")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("track import", ran.out)
        self.assertFalse((self.tree / ".hwsift").exists())
        self.assert_refused(self.track("show", "1"), 2, "no items are tracked", "track import")


class ShowAndSet(TrackTest):
    def setUp(self):
        super().setUp()
        self.bring()

    def test_show(self):
        ran = self.track("show", "10")
        self.assertEqual(ran.code, 0, ran.err)
        for line in ("10  Folder", "state      uses_left", "parts      2 files, 2 classes, 2 tests; 1 labelled",
                     "owner      you, me", "  test/sub/test_move.py::TestMove  DEVICE_GENERIC (no label), 1 test",
                     "  test/test_clean.py::TestLength  GENERIC (labelled), 1 test"):
            self.assertIn(line, ran.out)
        ran, document = self.document("track", "show", "10")
        self.assertEqual([cls["category"] for cls in document["items"][0]["in_scope"]], ["DEVICE_GENERIC", "GENERIC"])

    def test_an_unknown_id(self):
        self.assert_refused(self.track("show", "110"), 2, "no such item", "did you mean")
        self.assert_refused(self.track("set", "zzzzzz", "--note", "n"), 2, "no such item", "track list")

    def test_a_mark_needs_a_reason_and_changes_no_state(self):
        self.assert_refused(self.track("set", "2", "--mark", "blocked"), 2, "--reason TEXT")
        self.assert_refused(self.track("set", "2", "--mark", "blocked", "--reason", " "), 2, "--reason")
        self.assert_refused(self.track("set", "2", "--reason", "r"), 2, "--mark")
        self.assert_refused(self.track("set", "2"), 2, "nothing to set")
        self.assertEqual(self.track("set", "2", "--mark", "done", "--reason", "r").code, 2)
        ran = self.track("set", "2", "--mark", "blocked", "--reason", "waits")
        self.assertEqual((ran.code, ran.out), (0, "2  blocked: waits\n"), ran.err)
        item = self.listed()["2"]
        self.assertEqual((item["mark"], item["reason"], item["state"]), ("blocked", "waits", "clean"))
        self.assertIn("mark       blocked (set by hand): waits", self.track("show", "2").out)
        self.track("set", "2", "--mark", "none")
        self.assertEqual(self.listed()["2"]["reason"], "")

    def test_what_is_set_by_hand_survives_imports(self):
        self.track("set", "1", "--owner", "hand", "--area", "mine", "--note", "look", "--mark", "wont_do", "--reason", "r")
        self.bring(LIST.replace(",core,me,", ",nn,new,"))
        item = self.listed()["1"]
        self.assertEqual([item[key] for key in ("owner", "area", "note", "mark")], ["hand", "mine", "look", "wont_do"])
        shown = self.track("show", "1").out
        self.assertIn("owner      hand (set by hand; the list says new)", shown)
        self.assertIn("area       mine (set by hand; the list says nn)", shown)
        self.track("set", "1", "--owner", "none", "--note", "none")
        item = self.listed()["1"]
        self.assertEqual((item["owner"], item["area"], item["note"], item["listed"]), ("new", "mine", "", {"area": "nn"}))

    def test_what_many_set_at_a_time_is_all_kept(self):
        ids = list(self.listed())
        running = [subprocess.Popen([HWSIFT, "-C", self.tree, "-q", "track", "set", one, "--note", f"note {one} {turn}"],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                   for turn in range(3) for one in ids]
        self.assertEqual({process.wait() for process in running}, {0})
        for one in ids:
            self.assertTrue(self.listed()[one]["note"].startswith(f"note {one} "), one)

    def test_a_row_that_somebody_broke(self):
        with sqlite3.connect(self.tree / ".hwsift/hwsift.sqlite") as database:
            database.execute("UPDATE item SET paths = '{' WHERE id = '2'")
        for arguments in (["list"], ["show", "1"], ["set", "1", "--note", "n"], ["import", "items.csv"]):
            self.assert_refused(self.track(*arguments), 2, "hwsift.sqlite", "'2'")


class Gone(harness.GitTest):
    def commit(self, message, day):
        moment = f"@{1767614400 + day * 86400} +0000"
        self.environment |= {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "--short=9", "HEAD")

    def shown(self, id):
        ran = self.run_here(HWSIFT, "track", "show", id)
        self.assertEqual(ran.code, 0, ran.err)
        return ran.out

    def test_what_was_clean_and_is_gone_says_since_when(self):
        self.write("test/test_clean.py", CLEAN)
        self.write("test/test_plain.py")
        self.write(".gitignore", ".hwsift\nitems.md\n")
        self.commit("both are there", 0)
        (self.tree / "test/test_clean.py").unlink()
        (self.tree / "test/test_plain.py").unlink()
        self.write("test/test_else.py", CUDA_TEST)
        gone = self.commit("both go", 1)
        self.write("items.md", "- [ ] test/test_clean.py\n- [ ] test/test_plain.py\n- [ ] test/test_never.py\n")
        self.assertEqual(self.run_here(HWSIFT, "track", "import", "items.md").code, 0)
        self.assertEqual(self.run_here(HWSIFT, "history", "backfill", "--from", "HEAD~1").code, 0)
        self.assertRegex(self.shown("test/test_clean.py"),
                         rf"(?m)^state      missing; it was clean until 2026-01-06  {gone[:7]}\w*  t: both go$")
        self.write("test/test_late.py", CLEAN)
        self.commit("one comes", 2)
        (self.tree / "test/test_late.py").unlink()
        self.write("items.md", "- [ ] test/test_late.py\n")
        self.assertEqual(self.run_here(HWSIFT, "track", "import", "items.md").code, 0)
        self.assertEqual(self.run_here(HWSIFT, "history", "backfill").code, 0)
        self.assertRegex(self.shown("test/test_late.py"), r"(?m)^state      missing; it was clean until now$")
        for never_done in ("test/test_plain.py", "test/test_never.py"):
            self.assertRegex(self.shown(never_done), r"(?m)^state      missing$")


if __name__ == "__main__":
    harness.main()
