"""hwsift explain: files, classes, tests, generated names and rules; what it refuses."""
import os

import harness
from harness import HwsiftTest

SUITE = """\
import unittest

import torch
from torch.testing._internal.common_device_type import dtypes, instantiate_device_type_tests, onlyCUDA
from torch.testing._internal.common_utils import TestCase


class TestAdd(TestCase):
    def test_add(self, device):
        pass

    @onlyCUDA
    def test_cuda(self, device):
        pass

    @dtypes(torch.float32)
    def test_types(self, device, dtype):
        pass


class TestLogic(TestCase):
    def test_logic(self):
        pass


instantiate_device_type_tests(TestAdd, globals())
"""

BASES = """\
import torch
from torch.testing._internal.common_utils import TestCase


class GraphTestCase(TestCase):
    def setUp(self):
        super().setUp()
        torch.cuda.CUDAGraph()

    def test_given(self):
        pass
"""

DERIVED = """\
from bases import GraphTestCase


class TestDerived(GraphTestCase):
    def test_own(self):
        pass


class TestFurther(TestDerived):
    pass
"""

GIVEN = """\
import torch
from torch.testing._internal.common_utils import TestCase


class TestBase(TestCase):
    def test_a(self):
        torch.ones(1).cuda()


class TestD(TestBase):
    def test_b(self):
        pass
"""


class Explain(HwsiftTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_x.py", SUITE)

    def explain(self, *arguments, **options):
        ran = self.hwsift("explain", *arguments, **options)
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("\nNext: ", ran.out)
        return ran.out

    def test_file_class_and_test_are_explained(self):
        self.assertIn("2 classes", self.explain("test/test_x.py"))
        self.assertIn("class TestAdd  test/test_x.py:8", self.explain("test/test_x.py::TestAdd"))
        self.assertIn("test_logic is GENERIC", self.explain("test/test_x.py::TestLogic::test_logic"))

    def test_a_path_may_be_absolute_dotted_or_seen_from_elsewhere(self):
        for path, folder in ((str(self.tree / "test/test_x.py"), self.tree), ("./test/test_x.py", self.tree),
                             ("test_x.py", self.tree / "test"), ("../test/test_x.py", self.tree / "test")):
            with self.subTest(path):
                self.assertIn("class TestAdd  test/test_x.py:8", self.explain(f"{path}::TestAdd", cwd=folder))

    def test_a_device_gets_the_name_or_the_reason(self):
        told = self.explain("test/test_x.py::TestAdd::test_add", "--device", "CUDA")
        self.assertIn("runs as test/test_x.py::TestAddCUDA::test_add_cuda", told)
        told = self.explain("test/test_x.py::TestAdd::test_add", "--device", "xpu")
        self.assertIn("allow_xpu is missing", told)
        self.assertIn("Next: add allow_xpu=True at line 26.", told)

    def test_names_that_pytest_prints_are_understood(self):
        told = self.explain("test/test_x.py::TestAddCUDA::test_types_cuda_float32")
        self.assertIn("is what PyTorch or pytest makes of", told)
        self.assertIn("test/test_x.py::TestAdd::test_types  line 17", told)
        self.assertIn("On cuda\n", told)

    def test_explain_and_select_agree(self):
        for device in ("cpu", "cuda", "xpu", "npu"):
            ran, selection = self.document("select", "--device", device)
            ran, document = self.document("explain", "test/test_x.py", "--device", device)
            answers = [test["on_device"] for told in document["classes"] for test in told["tests"]]
            selected = {answer["id"] for answer in answers if answer["state"] in ("runs", "unknown")}
            self.assertEqual(selected, {test["id"] for test in selection["tests"]}, device)

    def test_a_rule_is_what_rules_show_prints(self):
        ran = self.hwsift("explain", "mixed_class")
        self.assertEqual((ran.code, ran.out), (0, self.hwsift("rules", "show", "mixed_class").out))
        ran, document = self.document("explain", "mixed_class")
        self.assertEqual((document["subject"], document["id"]), ("rule", "mixed_class"))
        self.assertEqual(self.hwsift("explain", "mixed_class", cwd="/").code, 0)

    def test_what_is_not_there_is_refused_with_the_closest(self):
        self.assert_refused(self.hwsift("explain", "test/test_x.py::TestAd"), 2, "test/test_x.py", "'TestAdd'")
        self.assert_refused(self.hwsift("explain", "test/test_x.py::TestAdd::test_ad"), 2, "test_x.py:8", "'test_add'")
        self.assert_refused(self.hwsift("explain", "mixed_clas"), 2, "'mixed_class'")
        self.assert_refused(self.hwsift("explain", "test/test_y.py::TestAdd"), 2, "test/test_y.py")
        self.assert_refused(self.hwsift("explain", "test/test_x.py::::test_add"), 2, "no class")
        self.write("test/test_other.py")
        self.assert_refused(self.hwsift("explain", "./test"), 2, "one file")
        self.assert_refused(self.hwsift("explain", "test"), 2, "one file")
        self.assert_refused(self.hwsift("explain", "test/test_x.py", "--device", "auto"), 2, "name the device type")
        self.assertEqual(self.hwsift("explain").code, 2)

    def test_an_unknown_device_is_a_backend_and_a_slip_is_named(self):
        ran = self.hwsift("explain", "test/test_x.py::TestAdd::test_add", "--device", "cdua")
        self.assertIn("did you mean 'cuda'?", ran.err)
        self.assertIn("TestAddPRIVATEUSE1::test_add_cdua", ran.out)

    def test_a_file_that_the_settings_leave_out_is_said_to_be(self):
        self.write("hwsift.yaml", "exclude: [test/test_x.py]\n")
        self.assertIn("Filtered: exclude: test/test_x.py", self.explain("test/test_x.py::TestLogic"))
        ran, document = self.document("explain", "test/test_x.py")
        self.assertIn("test/test_x.py", document["excluded_by"])

    def test_what_a_base_in_another_file_says_is_told_as_classify_tells_it(self):
        self.write("test/bases.py", BASES)
        self.write("test/test_derived.py", DERIVED)
        ran, classes = self.document("classify", "test/test_derived.py")
        ran, document = self.document("explain", "test/test_derived.py")
        for told, verdict in zip(document["classes"], classes["classes"], strict=True):
            self.assertEqual((told["name"], told["inferred"], told["evidence"]),
                             (verdict["name"], verdict["inferred"], verdict["evidence"]))
        self.assertEqual([told["inferred"] for told in document["classes"]], ["CUDA", "CUDA"])
        self.assertEqual({piece.get("path") for piece in document["classes"][0]["evidence"]}, {"test/bases.py"})
        self.assertIn("test/bases.py:8, torch.cuda.CUDAGraph", self.explain("test/test_derived.py"))
        self.assertRegex(self.explain("test/test_derived.py::TestDerived"), r"torch\.cuda\.CUDAGraph +test/bases\.py:8\n")
        self.assertIn("test_own is CUDA: test/bases.py:8, torch.cuda.CUDAGraph: ",
                      " ".join(self.explain("test/test_derived.py::TestDerived::test_own").split()))
        ran, document = self.document("explain", "test/test_derived.py::TestDerived", "--device", "cpu")
        reason = document["classes"][0]["tests"][0]["on_device"]["reasons"][0]
        self.assertEqual((reason["line"], reason["path"]), (8, "test/bases.py"))
        self.assertIn("by its source at test/bases.py:8",
                      self.explain("test/test_derived.py::TestDerived", "--device", "cpu"))

    def test_no_file_is_read_but_it_and_those_of_its_bases(self):
        self.write("test/bases.py", BASES)
        self.write("test/test_derived.py", DERIVED)
        files = sorted(self.tree.rglob("*.py"))
        for file in files:
            os.utime(file, ns=(0, file.stat().st_mtime_ns))
        self.explain("test/test_derived.py", "--device", "cuda")
        read = [file.name for file in files if file.stat().st_atime_ns != 0]
        if not read:
            self.skipTest("this file system does not say when a file was read")
        self.assertEqual(read, ["bases.py", "test_derived.py"])

    def test_syntax_errors_and_helpers_are_remarked(self):
        self.write("test/test_broken.py", SUITE + "def (\n")
        self.assertIn("syntax errors", self.explain("test/test_broken.py::TestLogic"))
        self.write("test/helpers.py", SUITE)
        self.assertIn("pytest collects nothing", self.explain("test/helpers.py::TestLogic"))

    def test_a_file_with_a_bad_name_cannot_move_the_cursor(self):
        name = "test/test_\x1b[31m.py"
        self.write(name, SUITE)
        self.assertNotIn("\x1b", self.explain(name))
        self.assertNotIn("\x1b", self.hwsift("explain", f"{name}::\x1b[31m").err)

    def test_output_to_a_file_and_colour(self):
        out = self.scratch / "told.txt"
        self.hwsift("explain", "test/test_x.py", "-o", f"text:{out}")
        self.assertIn("2 classes", out.read_text())
        self.assertIn("\x1b[", self.hwsift("--color", "always", "explain", "test/test_x.py").out)
        self.assertNotIn("\x1b[", self.hwsift("explain", "test/test_x.py", env={**os.environ, "TERM": "xterm"}).out)

    def test_an_inherited_test_is_judged_where_it_is_defined(self):
        self.write("test/test_given.py", GIVEN)
        told = self.explain("test/test_given.py::TestD::test_a")
        self.assertIn("test_a is DEVICE_GENERIC", told)
        self.assertIn(".cuda", told)
        self.assertIn("test_b is GENERIC", self.explain("test/test_given.py::TestD::test_b"))
        ran, document = self.document("select", "--device", "cuda", "test/test_given.py")
        self.assertEqual(ran.code, 0)
        self.assertEqual([test["id"] for test in document["tests"]],
                         ["test/test_given.py::TestBase::test_a", "test/test_given.py::TestD::test_a"])

    def test_a_generated_name_that_cannot_exist_is_refused(self):
        ran = self.hwsift("explain", "test/test_x.py::TestAddCPU::test_types_cuda_float32")
        self.assert_refused(ran, 2, "TestAddCPU has no test 'test_types_cuda_float32'", "_cpu")
        self.assertIn("TestAddCUDA::test_types_cuda_float32",
                      self.explain("test/test_x.py::TestAddCUDA::test_types_cuda_float32"))

    def test_a_name_of_another_device_is_remarked(self):
        told = self.explain("test/test_x.py::TestAddCUDA::test_add_cuda", "--device", "cpu")
        self.assertIn("TestAddCUDA::test_add_cuda is the variant for cuda", " ".join(told.split()))
        self.assertNotIn("variant for", self.explain("test/test_x.py::TestAddCUDA::test_add_cuda"))
        _, document = self.document("explain", "test/test_x.py::TestAddCUDA::test_add_cuda", "--device", "cpu")
        self.assertEqual((document["device"], document["asked_device"]), ("cpu", "cuda"))

    def test_rocm_runs_as_cuda(self):
        for command in (["explain", "test/test_x.py"], ["select", "test/test_x.py"]):
            ran, document = self.document(*command, "--device", "ROCm")
            self.assertEqual(document["device"], "cuda")
            self.assertIn("ROCm runs as device type cuda", ran.err)

    def test_conditions_are_not_counted_as_running(self):
        self.write("test/test_c.py", SUITE.replace("@onlyCUDA", "@deviceCountAtLeast(2)"))
        self.assertIn("2 of 3 tests run, 1 more under conditions", self.explain("test/test_c.py::TestAdd", "--device", "cuda"))

    def test_what_is_no_device_type_is_refused(self):
        for device in ("cuda:0", "", " ", "cu da", "cuda\n", "a\x1bb"):
            for command in (["explain", "test/test_x.py"], ["select", "test/test_x.py"], ["run", "test/test_x.py"]):
                with self.subTest(device=device, command=command):
                    self.assert_refused(self.hwsift(*command, "--device", device), 2,
                                        "(name the device type, without an index)" if device else "--device: empty")


if __name__ == "__main__":
    harness.main()
