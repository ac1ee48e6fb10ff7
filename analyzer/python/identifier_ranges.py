"""Writes identifier_ranges.inc: the ranges of Unicode that Python's own tables name. Run it with the newest Python.

Usage: python3 identifier_ranges.py > identifier_ranges.inc
"""

import sys
import unicodedata


def ranges(holds):
    start = None
    for code in range(0x80, sys.maxunicode + 2):
        inside = code <= sys.maxunicode and holds(chr(code))
        if inside and start is None:
            start = code
        elif not inside and start is not None:
            yield start, code - 1
            start = None


def table(name, holds):
    items = ["{0x%X, 0x%X}," % pair for pair in ranges(holds)]
    print(f"constexpr Range {name}[] = {{")
    line = "   "
    for item in items:
        if len(line) + 1 + len(item) > 110:
            print(line)
            line = "   "
        line += " " + item
    print(line)
    print("};")


print(f"// Made by identifier_ranges.py from Unicode {unicodedata.unidata_version}. Do not edit.")
table("kStart", str.isidentifier)
table("kContinue", lambda c: ("a" + c).isidentifier())
table("kPrintable", lambda c: c.isprintable())
