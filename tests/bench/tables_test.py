"""Tables of ./dev bench: ratios, figures, and rows of what could not be measured."""
import sys
import unittest

import harness

sys.path.insert(0, str(harness.REPOSITORY / "bench"))
import tables
from measure import NOT_AT_HAND, Run


class Figures(unittest.TestCase):
    def test_the_least_of_each_cost_and_the_most_memory(self):
        self.assertEqual(tables.least([Run(2, 3, 40), Run(1, 4, 50)]), Run(1, 3, 50))

    def test_spread_is_the_most_by_the_least(self):
        self.assertEqual(tables.spread([Run(2, 9, 0), Run(3, 1, 0)]), 1.5)
        self.assertEqual(tables.spread([Run(0, 1, 0)]), 0)

    def test_ratios_have_three_figures(self):
        for own, other, shown in ((1, 1, "1.00x"), (2.5, 2, "1.25x"), (1, 3, "0.33x"), (9.999, 1, "10.0x"), (50, 3, "16.7x"),
                                  (1000, 3, "333x"), (1, 0, "-"), (0, 1, "-")):
            self.assertEqual(tables.show_ratio(own, other), shown)

    def test_short_times_are_milliseconds(self):
        for seconds, shown in ((12.345, "12.35 s"), (1, "1.00 s"), (0.9999, "1.00 s"), (0.25, "250 ms"), (0.00312, "3.1 ms")):
            self.assertEqual(tables.show_time(seconds), shown)

    def test_memory_near_that_of_the_script_says_nothing(self):
        self.assertEqual(tables.show_peak(120, 15), "120 MB")
        self.assertEqual(tables.show_peak(15.2, 15), "< 16 MB")


class Ratios(unittest.TestCase):
    def test_the_first_is_the_yardstick(self):
        table = tables.ratio_table({"Python": [Run(4, 8, 90)], "fast": [Run(1, 2, 50), Run(1.5, 4, 60)]}, 10)
        self.assertEqual(table.rows, (("Python", "1.00x", "1.00x", "4.00 s", "8.00 s", "90 MB", "1.00"),
                                      ("fast", "4.00x", "4.00x", "1.00 s", "2.00 s", "60 MB", "1.50")))

    def test_what_is_missing_says_so_in_its_row(self):
        table = tables.ratio_table({"Python": [Run(4, 8, 90)], "gone": NOT_AT_HAND}, 10)
        self.assertEqual(table.rows[1], ("gone", NOT_AT_HAND, "", "", "", "", ""))

    def test_without_a_yardstick_there_are_times_and_no_ratios(self):
        table = tables.ratio_table({"Python": NOT_AT_HAND, "fast": [Run(1, 2, 50)]}, 10)
        self.assertEqual(table.rows[1][1:4], ("-", "-", "1.00 s"))


class Growth(unittest.TestCase):
    def test_processor_a_copy_and_wall_by_threads(self):
        results = {"1 copy, --jobs 1": [Run(2, 2, 50)], "1 copy, --jobs 2": [Run(2.2, 1.1, 50)],
                   "4 copies, --jobs 1": [Run(10, 10, 50)], "4 copies, --jobs 2": [Run(11, 5, 50)]}
        rows = tables.growth_table(results, ((1, 1), (1, 2), (4, 1), (4, 2)), 10).rows
        self.assertEqual([row[:3] for row in rows], [("1 copy, --jobs 1", "1.00x", "1.00x"), ("1 copy, --jobs 2", "1.00x", "1.82x"),
                                                     ("4 copies, --jobs 1", "1.25x", "1.00x"), ("4 copies, --jobs 2", "1.25x", "2.00x")])

    def test_a_failure_is_told_in_its_row(self):
        results = {"1 copy, --jobs 1": [Run(2, 2, 50)], "2 copies, --jobs 1": "failed with exit code 3"}
        rows = tables.growth_table(results, ((1, 1), (2, 1)), 10).rows
        self.assertEqual(rows[1][:3], ("2 copies, --jobs 1", "failed with exit code 3", ""))


class Formats(unittest.TestCase):
    TABLE = tables.Table(("", "times as fast, wall", "wall"), (("a", "10.0x", "1.00 s"), ("longer", "not at hand", "")))

    def test_text_is_aligned_and_a_missing_row_widens_nothing(self):
        self.assertEqual(tables.text_table(self.TABLE).splitlines(), ["        times as fast",
                                                                      "                 wall    wall",
                                                                      "a               10.0x  1.00 s",
                                                                      "longer  not at hand"])

    def test_emphasis_is_put_around_finished_lines(self):
        self.assertTrue(tables.text_table(self.TABLE, lambda row, line: f"<{line}>").endswith("<longer  not at hand>"))

    def test_markdown(self):
        self.assertEqual(tables.markdown_table(self.TABLE).splitlines(), [
            "|  | times as fast, wall | wall |", "| --- | --: | --: |", "| a | 10.0x | 1.00 s |", "| longer | not at hand |  |"])


if __name__ == "__main__":
    harness.main()
