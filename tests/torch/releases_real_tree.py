"""The whole job on the real test tree of PyTorch 2.6.0, with that PyTorch."""
import json
import shutil
import xml.etree.ElementTree as xml

import corpus
import harness

FILES = ("test_stateless.py", "test_type_promotion.py", "test_view_ops.py")


class RealTree(harness.HwsiftTest):
    source = corpus.pytorch_source()

    def setUp(self):
        super().setUp()
        self.tree = self.source

    def lint(self, profile):
        _, document = self.document("lint", "--profile", profile, "--no-allowlist")
        found = document["findings"]
        return len(found), len({finding["path"] for finding in found})

    def test_scan_counts(self):
        ran, facts = self.document("scan")
        self.assertEqual(ran.code, 0, ran.err)
        want = {"files": 1080, "test_files": 887, "classes": 1949, "tests": 24235, "instantiations": 212}
        self.assertEqual({name: facts["counts"][name] for name in want}, want)

    def test_upstream_profiles(self):
        self.assertEqual(self.lint("upstream-strict"), (1878, 825))
        self.assertEqual(self.lint("upstream-relaxed"), (1911, 832))

    def test_an_allowlist_makes_the_tree_clean(self):
        allowlist = self.scratch / "allowlist.json"
        made = self.hwsift("allowlist", "init", "--profile", "upstream-strict", "--output", allowlist)
        self.assertEqual(made.code, 0, made.err)
        entries = json.loads(allowlist.read_text())
        self.assertEqual((len(entries), entries), (825, sorted(set(entries))))
        ran = self.hwsift("lint", "--profile", "upstream-strict", "--allowlist", allowlist)
        self.assertEqual(ran.code, 0, ran.err)

    def test_every_verdict_has_evidence(self):
        ran, document = self.document("classify")
        self.assertEqual(ran.code, 0, ran.err)
        classes = document["classes"]
        self.assertEqual([c["name"] for c in classes if not c["evidence"] and c["inferred"] != "GENERIC"], [])
        self.assertGreater(sum(c["inferred"] != "GENERIC" for c in classes), 300)

    def test_three_files_pass_what_plain_pytest_passes(self):
        python = corpus.python_of("trixie")
        folder = self.scratch / "plain"
        shutil.copytree(self.source / "test", folder / "test")
        plain = corpus.passed_by_pytest(python, folder / "test", *FILES)
        self.assertGreater(len(plain), 700)
        junit = self.scratch / "junit.xml"
        paths = [f"test/{name}" for name in FILES]
        ran, document = self.document("run", "--device", "cpu", "--python", python, "-o", f"junit:{junit}", *paths, timeout=1200)
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(corpus.passed_by_hwsift(document), plain)
        self.assertEqual(len(list(xml.parse(junit).iter("testcase"))), len(document["results"]))


if __name__ == "__main__":
    harness.main()
