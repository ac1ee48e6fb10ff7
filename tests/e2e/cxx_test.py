"""C++ tests on the command line: which files are read, what becomes of bad ones, categories, findings, explanations."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import harness

TESTS = """\
#include <gtest/gtest.h>

TEST(AddTest, Works) {
  EXPECT_EQ(1 + 1, 2);
}
TEST(AddTest, OnCuda) {
  torch::cuda::synchronize();
}
TEST(AddTest, Named_CUDA) {
  torch::cuda::synchronize();
}
"""


class CxxTest(harness.HwsiftTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_a.py", harness.PLAIN_TEST)
        self.write("test/cpp/add.cpp", TESTS)

    def paths(self, *arguments, **options):
        ran, document = self.document("scan", *arguments, **options)
        return ran, [file["path"] for file in document["files"]]

    def test_named_paths_take_every_language_and_defaults_take_python(self):
        self.assertEqual(self.paths()[1], ["test/test_a.py"])
        self.assertEqual(self.paths("test")[1], ["test/cpp/add.cpp", "test/test_a.py"])
        self.assertEqual(self.paths("test/cpp/add.cpp")[1], ["test/cpp/add.cpp"])
        self.write("hwsift.yaml", "languages: [python, cpp]\n")
        self.assertEqual(self.paths()[1], ["test/cpp/add.cpp", "test/test_a.py"])
        self.write("hwsift.yaml", "languages: [cpp]\n")
        self.assertEqual(self.paths()[1], ["test/cpp/add.cpp"])
        self.write("hwsift.yaml", "languages: [rust]\n")
        ran = self.hwsift("scan")
        self.assertEqual(ran.code, 2)
        self.assertIn("hwsift.yaml:1: unknown language 'rust' (one of: python, cpp)", ran.err)

    def test_facts_name_tests_and_conditions(self):
        self.write("test/cpp/more.cc", "#ifdef USE_CUDA\nTEST(More, Under) {}\n#endif\n"
                                       "using Types = testing::Types<int, char>;\nTYPED_TEST_SUITE(T, Types);\n"
                                       "TYPED_TEST(T, Works) {}\nTEST_P(P, Works) {}\n")
        _, document = self.document("scan", "test/cpp/more.cc")
        [file] = document["files"]
        self.assertEqual((file["language"], file["origin"], file["test_file"]), ("cpp", "fast", True))
        tests = {f"{cls['name']}.{test['name']}": test for cls in file["classes"] for test in cls["methods"]}
        self.assertEqual(tests["More.Under"]["conditions"], [{"text": "USE_CUDA", "negated": False, "line": 1}])
        self.assertEqual(tests["T.Works"]["instances"], ["T/0.Works", "T/1.Works"])
        self.assertEqual([tests["T.Works"]["expands"], tests["P.Works"]["expands"]], [False, True])

    def test_categories_and_selection(self):
        _, document = self.document("classify", "test/cpp")
        [suite] = document["classes"]
        self.assertEqual({test["name"]: test["category"] for test in suite["methods"]},
                         {"Works": "GENERIC", "OnCuda": "CUDA", "Named_CUDA": "CUDA"})
        self.assertTrue(suite["mixed"])
        self.assertIn("mixed: 1 GENERIC + 2 CUDA", self.hwsift("classify", "test/cpp").out)
        _, document = self.document("select", "--device", "cpu", "test")
        self.assertEqual([test["id"] for test in document["tests"]],
                         ["test/cpp/add.cpp::AddTest::Works", "test/test_a.py::TestLength::test_length"])
        self.assertEqual(self.hwsift("select", "--device", "cpu", "test", "-o", "run_test").out, "--include\ntest_a\n")
        self.assertEqual(self.hwsift("select", "--device", "cpu", "test", "-o", "pytest").out,
                         "test_a.py::TestLength\n")

    def test_a_device_of_cpp_tests_alone_has_a_column(self):
        self.write("test/cpp/vulkan.cpp", "#ifdef USE_VULKAN_API\nTEST(V, Works) {}\n#endif\n")
        self.assertRegex(self.hwsift("classify", "test/cpp").out, r"(?m)^directory .*VULKAN")

    def test_explanations(self):
        told = self.hwsift("explain", "test/cpp/add.cpp::AddTest::OnCuda", "--device", "cpu").out
        self.assertIn("OnCuda is CUDA: line 7, torch.cuda.synchronize: needs CUDA.", told)
        self.assertIn("OnCuda does not run on cpu: it is about CUDA, by its source at line 7.", told)
        self.assertNotIn("pytest", told)
        self.assertNotIn("hw_classification", told)
        told = self.hwsift("explain", "test/cpp/add.cpp::AddTest::Works", "--device", "cpu").out
        self.assertIn("Works runs as test/cpp/add.cpp::AddTest::Works.", told)
        self.assertIn("'hwsift run --device cpu --gtest BINARY:test/cpp/add.cpp' runs the file", told)
        self.write("test/cpp/more.cc", "#ifdef USE_CUDA\nTEST(More, Under) {}\n#endif\n")
        told = self.hwsift("explain", "test/cpp/more.cc::More::Under", "--device", "cuda").out
        self.assertIn("USE_CUDA", told)

    def test_findings_in_every_format(self):
        ran = self.hwsift("lint", "test/cpp")
        self.assertEqual(ran.code, 1)
        self.assertIn("6:1  error    cxx_missing_guard", ran.out)
        self.assertIn("TEST(AddTest, OnCuda) {", ran.out)
        for form in ("json", "jsonl", "lintrunner", "sarif", "github", "junit"):
            self.assertIn("cxx_missing_guard", self.hwsift("lint", "test/cpp", "-o", form).out, form)
        for profile in ("declare", "upstream-strict", "upstream-relaxed"):
            self.assertEqual(self.hwsift("lint", "--profile", profile, "test/cpp").code, 0, profile)

    def test_suppressions_and_allowlists(self):
        self.write("test/cpp/add.cpp", TESTS.replace(
            "TEST(AddTest, OnCuda)",
            "// hwsift: ignore[cxx_missing_guard, cxx_device_suffix] runs on machines with CUDA alone\nTEST(AddTest, OnCuda)"))
        self.assertEqual(self.hwsift("lint", "test/cpp").code, 0)
        self.write("test/cpp/add.cpp", TESTS)
        self.write("allowlist.json", '["test/cpp/add.cpp"]')
        self.assertEqual(self.hwsift("lint", "--allowlist", "allowlist.json", "test/cpp").code, 0)

    def test_other_commands_say_what_becomes_of_cpp_files(self):
        ran = self.hwsift("run", "--device", "cpu", "test/cpp/add.cpp")
        self.assertEqual(ran.code, 2)
        self.assertIn("--gtest BINARY:test/cpp/add.cpp", ran.err)
        ran = self.hwsift("plan", "--shards", "2", "test")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("1 C++ files are left out", ran.err)
        self.assertEqual(self.hwsift("plan", "--shards", "2", "test/cpp").code, 2)

    def test_a_bad_file_costs_itself_alone(self):
        deep = "TEST(Deep, Works) { " + "{" * 100000 + "}" * 100000 + " }\n"
        endless = "".join(f"#define A{i} A{i + 1} A{i + 1} A{i + 1} A{i + 1}\n" for i in range(40)) + "int x = A0;\n"
        self.write("test/cpp/deep.cpp", deep)
        self.write("test/cpp/endless.cpp", endless)
        self.write("test/cpp/open.cpp", "TEST(Open, Works) {\n")
        pathlib.Path(self.tree / "test/cpp/bytes.cpp").write_bytes(bytes(range(256)) * 10)
        ran, document = self.document("scan", "test/cpp", timeout=200)
        files = {pathlib.Path(file["path"]).name: file for file in document["files"]}
        self.assertEqual(len(files), 5)
        self.assertEqual(len(files["add.cpp"]["classes"][0]["methods"]), 3)
        self.assertFalse(files["endless.cpp"]["parse"]["ok"])
        self.assertEqual(files["open.cpp"]["parse"]["errors"][0]["line"], 1)
        self.assertIn("'{' has no partner", files["open.cpp"]["parse"]["errors"][0]["message"])
        again, second = self.document("scan", "test/cpp", "--jobs", "7", timeout=200)
        self.assertEqual(document, second)
        lint = self.hwsift("lint", "test/cpp/open.cpp")
        self.assertIn("1:18  error  parse_error  not valid C++", lint.out.replace("1:19", "1:18"))

    def test_files_that_are_none(self):
        os.mkfifo(self.tree / "test/cpp/pipe.cpp")
        ran, document = self.document("scan", "test/cpp/pipe.cpp", "test/cpp/add.cpp")
        self.assertEqual(ran.code, 3)
        self.assertIn("test/cpp/pipe.cpp: not a regular file", ran.err)
        self.write("hwsift.yaml", "max_file_bytes: 100\n")
        ran = self.hwsift("scan", "test/cpp/add.cpp")
        self.assertEqual(ran.code, 3)
        self.assertIn("larger than 100 bytes (raise max_file_bytes in hwsift.yaml", ran.err)

    def test_without_hwsift_cxx_folders_lose_cpp_files_and_named_ones_are_errors(self):
        alone = self.scratch / "alone/hwsift"
        alone.parent.mkdir()
        shutil.copy(harness.HWSIFT, alone)
        ran = harness.run(alone, "-C", self.tree, "scan", "test", "-o", "json", env={"PATH": "/nowhere"})
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("hwsift-cxx: not installed, so that 1 C++ files are left out", ran.err)
        self.assertEqual([file["path"] for file in json.loads(ran.out)["files"]], ["test/test_a.py"])
        ran = harness.run(alone, "-C", self.tree, "scan", "test/cpp/add.cpp", env={"PATH": "/nowhere"})
        self.assertEqual(ran.code, 3)
        self.assertIn("install it beside hwsift", ran.err)
        helper = self.scratch / "tools/hwsift-cxx"
        helper.parent.mkdir()
        helper.symlink_to(harness.HWSIFT.parent / "hwsift-cxx")
        ran = harness.run(alone, "-C", self.tree, "scan", "test/cpp/add.cpp", env={"PATH": str(helper.parent)})
        self.assertEqual(ran.code, 0, ran.err)

    def test_a_foreign_helper_is_an_error(self):
        alone = self.scratch / "alone/hwsift"
        alone.parent.mkdir()
        shutil.copy(harness.HWSIFT, alone)
        helper = alone.parent / "hwsift-cxx"
        for script in ("exit 3", "echo hello", "echo '{}'", "kill -9 $$"):
            helper.write_text("#!/bin/sh\n" + script + "\n")
            helper.chmod(0o755)
            ran = harness.run(alone, "-C", self.tree, "scan", "test/cpp/add.cpp")
            self.assertEqual(ran.code, 3, script)
            self.assertIn("test/cpp/add.cpp: ", ran.err, script)

    def test_a_signal_ends_the_scan_and_its_helpers(self):
        self.write("test/cpp/slow.cpp", "".join(f"#define A{i} A{i + 1} A{i + 1}\n" for i in range(60)) + "int x = A0;\n")
        process = subprocess.Popen([harness.HWSIFT, "-C", self.tree, "scan", "test/cpp/slow.cpp"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(20), -signal.SIGINT)

    def test_branches_that_are_left_out_are_no_missing_headers(self):
        self.write("test/cpp/split.cpp", "#ifdef A\nTEST(S, a) {\n#else\nTEST(S, b) {\n#endif\n}\n")
        ran, document = self.document("scan", "test/cpp/split.cpp")
        self.assertEqual((ran.code, ran.err), (0, ""))
        self.assertIn("only the first is read", document["files"][0]["parse"]["notes"][0])

    def test_names_are_resolved_with_compile_commands(self):
        self.write("test/cpp/lib.h", "namespace at { namespace cuda { inline void synchronize() {} } }\n"
                                     "struct Mine { void cuda() {} };\n#define TEST(a, b) void a##b()\n")
        self.write("test/cpp/add.cpp", '#include "lib.h"\nusing namespace at::cuda;\n'
                                       "TEST(A, Using) { synchronize(); }\nTEST(A, Own) { Mine m; m.cuda(); }\n")
        self.write("build/compile_commands.json", json.dumps([
            {"directory": str(self.tree), "file": "test/cpp/add.cpp", "command": "c++ -c test/cpp/add.cpp"}]))
        _, fast = self.document("classify", "test/cpp/add.cpp")
        _, full = self.document("classify", "--compile-commands", "build", "test/cpp/add.cpp")
        categories = lambda document: [test["category"] for test in document["classes"][0]["methods"]]
        self.assertEqual(categories(fast), ["GENERIC", "CUDA"])
        self.assertEqual(categories(full), ["CUDA", "GENERIC"])

    def test_unusable_compile_commands_are_one_error_before_files_are_read(self):
        self.write("test/cpp/more.cpp", TESTS)
        self.write("empty/README", "")
        self.write("broken/compile_commands.json", '[{"directory": "/x",')
        self.write("object/compile_commands.json", "{}")
        for name, where, what in (("nowhere", "nowhere: ", "no compile commands: "),
                                  ("empty", "empty/compile_commands.json: ", "no compile commands: "),
                                  ("broken", "broken/compile_commands.json:1:", "(CMake writes it with"),
                                  ("object/compile_commands.json", "object/compile_commands.json: ",
                                   "not a list of compile commands")):
            for command in ("scan", "classify", "lint"):
                ran = self.hwsift(command, "--compile-commands", name, "test/cpp")
                self.assertEqual((ran.code, ran.out, ran.err.count("\n")), (2, "", 1), (name, command, ran.err))
                self.assertIn(where, ran.err)
                self.assertIn(what, ran.err)
                self.assertIn("CMAKE_EXPORT_COMPILE_COMMANDS", ran.err)
        self.write("hwsift.yaml", "compile_commands: nowhere\n")
        self.assertEqual(self.hwsift("scan", "test/cpp").code, 2)
        self.assertEqual(self.hwsift("scan", "test/test_a.py").code, 0)

    def test_files_read_without_headers_are_counted_once(self):
        self.write("test/cpp/bad.cpp", "#include <no/such/header.h>\n")
        self.write("test/cpp/good.cpp", "int a;\n")
        self.write("build/compile_commands.json", json.dumps([
            {"directory": str(self.tree), "file": f"test/cpp/{name}.cpp", "command": f"c++ -O2 -c test/cpp/{name}.cpp"}
            for name in ("bad", "good")]))
        ran = self.hwsift("lint", "--compile-commands", "build", "test/cpp")
        self.assertEqual(ran.code, 1, ran.err)
        self.assertIn("2 of 3 C++ files were read without headers, the first: test/cpp/add.cpp: "
                      "no compile command names it ('hwsift scan -o json' has the reason of each)", ran.err)
        self.assertEqual(ran.err.count("without headers"), 1)
        ran, document = self.document("scan", "--compile-commands", "build", "test/cpp")
        self.assertEqual([file["origin"] for file in document["files"]], ["fast", "fast", "full"])
        self.assertIn("bad.cpp:1: ", document["files"][1]["parse"]["notes"][0])
        for arguments in (("--compile-commands", "build", "test/cpp/good.cpp"), ("test/cpp",)):
            self.assertNotIn("without headers", self.hwsift("scan", *arguments).err)


if __name__ == "__main__":
    harness.main()
