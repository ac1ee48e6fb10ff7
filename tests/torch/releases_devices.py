"""Runs on an accelerator that is not there: a backend behind PrivateUse1, made in Python, with as many devices as a test asks for."""
import json

import corpus
import harness

# FAKEACC_VISIBLE_DEVICES holds which of four devices a process sees; two where it is not set. The file BROKEN breaks them.
BACKEND = """\
import os
import types


def devices():
    visible = os.environ.get("FAKEACC_VISIBLE_DEVICES", "0,1")
    return [name for name in visible.split(",") if name]


def load():
    from torch.utils import backend_registration
    module = types.ModuleType("torch.fakeacc")
    module.is_available = lambda: bool(devices()) and not os.path.exists(os.environ.get("BROKEN", "/nowhere"))
    module.device_count = lambda: len(devices())
    module.current_device = lambda: 0
    module._is_in_bad_fork = lambda: False
    module.manual_seed_all = lambda seed: None
    backend_registration._setup_privateuseone_for_python_backend(rename="fakeacc", backend_module=module)
"""

HEAD = """\
import json
import os
import pathlib
import time
import unittest

import torch
from torch.testing._internal.common_device_type import deviceCountAtLeast, instantiate_device_type_tests
from torch.testing._internal.common_utils import TestCase, run_tests

SCRATCH = pathlib.Path(os.environ.get("SCRATCH", "/"))


def tell(name):
    began = time.monotonic()
    time.sleep(3 if name in "ab" else 0)
    told = {"visible": os.environ.get("FAKEACC_VISIBLE_DEVICES"), "count": torch.fakeacc.device_count(), "pid": os.getpid(),
            "began": began, "ended": time.monotonic()}
    (SCRATCH / f"told.{name}").write_text(json.dumps(told))


"""

SETTINGS = """\
devices:
  - name: fakeacc
    visible_devices: [FAKEACC_VISIBLE_DEVICES]
"""


def one_class(name, body):
    return HEAD + f"class {name}(TestCase):\n{body}\n\ninstantiate_device_type_tests({name}, globals())\n"


class DevicesTest(harness.HwsiftTest):
    python = corpus.python_of("forky")

    def setUp(self):
        super().setUp()
        fake = self.scratch / "fake"
        info = fake / "fakeacc_backend-0.1.dist-info"
        info.mkdir(parents=True)
        (fake / "fakeacc_backend.py").write_text(BACKEND)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fakeacc-backend\nVersion: 0.1\n")
        (info / "entry_points.txt").write_text("[torch.backends]\nfakeacc = fakeacc_backend:load\n")
        self.write("hwsift.yaml", SETTINGS)
        self.environment = {"PYTHONPATH": str(fake), "SCRATCH": str(self.scratch), "BROKEN": str(self.scratch / "broken")}

    def run_tests(self, *arguments, **environment):
        return self.document("run", "--device", "fakeacc", "--python", self.python, *arguments, env={**self.environment, **environment},
                             timeout=120)

    def outcomes(self, document):
        return {result["id"].rpartition("::")[2]: result["outcome"] for result in document["results"]}

    def told(self):
        found = {file.name.partition(".")[2]: json.loads(file.read_text()) for file in self.scratch.glob("told.*")}
        for file in self.scratch.glob("told.*"):
            file.unlink()
        return found

    def write_apart(self):
        for name in "ab":
            self.write(f"test/test_{name}.py", one_class(f"Test{name.upper()}", f"    def test_{name}(self, device):\n        tell('{name}')\n"))
        self.write("test/test_wide.py", one_class("TestWide", """\
    @deviceCountAtLeast(2)
    def test_wide(self, devices):
        self.assertEqual(len(devices), 2)
        tell("wide")

    def test_narrow(self, device):
        tell("narrow")
"""))

    def assert_kept_apart(self, told, names):
        """Each of the small files saw one device, and both were in use; the wide one saw all of them, alone."""
        wide = [told.pop("wide"), told.pop("narrow")]
        for one in wide:
            self.assertEqual(one["count"], 2)
            self.assertEqual(one["visible"], ",".join(names))
        self.assertEqual({one["visible"] for one in told.values()}, set(names))
        self.assertEqual({one["count"] for one in told.values()}, {1})
        self.assertEqual(len({one["pid"] for one in told.values()}), 2)
        self.assertLess(max(one["ended"] for one in told.values()), min(one["began"] for one in wide))
        spans = sorted((one["began"], one["ended"], one["visible"]) for one in told.values())
        together = [(a, b) for i, a in enumerate(spans) for b in spans[i + 1:] if b[0] < a[1]]
        self.assertTrue(together, "no two workers ran at once")
        self.assertTrue(all(a[2] != b[2] for a, b in together), "two workers had one device")

    def test_each_worker_has_a_device_of_its_own_of_those_that_the_caller_sees(self):
        self.write_apart()
        ran, document = self.run_tests("--workers", "auto", FAKEACC_VISIBLE_DEVICES="3,5")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(set(self.outcomes(document).values()), {"passed"})
        self.assert_kept_apart(self.told(), ["3", "5"])

    def test_one_device_leaves_out_what_needs_two_and_says_so(self):
        self.write_apart()
        ran, document = self.run_tests("test/test_wide.py", FAKEACC_VISIBLE_DEVICES="5")
        self.assertEqual(self.outcomes(document), {"test_narrow_fakeacc": "passed"})
        left = [(reason, name) for reason, ids in document["not_run"].items() for name in ids if name.endswith(("::test_wide", "::test_wide_fakeacc"))]
        self.assertEqual(len(left), 1)
        self.assertIn("2", left[0][0])
        self.assertEqual(self.told()["narrow"]["visible"], "5")

        _, selection = self.document("select", "--device", "fakeacc", "--device-count", "2", "test/test_wide.py")
        self.assertEqual([test["id"].rpartition("::")[2] for test in selection["tests"]], ["test_wide_fakeacc", "test_narrow_fakeacc"])

    def test_a_device_that_fails_ends_the_run_and_the_account_is_complete(self):
        for name, deed in (("a", "pass"), ("b", "os.abort()"), ("c", "(pathlib.Path(os.environ['BROKEN']).touch(), os.abort())"), ("d", "pass")):
            self.write(f"test/test_{name}.py", one_class(f"Test{name.upper()}", f"""\
    def test_{name}(self, device):
        self.assertEqual(torch.device(device).type, "fakeacc")
        {deed}

    def test_{name}_later(self, device):
        self.assertEqual(torch.device(device).type, "fakeacc")
"""))
        ran, document = self.run_tests("--workers", "1", "test/test_b.py", "test/test_c.py", "test/test_d.py")
        self.assertEqual(ran.code, 75, ran.err)
        self.assertEqual(self.outcomes(document), {"test_b_fakeacc": "crashed", "test_b_later_fakeacc": "passed", "test_c_fakeacc": "crashed"})
        self.assertEqual(sorted(name.rpartition("::")[2] for name in document["not_run"]["the device failed"]),
                         ["test_c_later_fakeacc", "test_d_fakeacc", "test_d_later_fakeacc"])
        self.assertFalse(document["complete"])
        for text in (document["device_problem"], ran.err):
            self.assertIn("is_available() is false", text)
        replayed = self.hwsift("replay", self.scratch / "document.json")
        self.assertEqual(replayed.code, 75)
        self.assertIn("is_available() is false", replayed.out)

        (self.scratch / "broken").unlink()
        ran, document = self.run_tests("--workers", "1", "test/test_a.py", "test/test_b.py")
        self.assertEqual(ran.code, 1, ran.err)
        self.assertEqual(self.outcomes(document), {"test_a_fakeacc": "passed", "test_a_later_fakeacc": "passed",
                                                   "test_b_fakeacc": "crashed", "test_b_later_fakeacc": "passed"})
        self.assertTrue(document["complete"])

    VARIANTS = HEAD + """\
class TestNone(TestCase):
    def test_none(self, device):
        pass


class TestFirst(TestCase):
    def test_first(self, device):
        pass


class TestLater(TestCase):
    def test_later(self, device):
        pass


class TestOnly(TestCase):
    def test_only(self, device):
        pass


class TestNot(TestCase):
    def test_not(self, device):
        pass


instantiate_device_type_tests(TestNone, globals(), only_for=("cpu",))
instantiate_device_type_tests(TestFirst, globals())
instantiate_device_type_tests(TestLater, globals())
instantiate_device_type_tests(TestOnly, globals(), only_for=("fakeacc",))
instantiate_device_type_tests(TestNot, globals(), except_for=("privateuse1",))
"""

    def test_what_select_predicts_is_what_runs(self):
        self.write("test/test_variants.py", self.VARIANTS)
        for environment in ({}, {"PYTORCH_TESTING_DEVICE_ONLY_FOR": "privateuse1"}, {"PYTORCH_TESTING_DEVICE_ONLY_FOR": "cpu"},
                            {"PYTORCH_TESTING_DEVICE_EXCEPT_FOR": "fakeacc"}):
            with self.subTest(environment):
                _, selection = self.document("select", "--device", "fakeacc", "--unclassified", "include", env=environment)
                predicted = {test["id"].rpartition(".py::")[2] for test in selection["tests"]}
                runs = {"TestFirstPRIVATEUSE1::test_first_fakeacc", "TestLaterFAKEACC::test_later_fakeacc", "TestOnlyFAKEACC::test_only_fakeacc"}
                self.assertEqual(predicted, runs if environment.get("PYTORCH_TESTING_DEVICE_ONLY_FOR", "") != "cpu" and
                                 "PYTORCH_TESTING_DEVICE_EXCEPT_FOR" not in environment else set())
                ran, document = self.run_tests("--unclassified", "include", **environment)
                self.assertEqual({result["id"].rpartition(".py::")[2] for result in document["results"]}, predicted, ran.err)
                self.assertEqual([reason for reason in document["not_run"] if "not there" in reason], [])
                self.assertFalse([result for result in document["results"] if result.get("unpredicted")])

    def test_variants_that_a_variable_adds_do_not_run_and_are_named(self):
        self.write("test/test_variants.py", self.VARIANTS)
        environment = {"PYTORCH_TESTING_DEVICE_FOR_CUSTOM": "privateuse1,fakeacc"}
        collected = harness.run(self.python, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", "--rootdir", self.tree,
                                "test_variants.py", cwd=self.tree / "test", env={**self.environment, **environment})
        there = {line for line in collected.out.splitlines() if "::" in line and line.endswith("_fakeacc")}
        self.assertEqual(len(there), 5, collected.out)
        ran, document = self.run_tests("--unclassified", "include", **environment)
        self.assertEqual(self.outcomes(document), dict.fromkeys(("test_first_fakeacc", "test_later_fakeacc", "test_only_fakeacc"), "passed"))
        told = {result["id"] for result in document["results"]} | set(sum(document["not_run"].values(), []))
        self.assertLessEqual(there, told)


if __name__ == "__main__":
    harness.main()
