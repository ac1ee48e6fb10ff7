if TEST_CUDA:
	class B(A): pass
for t in (A, B): instantiate_device_type_tests(t, globals())
x = 0777
