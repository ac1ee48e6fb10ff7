"""The lint as contributors and lintrunner meet it: exit codes, messages for odd input, the allowlist, the manual."""
import filecmp
import json
import os

import harness
from harness import PLAIN_TEST, REPOSITORY, HwsiftTest

LABELLED = PLAIN_TEST.replace("import TestCase", "import HardwareClassification, TestCase").replace(
    "    def", "    hw_classification = HardwareClassification.GENERIC\n\n    def", 1)
FIELDS = {"path", "line", "char", "code", "severity", "name", "original", "replacement", "description"}


class Lint(HwsiftTest):
    def rules_in(self, document):
        return [(finding["path"], finding["rule"]) for finding in document["findings"]]

    def test_clean_and_not(self):
        self.write("test/test_good.py", LABELLED)
        self.assertEqual(self.hwsift("lint").code, 0)
        self.write("test/test_plain.py")
        ran, document = self.document("lint")
        self.assertEqual(ran.code, 1)
        self.assertEqual(self.rules_in(document), [("test/test_plain.py", "hw_classification")])
        self.assertIn("TestLength", document["findings"][0]["message"])

    def test_text_names_place_rule_source_and_next_step(self):
        self.write("test/test_plain.py")
        out = self.hwsift("lint").out
        for text in ("test/test_plain.py\n", "4:1", "hw_classification", "class TestLength(TestCase):", "^^^^^",
                     "1 finding in 1 of 1 file", "hwsift rules show hw_classification", "hwsift allowlist init"):
            self.assertIn(text, out)
        self.assertNotIn("\x1b", out)

    def test_a_missing_path_is_an_error_and_the_others_are_done(self):
        self.write("test/test_plain.py")
        ran, document = self.document("lint", "test/test_gone.py", "test/test_plain.py")
        self.assert_refused(ran, 2, "test/test_gone.py")
        self.assertEqual(len(document["findings"]), 1)

    def test_an_unreadable_file_is_a_finding(self):
        self.write("test/test_bad.py", b"\x00\x01")
        self.write("test/test_plain.py")
        ran, document = self.document("lint")
        self.assertEqual(ran.code, 1)
        self.assertEqual(self.rules_in(document),
                         [("test/test_bad.py", "parse_error"), ("test/test_plain.py", "hw_classification")])

    def test_a_file_that_is_no_test_is_said_to_be_none(self):
        self.write("test/helper.py")
        ran = self.hwsift("lint", "test/helper.py")
        self.assertEqual(ran.code, 0)
        self.assertIn("test_*.py", ran.err)

    def test_profile_and_allowlist_of_the_settings(self):
        self.write("test/test_plain.py")
        self.write("hwsift.yaml", "profile: declare\nallowlist: allow.json\n")
        self.write("allow.json", '["test/test_plain.py"]')
        ran = self.hwsift("lint")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("profile declare); 1 file allowlisted", ran.out)
        self.assertEqual(self.hwsift("lint", "--no-allowlist").code, 1)

    def test_a_file_of_the_allowlist_is_not_even_read(self):
        (self.tree / "test/test_link.py").symlink_to("nowhere.py")
        self.write("test/test_good.py", LABELLED)
        self.write("allow.json", '["test/test_link.py"]')
        self.assertEqual(self.hwsift("lint", "--allowlist", "allow.json").code, 0)

    def test_allowlist_and_no_allowlist_exclude_each_other(self):
        self.assertEqual(self.hwsift("lint", "--allowlist", "a.json", "--no-allowlist").code, 2)


class Lintrunner(HwsiftTest):
    def messages(self, *arguments, **options):
        ran = self.hwsift("lint", "-o", "lintrunner", *arguments, **options)
        self.assertEqual(ran.code, 0, ran.err)
        messages = [json.loads(line) for line in ran.out.splitlines()]
        for message in messages:
            self.assertEqual(set(message), FIELDS)
            self.assertEqual(message["code"], "HW_CLASSIFICATION")
        return messages

    def paths_file(self, *paths):
        file = self.scratch / "paths"
        file.write_bytes(b"".join(os.fsencode(path) + b"\n" for path in paths))
        return f"@{file}"

    def test_paths_are_repeated_as_given(self):
        absolute = self.write("test/test_a.py")
        self.write("test/test_b.py")
        messages = self.messages(self.paths_file(absolute, "test/test_b.py", "./test/../test/test_c.py"))
        self.assertEqual({message["path"] for message in messages},
                         {str(absolute), "test/test_b.py", "./test/../test/test_c.py"})

    def test_missing_and_broken_files_are_messages(self):
        self.write("test/test_bad.py", b"\xff\xfe def broken(:\n")
        messages = self.messages(self.paths_file("test/test_bad.py", "test/test_gone.py"))
        self.assertEqual([message["name"] for message in messages], ["parse_error", "parse_error"])
        gone = next(message for message in messages if message["path"] == "test/test_gone.py")
        self.assertIsNone(gone["line"])
        self.assertIn("No such file", gone["description"])

    def test_names_that_are_no_utf8(self):
        name = os.fsencode(self.tree) + b"/test/test_\xff.py"
        with open(name, "wb") as file:
            file.write(PLAIN_TEST.encode())
        messages = self.messages(self.paths_file(name, b"test/test_\xfe.py"))
        self.assertEqual(len(messages), 2)

    def test_clean_files_say_nothing(self):
        self.write("test/test_good.py", LABELLED)
        self.assertEqual(self.messages("test/test_good.py"), [])

    def test_a_broken_allowlist_is_a_general_failure(self):
        self.write("test/test_a.py")
        self.write("allow.json", "[1,")
        messages = self.messages("--allowlist", "allow.json", "test/test_a.py")
        self.assertEqual([message["path"] for message in messages], [None])
        self.assertIn("allow.json:1:4", messages[0]["description"])

    def test_broken_settings_are_a_general_failure(self):
        self.write("hwsift.yaml", "profil: declare\n")
        messages = self.messages("test")
        self.assertEqual([message["path"] for message in messages], [None])
        self.assertIn("hwsift.yaml:1", messages[0]["description"])

    def test_an_unknown_profile_is_a_message(self):
        self.write("test/test_plain.py")
        self.write("hwsift.yaml", "profile: recomended\n")
        ran = self.hwsift("lint", "-o", "lintrunner", "test/test_plain.py")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("recomended", json.loads(ran.out)["description"])

    def test_wrong_usage_is_none_of_its_messages(self):
        ran = self.hwsift("lint", "-o", "lintrunner", "--fix=all")
        self.assert_refused(ran, 2, "neither safe nor review")
        self.assertEqual(ran.out, "")

    def test_into_a_file_beside_text(self):
        self.write("test/test_a.py")
        ran = self.hwsift("lint", "-o", "lintrunner:messages", "-o", "text")
        self.assertEqual(ran.code, 0)
        self.assertIn("1 finding", ran.out)
        self.assertEqual(len((self.tree / "messages").read_text().splitlines()), 1)


class AllowlistInit(HwsiftTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_b.py")
        self.write("test/test_a.py")
        self.write("test/test_good.py", LABELLED)

    def test_writes_the_files_with_findings_and_lint_is_clean(self):
        ran = self.hwsift("allowlist", "init")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual((self.tree / "allowlist.json").read_text(), '[\n  "test/test_a.py",\n  "test/test_b.py"\n]\n')
        self.assertIn("2 files", ran.err)
        self.assertEqual(self.hwsift("lint", "--allowlist", "allowlist.json").code, 0)

    def test_goes_where_the_settings_say(self):
        self.write("hwsift.yaml", "allowlist: lists/mine.json\n")
        (self.tree / "lists").mkdir()
        self.assertEqual(self.hwsift("allowlist", "init").code, 0)
        self.assertEqual(len(json.loads((self.tree / "lists/mine.json").read_text())), 2)

    def test_keeps_a_list_that_is_there(self):
        self.write("allowlist.json", "[]\n")
        self.assert_refused(self.hwsift("allowlist", "init"), 2, "allowlist.json", "--force")
        self.assertEqual((self.tree / "allowlist.json").read_text(), "[]\n")
        self.assertEqual(self.hwsift("allowlist", "init", "--force").code, 0)
        self.assertEqual(len(json.loads((self.tree / "allowlist.json").read_text())), 2)

    def test_writes_nothing_when_a_path_is_missing(self):
        self.assert_refused(self.hwsift("allowlist", "init", "test/test_gone.py"), 2, "test_gone.py")
        self.assertFalse((self.tree / "allowlist.json").exists())

    def test_an_output_that_cannot_be_written(self):
        ran = self.hwsift("allowlist", "init", "--output", "no/such/folder/a.json")
        self.assert_refused(ran, 2, "no/such/folder/a.json")

    def test_asks_for_a_command(self):
        self.assertEqual(self.hwsift("allowlist").code, 2)


class Rules(HwsiftTest):
    def test_list_and_show(self):
        listed = self.hwsift("rules", "list")
        self.assertEqual(listed.code, 0)
        for rule in (REPOSITORY / "rules/lint").glob("*.yaml"):
            self.assertIn(rule.stem, listed.out)
            shown = self.hwsift("rules", "show", rule.stem)
            self.assertEqual(shown.code, 0)
            for heading in ("Why", "Bad", "Good"):
                self.assertIn(heading, shown.out)

    def test_an_unknown_rule(self):
        self.assert_refused(self.hwsift("rules", "show", "onlyfor"), 2, "did you mean 'only_for'?")

    def test_the_manual_is_up_to_date(self):
        self.assertEqual(self.hwsift("rules", "docs", "docs").code, 0)
        names = ["rules.md"] + sorted(f"rules/{rule.stem}.md" for rule in (REPOSITORY / "rules/lint").glob("*.yaml"))
        same, different, missing = filecmp.cmpfiles(self.tree / "docs", REPOSITORY / "docs", names, shallow=False)
        self.assertEqual((different, missing), ([], []), "run: build/hwsift rules docs docs")
        self.assertEqual(len(list((REPOSITORY / "docs/rules").glob("*.md"))), len(names) - 1, "a page without a rule")

    def test_own_rules(self):
        ran = self.hwsift("rules", "list", "--rules", "no/such")
        self.assert_refused(ran, 2, "no/such/profiles.yaml")


if __name__ == "__main__":
    harness.main()
