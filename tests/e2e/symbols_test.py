"""hwsift rules symbols: what the vocabulary says, in text, in JSON and in the manual."""
import filecmp
import json
import re

import harness


class Symbols(harness.HwsiftTest):
    def symbols(self, *arguments):
        ran, document = self.document("rules", "symbols", *arguments)
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(document["schema"], "hwsift.symbols/1")
        return document["symbols"]

    def test_the_whole_vocabulary_in_json(self):
        symbols = self.symbols()
        names = [symbol["name"] for symbol in symbols]
        self.assertEqual(names, sorted(names))
        self.assertGreater(len(names), 1000)
        keys = {"name", "module", "kind", "says", "devices", "prefix", "needs", "package", "recorded", "twin", "since", "until",
                "build"}
        self.assertTrue(all(set(symbol) == keys for symbol in symbols))

    def test_every_kind_and_every_need_is_used(self):
        symbols = self.symbols()
        self.assertEqual({symbol["kind"] for symbol in symbols},
                         {"api", "decorator", "flag", "guard", "constant", "base_class", "context_manager", "call", "import"})
        self.assertEqual({need for symbol in symbols for need in symbol["needs"]}, {"count", "library", "capability"})

    def test_a_last_word_shows_each_module_that_has_it(self):
        found = self.symbols("skipCUDAIf")
        self.assertEqual([symbol["module"].rpartition(".")[2] for symbol in found], ["common_device_type", "inductor_utils"])

    def test_what_an_entry_says(self):
        (found,) = self.symbols("TEST_MULTIGPU")
        self.assertEqual((found["kind"], found["says"], found["devices"], found["needs"], found["twin"]),
                         ("flag", "requires_accelerator", ["cuda"], {"count": 2}, "TEST_MULTIACCELERATOR"))
        (found,) = self.symbols("torch.testing._internal.common_distributed.skip_if_lt_x_gpu")
        self.assertEqual(found["needs"], {"count": "argument"})
        (found,) = self.symbols("TEST_CUDNN")
        self.assertEqual(found["needs"], {"library": "cudnn"})
        (found,) = self.symbols("SM80OrLater")
        self.assertEqual(found["needs"], {"capability": "sm80"})
        (found,) = self.symbols("onlyAccelerator")
        self.assertEqual((found["since"], found["until"]), ("2.14", None))

    def test_a_name_without_an_entry_of_its_own_shows_the_one_that_speaks_for_it(self):
        self.assertEqual([symbol["name"] for symbol in self.symbols("torch.cuda.nccl.version")], ["torch.cuda.nccl"])

    def test_text_is_aligned_by_module(self):
        ran = self.hwsift("rules", "symbols", "skipCUDAIfNoCudnn")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("torch.testing._internal.common_device_type\n  skipCUDAIfNoCudnn  decorator  skips_variants  cuda", ran.out)
        self.assertIn("cudnn", ran.out)
        modules = self.hwsift("rules", "symbols").out.split("\n\n")[:-1]
        self.assertGreater(len(modules), 20)
        for module in modules:
            columns = {re.search(r"\s(api|decorator|flag|guard|call|constant|base_class|context_manager|import)\s", line).start(1)
                       for line in module.splitlines()[1:]}
            self.assertEqual(len(columns), 1, f"kinds stand below one another: {module}")

    def test_an_unknown_name_is_refused_with_a_suggestion(self):
        self.assert_refused(self.hwsift("rules", "symbols", "onlyCUDAA"), 2, "did you mean 'onlyCUDA'?")
        self.assert_refused(self.hwsift("rules", "symbols", "torch.nothing_like_it_at_all"), 2, "hwsift rules symbols")
        self.assert_refused(self.hwsift("rules", "symbols", "-o", "xml"), 2, "xml")

    def test_rules_of_another_folder_replace_them(self):
        rules = self.scratch / "rules"
        (rules / "symbols").mkdir(parents=True)
        (rules / "devices.yaml").write_text("version: 1\ndevices:\n  - {name: cuda, category: CUDA}\n")
        (rules / "symbols/a.yaml").write_text("module: m\nsymbols:\n  - {name: X, kind: guard, says: neutral}\n")
        ran = self.hwsift("--rules", rules, "rules", "symbols")
        self.assertEqual(ran.out.splitlines()[:2], ["m", "  X  guard  neutral"])

    def test_no_tree_is_needed(self):
        ran = self.hwsift("rules", "symbols", "onlyCUDA", cwd="/")
        self.assertEqual(ran.code, 0, ran.err)

    def test_the_manual_has_the_vocabulary(self):
        self.assertEqual(self.hwsift("rules", "docs", "docs").code, 0)
        self.assertTrue(filecmp.cmp(self.tree / "docs/symbols.md", harness.REPOSITORY / "docs/symbols.md", shallow=False),
                        "run: build/hwsift rules docs docs")


if __name__ == "__main__":
    harness.main()
