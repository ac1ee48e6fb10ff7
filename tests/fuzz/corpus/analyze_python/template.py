import torch
from torch.testing._internal.common_device_type import instantiate_device_type_tests, onlyCUDA


class TestAdd(TestCase):
    hw_classification = HardwareClassification.GENERIC

    @onlyCUDA
    def test_add(self, device):
        x = torch.ones(2, device="cuda:0").cuda()


instantiate_device_type_tests(TestAdd, globals(), only_for=("cuda",), allow_xpu=True)
