#!/usr/bin/env python3
"""whole_tree.py HWSIFT TREE: hwsift on a tree, against Python's ast.parse on the same files, as ratios.

The yardstick reads and parses each file and does nothing with the result, so it is a lower bound for any linter written
in Python. Each side's best of three; both find the files in the disk cache. Seconds differ between machines; ratios
differ less.
"""
import ast
import pathlib
import subprocess
import sys
import time
import warnings

ROUNDS = 3


def best(work):
    return min(timed(work) for _ in range(ROUNDS))


def timed(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def parse_all(files):
    for file in files:
        try:
            ast.parse(file.read_bytes())
        except (SyntaxError, ValueError):
            pass


def hwsift(binary, tree, *arguments):
    ran = subprocess.run([binary, "-C", tree, "--no-cache", *arguments, "-o", "json:/dev/null"], stderr=subprocess.PIPE)
    if ran.returncode not in (0, 1):
        sys.exit(f"hwsift {' '.join(arguments)} ended with {ran.returncode}:\n{ran.stderr.decode()}")


def main():
    binary, tree = sys.argv[1:3]
    warnings.simplefilter("ignore")
    files = sorted(path for path in pathlib.Path(tree, "test").rglob("*.py") if path.is_file())
    one = min((file for file in files if file.name.startswith("test_") and file.stat().st_size > 4000), key=lambda f: f.stat().st_size)
    python = best(lambda: parse_all(files))
    megabytes = sum(file.stat().st_size for file in files) / 1e6
    print(f"{len(files)} files, {megabytes:.1f} MB, best of {ROUNDS}")
    print(f"{'Python ' + sys.version.split()[0] + ', ast.parse, one thread':42} {python:7.2f} s    1.0 x")
    rows = [("hwsift scan, one thread", ["--jobs", "1", "scan"]), ("hwsift scan, all cores", ["scan"]),
            ("hwsift lint, one thread", ["--jobs", "1", "lint", "--no-allowlist"]), ("hwsift lint, all cores", ["lint", "--no-allowlist"])]
    for name, arguments in rows:
        seconds = best(lambda: hwsift(binary, tree, *arguments))
        print(f"{name:42} {seconds:7.2f} s {python / seconds:6.1f} x")
    seconds = best(lambda: hwsift(binary, tree, "lint", "--no-allowlist", str(one)))
    print(f"{'hwsift lint, one small file':42} {seconds * 1000:6.0f} ms")


if __name__ == "__main__":
    main()
