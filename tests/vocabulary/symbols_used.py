#!/usr/bin/env python3
"""symbols_used.py SYMBOLS TREE: which hardware symbols the test files of a PyTorch source tree use, and has each an entry?

SYMBOLS is what `hwsift rules symbols -o json` wrote. Read with Python's own parser and no rule of hwsift: imports are
resolved file by file, star imports and re-exports through torch's own sources in the tree. A name sounds like hardware when
one of its words below torch does. Exit code 1: a name that stands at least FEWEST times has no entry.
"""
import ast
import collections
import functools
import json
import multiprocessing
import pathlib
import re
import sys

FEWEST = 5
HARDWARE_WORDS = frozenset(
    "cuda gpu gpus multigpu xpu mps hpu mtia npu rocm hip hipsparse miopen nccl xccl gloo cudnn cublas cusolver cusparse"
    " magma mkldnn onednn mkl accelerator accelerators device devices triton cpu".split())
CAPABILITY = re.compile(r"SM\d+|CDNA\d|GFX\d|IS_[AH]\d+")
WORD = re.compile(r"cuDNN|[A-Z]{2,}(?=[A-Z][a-z])|[A-Z][a-z]+|[A-Z]+|[a-z]+|\d+")


def sounds_like_hardware(dotted):
    """Whether a word of the name below torch.testing._internal or torch is a word of hardware: TEST_CUDNN, onlyCUDA, n_gpus."""
    below = dotted.removeprefix("torch.").removeprefix("testing._internal.")
    if CAPABILITY.search(below):
        return True
    plain = below.replace("GPUs", "GPUS")
    return any(word.lower() in HARDWARE_WORDS for part in re.split(r"[._]", plain) for word in WORD.findall(part))


def module_name(path):
    """torch/a/__init__.py is torch.a."""
    parts = list(path.with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(nodes, package):
    """What a file's imports bind, wherever they stand: name to dotted name; and the modules it takes everything from."""
    names, stars = {}, []
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                names[alias.asname or alias.name.split(".")[0]] = alias.name if alias.asname else alias.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[:len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join(above + ([node.module] if node.module else []))
            for alias in node.names:
                if alias.name == "*":
                    stars.append(module)
                else:
                    names[alias.asname or alias.name] = f"{module}.{alias.name}"
    return names, stars


class Torch:
    """torch's own sources in the tree: what its modules define and hand on."""

    def __init__(self, root):
        self.root = root

    @functools.lru_cache(maxsize=None)
    def module(self, name):
        """(defined names, imports, star imports) of a module, or None."""
        base = self.root.joinpath(*name.split("."))
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file():
                tree = ast.parse(path.read_bytes())
                package = name if path.name == "__init__.py" else name.rpartition(".")[0]
                return defined_in(tree), *imports_of(nodes_of(tree), package)
        return None

    @functools.lru_cache(maxsize=None)
    def public_names(self, name):
        """What `from name import *` binds, each with its dotted name."""
        read = self.module(name)
        if read is None:
            return {}
        defined, imports, stars = read
        names = {}
        for star in stars:
            names.update(self.public_names(star))
        names.update(imports)
        names.update({one: f"{name}.{one}" for one in defined})
        return {one: dotted for one, dotted in names.items() if not one.startswith("_")}

    def home(self, dotted):
        """Where a name was made: followed from module to module that only hands it on."""
        for _ in range(8):
            module, _, name = dotted.rpartition(".")
            read = self.module(module) if module else None
            if read is None or name in read[0]:
                return dotted
            onward = read[1].get(name) or next((found for star in read[2] if (found := self.public_names(star).get(name))), None)
            if onward is None or onward == dotted:
                return dotted
            dotted = onward
        return dotted


@functools.lru_cache(maxsize=None)
def torch_of(tree):
    return Torch(tree)


def defined_in(tree):
    """Names that a module makes itself, at its top level or under an if, try or with there."""
    names, bodies = set(), [tree.body]
    while bodies:
        for node in bodies.pop():
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names.add(node.name)
            elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names.update(one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
            else:
                bodies += [getattr(node, part) for part in ("body", "orelse", "finalbody") if isinstance(getattr(node, part, None), list)]
                bodies += [handler.body for handler in getattr(node, "handlers", [])]
    return names


def nodes_of(tree):
    """Every node; of a dotted name only the outermost, once. ast.walk with less ado: most of the time goes here."""
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, ast.Attribute):
            while isinstance(node, ast.Attribute):
                node = node.value
            if not isinstance(node, ast.Name):
                stack.append(node)
            continue
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, ast.AST):
                stack.append(value)
            elif isinstance(value, list):
                stack.extend(item for item in value if isinstance(item, ast.AST))


def dotted_name(node):
    """The first word of a name or of a chain of attributes, and the rest; None where it starts with anything else."""
    members = []
    while isinstance(node, ast.Attribute):
        members.append(node.attr)
        node = node.value
    return (node.id, *reversed(members)) if isinstance(node, ast.Name) else None


def read_file(path, package):
    """What a file imports, and how often it reads each name or dotted name; None where it is no Python."""
    try:
        nodes = list(nodes_of(ast.parse(path.read_bytes())))
    except (SyntaxError, ValueError):
        return None
    names, stars = imports_of(nodes, package)
    reads = collections.Counter(dotted_name(node) for node in nodes if isinstance(node, (ast.Name, ast.Attribute)))
    return names, stars, reads


def count_file(task):
    """How often a test file uses each name below torch, by the name's full length."""
    tree, path = task
    read = read_file(path, module_name(path.relative_to(tree)).rpartition(".")[0])
    if read is None:
        return {}
    names, stars, reads = read
    bound = {}
    for star in stars:
        bound.update(torch_of(tree).public_names(star))
    bound.update(names)
    counts = collections.Counter()
    for name, count in reads.items():
        home = bound.get(name[0]) if name else None
        if home is not None and home.split(".")[0] == "torch":
            counts[".".join([home, *name[1:]])] += count
    return counts


def count_uses(tree):
    tasks = [(tree, path) for path in sorted((tree / "test").rglob("*.py"))]
    counts = collections.Counter()
    with multiprocessing.Pool() as pool:
        for of_file in pool.imap_unordered(count_file, tasks, chunksize=16):
            for dotted, count in of_file.items():
                counts[torch_of(tree).home(dotted)] += count
    return counts


class Entries:
    """The vocabulary, asked as its readers ask: by the exact name, or below a prefix."""

    def __init__(self, symbols):
        self.exact = {symbol["name"] for symbol in symbols}
        self.prefixes = {symbol["name"] for symbol in symbols if symbol["prefix"]}

    def has(self, dotted):
        if dotted in self.exact:
            return True
        parts = dotted.split(".")
        above = [".".join(parts[:end]) for end in range(1, len(parts))]
        return any(name in self.prefixes for name in above)


def main(symbols, tree):
    entries = Entries(json.loads(pathlib.Path(symbols).read_text())["symbols"])
    counts = count_uses(pathlib.Path(tree))
    used = {name: count for name, count in counts.items() if count >= FEWEST and sounds_like_hardware(name)}
    missing = sorted(((count, name) for name, count in used.items() if not entries.has(name)), reverse=True)
    for count, name in missing:
        print(f"no entry: {name} (used {count} times)")
    print(f"{len(used)} hardware symbols are used at least {FEWEST} times; {len(missing)} have no entry")
    return 1 if missing or not used else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
