"""lint --fix and --diff: what is written, what is left alone, and what is said about it."""
import json
import os
import shutil
import stat

import harness
from harness import PLAIN_TEST, GitTest, HwsiftTest, run

LABEL = "    hw_classification = HardwareClassification.GENERIC\n"
FIXED = PLAIN_TEST.replace("import TestCase", "import HardwareClassification, TestCase").replace(
    "(TestCase):\n", f"(TestCase):\n{LABEL}\n")
DEVICE_TEST = """\
from torch.testing._internal.common_device_type import instantiate_device_type_tests
from torch.testing._internal.common_utils import HardwareClassification, TestCase


class TestMove(TestCase):
    hw_classification = HardwareClassification.ACCELERATOR

    def test_move(self, device):
        x = self.make(device)
        x.cuda()
        self.check(x)
        x.cuda()


instantiate_device_type_tests(TestMove, globals())
"""
MOVED = DEVICE_TEST.replace(".cuda()", ".to(device)")
NOBODY = 65534
BROKEN = "class TestA(:\n"


class Fix(HwsiftTest):
    def text_of(self, path):
        return (self.tree / path).read_bytes().decode()

    def fix(self, *arguments, code=0):
        ran = self.hwsift("lint", *arguments)
        self.assertEqual(ran.code, code, ran.out + ran.err)
        return ran

    def test_writes_what_is_safe_and_says_so(self):
        self.write("test/test_a.py")
        self.write("test/test_move.py", DEVICE_TEST)
        ran = self.fix("--fix", code=1)
        self.assertIn("applied 1 fix in 1 file", ran.err)
        self.assertIn("hardcoded_device", ran.out)
        self.assertNotIn("hw_classification", ran.out)
        self.assertEqual(self.text_of("test/test_a.py"), FIXED)
        self.assertEqual(self.text_of("test/test_move.py"), DEVICE_TEST)

    def test_nothing_is_written_when_a_path_is_not_there(self):
        self.write("test/test_a.py")
        self.fix("--fix", "review", "test/test_a.py", code=2)
        self.assertEqual(self.text_of("test/test_a.py"), PLAIN_TEST)

    def test_diff_without_a_fix_says_so(self):
        self.write("test/test_move.py", DEVICE_TEST)
        ran = self.fix("--diff", code=1)
        self.assertEqual(ran.out, "")
        self.assertIn("no fix to show", ran.err)
        self.assertIn("--fix=review", ran.err)

    def test_diff_names_files_as_git_does(self):
        for name in ("test/test_a b.py", "test/test_é.py", 'test/test_"q.py'):
            self.write(name)
        patch = self.tree / "patch"
        patch.write_text(self.fix("--diff", code=1).out, encoding="utf-8")
        applied = run("git", "apply", str(patch), cwd=self.tree)
        self.assertEqual(applied.code, 0, applied.err)
        self.assertEqual(self.text_of("test/test_a b.py"), FIXED)
        self.assertEqual(self.text_of("test/test_é.py"), FIXED)

    def test_a_pipe_is_a_finding_and_never_waited_for(self):
        (self.tree / "test").mkdir(exist_ok=True)
        os.mkfifo(self.tree / "test/test_pipe.py")
        ran = self.fix("test/test_pipe.py", code=1)
        self.assertIn("not a regular file", ran.out)

    def test_review_writes_both_kinds(self):
        self.write("test/test_a.py")
        self.write("test/test_move.py", DEVICE_TEST)
        ran = self.fix("--fix=review")
        self.assertIn("applied 3 fixes in 2 files", ran.err)
        self.assertEqual(self.text_of("test/test_a.py"), FIXED)
        self.assertEqual(self.text_of("test/test_move.py"), MOVED)

    def test_a_second_time_writes_nothing(self):
        file = self.write("test/test_a.py")
        self.fix("--fix=review")
        before = file.stat().st_mtime_ns, file.stat().st_ino
        ran = self.fix("--fix=review")
        self.assertIn("applied 0 fixes in 0 files", ran.err)
        self.assertEqual((file.stat().st_mtime_ns, file.stat().st_ino), before)

    def test_without_fix_nothing_is_written(self):
        self.write("test/test_a.py")
        for arguments in ((), ("--diff",), ("-o", "json"), ("--diff", "--fix=review")):
            self.fix(*arguments, code=1)
            self.assertEqual(self.text_of("test/test_a.py"), PLAIN_TEST)

    def test_an_unknown_kind_is_refused(self):
        self.write("test/test_a.py")
        self.assertEqual(self.hwsift("lint", "--fix=all").code, 2)
        self.assertEqual(self.text_of("test/test_a.py"), PLAIN_TEST)

    def test_documents_hold_what_is_left(self):
        self.write("test/test_a.py")
        self.write("test/test_move.py", DEVICE_TEST)
        ran, document = self.document("lint", "--fix")
        self.assertEqual(ran.code, 1)
        self.assertEqual({finding["rule"] for finding in document["findings"]}, {"hardcoded_device"})

    def test_mode_bits_and_symlinks_are_kept(self):
        real = self.write("elsewhere/real.py")
        os.chmod(real, 0o754)
        (self.tree / "test/test_link.py").symlink_to("../elsewhere/real.py")
        self.fix("--fix", "test/test_link.py")
        self.assertTrue((self.tree / "test/test_link.py").is_symlink())
        self.assertEqual(real.read_text(), FIXED)
        self.assertEqual(stat.S_IMODE(real.stat().st_mode), 0o754)
        self.assertEqual(sorted(os.listdir(self.tree / "elsewhere")), ["real.py"])

    def test_other_bytes_are_kept(self):
        crlf = b"\xef\xbb\xbf" + PLAIN_TEST.replace("\n", "\r\n").encode()
        self.write("test/test_crlf.py", crlf)
        latin = b"# -*- coding: latin-1 -*-\n# caf\xe9\n" + PLAIN_TEST.encode()
        self.write("test/test_latin.py", latin)
        self.write("test/test_broken.py", BROKEN + PLAIN_TEST)
        self.fix("--fix=review", code=1)
        self.assertEqual((self.tree / "test/test_crlf.py").read_bytes(),
                         b"\xef\xbb\xbf" + FIXED.replace("\n", "\r\n").encode())
        self.assertEqual((self.tree / "test/test_latin.py").read_bytes(), latin)
        self.assertEqual(self.text_of("test/test_broken.py"), BROKEN + PLAIN_TEST)

    def test_a_file_that_cannot_be_written_leaves_the_others_done(self):
        """Root may write everywhere, so as root the same is tried as somebody else."""
        self.write("test/locked/test_a.py")
        self.write("test/test_b.py")
        options = {}
        if os.geteuid() == 0:
            options = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            for path in (self.tree / "test", self.tree / "test/test_b.py"):
                os.chown(path, NOBODY, NOBODY)
        os.chmod(self.tree / "test/locked", 0o555)
        self.addCleanup(os.chmod, self.tree / "test/locked", 0o755)
        hwsift = shutil.copy(harness.HWSIFT, self.scratch / "hwsift")
        ran = run(hwsift, "lint", "--fix", cwd=self.tree, **options)
        self.assert_refused(ran, 3, "test/locked/test_a.py", "Permission denied")
        self.assert_remedy(self.errors_of(ran)[0])
        self.assertIn("applied 1 fix in 1 file", ran.err)
        self.assertIn("test/locked/test_a.py", ran.out)
        self.assertEqual(self.text_of("test/test_b.py"), FIXED)
        self.assertEqual(self.text_of("test/locked/test_a.py"), PLAIN_TEST)

    def test_allowlisted_findings_are_never_fixed(self):
        self.write("test/test_a.py")
        self.write("test/test_b.py")
        self.write("allow.json", '["test/test_a.py"]')
        ran = self.fix("--fix", "--allowlist", "allow.json")
        self.assertIn("1 fix in 1 file", ran.err)
        self.assertEqual(self.text_of("test/test_a.py"), PLAIN_TEST)
        self.assertEqual(self.text_of("test/test_b.py"), FIXED)

    def test_an_allowlisted_class_is_never_fixed_while_its_neighbour_is(self):
        first = "class TestWrong(TestCase):\n    hw_classification = \"GENERIC\"\n\n    def test_w(self):\n        pass\n"
        self.write("test/test_a.py", PLAIN_TEST + "\n\n" + first)
        self.write("allow.yaml", "- {path: test/test_a.py, class: TestWrong, rule: hw_classification, reason: later}\n")
        self.fix("--fix=review", "--allowlist", "allow.yaml")
        self.assertEqual(self.text_of("test/test_a.py"), FIXED + "\n\n" + first)

    def test_suppressed_findings_are_never_fixed(self):
        text = PLAIN_TEST.replace("(TestCase):", "(TestCase):  # hwsift: ignore[hw_classification] made elsewhere")
        self.write("test/test_a.py", text)
        self.fix("--fix=review")
        self.assertEqual(self.text_of("test/test_a.py"), text)

    def test_lintrunner_never_writes(self):
        self.write("test/test_a.py")
        for arguments in (("--fix",), ("--fix=review",), ("--diff",), ()):
            ran = self.fix("-o", "lintrunner", *arguments, "test/test_a.py")
            message = json.loads(ran.out.splitlines()[0])
            self.assertEqual(message["original"], PLAIN_TEST)
            self.assertEqual(message["replacement"], FIXED)
            self.assertEqual(self.text_of("test/test_a.py"), PLAIN_TEST)

    def test_the_tree_s_own_spelling_and_release(self):
        self.write("torch/testing/_internal/common_utils.py",
                   "class HardwareClassification(Enum):\n    GENERIC = 1\n    DEVICE_GENERIC = 2\n")
        self.write("version.txt", "2.6.0a0\n")
        self.write("test/test_move.py", DEVICE_TEST.replace("x.cuda()", "torch.cuda.synchronize()", 1))
        self.fix("--fix=review")
        text = self.text_of("test/test_move.py")
        self.assertIn("HardwareClassification.DEVICE_GENERIC\n", text)
        self.assertIn("torch.accelerator.synchronize()", text)


class Diff(GitTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_a.py")
        self.write("test/test_move.py", DEVICE_TEST)
        self.write("test/test_end.py", PLAIN_TEST.rstrip("\n"))
        self.write("test/test_crlf.py", PLAIN_TEST.replace("\n", "\r\n"))
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")
        self.patch = self.hwsift("lint", "--diff", "--fix=review", cwd=self.tree)
        self.assertEqual(self.patch.code, 1, self.patch.err)
        (self.scratch / "fix.patch").write_bytes(self.patch_bytes())

    def patch_bytes(self):
        file = self.scratch / "out.patch"
        self.hwsift("lint", "--diff", "--fix=review", "-o", f"text:{file}")
        return file.read_bytes()

    def trees_agree(self):
        patched = {path: (self.tree / path).read_bytes() for path in self.git("ls-files").splitlines()}
        self.git("checkout", "-q", ".")
        self.assertEqual(self.hwsift("lint", "--fix=review").code, 0)
        self.assertEqual(patched, {path: (self.tree / path).read_bytes() for path in patched})
        self.assertEqual(patched["test/test_move.py"].decode(), MOVED)

    def test_applies_with_git(self):
        self.git("apply", "--check", self.scratch / "fix.patch")
        self.git("apply", self.scratch / "fix.patch")
        self.trees_agree()

    def test_applies_with_patch(self):
        ran = run("patch", "-p1", "--binary", "-i", self.scratch / "fix.patch", cwd=self.tree)
        self.assertEqual(ran.code, 0, ran.out + ran.err)
        self.trees_agree()

    def test_of_safe_fixes_alone(self):
        ran = self.hwsift("lint", "--diff")
        self.assertNotIn("test_move.py", ran.out)
        self.assertIn("+++ b/test/test_a.py", ran.out)


class ChangedLines(GitTest):
    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")

    def test_findings_on_other_lines_are_never_fixed(self):
        self.write("test/test_a.py")
        self.write("test/test_move.py", DEVICE_TEST.replace("        x.cuda()\n        self.check(x)\n",
                                                            "        self.check(x)\n"))
        self.commit()
        self.write("test/test_move.py", DEVICE_TEST)
        ran = self.run_here(harness.HWSIFT, "lint", "--changed", "--changed-lines", "--fix=review")
        self.assertEqual(ran.code, 0, ran.out + ran.err)
        self.assertEqual((self.tree / "test/test_a.py").read_text(), PLAIN_TEST)
        self.assertEqual((self.tree / "test/test_move.py").read_text(),
                         DEVICE_TEST.replace("x.cuda()", "x.to(device)", 1))

    def test_nor_are_they_where_a_fix_moves_the_lines(self):
        """The label that comes first moves everything; the second .cuda() is old, the first one new."""
        old = DEVICE_TEST.replace("        x.cuda()\n        self.check(x)\n", "        self.check(x)\n")
        self.write("test/test_move.py", old.replace("    hw_classification = HardwareClassification.ACCELERATOR\n\n", ""))
        self.commit()
        new = DEVICE_TEST.replace("    hw_classification = HardwareClassification.ACCELERATOR\n\n", "").replace(
            "class TestMove(TestCase):", "class TestMove(TestCase):  # new")
        self.write("test/test_move.py", new)
        ran = self.run_here(harness.HWSIFT, "lint", "--changed", "--changed-lines", "--fix=review")
        self.assertEqual(ran.code, 0, ran.out + ran.err)
        self.assertEqual((self.tree / "test/test_move.py").read_text(),
                         DEVICE_TEST.replace("x.cuda()", "x.to(device)", 1).replace(
                             "class TestMove(TestCase):", "class TestMove(TestCase):  # new"))


class Profiles(HwsiftTest):
    def test_a_profile_of_the_project_decides(self):
        self.write("test/test_move.py", DEVICE_TEST)
        self.write("hwsift.yaml", "profile: ours\nprofiles:\n  - name: ours\n    extends: recommended\n"
                                  "    select: [missing_variants]\n    ignore: [hardcoded_device]\n"
                                  "    severity: {missing_variants: advice}\n")
        ran, document = self.document("lint")
        self.assertEqual([(finding["rule"], finding["severity"]) for finding in document["findings"]],
                         [("missing_variants", "advice")])
        self.assertEqual(document["profile"], "ours")
        self.assertEqual(self.hwsift("lint", "--fix=review").code, 0)
        self.assertEqual((self.tree / "test/test_move.py").read_text(),
                         DEVICE_TEST.replace("globals())", "globals(), allow_xpu=True, allow_mps=True)"))
        self.assertEqual(self.hwsift("lint", "--profile", "recommended").code, 1)

    def test_settings_of_a_profile(self):
        self.write("test/test_a.py", DEVICE_TEST.replace("x.cuda()", "x.to(device)").replace(
            "globals())", "globals(), only_for=(\"cuda\", \"hpu\"))"))
        self.assertEqual(self.hwsift("lint").code, 1)
        self.write("hwsift.yaml", "profile: ours\nprofiles:\n  - name: ours\n    settings: {only_for: accelerators}\n")
        self.assertEqual(self.hwsift("lint").code, 0)

    def test_is_listed(self):
        self.write("hwsift.yaml", "profiles:\n  - {name: ours, summary: What we ask.}\n")
        self.assertIn("What we ask.", self.hwsift("rules", "list").out)

    def test_a_broken_one_is_refused_with_its_place(self):
        self.write("test/test_a.py")
        for text, *said in (
                ("profiles:\n  - name: ours\n    selct: [only_for]\n", "hwsift.yaml:3", "unknown key 'selct'"),
                ("profiles:\n  - name: ours\n    select: [onlyfor]\n", "hwsift.yaml:3", "did you mean 'only_for'?"),
                ("profiles:\n  - name: recommended\n", "hwsift.yaml:2", "stands twice"),
                ("profiles: {ours: {}}\n", "hwsift.yaml:1", "must be a list"),
                ("profile: ours\nprofiles:\n  - name: other\n", "hwsift.yaml", "unknown profile 'ours'")):
            self.write("hwsift.yaml", text)
            ran = self.hwsift("lint", "--fix")
            self.assert_refused(ran, 2, *said)
            self.assertEqual((self.tree / "test/test_a.py").read_text(), PLAIN_TEST)


if __name__ == "__main__":
    harness.main()
