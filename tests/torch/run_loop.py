"""The loop of hwsift run with a real PyTorch: workers, limits, main guards, lists, signals, and tests that do what they should not."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import harness

PYTHON = os.environ.get("HWSIFT_PYTHON", "")

# What the first lines of each file have in common.
HEAD = """\
import os
import pathlib
import subprocess
import sys
import time
import unittest

SCRATCH = pathlib.Path(os.environ["SCRATCH"])


def wait_for(name):
    end = time.monotonic() + 20
    while not (SCRATCH / name).exists():
        assert time.monotonic() < end, f"nobody made {name}"
        time.sleep(0.02)


"""

# As PyTorch's own test/conftest.py has it.
MAIN_CONFTEST = """\
import sys
from types import MethodType

import pytest
from _pytest.python import Module


def pytest_addoption(parser):
    parser.addoption("--use-main-module", action="store_true")
    parser.addoption("--junit-xml-reruns")


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path, parent):
    if parent.config.getoption("--use-main-module"):
        module = Module.from_parent(parent, path=module_path)
        module._getobj = MethodType(lambda self: sys.modules["__main__"], module)
        return module
"""

FAILURES = HEAD + """\
class TestFailures(unittest.TestCase):
    def test_1_fails(self):
        self.fail("1")

    def test_2_fails_once(self):
        mark = SCRATCH / "seen"
        seen = mark.exists()
        mark.touch()
        self.assertTrue(seen)

    def test_3_fails(self):
        self.fail("3")

    def test_4_passes(self):
        pass
"""

STRANGE = HEAD + """\
import pytest


class TestStrange(unittest.TestCase):
    def test_a_leaves_a_child(self):
        if os.fork() == 0:
            os.setsid()
            os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)", str(SCRATCH)])

    def test_b_writes_to_the_channel(self):
        said = 0
        for name in os.listdir("/proc/self/fd"):
            try:
                if "socket" in os.readlink(f"/proc/self/fd/{name}"):
                    for line in (b'{"event": "hello"}', b'{"event": "finish"}', b'{"event": "collected", "items": 7}',
                                 b'{"event": "end", "id": "x"}', b"[" * 5000, b"\\xff\\x00 no end"):
                        os.write(int(name), line if b"no end" in line else line + b"\\n")
                    said += 1
            except OSError:
                pass
        self.assertEqual(said, 1)

    def test_c_prints_100_mb(self):
        for _ in range(100):
            print("x" * 1000000)

    def test_d_prints_100_mb_past_pytest(self):
        with open(os.environ["LOUD"], "w") as file:
            for _ in range(100):
                file.write("x" * 1000000)

    def test_e_closes_every_descriptor(self):
        os.closerange(3, 256)

    def test_f_passes(self):
        pass


@pytest.mark.parametrize("value", [1], ids=["n" * 5000])
def test_long_id(value):
    pass
"""


class LoopTest(harness.HwsiftTest):
    def setUp(self):
        super().setUp()
        self.environment = {"SCRATCH": str(self.scratch), "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}

    def run_tests(self, *arguments, env=None, python=PYTHON, device="cpu"):
        return self.document("run", "--device", device, "--python", python, *arguments, env={**self.environment, **(env or {})},
                             timeout=120)

    def refused(self, *arguments, env=None, python=PYTHON, device="cpu"):
        return self.hwsift("run", "--device", device, "--python", python, *arguments, env={**self.environment, **(env or {})}, timeout=120)

    def outcomes(self, document):
        return {result["id"].rpartition("::")[2]: result["outcome"] for result in document["results"]}

    def not_run(self, document):
        return {reason: sorted(name.rpartition("::")[2] for name in ids) for reason, ids in document["not_run"].items()}

    def assert_nothing_left(self):
        left = harness.run("pgrep", "-a", "-f", str(self.scratch))
        self.assertEqual(left.out, "", "a process is left behind")

    def program(self, name, text):
        file = self.scratch / name
        file.write_text("#!/bin/sh\n" + text)
        file.chmod(0o755)
        return file

    def site(self, text):
        """A folder for PYTHONPATH whose sitecustomize does this."""
        folder = self.scratch / "site"
        folder.mkdir(exist_ok=True)
        (folder / "sitecustomize.py").write_text(text)
        return {"PYTHONPATH": str(folder)}

    # --- workers ---

    def test_two_workers_run_two_files_at_once_and_the_document_keeps_their_order(self):
        for mine, other in (("a", "b"), ("b", "a")):
            self.write(f"test/test_{mine}.py", HEAD + f"""\
class TestMeets(unittest.TestCase):
    def test_{mine}(self):
        (SCRATCH / "{mine}").touch()
        wait_for("{other}")
        if os.environ["LAST"] == "{mine}":
            wait_for("{other} ended")
            time.sleep(0.5)

    @classmethod
    def tearDownClass(cls):
        (SCRATCH / "{mine} ended").touch()
""")
        for last in "ab":
            for name in ("a", "b", "a ended", "b ended"):
                (self.scratch / name).unlink(missing_ok=True)
            ran, document = self.run_tests("--workers", "2", env={"LAST": last})
            self.assertEqual(ran.code, 0, ran.err)
            self.assertEqual([result["id"].rpartition("::")[2] for result in document["results"]], ["test_a", "test_b"])

    # --- the end of a run ---

    def test_fail_fast_counts_what_failed_for_good(self):
        self.write("test/test_a.py", FAILURES)
        self.write("test/test_b.py", "def test_b():\n    pass\n")
        why = "left out after a failure (--fail-fast)"
        for arguments, outcomes, left in (
                (("--fail-fast",), {"test_1_fails": "failed"},
                 ["test_2_fails_once", "test_3_fails", "test_4_passes", "test_b"]),
                (("--fail-fast=2",), {"test_1_fails": "failed", "test_2_fails_once": "failed"},
                 ["test_3_fails", "test_4_passes", "test_b"]),
                # The first attempts of a file count once nothing can better them.
                (("--fail-fast=2", "--retries", "1"), {"test_1_fails": "failed", "test_2_fails_once": "passed", "test_3_fails": "failed",
                                                       "test_4_passes": "passed"}, ["test_b"]),
                (("--fail-fast=3", "--retries", "1"), {"test_1_fails": "failed", "test_2_fails_once": "passed", "test_3_fails": "failed",
                                                       "test_4_passes": "passed", "test_b": "passed"}, None)):
            with self.subTest(arguments):
                (self.scratch / "seen").unlink(missing_ok=True)
                ran, document = self.run_tests(*arguments)
                self.assertEqual(ran.code, 1, ran.err)
                self.assertEqual(self.outcomes(document), outcomes)
                self.assertEqual(self.not_run(document).get(why), left)

    def test_fail_fast_counts_a_file_that_cannot_be_imported_whatever_retries_are_left(self):
        self.write("test/test_a.py", "import no_such_module\n\n\ndef test_a():\n    pass\n")
        self.write("test/test_b.py", "def test_b():\n    pass\n")
        ran, document = self.run_tests("--fail-fast", "--retries", "3")
        self.assertEqual(self.outcomes(document), {"test_a": "error"})

    def test_the_time_budget_ends_tests_and_what_they_started(self):
        self.write("test/test_a.py", HEAD + """\
def test_sleeps():
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", str(SCRATCH)], start_new_session=True)
    time.sleep(600)


def test_later():
    pass
""")
        self.write("test/test_b.py", "def test_b():\n    pass\n")
        begin = time.monotonic()
        ran, document = self.run_tests("--time-budget", "4s")
        self.assertLess(time.monotonic() - begin, 9)
        self.assertEqual(ran.code, 5, ran.err)
        self.assertEqual(self.not_run(document), {"the time budget was used up": ["test_b", "test_later", "test_sleeps"]})
        self.assertFalse(document["complete"])
        self.assert_nothing_left()

    def test_a_signal_while_torch_is_imported_leaves_nothing(self):
        self.write("test/test_a.py", "def test_a():\n    pass\n")
        site = self.site(f"import pathlib, time\npathlib.Path({str(self.scratch)!r}, 'hangs').touch()\ntime.sleep(600)\n")
        for device in ("cpu", "auto"):
            for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
                (self.scratch / "hangs").unlink(missing_ok=True)
                process = subprocess.Popen([harness.HWSIFT, "run", "--device", device, "--python", PYTHON], cwd=self.tree, text=True,
                                           env={**os.environ, **self.environment, **site}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                while not (self.scratch / "hangs").exists():
                    time.sleep(0.02)
                process.send_signal(number)
                begin = time.monotonic()
                _, said = process.communicate(timeout=30)
                self.assertEqual(process.returncode, code, said)
                self.assertLess(time.monotonic() - begin, 5)
                self.assert_nothing_left()

    def test_a_python_that_hangs_at_its_start_is_left_when_the_time_budget_is(self):
        self.write("test/test_a.py", "def test_a():\n    pass\n")
        site = self.site("import time\ntime.sleep(600)\n")
        begin = time.monotonic()
        ran, document = self.run_tests("--time-budget", "2s", env=site)
        self.assertEqual(ran.code, 5, ran.err)
        self.assertEqual(self.not_run(document), {"the time budget was used up": ["test_a"]})
        ran = self.refused("--time-budget", "2s", env=site, device="auto")
        self.assert_refused(ran, 5, "time budget")
        self.assertLess(time.monotonic() - begin, 10)
        self.assert_nothing_left()

    def test_a_python_without_torch_is_refused(self):
        self.write("test/test_a.py", "def test_a():\n    pass\n")
        site = self.site("""\
import importlib.machinery as machinery
find = machinery.PathFinder.find_spec
machinery.PathFinder.find_spec = classmethod(lambda cls, name, *rest: None if name.split(".")[0] == "torch" else find(name, *rest))
""")
        for device in ("cpu", "auto"):
            self.assert_refused(self.refused(env=site, device=device), 2, "this Python has no torch")
        broken = self.site("import sys\nsys.modules['torch'] = None\n")
        ran = self.refused(env=broken, device="auto")
        self.assertNotEqual(ran.code, 0)
        self.assertEqual(len(self.errors_of(ran)), 1, ran.err)

    # --- how tests are started ---

    def test_main_guards_run_and_what_they_leave_out_is_told(self):
        self.write("test/conftest.py", MAIN_CONFTEST)
        body = "from torch.testing._internal.common_utils import TestCase, run_tests\n\n\nclass TestMain(TestCase):\n    def test_{0}(self):\n        {1}\n\n\n"
        guard = "if __name__ == '__main__':\n    "
        self.write("test/test_runs.py", body.format("runs", "assert READY") + guard + "READY = True\n    run_tests()\n")
        self.write("test/test_raises.py", body.format("raises", "pass") + guard + "raise RuntimeError('not to be run')\n")
        self.write("test/test_nothing.py", body.format("nothing", "pass"))
        self.write("test/test_other.py", "import unittest\n" + body.format("other", "pass") + guard + "unittest.main()\n")
        self.write("test/test_before.py", body.format("before", "os.abort()").replace("from", "import os\nfrom", 1) + guard + "run_tests()\n")
        # Where CI is set, run_tests() of PyTorch gives pytest other options.
        ran, document = self.run_tests("--mode", "main", "--workers", "2", env={"CI": "true"})
        self.assertEqual(self.outcomes(document), {"test_runs": "passed", "test_before": "crashed"})
        left = {name: reason for reason, names in self.not_run(document).items() for name in names}
        self.assertEqual(set(left), {"test_raises", "test_nothing", "test_other"})
        for name, code in (("test_raises", 1), ("test_nothing", 0), ("test_other", 2)):
            self.assertIn(f"exit code {code}", left[name])
            self.assertIn("main guard", left[name])
        self.assertEqual(ran.code, 5, ran.err)
        self.assertFalse(any(result.get("unpredicted") for result in document["results"]))

    def test_a_launcher_stands_before_python(self):
        self.write("test/test_a.py", "import os\n\n\ndef test_a():\n    assert os.environ['LAUNCHED'] == 'twice 2'\n")
        wrapper = self.program("wrapper", 'export LAUNCHED="$1 $2"\nshift 2\nexec "$@"\n')
        for device in ("cpu", "auto"):
            ran, document = self.run_tests("--launcher", f"{wrapper} twice 2", device=device)
            self.assertEqual(self.outcomes(document), {"test_a": "passed"}, document["results"])
        failing = self.program("failing", "echo no such node >&2\nexit 3\n")
        ran = self.refused("--launcher", failing)
        self.assertNotEqual(ran.code, 0)
        self.assertIn("no such node", self.errors_of(ran)[0])
        self.assert_refused(self.refused("--launcher", "no-such-launcher"), 2, "no-such-launcher")

    def test_auto_imports_torch_once_for_one_file(self):
        self.write("test/test_a.py", "import torch\n\n\ndef test_a():\n    assert torch.ones(1).item() == 1\n")
        log = self.scratch / "imports"
        site = self.site(f"""\
import importlib.machinery as machinery
import os
find = machinery.PathFinder.find_spec


def watch(cls, name, path=None, target=None):
    found = find(name, path, target)
    if name == "torch" and found is not None:
        load = found.loader.exec_module
        def exec_module(module):
            with open({str(log)!r}, "a") as file:
                file.write(f"{{os.getpid()}}\\\\n")
            load(module)
        found.loader.exec_module = exec_module
    return found


machinery.PathFinder.find_spec = classmethod(watch)
""".replace("\\\\n", "\\n"))
        ran, document = self.run_tests(env=site, device="auto")
        if document["device"] != "cpu":
            self.skipTest("there is an accelerator")
        self.assertEqual(self.outcomes(document), {"test_a": "passed"})
        self.assertEqual(len(log.read_text().split()), 1)

    def test_tests_see_the_environment_of_the_caller(self):
        self.write("test/test_env.py", """\
import json
import os
import pathlib
import sys


def test_env():
    names = {name: value for name, value in os.environ.items() if name.startswith("HWSIFT_") or name == "PYTHONPATH"}
    told = {"environ": names, "path": sys.path, "argv": sys.argv}
    pathlib.Path(os.environ["SCRATCH"], "told.json").write_text(json.dumps(told))
""")
        before = {name for name in os.environ if name.startswith("HWSIFT_")}
        for device in ("cpu", "auto"):
            for given in (None, "/some/where:/else"):
                with self.subTest(device=device, given=given):
                    environment = {} if given is None else {"PYTHONPATH": given}
                    os.environ.pop("PYTHONPATH", None) if given is None else None
                    ran, document = self.run_tests(env=environment, device=device)
                    self.assertEqual(self.outcomes(document), {"test_env": "passed"}, document["results"])
                    told = json.loads((self.scratch / "told.json").read_text())
                    self.assertEqual(told["environ"].pop("PYTHONPATH", None), given)
                    self.assertEqual(set(told["environ"]) - before, {"HWSIFT_GROUP"})
                    self.assertEqual(told["path"].count("/some/where"), 0 if given is None else 1)
                    self.assertTrue(told["argv"][0].endswith("__main__.py"), told["argv"])

    # --- lists and filters ---

    def test_lists_hold_what_runs_and_what_counts(self):
        self.write("test/test_a.py", HEAD + """\
class TestLists(unittest.TestCase):
    def test_plain(self):
        pass

    def test_slow(self):
        pass

    def test_disabled(self):
        self.fail("disabled")

    def test_elsewhere(self):
        pass

    def test_shaky(self):
        self.fail("shaky <&> one")

    def test_expired(self):
        self.fail("expired")
""")
        disabled = self.scratch / "disabled.json"
        disabled.write_text(json.dumps({"test_disabled (__main__.TestLists)": ["https://example.org/7", []],
                                        "test_elsewhere (__main__.TestLists)": ["https://example.org/8", ["rocm"]]}))
        slow = self.scratch / "slow.json"
        slow.write_text(json.dumps({"test_slow (__main__.TestLists)": 61.5}))
        quarantine = self.scratch / "quarantine.yaml"
        shaky = "- test: test/test_a.py::TestLists::test_shaky\n  reason: now and then\n  until: 2999-01-01\n"
        quarantine.write_text(shaky)
        junit, text = self.scratch / "junit.xml", self.scratch / "text"
        lists = ("--disabled-tests", disabled, "--slow-tests", slow, "--quarantine", quarantine)
        only = "-E", "!test(=test_expired)"
        ran, document = self.run_tests(*lists, *only, "-o", f"junit:{junit}", "-o", f"text:{text}")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(self.outcomes(document), {"test_plain": "passed", "test_elsewhere": "passed", "test_shaky": "failed"})
        not_run = self.not_run(document)
        self.assertEqual(not_run["disabled: https://example.org/7"], ["test_disabled"])
        self.assertEqual(not_run["slow, by the list: PYTORCH_TEST_WITH_SLOW is not 1"], ["test_slow"])
        self.assertEqual([result["id"].rpartition("::")[2] for result in document["results"] if result.get("quarantined")], ["test_shaky"])
        self.assertIn("quarantine", text.read_text())
        self.assertIn("test_shaky", text.read_text())
        case = junit.read_text().partition('name="test_shaky"')[2].partition("</testcase>")[0]
        self.assertIn("<skipped", case)
        self.assertIn("shaky &lt;&amp;&gt; one", case)

        ran, document = self.run_tests(*lists, *only, env={"PYTORCH_TEST_WITH_SLOW": "1"})
        self.assertEqual(self.outcomes(document)["test_slow"], "passed")

        quarantine.write_text(shaky + "- test: '*::test_expired'\n  reason: was waiting\n  until: 2020-01-01\n")
        ran, document = self.run_tests(*lists)
        self.assertEqual(ran.code, 1, ran.err)
        self.assertRegex(ran.err, r"warning: .*test_expired.*2020-01-01|warning: .*2020-01-01")

    def test_filters_know_the_last_run_and_the_last_commit(self):
        for name in ("a", "b"):
            self.write(f"test/test_{name}.py", f"def test_{name}_passes():\n    pass\n\n\ndef test_{name}_fails():\n    assert False\n")
        environment = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        for command in (("init", "-q"), ("add", "."), ("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "t")):
            self.assertEqual(harness.run("git", *command, cwd=self.tree, env=environment).code, 0)
        self.run_tests()
        ran, document = self.run_tests("-E", "failed()")
        self.assertEqual(self.outcomes(document), {"test_a_fails": "failed", "test_b_fails": "failed"})
        self.write("test/test_b.py", (self.tree / "test/test_b.py").read_text() + "\n")
        ran, document = self.run_tests("-E", "changed() - test(fails)")
        self.assertEqual(self.outcomes(document), {"test_b_passes": "passed"})
        ran, document = self.run_tests("-E", "file(test_a) & failed()")
        self.assertEqual(self.outcomes(document), {"test_a_fails": "failed"})
        self.assertEqual(self.hwsift("run", "--device", "cpu", "--python", PYTHON, "-E", "none()", env=self.environment).code, 4)

    # --- tests that do what they should not ---

    def test_strange_tests_cost_nobody_else_a_result(self):
        self.write("test/test_strange.py", STRANGE)
        ran, document = self.run_tests(env={"PYTEST_ADDOPTS": "-s", "LOUD": "/proc/self/fd/2"})
        self.assertEqual(ran.code, 0, (ran.err, document["results"]))
        outcomes = self.outcomes(document)
        self.assertEqual(set(outcomes.values()), {"passed"}, document["results"])
        self.assertEqual(len(outcomes), 7)
        self.assertIn(f"test_long_id[{'n' * 5000}]", outcomes)
        self.assertTrue(document["complete"])
        self.assertEqual({result["attempts"] for result in document["results"]}, {1})
        self.assert_nothing_left()


if __name__ == "__main__":
    if not PYTHON:
        print("skipped: HWSIFT_PYTHON names no Python with torch")
        sys.exit(harness.SKIPPED)
    harness.main()
