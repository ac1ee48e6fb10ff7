#!/usr/bin/env python3
"""check.py [PART ...]: the vocabulary that HWSIFT prints, against what is at hand of PyTorch.

PARTS (all of them where none is named):
  trixie, forky  the PyTorch of these Debian suites, in HWSIFT_CORPUS
  python         the one that HWSIFT_PYTHON names
  used           the test tree of PyTorch 2.6.0, in HWSIFT_CORPUS
What is not at hand is said. Exit code 1: an entry is missing or wrong; 77: nothing was at hand.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CORPUS = pathlib.Path(os.environ.get("HWSIFT_CORPUS") or "/nonexistent")
SKIPPED = 77


def root_python(suite):
    python = CORPUS / f"python-{suite}"
    return python if python.exists() and (CORPUS / suite / ".complete").exists() else None


def own_python():
    return os.environ.get("HWSIFT_PYTHON") or None


def command_of(part, symbols):
    """The command of a part; None where it is not at hand."""
    if part == "used":
        tree = CORPUS / "pytorch-2.6.0"
        return [sys.executable, HERE / "symbols_used.py", symbols, tree] if tree.exists() else None
    python = own_python() if part == "python" else root_python(part)
    return [python, HERE / "symbols_exist.py", symbols] if python else None


ABSENT = {
    "trixie": f"no PyTorch 2.6 of Debian trixie in {CORPUS}; ./dev test-torch makes it",
    "forky": f"no PyTorch 2.14 of Debian forky in {CORPUS}; ./dev test-torch makes it",
    "python": "HWSIFT_PYTHON is not set",
    "used": f"no source of PyTorch 2.6.0 in {CORPUS}; ./dev test-torch fetches it",
}


def run(part, symbols):
    """The exit code of a part."""
    command = command_of(part, symbols)
    if command is None:
        print(f"skipped: {ABSENT[part]}", flush=True)
        return SKIPPED
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
    return subprocess.run([str(word) for word in command], env=environment).returncode


def main(parts):
    with tempfile.TemporaryDirectory(prefix="hwsift-vocabulary-") as scratch:
        os.chmod(scratch, 0o755)
        symbols = pathlib.Path(scratch) / "symbols.json"
        subprocess.run([os.environ["HWSIFT"], "rules", "symbols", "-o", f"json:{symbols}"], check=True)
        codes = {run(part, symbols) for part in parts or ABSENT}
    if codes == {SKIPPED}:
        return SKIPPED
    return 1 if codes - {0, SKIPPED} else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
