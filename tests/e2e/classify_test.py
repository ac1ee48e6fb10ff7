"""classify as people meet it: the table, --show, CSV for spreadsheets, and what no class statement makes."""
import csv
import fcntl
import io
import os
import pty
import re
import struct
import termios

import harness
from harness import HWSIFT, PLAIN_TEST, HwsiftTest

MIXED = """\
import torch
from torch.testing._internal.common_utils import HardwareClassification, TestCase


class TestGraph(TestCase):
    def test_capture(self):
        torch.cuda.CUDAGraph()

    def test_names(self):
        self.assertEqual(len("ab"), 2)


class TestWrong(TestCase):
    hw_classification = HardwareClassification.GENERIC

    def test_capture(self):
        torch.cuda.CUDAGraph()
"""

MADE = """\
from other import TestTemplate, make_tests
from torch.testing._internal.common_device_type import instantiate_device_type_tests
from torch.testing._internal.common_utils import TestCase

TestMade = type("TestMade", (TestCase,), {"test_a": lambda self: None})
globals().update(make_tests())
instantiate_device_type_tests(TestTemplate, globals())


class TestUnseen(TestCase):
    pass


def test_alone():
    assert True


def test_helper(x):
    return x


assert test_helper(1)
"""

CATEGORIES = ["GENERIC", "DEVICE_GENERIC", "CPU", "CUDA", "XPU", "MPS"]
COLUMNS = ["path", "class", "line", "declared", "inferred", "mixed", "confidence", "tests", *CATEGORIES, "split", "evidence", "kind"]


def on_terminal(columns, *command, cwd):
    """What a command writes to a terminal of that width."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(cwd)
        os.environ["TERM"] = "xterm"
        os.environ.pop("NO_COLOR", None)
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execv(command[0], [str(part) for part in command])
    written = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            piece = b""
        if not piece:
            break
        written += piece
    os.waitpid(child, 0)
    os.close(terminal)
    return written.decode().replace("\r\n", "\n")


def table_of(text):
    """The lines of the table, from its heading to the empty line."""
    lines = text.splitlines()
    heading = next(i for i, line in enumerate(lines) if "Classes by directory and category" in line)
    end = next((i for i in range(heading, len(lines)) if not lines[i]), len(lines))
    return lines[heading + 1:end]


class Table(HwsiftTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_a.py")
        self.write("test/test_mixed.py", MIXED)
        self.write("test/nn/some/deep/folder/test_b.py")

    def test_counts_by_directory_and_category(self):
        ran = self.hwsift("classify")
        self.assertEqual((ran.code, ran.err), (0, ""))
        self.assertEqual([line.split() for line in table_of(ran.out)], [
            ["directory", "GENERIC", "CUDA", "mixed", "classes", "tests"],
            ["test", "1", "1", "1", "3", "4"],
            ["test/nn/some", "1", "-", "-", "1", "1"],
            ["total", "2", "1", "1", "4", "5"],
            ["tests", "of", "each", "3", "2", "5"]])
        self.assertEqual({len(line) for line in table_of(ran.out)}, {len(table_of(ran.out)[0])}, "not aligned")

    def test_a_terminal_gets_colours_and_its_width(self):
        self.write("test/a_directory/" + "of_a_long_name_" * 4 + "/test_c.py", MIXED)
        plain = self.hwsift("classify").out
        self.assertNotIn("\x1b", plain)
        for columns in (80, 140):
            shown = on_terminal(columns, HWSIFT, "classify", cwd=self.tree)
            self.assertIn("\x1b[1m", shown)
            lines = [re.sub(r"\x1b\[\d+m", "", line) for line in table_of(shown)]
            self.assertLessEqual(max(len(line) for line in lines), columns)
            self.assertEqual(any("…" in line for line in lines), columns == 80)
        self.assertLessEqual(max(len(line) for line in table_of(plain)), 80)

    def test_a_file_gets_no_colours(self):
        file = self.scratch / "classes.txt"
        self.assertEqual(self.hwsift("classify", "--color", "always", "-o", f"text:{file}").code, 0)
        self.assertNotIn("\x1b", file.read_text())


class Show(HwsiftTest):
    def setUp(self):
        super().setUp()
        self.write("test/test_a.py")
        self.write("test/test_mixed.py", MIXED)
        self.write("test/test_made.py", MADE)

    def shown(self, *kinds):
        ran, document = self.document("classify", *(f"--show={kind}" for kind in kinds))
        self.assertEqual((ran.code, ran.err), (0, ""))
        return document

    def names(self, items):
        return [item["name"] for item in items]

    def test_each_kind_holds_its_classes(self):
        for kind, classes in (("mixed", ["TestGraph"]), ("disagree", ["TestWrong"]), ("unknown", ["TestUnseen"])):
            document = self.shown(kind)
            self.assertEqual(document["show"], [kind])
            self.assertEqual(self.names(document["classes"]), classes)
            self.assertEqual(document["counts"]["shown"], 1)
            self.assertEqual(document["counts"]["classes"], 3, "the counts are of all there is")

    def test_kinds_add_up_however_they_are_given(self):
        expected = self.shown("mixed", "unknown")
        self.assertEqual(self.names(expected["classes"]), ["TestUnseen", "TestGraph"])
        self.assertEqual(self.shown("unknown,mixed"), expected)

    def test_without_it_all_is_there(self):
        document = self.shown()
        self.assertEqual(document["show"], [])
        self.assertEqual(self.names(document["classes"]), ["TestLength", "TestUnseen", "TestGraph", "TestWrong"])

    def test_what_no_class_statement_makes_is_named_and_counted(self):
        for document in (self.shown(), self.shown("unknown")):
            self.assertEqual([(made["line"], made["name"], made["why"]) for made in document["dynamic"]], [
                (5, "TestMade", "made by type()"),
                (6, None, "put there by globals().update()"),
                (7, "TestTemplate", "a template from elsewhere")])
            self.assertEqual(self.names(document["functions"]), ["test_alone"])
            self.assertEqual((document["counts"]["dynamic"], document["counts"]["functions"]), (3, 1))
        self.assertEqual((self.shown("mixed")["dynamic"], self.shown("mixed")["functions"]), ([], []))

    def test_text_has_parts_names_and_the_next_step(self):
        out = self.hwsift("classify", "--show", "mixed,disagree,unknown").out
        for text in ("1 GENERIC + 1 CUDA: split into TestGraph, TestGraphCUDA", "declared GENERIC: torch.cuda.CUDAGraph (line 17)",
                     "its tests were not seen", "dynamic, unclassified: 3 places", "TestMade, made by type()",
                     "invisible to the filter: 1 test function", "3 classes are shown; 1 other is not.", "Next: "):
            self.assertIn(text, out)
        self.assertNotIn("TestLength", out)

    def test_options_after_it_are_paths(self):
        ran, document = self.document("classify", "--show", "mixed", "test/test_a.py")
        self.assertEqual((ran.code, document["classes"]), (0, []))

    def test_the_whole_list_offers_it(self):
        self.assertIn("'hwsift classify --show mixed,disagree,unknown'", self.hwsift("classify").out)

    def test_a_slip_is_refused(self):
        self.assert_refused(self.hwsift("classify", "--show", "mixt"), 2, "--show", "mixt", "mixed", "disagree", "unknown")


class Csv(HwsiftTest):
    def rows(self, *arguments):
        file = self.scratch / "classes.csv"
        ran = self.hwsift("classify", "-o", f"csv:{file}", *arguments)
        self.assertEqual((ran.code, ran.err), (0, ""))
        written = file.read_bytes().decode()
        self.assertEqual(written.count("\r\n"), written.count("\n"))
        reader = csv.DictReader(io.StringIO(written, newline=""), strict=True)
        rows = list(reader)
        self.assertEqual(reader.fieldnames, COLUMNS)
        self.assertTrue(all(None not in row and None not in row.values() for row in rows), "a row of another length")
        return rows

    def test_a_row_a_class(self):
        self.write("test/test_mixed.py", MIXED)
        graph, wrong = self.rows()
        self.assertEqual(graph, dict(zip(COLUMNS, [
            "test/test_mixed.py", "TestGraph", "5", "", "GENERIC", "true", graph["confidence"], "2", "1", "0", "0", "1", "0", "0",
            "TestGraph=1;TestGraphCUDA=1", "torch.cuda.CUDAGraph (line 7) is about CUDA alone", "own tests"])))
        self.assertRegex(graph["confidence"], r"^0\.\d\d$")
        self.assertEqual((wrong["declared"], wrong["inferred"], wrong["mixed"]), ("GENERIC", "CUDA", "false"))
        self.assertEqual(self.rows("--show", "disagree"), [wrong])

    def test_what_no_class_statement_makes_has_a_row(self):
        self.write("test/test_made.py", MADE)
        made = [row for row in self.rows() if row["evidence"].startswith("dynamic, unclassified")]
        self.assertEqual([row["class"] for row in made], ["TestMade", "", "TestTemplate"])
        self.assertEqual({row["inferred"] for row in made}, {""})

    def test_a_spreadsheet_computes_nothing(self):
        """Paths are the cells that a file can choose."""
        for name in ("=1+1", "+1", "-1", "@A1", "\t=1", 'a,"b"'):
            self.write(f"{name}_test.py")
        names = [f"./{name}_test.py" for name in ("=1+1", "+1", "-1", "@A1", "\t=1", 'a,"b"')]
        self.assertEqual([row["path"] for row in self.rows(*names)],
                         ["'\\x09=1_test.py", "'+1_test.py", "'-1_test.py", "'=1+1_test.py", "'@A1_test.py", 'a,"b"_test.py'])

    def test_columns_add_up_to_the_counts_of_the_document(self):
        self.write("test/test_mixed.py", MIXED)
        self.write("test/test_child.py", PLAIN_TEST + "\n\nclass TestChild(TestLength):\n    pass\n")
        rows = self.rows()
        _, document = self.document("classify")
        self.assertEqual(sum(int(row["tests"]) for row in rows), document["counts"]["tests"])
        self.assertEqual(sum(int(row[name]) for row in rows for name in CATEGORIES), document["counts"]["tests"])
        self.assertEqual(len(rows), len(document["classes"]))


class Rows(HwsiftTest):
    """A row of the list is as wide as it is; a terminal would break it in two, so there it is cut."""

    def setUp(self):
        super().setUp()
        self.write("test/test_wide.py", f"""\
import torch
from torch.testing._internal.common_utils import TestCase


class TestÄ{"Long" * 20}(TestCase):
    def test_capture(self):
        torch.cuda.CUDAGraph()


def test_{"far" * 40}():
    pass


globals()["TestMade"] = type("TestMade", (TestCase,), dict(test_a={"made" * 40}))
""")

    def rows_of(self, text):
        return [line for line in text.splitlines() if "test_wide.py:" in line]

    def test_a_terminal_has_them_cut_to_its_width(self):
        rows = self.rows_of(on_terminal(60, HWSIFT, "classify", cwd=self.tree))
        self.assertGreaterEqual(len(rows), 2)
        for row in rows:
            plain = re.sub("\x1b\\[[0-9;]*m", "", row)
            self.assertEqual(len(plain), 60, plain)
            self.assertTrue(plain.endswith("…"), plain)
            self.assertTrue("\x1b" not in row or row.endswith("\x1b[0m…") or row.rstrip("…").count("\x1b[0m") > 0)

    def test_a_wide_terminal_cuts_nothing(self):
        wide = on_terminal(400, HWSIFT, "--color", "never", "classify", cwd=self.tree)
        self.assertEqual(self.rows_of(wide), self.rows_of(self.hwsift("classify").out))

    def test_a_pipe_and_a_file_have_them_whole(self):
        out = self.scratch / "classes.txt"
        self.hwsift("classify", "-o", f"text:{out}")
        piped = self.hwsift("classify").out
        self.assertEqual(piped, out.read_text())
        self.assertGreater(max(len(row) for row in self.rows_of(piped)), 120)

    def test_show_cuts_as_well(self):
        rows = self.rows_of(on_terminal(60, HWSIFT, "classify", "--show", "unknown", cwd=self.tree))
        self.assertTrue(rows)
        self.assertTrue(all(len(re.sub("\x1b\\[[0-9;]*m", "", row)) <= 60 for row in rows), rows)


class SyntaxErrors(HwsiftTest):
    def test_one_line_says_where_and_how_many(self):
        self.write("test/test_a.py")
        for command in ("classify", "select"):
            self.assertNotIn("syntax", self.hwsift(command).err)
        self.write("test/test_b.py", PLAIN_TEST + "def (\n")
        self.write("test/test_c.py", PLAIN_TEST + "class (\n")
        for command in ("classify", "select"):
            ran = self.hwsift(command)
            self.assertEqual(ran.code, 0, "syntax errors change no exit code")
            warnings = [line for line in ran.err.splitlines() if "syntax" in line]
            self.assertEqual(warnings, ["hwsift: warning: test/test_b.py:7: 2 files have syntax errors, their classes after "
                                        "the error may be missing ('hwsift scan' shows them)"])
            self.assertEqual(self.hwsift("-q", command).err, "")
        self.assertIn("test/test_c.py:7: 1 file has syntax errors, its classes after the error may be missing",
                      self.hwsift("classify", "test/test_c.py").err)


if __name__ == "__main__":
    harness.main()
