"""hwsift run --gtest on a binary whose tests break in every way. HWSIFT_TORTURE is that binary."""
import json
import os
import pathlib
import shutil

import harness

TORTURE = os.environ["HWSIFT_TORTURE"]
SOURCE = harness.REPOSITORY / "tests/fixtures/gtest/torture.cc"


def within(id):
    return id.partition("::")[2]


class GtestTest(harness.HwsiftTest):
    def setUp(self):
        super().setUp()
        (self.tree / "test/cpp").mkdir()
        shutil.copy(SOURCE, self.tree / "test/cpp/torture.cc")
        self.named = f"{TORTURE}:test/cpp"

    def ran(self, *arguments, command=("run", "--device", "cpu"), **options):
        """The process, its document, and the outcomes by id within the file."""
        ran, document = self.document("--db", self.scratch / "runs.db", *command, "--gtest", self.named, *arguments,
                                      **options)
        return ran, document, {within(result["id"]): result["outcome"] for result in document["results"]}

    def test_every_test_has_its_outcome_whatever_others_do(self):
        ran, document, outcomes = self.ran("--timeout", "5")
        self.assertEqual(ran.code, 1, ran.err)
        many = {id: outcome for id, outcome in outcomes.items() if id.startswith("Many::")}
        self.assertEqual((len(many), set(many.values())), (3000, {"passed"}))
        # With gtest before 1.10 nothing tells which suites could not be set up; the tests say so here.
        self.assertEqual({id: outcome for id, outcome in outcomes.items() if id not in many}, {
            "Passes::Plainly": "passed", "Passes::WithoutALineFeed": "passed", "Passes::WithMarksOfOthers": "passed",
            "Passes::WithBytesOfAnyKind": "passed", "Passes::Loudly": "passed", "Passes::OnTheErrorStream": "passed",
            "Fails::Expectation": "failed", "Fails::Exception": "failed", "Fails::Loudly": "failed",
            "Skips::WithAReason": "skipped", "Skips::Silently": "skipped",
            "Breaks::BySegmentationFault": "crashed", "Breaks::ByAbort": "crashed",
            "Breaks::ByLeavingWithCodeZero": "crashed", "Breaks::ByLeavingInTheMiddleOfALine": "crashed",
            "Breaks::ByHanging": "timeout", "Breaks::NothingInTheEnd": "passed",
            "SetUpFails::One": "error", "SetUpFails::Two": "error",
            "SetUpCrashes::One": "crashed", "SetUpCrashes::Two": "crashed",
            "TearDownFails::One": "passed", "TearDownFails": "error",
            "Typed::Size[0]": "passed", "Typed::Size[1]": "failed",
            "Parametrized::Text[Prefix/0]": "passed", "Parametrized::Text[Prefix/1]": "failed",
            "Parametrized::Text[0]": "passed", "DeathTest::Dies": "passed", "Flaky::PassesWithAMark": "passed"})
        self.assertEqual({reason: [within(id) for id in ids] for reason, ids in document["not_run"].items()},
                         {"disabled by its name (DISABLED_)": ["Skips::DISABLED_ByName"]})
        self.assertEqual((document["complete"], document["environment"]), (True, {"gtest": TORTURE}))
        self.check_messages(document)

    def check_messages(self, document):
        results = {within(result["id"]): result for result in document["results"]}
        self.assertRegex(results["Fails::Expectation"]["message"], r"torture\.cc:\d+: Expected equality")
        self.assertIn("said before", results["Fails::Expectation"]["output"])
        self.assertIn("thrown on purpose", results["Fails::Exception"]["message"])
        self.assertEqual(results["Skips::WithAReason"]["message"], "needs a device")
        self.assertIn("no set-up", results["SetUpFails::One"]["message"])
        self.assertIn("SIGSEGV", results["Breaks::BySegmentationFault"]["message"])
        self.assertNotIn("said before", results["Breaks::BySegmentationFault"].get("details", ""))
        self.assertIn("left open", results["TearDownFails"]["message"])
        self.assertLess(len(json.dumps(results["Fails::Loudly"])), 100000)
        typed = results["Typed::Size[1]"]
        self.assertEqual((typed["class"], typed["name"]), ("Typed/1", "Size"))
        parametrized = results["Parametrized::Text[Prefix/1]"]
        self.assertEqual((parametrized["class"], parametrized["name"]), ("Prefix/Parametrized", "Text/1"))

    def test_settings_of_the_caller_change_nothing(self):
        _, _, outcomes = self.ran("-E", "class(Passes)", env={
            "GTEST_FILTER": "-*", "GTEST_TOTAL_SHARDS": "2", "GTEST_SHARD_INDEX": "1", "GTEST_REPEAT": "3",
            "GTEST_COLOR": "yes", "GTEST_BRIEF": "1", "GTEST_PRINT_TIME": "0", "GTEST_OUTPUT": "json"})
        self.assertEqual((len(outcomes), set(outcomes.values())), (6, {"passed"}))

    def test_a_code_that_no_test_explains_fails_the_run(self):
        ran, _, outcomes = self.ran("-E", "class(Passes)", env={"TORTURE_CODE": "7"})
        self.assertEqual((ran.code, outcomes.pop("")), (1, "error"))
        self.assertEqual(set(outcomes.values()), {"passed"})

    def test_what_fails_is_tried_again_and_rerun(self):
        ran, document, _ = self.ran("-E", "class(Flaky)", "--retries", "1", env={"TORTURE_MARK": self.scratch / "a"})
        self.assertEqual((ran.code, document["results"][0]["attempts"]), (0, 2))
        ran, document, _ = self.ran("-E", "class(Flaky) | class(Parametrized)", env={"TORTURE_MARK": self.scratch / "b"})
        self.assertEqual((ran.code, document["counts"]["failed"]), (1, 2))
        first = self.scratch / "first.json"
        first.write_text(json.dumps(document))
        refused = self.hwsift("rerun", first)
        self.assert_refused(refused, 2, "a run of gtest binaries", f"--gtest BINARY:SOURCES for each of: {TORTURE}")
        ran, again, outcomes = self.ran(command=("rerun", first), env={"TORTURE_MARK": self.scratch / "b"})
        self.assertEqual(ran.code, 1, ran.err)
        self.assertEqual(outcomes, {"Flaky::PassesWithAMark": "passed", "Parametrized::Text[Prefix/1]": "failed"})
        second = self.scratch / "second.json"
        second.write_text(json.dumps(again))
        ran, merged = self.document("merge", first, second)
        self.assertEqual((ran.code, merged["counts"]["failed"], len(merged["results"])), (1, 1, 4), ran.err)
        self.assertEqual(self.hwsift("replay", second).code, 1)

    def test_shards_are_disjoint_and_whole_together(self):
        documents, ids = [], []
        for index in (1, 2, 3):
            ran, document, _ = self.ran("-E", "class(Many) | class(Passes) | class(Parametrized)", "--shard",
                                        f"{index}/3", "--times", self.times())
            documents.append(self.scratch / f"{index}.json")
            documents[-1].write_text(json.dumps(document))
            ids += [result["id"] for result in document["results"]]
        self.assertEqual((len(ids), len(set(ids))), (3009, 3009))
        ran, merged = self.document("merge", *documents)
        self.assertEqual((ran.code, merged["complete"], merged["counts"]["failed"]), (1, True, 1), ran.err)

    def times(self):
        return self.write("times.json", json.dumps({"default": {"default": {"torture": 1000}}}))

    def test_fail_fast_accounts_for_the_rest(self):
        ran, document, outcomes = self.ran("-E", "class(Breaks)", "--fail-fast", "--timeout", "5")
        self.assertEqual((ran.code, list(outcomes.values())), (1, ["crashed"]))
        self.assertEqual(len(document["not_run"]["left out after a failure (--fail-fast)"]), 5)

    def test_other_outputs_know_the_tests_too(self):
        xml, lines = self.scratch / "junit.xml", self.scratch / "events.jsonl"
        self.ran("-E", "!class(Many) & !class(Breaks)", "-o", f"junit:{xml}", "-o", f"jsonl:{lines}")
        self.assertIn('name="Text/1"', xml.read_text())
        ended = [json.loads(line) for line in lines.read_text().splitlines() if '"test_ended"' in line]
        self.assertEqual(len(ended), 24)

    def test_a_launcher_starts_the_binary_wherever_it_is(self):
        outside = self.scratch / "outside"
        outside.write_text(f'#!/bin/sh\nshift\nexec {TORTURE} "$@"\n')
        outside.chmod(0o755)
        self.named = "/only/in/the/container:test/cpp"
        ran, document, outcomes = self.ran("-E", "class(Passes)", "--launcher", outside)
        self.assertEqual((ran.code, len(outcomes)), (0, 6), ran.err)
        self.assertEqual(document["environment"], {"gtest": "/only/in/the/container"})

    def test_a_signal_while_the_list_is_asked_is_told_as_it_came(self):
        slow = self.scratch / "slow"
        slow.write_text("#!/bin/sh\nkill -TERM $PPID\nsleep 30\n")
        slow.chmod(0o755)
        self.named = f"{slow}:test/cpp"
        ran, document, _ = self.ran()
        self.assertEqual((ran.code, document["signal"]), (143, 15), ran.err)

    def test_a_test_of_two_binaries_is_noted(self):
        ran, document, outcomes = self.ran("-E", "class(Passes)", "--gtest", self.named)
        self.assertEqual((ran.code, len(outcomes)), (0, 6), ran.err)
        self.assertIn("in the binaries more than once", " ".join(document["notes"]))

    def test_refuses_what_it_cannot_run(self):
        ran = lambda *arguments: self.hwsift("run", "--device", "cpu", *arguments)
        self.assert_refused(ran("--gtest", "/no/such/binary:test/cpp"), 2, "no such binary", "--launcher")
        self.assert_refused(ran("--gtest", "/bin/echo:test/cpp"), 2, "does not list its tests")
        self.assert_refused(ran("--gtest", f"{TORTURE}:test/nowhere"), 2, "test/nowhere")
        self.assert_refused(ran("--gtest", self.named, "test"), 2, "PATHS", "--gtest BINARY:test")
        self.assert_refused(ran("--gtest", self.named, "--plan", "p.json", "--shard", "1"), 2, "a plan does not know")
        self.assert_refused(ran("--gtest", self.named, "--mode", "main"), 2, "--mode main", "leave")
        nothing = ran("--gtest", self.named, "-E", "class(NoSuch)")
        self.assertEqual(nothing.code, 4, nothing.err)


if __name__ == "__main__":
    harness.main()
