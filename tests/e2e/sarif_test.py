"""SARIF of the command line: held to the published schema, places and fixes that fit the files."""
import json
import os
import shutil
import subprocess
import urllib.parse

import harness
from harness import PLAIN_TEST, REPOSITORY, HwsiftTest

SCHEMA = harness.tool("sarif-schema-2.1.0.json")
PYTHON = harness.tool("bin/python3")

COMPLAINTS = """\
import json, sys, jsonschema
schema = json.load(open(sys.argv[1], encoding="utf-8"))
log = json.load(sys.stdin)
validator = jsonschema.validators.validator_for(schema)
validator.check_schema(schema)
for complaint in validator(schema).iter_errors(log):
    print(complaint.json_path, complaint.message[:300])
"""


def complaints(text):
    """What the schema has against a log, one a line."""
    ran = subprocess.run([PYTHON, "-c", COMPLAINTS, SCHEMA], input=text, stdout=subprocess.PIPE, encoding="utf-8",
                         check=True)
    return ran.stdout


class Sarif(HwsiftTest):
    def sarif(self, *arguments, **options):
        file = self.scratch / "log.sarif"
        ran = self.hwsift("lint", "-o", f"sarif:{file}", *arguments, **options)
        self.assertIn(ran.code, (0, 1), ran.err)
        text = file.read_text(encoding="utf-8")
        self.assertEqual(complaints(text), "")
        return json.loads(text)["runs"][0]

    def test_the_schema_refuses_what_is_wrong(self):
        self.assertIn("'results' was unexpected", complaints('{"version": "2.1.0", "runs": [], "results": []}'))
        self.assertIn("'tool' is a required property", complaints('{"version": "2.1.0", "runs": [{}]}'))

    def test_nothing_to_say(self):
        run = self.sarif()
        self.assertEqual(run["results"], [])

    def test_each_profile_on_files_that_break_its_rules(self):
        shutil.copytree(REPOSITORY / "tests/fixtures/lint", self.tree / "test", dirs_exist_ok=True)
        listed = self.hwsift("rules", "list").out.split("Profiles\n")[1]
        profiles = [line.split()[0] for line in listed.splitlines() if line.startswith("  ")]
        self.assertGreater(len(profiles), 3)
        for profile in profiles:
            with self.subTest(profile):
                run = self.sarif("--profile", profile)
                self.assertGreater(len(run["results"]), 10)
                rules = run["tool"]["driver"]["rules"]
                for result in run["results"]:
                    self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
                prints = [result["partialFingerprints"]["scope/v1"] for result in run["results"]]
                self.assertEqual(len(set(prints)), len(prints))

    def test_hostile_names(self):
        names = [b"test/test_a b%20.py", b"test/test_#?.py", b"test/test_\xff.py", "test/test_é:漢.py".encode(),
                 b"test/test_\x1b[31m\n\".py"]
        for name in names:
            with open(os.fsencode(self.tree) + b"/" + name, "wb") as file:
                file.write(PLAIN_TEST.encode())
        uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                for result in self.sarif()["results"]]
        self.assertEqual({urllib.parse.unquote_to_bytes(uri) for uri in uris}, set(names))
        for uri in uris:
            self.assertRegex(uri, r"^[A-Za-z0-9._~/%-]+$")

    def test_files_that_cannot_be_read(self):
        self.write("test/test_bytes.py", b"\xff\xfe def broken(:\n")
        self.write("test/test_syntax.py", "def broken(:\n")
        (self.tree / "test/test_link.py").symlink_to("nowhere.py")
        self.assertEqual({result["ruleId"] for result in self.sarif()["results"]}, {"parse_error"})

    def test_columns_are_characters(self):
        line = "'漢é'; (1 = 2)"
        self.write("test/test_wide.py", line + "\n")
        region = self.sarif()["results"][0]["locations"][0]["physicalLocation"]["region"]
        self.assertEqual((region["startLine"], region["startColumn"]), (1, line.index("=") + 1))

    def test_the_fixes_are_those_of_the_command_line(self):
        before = "# é漢\n" + PLAIN_TEST
        file = self.write("test/test_plain.py", before)
        change = self.sarif()["results"][0]["fixes"][0]["artifactChanges"][0]
        self.assertEqual(change["artifactLocation"]["uri"], "test/test_plain.py")
        content = before.encode()
        for edit in reversed(change["replacements"]):
            start = edit["deletedRegion"]["byteOffset"]
            end = start + edit["deletedRegion"]["byteLength"]
            content = content[:start] + edit.get("insertedContent", {"text": ""})["text"].encode() + content[end:]
        self.hwsift("lint", "--fix")
        self.assertEqual(content, file.read_bytes())
        self.assertIn(b"hw_classification", content)


if __name__ == "__main__":
    harness.main()
