"""Compares hwsift's verdict on Python files with that of the Python that runs this script.

Usage: syntax.py DRIVER [FOLDER...] [--accepted-only] [--lines] [--seconds N] [--mutate N [--seed N]]

DRIVER is syntax_verdicts of the build tree. Without a FOLDER the standard library of this Python is read. It prints
every disagreement and exits with 1 if there is one.
--accepted-only  compare only files that this Python accepts: for a Python older than the newest that hwsift knows
--lines          where both refuse a file, compare the line of the first error too
--seconds N      compare files in a fixed random order, and stop after N seconds
--mutate N       instead of the files themselves, compare N damaged copies of them
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import time
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(20000)


def verdict(source, whole=False):
    """('ok' | 'bad' | None, line, message); None where this Python cannot tell.

    whole: the compiler must accept it too; older releases leave checks to it that are the parser's now.
    """
    try:
        ast.parse(source)
        if whole:
            compile(source, "", "exec", dont_inherit=True)
    except SyntaxError as error:
        return "bad", error.lineno or 0, error.msg
    except ValueError as error:  # null bytes, in older releases
        return "bad", 0, str(error)
    except (RecursionError, MemoryError):
        return None, 0, ""
    return "ok", 0, ""


def python_files(folders):
    for folder in folders:
        if os.path.isfile(folder):
            yield folder
        for root, names, files in os.walk(folder):
            names[:] = sorted(set(names) - {"site-packages", "dist-packages", "__pycache__"})
            for name in sorted(files):
                if name.endswith((".py", ".pyi")):
                    yield os.path.join(root, name)


def ask_driver(driver, paths):
    run = subprocess.run([driver], input="\n".join(paths) + "\n", stdout=subprocess.PIPE, text=True,
                         errors="replace", check=True)
    answers = {}
    for line in run.stdout.splitlines():
        fields = line.split("\t")
        if len(fields) == 5:
            answers[fields[0]] = (fields[1], int(fields[2]), fields[3], int(fields[4]))
    return answers


def read(path):
    with open(path, "rb") as file:
        return file.read()


TOKENS = """( ) [ ] { } , : ; . -> := = == != <> + - * ** / // % @ ~ | ^ & << >> < > += **= ! ... if else elif for in
    not is and or lambda def class return yield yield\\ from await async with as try except finally raise del import
    from global nonlocal pass break continue while assert None True match case type _ print x 1 0777 1.5j 'a' f'{x}'
    f'{x!r:{y}}' t'{x}' b'a' \\ \\\n # `a` $ ur'' """.replace("\\ ", "\0").split()


def pieces(source):
    """Statements of the source that are some lines long, each as a source of its own."""
    try:
        text = source.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return []
    lines = text.split("\n")
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.stmt) or not 2 <= node.end_lineno - node.lineno <= 60:
            continue
        first = min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])])
        piece = textwrap.dedent("\n".join(lines[first - 1:node.end_lineno]))
        if verdict(piece)[0] == "ok":
            found.append(piece)
    return found


def mutate(text, random_):
    """A copy of the text with one to three random slips."""
    for _ in range(random_.choice([1, 1, 1, 2, 3])):
        lines = text.split("\n")
        kind = random_.randrange(12)
        at = random_.randrange(len(lines))
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[random_.randrange(len(lines))])
        elif kind == 2:
            lines[at] = random_.choice([" ", "\t", "  ", "    "]) + lines[at]
        elif kind == 3:
            lines[at] = lines[at][random_.choice([1, 2, 4]):]
        text = "\n".join(lines)
        words = [(m.start(), m.end()) for m in WORD.finditer(text)]
        if kind <= 3 or not words:
            continue
        begin, end = random_.choice(words)
        token = random_.choice(TOKENS).replace("\0", " ")
        if kind <= 5:
            text = text[:begin] + text[end:]
        elif kind <= 7:
            text = text[:begin] + token + " " + text[begin:]
        elif kind <= 9:
            text = text[:begin] + token + text[end:]
        elif kind == 10:
            other = random_.choice(words)
            text = text[:begin] + text[other[0]:other[1]] + text[end:]
        else:
            text = text[:end] + " " + text[begin:end] + text[end:]
    return text.encode("utf-8")


WORD = re.compile(r"\w+|[^\w\s]|\n +")


def mutants(files, count, seed, folder):
    random_ = random.Random(seed)
    sources = [piece for source in map(read, files) if verdict(source)[0] == "ok" for piece in pieces(source)]
    for number in range(count):
        path = os.path.join(folder, f"{number}.py")
        with open(path, "wb") as file:
            file.write(mutate(random_.choice(sources), random_))
        yield path


def keep(path, options):
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        shutil.copy(path, options.keep)


def compare(paths, options):
    answers = ask_driver(options.driver, paths)
    compared = different = trees = 0
    for path in paths:
        expected, line, message = verdict(read(path), options.accepted_only)
        if expected is None or (options.accepted_only and expected != "ok"):
            continue
        compared += 1
        found, found_line, found_message, tree_line = answers.get(path, ("none", 0, "no answer", 0))
        bad_line = options.lines and expected == found == "bad" and line not in (0, found_line)
        if expected != found or bad_line:
            different += 1
            print(f"{path}: python {expected} {line} {message!r}, hwsift {found} {found_line} {found_message!r}")
            keep(path, options)
        elif expected == "ok" and tree_line:
            trees += 1
            print(f"{path}:{tree_line}: valid, but the tree has an error here")
            keep(path, options)
    return compared, different, trees


def report(results):
    compared, different, trees = (sum(column) for column in zip(*results))
    print(f"{compared} files compared, {different} verdicts differ, {trees} trees with errors")
    return different or trees or not compared


def chunks(paths):
    for first in range(0, len(paths), 100):
        yield paths[first:first + 100]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("driver")
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--accepted-only", action="store_true")
    parser.add_argument("--lines", action="store_true")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--mutate", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", default="", help="folder to which files are copied on which the two disagree")
    options = parser.parse_args()
    started = time.monotonic()
    paths = list(python_files(options.folders or [sysconfig.get_path("stdlib")]))
    if options.mutate:
        with tempfile.TemporaryDirectory() as folder:
            paths = list(mutants(paths, options.mutate, options.seed, folder))
            return report([compare(paths, options)])
    if options.seconds < float("inf"):
        random.Random(options.seed).shuffle(paths)
    results = []
    for chunk in chunks(paths):
        results.append(compare(chunk, options))
        if time.monotonic() - started > options.seconds:
            break
    return report(results)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
