"""gtest binaries of PyTorch 2.6.0 by `hwsift run --gtest`, against what each does by itself. HWSIFT_EVERY_BINARY=1 takes all of
them; else a few that are quick."""
import json
import os
import subprocess

import corpus
import harness

PYTHON = corpus.python_of("trixie")
SOURCE = corpus.pytorch_source()
FOLDER = "/usr/lib/libtorch-test"
API = "/usr/lib/python3/dist-packages/torch/bin/test_api"
QUICK = ["Dict_test", "IListRef_test", "List_test", "MaybeOwned_test", "NamedTensor_test", "StorageUtils_test", "basic",
         "half_test", "ivalue_test", "scalar_test", "type_test", "c10_typeid_test"]
STATUS = {"COMPLETED": "passed", "SKIPPED": "skipped"}


class Binaries(harness.HwsiftTest):
    def setUp(self):
        super().setUp()
        self.launcher = self.scratch / "in-root"
        self.launcher.write_text(
            f"#!/bin/sh\nexec '{PYTHON}' -c 'import os, sys; os.execv(sys.argv[1], sys.argv[1:])' \"$@\"\n")
        self.launcher.chmod(0o755)

    def binaries(self):
        there = sorted(path.name for path in (corpus.CORPUS / "trixie" / FOLDER[1:]).iterdir())
        return there if os.environ.get("HWSIFT_EVERY_BINARY") else [name for name in QUICK if name in there]

    def alone(self, binary):
        """Outcome by gtest's name, or None where the binary does not come to its end by itself, or is none of gtest's."""
        report = self.scratch / "alone.json"
        report.unlink(missing_ok=True)
        ran = subprocess.run([self.launcher, binary, f"--gtest_output=json:{report}"], cwd=self.scratch,
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=1200)
        if ran.returncode not in (0, 1) or not report.exists():
            return None
        outcomes = {}
        for suite in json.loads(report.read_text(errors="replace"))["testsuites"]:
            for test in suite["testsuite"]:
                if test["status"] == "RUN":
                    outcomes[f"{suite['name']}.{test['name']}"] = "failed" if "failures" in test else STATUS[test["result"]]
        return outcomes

    def by_hwsift(self, binary, sources):
        file = self.scratch / "run.json"
        ran = harness.run(harness.HWSIFT, "-C", SOURCE, "--db", self.scratch / "runs.db", "run", "--device", "cpu", "--gtest",
                          f"{binary}:{sources}", "--launcher", self.launcher, "-o", f"json:{file}", timeout=1200)
        self.assertTrue(file.exists(), ran.err)
        document = json.loads(file.read_text())
        file.unlink()
        return ran, document, {f"{result['class']}.{result['name']}": result["outcome"] for result in document["results"]}

    def test_binaries_run_to_the_same_results(self):
        compared = 0
        for name in self.binaries():
            alone = self.alone(f"{FOLDER}/{name}")
            if alone is None:
                print(f"left out: {name} does not come to its end by itself, or does not know --gtest_output")
                continue
            ran, document, ours = self.by_hwsift(f"{FOLDER}/{name}", "aten/src/ATen/test,c10/test")
            left_out = sum(map(len, document["not_run"].values()))
            # What needs a device is not run; alone it leaves early and counts as passed.
            differing = {test: (outcome, ours.get(test)) for test, outcome in alone.items()
                         if ours.get(test, outcome) != outcome or (test not in ours and outcome == "failed")}
            self.assertEqual(differing, {}, name)
            self.assertLessEqual(set(ours), set(alone), name)
            self.assertGreaterEqual(len(ours) + left_out, len(alone), name)
            self.assertEqual(ran.code, 1 if "failed" in ours.values() else 0 if ours else 4, f"{name}: {ran.err}")
            compared += len(ours)
        self.assertGreater(compared, 50)

    def test_the_tests_of_test_api_are_those_that_the_sources_have(self):
        listed = harness.run(self.launcher, API, "--gtest_list_tests").out
        tests, suite = set(), ""
        for line in listed.splitlines():
            if line.startswith("  "):
                tests.add(suite + line.split("#")[0].strip())
            elif line.endswith("."):
                suite = line.strip()
        ran = harness.run(harness.HWSIFT, "-C", SOURCE, "classify", "test/cpp/api", "-o", "json")
        ours = {f"{cls['name']}.{test['name']}": test["category"]
                for cls in json.loads(ran.out)["classes"] for test in cls["methods"]}
        self.assertGreater(len(tests), 1000)
        self.assertEqual(tests - set(ours), set())
        self.assertLessEqual(len([name for name in set(ours) - tests if ours[name] == "GENERIC"]), 10)
        self.assertEqual([name for name in tests if ours[name] not in ("GENERIC", "CPU")], [])


if __name__ == "__main__":
    harness.main()
