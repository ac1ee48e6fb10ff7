"""The sample suite under one release of PyTorch: hwsift runs what plain pytest runs, and tells why it leaves out the rest."""
import shutil

import corpus
import harness


class SampleRelease:
    """Mixed into a HwsiftTest; `python` is the interpreter to use."""

    def setUp(self):
        super().setUp()
        shutil.copytree(harness.SAMPLE, self.tree, dirs_exist_ok=True)

    def test_passes_what_plain_pytest_passes_and_accounts_for_the_rest(self):
        plain = corpus.passed_by_pytest(self.python, self.tree, "test")
        self.assertGreater(len(plain), 15)
        ran, document = self.document("run", "--device", "cpu", "--python", self.python, timeout=900)
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(corpus.passed_by_hwsift(document), plain)

        left_out = {corpus.key(test_id) for ids in document["not_run"].values() for test_id in ids}
        for name in ("TestGraph", "TestMpsMemory", "TestXpuStream"):
            self.assertTrue(any(cls.startswith(name) for cls, _ in left_out), (name, left_out))
        self.assertTrue(all(reason.strip() for reason in document["not_run"]))
