"""The real lintrunner with hwsift as its linter, in a git repository."""
import json
import shutil
import unittest

import harness
from harness import PLAIN_TEST, REPOSITORY, GitTest

LINTRUNNER = harness.tool("bin/lintrunner")

CONFIG = """\
[[linter]]
code = 'HW_CLASSIFICATION'
include_patterns = ['test/**/*.py']
command = ['hwsift', 'lint', '-o', 'lintrunner', '@{{PATHSFILE}}']
"""

LABELLED = PLAIN_TEST.replace("import TestCase", "import HardwareClassification, TestCase").replace(
    "    def", "    hw_classification = HardwareClassification.GENERIC\n\n    def", 1)


class LintrunnerTest(GitTest):
    def setUp(self):
        super().setUp()
        self.write(".lintrunner.toml", CONFIG)

    def lintrunner(self, *arguments):
        self.git("add", "-A")
        return self.run_here(LINTRUNNER, *arguments)

    def messages(self, *arguments):
        """What lintrunner says, as (path in the tree, name), and that no linter failed."""
        ran = self.lintrunner("--output", "json", *(arguments or ["--all-files"]))
        messages = [json.loads(line) for line in ran.out.splitlines()]
        self.assertNotIn("Linter failed", ran.out)
        self.assertEqual(ran.code, 1 if messages else 0, ran.err)
        return {(str(message["path"]).removeprefix(f"{self.tree}/"), message["name"]) for message in messages}


class Findings(LintrunnerTest):
    def test_are_shown_with_their_source(self):
        self.write("test/nn/test_deep.py", LABELLED.replace("test_length(self)", "test_length(self, device)"))
        self.write("test/test_good.py", LABELLED)
        ran = self.lintrunner("--all-files")
        self.assertEqual(ran.code, 1, ran.err)
        for text in ("test/nn/test_deep.py", "Error (HW_CLASSIFICATION) device_param", "takes a device",
                     "def test_length(self, device):"):
            self.assertIn(text, ran.out)
        self.assertRegex(ran.out, r">>> \d+  \|    def test_length")
        self.assertNotIn("test_good.py", ran.out)

    def test_a_fix_is_shown_as_a_patch(self):
        self.write("test/test_plain.py")
        ran = self.lintrunner("--all-files")
        self.assertEqual(ran.code, 1, ran.err)
        for text in ("TestLength declares no hw_classification", "lintrunner -a",
                     "|+    hw_classification = HardwareClassification.GENERIC"):
            self.assertIn(text, ran.out)

    def test_clean_is_clean(self):
        self.write("test/test_good.py", LABELLED)
        ran = self.lintrunner("--all-files")
        self.assertEqual((ran.code, "No lint issues" in ran.out), (0, True), ran.out)

    def test_only_of_the_files_that_changed(self):
        self.write("test/test_old.py")
        self.git("add", "-A")
        self.git("commit", "-qm", "old")
        self.write("test/test_new.py")
        self.assertEqual(self.messages("-r", "HEAD"), {("test/test_new.py", "hw_classification")})

    def test_one_bad_file_loses_no_other(self):
        self.write("test/test_plain.py")
        self.write("test/test_bytes.py", b"\xff\xfe def broken(:\n")
        self.write("test/test_latin.py", b"x = '\xe9'\n")
        self.write("test/test_zero.py", b"x = 1\x00\n")
        self.write("test/test_syntax.py", "def broken(:\n")
        bad = ("test_bytes", "test_latin", "test_zero", "test_syntax")
        found = self.messages(*(file for file in (self.tree / "test").glob("*.py") if file.is_file()))
        self.assertLessEqual({(f"test/{name}.py", "parse_error") for name in bad}, found)
        self.assertIn(("test/test_plain.py", "hw_classification"), found)

    def test_a_missing_file_loses_no_other(self):
        self.write("test/test_plain.py")
        config = CONFIG.replace("'@{{PATHSFILE}}'", "'test/test_gone.py', '@{{PATHSFILE}}'")
        self.write(".lintrunner.toml", config)
        self.assertEqual(self.messages(),
                         {("test/test_gone.py", "parse_error"), ("test/test_plain.py", "hw_classification")})

    def test_hostile_names(self):
        names = ("test/test_a b.py", "test/test_'\".py", "test/test_é.py", "test/test_\x1b[31m.py")
        for name in names:
            self.write(name)
        self.assertEqual(self.messages(), {(name, "hw_classification") for name in names})

    def test_broken_settings_are_shown(self):
        self.write("test/test_plain.py")
        self.write("hwsift.yaml", "profil: declare\n")
        ran = self.lintrunner("--all-files")
        self.assertEqual(ran.code, 1)
        self.assertIn("hwsift.yaml:1", ran.out)


class Fixes(LintrunnerTest):
    def apply(self):
        ran = self.lintrunner("-a", "--all-files")
        self.assertNotIn("Linter failed", ran.out)
        self.assertIn("applied all patches", ran.out)
        return ran

    def test_apply_writes_label_and_import(self):
        file = self.write("test/test_plain.py")
        self.assertIn("HardwareClassification.GENERIC", self.lintrunner("--all-files").out)
        self.assertEqual(file.read_text(), PLAIN_TEST, "showing the fix changes nothing")
        self.apply()
        text = file.read_text()
        self.assertIn("    hw_classification = HardwareClassification.GENERIC\n", text)
        self.assertRegex(text, "import .*HardwareClassification")
        compile(text, str(file), "exec")
        self.assertEqual(self.messages(), set())
        self.assertEqual(self.apply().code, 0)
        self.assertEqual(file.read_text(), text, "applying twice is the same as once")

    def test_several_classes_are_one_patch(self):
        file = self.write("test/test_two.py", PLAIN_TEST + PLAIN_TEST.split("\n\n", 1)[1].replace("Length", "Width"))
        self.apply()
        self.assertEqual(file.read_text().count("hw_classification = HardwareClassification.GENERIC"), 2)
        self.assertEqual(self.messages(), set())

    def test_what_no_fix_mends_is_still_shown(self):
        self.write("test/test_plain.py")
        self.write("test/test_bytes.py", b"\xff\xfe def broken(:\n")
        ran = self.apply()
        self.assertEqual(ran.code, 1)
        self.assertEqual(self.messages(), {("test/test_bytes.py", "parse_error")})

    def test_line_ends_stay(self):
        file = self.write("test/test_dos.py", PLAIN_TEST.replace("\n", "\r\n"))
        self.apply()
        content = file.read_bytes()
        self.assertIn(b"HardwareClassification.GENERIC\r\n", content)
        self.assertEqual(content.count(b"\n"), content.count(b"\r\n"))

    def test_a_file_in_another_encoding_keeps_it(self):
        content = b"# coding: latin-1\n" + PLAIN_TEST.encode() + b"# caf\xe9\n"
        file = self.write("test/test_latin.py", content)
        self.assertEqual(self.messages(), {("test/test_latin.py", "hw_classification")})
        self.lintrunner("-a", "--all-files")
        self.assertEqual(file.read_bytes(), content)


class Manual(LintrunnerTest):
    """The lines of docs/lintrunner.md."""

    def manual(self):
        text = (REPOSITORY / "docs/lintrunner.md").read_text()
        return [block.split("```")[0] for block in text.split("```toml\n")[1:]]

    def test_init_and_lint(self):
        self.write("test/test_plain.py")
        self.write("test/nn/plain_test.py")
        self.write("test/cpython/test_left_out.py")
        self.write("torch/test_left_out.py")
        self.write("test/helper.py", PLAIN_TEST)
        for config in self.manual():
            self.assertIn("code = 'HW_CLASSIFICATION'", config)
            self.write(".lintrunner.toml", config)
            for arguments in (["init", "--dry-run"], ["init"]):
                ran = self.lintrunner(*arguments)
                self.assertEqual(ran.code, 0, ran.out + ran.err)
            self.assertEqual(self.messages(), {("test/test_plain.py", "hw_classification"),
                                               ("test/nn/plain_test.py", "hw_classification")})

    def test_init_says_when_hwsift_is_not_there(self):
        self.write(".lintrunner.toml", self.manual()[0])
        folder = self.scratch / "bin"
        folder.mkdir()
        for name in ("git", "sh", "env"):
            (folder / name).symlink_to(shutil.which(name))
        self.environment["PATH"] = str(folder)
        ran = self.lintrunner("init")
        self.assertNotEqual(ran.code, 0, ran.out + ran.err)
        self.assertIn("hwsift", ran.out + ran.err)


if __name__ == "__main__":
    harness.main()
