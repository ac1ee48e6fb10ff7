from torch.testing._internal.common_utils import (  # noqa
    run_tests,
    TestCase,
)
class TestA(TestCase):
    """About."""  # why
    # hwsift: ignore[device_guard] on purpose
    @unittest.skipIf(TEST_XPU, "x")
    def test_a(self, device): x.cuda(); torch.cuda.synchronize()
class TestB(TestCase):
	hw_classification = "generic"
	def test_b(self): pass  # hwsift: ignore[only_for] # hwsift: ignore[x] y
if X:
  class TestC(TestCase): hw_classification = HardwareClassification.XPU; test_c = lambda self, device: 1
instantiate_device_type_tests(TestA, globals(), only_for=[])
instantiate_device_type_tests(
    TestC,
    globals(),
    only_for=("xpu", "mps",),  # why
)
