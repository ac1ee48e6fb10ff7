"""The progress page as a browser shows it: made-up progress of any size, with and without scripts, on any screen."""
import csv
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import harness
from e2e import browser

SAMPLE_PAGES = os.environ.get("HWSIFT_SAMPLE_PAGES", harness.REPOSITORY / "build-dev/sample_pages")
SAMPLES = ("large", "small", "one", "empty", "nasty")

# Each figure of the page by its key: from data-figure, and from the parts of it that large tables have.
FIGURES = """(() => {
  const found = {};
  const add = (key, value) => { (found[key] ??= []).push(value); };
  for (const at of document.querySelectorAll('[data-figure]')) add(at.dataset.figure, at.textContent);
  for (const table of document.querySelectorAll('table[data-section]')) {
    const keys = [...table.tHead.rows[0].cells].map((cell) => cell.dataset.key);
    for (const row of table.tBodies[0].rows) {
      const named = [...row.cells].slice(0, +(table.dataset.namedBy ?? 0)).map((cell) => cell.textContent).join('::');
      const name = row.dataset.name ?? named;
      keys.forEach((key, i) => { if (key) add(`${table.dataset.section}.${name}.${key}`, row.cells[i].textContent); });
    }
  }
  return found;
})()"""

# Texts whose contrast with what is behind them is below that of WCAG AA: [contrast, tag, text].
FAINT = """(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = channels(colour).map((x) => x / 255).map((x) => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (at) => {
    for (; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((channels(colour)[3] ?? 1) > 0) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const faint = [];
  const seen = new Set();
  for (const at of document.querySelectorAll('body *')) {
    const own = [...at.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !at.checkVisibility() || ['TITLE', 'DESC', 'SCRIPT', 'OPTION'].includes(at.tagName.toUpperCase())) continue;
    const style = getComputedStyle(at);
    const front = at instanceof SVGElement ? style.fill : style.color;
    const back = behind(at);
    if (seen.has(front + back)) continue;
    seen.add(front + back);
    const [high, low] = [light(front), light(back)].sort((a, b) => b - a);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) faint.push([contrast, at.tagName, at.textContent.slice(0, 40)]);
  }
  return faint;
})()"""

# What sticks out of the page to the right: [tag, right edge].
WIDE = """[...document.querySelectorAll('body *')].filter((at) => !at.closest('.scroll, svg') && !at.closest('caption')
  && at.getBoundingClientRect().right > innerWidth + 1).map((at) => [at.tagName, at.getBoundingClientRect().right])"""

# How long a change takes until the page is laid out again, in milliseconds.
TIMED = """((act) => { const start = performance.now(); act(); document.body.offsetHeight; return performance.now() - start; })"""


class ProgressPageTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="hwsift-pages-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        subprocess.run([str(SAMPLE_PAGES), str(cls.folder)], check=True)
        cls.page = cls.enterClassContext(browser.start())

    def setUp(self):
        self.page.without_scripts(False)
        self.page.emulate()
        self.page.resize(1280)

    def load(self, name):
        self.page.load(self.folder / f"{name}.html")

    def focus_on(self, selector):
        self.page.evaluate(f"document.querySelector({json.dumps(selector)}).focus()")

    def rows(self, table):
        """The first cells of the rows that are shown."""
        return self.page.evaluate(f"[...document.querySelectorAll('#{table} tbody tr')].filter((row) => !row.hidden)"
                                  ".map((row) => row.cells[0].textContent)")

    def column(self, table, index):
        return self.page.evaluate(f"[...document.querySelectorAll('#{table} tbody tr')]"
                                  f".map((row) => row.cells[{index}].textContent)")

    def test_no_page_complains_or_asks_for_anything(self):
        for name in SAMPLES:
            with self.subTest(name):
                self.load(name)
                self.page.evaluate("new Promise((done) => setTimeout(done, 50))")
                self.assertEqual(self.page.errors(), [])
                self.assertEqual(len(self.page.requests()), 1, self.page.requests())

    def test_nothing_from_outside_is_an_element(self):
        self.load("nasty")
        counts = self.page.evaluate("['script', 'img', 'iframe', '[onclick]', '[onerror]'].map("
                                    "(what) => document.querySelectorAll(what).length)")
        self.assertEqual(counts, [1, 0, 0, 0, 0], "one script: our own")
        links = self.page.evaluate("[...document.querySelectorAll('a')].map((a) => a.getAttribute('href'))")
        self.assertEqual({link.split(":")[0] for link in links if not link.startswith("#")}, {"https"})
        self.assertTrue(self.page.evaluate("[...document.querySelectorAll('a[href^=http]')].every("
                                           "(a) => a.rel.includes('noopener'))"))

    def test_looks(self):
        for name in SAMPLES:
            for width in (1280, 400):
                for dark in (False, True):
                    with self.subTest(name=name, width=width, dark=dark):
                        self.page.resize(width)
                        self.page.emulate(dark=dark)
                        self.load(name)
                        self.page.screenshot(f"progress-{name}-{width}-{'dark' if dark else 'light'}")
                        self.page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
                        self.assertEqual(self.page.evaluate(FAINT), [])
                        self.assertEqual(self.page.evaluate(WIDE), [])
                        self.assertLessEqual(self.page.evaluate("document.documentElement.scrollWidth"), width)

    def test_faint_and_wide_are_noticed(self):
        self.load("small")
        self.page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend',"
                           " '<p style=\"color:#bbb;min-width:2000px\">planted</p>')")
        self.assertEqual([tag for _, tag, _ in self.page.evaluate(FAINT)], ["P"])
        self.assertEqual([tag for tag, _ in self.page.evaluate(WIDE)], ["P"])

    def test_360_pixels_are_enough(self):
        self.page.resize(360)
        self.load("large")
        self.assertEqual(self.page.evaluate(WIDE), [])

    def test_themes_differ(self):
        colour = "getComputedStyle(document.body).backgroundColor"
        self.load("small")
        light = self.page.evaluate(colour)
        self.page.emulate(dark=True)
        self.assertNotEqual(self.page.evaluate(colour), light)

    def test_print_leaves_controls_out(self):
        self.load("small")
        self.page.emulate(dark=True, media="print")
        shown = self.page.evaluate("['.controls', 'nav', '.skip'].map((what) => document.querySelector(what).checkVisibility())")
        self.assertEqual(shown, [False, False, False])
        self.assertEqual(self.page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(self.page.evaluate(FAINT), [])
        self.page.screenshot("progress-small-print")
        self.assertTrue(self.page.pdf("progress-small").startswith(b"%PDF"))

    def test_figures_are_those_of_the_csv(self):
        for name in ("small", "one", "empty", "large"):
            with self.subTest(name):
                self.load(name)
                shown = self.page.evaluate(FIGURES)
                text = (self.folder / f"{name}.csv").read_bytes().decode()
                rows = list(csv.DictReader(io.StringIO(text)))
                figures = {".".join(filter(None, (row["section"], row["name"], row["figure"]))): row["value"] for row in rows}
                self.assertEqual(len(figures), len(rows), "no key twice")
                for key, values in shown.items():
                    self.assertEqual(set(values), {figures.get(key)}, key)
                numbers = {key for key, value in figures.items() if value.isdigit() and value != "0"}
                self.assertEqual(numbers - shown.keys(), set(), "numbers that the page lacks")

    def test_reads_without_scripts(self):
        self.page.without_scripts()
        self.load("small")
        self.assertFalse(self.page.evaluate("document.querySelector('.controls').checkVisibility()"))
        self.assertEqual(self.page.evaluate("document.querySelectorAll('thead button').length"), 0, "nothing that does nothing")
        self.assertEqual(len(self.rows("items-table")), 9)

    def test_sorts_by_keyboard(self):
        self.load("small")
        self.focus_on("#items-table th:nth-child(4) button")
        state = "document.querySelector('#items-table th:nth-child(4)').getAttribute('aria-sort')"
        self.assertEqual(self.page.evaluate(state), "none")
        self.page.key("Enter", text="\r")
        self.assertEqual(self.page.evaluate(state), "descending", "of numbers, the largest first")
        numbers = [int(text) for text in self.column("items-table", 3)]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.page.key("Enter", text="\r")
        self.assertEqual(self.page.evaluate(state), "ascending")
        self.assertEqual([int(text) for text in self.column("items-table", 3)], sorted(numbers))
        self.assertEqual(self.page.evaluate("document.activeElement.textContent"), "Classes", "the focus stays")
        self.page.key("Tab")
        self.assertEqual(self.page.evaluate("document.activeElement.textContent"), "Labelled")

    def test_sorting_keeps_every_row_and_what_is_empty_last(self):
        self.load("large")
        before = self.page.evaluate("document.querySelectorAll('#items-table tbody tr').length")
        for _ in range(2):
            self.page.evaluate("document.querySelector('#items-table th:nth-child(10) button').click()")
            dates = self.column("items-table", 9)
            self.assertEqual(len(dates), before)
            empty = [text == "" for text in dates]
            self.assertEqual(empty, sorted(empty), "rows without a date stand last")

    def test_states_sort_in_the_order_of_the_work(self):
        self.load("large")
        self.page.evaluate("document.querySelector('#items-table th:nth-child(2) button').click()")
        order = ["missing", "untouched", "labelled", "mixed_left", "uses_left", "clean", "graduated", "regressed"]
        shown = self.page.evaluate("[...document.querySelectorAll('#items-table tbody .chip')].map((chip) => chip.textContent)"
                                   f".filter((word) => {json.dumps(order)}.includes(word))")
        self.assertEqual(shown, sorted(shown, key=order.index))

    def test_filters_by_words_and_by_state(self):
        self.load("small")
        count = "document.querySelector('[data-count=items-table]').textContent"
        self.assertEqual(self.page.evaluate(count), "9 items")
        self.focus_on("[data-filter=items-table]")
        self.page.type("NN test_0")
        self.assertEqual(self.page.evaluate(count), "1 of 9 items")
        self.assertEqual(len(self.rows("items-table")), 1)
        self.page.key("Escape")
        self.assertEqual(self.page.evaluate(count), "9 items")
        self.page.evaluate("(() => { const choose = document.querySelector('[data-choose=items-table]'); choose.value = 'missing';"
                           " choose.dispatchEvent(new Event('change')); })()")
        self.assertEqual(self.page.evaluate(count), "2 of 9 items")
        self.page.type("nothing has this")
        self.assertEqual(self.page.evaluate(count), "0 of 9 items")
        self.assertEqual(self.page.evaluate("document.querySelector('[data-count=items-table]').getAttribute('aria-live')"), "polite")

    def test_thousands_of_rows_do_not_lag(self):
        self.load("large")
        shown = "[...document.querySelectorAll('#classes-table tbody tr')].filter((row) => row.checkVisibility()).length"
        self.assertEqual(self.page.evaluate(shown), 300)
        field = "document.querySelector('[data-filter=classes-table]')"
        act = {
            "sort by text": "() => document.querySelector('#classes-table th:nth-child(2) button').click()",
            "sort by number": "() => document.querySelector('#classes-table th:nth-child(7) button').click()",
            "filter": f"() => {{ const at = {field}; at.value = at.value ? '' : 'nn'; at.dispatchEvent(new Event('input')); }}",
        }
        for name, code in act.items():
            times = sorted(self.page.evaluate(f"{TIMED}({code})") for _ in range(6))
            print(f"{name} over 3000 rows: {times[2]:.0f} ms")
            self.assertLess(times[2], 500, f"{name}: slow even for a busy machine")
        self.page.emulate(media="print")
        self.assertEqual(self.page.evaluate(shown), 3000, "paper holds all")
        self.page.emulate()
        more = "document.querySelector('#classes .more')"
        self.assertIn("all 3000 rows", self.page.evaluate(f"{more}.textContent"))
        self.page.evaluate(f"{more}.click()")
        self.assertEqual(self.page.evaluate(shown), 3000)
        self.assertFalse(self.page.evaluate(f"{more}.checkVisibility()"))

    def test_landmarks_and_names(self):
        self.load("small")
        self.assertEqual(self.page.evaluate("document.documentElement.lang"), "en")
        self.page.key("Tab")
        self.assertEqual(self.page.evaluate("document.activeElement.className"), "skip", "the first stop of the keyboard")
        nameless = self.page.evaluate("""[...document.querySelectorAll('svg[role=img]')].filter((svg) =>
            !(svg.getAttribute('aria-label') || (svg.getAttribute('aria-labelledby') ?? '').split(' ').every((id) =>
                document.getElementById(id)?.textContent))).length""")
        self.assertEqual(nameless, 0)
        ids = self.page.evaluate("[...document.querySelectorAll('[id]')].map((at) => at.id)")
        self.assertEqual(len(ids), len(set(ids)), "no id twice")
        targets = self.page.evaluate("[...document.querySelectorAll('a[href^=\"#\"]')].every((a) =>"
                                     " document.querySelector(a.getAttribute('href')))")
        self.assertTrue(targets)
        self.assertEqual(self.page.evaluate("document.querySelectorAll('input:not([data-filter])').length"), 0)
        self.assertTrue(self.page.evaluate("[...document.querySelectorAll('input, select')].every((at) => at.labels.length)"))

    def test_size(self):
        self.assertLess((self.folder / "large.html").stat().st_size, 1_250_000)


if __name__ == "__main__":
    browser.require()
    harness.main()
