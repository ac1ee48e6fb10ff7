"""Bad input: one clear line with place and remedy, the right exit code, and the other files still done."""
import os
import shutil
import unittest

import harness
from harness import HWSIFT, SAMPLE, HwsiftTest, run

NOBODY = 65534


class BadFiles(HwsiftTest):
    """A tree with one good file and one bad; the good one is always in the document."""

    def setUp(self):
        super().setUp()
        self.write("test/test_good.py")

    def scan(self, *arguments, **options):
        ran, facts = self.document("scan", *arguments, **options)
        good = [file for file in facts["files"] if file["path"] == "test/test_good.py"]
        self.assertEqual([cls["name"] for file in good for cls in file["classes"]], ["TestLength"], "the good file is not done")
        return ran, facts

    def parse_of(self, facts, path):
        return next(file["parse"] for file in facts["files"] if file["path"] == path)

    def test_missing_path(self):
        ran, facts = self.scan("test/test_good.py", "test/test_gone.py")
        self.assert_refused(ran, 2, "test/test_gone.py", "No such file")
        self.assert_remedy(self.errors_of(ran)[0])
        self.assertEqual(len(facts["files"]), 1)

    def test_dangling_link(self):
        (self.tree / "test/test_link.py").symlink_to("nowhere.py")
        ran, _ = self.scan()
        self.assert_refused(ran, 3, "test/test_link.py")
        self.assert_remedy(self.errors_of(ran)[0])

    def test_a_link_to_itself(self):
        (self.tree / "test/test_loop.py").symlink_to("test_loop.py")
        ran, _ = self.scan()
        self.assert_refused(ran, 3, "test/test_loop.py", "symbolic links")
        self.assert_remedy(self.errors_of(ran)[0])
        self.assertNotIn("max_file_bytes", ran.err)  # its size is not to blame

    def test_folder_named_like_a_file(self):
        self.write("test/test_folder.py/test_inner.py")
        ran, facts = self.scan()
        self.assertEqual((ran.code, ran.err), (0, ""))
        self.assertEqual([file["path"] for file in facts["files"]], ["test/test_folder.py/test_inner.py", "test/test_good.py"])

    def test_pipe_in_place_of_a_file_does_not_hang(self):
        os.mkfifo(self.tree / "test/test_pipe.py")
        ran, _ = self.scan(timeout=20)
        self.assertEqual((ran.code, ran.err), (0, ""))
        named = self.hwsift("scan", "test/test_pipe.py", timeout=20)
        self.assert_refused(named, 3, "test/test_pipe.py", "not a regular file")

    def test_a_long_chain_of_bases_takes_no_long_time(self):
        chain = "".join(f"class T{i}(T{i - 1}):\n    def test_a(self): pass\n" for i in range(1, 20000))
        self.write("test/test_chain.py", "class T0:\n    hw_classification = None\n" + chain)
        ran, facts = self.scan(timeout=60)
        self.assertEqual(ran.code, 0, ran.err)
        last = [c for f in facts["files"] if f["path"] == "test/test_chain.py" for c in f["classes"]][-1]
        self.assertEqual(last["inherits"]["from"], "T0")

    def test_unreadable_file(self):
        """Root may read everything, so as root the same is tried as somebody else."""
        self.write("test/test_secret.py").chmod(0)
        if os.geteuid() != 0:
            ran, _ = self.scan()
        else:
            hwsift = shutil.copy(HWSIFT, self.scratch / "hwsift")
            ran = run(hwsift, "scan", "-o", "json", cwd=self.tree, user=NOBODY, group=NOBODY, extra_groups=[])
            self.assertIn("TestLength", ran.out)
        self.assert_refused(ran, 3, "test/test_secret.py", "Permission denied")
        self.assert_remedy(self.errors_of(ran)[0])

    def test_unreadable_folder(self):
        self.write("test/secret/test_inner.py")
        (self.tree / "test/secret").chmod(0)
        self.addCleanup((self.tree / "test/secret").chmod, 0o755)
        options = {}
        if os.geteuid() == 0:
            options = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        hwsift = shutil.copy(HWSIFT, self.scratch / "hwsift")
        ran = run(hwsift, "scan", "-o", "json", cwd=self.tree, **options)
        self.assertEqual(ran.code, 3, ran.err)
        self.assertIn("TestLength", ran.out)
        self.assertIn("test/secret", ran.err)
        self.assertIn("Permission denied", ran.err)

    def test_invalid_utf8(self):
        self.write("test/test_bytes.py", b"x = '\xff\xfe'\n")
        ran, facts = self.scan()
        self.assert_refused(ran, 3, "test/test_bytes.py", "UTF-8")
        self.assert_remedy(self.errors_of(ran)[0])
        self.assertFalse(self.parse_of(facts, "test/test_bytes.py")["ok"])

    def test_binary_named_like_a_test(self):
        self.write("test/test_binary.py", bytes(range(256)) * 64)
        ran, _ = self.scan()
        self.assert_refused(ran, 3, "test/test_binary.py")
        self.assert_remedy(self.errors_of(ran)[0])

    def test_zero_bytes(self):
        self.write("test/test_zeros.py", b"\0" * 4096)
        ran, _ = self.scan()
        self.assert_refused(ran, 3, "test/test_zeros.py")

    def test_empty_file_is_fine(self):
        self.write("test/test_empty.py", "")
        ran, facts = self.scan()
        self.assertEqual((ran.code, ran.err), (0, ""))
        self.assertEqual(self.parse_of(facts, "test/test_empty.py"), {"ok": True, "errors": []})

    def test_syntax_error_is_in_the_document_and_changes_no_exit_code(self):
        self.write("test/test_broken.py", "class TestBroken(TestCase):\n    def test_a(self):\n        x = = 1\n")
        ran, facts = self.scan()
        self.assertEqual(ran.code, 0, ran.err)
        parse = self.parse_of(facts, "test/test_broken.py")
        self.assertFalse(parse["ok"])
        self.assertEqual(parse["errors"][0]["line"], 3)

    def test_large_file(self):
        """50 MB: either all of it is read, or it is refused by name; in either case soon."""
        self.write("test/test_large.py", "x = 'cuda'  # a long file\n" * (50 * 1024 * 1024 // 26))
        ran, _ = self.scan(timeout=120)
        self.assert_refused(ran, 3, "test/test_large.py", "larger")
        self.assert_remedy(self.errors_of(ran)[0])

    def test_deep_nesting(self):
        self.write("test/test_deep.py", "x = " + "(" * 100000 + ")" * 100000 + "\n")
        ran, _ = self.scan(timeout=120)
        self.assertEqual((ran.code, ran.err), (0, ""))

    def test_folder_loop_through_links(self):
        self.write("test/nn/test_inner.py")
        (self.tree / "test/nn/loop").symlink_to("..")
        (self.tree / "test/nn/self").symlink_to(".")
        ran, facts = self.scan(timeout=20)
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual([file["path"] for file in facts["files"]], ["test/nn/test_inner.py", "test/test_good.py"])

    def test_names_that_break_lines_stay_on_one(self):
        self.write("test/test_\n\x1b[31mred.py", b"\xff\n")
        ran, _ = self.scan()
        self.assert_refused(ran, 3, "red.py")
        self.assertNotIn("\x1b", ran.err)

    def test_all_at_once(self):
        self.write("test/test_bytes.py", b"\xff\n")
        (self.tree / "test/test_link.py").symlink_to("nowhere.py")
        ran, _ = self.scan("test", "test/test_gone.py")
        self.assertEqual(ran.code, 2, ran.err)
        self.assertEqual(len(self.errors_of(ran)), 3, ran.err)


class BadConfiguration(HwsiftTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_good.py")

    def test_no_tree(self):
        outside = self.scratch / "outside"
        outside.mkdir()
        ran = self.hwsift("scan", cwd=outside)
        self.assert_refused(ran, 2, "test")
        self.assert_remedy(self.errors_of(ran)[0])

    def test_a_directory_that_is_not_there(self):
        self.assert_refused(self.hwsift("-C", "nowhere", "scan"), 2, "nowhere")

    def test_broken_yaml_names_line(self):
        self.write("hwsift.yaml", "profile: recommended\nexclude: [a, b\n")
        self.assert_refused(self.hwsift("scan"), 2, "hwsift.yaml:")

    def test_unknown_key_of_the_configuration(self):
        self.write("hwsift.yaml", "profile: recommended\nprofil: strict\n")
        self.assert_refused(self.hwsift("scan"), 2, "hwsift.yaml:2", "profil")

    def test_wrong_type_in_the_configuration(self):
        self.write("hwsift.yaml", "exclude: {a: b}\n")
        self.assert_refused(self.hwsift("scan"), 2, "hwsift.yaml:1", "exclude")

    def test_a_named_configuration_must_be_there(self):
        self.assert_refused(self.hwsift("--config", "gone.yaml", "scan"), 2, "gone.yaml")

    def test_a_rules_folder_that_is_not_there(self):
        self.assert_refused(self.hwsift("--rules", "gone", "classify"), 2, "gone")

    def test_unknown_key_in_the_rules(self):
        rules = shutil.copytree(harness.REPOSITORY / "rules", self.scratch / "rules")
        file = sorted(rules.glob("*.yaml"))[0]
        lines = file.read_text().splitlines()
        file.write_text("\n".join(lines + ["colour: red"]) + "\n")
        self.assert_refused(self.hwsift("--rules", rules, "classify"), 2, f"{file.name}:{len(lines) + 1}", "colour")

    def test_broken_allowlist(self):
        self.write("allow.json", "[1,")
        ran = self.hwsift("lint", "--allowlist", "allow.json")
        self.assert_refused(ran, 2, "allow.json")
        self.assert_remedy(self.errors_of(ran)[0])

    def test_an_allowlist_of_another_form(self):
        self.write("allow.json", '{"test/test_good.py": true}')
        self.assert_refused(self.hwsift("lint", "--allowlist", "allow.json"), 2, "allow.json")

    def test_a_missing_allowlist(self):
        self.assert_refused(self.hwsift("lint", "--allowlist", "gone.json"), 2, "gone.json")

    def test_an_unknown_profile_names_those_there_are(self):
        self.assert_refused(self.hwsift("lint", "--profile", "upstream-strikt"), 2, "upstream-strikt", "upstream-strict")


class BadFilesOfOtherCommands(HwsiftTest):
    """An unreadable file: exit 3 of classify and select, a finding of lint."""

    def setUp(self):
        super().setUp()
        self.write("test/test_good.py")
        self.write("test/test_bytes.py", b"\xff\n")

    def test_classify(self):
        ran, classes = self.document("classify")
        self.assert_refused(ran, 3, "test/test_bytes.py")
        self.assertEqual([cls["name"] for cls in classes["classes"]], ["TestLength"])

    def test_select(self):
        ran, selection = self.document("select", "--device", "cpu")
        self.assert_refused(ran, 3, "test/test_bytes.py")
        self.assertEqual([test["id"] for test in selection["tests"]], ["test/test_good.py::TestLength::test_length"])

    def test_lint(self):
        ran, findings = self.document("lint")
        self.assertEqual(ran.code, 1, ran.err)
        self.assertIn(("parse_error", "test/test_bytes.py"), [(f["rule"], f["path"]) for f in findings["findings"]])
        self.assertIn("test/test_good.py", [f["path"] for f in findings["findings"]])

    def test_missing_paths(self):
        for command in (["classify"], ["lint"], ["select", "--device", "cpu"]):
            ran = self.hwsift(*command, "test/test_gone.py")
            self.assert_refused(ran, 2, "test/test_gone.py")


class BadInterpreter(HwsiftTest):
    def setUp(self):
        super().setUp()
        shutil.copytree(SAMPLE, self.tree, dirs_exist_ok=True)

    def interpreter(self, script):
        file = self.scratch / "python"
        file.write_text("#!/bin/sh\n" + script + "\n")
        file.chmod(0o755)
        return file

    def run_with(self, python):
        ran = self.hwsift("run", "--device", "cpu", "--python", python)
        self.assertEqual(ran.out.count("Traceback") + ran.err.count("Traceback"), 0, ran.err)
        return ran

    def test_missing_interpreter(self):
        self.assert_refused(self.run_with(self.scratch / "gone"), 2, "gone")

    def test_interpreter_that_fails_at_once(self):
        ran = self.run_with(self.interpreter("exit 9"))
        self.assertEqual(ran.code, 2, ran.err)
        self.assertIn("exit code 9", ran.out + ran.err)
        self.assertNotRegex(ran.out + ran.err, r"\b[1-9]\d* passed")

    def test_interpreter_without_torch(self):
        # -I -S: no site-packages, so neither torch nor pytest can be there
        ran = self.run_with(self.interpreter(f'exec "{shutil.which("python3")}" -I -S "$@"'))
        self.assertEqual(ran.code, 2, ran.err)
        self.assertEqual(len(self.errors_of(ran)), 1, ran.err)
        self.assertRegex(self.errors_of(ran)[0], "torch|pytest")
        self.assert_remedy(self.errors_of(ran)[0])


class BadOutput(HwsiftTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_good.py")

    def test_full_disk_behind_stdout(self):
        with open("/dev/full", "wb") as full:
            ran = run_to(full, HWSIFT, "scan", "-o", "json", cwd=self.tree)
        self.assertEqual(ran.code, 2, ran.err)
        self.assertEqual(len(self.errors_of(ran)), 1, ran.err)
        self.assertIn("No space left", ran.err)

    def test_full_disk_behind_a_file(self):
        self.assert_refused(self.hwsift("scan", "-o", "json:/dev/full"), 2, "/dev/full", "No space left")

    def test_output_in_a_missing_folder(self):
        ran = self.hwsift("scan", "-o", "json:nowhere/facts.json")
        self.assert_refused(ran, 2, "nowhere/facts.json", "No such file")
        self.assert_remedy(self.errors_of(ran)[0])

    def test_output_that_is_a_folder(self):
        self.assert_refused(self.hwsift("scan", "-o", "json:test"), 2, "test")

    def test_an_output_that_cannot_be_written_is_refused_before_the_work(self):
        file = self.scratch / "facts.json"
        ran = self.hwsift("scan", "-o", f"json:{file}", "-o", "text:nowhere/facts.txt")
        self.assert_refused(ran, 2, "nowhere/facts.txt")
        self.assertFalse(file.exists())

    def test_one_bad_output_leaves_the_others(self):
        ran, facts = self.document("scan", "-o", "text:/dev/full")
        self.assertEqual(ran.code, 2, ran.err)
        self.assertEqual(len(facts["files"]), 1)

    def test_devices_are_written_in_place(self):
        ran = self.hwsift("scan", "-o", "json:/dev/null")
        self.assertEqual((ran.code, ran.err), (0, ""))
        self.assertTrue(os.path.exists("/dev/null") and not os.path.isfile("/dev/null"))

    def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(self):
        file = self.scratch / "out/facts.json"
        file.parent.mkdir()
        file.write_text("old")
        file.chmod(0o640)
        ran = self.hwsift("scan", "-o", f"json:{file}")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("hwsift.facts/1", file.read_text())
        self.assertEqual(file.stat().st_mode & 0o777, 0o640)
        self.assertEqual(os.listdir(file.parent), ["facts.json"])

    def test_a_reader_that_went_away(self):
        """As in `hwsift scan -o json | head -1`: no stack trace, no hang."""
        read, write = os.pipe()
        os.close(read)
        with os.fdopen(write, "wb") as gone:
            ran = run_to(gone, HWSIFT, "scan", "-o", "json", cwd=self.tree)
        self.assertNotEqual(ran.code, 0)
        self.assertNotIn("internal error", ran.err)


def run_to(stdout, *command, cwd):
    """Like run, with a given file as standard output."""
    import subprocess
    ran = subprocess.run([str(part) for part in command], cwd=cwd, stdin=subprocess.DEVNULL, stdout=stdout,
                         stderr=subprocess.PIPE, timeout=60, preexec_fn=default_pipe_signal)
    return harness.Ran(ran.returncode, "", ran.stderr.decode(errors="replace"))


def default_pipe_signal():
    import signal
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)


if __name__ == "__main__":
    harness.main()
