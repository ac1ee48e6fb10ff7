"""report unlock: edits that give a device tests; done in the source, `select` has as many more as was promised."""
import csv
import io

import harness
from harness import PLAIN_TEST, HwsiftTest

TEMPLATE = """\
import torch
from torch.testing._internal.common_device_type import instantiate_device_type_tests
from torch.testing._internal.common_utils import TestCase


class TestAdd(TestCase):
    def test_add(self, device):
        self.assertEqual(torch.ones(1, device=device).item(), 1)

    def test_sub(self, device):
        self.assertEqual(torch.ones(1, device=device).item(), 1)


instantiate_device_type_tests(TestAdd, globals(), only_for=("cpu", "cuda"))
"""


class Unlock(HwsiftTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_add.py", TEMPLATE)
        self.write("test/test_plain.py", PLAIN_TEST)

    def unlock(self, *arguments, **options):
        return self.hwsift("report", "unlock", *arguments, **options)

    def test_keeps_its_promise(self):
        ran, document = self.document("report", "unlock", "--device", "xpu")
        self.assertEqual((ran.code, document["schema"]), (0, "hwsift.unlock/1"), ran.err)
        unlock, = document["unlocks"]
        self.assertEqual((unlock["path"], unlock["class"], unlock["tests"], unlock["per_edit"]),
                         ("test/test_add.py", "TestAdd", 2, 1.0))
        self.assertEqual([(place["line"], place["text"]) for place in unlock["places"]],
                         [(14, "allow_xpu=True in this call"), (14, 'only_for=("cpu", "cuda", "xpu") in this call')])
        before = len(self.hwsift("select", "--device", "xpu", "-o", "ids").out.splitlines())
        self.write("test/test_add.py", TEMPLATE.replace('"cuda")', '"cuda", "xpu"), allow_xpu=True'))
        after = len(self.hwsift("select", "--device", "xpu", "-o", "ids").out.splitlines())
        self.assertEqual(after - before, unlock["tests"])
        self.assertIn("No edit that hwsift knows", self.unlock("--device", "xpu").out)

    def test_text_and_csv(self):
        out = self.unlock("--device", "mps").out
        self.assertIn("+2 tests  test/test_add.py::TestAdd\n    :14  allow_mps=True in this call\n", out)
        rows = list(csv.DictReader(io.StringIO(self.unlock("--device", "mps", "-o", "csv").out)))
        self.assertEqual([(row["rank"], row["line"], row["tests"]) for row in rows], [("1", "14", "2")] * 2)

    def test_most(self):
        for name in "abc":
            self.write(f"test/test_{name}.py", TEMPLATE)
        ran, document = self.document("report", "unlock", "--device", "xpu", "--most", "3")
        self.assertEqual((len(document["unlocks"]), document["found"]), (3, 4))

    def test_what_is_refused(self):
        self.assertEqual(self.unlock().code, 2)
        self.assert_refused(self.unlock("--device", "cpu"), 2, "--device cpu")
        self.assert_refused(self.unlock("--device", "xpu", "test/none.py"), 2, "test/none.py")


if __name__ == "__main__":
    harness.main()
