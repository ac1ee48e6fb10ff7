"""The cache of facts: with it and without it hwsift says the same, whatever happened to the files or to the cache."""
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import time
import unittest

import harness
from harness import CUDA_TEST, HWSIFT, PLAIN_TEST, REPOSITORY, SAMPLE, GitTest, HwsiftTest

COMMANDS = (["lint", "-o", "json"], ["scan", "-o", "json"], ["classify", "-o", "json"],
            ["select", "--device", "cuda", "-o", "json"])
SETTLED = 2.2  # seconds after which a file that was written is trusted to show its next change
NOBODY = 65534


class CacheTest(HwsiftTest):
    def setUp(self):
        super().setUp()
        shutil.copytree(SAMPLE, self.tree, dirs_exist_ok=True)
        self.write("test/test_move.py", CUDA_TEST)
        self.write("test/test_bytes.py", b"\xff\n")
        self.write("test/test_broken.py", "def test(:\n")
        self.cache = self.scratch / "cache"
        self.env = {"HWSIFT_CACHE_DIR": str(self.cache)}

    @property
    def file(self):
        return self.cache / "facts.sqlite"

    def ask(self, *arguments, **options):
        return self.hwsift(*arguments, env=self.env, **options)

    def line(self, *arguments, **options):
        ran = self.ask("--stats", *(arguments or ["scan"]), **options)
        return next(line for line in ran.err.splitlines() if line.startswith("cache: "))

    def counts(self, *arguments, **options):
        """unchanged, of known content, analysed, kept"""
        found = re.fullmatch(r"cache: (\d+) files?: (\d+) unchanged, (\d+) of known content, (\d+) analysed; (\d+) kept",
                             self.line(*arguments, **options))
        files, *counts = map(int, found.groups())
        self.assertEqual(sum(counts[:3]), files)
        return counts

    def expect_same(self, *extra, cwd=None):
        """Every command, twice: what is found and what was just kept."""
        for command in COMMANDS:
            want = self.hwsift(*extra, "--no-cache", *command, cwd=cwd)
            for _ in range(2):
                self.assertEqual(self.ask(*extra, *command, cwd=cwd), want, command)

    def doctor(self, *extra):
        file = self.scratch / "doctor.json"
        self.ask(*extra, "doctor", "--python", "/bin/false", "-o", f"json:{file}")
        return json.loads(file.read_text(encoding="utf-8"))["cache"]

    def expect_one_note(self, *said):
        """The same as without a cache, but for one note with a remedy; none under -q."""
        want = self.hwsift("--no-cache", "lint", "-o", "json")
        ran = self.ask("lint", "-o", "json")
        self.assertEqual((ran.code, ran.out), (want.code, want.out))
        notes = [line for line in ran.err.splitlines() if line.startswith("hwsift: note:")]
        self.assertEqual(len(notes), 1, ran.err)
        for text in said:
            self.assertIn(text, notes[0])
        return notes[0]


class SameWithAndWithout(CacheTest):
    def test_cold_and_warm(self):
        self.expect_same()
        self.assertEqual(self.counts()[2], 0)

    def test_nothing_is_kept_where_nobody_wants_it(self):
        self.hwsift("--no-cache", "lint", env=self.env)
        self.assertFalse(self.cache.exists())
        for command in (["rules", "list"], ["--help"], ["--version"]):
            self.ask(*command)
            self.assertFalse(self.cache.exists(), command)

    def test_a_file_that_did_not_change_is_not_read(self):
        time.sleep(SETTLED)
        self.ask("scan")
        unchanged, known, analysed, _ = self.counts()
        self.assertGreater(unchanged, 5)
        self.assertEqual((known, analysed), (0, 0))

    def test_edited(self):
        time.sleep(SETTLED)
        self.expect_same()
        self.write("test/test_move.py", CUDA_TEST.replace("cuda", "xpu"))
        self.assertEqual(self.counts()[2], 1)
        self.expect_same()

    def test_touched(self):
        time.sleep(SETTLED)
        self.expect_same()
        os.utime(self.tree / "test/test_move.py")
        self.assertEqual(self.counts()[1:3], [1, 0])
        self.expect_same()

    def test_replaced_by_one_of_the_same_size_and_time(self):
        time.sleep(SETTLED)
        self.expect_same()
        old = self.tree / "test/test_move.py"
        times = old.stat()
        new = self.write("test/new", CUDA_TEST.replace('"cuda"', '"meta"'))
        os.utime(new, ns=(times.st_atime_ns, times.st_mtime_ns))
        new.rename(old)
        self.assertEqual(self.counts()[2], 1)
        self.expect_same()

    def test_overwritten_with_the_same_size_and_time(self):
        time.sleep(SETTLED)
        self.expect_same()
        file = self.tree / "test/test_move.py"
        times = file.stat()
        self.write("test/test_move.py", CUDA_TEST.replace('"cuda"', '"meta"'))
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        self.assertEqual(self.counts()[2], 1)
        self.expect_same()

    def test_written_again_at_once(self):
        for word in ("cuda", "meta", "cuda", "meta") * 3:
            self.write("test/test_move.py", CUDA_TEST.replace("cuda", word))
            want = self.hwsift("--no-cache", "scan", "-o", "json")
            self.assertEqual(self.ask("scan", "-o", "json"), want)

    def test_gone_and_unreadable(self):
        time.sleep(SETTLED)
        self.expect_same()
        (self.tree / "test/test_move.py").unlink()
        (self.tree / "test/test_move.py").symlink_to("nowhere")
        self.expect_same()

    def test_too_large(self):
        time.sleep(SETTLED)
        self.expect_same()
        self.write("hwsift.yaml", "max_file_bytes: 200\n")
        self.expect_same()

    def test_other_rules(self):
        self.expect_same()
        rules = self.scratch / "rules"
        shutil.copytree(REPOSITORY / "rules", rules)
        devices = rules / "devices.yaml"
        devices.write_text(devices.read_text(encoding="utf-8").replace("xpu", "zpu"), encoding="utf-8")
        self.expect_same("--rules", rules)
        self.expect_same()

    def test_devices_of_the_tree(self):
        self.write("test/test_own.py", CUDA_TEST.replace("cuda", "frob"))
        self.expect_same()
        self.write("hwsift.yaml", "devices: [{name: frob, members: [is_frob], words: [frobs]}]\n")
        self.expect_same()
        self.write("hwsift.yaml", "devices: [{name: frob, members: [is_frob, frobs]}]\n")
        self.expect_same()

    def test_a_fix_is_of_what_stands_there(self):
        shutil.copytree(self.tree, self.scratch / "other")
        self.ask("lint")
        self.ask("lint", "--fix")
        self.hwsift("--no-cache", "lint", "--fix", cwd=self.scratch / "other")
        for file in (self.tree / "test").rglob("*.py"):
            other = self.scratch / "other" / file.relative_to(self.tree)
            self.assertEqual(file.read_bytes(), other.read_bytes(), file)

    def test_a_second_checkout_analyses_nothing(self):
        other = self.scratch / "other"
        shutil.copytree(self.tree, other)
        self.ask("scan")
        self.assertEqual(self.counts(cwd=other)[2:], [0, 0])
        self.expect_same(cwd=other)

    def test_beside_a_database(self):
        self.hwsift("--db", "my.sqlite", "scan", env=self.env)
        self.assertTrue((self.tree / "my.sqlite.cache").exists())
        self.assertFalse((self.tree / "my.sqlite").exists())
        self.assertFalse(self.cache.exists())

    def test_no_folder_is_made_for_a_database(self):
        ran = self.hwsift("--db", "nowhere/my.sqlite", "scan", env=self.env)
        self.assertEqual(ran.code, 3)  # as test_bytes.py has it
        self.assertEqual(ran.err.count("hwsift: note:"), 1)
        self.assertFalse((self.tree / "nowhere").exists())

    def test_many_processes_at_once(self):
        for number in range(60):
            self.write(f"test/many/test_{number}.py", CUDA_TEST + f"# {number}\n")
        want = self.hwsift("--no-cache", "lint", "-o", "json")
        for _ in range(3):
            shutil.rmtree(self.cache, ignore_errors=True)
            running = [subprocess.Popen([HWSIFT, "lint", "-o", "json"], cwd=self.tree, env={**os.environ, **self.env},
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
            for process in running:
                out, err = process.communicate(timeout=120)
                self.assertEqual((process.returncode, out.decode(), err.decode()), want)
        self.assertEqual(self.counts("lint")[2], 0)


class Counts(CacheTest):
    def test_they_are_the_same_each_time(self):
        self.write("test/common_own.py", "from torch.testing._internal.common_utils import TestCase\nclass Base(TestCase): pass\n")
        for number in range(30):
            self.write(f"test/test_{number}.py", f"from common_own import Base\nclass TestA(Base): pass\n# {number // 2}\n")
        time.sleep(SETTLED)
        for command in ("lint", "scan", "classify"):
            seen = set()
            for jobs in (1, 4) * 4:
                shutil.rmtree(self.cache, ignore_errors=True)
                cold = self.counts("--jobs", jobs, command)
                warm = self.counts("--jobs", jobs, command)
                seen.add((*cold, *warm))
            self.assertEqual(len(seen), 1, seen)
            self.assertEqual(warm, [sum(cold[:3]), 0, 0, 0])
            self.assertGreaterEqual(cold[1], 15)  # every other file has the content of one before it

    def test_the_words(self):
        self.assertRegex(self.line("lint", "test/test_move.py"), "^cache: 1 file: ")
        self.assertEqual(self.line("--no-cache", "scan"), "cache: off (--no-cache)")
        off = self.ask("--stats", "--no-cache", "lint").err
        self.assertRegex(off, r"\nreuse ")
        self.assertNotRegex(off, r"\ncache ")


class Killed(CacheTest):
    def test_it_leaves_most_of_its_work(self):
        for number in range(80):
            self.write(f"test/test_{number}.py", f"# {number}\n" + CUDA_TEST * 200)
        running = subprocess.Popen([HWSIFT, "--jobs", "1", "scan", "-o", "json:/dev/null"], cwd=self.tree,
                                   env={**os.environ, **self.env}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        log = self.cache / "facts.sqlite-wal"
        until = time.monotonic() + 60
        while running.poll() is None and time.monotonic() < until and not (log.exists() and log.stat().st_size > 200000):
            time.sleep(0.01)
        running.kill()  # where it came to its end before, all must be there
        running.wait()
        self.assertGreater(self.counts()[1], 5)


class WhereItIs(CacheTest):
    def places(self, **variables):
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("HOME", "XDG_CACHE_HOME", "HWSIFT_CACHE_DIR")}
        ran = subprocess.run([HWSIFT, "scan"], cwd=self.tree, env={**environment, **variables}, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, check=False)
        self.assertNotIn(b"note", ran.stderr)
        return sorted(str(file.relative_to(self.scratch)) for file in self.scratch.rglob("facts.sqlite"))

    def test_variables(self):
        home, xdg = str(self.scratch / "home"), str(self.scratch / "xdg")
        self.assertEqual(self.places(), [])
        self.assertEqual(self.places(HOME="", XDG_CACHE_HOME="", HWSIFT_CACHE_DIR=""), [])
        self.assertEqual(self.places(HOME="not/absolute", XDG_CACHE_HOME="neither"), [])
        want = ["home/.cache/hwsift/facts.sqlite"]
        self.assertEqual(self.places(HOME=home), want)
        want = sorted([*want, "xdg/hwsift/facts.sqlite"])
        self.assertEqual(self.places(HOME=home, XDG_CACHE_HOME=xdg), want)
        want = sorted([*want, "cache/facts.sqlite"])
        self.assertEqual(self.places(HOME=home, XDG_CACHE_HOME=xdg, HWSIFT_CACHE_DIR=str(self.cache)), want)

    def test_doctor(self):
        self.assertEqual(self.doctor(), {"file": str(self.file), "exists": False, "read_only": False, "bytes": 0,
                                         "most_bytes": 256000000, "contents": 0, "usable": 0, "problem": None})
        self.assertFalse(self.cache.exists())
        kept = self.counts()[3]
        cache = self.doctor()
        self.assertEqual((cache["contents"], cache["usable"]), (kept, kept))
        self.assertGreater(cache["bytes"], 4000)
        self.assertIn(f"of at most 256, facts of {kept} contents, {kept} of them by this hwsift and these rules)",
                      self.ask("doctor", "--python", "/bin/false").out)

    def test_doctor_tells_the_facts_of_other_rules_apart(self):
        self.ask("scan")
        before = self.doctor()
        self.write("hwsift.yaml", "devices: [{name: frob, members: [is_frob]}]\n")
        self.assertEqual((self.doctor()["contents"], self.doctor()["usable"]), (before["contents"], 0))

    def test_a_tilde(self):
        self.env["HWSIFT_CACHE_DIR"] = "~/x"
        self.expect_one_note("HWSIFT_CACHE_DIR", "$HOME")
        self.assertFalse((self.tree / "~").exists())
        self.assertIn("begins with ~", self.doctor()["problem"])

    def test_a_relative_folder(self):
        self.env["HWSIFT_CACHE_DIR"] = "own"
        self.ask("scan")
        self.assertTrue((self.tree / "own/facts.sqlite").exists())


class Damaged(CacheTest):
    def test_garbage_is_made_anew(self):
        self.cache.mkdir()
        self.file.write_bytes(random.Random(1).randbytes(100000))
        self.expect_one_note("damaged")
        self.assertEqual(self.counts("lint")[2], 0)

    def test_damaged_anywhere(self):
        self.ask("scan")
        whole = self.file.read_bytes()
        want = self.hwsift("--no-cache", "scan", "-o", "json")
        generator = random.Random(2)
        for _ in range(40):
            damaged = bytearray(whole)
            start = generator.randrange(len(whole))
            for at in range(start, min(len(whole), start + generator.choice((1, 100, 20000)))):
                damaged[at] = generator.randrange(256)
            self.file.write_bytes(damaged[:generator.choice((len(whole), start))])
            for _ in range(2):
                ran = self.ask("scan", "-o", "json")
                self.assertEqual((ran.code, ran.out), (want.code, want.out))

    def test_of_another_program(self):
        self.cache.mkdir()
        other = sqlite3.connect(self.file)
        other.execute("CREATE TABLE theirs (x)")
        other.commit()
        other.close()
        before = self.file.read_bytes()
        self.expect_one_note("another program")
        self.assertIn("another program", self.doctor()["problem"])
        self.assertEqual(self.file.read_bytes(), before)

    def test_doctor_says_what_the_next_run_does(self):
        self.ask("scan")
        whole = self.file.read_bytes()
        self.file.write_bytes(whole[:len(whole) // 2 // 16384 * 16384])
        self.assertIn("makes it anew", self.doctor()["problem"])
        self.file.write_bytes(b"x" * 5000)
        self.assertIn("makes it anew", self.doctor()["problem"])
        self.expect_one_note("was damaged")
        self.assertIsNone(self.doctor()["problem"])
        connection = sqlite3.connect(self.file)
        connection.execute("PRAGMA user_version = -5")
        connection.close()
        self.assertIn("makes it anew", self.doctor()["problem"])
        self.assertNotIn("note", self.ask("lint").err)
        self.assertIsNone(self.doctor()["problem"])

    def test_held_by_somebody(self):
        self.ask("scan", "test/test_move.py")
        other = sqlite3.connect(self.file, isolation_level=None)
        self.addCleanup(other.close)
        other.execute("BEGIN IMMEDIATE")
        self.expect_one_note("another process holds it")
        self.assertNotIn("note", self.ask("-q", "lint").err)
        other.execute("ROLLBACK")
        self.assertNotIn("note", self.ask("lint").err)

    def test_a_folder_in_its_place(self):
        self.file.mkdir(parents=True)
        self.assertIn("--no-cache", self.expect_one_note(str(self.file), "no regular file"))
        self.assertNotIn("note", self.ask("-q", "lint").err)

    def test_a_file_where_its_folder_should_be(self):
        self.cache.write_text("")
        self.expect_one_note(str(self.cache))
        self.assertIn(f"{self.cache} is no folder", self.doctor()["problem"])
        self.assertEqual(self.cache.read_text(), "")

    def test_a_file_of_somebody_else_beside_the_database(self):
        other = self.scratch / "x.cache"
        other.write_text("notes\n" * 1000)
        ran = self.hwsift("--db", self.scratch / "x", "scan", "-o", "json")
        self.assertEqual(ran.out, self.hwsift("--no-cache", "scan", "-o", "json").out)
        self.assertIn("hwsift: note:", ran.err)
        self.assertEqual(other.read_text(), "notes\n" * 1000)

    def as_somebody_who_may_not_write(self, notes):
        """Root may write everywhere, so as root the same is tried as somebody else. Returns what --stats and doctor say."""
        def become():
            if os.geteuid() == 0:
                os.setgid(NOBODY)
                os.setuid(NOBODY)
        options = {"preexec_fn": become}
        try:
            if self.ask("--version", **options).code != 0:
                raise unittest.SkipTest("nobody cannot start hwsift")
        except (OSError, subprocess.SubprocessError) as problem:
            raise unittest.SkipTest(str(problem)) from problem
        want = self.hwsift("--no-cache", "lint", "-o", "json", **options)
        before = sorted(os.listdir(self.cache))
        ran = self.ask("lint", "-o", "json", **options)
        self.assertEqual((ran.code, ran.out), (want.code, want.out))
        self.assertEqual(ran.err.count("hwsift: note:"), notes, ran.err)
        said = self.line("lint", **options), self.ask("doctor", "--python", "/bin/false", **options).out
        self.assertEqual(sorted(os.listdir(self.cache)), before)
        return said

    def test_a_folder_that_cannot_be_written_to(self):
        self.ask("lint")
        self.cache.chmod(0o555)
        self.addCleanup(self.cache.chmod, 0o755)
        line, doctor = self.as_somebody_who_may_not_write(notes=0)
        self.assertRegex(line, " 0 analysed; it is read-only$")
        self.assertIn("read-only: nothing is added", doctor)
        self.file.unlink()
        self.assertIn("cannot be written to", self.as_somebody_who_may_not_write(notes=1)[1])

    def test_a_file_that_cannot_be_written_to(self):
        self.ask("lint")
        self.cache.chmod(0o777)
        self.file.chmod(0o444)
        line, _ = self.as_somebody_who_may_not_write(notes=0)
        self.assertRegex(line, " 0 analysed; it is read-only$")
        self.write("test/test_new.py")
        line, _ = self.as_somebody_who_may_not_write(notes=0)
        self.assertRegex(line, " 1 analysed; it is read-only$")

    def test_a_read_only_cache_that_is_being_written(self):
        self.ask("lint")
        self.cache.chmod(0o777)
        self.file.chmod(0o644)
        other = sqlite3.connect(self.file, isolation_level=None)
        self.addCleanup(other.close)
        other.execute("PRAGMA wal_autocheckpoint = 0")
        other.execute("UPDATE contents SET used = used + 1")
        line, _ = self.as_somebody_who_may_not_write(notes=0)
        self.assertRegex(line, " 0 analysed; it is read-only$")

    def test_a_read_only_cache_of_another_version(self):
        self.ask("lint")
        connection = sqlite3.connect(self.file)
        connection.execute("PRAGMA user_version = 1")
        connection.close()
        self.cache.chmod(0o555)
        self.addCleanup(self.cache.chmod, 0o755)
        self.assertIn("another version", self.as_somebody_who_may_not_write(notes=1)[1])


class Branches(GitTest):
    def test_checkout(self):
        self.environment["HWSIFT_CACHE_DIR"] = str(self.scratch / "cache")
        versions = {"main": PLAIN_TEST, "other": CUDA_TEST}
        self.write("test/test_a.py", PLAIN_TEST)
        self.git("add", "-A")
        self.git("commit", "-qm", "a")
        self.git("checkout", "-qb", "other")
        self.write("test/test_a.py", CUDA_TEST)
        self.git("commit", "-qam", "b")
        for branch in ("main", "other", "main", "other"):
            self.git("checkout", "-q", branch)
            self.assertEqual((self.tree / "test/test_a.py").read_text(), versions[branch])
            for command in COMMANDS:
                self.assertEqual(self.run_here(HWSIFT, *command), self.run_here(HWSIFT, "--no-cache", *command))
        counts = self.run_here(HWSIFT, "--stats", "scan").err
        self.assertRegex(counts, r"cache: .* 0 analysed; 0 kept")


if __name__ == "__main__":
    harness.main()
