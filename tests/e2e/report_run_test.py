"""hwsift report run on documents that are written by hand, without a PyTorch."""
import csv
import io
import json
import re

import harness


def result(id, outcome="passed", **fields):
    return {"id": id, "outcome": outcome, "seconds": 0.5, "attempts": 1, "message": "", "category": "DEVICE_GENERIC", **fields}


def document(device, results, not_run=None, **fields):
    return {"schema": "hwsift.run/1", "device": device, "fingerprint": f"plan of {device}", "started": "2026-01-01T00:00:00Z",
            "seconds": 9, "environment": {"torch": "2.9.0"}, "results": results, "not_run": not_run or {}, "outstanding": [],
            "notes": [], **fields}


FILE = "test/test_ops.py"


def cuda():
    return document("cuda", [
        result(f"{FILE}::TestOpsCUDA::test_add_cuda_float32"),
        result(f"{FILE}::TestOpsCUDA::test_add_cuda_float64"),
        result(f"{FILE}::TestOpsCUDA::test_mul_cuda_float32"),
        result(f"{FILE}::TestOpsCUDA::test_mul_cuda_float64"),
        result(f"{FILE}::TestOpsCUDA::test_sub_cuda_float32"),
        result(f"{FILE}::TestOpsCUDA::test_div_cuda", "failed", message="AssertionError: 1 != 2"),
        result("test/test_graph.py::TestGraph::test_replay", category="CUDA"),
    ], {"category GENERIC: runs on a CPU": ["test/test_shape.py::TestShape::test_view"]})


def xpu():
    return document("xpu", [
        result(f"{FILE}::TestOpsXPU::test_add_xpu_float32"),
        result(f"{FILE}::TestOpsXPU::test_add_xpu_float64", "skipped", message="float64 is not supported"),
        result(f"{FILE}::TestOpsXPU::test_div_xpu", attempts=2),
        result(f"{FILE}::TestOpsXPU::test_only_xpu", "crashed", message="signal 11"),
    ], {"category GENERIC: runs on a CPU": ["test/test_shape.py::TestShape::test_view"],
        "not instantiated for xpu: allow_xpu is missing": [f"{FILE}::TestOps::test_mul"],
        "needs CUDA": ["test/test_graph.py::TestGraph::test_replay"]})


class ReportRunTest(harness.HwsiftTest):
    def keep(self, name, made):
        file = self.scratch / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(made if isinstance(made, str) else json.dumps(made))
        return file

    def compared(self, *options):
        ran, made = self.document("report", "run", self.keep("xpu.json", xpu()), "--against", self.keep("cuda.json", cuda()),
                                  *options, cwd=self.scratch)
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(made["schema"], "hwsift.run_report/1")
        return made["comparison"]

    def test_a_run(self):
        ran, made = self.document("report", "run", self.keep("xpu.json", xpu()), cwd=self.scratch)
        self.assertEqual(ran.code, 0, ran.err)  # tests failed, and the report could be made
        run = made["run"]
        self.assertEqual({key: run["counts"][key] for key in ("results", "passed", "crashed", "skipped", "not_run")},
                         {"results": 4, "passed": 2, "crashed": 1, "skipped": 1, "not_run": 3})
        self.assertEqual([one["id"] for one in run["flaky"]], [f"{FILE}::TestOpsXPU::test_div_xpu"])
        self.assertEqual([one["id"] for one in run["broken"]], [f"{FILE}::TestOpsXPU::test_only_xpu"])
        self.assertEqual([one["text"] for one in run["skips"]], ["float64 is not supported"])
        self.assertNotIn("comparison", made)

    def test_missing_is_told_from_skipped_and_from_not_run(self):
        made = self.compared()
        passed_there = {here: row["passed"] for here, row in made["matrix"].items() if row["passed"]}
        self.assertEqual(passed_there, {"passed": 1, "skipped": 1, "not_run": 3, "missing": 1})
        self.assertEqual((made["parity"]["tests"], made["parity"]["of"]), (1, 6))
        self.assertEqual((made["agreement"]["tests"], made["agreement"]["of"]), (1, 3))
        self.assertEqual(made["relations"], {"agree": 1, "disagree": 2, "not_run_here": 3, "not_run_there": 0, "neither": 1,
                                             "only_here": 1, "only_there": 1, "ambiguous": 0})
        self.assertEqual(made["tests"], sum(made["relations"].values()))
        self.assertEqual((made["here"]["templates"], made["here"]["stood_for"]), (1, 2))
        self.assertEqual({one["text"]: one["tests"] for one in made["not_run_here"]},
                         {"needs CUDA": 1, "not instantiated for xpu: allow_xpu is missing": 2})

    def test_only_if_passed_restricts_the_lists(self):
        made = self.compared("--only-if-passed")
        self.assertEqual({one["there_state"] for one in made["differences"]}, {"passed"})
        self.assertEqual(made["relations"], self.compared()["relations"])

    def test_the_order_of_the_arguments_matters_and_is_told(self):
        a, b = self.keep("xpu.json", xpu()), self.keep("cuda.json", cuda())
        ran = self.hwsift("report", "run", a, "--against", b)
        self.assertIn("Run on xpu against cuda", ran.out)
        self.assertIn("There, the baseline: cuda", ran.out)
        self.assertIn("Run on cuda against xpu", self.hwsift("report", "run", b, "--against", a).out)

    def test_renames_are_listed(self):
        before = document("cpu", [result(f"{FILE}::TestX::test_{name}") for name in "abc"])
        after = document("cpu", [result(f"{FILE}::TestX::test_a")] + [result(f"{FILE}::TestXDevice::test_{name}") for name in "bc"])
        ran, made = self.document("report", "run", self.keep("after.json", after), "--against", self.keep("before.json", before))
        self.assertEqual(made["comparison"]["renames"], [{"path": FILE, "there": "TestX", "here": "TestXDevice", "tests": 2}])
        self.assertEqual(made["comparison"]["relations"]["agree"], 3)

    def test_one_shard_alone_is_no_whole_run(self):
        shard = document("cpu", [result(f"{FILE}::T::test_1")], shard={"index": 1, "total": 2})
        ran, made = self.document("report", "run", self.keep("s.json", shard))
        self.assertEqual(ran.code, 0, ran.err)
        self.assertFalse(made["run"]["complete"])
        self.assertIn("2", self.hwsift("report", "run", self.scratch / "s.json").out.split("missing shards")[1].splitlines()[0])

    def test_shards_are_joined_and_strangers_refused(self):
        shards = [document("cpu", [result(f"{FILE}::T::test_{i}")], shard={"index": i, "total": 2}) for i in (1, 2)]
        for i, shard in enumerate(shards):
            self.keep(f"shards/{i}.json", shard)
        ran, made = self.document("report", "run", self.scratch / "shards")
        self.assertEqual((ran.code, made["run"]["counts"]["results"], made["run"]["runs"]), (0, 2, 2))
        alone = self.hwsift("report", "run", self.scratch / "shards/0.json", "--against", self.scratch / "shards")
        self.assertEqual(alone.code, 0, alone.err)
        ran = self.hwsift("report", "run", self.scratch / "shards", self.keep("xpu.json", xpu()))
        self.assert_refused(ran, 2, "xpu.json", "device is 'xpu', not 'cpu'", "--against")

    def test_bad_arguments(self):
        good = self.keep("good.json", xpu())
        for arguments, said in [([self.keep("bad.json", "{")], "bad.json"),
                                ([self.keep("newer.json", {"schema": "hwsift.run/9"})], "newer.json"),
                                ([self.scratch / "gone.json"], "gone.json"),
                                ([good, "--against", self.scratch / "gone.json"], "gone.json"),
                                (["--against", good], "no document of this run"),
                                ([good, "--only-if-passed"], "--only-if-passed")]:
            with self.subTest(said):
                ran = self.hwsift("report", "run", *arguments)
                self.assert_refused(ran, 2, said)
                self.assert_remedy(self.errors_of(ran)[0])
        self.assertEqual(self.hwsift("report", "run", good, "-o", "junit").code, 2)
        self.assertEqual(self.hwsift("report").code, 2)

    def test_every_format_from_outside_of_a_tree(self):
        outside = self.scratch / "outside"
        outside.mkdir()
        formats = ("text", "html", "md", "json", "csv")
        files = {one: outside / f"report.{one}" for one in formats}
        hostile = xpu()
        hostile["results"][1]["message"] = "=1+1 <script>alert(1)</script> | `x` \u202egnp"
        ran = self.hwsift("report", "run", self.keep("xpu.json", hostile), "--against", self.keep("cuda.json", cuda()),
                          *[part for one in formats for part in ("-o", f"{one}:{files[one]}")], cwd=outside)
        self.assertEqual((ran.code, ran.out), (0, ""), ran.err)
        texts = {one: file.read_text(encoding="utf-8") for one, file in files.items()}
        self.assertNotIn("<script>alert", texts["html"])
        self.assertNotIn("<script", re.sub(r"(`+).*?[^`]\1(?!`)", "", texts["md"]), "but as code")
        self.assertNotIn("\u202e", texts["html"] + texts["md"] + texts["text"])
        self.assertLess(len(texts["md"]), 65536)
        rows = list(csv.DictReader(io.StringIO(texts["csv"])))
        figures = {(row["section"], row["name"], row["figure"]): row["value"] for row in rows}
        self.assertEqual(figures["share", "parity", "tests"], "1")
        self.assertIn('data-figure="share.parity.tests">1<', re.sub(r"\s*\n", "", texts["html"]))
        different = [row for row in rows if row["section"] == "difference"]
        self.assertIn(("passed there, missing here", "", f"{FILE}::TestOpsCUDA::test_sub_cuda_float32"),
                      [(row["figure"], row["here"], row["there"]) for row in different])

    def test_the_report_is_the_same_for_any_order_of_documents(self):
        shards = [self.keep(f"{i}.json", document("cpu", [result(f"{FILE}::T::test_{i}")], shard={"index": i, "total": 2}))
                  for i in (1, 2)]
        texts = [self.hwsift("report", "run", *files, "-o", "csv").out.splitlines() for files in (shards, shards[::-1])]
        self.assertEqual(*[[line for line in text if not line.startswith("run,documents")] for text in texts])


if __name__ == "__main__":
    harness.main()
