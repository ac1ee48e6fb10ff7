"""The page of `report run` as a browser shows it, alone and against a baseline: a run of some thousand made-up tests."""
import json
import random

import harness
from e2e import browser
from page_tests import FIGURES, PageTest

PAGES = ("run", "against")
FOLDERS = ("", "nn/", "inductor/", "distributed/_composable/fsdp/")
CATEGORIES = ("DEVICE_GENERIC", "GENERIC", "CUDA", "CPU")
REASONS = ("needs CUDA", "not instantiated for xpu: allow_xpu is missing", "category GENERIC: runs on a CPU")
MESSAGES = ("AssertionError: Tensor-likes are not close! Mismatched elements: {} / 100 ({} %) at index ({}, 1)",
            "RuntimeError: '{}' needs {} devices <script>alert({})</script> & \u202eothers",
            "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised " + "a_very_long_name_without_a_break" * 9 + "{}{}{}")


def document(device, seed):
    """A run of the tests of 60 files, some of which fail, are skipped, left out or missing."""
    chance = random.Random(seed)
    results, not_run = [], {}
    for file in range(60):
        path = f"test/{FOLDERS[file % 4]}test_{'operations_of_every_kind_' * (file % 3)}{file}.py"
        for test in range(40):
            name = f"{path}::TestOps{file}{device.upper()}::test_op_{test}_{device}_float32"
            outcome = chance.choices(("passed", "failed", "skipped", "xfailed", "crashed", "left out", "missing"),
                                     (70, 4, 8, 2, 0.2, 6, 4))[0]
            if outcome == "left out":
                not_run.setdefault(chance.choice(REASONS), []).append(name)
            elif outcome != "missing":
                message = "" if outcome == "passed" else chance.choice(MESSAGES).format(*(chance.randrange(99) for _ in range(3)))
                results.append({"id": name, "outcome": outcome, "seconds": round(chance.expovariate(1), 2),
                                "attempts": 2 if outcome == "passed" and chance.random() < 0.01 else 1, "message": message,
                                "category": CATEGORIES[(file + test) % 4]})
    return {"schema": "hwsift.run/1", "device": device, "fingerprint": f"plan of {device}", "started": "2026-01-01T00:00:00Z",
            "seconds": 900, "environment": {"torch": "2.9.0", "python": "3.12.1"}, "results": results, "not_run": not_run,
            "outstanding": [], "notes": ["2 tests were given up after an hour"]}


def groups(section, entries, nameless):
    return {f"{section}.{entry['name'] or nameless}.{key}": value for entry in entries
            for key, value in entry.items() if isinstance(value, int)}


def clusters(section, entries):
    return {f"{section}.{entry['text']}.{key}": entry[key] for entry in entries for key in ("tests", "texts")}


def figures_of(made):
    """The whole numbers of a document by their keys on the page."""
    run, compared = made["run"], made.get("comparison")
    figures = {f"total.{name}.tests": value for name, value in run["counts"].items() if isinstance(value, int)}
    for section, entries in (("category", "categories"), ("device", "devices"), ("directory", "directories"), ("file", "files")):
        figures |= groups(section, run[entries], {"category": "no category known", "device": "no device in the name"}.get(section))
    for section, entries in (("failure", "failures"), ("skip", "skips"), ("not_run", "not_run")):
        figures |= clusters(section, run[entries])
    figures |= {f"flaky.{test['id']}.attempts": test["attempts"] for test in run["flaky"]}
    figures |= {f"slowest_files.{file['path']}.results": file["results"] for file in run["slowest_files"]}
    if not compared:
        return figures
    figures |= {f"share.{name}.{key}": compared[name][key] for name in ("parity", "agreement") for key in ("tests", "of")}
    figures |= {f"matrix.{here}.{there}": value for here, row in compared["matrix"].items() for there, value in row.items()}
    figures |= {f"passed_there.{here}.tests": row["passed"] for here, row in compared["matrix"].items()}
    figures |= {f"relation.{name}.tests": value for name, value in compared["relations"].items()}
    figures["relation.all.tests"] = compared["tests"]
    figures |= {f"match.{name}.tests": value for name, value in compared["matched_by"].items()}
    for section, entries in (("category", "categories"), ("directory", "directories"), ("file", "files")):
        figures |= groups(f"parity_{section}", compared[entries], "no category known")
    for where in ("failure_here", "skip_here", "not_run_here", "skip_there", "not_run_there"):
        figures |= clusters(where, compared[where.replace("failure", "failures").replace("skip_", "skips_")])
    return figures


class RunPageTest(PageTest):
    @classmethod
    def make_pages(cls):
        for device, seed in (("xpu", 1), ("cuda", 2)):
            (cls.folder / f"{device}-run.json").write_text(json.dumps(document(device, seed)))
        for name, more in (("run", []), ("against", ["--against", cls.folder / "cuda-run.json"])):
            ran = harness.run(harness.HWSIFT, "report", "run", cls.folder / "xpu-run.json", *more,
                              "-o", f"html:{cls.folder / name}.html", "-o", f"json:{cls.folder / name}.json", cwd=cls.folder)
            assert ran.code == 0, ran.err

    def test_no_page_complains_or_asks_for_anything(self):
        for name in PAGES:
            with self.subTest(name):
                self.assert_quiet(name)

    def test_nothing_from_outside_is_an_element(self):
        for name in PAGES:
            self.load(name)
            self.assertEqual(self.page.evaluate("document.querySelectorAll('script').length"), 1, "our own")
            self.assertIn("<script>alert(", self.page.evaluate("document.body.textContent"), "as text it is there")

    def test_looks(self):
        for name in PAGES:
            self.assert_looks(name, "report-run")

    def test_figures_are_those_of_the_json(self):
        for name in PAGES:
            with self.subTest(name):
                self.load(name)
                shown = {key: values for key, values in self.page.evaluate(FIGURES).items() if all(map(str.isdigit, values))}
                figures = {key.replace("\u202e", "\\u202e"): value for key, value in
                           figures_of(json.loads((self.folder / f"{name}.json").read_text())).items()}
                self.assertGreater(len(shown), 400)
                for key, values in shown.items():
                    self.assertEqual(set(values), {str(figures.get(key))}, key)
                numbers = {key for key, value in figures.items() if value}
                self.assertEqual(numbers - shown.keys(), set(), "numbers that the page lacks")

    def test_filters_the_tests_that_differ(self):
        self.load("against")
        count = "document.querySelector('[data-count=difference]').textContent"
        differences = json.loads((self.folder / "against.json").read_text())["comparison"]["differences"]
        self.assertEqual(self.page.evaluate(count), f"{len(differences)} tests")
        self.page.evaluate("(() => { const at = document.querySelector('[data-choose=difference]'); at.value = 'missing';"
                           " at.dispatchEvent(new Event('change')); })()")
        missing = sum(one["here_state"] == "missing" for one in differences)
        self.assertEqual(self.page.evaluate(count), f"{missing} of {len(differences)} tests shown")

    def test_sheets_of_paper(self):
        for name in PAGES:
            self.load(name)
            self.assertLessEqual(self.page.printed_pages(f"report-run-{name}"), {"run": 9, "against": 16}[name])

    def test_reads_without_scripts(self):
        self.page.without_scripts()
        self.load("against")
        self.assertFalse(self.page.evaluate("document.querySelector('.controls').checkVisibility()"))
        self.assertEqual(self.page.evaluate("document.querySelectorAll('thead button').length"), 0)

    def test_no_id_twice(self):
        for name in PAGES:
            self.load(name)
            ids = self.page.evaluate("[...document.querySelectorAll('[id]')].map((at) => at.id)")
            self.assertEqual(len(ids), len(set(ids)))
            self.assertTrue(self.page.evaluate("[...document.querySelectorAll('input, select')].every((at) => at.labels.length)"))


if __name__ == "__main__":
    browser.require()
    harness.main()
