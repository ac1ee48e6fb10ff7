"""What explain says of each test on the CPU against what pytest and PyTorch make of it."""
import os
import sys
import xml.etree.ElementTree as xml

import harness

PYTHON = os.environ.get("HWSIFT_PYTHON", "")

# Tests whose name has "if_" hinge on something that the source does not tell; of all others the outcome is certain.
SUITE = """\
import sys
import unittest

import torch
from torch.testing._internal.common_cuda import SM80OrLater, TEST_CUDNN, TEST_MULTIGPU
from torch.testing._internal.common_device_type import (
    deviceCountAtLeast, dtypes, dtypesIfCUDA, expectedFailureCUDA, instantiate_device_type_tests, largeTensorTest,
    onlyCPU, onlyCUDA, onlyNativeDeviceTypes, onlyNativeDeviceTypesAnd, onlyOn, skipCPUIf, skipCPUIfNoLapack,
    skipCUDAIf, skipCUDAIfNoMagma, skipCUDAIfRocm, skipGPUIf, skipIf, skipMPS, skipMeta)
from torch.testing._internal.common_distributed import skip_if_lt_x_gpu
from torch.testing._internal.common_utils import (
    IS_WINDOWS, TEST_CUDA, TEST_MPS, TEST_WITH_ROCM, TEST_XPU, TestCase, instantiate_parametrized_tests, parametrize,
    skipIfHpu, skipIfRocm, skipIfXpu, slowTest, subtest)
from torch.testing._internal.inductor_utils import HAS_GPU, requires_gpu

requires_cuda = unittest.skipUnless(torch.cuda.is_available(), "needs CUDA")
requires_two = unittest.skipIf(torch.cuda.device_count() < 2, "needs two")


class TestOnly(TestCase):
    @onlyCUDA
    def test_cuda(self, device):
        pass

    @onlyCPU
    def test_cpu(self, device):
        pass

    @onlyOn(["cuda", "xpu"])
    def test_listed(self, device):
        pass

    @onlyOn("cpu")
    def test_named(self, device):
        pass

    @onlyOn(["cpu", "cuda"])
    def test_if_list_counts(self, device):
        pass

    @onlyNativeDeviceTypes
    def test_native(self, device):
        pass

    @onlyNativeDeviceTypesAnd(["hpu"])
    def test_native_and(self, device):
        pass

    @deviceCountAtLeast(2)
    def test_two(self, devices):
        pass

    @deviceCountAtLeast(1)
    def test_one(self, devices):
        pass

    @skipMPS
    @skipMeta
    @skipIfXpu
    @skipIfHpu
    @skipIfRocm
    def test_not_elsewhere(self, device):
        pass

    @skipCPUIf(True, "never here")
    def test_not_on_cpu(self, device):
        pass

    @skipCPUIf(False, "here")
    def test_on_cpu(self, device):
        pass

    @skipCUDAIf(True, "not there")
    @skipCUDAIfRocm
    @skipCUDAIfNoMagma
    @skipGPUIf(True, "not there")
    def test_not_on_cuda(self, device):
        pass

    @skipIf(True, "not there", device_type="cuda")
    def test_not_on_named(self, device):
        pass

    @skipCPUIfNoLapack
    def test_if_lapack(self, device):
        pass

    @skipCPUIf(IS_WINDOWS, "not there")
    def test_if_not_windows(self, device):
        pass

    @largeTensorTest("1GB")
    def test_if_memory(self, device):
        pass

    @largeTensorTest("1GB", device="cuda")
    def test_memory_of_cuda(self, device):
        pass

    @dtypes(torch.float32, torch.int64)
    @dtypesIfCUDA(torch.float16)
    @expectedFailureCUDA
    def test_types(self, device, dtype):
        pass

    @parametrize("value", [1, 2.5, subtest("a", name="named")])
    def test_values(self, device, value):
        pass

    @onlyCUDA
    @dtypes(torch.float32)
    def test_cuda_types(self, device, dtype):
        pass

    def test_without_device(self):
        pass


class TestGuards(TestCase):
    @unittest.skipIf(not TEST_CUDA, "needs CUDA")
    def test_needs_cuda(self):
        self.fail()

    @unittest.skipUnless(TEST_CUDA, "needs CUDA")
    def test_unless_cuda(self):
        self.fail()

    @unittest.skipIf(TEST_CUDA, "not with CUDA")
    def test_without_cuda(self):
        pass

    @unittest.skipIf(not TEST_CUDA or IS_WINDOWS, "needs CUDA")
    def test_needs_cuda_not_windows(self):
        self.fail()

    @unittest.skipIf(not TEST_CUDA and IS_WINDOWS, "not there")
    def test_if_cuda_or_not_windows(self):
        pass

    @unittest.skipIf(TEST_CUDA and IS_WINDOWS, "not there")
    def test_not_both(self):
        pass

    @unittest.skipUnless(TEST_CUDA or TEST_XPU, "needs one")
    def test_one_of_two(self):
        self.fail()

    @unittest.skipIf(not (TEST_CUDA or TEST_MPS), "needs one")
    def test_one_in_brackets(self):
        self.fail()

    @unittest.skipIf(TEST_WITH_ROCM, "not there")
    def test_not_rocm(self):
        pass

    @unittest.skipIf(IS_WINDOWS, "not there")
    def test_if_not_windows(self):
        pass

    @unittest.skipIf(sys.version_info < (3, 2), "old")
    def test_if_new(self):
        pass

    @unittest.skip("never")
    def test_never(self):
        self.fail()

    @unittest.skipIf(not TEST_MULTIGPU, "needs two")
    def test_multigpu(self):
        self.fail()

    @unittest.skipIf(torch.cuda.device_count() < 2, "needs two")
    def test_two_counted(self):
        self.fail()

    @unittest.skipIf(not SM80OrLater, "needs a newer one")
    def test_newer(self):
        self.fail()

    @unittest.skipIf(not TEST_CUDNN, "needs cuDNN")
    def test_cudnn(self):
        self.fail()

    @requires_cuda
    def test_own_guard(self):
        self.fail()

    @requires_two
    def test_own_count(self):
        self.fail()

    @unittest.skipUnless(HAS_GPU, "needs some")
    def test_some(self):
        self.fail()

    @requires_gpu()
    def test_some_called(self):
        self.fail()

    @slowTest
    def test_if_slow(self):
        pass

    def test_body_guard(self):
        if not torch.cuda.is_available():
            self.skipTest("needs CUDA")
        self.fail()

    def test_body_guard_turned_round(self):
        if torch.cuda.is_available():
            raise unittest.SkipTest("not with CUDA")

    def test_plain(self):
        pass


@unittest.skipIf(not TEST_CUDA, "needs CUDA")
class TestGuardedClass(TestCase):
    def test_a(self):
        self.fail()


class TestUnderGuardedClass(TestGuardedClass):
    def test_b(self):
        self.fail()


class TestSetUp(TestCase):
    def setUp(self):
        super().setUp()
        if not torch.cuda.is_available():
            self.skipTest("needs CUDA")

    def test_a(self):
        self.fail()


@unittest.skipIf(not TEST_CUDA, "needs CUDA")
class TestGuardedTemplate(TestCase):
    def test_a(self, device):
        self.fail()


class TestNoCpu(TestCase):
    def test_a(self, device):
        pass


class TestCudaOnly(TestCase):
    def test_a(self, device):
        pass


class TestNeedsCuda(TestCase):
    def test_graph(self):
        torch.cuda.graph_pool_handle()
        torch.cuda.CUDAGraph().replay()


@instantiate_parametrized_tests
class TestValues(TestCase):
    @parametrize("x,y", [(1, 2), (3, 4)])
    def test_pairs(self, x, y):
        self.assertLess(x, y)


class TestBase(TestCase):
    def test_of_base(self):
        pass


class Mixin:
    def test_mixed_in(self):
        pass


class TestDerived(Mixin, TestBase):
    def test_own(self):
        pass


class TestTwice(TestCase):
    def test_first(self):
        self.fail()


class TestTwice(TestCase):
    def test_second(self):
        pass


class TestPlainInit:
    def __init__(self):
        pass

    def test_a(self):
        pass


class TestOuter(TestCase):
    class TestInner:
        pass

    def test_a(self):
        pass

    test_assigned = test_a


class TestTemplateBase(TestCase):
    def test_inherited(self):
        pass


class TestTemplateDerived(TestTemplateBase):
    def test_own(self, device):
        pass


if sys.version_info > (3, 2):
    class TestUnderIf(TestCase):
        def test_if_defined(self):
            pass


def test_function():
    pass


instantiate_device_type_tests(TestOnly, globals())
instantiate_device_type_tests(TestGuardedTemplate, globals())
instantiate_device_type_tests(TestNoCpu, globals(), except_for="cpu")
instantiate_device_type_tests(TestCudaOnly, globals(), only_for=("cuda",))
instantiate_device_type_tests(TestTemplateDerived, globals())

if __name__ == "__main__":
    if TEST_CUDA:
        unittest.main()
"""

GATED = """\
import unittest

import torch
from torch.testing._internal.common_utils import TestCase

if not torch.cuda.is_available():
    raise unittest.SkipTest("needs CUDA")


class TestGated(TestCase):
    def test_a(self):
        self.fail()
"""


class ExplainTest(harness.HwsiftTest):
    def outcomes(self, name):
        """"Class::test" as pytest reports it, to passed, skipped or failed."""
        junit = self.scratch / "plain.xml"
        harness.run(PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junit-xml={junit}", name,
                    cwd=self.tree / "test", timeout=600)
        found = {}
        for case in xml.parse(junit).iter("testcase"):
            outcome = "skipped" if case.find("skipped") is not None else "passed"
            outcome = "failed" if case.find("failure") is not None or case.find("error") is not None else outcome
            found[case.get("classname").replace(name[:-3], "").lstrip(".") + "::" + case.get("name")] = outcome
        return found

    def explained(self, path):
        ran, document = self.document("explain", path, "--device", "cpu")
        self.assertEqual(ran.code, 0, ran.err)
        return [(told["name"], test) for told in document["classes"] for test in told["tests"]]

    def of_test(self, outcomes, answer):
        """The reported tests that an answer is about."""
        name = f"{answer['run_class'] or ''}::{answer['name']}"
        if not answer["expands"]:
            return {name} & outcomes.keys()
        return {one for one in outcomes if one.startswith(name + "_") or one.startswith(name + "[")}

    def test_every_outcome_is_what_explain_says(self):
        self.write("test/test_suite.py", SUITE)
        outcomes = self.outcomes("test_suite.py")
        self.assertGreater(len(outcomes), 50)
        accounted, states, kinds = set(), set(), set()
        for cls, test in self.explained("test/test_suite.py"):
            answer = test["on_device"]
            states.add(answer["state"])
            kinds |= {reason["kind"] for reason in answer["reasons"]}
            with self.subTest(cls=cls, test=test["name"], answer=answer):
                self.assertEqual(answer["state"] == "unknown", "if_" in test["name"])
                if answer["state"] == "not_generated":
                    self.assertFalse([one for one in outcomes if one.startswith((f"{cls}::{test['name']}", f"{cls}CPU::{test['name']}"))])
                    continue
                reported = self.of_test(outcomes, answer)
                self.assertTrue(reported, "pytest reports no such test")
                accounted |= reported
                allowed = {"runs": {"passed"}, "skips": {"skipped"}, "not_for": {"failed", "skipped"},
                           "unknown": {"passed", "skipped"}}[answer["state"]]
                self.assertLessEqual({outcomes[one] for one in reported}, allowed)
        self.assertEqual(set(outcomes) - accounted, set())
        self.assertEqual(states, {"runs", "skips", "not_generated", "not_for", "unknown"})
        self.assertEqual(kinds, {"not_collected", "always", "only_for", "except_for", "category", "unclassified", "decorator", "guard",
                                 "count", "capability", "library"})

    def test_a_file_that_ends_early_skips_its_tests(self):
        self.write("test/test_gated.py", GATED)
        self.assertEqual(set(self.outcomes("test_gated.py").values()), {"skipped"})
        [(_, test)] = self.explained("test/test_gated.py")
        self.assertEqual(test["on_device"]["state"], "skips")

    def test_names_that_pytest_prints_lead_back_to_the_source(self):
        self.write("test/test_suite.py", SUITE)
        for name in self.outcomes("test_suite.py"):
            if name == "::test_function":
                continue
            cls, test = name.split("::")
            with self.subTest(name):
                ran, document = self.document("explain", f"test/test_suite.py::{name}")
                self.assertEqual(ran.code, 0, ran.err)
                told = document["classes"][0]
                self.assertIn(cls, (told["name"], told["name"] + "CPU"))
                self.assertTrue(test.startswith(told["tests"][0]["name"]))


if __name__ == "__main__":
    if not PYTHON:
        print("skipped: HWSIFT_PYTHON names no Python with torch")
        sys.exit(harness.SKIPPED)
    harness.main()
