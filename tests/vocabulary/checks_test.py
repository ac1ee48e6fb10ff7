"""The checks of the vocabulary on small trees and small packages: what is right passes, and each fault is found."""
import json
import os
import shutil
import sys

import harness

HERE = harness.REPOSITORY / "tests/vocabulary"

COMMON_UTILS = """\
import torch
TEST_CUDA = False
if TEST_CUDA:
    CUDA_THING = 1
def skipIfRocm(f): return f
def plain(f): return f
"""
HANDS_ON = "from torch.testing._internal.common_utils import TEST_CUDA\n"


def entry(name, **keys):
    return {"name": name, "module": name.rpartition(".")[0], "prefix": False, "package": False, "since": None, "until": None,
            "build": None, **keys}


class ScriptTest(harness.HwsiftTest):
    def script(self, name, symbols, *arguments, **options):
        file = self.scratch / "symbols.json"
        file.write_text(json.dumps({"schema": "hwsift.symbols/1", "symbols": symbols}))
        return harness.run(sys.executable, HERE / name, file, *arguments, **options)


class Used(ScriptTest):
    """symbols_used.py: what test files use at least five times has an entry."""

    def setUp(self):
        super().setUp()
        self.write("torch/__init__.py", "")
        self.write("torch/testing/_internal/common_utils.py", COMMON_UTILS)
        self.write("torch/testing/_internal/common_cuda.py", HANDS_ON)

    def used(self, test_file, *symbols):
        self.write("test/test_a.py", test_file)
        return self.script("symbols_used.py", list(symbols), self.tree)

    def assert_missing(self, ran, name, times):
        self.assertEqual(ran.code, 1, ran.out + ran.err)
        self.assertIn(f"no entry: {name} (used {times} times)", ran.out)

    def assert_complete(self, ran):
        self.assertEqual(ran.code, 0, ran.out + ran.err)

    def test_five_uses_ask_for_an_entry_and_four_do_not(self):
        text = "import torch\n" + "torch.cuda.synchronize()\n" * 5 + "torch.cuda.init()\n" * 4
        self.assert_missing(self.used(text), "torch.cuda.synchronize", 5)
        self.assertNotIn("init", self.used(text).out)
        self.assert_complete(self.used(text, entry("torch.cuda.synchronize")))

    def test_a_prefix_speaks_for_what_is_below_it_and_nothing_else_does(self):
        text = "import torch\n" + "torch.cuda.synchronize()\n" * 5
        self.assert_complete(self.used(text, entry("torch.cuda", prefix=True)))
        self.assert_missing(self.used(text, entry("torch.cuda")), "torch.cuda.synchronize", 5)
        self.assert_missing(self.used(text, entry("torch.cud", prefix=True)), "torch.cuda.synchronize", 5)

    def test_names_are_followed_through_aliases_star_imports_and_what_hands_them_on(self):
        module = "torch.testing._internal.common_utils"
        for importing, use in (("import torch.testing._internal.common_utils as cu", "cu.skipIfRocm"),
                               (f"from {module} import skipIfRocm as skip", "skip"),
                               (f"from {module} import *", "skipIfRocm")):
            with self.subTest(importing):
                self.assert_missing(self.used(f"{importing}\n" + f"{use}\n" * 6), f"{module}.skipIfRocm", 6)
        handed_on = "from torch.testing._internal.common_cuda import TEST_CUDA\n" + "TEST_CUDA\n" * 5
        self.assert_missing(self.used(handed_on), f"{module}.TEST_CUDA", 5)
        self.assert_complete(self.used(handed_on, entry(f"{module}.TEST_CUDA")))

    def test_decorators_defaults_and_nested_calls_are_uses(self):
        text = ("import torch\n@torch.mps.a(torch.mps.a)\ndef f(x=torch.mps.a):\n    return g(torch.mps.a)[torch.mps.a].cuda\n")
        self.assert_missing(self.used(text), "torch.mps.a", 5)

    def test_a_name_that_is_no_hardware_or_not_of_torch_needs_none(self):
        text = ("import torch, other\nfrom torch.testing._internal.common_utils import plain\n" +
                "plain(torch.cuda.x, other.cuda, torch.add, cuda)\n" * 5)
        self.assert_complete(self.used(text, entry("torch.cuda.x")))

    def test_a_tree_without_any_use_is_no_success(self):
        self.assertEqual(self.used("x = 1\n").code, 1)

    def test_an_entry_that_is_taken_out_of_the_rules_is_missed(self):
        rules = shutil.copytree(harness.REPOSITORY / "rules", self.scratch / "rules")
        self.write("test/test_a.py", "from torch.testing._internal.inductor_utils import GPU_TYPE\n" + "GPU_TYPE\n" * 5)
        symbols = self.scratch / "of-rules.json"

        def missing():
            ran = self.hwsift("--rules", rules, "rules", "symbols", "-o", f"json:{symbols}")
            self.assertEqual(ran.code, 0, ran.err)
            return harness.run(sys.executable, HERE / "symbols_used.py", symbols, self.tree)

        self.assert_complete(missing())
        file = rules / "symbols/inductor_utils.yaml"
        kept = [line for line in file.read_text().splitlines() if "{name: GPU_TYPE," not in line]
        file.write_text("\n".join(kept) + "\n")
        self.assert_missing(missing(), "torch.testing._internal.inductor_utils.GPU_TYPE", 5)


class Exist(ScriptTest):
    """symbols_exist.py: an entry is in a release or says why not."""

    def setUp(self):
        super().setUp()
        self.packages = self.scratch / "packages"
        self.package("torch/version.py", "cuda = None\nhip = None\nxpu = None\n")
        self.package("torch/cuda/__init__.py", "class Event:\n    def record(self): pass\n")
        self.package("torch/testing/_internal/common_utils.py", COMMON_UTILS)
        self.package("torch/hard_to_import.py", "raise RuntimeError\n")

    def package(self, path, text):
        file = self.packages / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def exist(self, *symbols, release="2.6.0"):
        self.package("torch/__init__.py", f"import torch.version, torch.cuda\n__version__ = '{release}+x'\n")
        self.package("torch/testing/__init__.py", "")
        self.package("torch/testing/_internal/__init__.py", "")
        return self.script("symbols_exist.py", list(symbols),
                           env={"PYTHONPATH": f"{self.packages}", "PYTHONDONTWRITEBYTECODE": "1"})

    def assert_fault(self, fault, *symbols, **options):
        ran = self.exist(*symbols, **options)
        self.assertEqual(ran.code, 1, ran.out + ran.err)
        self.assertIn(fault, ran.out)

    def assert_right(self, *symbols, **options):
        ran = self.exist(*symbols, **options)
        self.assertEqual(ran.code, 0, ran.out + ran.err)

    def test_modules_members_and_members_of_members_are_found(self):
        self.assert_right(entry("torch.cuda"), entry("torch.cuda.Event"), entry("torch.cuda.Event.record"),
                          entry("torch.hard_to_import"))

    def test_what_is_nowhere_is_a_fault(self):
        for name in ("torch.cuda.Evnt", "torch.cuda.Event.recrd", "torch.cudaa.x", "tohrch.x"):
            with self.subTest(name):
                self.assert_fault(f"{name}: is not in 2.6; its entry says nothing of releases", entry(name))

    def test_since_and_until_hold_both_ways(self):
        new, old = entry("torch.cuda.New", since="2.14"), entry("torch.cuda.Event", until="2.6")
        self.assert_right(new, old)
        self.assert_fault("torch.cuda.New: is not in 2.14", new, release="2.14.1")
        self.assert_fault("torch.cuda.Event: is in 2.14; its entry says until 2.6", old, release="2.14.1")
        self.assert_fault("torch.cuda.Event: is in 2.6; its entry says since 2.14", entry("torch.cuda.Event", since="2.14"))
        self.assert_right(entry("torch.cuda.Event", since="2.14"), release="2.14.1")

    def test_releases_between_are_asked_only_for_what_all_have(self):
        self.assert_right(entry("torch.cuda.New", since="2.14"), release="2.9.0")
        self.assert_fault("torch.cuda.New: is not in 2.9", entry("torch.cuda.New"), release="2.9.0")

    def test_what_only_some_builds_have_must_be_missing_in_the_others(self):
        self.assert_right(entry("torch.cuda.Graph", build="cuda"))
        self.assert_fault("torch.cuda.Event: is in 2.6; its entry says build cuda", entry("torch.cuda.Event", build="cuda"))
        self.package("torch/version.py", "cuda = '12'\nhip = None\nxpu = None\n")
        self.assert_right(entry("torch.cuda.Event", build="cuda"))

    def test_other_packages_are_not_asked_for(self):
        self.assert_right(entry("nowhere.cuda", package=True), entry("torch.cuda"))

    def test_a_hardware_name_of_a_test_module_without_an_entry_is_a_fault(self):
        module = "torch.testing._internal.common_utils"
        self.assert_fault(f"{module}.skipIfRocm: no entry", entry(f"{module}.TEST_CUDA"))
        self.assert_right(entry(f"{module}.TEST_CUDA"), entry(f"{module}.skipIfRocm"))

    def test_no_entries_are_no_success(self):
        self.assertEqual(self.exist().code, 1)

    def test_a_false_entry_in_the_rules_is_found(self):
        rules = shutil.copytree(harness.REPOSITORY / "rules", self.scratch / "rules")
        for file in (rules / "symbols").glob("*.yaml"):
            file.unlink()
        (rules / "symbols/a.yaml").write_text("module: torch.cuda\nsymbols:\n  - {names: [Event, Evnt], kind: api, says: neutral}\n")
        symbols = self.scratch / "of-rules.json"
        self.assertEqual(self.hwsift("--rules", rules, "rules", "symbols", "-o", f"json:{symbols}").code, 0)
        self.assert_fault("torch.cuda.Evnt: is not in 2.6", *json.loads(symbols.read_text())["symbols"])


class Check(harness.HwsiftTest):
    """check.py says what it could not ask."""

    def check(self, *parts, **environment):
        return harness.run(sys.executable, HERE / "check.py", *parts,
                           env={"HWSIFT": str(harness.HWSIFT), "HWSIFT_CORPUS": str(self.scratch), "HWSIFT_PYTHON": "",
                                **environment})

    def test_what_is_not_at_hand_is_said(self):
        ran = self.check()
        self.assertEqual(ran.code, harness.SKIPPED, ran.err)
        for text in ("Debian trixie", "Debian forky", "HWSIFT_PYTHON is not set", "source of PyTorch 2.6.0"):
            self.assertRegex(ran.out, f"skipped: .*{text}")

    def test_a_fault_of_one_part_is_a_fault_beside_what_is_skipped(self):
        python = self.scratch / "python"
        python.write_text("#!/bin/sh\nexit 1\n")
        os.chmod(python, 0o755)
        self.assertEqual(self.check(HWSIFT_PYTHON=str(python)).code, 1)
        python.write_text("#!/bin/sh\nexit 0\n")
        self.assertEqual(self.check(HWSIFT_PYTHON=str(python)).code, 0)


if __name__ == "__main__":
    harness.main()
