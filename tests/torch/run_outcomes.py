"""hwsift run with a real PyTorch: each outcome, and what crashes, hangs and interrupts cost."""
import json
import os
import signal
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree as xml

import harness

PYTHON = os.environ.get("HWSIFT_PYTHON", "")

OUTCOMES = """\
import unittest

import pytest
from torch.testing._internal.common_utils import TestCase


class TestOutcomes(TestCase):
    def test_pass(self):
        self.assertEqual(1, 1)

    def test_fail(self):
        self.fail("bell \\x07 escape \\x1b[31m ::error::forged \\udc80")

    @unittest.skip("a <reason> & more")
    def test_skip(self):
        pass

    @unittest.expectedFailure
    def test_xfail(self):
        self.fail("expected")

    def test_loud(self):
        for _ in range(5000):
            print("x" * 1000)
        print("\\n::error::forged")


class TestSubtests(TestCase):
    def test_one_of_them_fails(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertNotEqual(i, 1)


class TestSetUp(TestCase):
    @classmethod
    def setUpClass(cls):
        raise RuntimeError("no set-up")

    def test_one(self):
        pass


class TestTearDown(TestCase):
    def tearDown(self):
        raise RuntimeError("no tear-down")

    def test_one(self):
        pass


@pytest.fixture
def broken():
    yield
    raise RuntimeError("the fixture ends badly")


def test_fixture(broken):
    pass


@pytest.mark.xfail(strict=False)
def test_xpass():
    pass


@pytest.mark.parametrize("value", ["a b", "x::y", "[z]", "\\u00e9"], ids=lambda value: value)
def test_strange_ids(value):
    assert value
"""

DEATHS = """\
import ctypes
import os
import subprocess
import sys
import time
import unittest

import pytest


class TestDeaths(unittest.TestCase):
    def test_a_before(self):
        pass

    def test_b_segfault(self):
        ctypes.string_at(0)

    def test_c_abort(self):
        os.abort()

    def test_d_leave(self):
        os._exit(0)

    def test_e_exit_pytest(self):
        pytest.exit("enough")

    def test_f_hang(self):
        for detached in (False, True):
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(4711)"], start_new_session=detached)
        time.sleep(600)

    def test_g_after(self):
        pass
"""


class OutcomesTest(harness.HwsiftTest):
    def run_tests(self, *arguments, **options):
        return self.document("run", "--device", "cpu", "--python", PYTHON, *arguments, timeout=600, **options)

    def outcomes(self, document):
        return {result["id"].split("::", 1)[1]: result["outcome"] for result in document["results"]}

    def test_every_outcome(self):
        self.write("test/test_outcomes.py", OUTCOMES)
        junit = self.scratch / "junit.xml"
        ran, document = self.run_tests("-o", f"junit:{junit}", "-o", "text")
        self.assertEqual(ran.code, 1, ran.err)
        outcomes = self.outcomes(document)
        strange = {name for name in outcomes if name.startswith("test_strange_ids[")}
        self.assertEqual(len(strange), 4)
        self.assertEqual({outcomes.pop(name) for name in strange}, {"passed"})
        self.assertEqual(outcomes, {
            "TestOutcomes::test_pass": "passed", "TestOutcomes::test_fail": "failed", "TestOutcomes::test_skip": "skipped",
            "TestOutcomes::test_xfail": "xfailed", "TestOutcomes::test_loud": "passed",
            "TestSubtests::test_one_of_them_fails": "failed", "TestSetUp::test_one": "error",
            "TestTearDown::test_one": "failed", "test_fixture": "error", "test_xpass": "xpassed"})
        messages = {result["id"].rpartition("::")[2]: result["message"] for result in document["results"]}
        self.assertEqual(messages["test_skip"], "a <reason> & more")
        self.assertIn("bell \x07", messages["test_fail"])
        self.assertEqual(len(list(xml.parse(junit).iter("testcase"))), len(document["results"]))
        self.assertNotIn("\n::error::", ran.out + ran.err)
        self.assertNotIn("\x1b", ran.out + ran.err)
        self.assertTrue(document["complete"])

    def test_a_death_costs_the_test_that_dies(self):
        self.write("test/test_deaths.py", DEATHS)
        ran, document = self.run_tests("--timeout", "5s")
        self.assertEqual(ran.code, 1, ran.err)
        self.assertEqual(self.outcomes(document), {
            "TestDeaths::test_a_before": "passed", "TestDeaths::test_b_segfault": "crashed",
            "TestDeaths::test_c_abort": "crashed", "TestDeaths::test_d_leave": "crashed",
            "TestDeaths::test_e_exit_pytest": "crashed", "TestDeaths::test_f_hang": "timeout",
            "TestDeaths::test_g_after": "passed"})
        results = {result["id"].rpartition("::")[2]: result for result in document["results"]}
        self.assertIn("SIGSEGV", results["test_b_segfault"]["message"])
        self.assertIn("test_f_hang", results["test_f_hang"]["details"], "where it hung")
        left = harness.run("pgrep", "-f", r"time\.sleep\(4711\)")
        self.assertEqual(left.out, "", "a process is left behind")

    def test_what_cannot_be_collected_is_an_error_of_its_tests(self):
        self.write("test/test_broken.py", "import no_such_module\n" + harness.PLAIN_TEST)
        self.write("test/test_dies.py", harness.PLAIN_TEST + "import ctypes\nctypes.string_at(0)\n")
        self.write("test/test_skips.py", harness.PLAIN_TEST + "import unittest\nraise unittest.SkipTest('no need')\n")
        self.write("test/test_fine.py", harness.PLAIN_TEST)
        ran, document = self.run_tests()
        self.assertEqual(ran.code, 1, ran.err)
        outcomes = {result["id"].partition("::")[0]: result["outcome"] for result in document["results"]}
        self.assertEqual(outcomes, {"test/test_broken.py": "error", "test/test_dies.py": "crashed",
                                    "test/test_skips.py": "skipped", "test/test_fine.py": "passed"})

    def test_a_failing_conftest_is_an_error_that_names_it(self):
        self.write("test/conftest.py", "import no_such_module\n")
        self.write("test/test_x.py")
        ran, document = self.run_tests()
        self.assertEqual([result["outcome"] for result in document["results"]], ["error"])
        self.assertIn("no_such_module", json.dumps(document["results"]))

    def test_retries_tell_flaky_from_broken(self):
        self.write("test/test_flaky.py", f"""\
import pathlib
import unittest


class TestFlaky(unittest.TestCase):
    def test_second_time(self):
        mark = pathlib.Path({str(self.scratch)!r}) / "seen"
        seen = mark.exists()
        mark.touch()
        self.assertTrue(seen)

    def test_never(self):
        self.fail("always")
""")
        ran, document = self.run_tests("--retries", "2")
        attempts = {result["id"].rpartition("::")[2]: (result["outcome"], result["attempts"]) for result in document["results"]}
        self.assertEqual(attempts, {"test_second_time": ("passed", 2), "test_never": ("failed", 3)})
        self.assertEqual(ran.code, 1)

    def test_a_signal_ends_the_run_with_its_documents(self):
        self.write("test/test_deaths.py", DEATHS)
        for number, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            file = self.scratch / f"{code}.json"
            process = subprocess.Popen([harness.HWSIFT, "run", "--device", "cpu", "--python", PYTHON, "-o", f"json:{file}"],
                                       cwd=self.tree, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            for line in process.stderr:
                if "test_e_exit_pytest" in line:
                    break
            time.sleep(3)
            process.send_signal(number)
            process.communicate(timeout=30)
            self.assertEqual(process.returncode, code)
            document = json.loads(file.read_text())
            self.assertIn("test/test_deaths.py::TestDeaths::test_g_after", document["not_run"]["interrupted"])
            self.assertFalse(document["complete"])
            self.assertEqual(harness.run("pgrep", "-f", r"time\.sleep\(4711\)").out, "")

    def test_a_database_that_will_not_open_is_a_warning(self):
        self.write("test/test_x.py")
        database = self.scratch / "not-a-database"
        database.write_text("something else, and long enough to be no empty file")
        ran, document = self.run_tests("--db", database)
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("warning", ran.err)
        self.assertEqual(len(document["results"]), 1)

    def test_what_a_test_starts_sees_the_environment_of_the_caller(self):
        self.write("test/test_env.py", """\
import os
import subprocess
import sys


def test_env():
    assert os.environ.get("PYTHONPATH") == "/some/backend", os.environ.get("PYTHONPATH")
    assert "HWSIFT_CHANNEL" not in os.environ
    assert "/some/backend" in sys.path
    code = "import os, sys; sys.exit(len([d for d in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + d) and 'socket' in os.readlink('/proc/self/fd/' + d)]))"
    assert subprocess.run([sys.executable, "-c", code], close_fds=False).returncode == 0
""")
        ran, document = self.run_tests(env={"PYTHONPATH": "/some/backend"})
        self.assertEqual([result["outcome"] for result in document["results"]], ["passed"], document["results"])


if __name__ == "__main__":
    if not PYTHON:
        print("skipped: HWSIFT_PYTHON names no Python with torch")
        sys.exit(harness.SKIPPED)
    harness.main()
