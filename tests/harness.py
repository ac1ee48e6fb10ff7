"""What the tests of the command line share: a tree to work in, a way to run hwsift, and its documents.

ctest sets HWSIFT (the binary) and, where a test needs a real PyTorch, HWSIFT_PYTHON.
"""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
SAMPLE = REPOSITORY / "tests/fixtures/sample"
HWSIFT = pathlib.Path(os.environ.get("HWSIFT", REPOSITORY / "build/hwsift")).resolve()
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

Ran = collections.namedtuple("Ran", "code out err")


def run(*command, cwd=None, env=None, timeout=300, **options):
    """Run a command with nothing on its standard input; what it wrote, as text."""
    ran = subprocess.run([str(part) for part in command], cwd=cwd, env={**os.environ, **(env or {})}, timeout=timeout,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    return Ran(ran.returncode, ran.stdout.decode(errors="replace"), ran.stderr.decode(errors="replace"))


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


def main():
    unittest.main(module="__main__", verbosity=2)
