#!/usr/bin/env python3
"""Compare the facts of `hwsift scan` with what Python's own parser says of the same files.

    facts.py HWSIFT TREE [PATH ...]

Compared are, for each file that this Python can parse: every class with its line, end line, bases and decorators,
its methods with line, parameters and decorators, and every call of instantiate_device_type_tests. Exit 0 when all
agree, 1 when not (the first differences are printed), 77 when no file could be compared.
"""
import ast
import json
import pathlib
import subprocess
import sys
import warnings

COMPOUND = (ast.If, ast.Try, ast.With, ast.AsyncWith, ast.For, ast.AsyncFor, ast.While) + tuple(
    getattr(ast, name) for name in ("Match", "TryStar") if hasattr(ast, name))


def statements(body):
    """The statements of a body and of the compound statements in it, but not of functions and classes."""
    found = []
    for node in body:
        found.append(node)
        if isinstance(node, COMPOUND):
            for field in ("body", "orelse", "finalbody"):
                found += statements(getattr(node, field, []))
            for part in getattr(node, "handlers", []) + getattr(node, "cases", []):
                found += statements(part.body)
    return sorted(found, key=lambda n: n.lineno)


def params(arguments):
    names = [a.arg for a in arguments.posonlyargs + arguments.args]
    names += ["*" + arguments.vararg.arg] if arguments.vararg else []
    names += [a.arg for a in arguments.kwonlyargs]
    return names + (["**" + arguments.kwarg.arg] if arguments.kwarg else [])


def dotted(node):
    if isinstance(node, ast.Call):
        node = node.func
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def class_facts(node):
    methods = [(m.name, m.lineno, m.end_lineno, params(m.args), [dotted(d) for d in m.decorator_list],
                isinstance(m, ast.AsyncFunctionDef))
               for m in statements(node.body) if isinstance(m, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return (node.name, node.lineno, node.end_lineno, len(node.bases), [dotted(d) for d in node.decorator_list], methods)


def python_facts(source):
    tree = ast.parse(source)
    classes = [class_facts(n) for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]
    calls = [(n.lineno, n.col_offset) for n in ast.walk(tree) if isinstance(n, ast.Call)
             and dotted(n).split(".")[-1] == "instantiate_device_type_tests"]
    functions = [(n.name, n.lineno, params(n.args)) for n in statements(tree.body)
                 if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return sorted(classes, key=lambda c: c[1]), sorted({line for line, _ in calls}), functions


def hwsift_facts(file):
    classes = [(c["name"], c["line"], c["end_line"], len(c["bases"]), [d["name"] for d in c["decorators"]],
                [(m["name"], m["line"], m["end_line"], m["params"], [d["name"] for d in m["decorators"]], m["async"])
                 for m in c["methods"]])
               for c in file["classes"]]
    calls = sorted({i["line"] for i in file["instantiations"] if i["form"] != "alias"})
    return sorted(classes, key=lambda c: c[1]), calls, [(f["name"], f["line"], f["params"]) for f in file["functions"]]


def main():
    hwsift, tree, *paths = sys.argv[1:]
    run = subprocess.run([hwsift, "-C", tree, "scan", "-o", "json", *paths], stdout=subprocess.PIPE, check=False)
    document = json.loads(run.stdout)
    warnings.simplefilter("ignore")
    compared = differ = 0
    for file in document["files"]:
        source = (pathlib.Path(tree) / file["path"]).read_bytes()
        try:
            want = python_facts(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        compared += 1
        got = hwsift_facts(file)
        if got == want:
            continue
        differ += 1
        if differ <= 5:
            for name, a, b in zip(("classes", "calls", "functions"), want, got):
                for x in [x for x in a if x not in b][:3]:
                    print(f'{file["path"]}: {name}: Python has {x}')
                for x in [x for x in b if x not in a][:3]:
                    print(f'{file["path"]}: {name}: hwsift has {x}')
    print(f"{compared} files compared, {differ} differ")
    return 1 if differ else 0 if compared else 77


sys.exit(main())
