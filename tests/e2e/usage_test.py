"""How the command line is read: commands, global options, output formats, path lists."""
import harness
from harness import CUDA_TEST, HwsiftTest


class Usage(HwsiftTest):
    def test_version_names_version_grammar_and_rules(self):
        ran = self.hwsift("--version")
        self.assertEqual(ran.code, 0)
        self.assertRegex(ran.out, r"hwsift \d+\.\d+\.\d+")
        self.assertRegex(ran.out, r"tree-sitter-python 0\.25")
        self.assertRegex(ran.out, r"rules \S+")

    def test_help_lists_the_commands_and_fits_the_line(self):
        ran = self.hwsift("--help")
        self.assertEqual(ran.code, 0)
        for command in ("scan", "classify", "lint", "allowlist", "select", "run"):
            self.assertRegex(ran.out, rf"(?m)^\s+{command}\s")

    def test_no_command_is_refused(self):
        self.assert_refused(self.hwsift(), 2)

    def test_a_mistyped_command_gets_a_suggestion(self):
        self.assert_refused(self.hwsift("scna"), 2, "scna", "scan")

    def test_a_mistyped_option_is_refused_by_name(self):
        self.assert_refused(self.hwsift("scan", "--jbos", "2"), 2, "--jbos")

    def test_two_outputs_to_one_place_are_refused(self):
        self.write("test/test_a.py")
        self.assert_refused(self.hwsift("scan", "-o", "text", "-o", "json"), 2, "standard output")
        self.assert_refused(self.hwsift("scan", "-o", "text:x", "-o", "json:./x"), 2, "x")
        ran = self.hwsift("scan", "-o", "text:/dev/null", "-o", "json:/dev/null")
        self.assertEqual(ran.code, 0, ran.err)

    def test_an_unknown_device_is_a_backend_and_a_slip_is_named(self):
        self.write("test/test_a.py")
        ran = self.hwsift("select", "--device", "cdua")
        self.assertIn("did you mean 'cuda'?", ran.err)
        ran = self.hwsift("select", "--device", "fakeacc")
        self.assertIn("PrivateUse1", ran.err)
        self.assertNotIn("did you mean", ran.err)

    def test_the_allowlist_is_offered_where_it_helps(self):
        self.write("test/test_a.py", CUDA_TEST)
        self.assertIn("allowlist init", self.hwsift("lint").out)
        self.assertNotIn("allowlist init", self.hwsift("lint", "test/test_a.py").out)
        self.hwsift("allowlist", "init")
        forgotten = self.hwsift("lint")
        self.assertNotIn("allowlist init", forgotten.out)
        self.assertIn("--allowlist", forgotten.err)
        self.assertEqual(self.hwsift("lint", "--no-allowlist").err, "")
        self.assertEqual(self.hwsift("lint", "--allowlist", "allowlist.json").code, 0)

    def test_options_out_of_range_are_refused(self):
        self.write("test/test_a.py")
        self.assert_refused(self.hwsift("--jobs", "0", "scan"), 2, "--jobs")
        self.assert_refused(self.hwsift("--jobs", "many", "scan"), 2, "--jobs")
        self.assert_refused(self.hwsift("--color", "pink", "scan"), 2, "pink")

    def test_global_options_are_taken_before_and_after_the_command(self):
        self.write("test/test_a.py")
        before = self.hwsift("-C", self.tree, "--jobs", "1", "scan", "-o", "json", cwd=self.scratch)
        after = self.hwsift("scan", "-o", "json", "--jobs", "1", "-C", self.tree, cwd=self.scratch)
        self.assertEqual(before.code, 0, before.err)
        self.assertEqual(before, after)

    def test_stats_go_to_stderr(self):
        self.write("test/test_a.py")
        plain = self.hwsift("scan", "-o", "json")
        stats = self.hwsift("scan", "-o", "json", "--stats")
        self.assertEqual(plain.out, stats.out)
        self.assertIn("analyze", stats.err)
        self.assertEqual(plain.err, "")

    def test_stats_add_up(self):
        self.write("test/test_a.py", "import torch\n")
        self.write("test/test_b.py", "x = 1\n")
        tables = self.hwsift("lint", "--stats", "--no-cache", "-o", "json").err.split("\n\n")
        for table, names in zip(tables, (("discover", "lint", "print"), ("read", "lex", "parse", "facts", "classify", "rules"))):
            rows = {line.split()[0]: float(line.split()[1]) for line in table.splitlines()[1:]}
            self.assertLessEqual(set(names), set(rows))
            self.assertAlmostEqual(sum(rows.values()), 2 * rows["all"], delta=0.06 * len(rows))
        self.assertRegex(tables[1], r"(?m)^read +[0-9.]+ +2 ")

    def test_an_unknown_format_names_those_there_are(self):
        self.write("test/test_a.py")
        ran = self.hwsift("scan", "-o", "jsno")
        self.assert_refused(ran, 2, "jsno", "json", "text")
        self.assertEqual(ran.out, "")

    def test_a_format_with_an_empty_file_name_is_refused(self):
        self.write("test/test_a.py")
        self.assert_refused(self.hwsift("scan", "-o", "json:"), 2, "json:")

    def test_output_repeats_and_stdout_carries_only_data(self):
        self.write("test/test_a.py")
        file = self.scratch / "facts.json"
        ran = self.hwsift("scan", "-o", f"json:{file}", "-o", "text")
        only_json = self.hwsift("scan", "-o", "json")
        only_text = self.hwsift("scan", "-o", "text")
        self.assertEqual((ran.code, ran.out, ran.err), (0, only_text.out, ""))
        self.assertEqual(file.read_text(), only_json.out)

    def test_colour_only_where_asked(self):
        self.write("test/test_a.py")
        self.assertNotIn("\x1b[", self.hwsift("scan").out)
        refused = self.hwsift("scan", "--color", "always", "test/gone.py")
        self.assertIn("\x1b[", refused.err)
        self.assertNotIn("\x1b[", self.hwsift("scan", "--color", "never", "test/gone.py").err)

    def test_tree_is_the_nearest_folder_upward_with_a_test_folder(self):
        self.write("test/nn/test_a.py")
        from_root = self.hwsift("scan", "-o", "json")
        from_below = self.hwsift("scan", "-o", "json", cwd=self.tree / "test/nn")
        self.assertEqual(from_root, from_below)

    def test_paths_count_from_where_one_stands_and_are_told_from_the_tree(self):
        self.write("test/nn/test_a.py")
        self.write("test/test_b.py")
        ran, facts = self.document("scan", "test_a.py", "../test_b.py", cwd=self.tree / "test/nn")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual([file["path"] for file in facts["files"]], ["test/nn/test_a.py", "test/test_b.py"])

    def test_a_path_list_is_read_from_a_file(self):
        self.write("test/test_a.py")
        self.write("test/test_b.py")
        self.write("test/test_c.py")
        paths = self.scratch / "paths"
        paths.write_text("test/test_c.py\ntest/test_a.py\n")
        ran, facts = self.document("scan", f"@{paths}")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual([file["path"] for file in facts["files"]], ["test/test_a.py", "test/test_c.py"])

    def test_a_missing_path_list_is_refused_by_name(self):
        self.write("test/test_a.py")
        self.assert_refused(self.hwsift("scan", "@no_such_list"), 2, "no_such_list")

    def test_a_file_named_twice_counts_once(self):
        self.write("test/test_a.py")
        _, facts = self.document("scan", "test/test_a.py", "test", "./test/../test/test_a.py")
        self.assertEqual(len(facts["files"]), 1)


class Documents(HwsiftTest):
    def test_facts_name_their_schema_and_count(self):
        self.write("test/test_a.py")
        self.write("test/test_b.py", CUDA_TEST)
        self.write("test/helper.py", "x = 1\n")
        ran, facts = self.document("scan")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(facts["schema"], "hwsift.facts/1")
        self.assertEqual(list(facts)[0], "schema")
        self.assertEqual(facts["counts"] | {"files": 3, "test_files": 2, "classes": 2, "tests": 2, "instantiations": 0},
                         facts["counts"])
        cuda = next(file for file in facts["files"] if file["path"] == "test/test_b.py")
        self.assertIn(("TestMove.test_move", 7, ["cuda"]), [(use["scope"], use["line"], use["devices"]) for use in cuda["uses"]])


if __name__ == "__main__":
    harness.main()
