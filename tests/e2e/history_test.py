"""History read from git, as users do it: which commits become points, what a second run does, what is kept where a
clone is shallow or the rules are others, and that the reports show the numbers that classify and lint show."""
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import time

import harness
from harness import CUDA_TEST, HWSIFT, PLAIN_TEST, run

LABELLED = PLAIN_TEST.replace("import TestCase", "import HardwareClassification, TestCase").replace(
    "    def", "    hw_classification = HardwareClassification.GENERIC\n\n    def", 1)
# What every database of the same history shows, whoever made it and in how many runs. A line in the making (1) that its
# maker gave up may be left beside it.
CONTENT = (
    "SELECT position, hash, date, author, subject, point, gap_before, files, classes, tests, declared, mixed, uses, "
    "findings, allowlisted FROM line_commit WHERE line = 0 ORDER BY position",
    "SELECT position, version.path, blob, moved_from, was_read, test_file, owners, outside_uses, measure.findings, place, name, "
    "class_measure.line, tests, declared, inferred, mixed, uses, class_measure.findings FROM version LEFT JOIN measure ON measure.id = version.measure "
    "LEFT JOIN class_measure ON class_measure.measure = measure.id WHERE version.line = 0 ORDER BY position, version.path, place",
    "SELECT position, entry, path, whole_file, added FROM allowlist_step WHERE line = 0 ORDER BY position, entry, added",
    "SELECT line, allowlist_file, begins, every, traits FROM line_state WHERE line = 0")


def named(name, text=PLAIN_TEST):
    return text.replace("TestLength", name).replace("TestMove", name)


class HistoryTest(harness.GitTest):
    def commit(self, message, day, cwd=None):
        """A commit at noon of a day of 2026 (0 is Monday, January 5); its hash."""
        moment = f"@{1767614400 + day * 86400} +0000"
        self.environment |= {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
        self.git("add", "-A", cwd=cwd)
        self.git("commit", "-q", "--allow-empty", "-m", message, cwd=cwd)
        return self.git("rev-parse", "HEAD", cwd=cwd)

    def backfill(self, *arguments, code=0, cwd=None):
        ran = self.run_here(HWSIFT, "history", "backfill", *arguments, cwd=cwd)
        self.assertEqual(ran.code, code, ran.err)
        self.assertEqual(ran.out, "")
        return ran

    def measured(self, ran):
        return int(re.search(r"measured (\d+)\s+files", ran.err)[1])

    def rows(self, sql, *arguments, cwd=None):
        ran = self.run_here(HWSIFT, "history", "query", sql, "-o", "csv", *arguments, cwd=cwd)
        self.assertEqual(ran.code, 0, ran.err)
        return list(csv.reader(ran.out.splitlines()))[1:]

    def content(self, *arguments, cwd=None):
        return [self.rows(sql, *arguments, cwd=cwd) for sql in CONTENT]

    def subjects(self, where="", cwd=None):
        return " ".join(row[0] for row in self.rows(f"SELECT subject FROM line_commit {where} ORDER BY position", cwd=cwd))

    def points(self, cwd=None):
        return self.subjects("WHERE point", cwd=cwd)

    def progress(self, *arguments, cwd=None):
        ran = self.run_here(HWSIFT, "report", "progress", "-o", "json", *arguments, cwd=cwd)
        self.assertEqual(ran.code, 0, ran.err)
        return json.loads(ran.out)

    def five_weeks(self):
        """One commit each but for the third week; b labels, d renames, e brings uses."""
        self.write("test/test_a.py", named("TestA"))
        self.write("test/test_long.py", named("TestLong") + "\n\n# much text\n" * 30)
        hashes = [self.commit("a", 0)]
        self.write("test/test_a.py", named("TestA", LABELLED))
        hashes.append(self.commit("b", 7))
        self.write("readme", "1")
        self.commit("nothing", 8)
        self.write("test/test_c.py", named("TestC"))
        hashes.append(self.commit("c", 9))
        self.git("mv", "test/test_long.py", "test/test_longer.py")
        hashes.append(self.commit("d", 21))
        self.write("test/test_e.py", named("TestE", CUDA_TEST))
        hashes.append(self.commit("e", 28))
        return hashes


class Backfill(HistoryTest):
    def test_one_point_a_week_that_has_a_commit(self):
        hashes = self.five_weeks()
        ran = self.backfill("--from", hashes[0])
        self.assertEqual(self.points(), "a c d e")
        self.assertEqual(self.subjects(), "a b c d e", "what changed nothing is left out")
        self.assertIn("read 6 commits, 4 of them points", ran.err)
        self.assertEqual(self.rows("SELECT classes, declared, uses FROM line_commit WHERE subject = 'e'"), [["4", "1", "1"]])
        self.assertEqual(self.rows("SELECT path, moved_from FROM version WHERE moved_from <> ''"),
                         [["test/test_longer.py", "test/test_long.py"]])
        self.assertIn("repository begins", self.rows("SELECT begins FROM line_state")[0][0])

    def test_from_is_inclusive(self):
        hashes = self.five_weeks()
        self.backfill("--from", hashes[1][:12])
        self.assertEqual(self.subjects(), "b c d e")
        self.assertEqual(self.rows("SELECT count(*) FROM version WHERE position = 1"), [["2"]], "all files of the first")
        self.backfill("--from", hashes[0])
        self.assertEqual(self.subjects(), "a b c d e", "and may go further back later")
        self.backfill("--from", "HEAD")
        self.assertEqual(self.subjects(), "a b c d e", "or not")

    def test_a_second_run_does_nothing(self):
        self.five_weeks()
        self.backfill("--from", "HEAD~5")
        before = self.content()
        self.assertIn("up to date", self.backfill().err)
        self.assertIn("up to date", self.backfill("--from", "HEAD~5").err)
        self.assertEqual(self.content(), before)

    def test_new_commits_are_added(self):
        hashes = self.five_weeks()
        self.git("branch", "whole")
        self.git("reset", "-q", "--hard", hashes[2])
        self.backfill("--from", hashes[0])
        self.git("reset", "-q", "--hard", "whole")
        ran = self.backfill()
        self.assertEqual(self.measured(ran), 2)
        in_steps = self.content()
        shutil.rmtree(self.tree / ".hwsift")
        self.backfill("--from", hashes[0])
        self.assertEqual(in_steps, self.content())

    def test_every_commit_after_every_week(self):
        self.five_weeks()
        self.backfill("--from", "HEAD~5")
        ran = self.backfill("--every", "commit")
        self.assertEqual(self.points(), "a b nothing c d e")
        self.assertEqual(self.measured(ran), 0)
        self.assertIn("up to date", self.backfill().err)
        self.backfill("--every", "week")
        self.assertEqual(self.points(), "a c d e")

    def test_any_number_of_threads(self):
        self.five_weeks()
        self.backfill("--from", "HEAD~5", "--jobs", "1", "--db", self.scratch / "one")
        self.backfill("--from", "HEAD~5", "--jobs", "4", "--db", self.scratch / "four")
        self.assertEqual(self.content("--db", self.scratch / "one"), self.content("--db", self.scratch / "four"))

    def test_merges_count_as_one_step(self):
        self.write("test/test_a.py", named("TestA"))
        self.commit("a", 0)
        self.git("switch", "-q", "-c", "topic")
        self.write("test/test_b.py", named("TestB"))
        self.commit("on-topic", 1)
        self.write("test/test_b.py", named("TestB", LABELLED))
        self.commit("on-topic-too", 2)
        self.git("switch", "-q", "main")
        self.write("test/test_c.py", named("TestC"))
        self.commit("c", 8)
        self.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
        self.backfill("--from", "HEAD~2", "--every", "commit")
        self.assertEqual(self.subjects(), "a c merge")
        self.assertEqual(self.rows("SELECT classes, declared FROM line_commit WHERE subject = 'merge'"), [["3", "1"]])
        self.assert_refused(self.backfill("--from", "topic", code=2), 2, "first-parent line")

    def test_a_tree_in_a_folder_of_the_repository(self):
        self.write("sub/test/test_a.py", named("TestA"))
        self.write("test/test_other.py")
        self.commit("a", 0)
        self.write("sub/test/test_a.py", named("TestA", LABELLED))
        self.commit("b", 7)
        ran = self.run_here(HWSIFT, "-C", "sub", "history", "backfill", "--from", "HEAD~1")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(self.rows("SELECT subject, files, declared FROM line_commit", cwd=self.tree / "sub"),
                         [["a", "1", "0"], ["b", "1", "1"]])
        self.assertEqual(self.rows("SELECT DISTINCT path FROM version", cwd=self.tree / "sub"), [["test/test_a.py"]])

    def test_a_test_folder_that_comes_late_and_goes(self):
        self.write("readme", "1")
        self.commit("none", 0)
        self.write("test/test_a.py")
        self.commit("some", 7)
        self.git("rm", "-rq", "test")
        self.commit("gone", 14)
        (self.tree / "test").mkdir()
        self.backfill("--from", "HEAD~2")
        self.assertEqual([row[0] for row in self.rows("SELECT files FROM line_commit")], ["0", "1", "0"])

    def test_the_work_tree_is_not_touched(self):
        self.five_weeks()
        self.write("test/test_a.py", "changed = 1\n")
        self.write("test/test_new.py")
        state = lambda: (self.git("--no-optional-locks", "status", "--porcelain"), self.git("stash", "list"), self.git("reflog"), {
            path: path.lstat().st_mtime_ns for path in self.tree.rglob("*") if ".hwsift" not in path.parts})
        before = state()
        self.backfill("--from", "HEAD~5")
        self.progress()
        self.assertEqual(state(), before)

    def test_killed_and_taken_up_again(self):
        for i in range(60):
            self.write(f"test/test_{i % 15}.py", named(f"Test{i}", LABELLED if i % 3 else CUDA_TEST) * 20)
            if i % 5 == 0:
                self.write("allowlist.json", json.dumps([f"test/test_{i % 15}.py"]))
            self.commit(f"c{i}", 2 * i)
        self.backfill("--from", "HEAD~59", "--db", self.scratch / "whole")
        wanted = self.content("--db", self.scratch / "whole")
        database = ("--db", self.scratch / "killed")
        kills = 0
        for attempt in range(300):
            process = subprocess.Popen([HWSIFT, "history", "backfill", "--from", "HEAD~59", *database], cwd=self.tree,
                                       env=self.environment, stderr=subprocess.DEVNULL)
            try:
                process.wait(0.015 + 0.003 * attempt)
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
        self.backfill(*database)
        self.assertGreater(kills, 1)
        self.assertEqual(self.content(*database), wanted)
        # A rebuild that is killed leaves the old history in sight until it is done.
        self.write("hwsift.yaml", "profile: declare\n")
        process = subprocess.Popen([HWSIFT, "history", "backfill", *database], cwd=self.tree, env=self.environment,
                                   stderr=subprocess.DEVNULL)
        time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertGreaterEqual(len(self.rows("SELECT 1 FROM line_commit WHERE line = 0", *database)), 60)
        self.backfill(*database)
        self.backfill("--from", "HEAD~59", "--db", self.scratch / "anew")
        self.assertEqual(self.content(*database), self.content("--db", self.scratch / "anew"))

    def test_two_at_the_same_time(self):
        self.five_weeks()
        for i in range(20):
            self.write(f"test/test_{i}.py", named(f"Test{i}") * 20)
            self.commit(f"c{i}", 40 + i)
        for first, second in (((), ()), (("--every", "commit"), ("--every", "week"))):
            shutil.rmtree(self.tree / ".hwsift", ignore_errors=True)
            command = [HWSIFT, "history", "backfill", "--from", "HEAD~25"]
            both = [subprocess.Popen([*command, *more], cwd=self.tree, env=self.environment, stderr=subprocess.PIPE)
                    for more in (first, second)]
            ends = [process.communicate()[1].decode() for process in both]
            for process, err in zip(both, ends):
                self.assertIn(process.returncode, (0, 2), err)
                if process.returncode == 2:
                    self.assertIn("another hwsift", err)
            self.assertIn(0, [process.returncode for process in both], ends)
            self.backfill("--from", "HEAD~25", "--every", "week")
            here = self.content()
            self.backfill("--from", "HEAD~25", "--every", "week", "--db", self.scratch / f"alone{len(first)}")
            self.assertEqual(here, self.content("--db", self.scratch / f"alone{len(first)}"))

    def test_a_content_that_the_clone_lacks_is_no_empty_file(self):
        self.five_weeks()
        blob = self.git("rev-parse", "HEAD~2:test/test_a.py")
        self.assertTrue(blob)
        path = self.tree / ".git/objects" / blob[:2] / blob[2:]
        kept = path.read_bytes()
        path.unlink()
        ran = self.backfill("--from", "HEAD~3", code=2)
        self.assertIn("test/test_a.py", ran.err)
        self.assertIn("fetch", ran.err)
        path.write_bytes(kept)
        self.backfill("--from", "HEAD~3")
        self.assertEqual(self.rows("SELECT count(*) FROM measure WHERE was_read = 0"), [["0"]])

    def test_a_few_objects_that_make_a_billion_files(self):
        def made(*arguments, text):
            return subprocess.run(["git", "-C", str(self.tree), *arguments], input=text, text=True, check=True,
                                  capture_output=True).stdout.strip()
        blob = made("hash-object", "-w", "--stdin", text="x = 1\n")
        tree = made("mktree", text="".join(f"100644 blob {blob}\ttest_{i}.py\n" for i in range(10)))
        for _ in range(8):
            tree = made("mktree", text="".join(f"040000 tree {tree}\td{i}\n" for i in range(10)))
        tree = made("mktree", text=f"040000 tree {tree}\ttest\n")
        self.commit("small", 0)
        self.git("update-ref", "refs/heads/main", self.git("commit-tree", "-p", "HEAD", "-m", "large", tree))
        ran = self.backfill("--from", "HEAD~1", code=2)
        self.assertIn("more than two million files differ", ran.err)
        ran = self.run_here(HWSIFT, "report", "progress", "-o", "json")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertTrue(json.loads(ran.out)["changed_tree"])

    def test_refusals(self):
        self.assert_refused(self.backfill("--from", "HEAD", code=2), 2, "no commit")
        self.five_weeks()
        self.assert_refused(self.backfill(code=2), 2, "--from", "no history yet")
        self.assert_refused(self.backfill("--from", "nowhere", code=2), 2, "nowhere")
        self.assert_refused(self.backfill("--from", "--x", code=2), 2)
        self.assert_refused(self.backfill("--from", "HEAD:readme", code=2), 2)
        self.assertNotEqual(self.run_here(HWSIFT, "history", "backfill", "--every", "day").code, 0)
        self.assert_refused(self.backfill("--from", "HEAD", "--allowlist", "/etc/passwd", code=2), 2, "outside of the tree")
        shutil.rmtree(self.tree / ".git")
        self.assert_refused(self.backfill("--from", "HEAD", code=2), 2, "not in a git repository")


class Branches(HistoryTest):
    def test_another_branch(self):
        hashes = self.five_weeks()
        self.backfill("--from", hashes[0])
        self.git("switch", "-q", "-c", "other", hashes[2])
        self.write("test/test_x.py", named("TestX"))
        self.commit("x", 30)
        self.assertEqual([point["classes"] for point in self.progress()["history"]][-1], 3, "of this branch alone")
        ran = self.backfill()
        self.assertIn("2 commits of another branch gave way", ran.err)
        self.assertEqual(self.subjects(), "a b c x")
        self.git("switch", "-q", "main")
        self.assertEqual(self.measured(self.backfill()), 0)
        self.assertEqual(self.subjects(), "a b c d e")

    def test_rewritten_commits_are_replaced(self):
        hashes = self.five_weeks()
        self.backfill("--from", hashes[0])
        self.git("reset", "-q", "--soft", hashes[1])
        self.write("test/test_z.py", named("TestZ"))
        self.commit("squashed", 29)
        self.backfill()
        self.assertEqual(self.subjects(), "a b squashed")
        self.git("reset", "-q", "--hard", hashes[1])
        self.backfill()
        self.assertEqual(self.subjects(), "a b")
        self.assertEqual(self.points(), "a b")

    def test_nothing_in_common(self):
        self.five_weeks()
        self.backfill("--from", "HEAD~5")
        self.git("switch", "-q", "--orphan", "apart")
        self.write("test/test_a.py")
        self.commit("apart", 40)
        self.assertEqual(self.progress()["classes"] and len(self.progress()["history"]), 0, "none of this branch")
        self.backfill("--from", "HEAD")
        self.assertEqual(self.subjects(), "apart")


class ShallowClones(HistoryTest):
    def clone(self, depth):
        place = self.scratch / f"clone{depth}"
        self.git("clone", "-q", f"--depth={depth}", f"file://{self.tree}", place, cwd=self.scratch)
        return place

    def test_says_where_it_ends(self):
        self.five_weeks()
        clone = self.clone(3)
        ran = self.backfill("--from", "HEAD~100", cwd=clone)
        self.assertIn("where this shallow clone ends", ran.err)
        self.assertEqual(self.subjects(cwd=clone), "c d e")
        self.assertIn("shallow", " ".join(self.progress(cwd=clone)["notes"]))
        again = self.backfill(cwd=clone)
        self.assertIn("up to date", again.err)
        self.assertIn("shallow", self.rows("SELECT begins FROM line_state", cwd=clone)[0][0])
        self.assert_refused(self.backfill("--from", "nowhere", code=2, cwd=clone), 2, "shallow clone", "--deepen")

    def test_a_database_that_is_carried_over_goes_on_with_a_gap(self):
        self.five_weeks()
        self.backfill("--from", "HEAD~5")
        self.write("test/test_f.py", named("TestF"))
        self.git("rm", "-q", "test/test_c.py")
        self.commit("unseen", 35)
        self.write("version.txt", "2.14.0\n")
        self.write("test/test_g.py", named("TestG", LABELLED))
        self.commit("g", 42)
        clone = self.clone(1)
        shutil.copytree(self.tree / ".hwsift", clone / ".hwsift")
        ran = self.backfill(cwd=clone)
        self.assertIn("is not known", ran.err)
        self.assertEqual(self.subjects(cwd=clone), "a b c d e g")
        self.assertEqual(self.rows("SELECT subject FROM line_commit WHERE gap_before", cwd=clone), [["g"]])
        numbers = "SELECT files, classes, declared, uses, findings FROM line_commit WHERE subject = 'g'"
        self.backfill()
        self.assertEqual(self.rows(numbers, cwd=clone), self.rows(numbers))
        self.assertEqual(self.measured_again(clone), "up to date")
        self.assertNotIn("t", [actor["author"] for down in self.progress(cwd=clone)["burn_down"] for actor in
                               down["actors"] if actor["added"] > 3], "who did it in the gap is not known")

    def measured_again(self, clone):
        return re.search("up to date", self.backfill(cwd=clone).err)[0]

    def test_other_rules_keep_what_cannot_be_measured_again(self):
        self.five_weeks()
        self.backfill("--from", "HEAD~5")
        clone = self.clone(3)
        shutil.copytree(self.tree / ".hwsift", clone / ".hwsift")
        (clone / "hwsift.yaml").write_text("exclude: [test/test_a.py]\n")
        self.backfill(cwd=clone)
        self.assertEqual(self.subjects(cwd=clone), "a b c d e")
        self.assertEqual([row[0] for row in self.rows("SELECT files FROM line_commit", cwd=clone)], ["2", "2", "2", "2", "3"])
        self.assertIn("up to date", self.backfill(cwd=clone).err, "what is older can be measured by nobody here")
        self.assertIn("2 commits were measured by another hwsift", " ".join(self.progress(cwd=clone)["notes"]))
        self.assertIn("repository begins", self.rows("SELECT begins FROM line_state", cwd=clone)[0][0])

    def test_other_rules_and_a_gap(self):
        self.five_weeks()
        self.backfill("--from", "HEAD~5")
        self.commit("unseen", 35)
        self.write("test/test_g.py", named("TestG", LABELLED))
        self.commit("g", 42)
        clone = self.clone(1)
        shutil.copytree(self.tree / ".hwsift", clone / ".hwsift")
        (clone / "hwsift.yaml").write_text("profile: declare\nexclude: [test/test_a.py]\n")
        self.backfill(cwd=clone)
        self.assertEqual(self.subjects(cwd=clone), "a b c d e g")
        self.assertEqual(self.rows("SELECT files, gap_before FROM line_commit WHERE subject = 'g'", cwd=clone), [["4", "1"]])
        self.assertEqual(self.progress(cwd=clone)["totals"]["classes"], 4)
        self.assertEqual(self.measured_again(clone), "up to date")

    def test_a_boundary_that_was_not_recorded(self):
        """The commit where the clone ends changed nothing, so that the database does not have it."""
        self.five_weeks()
        self.backfill("--from", "HEAD~5")
        clone = self.clone(4)  # nothing, c, d, e
        shutil.copytree(self.tree / ".hwsift", clone / ".hwsift")
        (clone / "hwsift.yaml").write_text("profile: declare\n")
        self.backfill(cwd=clone)
        self.assertEqual(self.subjects(cwd=clone), "a b nothing c d e")


class Rules(HistoryTest):
    def test_other_rules_measure_again(self):
        self.five_weeks()
        self.backfill("--from", "HEAD~5")
        for settings in ("profile: declare\n", "exclude: [test/test_c.py]\n", "exclude: [test/test_a.py, test/test_c.py]\n"):
            self.write("hwsift.yaml", settings)
            self.assertIn("measured by another hwsift", " ".join(self.progress()["notes"]))
            self.assertGreater(self.measured(self.backfill()), 2)
            self.assertNotIn("another hwsift", " ".join(self.progress()["notes"]))
            self.assertIn("up to date", self.backfill().err)
        self.assertEqual(self.rows("SELECT DISTINCT path FROM version ORDER BY path"),
                         [["test/test_e.py"], ["test/test_long.py"], ["test/test_longer.py"]])

    def test_a_broken_database_is_refused_and_left(self):
        self.five_weeks()
        database = self.scratch / "foreign"
        for content in (b"something else, long enough to be more than a header " * 20, b"SQLite format 3\0" + b"\x7f" * 4000):
            database.write_bytes(content)
            self.assert_refused(self.backfill("--from", "HEAD~5", "--db", database, code=2), 2, str(database))
            ran = self.run_here(HWSIFT, "history", "query", "SELECT 1", "--db", database)
            self.assert_refused(ran, 2, str(database))
            self.assertNotEqual(self.run_here(HWSIFT, "report", "progress", "--db", database).code, 0)
            self.assertEqual(database.read_bytes(), content)
        self.assert_refused(self.run_here(HWSIFT, "history", "query", "SELECT 1"), 2, "no database")
        self.assertFalse((self.tree / ".hwsift").exists(), "a question makes no database")


class Allowlists(HistoryTest):
    def counts(self):
        return [row[0] for row in self.rows("SELECT coalesce(allowlisted, 'none') FROM line_commit ORDER BY position")]

    def list(self, *paths):
        self.write("allowlist.json", json.dumps(list(paths)))

    def test_what_comes_late_breaks_and_shrinks(self):
        self.write("test/test_a.py", named("TestA"))
        self.write("test/test_b.py", named("TestB"))
        self.commit("none", 0)
        self.list("test/test_a.py", "test/test_b.py")
        self.commit("two", 7)
        self.write("allowlist.json", "[1")
        self.commit("broken", 14)
        self.list("test/test_b.py")
        self.write("test/test_a.py", named("TestA", LABELLED))
        self.commit("one", 21)
        ran = self.backfill("--from", "HEAD~3")
        self.assertEqual(self.counts(), ["none", "2", "2", "1"])
        self.assertEqual(ran.err.count("allowlist.json:1:"), 1, ran.err)
        progress = self.progress()
        down = next(down for down in progress["burn_down"] if down["id"] == "allowlisted")
        self.assertEqual(down["now"], 1)
        self.git("rm", "-q", "allowlist.json")
        self.commit("gone", 28)
        self.backfill()
        self.assertEqual(self.counts()[-1], "none")

    def test_a_list_that_appears_after_the_first_backfill(self):
        self.write("test/test_a.py", named("TestA"))
        self.commit("none", 0)
        self.backfill("--from", "HEAD")
        self.list("test/test_a.py")
        self.commit("listed", 7)
        self.assertEqual(self.measured(self.backfill()), 0, "a list measures nothing")
        self.assertEqual(self.counts(), ["none", "1"])
        self.assertIn("up to date", self.backfill().err)

    def test_a_list_that_is_named(self):
        self.write("test/test_a.py", named("TestA"))
        self.write("lists/mine.json", '["test/test_a.py"]')
        self.commit("a", 0)
        self.write("lists/mine.json", "[]")
        self.commit("b", 7)
        self.backfill("--from", "HEAD~1", "--allowlist", "lists/mine.json")
        self.assertEqual(self.counts(), ["1", "0"])
        self.assertIn("up to date", self.backfill().err, "the name is kept")
        self.assertNotIn("another hwsift", " ".join(self.progress()["notes"]))
        self.assertEqual(self.counts(), ["1", "0"])

    def test_killed_where_the_list_is_broken(self):
        self.write("test/test_a.py", named("TestA"))
        first = self.commit("a", 0)
        self.write("allowlist.json", "[1")
        self.commit("broken", 7)
        self.git("branch", "whole")
        self.git("reset", "-q", "--hard", first)
        self.backfill("--from", "HEAD", "--allowlist", "allowlist.json")
        self.git("reset", "-q", "--hard", "whole")
        self.backfill()
        self.assertEqual(self.counts(), ["none", "none"], "as if it was read in one run")


class Reports(HistoryTest):
    def setUp(self):
        super().setUp()
        self.five_weeks()
        self.write("test/test_two.py", named("TestA", LABELLED) + "\n\n" + CUDA_TEST + "x = torch.ones(1, device='cuda')\n")
        self.write("allowlist.json", '["test/test_c.py"]')
        self.commit("f", 35)
        self.backfill("--from", "HEAD~6")

    def assert_as_classify_and_lint_say(self):
        total = self.progress()["totals"]
        classes = json.loads(self.run_here(HWSIFT, "classify", "-o", "json").out)["classes"]
        facts = json.loads(self.run_here(HWSIFT, "scan", "-o", "json").out)["counts"]
        findings = json.loads(self.run_here(HWSIFT, "lint", "--no-allowlist", "-o", "json").out)["findings"]
        self.assertEqual(total["classes"], facts["classes"])
        self.assertEqual(total["tests"], facts["tests"])
        self.assertEqual(total["declared"], sum(1 for cls in classes if cls["declared"]))
        self.assertEqual(total["mixed"], sum(1 for cls in classes if cls["mixed"]))
        self.assertEqual(total["findings"], len(findings))
        by_rule = {}
        for finding in findings:
            by_rule[finding["rule"]] = by_rule.get(finding["rule"], 0) + 1
        self.assertEqual(self.progress()["findings"], by_rule)

    def test_as_classify_and_lint_say(self):
        self.assert_as_classify_and_lint_say()
        self.assertEqual(self.progress()["changed_tree"], False)
        last = self.rows("SELECT classes, tests, declared, mixed, uses, findings FROM line_commit ORDER BY position DESC LIMIT 1")
        total = self.progress()["totals"]
        self.assertEqual([int(number) for number in last[0]],
                         [total[name] for name in ("classes", "tests", "declared", "mixed", "uses", "findings")])

    def test_with_a_changed_work_tree(self):
        self.write("test/test_new.py", CUDA_TEST)
        (self.tree / "test/test_c.py").unlink()
        self.assert_as_classify_and_lint_say()
        self.write("version.txt", "2.14.0\n")
        self.assert_as_classify_and_lint_say()
        self.write("torch/testing/_internal/common_utils.py", "class HardwareClassification(Enum):\n    DEVICE_GENERIC = 1\n")
        self.assert_as_classify_and_lint_say()
        self.assertTrue(self.progress()["changed_tree"])

    def test_a_time_that_is_set_makes_equal_documents(self):
        self.write("test/test_new.py", CUDA_TEST)
        def pages(moment):
            environment = self.environment | {"SOURCE_DATE_EPOCH": str(moment)}
            return [run(HWSIFT, "-C", self.tree, "report", "progress", "-o", name, env=environment).out
                    for name in ("html", "json", "md", "csv")]
        made = pages(1800000000)
        time.sleep(1.1)
        self.assertEqual(made, pages(1800000000))
        self.assertIn("2027-01-15", made[0])
        early = json.loads(pages(86400)[1])["history"]
        self.assertEqual([point["date"] for point in early], sorted(point["date"] for point in early))

    def test_without_a_database(self):
        shutil.rmtree(self.tree / ".hwsift")
        self.assert_as_classify_and_lint_say()
        self.assertFalse((self.tree / ".hwsift").exists())

    def test_all_formats_say_the_same(self):
        files = {name: self.scratch / f"progress.{name}" for name in ("html", "md", "json", "csv", "text")}
        outputs = [argument for name, file in files.items() for argument in ("-o", f"{name}:{file}")]
        ran = self.run_here(HWSIFT, "report", "progress", *outputs)
        self.assertEqual(ran.code, 0, ran.err)
        progress = json.loads(files["json"].read_text())
        undeclared = progress["totals"]["classes"] - progress["totals"]["declared"]
        for down in progress["burn_down"]:
            number = {"undeclared": undeclared, "uses": progress["totals"]["uses"], "allowlisted": 1}[down["id"]]
            self.assertEqual(down["now"], number)
            for name in ("html", "md", "text"):
                self.assertRegex(files[name].read_text(), rf"\b{number}\b", f"{down['id']} in {name}")


if __name__ == "__main__":
    harness.main()
