"""What plan, run --plan and --shard refuse, which is before any PyTorch is needed."""
import json
import os

import harness

CLASS = """

class Test{}(TestCase):
    def test_one(self):
        pass

    def test_two(self):
        pass
"""

class PlanTest(harness.HwsiftTest):
    def setUp(self):
        super().setUp()
        for name in "abcde":
            self.write(f"test/test_{name}.py", "from torch.testing._internal.common_utils import TestCase\n" +
                       "".join(CLASS.format(name.upper() + number) for number in "12"))

    def times(self, tables, name="times.json"):
        file = self.scratch / name
        file.write_text(tables if isinstance(tables, str) else json.dumps(tables))
        return file

    def plan_file(self, *arguments, shards=3):
        file = self.scratch / "plan.json"
        ran = self.hwsift("plan", "--shards", shards, *arguments, "-o", f"json:{file}")
        self.assertEqual(ran.code, 0, ran.err)
        return file

    def variables_cleared(self, **kept):
        """The command that starts another one without the variables of CI systems, schedulers and hwsift."""
        foreign = ("HWSIFT", "CI_", "CIRCLE_", "BUILDKITE_", "SLURM_", "JOB_COMPLETION_")
        clean = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        return ["env", "-i", *(f"{name}={value}" for name, value in {**clean, **kept}.items())]

    def run_part(self, *arguments, device="cpu", python="/no/python", **variables):
        return harness.run(*self.variables_cleared(**variables), harness.HWSIFT, "run", "--device", device,
                           "--python", python, *arguments, cwd=self.tree)


class Refusals(PlanTest):
    def test_options(self):
        for arguments, said in [
                ((), "how many shards?"), (("--shards", 2, "--target-time", "1m"), "both --shards and --target-time"),
                (("--target-time", "soon"), "not a duration"), (("--target-time", "-1"), "not a duration"),
                (("--shards", 2, "--unit-time", "x"), "--unit-time x"),
                (("--target-time", "1"), "no number of shards takes at most 1.0 s", ),
                (("--shards", 2, "--times", "none.json"), "none.json"),
                (("--shards", 2, "--times", "history"), "no run was recorded"),
                (("--shards", 2, "-o", "slurm"), "add -o json:FILE"), (("--shards", 2, "-o", "k8s"), "--image NAME"),
                (("--shards", 2, "-o", "yaml"), "yaml"), (("--shards", 2, "test/none.py"), "test/none.py")]:
            with self.subTest(arguments):
                times = self.times({"default": {"default": {"test_a": 100}}})
                ran = self.hwsift("plan", *arguments, *(("--times", times) if "1" in arguments else ()))
                self.assert_refused(ran, 2, said)
                self.assert_remedy(self.errors_of(ran)[0])
        for number in ("0", "-1", "10001", "x"):
            self.assertEqual(self.hwsift("plan", "--shards", number).code, 2)

    def test_files_of_times(self):
        for broken, said in [("{", "times.json:1"), ("[]", "no table of jobs"), ('{"x": {}}', "no table 'default > default'"),
                             ('{"default": {"default": {"test_a": -1}}}', "default > default > test_a")]:
            with self.subTest(broken):
                self.assert_refused(self.hwsift("plan", "--shards", 2, "--times", self.times(broken)), 2, said)

    def test_run_of_another_tree_or_device(self):
        plan = self.plan_file()
        self.assert_refused(self.run_part("--plan", plan), 2, "which of its shards?")
        self.assert_refused(self.run_part("--plan", plan, "--shard", "1/4"), 2, "the plan has 3 shards")
        self.assert_refused(self.run_part("--plan", plan, "--shard", "1", device="xpu"), 2, "for cpu, not for xpu")
        self.assert_refused(self.run_part("--plan", plan, "--shard", "1", "--unit-time", "9"), 2, "a plan is made already")
        self.assert_refused(self.run_part("--plan", "none.json", "--shard", "1"), 2, "none.json")

    def test_run_where_the_tree_has_changed(self):
        python = self.scratch / "python3"
        python.write_text("#!/bin/sh\nexit 1\n")
        python.chmod(0o755)
        plan = self.plan_file()
        self.write("test/test_new.py")
        (self.tree / "test/test_a.py").unlink()
        ran = self.run_part("--plan", plan, "--shard", "1", python=python)
        self.assert_refused(ran, 2, "4 only in the plan: test/test_a.py::TestA1::test_one", "1 only in the tree: test/test_new.py")

    def test_run_with_a_plan_that_was_edited(self):
        file = self.plan_file()
        plan = json.loads(file.read_text())
        plan["shards"][0]["units"], plan["shards"][1]["units"] = plan["shards"][1]["units"], plan["shards"][0]["units"]
        file.write_text(json.dumps(plan))
        self.assert_refused(self.run_part("--plan", file, "--shard", "1"), 2, "plan.json: fingerprint")

    def test_what_the_plan_says_is_not_said_twice(self):
        file = self.scratch / "plan.json"
        self.hwsift("plan", "--shards", "2", "-o", f"json:{file}")
        self.assert_refused(self.run_part("--plan", file, "--shard", "1", "test/"), 2, "leave PATHS out")
        self.assert_refused(self.run_part("--plan", file, "--shard", "1", "--hw", "GENERIC"), 2, "leave --hw")
        self.assert_refused(self.run_part("--plan", file, "--shard", "3"), 2, "they are called 1 to 2")

    def test_an_option_with_nothing_in_it_is_a_slip(self):
        for option in ("--shard", "-E", "--timeout", "--quarantine"):
            with self.subTest(option):
                self.assert_refused(self.run_part(option, ""), 2, "empty")

    def test_run_with_a_shard_that_is_none(self):
        for shard in ("0/3", "4/3", "x/3", "3", ""):
            with self.subTest(shard):
                self.assertEqual(self.run_part("--shard", shard).code, 2)
        self.assert_refused(self.run_part("--shard", "4/3"), 2, "'4/3' is no shard")
        self.assert_refused(self.run_part("--times", "x.json"), 2, "times are for a shard")

    def test_run_that_has_to_find_its_shard(self):
        self.assert_refused(self.run_part("--shard", "auto"), 2, "no variable says which shard")
        self.assert_refused(self.run_part("--shard", "auto", CI_NODE_INDEX="1", CI_NODE_TOTAL="3", HWSIFT_SHARD="2/3"), 2,
                            "HWSIFT_SHARD says 2/3, CI_NODE_INDEX says 1/3")
        self.assert_refused(self.run_part("--shard", "auto", SLURM_ARRAY_TASK_ID="1"), 2, "SLURM_ARRAY_TASK_COUNT")
        self.assertIn("Shard: 2/3 (from HWSIFT_SHARD)", self.run_part("--shard", "auto", HWSIFT_SHARD="2/3").err)

    def test_a_matrix_of_more_jobs_than_github_takes(self):
        self.assertEqual(self.hwsift("plan", "--shards", 256, "-o", "github-matrix").code, 0)
        self.assert_refused(self.hwsift("plan", "--shards", 257, "-o", "github-matrix"), 2, "GitHub takes 256 jobs")


if __name__ == "__main__":
    harness.main()
