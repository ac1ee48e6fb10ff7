"""What the tests of the command line share: a tree to work in, a way to run hwsift, and its documents.

ctest sets HWSIFT (the binary) and, where a test needs a real PyTorch, HWSIFT_PYTHON.
"""
import atexit
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
SAMPLE = REPOSITORY / "tests/fixtures/sample"
HWSIFT = pathlib.Path(os.environ.get("HWSIFT", REPOSITORY / "build/hwsift")).resolve()
TOOLS = pathlib.Path(os.environ.get("HWSIFT_TOOLS", HWSIFT.parent / "tools"))  # what tests/e2e/get-tools.sh made
SKIPPED = 77  # what ctest shows as skipped

PLAIN_TEST = """\
from torch.testing._internal.common_utils import TestCase


class TestLength(TestCase):
    def test_length(self):
        self.assertEqual(len([1]), 1)
"""

CUDA_TEST = """\
import torch
from torch.testing._internal.common_utils import TestCase


class TestMove(TestCase):
    def test_move(self):
        self.assertEqual(torch.ones(1, device="cuda").item(), 1)
"""

# Facts are cached apart from those of whoever runs the tests.
os.environ["HWSIFT_CACHE_DIR"] = tempfile.mkdtemp(prefix="hwsift-test-cache-")
atexit.register(shutil.rmtree, os.environ["HWSIFT_CACHE_DIR"], ignore_errors=True)

Ran = collections.namedtuple("Ran", "code out err")


def run(*command, cwd=None, env=None, timeout=300, **options):
    """Run a command with nothing on its standard input; what it wrote, as text."""
    ran = subprocess.run([str(part) for part in command], cwd=cwd, env={**os.environ, **(env or {})}, timeout=timeout,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    return Ran(ran.returncode, ran.stdout.decode(errors="replace"), ran.stderr.decode(errors="replace"))


def tool(name):
    """A file of TOOLS. A test that needs one that could not be had is skipped, and says why."""
    if (TOOLS / name).exists():
        return TOOLS / name
    missing = TOOLS / "missing"
    reason = missing.read_text().strip() if missing.exists() else f"make it: tests/e2e/get-tools.sh {TOOLS}"
    print(f"skipped: no {TOOLS / name} ({reason})")
    sys.exit(SKIPPED)


class HwsiftTest(unittest.TestCase):
    """Each test has an empty tree of its own, in self.tree, with a folder test/."""

    maxDiff = None

    def setUp(self):
        scratch = tempfile.mkdtemp(prefix="hwsift-test-")
        self.addCleanup(shutil.rmtree, scratch, ignore_errors=True)
        os.chmod(scratch, 0o755)
        self.scratch = pathlib.Path(scratch).resolve()
        self.tree = self.scratch / "tree"
        (self.tree / "test").mkdir(parents=True)

    def write(self, path, content=PLAIN_TEST):
        """A file of the tree; `content` is text or bytes."""
        file = self.tree / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def hwsift(self, *arguments, cwd=None, **options):
        return run(HWSIFT, *arguments, cwd=cwd or self.tree, **options)

    def document(self, *arguments, **options):
        """Run with `-o json:FILE`: what the process answered, and the document."""
        file = self.scratch / "document.json"
        file.unlink(missing_ok=True)
        ran = self.hwsift(*arguments, "-o", f"json:{file}", **options)
        self.assertTrue(file.exists(), f"no document; exit {ran.code}; stderr: {ran.err}")
        return ran, json.loads(file.read_text(encoding="utf-8"))

    def errors_of(self, ran):
        return [line for line in ran.err.splitlines() if line.startswith("hwsift: error:")]

    def assert_refused(self, ran, code, *said):
        """The exit code, and exactly one error line that holds each of `said`; no crash, no stack trace."""
        self.assertEqual(ran.code, code, ran.err)
        errors = self.errors_of(ran)
        self.assertEqual(len(errors), 1, ran.err)
        for text in said:
            self.assertIn(text, errors[0])

    def assert_remedy(self, line):
        """An error line ends with what to do, in brackets."""
        self.assertRegex(line, re.compile(r"\(.{8,}\)$"))


class GitTest(HwsiftTest):
    """The tree is a git repository; neither git nor the tools see settings of this machine."""

    def setUp(self):
        super().setUp()
        self.environment = {
            "PATH": f"{HWSIFT.parent}:{os.environ['PATH']}", "HOME": str(self.scratch),
            "XDG_DATA_HOME": str(self.scratch / "data"), "XDG_CACHE_HOME": str(self.scratch / "cache"),
            "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.org",
            "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.org"}
        self.git("init", "-q", "-b", "main")

    def run_here(self, *command, cwd=None):
        return run(*command, cwd=cwd or self.tree, env=self.environment)

    def git(self, *arguments, cwd=None):
        ran = self.run_here("git", *arguments, cwd=cwd)
        self.assertEqual(ran.code, 0, f"git {arguments}: {ran.err}")
        return ran.out.strip()


def main():
    unittest.main(module="__main__", verbosity=2)
