"""Prints, a JSON line a file, the classes of which pytest collects tests; null where a file cannot be collected.

Usage: PYTHON collected_classes.py TREE FILE ...   FILE is relative to TREE/test, or below a folder in it.
torch is imported once; each file is collected in a child of its own, so that what a file does to torch stays there.
"""
import json
import os
import signal
import sys

LIMIT = 240  # seconds for a file


class Collected:
    def __init__(self):
        self.classes = set()
        self.broken = False

    def pytest_collectreport(self, report):
        self.broken |= report.failed or report.skipped  # a whole module is skipped: nothing to compare

    def pytest_collection_modifyitems(self, items):
        self.classes |= {item.nodeid.split("::")[1] for item in items if "::" in item.nodeid.partition("::")[2]}


def classes_of(tree, path):
    import pytest
    found = Collected()
    code = pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "--rootdir", tree, path], plugins=[found])
    usable = code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and not found.broken
    return sorted(found.classes) if usable else None


def in_child(tree, path):
    """What classes_of() returns; None where the child dies or takes too long."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        signal.alarm(LIMIT)
        null = os.open("/dev/null", os.O_RDWR)
        for stream in range(3):
            os.dup2(null, stream)
        os.write(write, json.dumps(classes_of(tree, path)).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def main():
    tree, *paths = sys.argv[1:]
    os.chdir(os.path.join(tree, "test"))
    sys.path.insert(0, os.getcwd())
    import torch.testing._internal.common_utils  # noqa: F401, once for all children
    sys.argv = ["pytest"]
    for path in paths:
        print(json.dumps([path, in_child(tree, path)]), flush=True)


if __name__ == "__main__":
    main()
