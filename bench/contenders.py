"""What is measured: hwsift, and what could be used in its place, on the same files."""
import os
import pathlib
import shutil
from dataclasses import dataclass

from measure import Contender
from tables import growth_name

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"
PARSE_ONE = "import ast, sys; ast.parse(open(sys.argv[1], 'rb').read())"
WORDS = "cuda|xpu|mps|onlyCUDA"
PATTERNS = """
id: hardware
language: python
rule:
  any:
    - pattern: torch.cuda.$F($$$)
    - pattern: $X.cuda()
    - pattern: torch.device("cuda")
    - pattern: {context: "@onlyCUDA\\ndef f(): pass", selector: decorator}
"""
LARGE, SMALL = "test/test_torch.py", "test/test_futures.py"
FINDINGS = (0, 1)
GROWTH = tuple((copies, jobs) for copies in (1, 2, 4, 8) for jobs in (1, 2))


@dataclass(frozen=True)
class Tools:
    """Paths of programs; "" for one that is not at hand."""
    python: str = ""
    tree_sitter: str = ""
    ast_grep: str = ""
    ruff: str = ""
    rg: str = ""
    hwsift: str = ""


def find_tools(build):
    def in_build(path):
        return str(build / path) if os.access(build / path, os.X_OK) else ""

    return Tools(PYTHON if os.access(PYTHON, os.X_OK) else "", in_build("tree_sitter_parse"),
                 in_build("bench-tools/bin/ast-grep"), in_build("bench-tools/bin/ruff"),
                 in_build("bench-tools/bin/rg") or shutil.which("rg") or "", in_build("hwsift"))


def contender(name, program, *arguments, codes=(0,)):
    return Contender(name, (program, *map(str, arguments)) if program else (), codes)


def others(tools, files):
    return [contender("tree-sitter, tree only", tools.tree_sitter, *files),
            contender("ast-grep, four patterns", tools.ast_grep, "scan", "--inline-rules", PATTERNS, "--json=stream", *files),
            contender("ruff, rules F and E9", tools.ruff, "check", "--no-cache", "--isolated", "--select", "F,E9",
                      "--exit-zero", *files),
            contender("ripgrep, four words", tools.rg, "--no-config", "-c", WORDS, *files, codes=FINDINGS)]


def lint(tree, *arguments):
    return "-C", tree, "lint", "--no-allowlist", *arguments


def fill_cache(tools, tree, database):
    return contender("", tools.hwsift, "--db", database, *lint(tree, "-o", "json:/dev/null"), codes=FINDINGS)


def whole_tree(tools, tree, files, database):
    def hwsift(name, *arguments):
        return contender(name, tools.hwsift, *arguments, "-o", "json:/dev/null", codes=FINDINGS)

    return [contender("Python, ast.parse", tools.python, "-W", "ignore", HERE / "parse_files.py", *files),
            *others(tools, files),
            hwsift("hwsift lint, cold", *lint(tree, "--no-cache")),
            hwsift("hwsift lint, cold, --jobs 1", *lint(tree, "--no-cache", "--jobs", "1")),
            hwsift("hwsift lint, warm", "--db", database, *lint(tree)),
            hwsift("hwsift classify, cold", "-C", tree, "--no-cache", "classify"),
            hwsift("hwsift select --device cpu, cold", "-C", tree, "--no-cache", "select", "--device", "cpu"),
            hwsift("hwsift scan, cold", "-C", tree, "--no-cache", "scan")]


def one_file(tools, tree, file, database):
    def hwsift(name, *arguments):
        return contender(name, tools.hwsift, *arguments, *lint(tree, "-o", "lintrunner", file), codes=FINDINGS)

    return [contender("Python, ast.parse", tools.python, "-W", "ignore", "-c", PARSE_ONE, file),
            *others(tools, [file]),
            hwsift("hwsift lint, cold", "--no-cache"),
            hwsift("hwsift lint, warm", "--db", database)]


def start_up(tools):
    return [contender("Python, nothing done", tools.python, "-c", "pass"),
            contender("ast-grep --version", tools.ast_grep, "--version"),
            contender("ruff --version", tools.ruff, "--version"),
            contender("ripgrep --version", tools.rg, "--no-config", "--version"),
            contender("hwsift --version", tools.hwsift, "--version")]


def growth(tools, trees):
    """`trees`: by number of copies."""
    return [contender(growth_name(copies, jobs), tools.hwsift,
                      *lint(trees[copies], "--no-cache", "--jobs", jobs, "-o", "json:/dev/null"), codes=FINDINGS)
            for copies, jobs in GROWTH]
