"""The other formats of `lint -o`, as their readers take them; sarif_test.py and lintrunner_test.py have the rest."""
import json
import os
import re
import xml.etree.ElementTree as ElementTree

import harness
from harness import PLAIN_TEST, HwsiftTest

FORMATS = ("text", "json", "jsonl", "lintrunner", "sarif", "github", "junit")


class Formats(HwsiftTest):
    def lint(self, form, *arguments, code=1, **options):
        ran = self.hwsift("lint", "-o", form, *arguments, **options)
        self.assertEqual(ran.code, code, ran.err)
        return ran.out

    def write_hostile(self):
        for name in (b"test/test_\xff,:%.py", b"test/test_\x1b[31m\n::error::x.py"):
            with open(os.fsencode(self.tree) + b"/" + name, "wb") as file:
                file.write(PLAIN_TEST.encode())
        self.write("test/test_bytes.py", b"\xff\xfe def broken(:\n")

    def test_exit_codes(self):
        for form in FORMATS:
            self.lint(form, code=0)
        self.write("test/test_plain.py")
        for form in FORMATS:
            self.lint(form, code=0 if form == "lintrunner" else 1)
            ran = self.hwsift("lint", "-o", form, "test/test_gone.py")
            self.assertEqual(ran.code, 0 if form == "lintrunner" else 2)

    def test_all_at_once_and_all_named_by_help(self):
        self.write("test/test_plain.py")
        files = [self.scratch / form for form in FORMATS]
        outputs = [part for form, file in zip(FORMATS, files) for part in ("-o", f"{form}:{file}")]
        self.assertEqual(self.hwsift("lint", *outputs).code, 0, "as lintrunner wants it")
        help_text = self.hwsift("lint", "--help").out
        for form, file in zip(FORMATS, files):
            self.assertIn("hw_classification", file.read_text(), form)
            self.assertIn(form, help_text)
        self.assert_refused(self.hwsift("lint", "-o", "xml"), 2, *FORMATS)

    def test_always_utf8_and_no_escape_sequence(self):
        self.write_hostile()
        for form in FORMATS:
            file = self.scratch / "out"
            self.hwsift("lint", "-o", f"{form}:{file}")
            content = file.read_bytes().decode("utf-8")
            self.assertNotIn("\x1b", content, form)

    def test_jsonl_is_the_findings_of_json(self):
        self.write_hostile()
        _, document = self.document("lint")
        lines = self.lint("jsonl").splitlines()
        self.assertEqual([json.loads(line) for line in lines], document["findings"])
        self.assertEqual(len(lines), 3)

    def test_junit_is_xml(self):
        self.write_hostile()
        suites = ElementTree.fromstring(self.lint("junit"))
        cases = list(suites.iter("testcase"))
        self.assertEqual((suites.get("tests"), suites.get("failures"), len(cases)), ("3", "3", 3))
        self.assertEqual({case.find("failure").get("type") for case in cases}, {"hw_classification", "parse_error"})

    def test_junit_without_findings_is_a_job_that_ran(self):
        suites = ElementTree.fromstring(self.lint("junit", code=0))
        self.assertEqual((suites.get("tests"), suites.get("failures")), ("1", "0"))

    def properties(self, line):
        """A workflow command as GitHub reads it: its name, its properties, its message."""
        match = re.fullmatch(r"::(\w+) (.*?)::(.*)", line)
        self.assertIsNotNone(match, line)
        pairs = (pair.split("=", 1) for pair in match[2].split(","))
        return match[1], {name: self.unescaped(value) for name, value in pairs}, self.unescaped(match[3])

    def unescaped(self, text):
        for code in ("0D", "0A", "3A", "2C", "25"):
            text = text.replace("%" + code, chr(int(code, 16)))
        return text

    def test_github_reads_each_command(self):
        self.write_hostile()
        self.write("test/test_plain.py")
        lines = self.lint("github", env={"GITHUB_WORKSPACE": ""}).splitlines()
        self.assertEqual(len(lines), 4)
        commands = [self.properties(line) for line in lines]
        self.assertEqual({name for name, _, _ in commands}, {"error"})
        by_file = {properties["file"]: (properties, message) for _, properties, message in commands}
        self.assertEqual(set(by_file), {"test/test_\ufffd,:%.py", "test/test_\\x1b[31m\n::error::x.py",
                                        "test/test_bytes.py", "test/test_plain.py"})
        properties, message = by_file["test/test_plain.py"]
        self.assertEqual(properties, {"file": "test/test_plain.py", "line": "4", "col": "1", "endLine": "4",
                                      "endColumn": "17", "title": "hw_classification"})
        self.assertIn("TestLength declares no hw_classification", message)

    def test_github_paths_start_at_the_checkout(self):
        self.write("test/test_plain.py")

        def file(cwd, workspace):
            out = self.lint("github", "-C", self.tree, cwd=cwd, env={"GITHUB_WORKSPACE": str(workspace)})
            return self.properties(out.strip())[1]["file"]

        self.assertEqual(file(self.tree / "test", self.tree), "test/test_plain.py")
        self.assertEqual(file(self.tree, self.scratch), "tree/test/test_plain.py")
        self.assertEqual(file(self.scratch, ""), "tree/test/test_plain.py")
        self.assertEqual(file("/", self.scratch / "elsewhere"), f"{self.tree}/test/test_plain.py")


if __name__ == "__main__":
    harness.main()
