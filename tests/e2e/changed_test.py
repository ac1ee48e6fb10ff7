"""`lint --changed`: the files and lines that git says changed."""
import json
import os
import shutil
import signal
import subprocess
import time

import harness
from harness import HWSIFT, PLAIN_TEST, HwsiftTest, run

TWO_CLASSES = PLAIN_TEST + "\n\nclass TestOther(TestCase):\n    def test_other(self):\n        pass\n"


class Changed(HwsiftTest):
    def setUp(self):
        super().setUp()
        for name in ("a", "b", "c"):
            self.write(f"test/test_{name}.py", TWO_CLASSES)
        self.git("init", "-q", "-b", "main")
        self.commit("first")

    def git(self, *arguments):
        ran = run("git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments, cwd=self.tree,
                  env={"GIT_CONFIG_GLOBAL": os.devnull})
        self.assertEqual(ran.code, 0, ran.err)

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def found(self, *arguments, code=1, **options):
        ran, document = self.document("lint", *arguments, **options)
        self.assertEqual(ran.code, code, ran.err)
        return [f"{finding['path']} {finding['class']}" for finding in document["findings"]]

    def both(self, name):
        return [f"test/test_{name}.py TestLength", f"test/test_{name}.py TestOther"]

    def test_nothing_changed(self):
        ran = self.hwsift("lint", "--changed")
        self.assertEqual(ran.code, 0)
        self.assertIn("no file to lint changed since HEAD", ran.err)

    def test_what_is_not_committed(self):
        self.write("test/test_b.py", TWO_CLASSES + "\n")
        self.write("test/test_new.py")
        (self.tree / "test/test_c.py").unlink()
        self.assertEqual(self.found("--changed"), self.both("b") + ["test/test_new.py TestLength"])

    def test_since_a_branch(self):
        self.git("switch", "-q", "-c", "topic")
        self.git("mv", "test/test_a.py", "test/test_moved.py")
        self.commit("topic")
        self.assertEqual(self.found("--changed=main"), self.both("moved"))
        self.assertEqual(self.found("--changed", code=0), [])

    def test_the_value_stands_behind_the_equals_sign_only(self):
        self.write("test/test_b.py", TWO_CLASSES + "\n")
        self.write("test/test_c.py", TWO_CLASSES + "\n")
        self.assertEqual(self.found("--changed", "test/test_b.py", "test/test_a.py"), self.both("b"))

    def test_only_changed_lines(self):
        self.write("test/test_b.py", TWO_CLASSES.replace("TestOther", "TestElse"))
        self.write("test/test_c.py", TWO_CLASSES + "\n")
        self.assertEqual(self.found("--changed-lines"), ["test/test_b.py TestElse"])
        self.commit("more")
        self.assertEqual(self.found("--changed-lines", "--changed=HEAD~1"), ["test/test_b.py TestElse"])

    def test_a_new_file_counts_as_a_whole(self):
        self.write("test/test_new.py", TWO_CLASSES)
        self.assertEqual(self.found("--changed-lines"), self.both("new"))
        self.git("add", "-A")
        self.assertEqual(self.found("--changed-lines"), self.both("new"))

    def test_a_file_that_no_longer_parses(self):
        self.write("test/test_b.py", TWO_CLASSES + "\n\ndef f(:\n")
        self.assertEqual(self.found("--changed-lines"), ["test/test_b.py None"])

    def test_the_allowlist_counts_but_is_not_judged(self):
        self.write("allow.json", '["test/test_b.py", "test/test_gone.py"]')
        self.write("test/test_b.py", TWO_CLASSES + "\n")
        self.assertEqual(self.found("--changed", "--allowlist", "allow.json", code=0), [])

    def test_a_tree_below_the_repository_and_odd_names(self):
        sub = self.tree / "sub\nfolder"
        (sub / "test").mkdir(parents=True)
        name = os.fsencode(sub) + b"/test/test_\xff.py"
        with open(name, "wb") as file:
            file.write(PLAIN_TEST.encode())
        self.write("test/test_b.py", TWO_CLASSES + "\n")
        self.assertEqual(len(self.found("--changed-lines", cwd=sub)), 1)
        self.commit("sub")
        self.assertEqual(self.found("--changed", cwd=sub, code=0), [])

    def test_a_worktree_and_a_submodule(self):
        self.git("worktree", "add", "-q", str(self.scratch / "other"), "-b", "other")
        (self.scratch / "other/test/test_b.py").write_text(PLAIN_TEST)
        self.assertEqual(self.found("--changed", cwd=self.scratch / "other"), ["test/test_b.py TestLength"])
        outer = self.scratch / "outer"
        (outer / "test").mkdir(parents=True)
        run("git", "init", "-q", cwd=outer)
        ran = run("git", "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(self.tree), "test/inner",
                  cwd=outer)
        self.assertEqual(ran.code, 0, ran.err)
        (outer / "test/inner/test/test_b.py").write_text(PLAIN_TEST)
        self.assertEqual(self.found("--changed", cwd=outer, code=0), [])
        self.assertEqual(self.found("--changed", cwd=outer / "test/inner"), ["test/test_b.py TestLength"])

    def test_in_a_hook_of_another_repository(self):
        self.write("test/test_b.py", TWO_CLASSES + "\n")
        variables = {"GIT_DIR": "/no/such", "GIT_INDEX_FILE": "/no/such/index"}
        self.assertEqual(self.found("--changed", env=variables), self.both("b"))

    def test_an_interrupt_while_git_runs(self):
        slow = self.scratch / "bin/git"
        slow.parent.mkdir()
        slow.write_text("#!/bin/sh\necho started > started\nsleep 60\n")
        slow.chmod(0o755)
        hwsift = subprocess.Popen([HWSIFT, "lint", "--changed"], cwd=self.tree, stderr=subprocess.PIPE,
                                  env={**os.environ, "PATH": f"{slow.parent}:{os.environ['PATH']}"})
        for _ in range(200):
            if (self.tree / "started").exists():
                break
            time.sleep(0.05)
        hwsift.send_signal(signal.SIGINT)
        hwsift.communicate(timeout=20)
        self.assertEqual(hwsift.returncode, -signal.SIGINT)

    def test_refused(self):
        for base in ("nowhere", "--output=x", "-x"):
            self.assert_refused(self.hwsift("lint", f"--changed={base}"), 2, base)
        self.assert_refused(self.hwsift("lint", "--changed", env={"PATH": "/no/such"}), 2, "install git")
        ran = self.hwsift("lint", "--changed=nowhere", "-o", "lintrunner")
        self.assertEqual(ran.code, 0)
        self.assertIn("nowhere", json.loads(ran.out)["description"])
        self.assertFalse((self.tree / "x").exists())
        shutil.rmtree(self.tree / ".git")
        self.assert_refused(self.hwsift("lint", "--changed"), 2, "not in a git repository")


if __name__ == "__main__":
    harness.main()
