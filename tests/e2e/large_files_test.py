"""Files that are made to be large: what explain and select cost must grow as the file does."""
import time

import harness
from harness import HwsiftTest

HEAD = """\
from torch.testing._internal.common_device_type import instantiate_device_type_tests
from torch.testing._internal.common_utils import TestCase


"""


def plain(name, base, test):
    return f"class {name}({base}):\n    def {test}(self):\n        pass\n\n\n"


class LargeFiles(HwsiftTest):
    def seconds(self, *arguments):
        start = time.monotonic()
        ran = self.hwsift(*arguments, timeout=60)
        self.assertIn(ran.code, (0, 4), ran.err)
        return time.monotonic() - start

    def test_a_ladder_of_diamonds(self):
        """Two classes a level, each of which derives from both below: 2^200 ways to the top."""
        text = HEAD + "class A0:\n    pass\n\n\nclass B0:\n    pass\n\n\n"
        for i in range(1, 201):
            for letter in "AB":
                text += plain(f"{letter}{i}", f"A{i - 1}, B{i - 1}", "test_x")
        self.write("test/test_diamonds.py", text)
        self.assertLess(self.seconds("explain", "test/test_diamonds.py::A200::test_x"), 1)
        self.assertLess(self.seconds("select", "test/test_diamonds.py"), 1)

    def assert_grows_as_the_file(self, make):
        """Four times the classes may take eight times as long, and no sixteen; what the start costs helps it."""
        self.write("test/test_small.py", HEAD + make(750))
        self.write("test/test_large.py", HEAD + make(3000))
        small, large = (min(self.seconds("explain", f"test/test_{size}.py") for _ in range(2))
                        for size in ("small", "large"))
        self.assertLess(large, 8 * small)

    def test_many_classes(self):
        self.assert_grows_as_the_file(lambda n: "".join(plain(f"TestA{i}", "TestCase", "test_x") for i in range(n)))

    def test_a_class_with_many_bases(self):
        def make(n):
            bases = ", ".join(f"TestA{i}" for i in range(n))
            return "".join(plain(f"TestA{i}", "TestCase", f"test_{i}") for i in range(n)) + f"class TestZ({bases}):\n    pass\n"
        self.assert_grows_as_the_file(make)

    def test_many_instantiate_calls(self):
        self.assert_grows_as_the_file(lambda n: "".join(
            plain(f"TestA{i}", "TestCase", "test_x").replace("self", "self, device") +
            f"instantiate_device_type_tests(TestA{i}, globals())\n\n\n" for i in range(n)))


if __name__ == "__main__":
    harness.main()
