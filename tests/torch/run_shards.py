"""The shards of a plan with a real PyTorch: disjoint, and together the whole."""
import os
import sys

import harness

PYTHON = os.environ.get("HWSIFT_PYTHON", "")

LONG = """\
import torch
from torch.testing._internal.common_device_type import dtypes, instantiate_device_type_tests
from torch.testing._internal.common_utils import TestCase


class TestFirst(TestCase):
    @dtypes(torch.float32, torch.int64)
    def test_add(self, device, dtype):
        pass

    @dtypes(torch.float32, torch.int64)
    def test_add_out(self, device, dtype):
        pass

    def test_plain(self, device):
        pass


class TestSecond(TestCase):
    def test_one(self):
        pass

    def test_two(self):
        pass


class TestInherits(TestSecond):
    def test_three(self):
        pass


class TestMade(TestCase):
    pass


setattr(TestMade, "test_made", lambda self: None)
instantiate_device_type_tests(TestFirst, globals())
"""

BASE = """\
from torch.testing._internal.common_utils import TestCase


class TestBase(TestCase):
    def test_of_base(self):
        pass

    def test_cuda(self):
        self.assertEqual(__import__("torch").ones(1, device="cuda").item(), 1)
"""

DERIVED = """\
import test_base


class TestDerived(test_base.TestBase):
    def test_own(self):
        pass
"""


class ShardsTest(harness.HwsiftTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_long.py", LONG)
        self.write("test/test_base.py", BASE)
        self.write("test/test_derived.py", DERIVED)
        self.write("test/test_cuda.py", harness.CUDA_TEST)

    def run_here(self, *arguments):
        ran, document = self.document("run", "--device", "cpu", "--python", PYTHON, *arguments, timeout=600)
        self.assertIn(ran.code, (0, 1), ran.err)
        return ran, document

    def shards(self, total, *arguments):
        documents = []
        for index in range(1, total + 1):
            ran, document = self.run_here("--shard", f"{index}/{total}", *arguments)
            self.assertEqual(document["shard"], {"index": index, "total": total})
            (self.scratch / f"shard{index}.json").write_bytes((self.scratch / "document.json").read_bytes())
            documents.append(document)
        return documents

    def assert_whole(self, documents):
        _, whole = self.run_here()
        ids = [result["id"] for document in documents for result in document["results"]]
        self.assertEqual(sorted(ids), sorted(result["id"] for result in whole["results"]))
        left = sorted((reason, one) for document in documents for reason, some in document["not_run"].items() for one in some)
        self.assertEqual(left, sorted((reason, one) for reason, some in whole["not_run"].items() for one in some))
        self.assertEqual(len({document["fingerprint"] for document in documents}), 1)

    def test_shards_are_disjoint_and_add_up_to_the_whole(self):
        self.assert_whole(self.shards(3))

    def test_parts_of_one_file_too(self):
        documents = self.shards(4, "--unit-time", "1s")
        self.assertGreater(sum(any("test_long" in result["id"] for result in document["results"]) for document in documents), 2)
        self.assert_whole(documents)
        ran, merged = self.document("merge", *(self.scratch / f"shard{index}.json" for index in range(1, 5)))
        self.assertEqual(ran.code, max(0, any(document["counts"]["failed"] for document in documents)), ran.err)
        self.assertEqual(len(merged["results"]), sum(len(document["results"]) for document in documents))
        self.assertTrue(merged["complete"])

    def test_a_plan_and_no_plan_are_the_same_split(self):
        ran, plan = self.document("plan", "--shards", "2")
        kept = self.scratch / "plan.json"
        kept.write_bytes((self.scratch / "document.json").read_bytes())
        _, planned = self.run_here("--plan", kept, "--shard", "2")
        _, anew = self.run_here("--shard", "2/2")
        self.assertEqual(planned["fingerprint"], plan["fingerprint"])
        self.assertEqual(anew["fingerprint"], plan["fingerprint"])
        self.assertEqual([result["id"] for result in planned["results"]], [result["id"] for result in anew["results"]])

    def test_an_empty_shard_is_fine(self):
        ran, document = self.run_here("--shard", "9/9", "--unit-time", "1h", "test/test_derived.py")
        self.assertEqual((ran.code, document["results"]), (0, []), ran.err)

    def test_a_plan_for_another_tree_is_refused(self):
        self.document("plan", "--shards", "2")
        self.write("test/test_new.py")
        ran = self.hwsift("run", "--python", PYTHON, "--device", "cpu", "--plan", self.scratch / "document.json", "--shard", "1")
        self.assert_refused(ran, 2, "1 only in the tree: test/test_new.py::TestLength::test_length")

    def test_recorded_times_are_used_where_asked_for(self):
        self.run_here()
        ran, plan = self.document("plan", "--shards", "2", "--times", "history")
        self.assertEqual(plan["times"]["known"], plan["times"]["files"])

    def test_the_variables_of_a_ci_system(self):
        os.environ.update(CI_NODE_INDEX="2", CI_NODE_TOTAL="2")
        self.addCleanup(lambda: [os.environ.pop(name) for name in ("CI_NODE_INDEX", "CI_NODE_TOTAL")])
        ran, document = self.run_here("--shard", "auto")
        self.assertEqual(document["shard"], {"index": 2, "total": 2})
        self.assertIn("Shard: 2/2 (from CI_NODE_INDEX)", ran.err)


if __name__ == "__main__":
    if not PYTHON:
        print("skipped: HWSIFT_PYTHON names no Python with torch")
        sys.exit(harness.SKIPPED)
    harness.main()
