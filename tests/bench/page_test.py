"""docs/performance.md: what --check sees of a page, and what it leaves to the machine."""
import sys
import unittest

import harness

sys.path.insert(0, str(harness.REPOSITORY / "bench"))
import bench
import page

PAGE = """\
# Title

| | fast |
| --- | --: |
| one | 1.0x |
| two | 3.0x |

Words.

```text
lint 12 ms
```
"""


class Difference(unittest.TestCase):
    def assert_told(self, old, new, line):
        self.assertIn(old, PAGE)
        self.assertIn(line, page.difference(PAGE.replace(old, new), PAGE).splitlines())

    def test_figures_are_of_the_machine(self):
        other = PAGE.replace("1.0x", "9.0x").replace("3.0x", "not at hand").replace("lint 12 ms", "scan 3 ms\nlint 9 ms")
        self.assertEqual(page.difference(other, PAGE), "")

    def test_other_words(self):
        self.assert_told("Words.", "Other words.", "-Other words.")

    def test_a_row_that_went(self):
        self.assert_told("| two | 3.0x |\n", "", "+| two")

    def test_a_row_that_nobody_writes(self):
        self.assert_told("| two | 3.0x |\n", "| two | 3.0x |\n| three | 1.0x |\n", "-| three")

    def test_the_order_of_rows(self):
        self.assert_told("| one | 1.0x |\n| two | 3.0x |\n", "| two | 3.0x |\n| one | 1.0x |\n", "-| one")

    def test_the_head_of_a_table(self):
        self.assert_told("| fast |", "| slow |", "-| | slow |")

    def test_a_block_that_is_gone(self):
        self.assert_told("```text\nlint 12 ms\n```\n", "", "+```text")


class Template(unittest.TestCase):
    def test_each_part_goes_where_its_name_is(self):
        self.assertEqual(page.fill("a\n@one@\nb @two@\n", {"one": "1\n2"}), "a\n1\n2\nb @two@\n")

    def test_a_part_without_a_place_and_a_place_without_a_part(self):
        for parts in ({"one": "", "two": ""}, {}):
            with self.assertRaisesRegex(ValueError, "the template has"):
                page.fill("@one@\n", parts)

    def test_ours_has_a_place_for_every_table(self):
        text = bench.empty_page()
        self.assertIn("| hwsift lint, cold |", text)
        self.assertNotRegex(text, page.PLACE)


if __name__ == "__main__":
    harness.main()
