"""The sample suite under one release of PyTorch: hwsift runs what plain pytest runs, and tells why it leaves out the rest."""
import shutil

import corpus
import harness


class SampleRelease:
    """Mixed into a HwsiftTest; `python` is the interpreter to use."""

    def setUp(self):
        super().setUp()
        shutil.copytree(harness.SAMPLE, self.tree, dirs_exist_ok=True)

    def test_passes_what_plain_pytest_passes(self):
        plain = corpus.passed_by_pytest(self.python, self.tree, "test")
        self.assertGreater(len(plain), 15)
        ran, document = self.document("run", "--device", "cpu", "--python", self.python, timeout=900)
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(corpus.passed_by_hwsift(document), plain)

    def test_what_does_not_run_has_a_reason(self):
        _, document = self.document("run", "--device", "cpu", "--python", self.python, timeout=900)
        left_out = {corpus.key(test_id) for ids in document["not_run"].values() for test_id in ids}
        self.assertTrue({"TestGraph", "TestMpsMemory", "TestXpuStream"} <= {cls for cls, _ in left_out} |
                        {cls.removesuffix(device) for cls, _ in left_out for device in ("CUDA", "MPS", "XPU")}, left_out)
        self.assertTrue(all(reason.strip() for reason in document["not_run"]))
