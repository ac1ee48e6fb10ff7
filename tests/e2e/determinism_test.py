"""Same input, same output: any number of threads, any order of paths, any locale."""
import random
import shutil

import harness
from harness import CUDA_TEST, SAMPLE, HwsiftTest

COMMANDS = (["scan"], ["classify"], ["lint"], ["select", "--device", "cpu"])


class Determinism(HwsiftTest):
    def setUp(self):
        super().setUp()
        shutil.copytree(SAMPLE, self.tree, dirs_exist_ok=True)
        for number in range(40):
            self.write(f"test/many/test_{number}.py", CUDA_TEST)
        self.write("test/many/test_bytes.py", b"\xff\n")
        self.write("test/many/test_broken.py", "def test(:\n")
        self.write("test/many/test_ümlaut.py")

    def expect_same(self, command, *variants):
        """Each variant is (extra arguments, environment)."""
        want = self.hwsift(*command, "-o", "json")
        self.assertIn(want.code, (0, 1, 3), want.err)
        self.assertIn("test_bytes.py", want.out + want.err)
        for arguments, env in variants:
            self.assertEqual(self.hwsift(*command, "-o", "json", *arguments, env=env), want, (command, arguments, env))

    def test_threads(self):
        for command in COMMANDS:
            self.expect_same(command, *((["--jobs", jobs], {}) for jobs in ("1", "2", "7")))

    def test_order_of_paths(self):
        files = sorted(str(path.relative_to(self.tree)) for path in (self.tree / "test").rglob("*.py"))
        shuffled = files[:]
        random.Random(1).shuffle(shuffled)
        for command in COMMANDS:
            self.expect_same(command, (["test"], {}), (shuffled, {}), (files[::-1], {}))

    def test_locale(self):
        for command in COMMANDS:
            self.expect_same(command, *(([], {"LC_ALL": locale}) for locale in ("C", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8", "nonsense")))

    def test_text_is_the_same_too(self):
        for command in COMMANDS:
            texts = {self.hwsift(*command, "--jobs", jobs).out for jobs in ("1", "3")}
            self.assertEqual(len(texts), 1)


if __name__ == "__main__":
    harness.main()
