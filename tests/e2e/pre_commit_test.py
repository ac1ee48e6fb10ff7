"""The real pre-commit with this repository's hook, in a git repository; no network."""
import shutil

import harness
from harness import PLAIN_TEST, REPOSITORY, GitTest

PRE_COMMIT = harness.tool("bin/pre-commit")

LABELLED = PLAIN_TEST.replace("import TestCase", "import HardwareClassification, TestCase").replace(
    "    def", "    hw_classification = HardwareClassification.GENERIC\n\n    def", 1)


class PreCommit(GitTest):
    def setUp(self):
        super().setUp()
        self.environment["PRE_COMMIT_HOME"] = str(self.scratch / "pre-commit")
        hooks = self.scratch / "hooks"
        hooks.mkdir()
        shutil.copy(REPOSITORY / ".pre-commit-hooks.yaml", hooks)
        self.git("init", "-q", cwd=hooks)
        self.git("add", "-A", cwd=hooks)
        self.git("commit", "-qm", "hooks", cwd=hooks)
        self.use(hooks, self.git("rev-parse", "HEAD", cwd=hooks))

    def use(self, repository, revision):
        """The lines of docs/lintrunner.md, with the repository of this test."""
        block = (REPOSITORY / "docs/lintrunner.md").read_text().split("```yaml\n")[1].split("```")[0]
        config = block.replace("HWSIFT_REPOSITORY", str(repository)).replace("HWSIFT_REVISION", revision)
        self.assertIn(revision, config)
        self.write(".pre-commit-config.yaml", config)

    def pre_commit(self, *arguments):
        self.git("add", "-A")
        return self.run_here(PRE_COMMIT, *arguments)

    def test_the_manifest_is_valid(self):
        ran = self.run_here(PRE_COMMIT, "validate-manifest", REPOSITORY / ".pre-commit-hooks.yaml")
        self.assertEqual(ran.code, 0, ran.out + ran.err)
        self.assertEqual(ran.out + ran.err, "", "no warnings")

    def test_findings_are_shown_and_only_below_test(self):
        self.write("test/nn/test_plain.py")
        self.write("torch/test_left_out.py")
        self.write("test/test_data.txt", PLAIN_TEST)
        ran = self.pre_commit("run", "--all-files")
        self.assertEqual(ran.code, 1, ran.out + ran.err)
        for text in ("hwsift lint", "Failed", "test/nn/test_plain.py", "TestLength declares no hw_classification"):
            self.assertIn(text, ran.out)
        self.assertNotIn("test_left_out", ran.out)

    def test_clean_is_clean(self):
        self.write("test/test_good.py", LABELLED)
        ran = self.pre_commit("run", "--all-files")
        self.assertEqual(ran.code, 0, ran.out + ran.err)
        self.assertIn("Passed", ran.out)

    def test_a_commit_waits_for_the_label(self):
        self.assertEqual(self.pre_commit("install").code, 0)
        self.write("test/test_plain.py")
        self.git("add", "-A")
        refused = self.run_here("git", "commit", "-m", "a test")
        self.assertEqual(refused.code, 1, refused.out + refused.err)
        self.assertIn("test/test_plain.py", refused.out + refused.err)
        self.write("test/test_plain.py", LABELLED)
        self.git("add", "-A")
        self.git("commit", "-m", "a test")
        self.assertEqual(self.git("log", "--format=%s"), "a test")

    def test_a_bad_file_loses_no_other(self):
        self.write("test/test_bytes.py", b"\xff\xfe def broken(:\n")
        self.write("test/test_plain.py")
        out = self.pre_commit("run", "--all-files").out
        for text in ("parse_error", "hw_classification"):
            self.assertIn(text, out)


if __name__ == "__main__":
    harness.main()
