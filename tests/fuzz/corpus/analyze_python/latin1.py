# coding: latin-1
class A:
    def test_x(self): "é".to(f"cuda:{rank}")
