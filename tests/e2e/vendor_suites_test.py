"""Suites as vendors write them, and the devices that a project adds in hwsift.yaml. A device without a category of its
own gives DEVICE_GENERIC, one with a category that category, and logic stays GENERIC."""
import shutil

import harness
from harness import PLAIN_TEST, REPOSITORY, HwsiftTest

VENDOR = REPOSITORY / "tests/fixtures/vendor"


class VendorSuites(HwsiftTest):
    def classify(self, suite):
        shutil.copytree(VENDOR / suite, self.tree, dirs_exist_ok=True)
        ran, document = self.document("classify")
        self.assertEqual((ran.code, ran.err), (0, ""))
        self.by_name = {cls["name"]: cls for cls in document["classes"]}
        return {name: cls["inferred"] for name, cls in self.by_name.items()}, document

    def test_a_package_that_wraps_the_test_case(self):
        """torch_npu: NPU has no category."""
        inferred, document = self.classify("npu")
        self.assertEqual(inferred | {
            "TestStreams": "DEVICE_GENERIC", "TestPackage": "DEVICE_GENERIC", "TestDefaultDevice": "DEVICE_GENERIC",
        }, inferred)
        self.assertEqual(len(inferred), 5)
        self.assertIn("npu:0", [e["symbol"] for e in self.by_name["TestStreams"]["methods"][1]["evidence"]])

    def test_a_suite_that_instantiates_the_framework_s_classes(self):
        """torch-xpu-ops: XPU has a category."""
        inferred, document = self.classify("xpu")
        self.assertEqual(inferred | {
            "TestShapes": "DEVICE_GENERIC", "TestShapeText": "GENERIC", "TestShapesExtra": "XPU", "TestQueue": "XPU",
            "TestSkipList": "GENERIC"}, inferred)
        self.assertEqual([(made["path"], made["name"], made["why"]) for made in document["dynamic"]],
                         [("test/xpu/test_shapes_xpu.py", "TestShapes", "a template from elsewhere")])
        self.assertIn("xpu", document["dynamic"][0]["text"])
        _, unknown = self.document("classify", "--show", "unknown")
        self.assertEqual([cls["name"] for cls in unknown["classes"]], ["TestShapesCopied"])

    def test_a_package_with_calls_of_its_own_and_plain_pytest(self):
        """habana_frameworks: HPU has no category."""
        inferred, document = self.classify("hpu")
        self.assertEqual(inferred, {"TestSteps": "DEVICE_GENERIC", "TestCounters": "DEVICE_GENERIC",
                                    "TestEnvironmentText": "GENERIC"})
        self.assertFalse(any(cls["mixed"] for cls in document["classes"]))
        self.assertEqual([f["name"] for f in document["functions"]], ["test_add", "test_plain_sum"])

    def test_a_backend_that_only_the_settings_know(self):
        inferred, document = self.classify("backend")
        named = ["TestLiteral", "TestMember", "TestModule", "TestSlow", "TestTwo", "TestKept"]
        self.assertEqual(inferred, {**{name: "DEVICE_GENERIC" for name in named}, "TestNames": "GENERIC"})
        symbols = {name: [e["symbol"] for e in self.by_name[name]["evidence"]] for name in named}
        for name, symbol in (("TestLiteral", "fastdev:1"), ("TestMember", ".fastdev"), ("TestModule", "torch.fastdev.synchronize"),
                             ("TestSlow", ".slow_ptr")):
            self.assertIn(symbol, symbols[name])
        self.assertEqual(self.hwsift("classify").err, "")
        (self.tree / "hwsift.yaml").unlink()
        _, without = self.document("classify")
        self.assertEqual({cls["name"] for cls in without["classes"] if cls["inferred"] == "DEVICE_GENERIC"}, {"TestKept"})

    def test_every_command_knows_the_devices_of_the_settings(self):
        self.classify("backend")
        _, facts = self.document("scan")
        self.assertIn(["fastdev"], [use["devices"] for use in facts["files"][0]["uses"]])
        ran, selection = self.document("select", "--device", "fastdev")
        self.assertEqual(ran.err, "", "no note that the device is not known")
        self.assertEqual([test["class"] for test in selection["tests"]],
                         ["TestLiteral", "TestMember", "TestModule", "TestSlow", "TestTwo", "TestKept"])
        _, findings = self.document("lint", "--profile", "recommended")
        hints = {finding["class"]: finding["hint"] for finding in findings["findings"] if finding["rule"] == "hw_classification"}
        self.assertIn("FASTDEV", hints["TestLiteral"])

    def test_a_device_with_a_category_is_a_subject(self):
        self.write("hwsift.yaml", "devices: [{name: fastdev, category: FASTDEV}]\n")
        self.write("test/test_memory.py", PLAIN_TEST.replace("len([1]), 1", 'len([1]), torch.ones(1, device="fastdev").sum()'))
        ran, document = self.document("classify")
        self.assertEqual([cls["inferred"] for cls in document["classes"]], ["FASTDEV"])
        self.assertIn("FASTDEV", self.hwsift("classify", "-o", "csv").out.splitlines()[0])


class BadDevices(HwsiftTest):
    """Each is refused with file, line and remedy, by every command that reads the tree."""

    def refused(self, yaml, *said):
        self.write("test/test_a.py")
        self.write("hwsift.yaml", yaml)
        for command in ("scan", "classify", "lint", "select"):
            ran = self.hwsift(command)
            self.assert_refused(ran, 2, *said)
            self.assert_remedy(self.errors_of(ran)[0])

    def test_an_index(self):
        self.refused('devices:\n  - ok\n  - "fastdev:0"\n', "hwsift.yaml:3:", "fastdev:0")

    def test_upper_case(self):
        self.refused("devices:\n  - FastDev\n", "hwsift.yaml:2:", "FastDev", "lower case")

    def test_an_empty_name(self):
        self.refused('devices:\n  - ""\n', "hwsift.yaml:2:", "''")

    def test_a_name_that_is_there(self):
        self.refused("devices: [cuda]\n", "hwsift.yaml:1:", "cuda", "known already")

    def test_an_unknown_key(self):
        self.refused("devices:\n  - name: fastdev\n    memebers: [a]\n", "hwsift.yaml:3:", "memebers", "members")

    def test_no_list(self):
        self.refused("devices: {fastdev: 1}\n", "hwsift.yaml:1:", "devices", "list")


if __name__ == "__main__":
    harness.main()
