"""hwsift plan, and what run says to --plan and --shard before any test runs; no PyTorch."""
import json
import os
import stat

import harness

TWO = "class TestA:\n    def test_a(self):\n        pass\n\n    def test_b(self):\n        pass\n"
SHARD_VARIABLES = ("HWSIFT_SHARD", "CI_NODE_INDEX", "CIRCLE_NODE_INDEX", "BUILDKITE_PARALLEL_JOB", "SLURM_ARRAY_TASK_ID",
                   "JOB_COMPLETION_INDEX")
STRANGE = "it's $(touch pwned) `x`;\n\"y\" {z}: #"


class PlanTest(harness.HwsiftTest):
    def setUp(self):
        super().setUp()
        for name in SHARD_VARIABLES:
            os.environ.pop(name, None)
        for number in range(6):
            self.write(f"test/test_{number}.py", TWO)

    def times(self, files, name="times.json"):
        file = self.scratch / name
        file.write_text(json.dumps({"default": {"default": files}}))
        return file

    def plan(self, *arguments, **options):
        ran, document = self.document("plan", *arguments, **options)
        self.assertEqual(ran.code, 0, ran.err)
        return document

    def script(self, name, text):
        file = self.scratch / "bin" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("#!/bin/bash\n" + text)
        file.chmod(file.stat().st_mode | stat.S_IXUSR)

    # --- the plan ---

    def test_the_document_is_the_selection_in_shards(self):
        plan = self.plan("--shards", "3")
        ran, selection = self.document("select")
        self.assertEqual(plan["tests"], selection["tests"])
        self.assertEqual([shard["index"] for shard in plan["shards"]], [1, 2, 3])
        units = [unit["path"] for shard in plan["shards"] for unit in shard["units"]]
        self.assertEqual(sorted(units), [f"test/test_{number}.py" for number in range(6)])
        self.assertEqual({shard["expected_seconds"] for shard in plan["shards"]}, {4})
        self.assertRegex(plan["fingerprint"], "^[0-9a-f]{32}$")

    def test_it_is_the_same_for_any_threads_and_order_of_paths(self):
        times = self.times({"test_0": 700, "test_1": 3})
        paths = [f"test/test_{number}.py" for number in range(6)]
        first = self.plan("--shards", "3", "--times", times, "--jobs", "1", *paths)
        self.assertEqual(self.plan("--shards", "3", "--times", times, "--jobs", "4", *reversed(paths)), first)

    def test_times_decide_where_files_go(self):
        plan = self.plan("--shards", "2", "--times", self.times({"test_0": 50, **{f"test_{n}": 10 for n in range(1, 6)}}))
        self.assertEqual(sorted(len(shard["units"]) for shard in plan["shards"]), [1, 5])
        self.assertEqual(plan["times"], {"files": 6, "known": 6})

    def test_of_several_files_of_times_the_last_wins(self):
        old = self.times({f"test_{n}": 10 for n in range(6)}, "old.json")
        new = self.times({"test_0": {"TestA": 50}}, "new.json")
        seconds = {unit["path"]: unit["expected_seconds"] for shard in self.plan("--shards", "1", "--times", old, "--times", new)["shards"]
                   for unit in shard["units"]}
        self.assertEqual(seconds["test/test_0.py"], 50)
        self.assertEqual(seconds["test/test_1.py"], 10)

    def test_the_table_says_how_good_the_times_are(self):
        ran = self.hwsift("plan", "--shards", "2", "--times", self.times({"test_0": 50}))
        self.assertIn("Times known for 1 of 6 files", ran.out)
        self.assertIn("No times are known", self.hwsift("plan", "--shards", "2").out)

    def test_a_target_time(self):
        times = self.times({f"test_{n}": 40 for n in range(6)})
        self.assertEqual(len(self.plan("--target-time", "80s", "--times", times)["shards"]), 3)
        self.assert_refused(self.hwsift("plan", "--target-time", "10s", "--times", times), 2, "alone takes", "the least is")

    def test_what_is_no_plan_is_refused(self):
        self.assert_refused(self.hwsift("plan"), 2, "--shards")
        self.assert_refused(self.hwsift("plan", "--shards", "2", "--target-time", "1m"), 2, "both")
        self.assert_refused(self.hwsift("plan", "--shards", "2", "--times", "nowhere.json"), 2, "nowhere.json")
        self.assert_refused(self.hwsift("plan", "--shards", "2", "--times", "history"), 2, "no run was recorded")
        self.assertFalse((self.tree / ".hwsift").exists())
        self.assert_refused(self.hwsift("plan", "--shards", "2", "--times", self.times({"test_0": "x"})), 2, "default > default > test_0")
        self.assert_refused(self.hwsift("plan", "--shards", "2", "test/none.py"), 2, "none.py")
        self.assertEqual(self.hwsift("plan", "--shards", "0").code, 2)

    def test_nothing_to_plan_is_4(self):
        ran = self.hwsift("plan", "--shards", "2", "--device", "mps")
        self.assertEqual(ran.code, 4, ran.err)

    # --- run, up to the first test ---

    def run_shard(self, *arguments, **options):
        return self.hwsift("run", "--device", "cpu", "--python", "/bin/false", *arguments, **options)

    def test_a_bad_shard_is_refused(self):
        for shard in ("0/3", "4/3", "x/3", "1/0", "2", ""):
            with self.subTest(shard):
                self.assert_refused(self.run_shard(f"--shard={shard}" if shard else "--shard=/"), 2, "--shard")
        self.assert_refused(self.run_shard("--shard", "auto"), 2, "HWSIFT_SHARD")
        self.assert_refused(self.run_shard("--shard", "auto", env={"HWSIFT_SHARD": "1/2", "CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "2"}),
                            2, "HWSIFT_SHARD says 1/2", "CI_NODE_INDEX says 2/2")

    def test_a_plan_that_does_not_fit_is_refused(self):
        self.plan("--shards", "2")
        plan = self.scratch / "document.json"
        self.assert_refused(self.run_shard("--plan", plan), 2, "--shard")
        self.assert_refused(self.run_shard("--plan", plan, "--shard", "1/3"), 2, "2 shards")
        self.assert_refused(self.run_shard("--plan", plan, "--shard", "1", "--times", "x"), 2, "made already")
        self.assert_refused(self.hwsift("run", "--device", "cuda", "--python", "/bin/false", "--plan", plan, "--shard", "1"), 2, "for cpu, not for cuda")
        plan.write_text(plan.read_text().replace("test_5.py::TestA::test_b", "test_5.py::TestA::test_z"))
        self.assert_refused(self.run_shard("--plan", plan, "--shard", "1"), 2, "fingerprint")

    # --- what schedulers take ---

    def test_a_github_matrix_is_one_line(self):
        ran = self.hwsift("plan", "--shards", "4", "-o", "github-matrix")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(ran.out.count("\n"), 1)
        legs = json.loads(ran.out.removeprefix("matrix="))["include"]
        self.assertEqual([(leg["shard"], leg["total"]) for leg in legs], [(n, 4) for n in range(1, 5)])

    def strange_tree(self):
        tree = self.scratch / STRANGE.replace("/", "")
        (tree / "test").mkdir(parents=True)
        (tree / "test/test_x.py").write_text(TWO)
        return tree

    def test_the_slurm_script_runs_each_shard_and_the_merge_whatever_paths_hold(self):
        tree = self.strange_tree()
        script, plan = tree / "job.sh", tree / "plan.json"
        ran = self.hwsift("-C", tree, "plan", "--shards", "2", "-o", f"slurm:{script}", "-o", f"json:{plan}", cwd=self.scratch)
        self.assertEqual(ran.code, 0, ran.err)
        log = self.scratch / "log"
        tell = f'printf "%s\\0" "$0" "$@" >> {log}; printf "\\n" >> {log}\n'
        self.script("sbatch", tell + 'echo "77;cluster"\n')
        self.script("srun", tell + 'for word; do case $word in json:*) echo {} > "${word#json:}";; esac; done\nexit 1\n')
        self.script("hwsift", tell)
        here = {"PATH": f"{self.scratch / 'bin'}:{os.environ['PATH']}", "HWSIFT": "hwsift", "HWSIFT_RESULTS": str(tree / "results")}

        def bash(*arguments, **more):
            log.unlink(missing_ok=True)
            return harness.run("bash", script, *arguments, cwd=tree, env={**here, **more})

        ran = bash("--gres=gpu:1")
        self.assertEqual(ran.code, 0, ran.err)
        calls = [entry.split("\0") for entry in log.read_text().split("\0\n") if entry]
        self.assertEqual(len(calls), 2)
        self.assertIn("--array=1-2", calls[0])
        self.assertIn("--gres=gpu:1", calls[0])
        self.assertIn("--dependency=afterany:77", calls[1])
        self.assertNotIn("--gres=gpu:1", calls[1])
        self.assertEqual(calls[0][-3:], ["shard", str(tree / "results"), "hwsift"])
        self.assertEqual(calls[1][-4:], ["merge", str(tree / "results"), "hwsift", "77"])

        array = {"SLURM_ARRAY_JOB_ID": "77", "SLURM_ARRAY_TASK_ID": "2"}
        ran = bash(*calls[0][-3:], **array)
        self.assertEqual(ran.code, 1, "that of the step: " + ran.err)
        step = log.read_text().split("\0")
        at = step.index("-C")
        self.assertEqual(step[at:at + 5], ["-C", str(tree), "run", "--plan", str(plan)])
        self.assertEqual(step[at + 5:at + 7], ["--shard", "2/2"])
        self.assertTrue((tree / "results/77/shard-2.json").exists())
        bash(*calls[0][-3:], **array, SLURM_RESTART_COUNT="1")
        self.assertEqual(sorted(file.name for file in (tree / "results/77").iterdir()), ["shard-2-restart-1.json", "shard-2.json"])

        ran = bash(*calls[1][-4:])
        self.assertEqual(ran.code, 0, ran.err)
        merge = log.read_text().split("\0")
        self.assertEqual(merge[1:-1], ["merge", *(str(tree / f"results/77/shard-2{part}.json") for part in ("-restart-1", "")), "-o", f"json:{tree / 'results/77/merged.json'}"])
        ran = bash("merge", str(tree / "results"), "hwsift", "78")
        self.assertEqual(ran.code, 5, ran.err)
        self.assertEqual([str(file) for file in self.scratch.rglob("pwned")], [])

    def test_slurm_needs_a_plan_that_all_jobs_read(self):
        self.assert_refused(self.hwsift("plan", "--shards", "2", "-o", "slurm"), 2, "-o json:FILE")

    def kubernetes(self, *arguments):
        ran = self.hwsift("plan", "--shards", "3", "-o", "k8s", *arguments)
        self.assertEqual(ran.code, 0, ran.err)
        try:
            import yaml
        except ImportError:
            self.skipTest("no PyYAML to read it with")
        return list(yaml.safe_load_all(ran.out))

    def test_kubernetes_gets_the_plan_an_indexed_job_and_the_merge(self):
        plan, shards, merge = self.kubernetes("--image", STRANGE, "--image-tree", STRANGE, "--claim", STRANGE)
        self.assertEqual((plan["kind"], shards["kind"], merge["kind"]), ("ConfigMap", "Job", "Job"))
        document = json.loads(plan["data"]["plan.json"])
        self.assertEqual(document, self.plan("--shards", "3"))
        spec = shards["spec"]
        self.assertEqual((spec["completionMode"], spec["completions"], spec["backoffLimitPerIndex"]), ("Indexed", 3, 1))
        rule = spec["podFailurePolicy"]["rules"][0]
        self.assertEqual((rule["action"], rule["onExitCodes"]["values"]), ("FailIndex", [1, 2, 3, 4]))
        pod = spec["template"]["spec"]
        self.assertEqual(pod["restartPolicy"], "Never")
        container = pod["containers"][0]
        self.assertEqual(container["image"], STRANGE)
        self.assertEqual(pod["volumes"][0]["persistentVolumeClaim"]["claimName"], STRANGE)
        self.assertIn({"name": "HWSIFT_SHARD_TOTAL", "value": "3"}, container["env"])
        self.assertEqual([argument.replace("$$", "$") for argument in container["args"]], ["-C", STRANGE, "run", "--plan", "/plan/plan.json"])
        self.assertTrue(merge["spec"]["suspend"])

    def test_the_command_in_a_container_runs_its_shard_and_the_merge_takes_them(self):
        _, shards, merge = self.kubernetes("--image", "i")
        self.script("hwsift", 'printf "%s\\n" "$@"\n')
        here = {"PATH": f"{self.scratch / 'bin'}:{os.environ['PATH']}", "JOB_COMPLETION_INDEX": "1", "HWSIFT_RUN": "run"}
        results = self.scratch / "results"

        def contained(job):
            container = job["spec"]["template"]["spec"]["containers"][0]
            words = [word.replace("$$", "$").replace("/results", str(results)) for word in container["command"] + container.get("args", [])]
            return harness.run(*words, env=here)

        ran = contained(shards)
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(ran.out.split()[-4:], ["--shard", "auto", "-o", f"json:{results}/run/shard-2-1.json"])
        self.assertIn("/plan/plan.json", ran.out)
        (results / "run/shard-2-1.json").write_text("{}")
        self.assertIn(f"json:{results}/run/shard-2-2.json", contained(shards).out, "the second try")
        self.assertEqual(contained(merge).out.split(), ["merge", f"{results}/run/shard-2-1.json", "-o", f"json:{results}/run/merged.json"])

    def test_kubernetes_needs_an_image(self):
        self.assert_refused(self.hwsift("plan", "--shards", "2", "-o", "k8s"), 2, "--image")


if __name__ == "__main__":
    harness.main()
