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


if __name__ == "__main__":
    harness.main()
