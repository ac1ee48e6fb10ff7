"""The names of classes that are generated for a device, told from the sources, against those that pytest collects of PyTorch 2.6.0.

A sample, every tenth of the test files, since collecting them all takes minutes; HWSIFT_NAMES_STEP=1 takes them all.
"""
import collections
import json
import os
import pathlib

import corpus
import harness

STEP = int(os.environ.get("HWSIFT_NAMES_STEP", "10"))
COLLECTOR = pathlib.Path(__file__).with_name("collected_classes.py")
GENERATED = ("CPU", "LAZY")  # what instantiate_device_type_tests puts behind a name, of the devices that a CPU has


class Names(harness.HwsiftTest):
    def setUp(self):
        super().setUp()
        self.tree = corpus.pytorch_source()

    def predicted(self):
        """path: (all classes that hold tests, those of them that are generated)."""
        ran, document = self.document("select", "--device", "cpu", "--hw", "all")
        self.assertEqual(ran.code, 0, ran.err)
        classes = collections.defaultdict(lambda: (set(), set()))
        for test in document["tests"]:
            every, generated = classes[test["path"]]
            every.add(test["run_class"])
            if test["run_class"] != test["class"]:
                generated.add(test["run_class"])
        return classes

    def collected(self, paths):
        python = corpus.python_of("trixie")
        ran = harness.run(python, COLLECTOR, self.tree, *[path.removeprefix("test/") for path in paths], timeout=3 * 3600)
        self.assertEqual(ran.code, 0, ran.err)
        told = {f"test/{path}": names for path, names in map(json.loads, ran.out.splitlines())}
        return {path: set(names) for path, names in told.items() if names is not None}

    def test_generated_names_are_those_that_pytest_collects(self):
        predicted = self.predicted()
        sample = sorted(predicted)[::STEP]
        collected = self.collected(sample)
        self.assertGreater(len(collected), .8 * len(sample))
        wrong = {}
        for path, real in collected.items():
            every, generated = predicted[path]
            difference = {name for name in real - every if name.endswith(GENERATED)} | (generated - real)
            if difference:
                wrong[path] = difference
        some = sum(bool(predicted[path][1]) for path in collected)
        print(f"{len(collected)} files collected of {len(sample)}, {some} with generated classes; wrong: {wrong}")
        self.assertGreater(some, 5)
        self.assertLessEqual(len(wrong), .02 * len(collected), wrong)


if __name__ == "__main__":
    harness.main()
