"""What hwsift predicts from the text of a file against what PyTorch and pytest make of it."""
import os
import sys
import xml.etree.ElementTree as xml

import harness

PYTHON = os.environ.get("HWSIFT_PYTHON", "")

SUITE = """\
import unittest

import torch
from torch.testing._internal.common_device_type import dtypes, instantiate_device_type_tests, onlyCUDA
from torch.testing._internal.common_utils import TestCase, instantiate_parametrized_tests, parametrize, run_tests


class TestOps(TestCase):
    def test_plain(self, device):
        self.assertEqual(torch.ones(2, device=device).sum().item(), 2)

    def test_without_device(self):
        pass

    @dtypes(torch.float32, torch.int64)
    def test_types(self, device, dtype):
        self.assertEqual(torch.ones(2, device=device, dtype=dtype).dtype, dtype)

    @dtypes(torch.float32)
    @parametrize("value", [1, 2.5, "a"])
    def test_types_and_values(self, device, dtype, value):
        pass

    @onlyCUDA
    def test_only_cuda(self, device):
        pass


class TestLazy(TestCase):
    def test_lazy(self, device):
        pass


class TestNoCpu(TestCase):
    def test_none(self, device):
        pass


@instantiate_parametrized_tests
class TestValues(TestCase):
    @parametrize("x,y", [(1, 2), (3, 4)])
    def test_pairs(self, x, y):
        self.assertLess(x, y)


class Mixin:
    def test_mixed_in(self):
        pass


class TestBase(TestCase):
    def test_of_base(self):
        pass


class TestDerived(Mixin, TestBase):
    pass


class NotNamedTest(unittest.TestCase):
    def test_collected_all_the_same(self):
        pass


class TestMade(TestCase):
    pass


def make(number):
    def test(self):
        self.assertGreater(number, 0)
    return test


for number in (1, 2):
    setattr(TestMade, f"test_made_{number}", make(number))

instantiate_device_type_tests(TestOps, globals())
instantiate_device_type_tests(TestLazy, globals(), include_lazy=True)
instantiate_device_type_tests(TestNoCpu, globals(), except_for="cpu")

if __name__ == "__main__":
    run_tests()
"""

BACKEND = """\
def load():
    from torch.utils import backend_registration
    backend_registration._setup_privateuseone_for_python_backend(rename="fakeacc")
"""


class SelectionTest(harness.HwsiftTest):
    def passed_by_pytest(self, path):
        junit = self.scratch / "plain.xml"
        harness.run(PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junit-xml={junit}", path, cwd=self.tree / "test",
                    timeout=600)
        return {f'{case.get("classname").split(".")[-1]}::{case.get("name")}' for case in xml.parse(junit).iter("testcase")
                if all(case.find(bad) is None for bad in ("skipped", "failure", "error"))}

    def test_a_cpu_run_passes_what_plain_pytest_passes(self):
        self.write("test/test_suite.py", SUITE)
        plain = self.passed_by_pytest("test_suite.py")
        self.assertGreater(len(plain), 15)
        ran, document = self.document("run", "--device", "cpu", "--python", PYTHON, timeout=600)
        self.assertEqual(ran.code, 0, ran.err)
        ours = {result["id"].split("::", 1)[1] for result in document["results"] if result["outcome"] == "passed"}
        self.assertEqual(ours, plain)
        unpredicted = {result["id"].split("::", 1)[1] for result in document["results"] if result.get("unpredicted")}
        self.assertEqual(unpredicted, {"TestMade::test_made_1", "TestMade::test_made_2"})
        self.assertIn("test/test_suite.py::TestNoCpu::test_none", sum(document["not_run"].values(), []))

    def test_every_selected_test_turns_up(self):
        self.write("test/test_suite.py", SUITE)
        ran, document = self.document("run", "--device", "cpu", "--python", PYTHON, timeout=600)
        self.assertEqual([reason for reason in document["not_run"] if "not there" in reason], [])
        known = {result["id"] for result in document["results"]} | set(sum(document["not_run"].values(), []))
        ran, selection = self.document("select", "--device", "cpu")
        for test in selection["tests"]:
            self.assertTrue(test["id"] in known or test["expands"] and any(one.startswith(test["id"]) for one in known), test)

    def test_auto_is_what_torch_sees(self):
        self.write("test/test_suite.py", SUITE)
        ran, doctor = self.document("doctor", "--python", PYTHON)
        self.assertEqual(ran.code, 0, ran.err)
        self.assertRegex(doctor["torch"]["version"], r"^2\.")
        accelerators = [device["type"] for device in doctor["devices"] if device["via"] == "torch"]
        ran, document = self.document("run", "--device", "auto", "--python", PYTHON, timeout=600)
        self.assertEqual(document["device"], (accelerators or ["cpu"])[0])

    def test_a_device_that_is_not_there_runs_nothing(self):
        self.write("test/test_suite.py", SUITE)
        ran = self.hwsift("run", "--device", "nosuchdevice", "--python", PYTHON)
        self.assert_refused(ran, 75, "nosuchdevice")

    def test_a_privateuse1_backend_runs_its_variants_only(self):
        has_helper = "import torch.utils.backend_registration as b; assert hasattr(b, '_setup_privateuseone_for_python_backend')"
        if harness.run(PYTHON, "-c", has_helper).code != 0:
            self.skipTest("this PyTorch cannot make a backend in Python")
        fake = self.scratch / "fake"
        info = fake / "fakeacc_backend-0.1.dist-info"
        info.mkdir(parents=True)
        (fake / "fakeacc_backend.py").write_text(BACKEND)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fakeacc-backend\nVersion: 0.1\n")
        (info / "entry_points.txt").write_text("[torch.backends]\nfakeacc = fakeacc_backend:load\n")
        # Up to the first class with a device the framework says PRIVATEUSE1, then the backend's own name.
        self.write("test/test_two.py", """\
from torch.testing._internal.common_device_type import instantiate_device_type_tests
from torch.testing._internal.common_utils import TestCase


class TestOne(TestCase):
    def test_one(self, device):
        self.assertEqual(device.split(":")[0], "fakeacc")


class TestTwo(TestCase):
    def test_two(self, device):
        self.assertEqual(device.split(":")[0], "fakeacc")


class TestLogic(TestCase):
    def test_logic(self):
        pass


instantiate_device_type_tests(TestOne, globals())
instantiate_device_type_tests(TestTwo, globals())
""")
        ran, document = self.document("run", "--device", "auto", "--python", PYTHON, env={"PYTHONPATH": str(fake)}, timeout=600)
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(document["device"], "fakeacc")
        outcomes = {result["id"].split("::", 1)[1]: result["outcome"] for result in document["results"]}
        self.assertEqual(outcomes, {"TestOnePRIVATEUSE1::test_one_fakeacc": "passed", "TestTwoFAKEACC::test_two_fakeacc": "passed"})
        self.assertIn("test/test_two.py::TestLogic::test_logic", sum(document["not_run"].values(), []))


if __name__ == "__main__":
    if not PYTHON:
        print("skipped: HWSIFT_PYTHON names no Python with torch")
        sys.exit(harness.SKIPPED)
    harness.main()
