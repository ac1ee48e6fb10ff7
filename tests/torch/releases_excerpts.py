"""On the real tree of PyTorch 2.6.0, tests and library: facts by excerpts are those of the whole text."""
import os
import pathlib
import subprocess
import sys

SKIPPED = 77

tree = pathlib.Path(os.environ["HWSIFT_CORPUS"]) / "pytorch-2.6.0"
if not (tree / "test").is_dir():
    print(f"skipped: there is no {tree}")
    sys.exit(SKIPPED)
done = subprocess.run([os.environ["HWSIFT_EXCERPTS"], tree / "test", tree / "torch"], capture_output=True, text=True)
print(done.stdout)
if "is read whole" in done.stdout:
    sys.exit("no file of the tree needs more than its excerpt: one that is read whole takes twenty times as long")
sys.exit(done.returncode)
