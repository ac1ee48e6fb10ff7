# Owner(s): ["module: tests"]
import torch
import torch.cuda as tc
from torch.testing._internal.common_utils import TestCase, run_tests, TEST_CUDA as HAS
from torch.testing._internal.common_device_type import (
    instantiate_device_type_tests, onlyCUDA,  # the device types
    dtypes,
)
from torch._subclasses import FakeTensorMode

device = "cuda" if torch.cuda.is_available() else "cpu"
GPUS = ("cuda", "xpu")
table = [1, 2, 3]
alias = torch.testing._internal.common_cuda
count = 0
count += 1


def helper(x, device="cpu", *args, key=None, **kwargs):
    """Text."""
    return x


def other(fn):
    return fn


class TestA(TestCase):
    """What it tests."""

    exact = True
    test_made = helper(1)

    def setUp(self):
        super().setUp()
        self.mode = FakeTensorMode()

    @onlyCUDA
    @dtypes(torch.float, torch.half)
    def test_one(self, device, dtype):
        x = torch.ones(2, device=device)
        self.assertEqual(x, self.expected)
        if device == "cuda":
            return
        for other in [1, 2]:
            self.run(other, helper)

    def test_two(self):
        a = 1
        self.value = a; b = self.other
        with self.mode:
            y = torch.ones(2, device="cuda")

        class Inner(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = torch.nn.Linear(2, 2)

            def forward(self, x):
                return self.linear(helper(x))

        def local(device):
            return [device for device in x if device]

        try:
            TestA.helper_of_class(self)
        except ValueError as device:
            raise
        else:
            pass
        finally:
            x.cuda()

    def test_stub(self):
        raise NotImplementedError

    def test_text(self):
        "nothing"

    def test_skip(self):
        if not HAS:
            self.skipTest("no")
        elif self._testMethodName == "x":
            tc.synchronize()
        assert tc.device_count() > 1
        self.assertExpectedInline(str(x), """tensor(1., device='cuda:0')""")

    async def test_late(self, *, a=helper, b: int = 3) -> None:
        await self.x
        f = lambda self: self.y
        print(f"{device=} {self.z!r:>{self.width}}")


class TestB(TestA): pass


for cls in (TestA, TestB):
    instantiate_device_type_tests(cls, globals(), only_for=GPUS)
made = type("TestC", (TestCase,), {})
del TestB
if __name__ == "__main__":
    run_tests()
