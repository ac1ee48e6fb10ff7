"""docs/performance.md: fixed words around tables. --check holds a page to everything in it but its figures."""
import difflib
import re

PLACE = re.compile(r"^@([a-z-]+)@$", re.MULTILINE)


def fill(template, parts):
    """Puts each part where the template has its name between @; a part too many or too few is an error."""
    names = set(PLACE.findall(template))
    if names != set(parts):
        raise ValueError(f"the template has {sorted(names)}, the measurements are {sorted(parts)}")
    return PLACE.sub(lambda place: parts[place.group(1)], template)


def code_block(text):
    return f"```text\n{text.rstrip()}\n```"


def skeleton(page):
    """The page without figures: of the rows of a table the first cell, of a block of output nothing."""
    lines, in_block, in_rows = [], False, False
    for line in page.splitlines():
        if line.startswith("```"):
            in_block = not in_block
        elif in_block:
            continue
        elif not line.startswith("|"):
            in_rows = False
        elif in_rows:
            line = "| " + line.split("|")[1].strip()
        else:
            in_rows = line.startswith("| ---")
        lines.append(line)
    return lines


def difference(page, expected):
    """What --check prints; "" where the page is what the command would write but for figures."""
    return "\n".join(difflib.unified_diff(skeleton(page), skeleton(expected), "the page", "what would be written",
                                          lineterm=""))
