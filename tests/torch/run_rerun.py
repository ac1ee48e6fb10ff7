"""hwsift rerun, merge and events with a real PyTorch."""
import json
import os
import sys

import harness

PYTHON = os.environ.get("HWSIFT_PYTHON", "")

SUITE = """\
import os

import torch
from torch.testing._internal.common_device_type import dtypes, instantiate_device_type_tests
from torch.testing._internal.common_utils import TestCase


class TestOps(TestCase):
    @dtypes(torch.float32, torch.int64)
    def test_add(self, device, dtype):
        if dtype == torch.int64:
            self.assertTrue(os.path.exists(os.environ["MENDED"]))

    @dtypes(torch.float32)
    def test_add_out(self, device, dtype):
        pass


class TestInherited(TestCase):
    def test_fine(self):
        pass


instantiate_device_type_tests(TestOps, globals())


def made(self):
    self.assertTrue(os.path.exists(os.environ["MENDED"]))


for i in range(2):
    setattr(TestInherited, f"test_generated_{i}", made)
"""


class RerunTest(harness.HwsiftTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_ops.py", SUITE)
        self.write("test/test_other.py")
        self.mended = self.scratch / "mended"
        self.environment = {"MENDED": str(self.mended)}

    def ran(self, name, *arguments):
        file = self.scratch / name
        ran = self.hwsift(*arguments, "--python", PYTHON, "-o", f"json:{file}", "-o", f"jsonl:{file}l", env=self.environment)
        self.assertTrue(file.exists(), ran.err)
        return ran, file, json.loads(file.read_text())

    def ids(self, document):
        return {result["id"].split("::", 1)[1]: result["outcome"] for result in document["results"]}

    def test_only_what_failed_runs_again_and_joins_the_first(self):
        ran, first, document = self.ran("first.json", "run", "--device", "cpu")
        self.assertEqual(ran.code, 1, ran.err)
        bad = {"TestOpsCPU::test_add_cpu_int64", "TestInherited::test_generated_0", "TestInherited::test_generated_1"}
        self.assertEqual({name for name, outcome in self.ids(document).items() if outcome == "failed"}, bad)
        self.mended.write_text("")
        ran, second, again = self.ran("second.json", "rerun", first)
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(self.ids(again), dict.fromkeys(bad, "passed"))
        self.assertEqual(again["not_run"], {})
        for document_file in (first, second):
            events = [json.loads(line) for line in (self.scratch / f"{document_file.name}l").read_text().splitlines()]
            self.assertEqual((events[0]["event"], events[-1]["event"]), ("run_started", "run_ended"))
        merged = self.hwsift("merge", second, first, "-o", f"json:{self.scratch}/merged.json")
        self.assertEqual(merged.code, 0, merged.err)
        document = json.loads((self.scratch / "merged.json").read_text())
        self.assertEqual(document["counts"]["failed"], 0)
        self.assertEqual({result["id"].split("::", 1)[1] for result in document["results"] if result["attempts"] == 2}, bad)

    def test_what_was_not_reached_runs_by_its_template(self):
        first = self.scratch / "first.json"
        template = "test/test_ops.py::TestOpsCPU::test_add"
        first.write_text(json.dumps({
            "schema": "hwsift.run/1", "device": "cpu", "started": "2026-01-01T00:00:00Z", "results": [], "signal": 2, "selected": 1,
            "not_run": {"interrupted": [template]}, "outstanding": ["interrupted"]}))
        self.mended.write_text("")
        ran, second, document = self.ran("second.json", "rerun", "--not-run", first)
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(set(self.ids(document)), {"TestOpsCPU::test_add_cpu_float32", "TestOpsCPU::test_add_cpu_int64"})
        self.assertEqual(document["expanded"], [template])
        self.assertEqual(self.hwsift("merge", first, second).code, 0)


if __name__ == "__main__":
    if not PYTHON:
        print("skipped: HWSIFT_PYTHON names no Python with torch")
        sys.exit(harness.SKIPPED)
    harness.main()
