"""Markdown reports as GitHub's own renderer shows them: hostile texts come out as the texts they are, and nothing acts.

Skipped where there is no cmark-gfm.
"""
import csv
import html.parser
import json
import random
import re
import shutil
import subprocess
import sys
import unittest

import harness

EXTENSIONS = ("table", "autolink", "strikethrough", "tasklist", "footnotes")
# What GitHub acts on in the text that Markdown leaves, but not in code: mentions, addresses, references, emoji.
LATER = re.compile(r"@|://|www\.|#\d|\bgh-\d|:[a-z]+:", re.IGNORECASE)
OURS = {"h2", "h3", "h4", "p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "code", "strong", "br"}
TITLES = [
    "test_ops.py: label TestA_B (2 of 3) - see #later", "# heading", "- item", "1. first", "> quote", "---", "[ ] to do",
    "*a* _b_ __c__ ~~d~~ `e` ``f``", "a `code with | pipe` b", "a|b \\| c\\", "[x](https://example.org/) ![i](j.png)",
    "<img src=x onerror=y> </code> <br>", "<script>alert(1)</script> <!-- -->", "&amp; &#35;1 &lt;b&gt;", "@someone and @org/team",
    "mail a@example.org", "fixes #12, GH-3, org/repo#4", "https://example.org/x_y_z www.example.org", "deadbee1 :tada: $x$ ^[1]",
    "\\*a\\* \\_b\\_ \\`c\\`", "***", "``", "`", "` a", "|", "||", "\\", "_a_|_b_", "C:\\dir\\_x_", "“_a_” é_b_é 日本",
]
ATOMS = [*"*_~`[]()<>!#|\\&@$:.-+=/ 1ab", "__", "**", "~~", "&amp;", "<b>", "</code>", "](x)", "http://example.org/", "a@b.c", "#1",
         "- ", "1. ", "> ", "a_b", "\\|", "é", "“", "<!--", "deadbee1"]


def titles():
    """Those above, and many that are thrown together, the same each time."""
    chance = random.Random(7)
    made = ["".join(chance.choice(ATOMS) for _ in range(chance.randint(1, 8))) for _ in range(150)]
    return [title for title in dict.fromkeys(map(spaced, TITLES + made)) if title]


def spaced(text):
    """As HTML shows it: a space each, none at the ends."""
    return " ".join(text.split())


class Shown(html.parser.HTMLParser):
    """The rows of the tables of a page: of each cell its text, and its text outside of code."""

    def __init__(self):
        super().__init__()
        self.elements, self.rows, self.loose = set(), [], ""
        self.in_code = 0

    def handle_starttag(self, tag, attributes):
        self.elements.add(tag)
        self.in_code += tag == "code"
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        self.in_code -= tag == "code"

    def handle_comment(self, data):
        self.elements.add("comment")

    def handle_data(self, data):
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data
        self.loose += " " if self.in_code else data


def shown(markdown):
    options = [word for extension in EXTENSIONS for word in ("-e", extension)]
    page = subprocess.run(["cmark-gfm", "--unsafe", *options], input=markdown, capture_output=True, text=True, check=True)
    parser = Shown()
    parser.feed(page.stdout)
    parser.close()
    return parser


class MarkdownTest(harness.HwsiftTest):
    def report(self, items):
        """The progress report of a tree with these items: [id, title]."""
        self.write("test/test_a.py")
        with (self.scratch / "items.csv").open("w", newline="") as file:
            csv.writer(file).writerows([["id", "title", "paths"], *([id, title, "test/gone.py"] for id, title in items)])
        ran = self.hwsift("track", "import", self.scratch / "items.csv", "--prune")
        self.assertEqual(ran.code, 0, ran.err)
        ran = self.hwsift("report", "progress", "-o", "md")
        self.assertEqual(ran.code, 0, ran.err)
        return ran.out

    def test_hostile_texts_are_shown_as_they_are(self):
        made = titles()
        for begin in range(0, len(made), 60):  # a comment has no room for all
            part = made[begin:begin + 60]
            page = shown(self.report([[f"{i} {title}", title] for i, title in enumerate(part, begin)]))
            rows = {row[0].split()[0]: row for row in page.rows if len(row) == 7 and row[0] != "item"}
            for i, title in enumerate(part, begin):
                with self.subTest(title):
                    self.assertEqual(spaced(rows[str(i)][1]), title, "as text")
                    self.assertEqual(spaced(rows[str(i)][0]), f"{i} {title}", "as code")
            self.assert_nothing_acts(page)

    def assert_nothing_acts(self, page):
        self.assertEqual(page.elements - OURS, set(), "nothing of the texts is an element")
        self.assertEqual(LATER.findall(page.loose), [])

    def test_hostile_texts_of_a_run(self):
        made = titles()[:60]
        results = [{"id": f"test/test_a.py::TestA::test_{i}[{title}]", "outcome": "failed", "seconds": 1, "attempts": 1,
                    "message": title, "category": f"{i} {title}"} for i, title in enumerate(made)]
        not_run = {title: [f"test/test_b.py::TestB::test_{i}"] for i, title in enumerate(made)}
        run = {"schema": "hwsift.run/1", "device": made[0], "fingerprint": "f", "started": "2026-01-01T00:00:00Z", "seconds": 9,
               "environment": dict.fromkeys(made[:20], made[1]), "results": results, "not_run": not_run, "outstanding": [],
               "notes": made[:10]}
        (self.scratch / "run.json").write_text(json.dumps(run))
        ran = self.hwsift("report", "run", self.scratch / "run.json", "-o", "md")
        self.assertEqual(ran.code, 0, ran.err)
        page = shown(ran.out)
        self.assert_nothing_acts(page)
        first = {spaced(row[0]) for row in page.rows if row}
        shown_whole = [f"{i} {title}" for i, title in enumerate(made) if f"{i} {title}" in first]
        self.assertGreater(len(shown_whole), 25, "as many categories as the table has room for")

    def test_plain_texts_are_not_escaped(self):
        title = "Label test_a_b.py: part 2 (of 3), see #later - or 1.5 days"
        self.assertIn(f"| {title} |", self.report([["7", title]]))


if __name__ == "__main__":
    if shutil.which("cmark-gfm") is None:
        print("skipped: no cmark-gfm here (apt-get install cmark-gfm)")
        sys.exit(harness.SKIPPED)
    harness.main()
