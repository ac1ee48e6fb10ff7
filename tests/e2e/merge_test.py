"""hwsift merge, replay and rerun on documents, without a PyTorch."""
import json
import xml.etree.ElementTree as xml

import harness


def document(shard=None, total=3, started="2026-01-01T00:00:00Z", results=None, **fields):
    made = {"schema": "hwsift.run/1", "device": "cpu", "fingerprint": "f", "started": started, "seconds": 1.5,
            "environment": {"torch": "2.6.0"}, "not_run": {}, "outstanding": [], "notes": [],
            "results": [{"id": f"test/test_{name}.py::TestX::test_{name}", "outcome": outcome, "seconds": 0.5, "attempts": 1,
                         "message": "why" if outcome == "failed" else ""}
                        for name, outcome in (results or {}).items()], **fields}
    if shard:
        made["shard"] = {"index": shard, "total": total}
    return made


class MergeTest(harness.HwsiftTest):
    def setUp(self):
        super().setUp()
        self.place = self.scratch / "documents"
        self.place.mkdir()

    def keep(self, name, made):
        file = self.place / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(made if isinstance(made, str) else json.dumps(made))
        return file

    def three(self):
        return [self.keep(f"{i}/run.json", document(i, results={f"m{i}": "passed"})) for i in (1, 2, 3)]

    def merged(self, *files, code=0):
        ran, made = self.document("merge", *files, cwd=self.scratch)
        self.assertEqual(ran.code, code, ran.err)
        return made

    def test_the_order_and_the_way_of_naming_do_not_matter(self):
        files = self.three()
        made = self.merged(*files)
        self.assertEqual(made["counts"]["passed"], 3)
        self.assertEqual((made["shards"], made["missing_shards"], made["complete"]), ([1, 2, 3], [], True))
        self.assertNotIn("shard", made)
        self.assertEqual(self.merged(*reversed(files), files[0]), made)
        self.assertEqual(self.merged(self.place), made)
        names = self.scratch / "names"
        names.write_text("\n".join(map(str, files)) + "\n")
        self.assertEqual(self.merged(f"@{names}"), made)
        partial = self.keep("partial.json", self.merged(files[2], files[0], code=5))
        self.assertEqual(self.merged(partial, files[1], files[0]), made)
        self.assertEqual(self.merged(self.keep("all.json", made), *files), made)

    def test_a_missing_shard_is_named_and_the_rest_is_written(self):
        files = self.three()
        made = self.merged(*files[:2], code=5)
        self.assertEqual((made["missing_shards"], made["complete"]), ([3], False))
        ran = self.hwsift("merge", *files[:2])
        self.assert_refused(ran, 5, "shard 3 of 3 is missing")
        self.assertIn("shard 3 of 3 is missing", ran.out)
        replayed = self.hwsift("replay", self.keep("made.json", made))
        self.assertEqual((replayed.code, replayed.out), (5, ran.out))

    def test_what_was_interrupted_is_mended_by_a_later_run(self):
        first = self.keep("first.json", document(results={"a": "failed"}, signal=15, outstanding=["interrupted"],
                                                 not_run={"interrupted": ["test/test_b.py::TestX::test_b"]}))
        self.assertEqual(self.hwsift("replay", first).code, 143)
        self.merged(first, code=143)
        later = self.keep("later.json", document(started="2026-01-01T00:01:00Z", results={"a": "passed", "b": "passed"}))
        made = self.merged(first, later)
        self.assertEqual((made["not_run"], made["complete"], made["results"][0]["attempts"]), ({}, True, 2))

    def test_refuses_what_does_not_belong_together(self):
        ours = self.keep("ours.json", document(1))
        for name, other, said in [("device", document(2, device="cuda"), "device is 'cuda', not 'cpu'"),
                                  ("plan", document(2, fingerprint="g"), "fingerprint is 'g', not 'f'"),
                                  ("shards", document(2, total=4), "of 4 shards, not of 3")]:
            with self.subTest(name):
                ran = self.hwsift("merge", ours, self.keep(f"{name}.json", other))
                self.assert_refused(ran, 2, said, "ours.json", f"{name}.json")
                self.assert_remedy(self.errors_of(ran)[0])

    def test_refuses_what_is_no_document_of_a_run(self):
        for made, said in [("{", "not valid JSON"), ('{"schema": "hwsift.run/2"}', "newer hwsift"),
                           ('{"schema": "hwsift.findings/1"}', "no document of a run"), ("[" * 100000, "not valid JSON")]:
            for command in ("merge", "replay", "rerun"):
                with self.subTest(command, made=made[:40]):
                    ran = self.hwsift(command, self.keep("bad.json", made))
                    self.assert_refused(ran, 2, said, "bad.json")
                    self.assert_remedy(self.errors_of(ran)[0])
        self.assert_refused(self.hwsift("merge", self.scratch / "gone.json"), 2, "gone.json")
        (self.scratch / "empty").mkdir()
        self.assert_refused(self.hwsift("merge", self.scratch / "empty"), 2, "holds no .json file")

    def test_replay_gives_every_output(self):
        bad = "x\n::error::forged | `<b>`"
        made = document(results={"a": "failed", "b": "passed"})
        made["results"][0]["message"] = bad
        file = self.keep("run.json", made)
        ran = self.hwsift("replay", file, "-o", "github", "-o", f"summary:{self.scratch}/s.md", "-o", f"jsonl:{self.scratch}/e",
                          "-o", f"junit:{self.scratch}/j.xml", "-o", f"json:{self.scratch}/again.json", env={"GITHUB_WORKSPACE": str(self.scratch)})
        self.assertEqual(ran.code, 1, ran.err)
        commands = [line.split(" ")[0] for line in ran.out.splitlines()]
        self.assertEqual(commands, ["::error", "::notice"])
        self.assertIn("file=tree/test/test_a.py", ran.out)
        summary = (self.scratch / "s.md").read_text()
        self.assertNotIn("forged", summary)
        self.assertNotIn("<b>", summary)
        events = [json.loads(line)["event"] for line in (self.scratch / "e").read_text().splitlines()]
        self.assertEqual(events.count("test_ended"), 2)
        self.assertEqual((events[0], events[-1]), ("run_started", "run_ended"))
        self.assertEqual(len(list(xml.parse(self.scratch / "j.xml").iter("failure"))), 1)
        again = self.hwsift("replay", self.scratch / "again.json", "-o", f"json:{self.scratch}/third.json")
        self.assertEqual(again.code, 1)
        self.assertEqual((self.scratch / "third.json").read_bytes(), (self.scratch / "again.json").read_bytes())

    def test_needs_no_tree(self):
        file = self.keep("run.json", document(results={"a": "passed"}))
        outside = self.scratch / "outside"
        outside.mkdir()
        for command in ("merge", "replay"):
            self.assertEqual(self.hwsift(command, file, cwd=outside).code, 0)

    def test_rerun_says_when_there_is_nothing(self):
        ran = self.hwsift("rerun", self.keep("run.json", document(results={"a": "passed"})))
        self.assertEqual(ran.code, 0)
        self.assertIn("Nothing to rerun", ran.err)

    def test_rerun_names_what_is_gone(self):
        ran = self.hwsift("rerun", self.keep("run.json", document(results={"a": "failed"})))
        self.assertEqual(ran.code, 4, ran.err)
        self.assertIn("test/test_a.py::TestX::test_a: is not selected any more", ran.err)


if __name__ == "__main__":
    harness.main()
