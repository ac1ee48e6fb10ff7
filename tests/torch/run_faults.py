"""What goes wrong around the tests of hwsift run, with a real PyTorch: settings of pytest, outputs, readers that leave, reruns."""
import json
import os
import pathlib
import signal
import subprocess
import time

import harness

PYTHON = os.environ.get("HWSIFT_PYTHON", "")

TWO = """\
class TestTwo:
    def test_a(self):
        pass

    def test_b(self):
        assert not self
"""


MULTIPLIED = """\
import pytest


@pytest.fixture(params=["x", "y"])
def fx(request):
    return request.param


twice = pytest.mark.parametrize("n", [1, 2])


def test_0():
    pass


def test_fx(fx):
    pass


@twice
def test_marked(n):
    pass
"""


class FaultsTest(harness.HwsiftTest):
    def run_tests(self, *arguments, **options):
        return self.document("run", "--device", "cpu", "--python", PYTHON, *arguments, timeout=120, **options)

    def outcomes(self, document):
        return {result["id"].rpartition("::")[2]: result["outcome"] for result in document["results"]}

    def test_settings_of_pytest_that_take_tests_out_leave_the_account_open(self):
        self.write("test/test_two.py", TWO)
        settings = [{"PYTEST_ADDOPTS": "-k test_a"}, {}]
        for env in settings:
            with self.subTest(env=env):
                ran, document = self.run_tests(env=env)
                self.assertEqual(self.outcomes(document), {"test_a": "passed"})
                self.assertEqual(document["not_run"], {"deselected by settings of pytest (addopts, PYTEST_ADDOPTS, a conftest)":
                                                       ["test/test_two.py::TestTwo::test_b"]})
                self.assertEqual((ran.code, document["complete"]), (5, False))
            self.write("pytest.ini", "[pytest]\naddopts = -k test_a\n")

    def test_settings_under_which_no_test_runs_are_no_success(self):
        self.write("test/test_a.py", TWO)
        for setting in ("--setup-plan", "--setup-only", "--trace", "--pdb"):
            with self.subTest(setting):
                ran, document = self.run_tests(env={"PYTEST_ADDOPTS": setting})
                self.assertEqual(set(self.outcomes(document).values()), {"error"})
                self.assertIn("runs no test by itself: take it out of addopts", document["results"][0]["message"])
                self.assertEqual(ran.code, 1)

    def test_tests_that_a_fixture_multiplies_add_up_over_a_rerun(self):
        self.write("test/test_m.py", MULTIPLIED)
        first, second, merged = (self.scratch / name for name in ("first.json", "second.json", "merged.json"))
        _, document = self.run_tests("-o", f"json:{first}", "--time-budget", "0.1")
        self.assertEqual(document["results"], [])
        ran = self.hwsift("rerun", first, "--not-run", "--python", PYTHON, "-o", f"json:{second}", timeout=120)
        self.assertEqual((ran.code, "not selected any more" in ran.err), (0, False), ran.err)
        self.assertEqual(self.hwsift("merge", first, second, "-o", f"json:{merged}").code, 0)
        document = json.loads(merged.read_text())
        self.assertEqual((sorted(self.outcomes(document)), document["not_run"]),
                         (["test_0", "test_fx[x]", "test_fx[y]", "test_marked[1]", "test_marked[2]"], {}))

    def test_a_class_in_a_class_of_pytest_runs(self):
        self.write("test/test_n.py", "class TestOuter:\n    class TestInner:\n        def test_in(self):\n            assert 0\n")
        ran, document = self.run_tests()
        self.assertEqual((ran.code, [result["id"] for result in document["results"]], document["not_run"]),
                         (1, ["test/test_n.py::TestOuter::TestInner::test_in"], {}))
        self.assertNotIn("unpredicted", document["results"][0])

    def test_the_run_that_started_last_counts_within_a_second_too(self):
        flag = self.scratch / "flag"
        self.write("test/test_o.py", f"import os\n\n\ndef test_once():\n    assert os.path.exists({str(flag)!r})\n")
        files = [self.scratch / name for name in ("first.json", "second.json", "merged.json")]
        _, first = self.run_tests("-o", f"json:{files[0]}")
        flag.touch()
        _, second = self.run_tests("-o", f"json:{files[1]}")
        self.assertRegex(first["started"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertLess(first["started"], second["started"])
        self.assertEqual(self.hwsift("merge", files[1], files[0], "-o", f"json:{files[2]}").code, 0)
        self.assertEqual(self.outcomes(json.loads(files[2].read_text())), {"test_once": "passed"})

    def test_a_setting_that_pytest_refuses_is_told_as_pytest_does(self):
        self.write("test/test_a.py", TWO)
        _, document = self.run_tests(env={"PYTEST_ADDOPTS": "--no-such-option"})
        self.assertIn("unrecognized arguments: --no-such-option", document["results"][0]["message"])

    def test_outputs_that_cannot_be_written_are_refused_before_the_tests(self):
        self.write("test/test_a.py", f"import pathlib\n\n\ndef test_a():\n    pathlib.Path({str(self.scratch / 'ran')!r}).touch()\n")
        ran = self.hwsift("run", "--device", "cpu", "--python", PYTHON, "-o", "json:/no/such/folder/x.json")
        self.assertEqual(ran.code, 2)
        self.assertIn("/no/such/folder/x.json", ran.err)
        self.assertFalse((self.scratch / "ran").exists())

    def test_a_reader_that_leaves_costs_no_document(self):
        self.write("test/test_a.py", TWO)
        file = self.scratch / "a.json"
        command = [harness.HWSIFT, "-C", self.tree, "run", "--device", "cpu", "--python", PYTHON, "-o", "jsonl", "-o", f"json:{file}"]
        process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process.stdout.close()
        self.assertEqual(process.wait(120), 2)
        self.assertEqual(self.outcomes(json.loads(file.read_text())), {"test_a": "passed", "test_b": "failed"})

    def test_a_signal_before_the_device_is_known_leaves_a_document(self):
        self.write("test/test_a.py", TWO)
        site = self.scratch / "site"
        site.mkdir()
        (site / "sitecustomize.py").write_text("import time\ntime.sleep(60)\n")
        file = self.scratch / "a.json"
        command = [harness.HWSIFT, "-C", self.tree, "run", "--python", PYTHON, "-o", f"json:{file}"]
        process = subprocess.Popen([str(part) for part in command], env={**os.environ, "PYTHONPATH": str(site)},
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(2)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(30), 143)
        document = json.loads(file.read_text())
        self.assertEqual((document["complete"], document["signal"]), (False, 15))

    def test_a_test_that_deletes_the_tree_costs_what_is_in_it(self):
        self.write("test/test_a.py", "import os\nimport shutil\n\n\ndef test_deletes():\n"
                   f"    shutil.rmtree({str(self.tree / 'test')!r})\n    os._exit(1)\n\n\ndef test_later():\n    pass\n")
        self.write("test/test_b.py", "def test_b():\n    pass\n")
        file = self.scratch / "a.json"
        ran = self.hwsift("run", "--device", "cpu", "--python", PYTHON, "-o", f"json:{file}")
        document = json.loads(file.read_text())
        self.assertEqual(self.outcomes(document)["test_deletes"], "crashed")
        accounted = set(self.outcomes(document)) | {one.rpartition("::")[2] for ids in document["not_run"].values() for one in ids}
        self.assertEqual(accounted, {"test_deletes", "test_later", "test_b"})
        self.assertIn(ran.code, (1, 5))

    def test_a_rerun_takes_up_what_was_left_and_keeps_the_quarantine(self):
        self.write("test/test_a.py", TWO)
        self.write("test/test_b.py", "import unittest\n\n\n@unittest.skip('x')\ndef test_skipped():\n    pass\n\n\ndef test_last():\n    pass\n")
        quarantine = self.scratch / "q.yaml"
        quarantine.write_text('- {test: "test/test_a.py::TestTwo::test_b", reason: known}\n')
        first = self.scratch / "first.json"
        ran = self.hwsift("run", "--device", "cpu", "--python", PYTHON, "--quarantine", quarantine, "-o", f"json:{first}")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("in quarantine", ran.err)
        again = self.scratch / "again.json"
        ran = self.hwsift("rerun", first, "--python", PYTHON, "-o", f"json:{again}")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(self.hwsift("merge", first, again).code, 0)
        self.assertIn("Nothing to rerun", self.hwsift("rerun", first, "--not-run", "--python", PYTHON).err)

        stopped = self.scratch / "stopped.json"
        ran = self.hwsift("run", "--device", "cpu", "--python", PYTHON, "--fail-fast", "-o", f"json:{stopped}")
        self.assertEqual(ran.code, 1)
        document = json.loads(stopped.read_text())
        self.assertFalse(document["complete"])
        self.assertEqual(len(document["not_run"]["left out after a failure (--fail-fast)"]), 2)
        rest = self.scratch / "rest.json"
        ran = self.hwsift("rerun", stopped, "--not-run", "--fail-fast", "--python", PYTHON, "-o", f"json:{rest}")
        self.assertEqual(self.outcomes(json.loads(rest.read_text())), {"test_skipped": "skipped", "test_last": "passed"})
        self.assertNotIn("is not selected any more", ran.err)
        _, whole = self.document("merge", stopped, rest)
        self.assertTrue(whole["complete"])

    def test_a_rerun_that_stops_accounts_for_the_rest(self):
        self.write("test/test_a.py", "".join(f"def test_{name}():\n    assert False\n\n\n" for name in "abcd"))
        first = self.scratch / "first.json"
        self.hwsift("run", "--device", "cpu", "--python", PYTHON, "-o", f"json:{first}")
        ran, document = self.document("rerun", first, "--fail-fast", "--python", PYTHON)
        self.assertEqual(len(document["results"]), 1)
        self.assertEqual(len(document["not_run"]["left out after a failure (--fail-fast)"]), 3)
        self.assertNotIn("is not selected any more", ran.err)

    def test_runs_of_other_tests_are_not_joined(self):
        self.write("test/test_a.py", "def test_a():\n    pass\n")
        self.write("test/test_b.py", "def test_b():\n    pass\n")
        files = []
        for name in "ab":
            files.append(self.scratch / f"{name}.json")
            self.hwsift("run", "--device", "cpu", "--python", PYTHON, f"test/test_{name}.py", "-o", f"json:{files[-1]}")
        self.assert_refused(self.hwsift("merge", *files), 2, "fingerprint")


if __name__ == "__main__":
    harness.main()
