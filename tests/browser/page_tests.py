"""What the tests of pages share: a browser, what a page shows as numbers, and what nobody can read or reach on it."""
import pathlib
import shutil
import tempfile
import unittest

from e2e import browser

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
      for (const at of row.querySelectorAll('[data-part]')) add(`${table.dataset.section}.${name}.${at.dataset.part}`, at.textContent);
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


class PageTest(unittest.TestCase):
    """One browser for all tests of a class, which makes its pages in cls.folder."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="hwsift-pages-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.make_pages()
        cls.page = cls.enterClassContext(browser.start())

    def setUp(self):
        self.page.without_scripts(False)
        self.page.emulate()
        self.page.resize(1280)

    def load(self, name):
        self.page.load(self.folder / f"{name}.html")

    def assert_quiet(self, name):
        """Nothing is asked for but the page, and the console stays empty."""
        self.load(name)
        self.page.evaluate("new Promise((done) => setTimeout(done, 50))")
        self.assertEqual(self.page.errors(), [])
        self.assertEqual(len(self.page.requests()), 1, self.page.requests())

    def assert_looks(self, name, kind):
        """Readable and within the window, wide and narrow, light and dark; with all folds open, too."""
        for width in (1280, 400):
            for dark in (False, True):
                with self.subTest(name=name, width=width, dark=dark):
                    self.page.resize(width)
                    self.page.emulate(dark=dark)
                    self.load(name)
                    self.page.screenshot(f"{kind}-{name}-{width}-{'dark' if dark else 'light'}")
                    self.page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
                    self.assertEqual(self.page.evaluate(FAINT), [])
                    self.assertEqual(self.page.evaluate(WIDE), [])
                    self.assertLessEqual(self.page.evaluate("document.documentElement.scrollWidth"), width)
