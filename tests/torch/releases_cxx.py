"""C++ tests of PyTorch 2.6.0 as they are written, against what the compiler says of them with the real headers."""
import json
import pathlib
import sys

import corpus
import harness

FILES = ["test/cpp/api/tensor_cuda.cpp", "test/cpp/api/module.cpp", "test/cpp/api/rnn.cpp", "aten/src/ATen/test/scalar_test.cpp",
         "aten/src/ATen/test/tensor_iterator_test.cpp", "c10/test/core/Device_test.cpp", "c10/test/util/optional_test.cpp"]
TEST_MACROS = ("TEST(", "TEST_F(", "TYPED_TEST(", "TEST_P(")
# What a compiler need not confirm: a text has no name to resolve, and a variable is the reader's own conclusion.
NAMELESS = ("device_literal", "device_variable")


def headers_or_skip():
    headers = corpus.CORPUS / "libtorch-2.6.0"
    if not headers.exists():
        ran = harness.run(pathlib.Path(__file__).with_name("get-libtorch-headers.sh"), corpus.CORPUS)
        if ran.code != 0:
            print(f"skipped: the headers of libtorch cannot be fetched: {ran.err.strip()}")
            sys.exit(harness.SKIPPED)
    return headers


def helper_or_skip():
    if not harness.HWSIFT.with_name("hwsift-cxx").exists():
        print("skipped: hwsift-cxx is not built (HWSIFT_CXX is OFF)")
        sys.exit(harness.SKIPPED)


helper_or_skip()
SOURCE = corpus.pytorch_source()
HEADERS = headers_or_skip()


def lines_under_conditions(path):
    depth, lines = 0, set()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        word = line.strip().removeprefix("#").lstrip() if line.strip().startswith("#") else ""
        depth += word.startswith("if") - word.startswith("endif")
        if depth > 0:
            lines.add(number)
    return lines


def tests_of(facts):
    """(suite, name): its line."""
    return {(cls["name"], method["name"]): method["line"] for cls in facts["classes"] for method in cls["methods"]}


def uses_of(facts):
    return {(use["line"], use["col"]): use for use in facts["uses"]}


class Modes(harness.HwsiftTest):
    def setUp(self):
        super().setUp()
        self.tree = SOURCE
        self.folders = [HEADERS, HEADERS / "torch/csrc/api/include", SOURCE / "aten/src", SOURCE]

    def facts(self, **settings):
        config = self.scratch / "hwsift.yaml"
        config.write_text(json.dumps(settings))
        ran, document = self.document("--config", config, "scan", *FILES)
        self.assertEqual(ran.code, 0, ran.err)
        return {file["path"]: file for file in document["files"]}

    def compile_commands(self):
        flags = ["-std=c++17", "-DAT_PER_OPERATOR_HEADERS", "-fabi-version=11", *[f"-I{folder}" for folder in self.folders]]
        commands = [{"directory": str(self.tree), "file": path, "arguments": ["g++", *flags, "-c", path]} for path in FILES]
        path = self.scratch / "compile_commands.json"
        path.write_text(json.dumps(commands))
        return path

    def test_both_modes_tell_the_same(self):
        fast, full = self.facts(), self.facts(compile_commands=str(self.compile_commands()))
        for path in FILES:
            with self.subTest(path):
                written, resolved = fast[path], full[path]
                self.assertEqual(resolved["origin"], "full", resolved["parse"])
                self.compare_tests(path, tests_of(written), tests_of(resolved))
                self.compare_uses(path, uses_of(written), uses_of(resolved))
        confirmed = sum(use["origin"] == "full" for facts in full.values() for use in facts["uses"])
        self.assertGreater(confirmed, 150)

    def compare_tests(self, path, written, resolved):
        self.assertEqual(set(written) - set(resolved), set())
        lines = (self.tree / path).read_text().splitlines()
        for name in set(resolved) - set(written):
            line = lines[resolved[name] - 1]
            self.assertFalse(line.startswith(TEST_MACROS), f"{name} is made by no macro of a header: {line}")

    def compare_uses(self, path, written, resolved):
        self.assertEqual(set(written) - set(resolved), set())
        left_out = lines_under_conditions(self.tree / path)
        for place, use in written.items():
            known = use["kind"] in NAMELESS or use["line"] in left_out
            self.assertTrue(known or resolved[place]["origin"] == "full", f"{place}: {use['symbol']} is not resolved")


if __name__ == "__main__":
    harness.main()
