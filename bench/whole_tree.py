#!/usr/bin/env python3
"""whole_tree.py HWSIFT TREE: hwsift on a tree, against Python's ast.parse on the same files, as ratios.

The yardstick reads and parses each file and does nothing with the result, so it is a lower bound for any linter written
in Python. Both find the files in the disk cache. Seconds differ between machines, ratios differ less, and processor
seconds differ least on a machine that is busy with something else.
"""
import ast
import pathlib
import resource
import subprocess
import sys
import time
import warnings

ROUNDS = 3


def cpu_seconds():
    """Of this process and of the children that it has waited for."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def measure(work):
    """The least wall and the least processor seconds of a few rounds."""
    rounds = []
    for _ in range(ROUNDS):
        wall, cpu = time.perf_counter(), cpu_seconds()
        work()
        rounds.append((time.perf_counter() - wall, cpu_seconds() - cpu))
    return min(wall for wall, _ in rounds), min(cpu for _, cpu in rounds)


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
    small = min((file for file in files if file.name.startswith("test_") and file.stat().st_size > 4000), key=lambda f: f.stat().st_size)
    print(f"{len(files)} files, {sum(file.stat().st_size for file in files) / 1e6:.1f} MB; best of {ROUNDS}; x: times as fast as ast.parse")
    print(f"{'':42} {'wall':>8} {'x':>6} {'cpu':>8} {'x':>6}")
    base = measure(lambda: parse_all(files))

    def row(name, seconds, compare=True):
        ratios = [f"{own / other:5.1f}x" if compare else "" for own, other in zip(base, seconds)]
        print(f"{name:42} {seconds[0]:6.2f} s {ratios[0]:>6} {seconds[1]:6.2f} s {ratios[1]:>6}")

    row(f"Python {sys.version.split()[0]}, ast.parse, one thread", base)
    for name, arguments in (("hwsift scan, one thread", ["--jobs", "1", "scan"]), ("hwsift scan, all cores", ["scan"]),
                            ("hwsift lint, one thread", ["--jobs", "1", "lint", "--no-allowlist"]),
                            ("hwsift lint, all cores", ["lint", "--no-allowlist"])):
        row(name, measure(lambda: hwsift(binary, tree, *arguments)))
    row("hwsift lint, one small file", measure(lambda: hwsift(binary, tree, "lint", "--no-allowlist", str(small))), compare=False)


if __name__ == "__main__":
    main()
