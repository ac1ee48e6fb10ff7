"""The ratchet: both forms of the allowlist, its commands, its budget, renamed files, and real merges by git."""
import json
import os
import shutil

import harness
from harness import HWSIFT, PLAIN_TEST, HwsiftTest, run

CLEAN = PLAIN_TEST.replace("import TestCase", "import HardwareClassification, TestCase").replace(
    "    def", "    hw_classification = HardwareClassification.GENERIC\n\n    def", 1)
TWO_CLASSES = PLAIN_TEST + "\n\n" + PLAIN_TEST.split("\n\n\n")[1].replace("TestLength", "TestOther")


class AllowlistTest(HwsiftTest):
    def listed(self, name="allowlist.json"):
        return json.loads((self.tree / name).read_text())

    def text(self, name="allowlist.yaml"):
        return (self.tree / name).read_text()

    def git(self, *arguments, code=0):
        names = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "merge.renames=true")
        ran = run("git", *names, *arguments, cwd=self.tree, env={"GIT_CONFIG_GLOBAL": os.devnull})
        self.assertEqual(ran.code, code, ran.err + ran.out)
        return ran

    def start_git(self):
        self.git("init", "-q", "-b", "main")
        self.commit("first")

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)


class Check(AllowlistTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_needed.py")
        self.write("test/test_clean.py", CLEAN)

    def test_names_what_is_stale(self):
        self.write("allowlist.json", '["test/test_clean.py",\n "test/test_gone.py",\n "test/test_needed.py"]')
        ran = self.hwsift("allowlist", "check")
        self.assertEqual(ran.code, 6, ran.err)
        self.assertIn("allowlist.json:1:2: test/test_clean.py: no finding of profile recommended is left", ran.out)
        self.assertIn("allowlist.json:2:2: test/test_gone.py: the file is gone (remove the entry)", ran.out)
        self.assertIn("2 of 3 entries stale; 'hwsift allowlist prune'", ran.out)
        self.assertNotIn("test_needed", ran.out)

    def test_a_list_that_is_right(self):
        self.write("allowlist.json", '["test/test_needed.py"]')
        ran = self.hwsift("allowlist", "check")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("1 entry, none stale (profile recommended)", ran.out)

    def test_the_tree_may_have_other_findings(self):
        self.write("test/test_other.py")
        self.write("allowlist.json", '["test/test_needed.py"]')
        self.assertEqual(self.hwsift("allowlist", "check").code, 0)

    def test_a_broken_or_missing_list(self):
        self.assert_refused(self.hwsift("allowlist", "check"), 2, "allowlist.json", "allowlist init")
        self.write("allowlist.json", "[1")
        self.assert_refused(self.hwsift("allowlist", "check"), 2, "allowlist.json:1:")
        self.write("list.yaml", "- path: a\n  reasn: r\n")
        self.assert_refused(self.hwsift("allowlist", "check", "--allowlist", "list.yaml"), 2, "list.yaml:2:",
                            "did you mean 'reason'?")

    def test_narrow_entries(self):
        self.write("test/test_two.py", TWO_CLASSES)
        self.write("allowlist.yaml", "- path: test/test_two.py\n  class: TestOther\n  reason: r\n"
                   "- path: test/test_two.py\n  class: TestGone\n  reason: r\n"
                   "- path: test/test_two.py\n  rule: only_for\n  reason: r\n")
        ran = self.hwsift("allowlist", "check", "--allowlist", "allowlist.yaml")
        self.assertEqual(ran.code, 6)
        self.assertIn("test/test_two.py (class TestGone)", ran.out)
        self.assertIn("test/test_two.py (rule only_for)", ran.out)
        self.assertNotIn("TestOther", ran.out)


class Budget(AllowlistTest):
    def setUp(self):
        super().setUp()
        for letter in "abc":
            self.write(f"test/test_{letter}.py")
        self.assertEqual(self.hwsift("allowlist", "init").code, 0)

    def check(self, *more):
        return self.hwsift("allowlist", "check", "--budget", "budget", *more)

    def test_holds_falls_and_never_rises(self):
        self.write("budget", "3\n")
        self.assertEqual(self.check().code, 0)
        self.write("budget", "2\n")
        ran = self.check("--tighten")
        self.assertEqual(ran.code, 6)
        self.assertIn("the allowlist has 3 entries, the budget is 2", ran.out)
        self.assertEqual(self.text("budget"), "2\n")
        self.write("budget", "9\n")
        ran = self.check()
        self.assertEqual(ran.code, 0)
        self.assertIn("--tighten lowers it", ran.out)
        self.assertEqual(self.text("budget"), "9\n")
        self.assertEqual(self.check("--tighten").code, 0)
        self.assertEqual(self.text("budget"), "3\n")

    def test_is_made_by_tighten(self):
        self.assert_refused(self.check(), 2, "budget", "--tighten")
        self.assertEqual(self.check("--tighten").code, 0)
        self.assertEqual(self.text("budget"), "3\n")

    def test_broken(self):
        self.write("budget", "many\n")
        self.assert_refused(self.check(), 2, "budget:1:1")

    def test_options_without_a_budget(self):
        self.assert_refused(self.hwsift("allowlist", "check", "--tighten"), 2, "--budget FILE")

    def test_a_raise_is_seen_against_git(self):
        self.write("budget", "3\n")
        self.start_git()
        self.write("budget", "5\n")
        ran = self.check()
        self.assertEqual(ran.code, 6)
        self.assertIn("the budget was raised from 3 to 5 (it may only fall: put 3 back)", ran.out)
        self.commit("raise")
        self.assertEqual(self.check().code, 0)
        self.assertEqual(self.check("--base", "HEAD~1").code, 6)
        self.assert_refused(self.check("--base", "nowhere"), 2, "nowhere")
        (self.tree / "budget").unlink()
        self.assert_refused(self.check("--tighten"), 2, "take it back from git")

    def test_prune_lowers_it(self):
        self.write("budget", "3\n")
        self.write("test/test_b.py", CLEAN)
        self.assertEqual(self.hwsift("allowlist", "prune", "--budget", "budget").code, 0)
        self.assertEqual(self.text("budget"), "2\n")
        self.assertEqual(len(self.listed()), 2)


class Prune(AllowlistTest):
    def test_drops_what_is_stale_and_says_so(self):
        self.write("test/test_needed.py")
        self.write("test/test_clean.py", CLEAN)
        self.write("allowlist.json", '["test/test_needed.py", "test/test_gone.py", "test/test_clean.py"]')
        ran = self.hwsift("allowlist", "prune")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("dropped  test/test_gone.py: the file is gone", ran.out)
        self.assertIn("dropped  test/test_clean.py: no finding", ran.out)
        self.assertEqual(self.text("allowlist.json"), '[\n  "test/test_needed.py"\n]\n')
        again = self.hwsift("allowlist", "prune")
        self.assertEqual(again.code, 0)
        self.assertIn("1 entry, nothing to prune", again.out)

    def test_a_list_that_is_right_keeps_every_byte(self):
        self.write("test/test_needed.py")
        odd = '[ "test/test_needed.py"   ]'
        self.write("allowlist.json", odd)
        self.assertEqual(self.hwsift("allowlist", "prune").code, 0)
        self.assertEqual(self.text("allowlist.json"), odd)

    def test_yaml_keeps_reasons_and_the_head(self):
        self.write("test/test_needed.py")
        self.write("hwsift.yaml", "allowlist: allowlist.yaml\n")
        needed = '- path: test/test_needed.py\n  reason: "slow: later"\n  owner: me\n  since: 2026-03-14\n'
        self.write("allowlist.yaml", "# Mend these.\n\n- path: test/test_gone.py\n  reason: r\n# lost\n" + needed)
        ran = self.hwsift("allowlist", "prune")
        self.assertEqual(ran.code, 0)
        self.assertIn("comments below the first entry are not kept", ran.err)
        self.assertEqual(self.text(), "# Mend these.\n\n" + needed)


class Add(AllowlistTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_two.py", TWO_CLASSES)
        self.write("test/test_clean.py", CLEAN)

    def add(self, *arguments, **options):
        return self.hwsift("allowlist", "add", *arguments, **options)

    def test_needs_a_reason(self):
        self.assertEqual(self.add("test/test_two.py").code, 2)
        self.assert_refused(self.add("test/test_two.py", "--reason", " "), 2, "--reason")
        self.assertFalse((self.tree / "allowlist.json").exists())

    def test_to_json(self):
        ran = self.add("test_two.py", "--reason", "later", cwd=self.tree / "test")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("the reason is not stored", ran.err)
        self.assertEqual(self.listed(), ["test/test_two.py"])
        self.assert_refused(self.add("test/test_two.py", "--reason", "later"), 2, "has 'test/test_two.py' already")

    def test_json_holds_no_class(self):
        ran = self.add("test/test_two.py", "--class", "TestOther", "--reason", "later")
        self.assert_refused(ran, 2, "YAML")

    def test_to_yaml(self):
        ran = self.add("test/test_two.py", "--class", "TestOther", "--rule", "hw_classification", "--reason", "later",
                       "--owner", "me", "--allowlist", "allowlist.yaml")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertRegex(self.text(), r"\A- path: test/test_two.py\n  class: TestOther\n  rule: hw_classification\n"
                         r"  reason: later\n  owner: me\n  since: \d{4}-\d\d-\d\d\n\Z")
        ran, document = self.document("lint", "--allowlist", "allowlist.yaml")
        self.assertEqual([finding["class"] for finding in document["findings"]], ["TestLength"])

    def test_what_has_no_findings_is_refused(self):
        for arguments in (["test/test_clean.py"], ["test/test_two.py", "--class", "TestGone"]):
            ran = self.add(*arguments, "--reason", "r", "--allowlist", "allowlist.yaml")
            self.assert_refused(ran, 2, "finds nothing there")

    def test_what_cannot_be_meant_is_refused(self):
        self.assert_refused(self.add("test/test_gone.py", "--reason", "r"), 2, "test/test_gone.py")
        self.assert_refused(self.add("test", "--reason", "r"), 2, "is a folder")
        self.assert_refused(self.add(str(HWSIFT), "--reason", "r"), 2, "not below the tree")
        ran = self.add("test/test_two.py", "--rule", "onlyfor", "--reason", "r")
        self.assert_refused(ran, 2, "did you mean 'only_for'?")


class InitYaml(AllowlistTest):
    def test_needs_a_reason_and_lint_is_clean(self):
        self.write("test/test_a.py")
        ran = self.hwsift("allowlist", "init", "--output", "allowlist.yaml")
        self.assert_refused(ran, 2, "--reason")
        ran = self.hwsift("allowlist", "init", "--output", "allowlist.yaml", "--reason", "found at the start")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("- path: test/test_a.py\n  reason: found at the start\n  since: 20", self.text())
        self.assertEqual(self.hwsift("lint", "--allowlist", "allowlist.yaml").code, 0)


class StaleInLint(AllowlistTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_a.py")
        self.write("hwsift.yaml", "allowlist: allowlist.yaml\n")
        self.write("allowlist.yaml", "- path: test/test_a.py\n  class: TestLength\n  reason: r\n"
                   "- path: test/test_a.py\n  class: TestGone\n  reason: r\n"
                   "- path: test/test_gone.py\n  reason: r\n")

    def test_is_exit_6_when_nothing_else_is_found(self):
        ran, document = self.document("lint")
        self.assertEqual(ran.code, 6, ran.err)
        self.assertEqual([(f["rule"], f["path"], f["line"], f["severity"]) for f in document["findings"]],
                         [("stale_allowlist", "allowlist.yaml", 4, "warning"),
                          ("stale_allowlist", "allowlist.yaml", 7, "warning")])
        self.write("test/test_b.py")
        self.assertEqual(self.hwsift("lint").code, 1)

    def test_only_where_the_whole_tree_is_linted(self):
        self.assertEqual(self.hwsift("lint", "test/test_a.py").code, 0)

    def test_is_not_in_the_profiles_of_upstream(self):
        for profile in ("upstream-strict", "upstream-relaxed", "declare"):
            self.assertEqual(self.hwsift("lint", "--profile", profile).code, 0)

    def test_is_a_message_of_lintrunner(self):
        ran = self.hwsift("lint", "-o", "lintrunner")
        self.assertEqual(ran.code, 0, ran.err)
        messages = [json.loads(line) for line in ran.out.splitlines()]
        self.assertEqual([(m["path"], m["name"]) for m in messages], [("allowlist.yaml", "stale_allowlist")] * 2)

    def test_is_gone_after_pruning(self):
        self.assertEqual(self.hwsift("allowlist", "prune").code, 0)
        self.assertEqual(self.hwsift("lint").code, 0)
        self.assertEqual(self.hwsift("allowlist", "check").code, 0)


class Renamed(AllowlistTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_old.py", TWO_CLASSES)
        self.write("hwsift.yaml", "allowlist: allowlist.json\n")
        self.assertEqual(self.hwsift("allowlist", "init").code, 0)
        self.start_git()

    def assert_kept(self, new):
        ran = self.hwsift("lint")
        self.assertEqual(ran.code, 0, ran.out)
        self.assertIn("1 file allowlisted", ran.out)
        self.assertIn(f"test/test_old.py is now {new}", ran.err)
        self.assertIn("'hwsift allowlist prune' writes the new path", ran.err)
        self.assertEqual(self.hwsift("lint", new).code, 0)
        ran = self.hwsift("allowlist", "check")
        self.assertEqual(ran.code, 6)
        self.assertIn(f"the file moved to {new} (write the new path)", ran.out)

    def test_in_the_working_tree(self):
        self.git("mv", "test/test_old.py", "test/test_new.py")
        self.assert_kept("test/test_new.py")

    def test_in_a_commit_and_pruned(self):
        (self.tree / "test/sub").mkdir()
        self.git("mv", "test/test_old.py", "test/sub/test_new.py")
        self.commit("move")
        self.assert_kept("test/sub/test_new.py")
        ran = self.hwsift("allowlist", "prune")
        self.assertEqual(ran.code, 0)
        self.assertIn("moved    test/test_old.py: the file moved to test/sub/test_new.py", ran.out)
        self.assertEqual(self.listed(), ["test/sub/test_new.py"])
        self.assertEqual(self.hwsift("allowlist", "check").code, 0)

    def test_moved_and_mended_is_dropped(self):
        self.git("mv", "test/test_old.py", "test/test_new.py")
        self.commit("move")
        self.write("test/test_new.py", CLEAN)
        self.assertEqual(self.hwsift("allowlist", "prune").code, 0)
        self.assertEqual(self.listed(), [])

    def test_without_git_it_is_gone(self):
        (self.tree / "test/test_old.py").rename(self.tree / "test/test_new.py")
        shutil.rmtree(self.tree / ".git")
        ran = self.hwsift("lint")
        self.assertEqual(ran.code, 1)
        self.assertIn("the file is gone", ran.out)

    def test_in_a_tree_below_the_repository(self):
        above = self.scratch / "above"
        above.mkdir()
        self.git("clone", "-q", ".", str(above / "repo"))
        shutil.rmtree(self.tree / ".git")
        repo = above / "repo"
        run("git", "rm", "-q", "-r", "--cached", ".", cwd=repo)
        (repo / "sub").mkdir()
        for name in ("test", "allowlist.json", "hwsift.yaml"):
            (repo / name).rename(repo / "sub" / name)
        self.tree = repo
        self.commit("below")
        self.git("mv", "sub/test/test_old.py", "sub/test/test_new.py")
        self.tree = repo / "sub"
        self.assert_kept("test/test_new.py")


class Merge(AllowlistTest):
    """Real merges by git, with hwsift as the driver."""

    def setUp(self):
        super().setUp()
        for letter in "abcde":
            self.write(f"test/test_{letter}.py")
        self.write(".gitattributes", "allowlist.* merge=hwsift-allowlist\nbudget merge=hwsift-allowlist\n")

    def start(self, **files):
        for name, content in files.items():
            self.write(name.replace("_", "."), content)
        self.git("init", "-q", "-b", "main")
        self.git("config", "merge.hwsift-allowlist.name", "the stricter allowlist")
        self.git("config", "merge.hwsift-allowlist.driver", f"'{HWSIFT}' allowlist merge %O %A %B %P")
        self.commit("first")
        self.git("branch", "topic")

    def paths(self, letters):
        return json.dumps([f"test/test_{letter}.py" for letter in letters], indent=2) + "\n"

    def side(self, branch, **files):
        self.git("switch", "-q", branch)
        for name, content in files.items():
            if content is None:
                (self.tree / name.replace("_", ".")).unlink()
            else:
                self.write(name.replace("_", "."), content)
        self.commit(branch)

    def merge(self, code=0):
        self.git("switch", "-q", "main")
        return self.git("merge", "-q", "--no-edit", "topic", code=code)

    def test_removals_add_up_and_additions_stay(self):
        self.start(allowlist_json=self.paths("abcd"), budget="4\n")
        self.side("topic", allowlist_json=self.paths("abc"), budget="3\n")
        self.side("main", allowlist_json=self.paths("cde"), budget="2\n")
        self.merge()
        self.assertEqual(self.text("allowlist.json"), self.paths("ce"))
        self.assertEqual(self.text("budget"), "2\n")
        self.assertEqual(self.git("status", "--porcelain").out, "")

    def test_git_alone_would_conflict(self):
        self.start(allowlist_json=self.paths("abcd"))
        self.git("config", "merge.hwsift-allowlist.driver", "false")
        self.side("topic", allowlist_json=self.paths("acd"))
        self.side("main", allowlist_json=self.paths("abd"))
        self.merge(code=1)

    def test_the_order_of_the_sides_does_not_matter(self):
        self.start(allowlist_json=self.paths("abcd"))
        self.side("main", allowlist_json=self.paths("abc"))
        self.side("topic", allowlist_json=self.paths("cde"))
        self.git("merge", "-q", "--no-edit", "main")
        self.assertEqual(self.text("allowlist.json"), self.paths("ce"))

    def test_yaml_removal_against_change_and_narrowing(self):
        def entry(letter, reason="r", cls=""):
            return f"- path: test/test_{letter}.py\n" + (f"  class: {cls}\n" if cls else "") + f"  reason: {reason}\n"
        self.start(allowlist_yaml="# head\n" + entry("a") + entry("b") + entry("c"))
        self.side("topic", allowlist_yaml="# head\n" + entry("a", "changed") + entry("b") + entry("c", cls="TestLength"))
        self.side("main", allowlist_yaml="# head\n" + entry("b", "ours") + entry("c", "kept"))
        self.merge()
        self.assertEqual(self.text(), "# head\n" + entry("b", "ours") + entry("c", cls="TestLength"))

    def test_the_list_itself_renamed_on_one_side(self):
        self.start(allowlist_json=self.paths("abcde"))
        self.git("switch", "-q", "topic")
        self.git("mv", "allowlist.json", "allowlist.moved.json")
        self.commit("rename")
        self.side("main", allowlist_json=self.paths("bcde"))
        self.merge()
        self.assertEqual(self.text("allowlist.moved.json"), self.paths("bcde"))
        self.assertFalse((self.tree / "allowlist.json").exists())

    def test_a_test_renamed_on_one_side_and_mended_on_the_other(self):
        self.start(allowlist_json=self.paths("abc"))
        self.git("switch", "-q", "topic")
        self.git("mv", "test/test_a.py", "test/test_z.py")
        self.assertEqual(self.hwsift("allowlist", "prune").code, 0)
        self.assertEqual(self.text("allowlist.json"), self.paths("bcz"))
        self.commit("move")
        self.side("main", allowlist_json=self.paths("ab"))
        self.merge()
        self.assertEqual(self.text("allowlist.json"), self.paths("bz"))
        self.assertEqual(self.hwsift("allowlist", "check").code, 0)

    def test_deleted_on_one_side_is_gits_to_ask(self):
        self.start(allowlist_json=self.paths("abc"))
        self.side("topic", allowlist_json=None)
        self.side("main", allowlist_json=self.paths("ab"))
        self.assertIn("allowlist.json", self.merge(code=1).out)

    def test_made_by_both_sides(self):
        self.start()
        self.side("topic", allowlist_json=self.paths("ab"))
        self.side("main", allowlist_json=self.paths("bc"))
        self.merge()
        self.assertEqual(self.text("allowlist.json"), self.paths("abc"))

    def test_a_broken_side_is_a_conflict_with_its_place_and_ours_stays(self):
        self.start(allowlist_json=self.paths("abc"))
        self.side("topic", allowlist_json='[\n"test/test_a.py",\n')
        self.side("main", allowlist_json=self.paths("ab"))
        ran = self.merge(code=1)
        self.assertIn("allowlist.json (theirs):3:", ran.err + ran.out)
        self.assertEqual(self.text("allowlist.json"), self.paths("ab"))
        self.assertIn("UU allowlist.json", self.git("status", "--porcelain").out)

    def test_needs_no_tree(self):
        place = self.scratch / "place"
        place.mkdir()
        for name, letters in (("base", "ab"), ("ours", "a"), ("theirs", "b")):
            (place / name).write_text(self.paths(letters))
        self.assertEqual(self.hwsift("allowlist", "merge", "base", "ours", "theirs", cwd=place).code, 0)
        self.assertEqual((place / "ours").read_text(), "[]\n")
        self.assert_refused(self.hwsift("allowlist", "merge", "base", "none", "theirs", cwd=place), 2, "none")


if __name__ == "__main__":
    harness.main()
