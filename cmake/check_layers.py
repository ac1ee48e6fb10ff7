#!/usr/bin/env python3
"""check_layers.py ROOT: each stage includes only the stages and libraries that it may.

A stage sees what stands before it in the order of the work; lint and runner do not know each other. A library that
throws, or that others should not depend on, has one folder that owns it.
"""
import pathlib
import re
import sys

MAY_INCLUDE = {
    "base": set(),
    "analyzer": {"base"},
    "classifier": {"base", "analyzer"},
    "lint": {"base", "analyzer", "classifier"},
    "runner": {"base", "analyzer", "classifier"},
    "history": {"base", "analyzer", "classifier", "lint", "runner"},
    "store": {"base", "analyzer", "classifier", "lint", "runner", "history"},
    "report": {"base", "analyzer", "classifier", "lint", "runner", "history", "store"},
    "cli": {"base", "analyzer", "classifier", "lint", "runner", "history", "store", "report"},
}

# Beginning of the included name, and the folders that may include it.
OWNERS = {
    "CLI/": ("cli",),
    "clang/": ("analyzer/cxx",),
    "git2": ("base",),
    "llvm/": ("analyzer/cxx",),
    "pugixml": ("report",),
    "sqlite3": ("store",),
    "tree_sitter/": ("analyzer/python",),
    "yaml-cpp/": ("base",),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def complaints(root, path):
    stage = path.parts[0]
    for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        name = match.group(1)
        target = name.split("/")[0]
        if target in MAY_INCLUDE and target != stage and target not in MAY_INCLUDE[stage]:
            yield f"{path}:{number}: {stage} must not include {name}"
        for start, folders in OWNERS.items():
            if name.startswith(start) and not any(path.is_relative_to(folder) for folder in folders):
                yield f"{path}:{number}: only {', '.join(folders)} may include {name}"


def main():
    root = pathlib.Path(sys.argv[1])
    sources = [path.relative_to(root) for stage in MAY_INCLUDE for path in sorted((root / stage).rglob("*"))
               if path.suffix in (".cc", ".h", ".in")]
    if not sources:
        sys.exit(f"check_layers.py: no sources below {root}")
    found = [complaint for path in sources for complaint in complaints(root, path)]
    print("\n".join(found + [f"{len(sources)} sources, {len(found)} forbidden includes"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
