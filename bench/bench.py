#!/usr/bin/env python3
"""bench.py [--quick] [--rounds N] BUILD TREE: hwsift against what could be used in its place, as ratios.
bench.py --check: whether docs/performance.md is, but for its figures, what this would write.

BUILD holds hwsift, tree_sitter_parse and bench-tools/bin; TREE is a checkout of PyTorch. The tables go to stdout and, unless
--quick, to docs/performance.md. --quick: one round, no growth. What is compared and how is said in performance.md.in.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import contenders
import page
import tables
from measure import interleaved, memory_floor

HERE = pathlib.Path(__file__).resolve().parent
TEMPLATE, PAGE = HERE / "performance.md.in", HERE.parent / "docs/performance.md"
TITLES = {"whole-tree": "whole tree", "large-file": f"one large file, {contenders.LARGE}",
          "small-file": f"one small file, {contenders.SMALL}", "start-up": "starting and nothing else", "growth": "growth"}
MACHINE_ROWS = ("processor", "load before", "files", "hwsift", "Python", "tree-sitter", "ast-grep", "ruff", "ripgrep", "PyTorch tree")
COPIED = ("torch/testing/_internal/common_utils.py", "version.txt")  # what lint asks a tree for, beside its tests


def warn_of_load():
    load, cores = os.getloadavg()[0], os.cpu_count()
    if load > 0.5 * cores:
        print(f"bench.py: warning: the load is {load:.1f} on {cores} cores; trust ratios, and those with a small spread",
              file=sys.stderr)
    return f"{load:.1f}"


def tell(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def read_all(files):
    """Puts them into the page cache; their size in bytes."""
    return sum(len(file.read_bytes()) for file in files)


def make_copies(tree, files, scratch):
    """Trees with the test files once, twice, ... as test/copyN; by number of copies. No two copies of a file are equal, as
    hwsift reads equal contents once."""
    trees = {}
    for copies in sorted({copies for copies, _ in contenders.GROWTH}):
        root = trees[copies] = scratch / f"tree{copies}"
        for name in COPIED:
            if (tree / name).is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(tree / name, root / name)
        for number in range(1, copies + 1):
            for file in files:
                copy = root / "test" / f"copy{number}" / file.relative_to(tree / "test")
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(file.read_bytes() + f"\n# copy {number}\n".encode())
    return trees


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return None


def version(program):
    ran = output_of(program, "--version") if program else None
    return ran.stdout.splitlines()[0].strip() if ran and ran.stdout else "not at hand"


def processor():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        model = os.uname().machine
    return f"{model}, {os.cpu_count()} cores"


def linted(tools, tree):
    ran = output_of(tools.hwsift, *contenders.lint(str(tree), "--no-cache", "-o", "json"))
    return json.loads(ran.stdout)["counts"]["files"]


def machine_table(tools, tree, files, size, load):
    facts = (processor(), load, f"{len(files):,}, {size / 1e6:.1f} MB; lint judges the {linted(tools, tree)} that are named as tests",
             version(tools.hwsift), version(tools.python), version(tools.tree_sitter), version(tools.ast_grep),
             version(tools.ruff), version(tools.rg), (tree / "version.txt").read_text().strip() if (tree / "version.txt").is_file() else "-")
    return tables.Table(("", "here"), tuple(zip(MACHINE_ROWS, facts)))


def stats(tools, tree):
    return output_of(tools.hwsift, "--stats", *contenders.lint(str(tree), "--no-cache", "-o", "json:/dev/null")).stderr


def emphasise(row, line):
    """On a terminal: hwsift bold, what is missing dim."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return line
    code = "2" if row[2:3] == ("",) else "1" if row[0].startswith("hwsift") else ""
    return f"\033[{code}m{line}\033[0m" if code else line


def show(name, table):
    print(f"\n{TITLES[name]}\n{tables.text_table(table, emphasise)}", flush=True)


def measure_ratios(tools, tree, files, rounds, scratch):
    """The tables that have a yardstick, each shown as soon as it is there."""
    database, output = str(scratch / "cache.sqlite"), str(scratch / "output")
    floor = memory_floor(output)
    interleaved([contenders.fill_cache(tools, str(tree), database)], 1, output)
    names = [str(file) for file in files]
    groups = {"whole-tree": (contenders.whole_tree(tools, str(tree), names, database), rounds),
              "large-file": (contenders.one_file(tools, str(tree), str(tree / contenders.LARGE), database), 3 * rounds),
              "small-file": (contenders.one_file(tools, str(tree), str(tree / contenders.SMALL), database), 5 * rounds),
              "start-up": (contenders.start_up(tools), 5 * rounds)}
    found = {}
    for name, (group, times) in groups.items():
        found[name] = tables.ratio_table(interleaved(group, times, output, tell), floor)
        show(name, found[name])
    return found


def measure_growth(tools, tree, files, rounds, scratch):
    output = str(scratch / "output")
    tell("making copies of the tree")
    trees = {copies: str(root) for copies, root in make_copies(tree, files, scratch).items()}
    results = interleaved(contenders.growth(tools, trees), rounds, output, tell)
    table = tables.growth_table(results, contenders.GROWTH, memory_floor(output))
    show("growth", table)
    return table


def empty_page():
    nowhere = contenders.Tools()
    groups = {"whole-tree": contenders.whole_tree(nowhere, "", [], ""), "large-file": contenders.one_file(nowhere, "", "", ""),
              "small-file": contenders.one_file(nowhere, "", "", ""), "start-up": contenders.start_up(nowhere)}
    parts = {name: tables.empty_table([one.name for one in group], tables.RATIO_HEAD) for name, group in groups.items()}
    parts["growth"] = tables.empty_table([tables.growth_name(*step) for step in contenders.GROWTH], tables.GROWTH_HEAD)
    parts["machine"] = tables.empty_table(MACHINE_ROWS, ("", "here"))
    return write_page(parts, "")


def write_page(parts, stats_text):
    texts = {name: tables.markdown_table(table) for name, table in parts.items()}
    return page.fill(TEMPLATE.read_text(encoding="utf-8"), {**texts, "stats": page.code_block(stats_text)})


def check():
    try:
        found = PAGE.read_text(encoding="utf-8")
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}; run: ./dev bench")
    difference = page.difference(found, empty_page())
    if difference:
        sys.exit(f"{difference}\nout of date; run: ./dev bench")


def measure(options):
    tree, tools = options.tree.resolve(), contenders.find_tools(options.build.resolve())
    if not tools.hwsift:
        sys.exit(f"bench.py: no hwsift in {options.build}; run: ./dev build")
    load = warn_of_load()
    files = sorted(path for path in (tree / "test").rglob("*.py") if path.is_file())
    if not files:
        sys.exit(f"bench.py: no Python files in {tree / 'test'}; name a checkout of PyTorch")
    size = read_all(files)
    rounds = 1 if options.quick else options.rounds
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        parts = measure_ratios(tools, tree, files, rounds, scratch)
        if options.quick:
            return
        parts["growth"] = measure_growth(tools, tree, files, max(2, rounds // 2), scratch)
    parts["machine"] = machine_table(tools, tree, files, size, load)
    PAGE.write_text(write_page(parts, stats(tools, tree)), encoding="utf-8")
    print(f"\nwritten: {PAGE.relative_to(HERE.parent)}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("tree", type=pathlib.Path, nargs="?")
    options = parser.parse_args()
    if options.check:
        return check()
    if options.tree is None or options.rounds < 1:
        parser.error("BUILD and TREE are needed, and at least one round")
    return measure(options)


if __name__ == "__main__":
    main()
