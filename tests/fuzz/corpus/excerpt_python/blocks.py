import unittest, torch as t
if t.cuda.is_available():
    from a import b as helper
    class TestX(unittest.TestCase):
        hw_classification = "CUDA"
        if True:
            x = 1
            def test_a(self):
                x = 1
                while x:
                    x -= 1
                    if x: break
                else:
                    t.cuda.synchronize()
        else:
            def test_a(self): return self.b
        def test_b(self, devices):
            match devices:
                case "cuda": pass
                case [self.a, *rest]:
                    return rest
            async def inner():
                async with self.c as d:
                    yield d
            x = [i for i in self.e if (n := i)]
            global device
            device = x
            if "cuda" in self.id():
                x = t.ones(1).to(
                    "cuda:0",  # a comment
                )
                raise ValueError(
                    "long"
                    "text")
            x = self.f[self.g] = 2
            self.h, x = 1, 2
            self.i.j = helper
            del self.k
            locals()
        def test_c(self):
            def f(): return 1
            @unittest.skip
            def g():
                class TestX: pass
                TestX.y()
            g()
        def test_d(self): ...
TestY = TestX
def test_free(device):
    TestX().run(test_free)
    device = "x"
    for helper in device: print(helper)
