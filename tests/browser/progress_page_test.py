"""The progress page as a browser shows it: made-up progress of any size, with and without scripts, on any screen."""
import csv
import io
import json
import os
import subprocess

import harness
from e2e import browser
from page_tests import FAINT, FIGURES, TIMED, WIDE, PageTest

SAMPLE_PAGES = os.environ.get("HWSIFT_SAMPLE_PAGES", harness.REPOSITORY / "build-dev/sample_pages")
SAMPLES = ("large", "small", "one", "empty", "nasty")


class ProgressPageTest(PageTest):
    @classmethod
    def make_pages(cls):
        subprocess.run([str(SAMPLE_PAGES), str(cls.folder)], check=True)

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
                self.assert_quiet(name)

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
            self.assert_looks(name, "progress")

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

    def printed(self, table):
        """How many rows of a table are on paper, and the line below it that says so."""
        return self.page.evaluate(f"[[...document.querySelectorAll('#{table} tbody tr')].filter((row) => row.checkVisibility()).length,"
                                  f" [...document.querySelector('#{table}').closest('.data').querySelectorAll('.paper')]"
                                  ".filter((line) => line.checkVisibility()).map((line) => line.textContent).join()]")

    def test_a_whole_tree_is_printed_on_few_sheets(self):
        self.load("large")
        # 15 with the fonts of Debian; others may be wider.
        self.assertLessEqual(self.page.printed_pages("progress-large"), 16, "of 259 items, 3000 classes and 200 points")
        self.page.emulate(media="print")
        self.assertEqual(self.printed("items-table"), [259, ""], "the items are whole")
        self.assertEqual(self.printed("unlocks"), [40, ""])
        self.assertEqual(self.printed("classes-table"), [40, "The first 40 of 3000 rows are printed; -o csv and -o json have all."])
        folds = self.page.evaluate("[...document.querySelectorAll('section > details > summary')].map((at) =>"
                                   " [at.checkVisibility(), getComputedStyle(at, '::after').content])")
        self.assertEqual({tuple(fold) for fold in folds}, {(True, '" (closed: not printed)"')})
        self.load("many")
        self.assertEqual(self.printed("items-table"), [300, "The first 300 of 2000 rows are printed; -o csv and -o json have all."])

    def test_without_scripts_paper_says_the_same(self):
        self.page.without_scripts()
        self.load("large")
        self.page.emulate(media="print")
        self.assertEqual(self.printed("classes-table"), [40, "The first 40 of 3000 rows are printed; -o csv and -o json have all."])

    def test_paper_has_what_a_filter_leaves(self):
        self.load("large")
        self.choose("classes-table", "", "mixed")
        mixed = sum(one["mixed"] for one in json.loads((self.folder / "large.json").read_text())["classes"])
        self.page.emulate(media="print")
        self.assertEqual(self.printed("classes-table"), [40, f"The first 40 of {mixed} rows are printed; -o csv and -o json have all."])
        self.assertTrue(self.page.evaluate("document.querySelector('[data-count=classes-table]').checkVisibility()"),
                        "that rows were filtered is on paper")
        self.assertFalse(self.page.evaluate("document.querySelector('[data-choose=classes-table]').checkVisibility()"))

    def test_headings_are_printed_on_every_sheet(self):
        self.load("large")
        # A box of its own in a heading is not printed again on the next sheet.
        self.page.emulate(media="print")
        self.assertEqual(self.page.evaluate("getComputedStyle(document.querySelector('thead button')).display"), "contents")

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
        self.assertEqual(self.page.evaluate(count), "1 of 9 items shown")
        self.assertEqual(len(self.rows("items-table")), 1)
        self.page.key("Escape")
        self.assertEqual(self.page.evaluate(count), "9 items")
        self.page.evaluate("(() => { const choose = document.querySelector('[data-choose=items-table]'); choose.value = 'missing';"
                           " choose.dispatchEvent(new Event('change')); })()")
        self.assertEqual(self.page.evaluate(count), "2 of 9 items shown")
        self.page.type("nothing has this")
        self.assertEqual(self.page.evaluate(count), "0 of 9 items shown")
        self.assertEqual(self.page.evaluate("document.querySelector('[data-count=items-table]').getAttribute('aria-live')"), "polite")

    def choose(self, table, key, value):
        at = f"[data-choose={table}][data-key={key}]" if key else f"[data-choose={table}]:not([data-key])"
        self.page.evaluate(f"(() => {{ const at = document.querySelector('{at}'); at.value = {json.dumps(value)};"
                           " at.dispatchEvent(new Event('change')); })()")

    def test_filters_by_mark_owner_and_area_at_once(self):
        self.load("large")
        count = "document.querySelector('[data-count=items-table]').textContent"
        clear = "document.querySelector('#items .clear')"
        items = json.loads((self.folder / "large.json").read_text())["items"]
        self.assertFalse(self.page.evaluate(f"{clear}.checkVisibility()"), "nothing to clear")
        chosen = {"mark": "", "owner": "Grace Hopper", "area": "graph"}
        left = items
        for key, value in chosen.items():
            self.choose("items-table", key, "=" + value)
            left = [item for item in left if item[key] == value]
            self.assertEqual(self.page.evaluate(count), f"{len(left)} of 259 items shown", key)
        self.assertGreater(len(left), 1)
        self.assertEqual([text.split()[0] for text in self.rows("items-table")], [item["id"] for item in left])
        self.choose("items-table", "", "clean")
        left = [item for item in left if item["state"] == "clean"]
        self.assertEqual(self.page.evaluate(count), f"{len(left)} of 259 items shown")
        self.choose("items-table", "mark", "=blocked")
        self.choose("items-table", "area", "=")
        self.assertEqual(self.rows("items-table"), [], "every item has an area")

    def test_options_say_how_many_they_leave(self):
        self.load("small")
        options = self.page.evaluate("[...document.querySelectorAll('[data-choose=items-table][data-key=mark] option')]"
                                     ".map((option) => option.textContent)")
        self.assertEqual(options, ["all", "blocked (1)", "(none) (8)"])

    def test_an_empty_result_says_so_and_is_cleared_by_keyboard(self):
        self.load("small")
        nothing = "document.querySelector('#items .nothing')"
        self.assertFalse(self.page.evaluate(f"{nothing}.checkVisibility()"))
        self.choose("items-table", "mark", "=blocked")
        self.focus_on("[data-filter=items-table]")
        self.page.type("nothing has this")
        self.assertEqual(self.page.evaluate(f"{nothing}.textContent"), "Nothing fits. Clear the filters to see all 9 items.")
        self.assertTrue(self.page.evaluate(f"{nothing}.checkVisibility()"))
        for _ in range(5):
            self.page.key("Tab")
        self.assertEqual(self.page.evaluate("document.activeElement.textContent"), "Clear", "behind the four lists")
        self.page.key("Enter", text="\r")
        self.assertEqual(self.page.evaluate("document.activeElement.dataset.filter"), "items-table", "the focus is not lost")
        self.assertEqual(len(self.rows("items-table")), 9)
        self.assertEqual(self.page.evaluate("[...document.querySelectorAll('#items select')].map((at) => at.value)"), [""] * 4)
        self.assertFalse(self.page.evaluate(f"{nothing}.checkVisibility()"))
        self.assertTrue(self.page.evaluate("document.querySelector('#items-table').checkVisibility()"))

    def assert_quick(self, what, acts):
        for name, code in acts.items():
            times = sorted(self.page.evaluate(f"{TIMED}({code})") for _ in range(6))
            print(f"{name} over {what}: {times[2]:.0f} ms")
            self.assertLess(times[2], 500, f"{name}: slow even for a busy machine")

    def test_thousands_of_items_do_not_lag(self):
        self.load("many")
        self.assertEqual(self.page.evaluate("document.querySelectorAll('#items-table tbody tr').length"), 2000)
        field = "document.querySelector('[data-filter=items-table]')"
        area = "document.querySelector('[data-choose=items-table][data-key=area]')"
        self.assert_quick("2000 items", {
            "sort": "() => document.querySelector('#items-table th:nth-child(2) button').click()",
            "filter": f"() => {{ const at = {field}; at.value = at.value ? '' : 'nn'; at.dispatchEvent(new Event('input')); }}",
            "choose": f"() => {{ const at = {area}; at.value = at.value ? '' : '=core'; at.dispatchEvent(new Event('change')); }}",
        })

    def test_thousands_of_rows_do_not_lag(self):
        self.load("large")
        shown = "[...document.querySelectorAll('#classes-table tbody tr')].filter((row) => row.checkVisibility()).length"
        self.assertEqual(self.page.evaluate(shown), 300)
        field = "document.querySelector('[data-filter=classes-table]')"
        self.assert_quick("3000 rows", {
            "sort by text": "() => document.querySelector('#classes-table th:nth-child(2) button').click()",
            "sort by number": "() => document.querySelector('#classes-table th:nth-child(7) button').click()",
            "filter": f"() => {{ const at = {field}; at.value = at.value ? '' : 'nn'; at.dispatchEvent(new Event('input')); }}",
        })
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
