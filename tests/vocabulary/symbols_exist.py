#!/usr/bin/env python3
"""symbols_exist.py SYMBOLS: is each entry of the vocabulary in the PyTorch of this Python, and is each hardware name of its
test modules an entry?

SYMBOLS is what `hwsift rules symbols -o json` wrote. A name must be there, unless since, until or build says why not, and
then it must not. since and until are known for the releases of RELEASES; under another one, entries that have them are left
out. Exit code 1: something is not as the entries say.
"""
import contextlib
import functools
import importlib
import importlib.util
import json
import os
import pathlib
import sys
import types
import warnings

import symbols_used

RELEASES = ((2, 6), (2, 14))

# Whose public names must all have entries where they sound like hardware; below them, what any entry is about.
COMPLETE = ("torch.testing._internal.", "torch.cuda", "torch.xpu", "torch.mps", "torch.mtia", "torch.accelerator")


def release_of(text):
    """2.14.1+cpu is (2, 14)."""
    return tuple(int(part) for part in text.split(".")[:2])


def is_module(name):
    """Asked without importing it, as some modules can only be imported by others."""
    try:
        return name in sys.modules or importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # what stands above it is no package
        return False


def exists(dotted):
    """Whether a dotted name is a module, or can be reached from the longest part of it that is one."""
    parts = dotted.split(".")
    end = next((end for end in range(len(parts), 0, -1) if is_module(".".join(parts[:end]))), 0)
    if end in (0, len(parts)):
        return end > 0
    try:
        functools.reduce(getattr, parts[end:], importlib.import_module(".".join(parts[:end])))
    except AttributeError:
        return False
    return True


def has_build(device):
    """Whether this PyTorch was built for a device type, or with MPI; a plug-in's device is there when its module is."""
    import torch
    if device == "mpi":
        return torch.distributed.is_available() and torch.distributed.is_mpi_available()
    if device == "cuda":
        return torch.version.cuda is not None or torch.version.hip is not None
    if device == "xpu":
        return getattr(torch.version, "xpu", None) is not None
    if device == "mps":
        return torch.backends.mps.is_built()
    return hasattr(torch, device)


def expected(symbol, release, built):
    """Whether an entry says that this release and build have the name; None where it does not say."""
    since, until = (release_of(symbol[key]) if symbol[key] else None for key in ("since", "until"))
    if (since or until) and release not in RELEASES:
        return None
    if (since and release < since) or (until and release > until):
        return False
    if not symbol["build"]:
        return True
    # A build for the device may lack a part of it, or a machine the device: then nothing is known.
    return None if built(symbol["build"]) else False


def check_entries(symbols, release, built=has_build, there=exists):
    faults = []
    for symbol in symbols:
        wanted = None if symbol["package"] else expected(symbol, release, built)
        if wanted is None:
            continue
        found = there(symbol["name"])
        if found == wanted:
            continue
        says = ", ".join(f"{key} {symbol[key]}" for key in ("since", "until", "build") if symbol[key]) or "nothing of releases"
        faults.append(f"{symbol['name']}: {'is' if found else 'is not'} in {'.'.join(map(str, release))}; its entry says {says}")
    return faults


def public_names(module):
    """What a module makes or hands on, without other modules and the names of typing."""
    for name, value in vars(module).items():
        home = getattr(value, "__module__", None) or ""
        if not name.startswith("_") and not isinstance(value, types.ModuleType) and home not in ("typing", "collections.abc"):
            yield name


def check_names(symbols):
    """Hardware names of the modules of COMPLETE that have no entry; one that is handed on may have it where it was made."""
    entries = symbols_used.Entries(symbols)
    last_words = {symbol["name"].rpartition(".")[2] for symbol in symbols}
    faults = []
    for module in sorted({symbol["module"] for symbol in symbols if symbol["module"].startswith(COMPLETE)}):
        if not is_module(module):
            continue
        for name in public_names(importlib.import_module(module)):
            known = entries.has(f"{module}.{name}") or name in last_words
            if symbols_used.sounds_like_hardware(name) and not known:
                faults.append(f"{module}.{name}: no entry")
    return faults


@contextlib.contextmanager
def quietly():
    """PyTorch's own modules warn and print when they are imported, some below Python."""
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield


def main(path):
    symbols = json.loads(pathlib.Path(path).read_text())["symbols"]
    with quietly():
        import torch
        release = release_of(torch.__version__)
        faults = check_entries(symbols, release) + check_names(symbols)
    for fault in faults:
        print(fault)
    print(f"PyTorch {torch.__version__}: {len(symbols)} entries, {len(faults)} not as they say")
    return 1 if faults or not symbols else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
