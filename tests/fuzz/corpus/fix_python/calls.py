import torch
gpu = "cuda" if torch.cuda.is_available() else "cpu"
class TestA(TestCase):
    hw_classification = HardwareClassification.ACCELERATOR
    def test_a(self, device):
        a = device == "cuda" or device in ("xpu",)
        torch.ones(1, device=gpu).to("cuda:1").cuda(non_blocking=True)
        torch.ones(1, device=f"cuda:{i}").cuda(0)
instantiate_device_type_tests(TestA, globals(), only_for=("cuda", "hpu"))
class TestD(TestCase):
    hw_classification = HardwareClassification.CUDA
    def test_d(self, devices): x.cuda()