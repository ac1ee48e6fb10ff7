"""Tables of ratios, as text and as Markdown."""
from dataclasses import dataclass

from measure import Run


@dataclass(frozen=True)
class Table:
    head: tuple
    rows: tuple  # of tuples of cells as long as the head


RATIO_HEAD = ("", "times as fast, processor", "times as fast, wall", "processor", "wall", "peak memory", "spread")
GROWTH_HEAD = ("", "processor a copy", "times as fast as one thread, wall", "processor", "wall", "peak memory", "spread")


def least(runs):
    """The least of each cost, the most memory."""
    return Run(min(run.cpu for run in runs), min(run.wall for run in runs), max(run.peak for run in runs))


def spread(runs):
    """How far the rounds lie apart in processor time: the most by the least."""
    low = min(run.cpu for run in runs)
    return max(run.cpu for run in runs) / low if low else 0


def show_ratio(own, other):
    """own / other to three figures; nothing can be said of a zero."""
    if not own or not other:
        return "-"
    ratio = own / other
    digits = 0 if ratio >= 99.95 else 1 if ratio >= 9.995 else 2
    return f"{ratio:.{digits}f}x"


def show_time(seconds):
    if seconds >= 0.9995:
        return f"{seconds:.2f} s"
    return f"{seconds * 1000:.1f} ms" if seconds < 0.0995 else f"{seconds * 1000:.0f} ms"


def show_peak(megabytes, floor):
    return f"{megabytes:.0f} MB" if megabytes > 1.05 * floor else f"< {floor + 1:.0f} MB"


def costs(runs, floor):
    best = least(runs)
    return show_time(best.cpu), show_time(best.wall), show_peak(best.peak, floor), f"{spread(runs):.2f}"


def missing(name, reason, head):
    return (name, reason) + ("",) * (len(head) - 2)


def ratio_table(results, floor):
    """The first contender is the yardstick; where it has no runs there are no ratios."""
    yardstick = next(iter(results.values()))
    base = None if isinstance(yardstick, str) else least(yardstick)
    rows = []
    for name, runs in results.items():
        if isinstance(runs, str):
            rows.append(missing(name, runs, RATIO_HEAD))
            continue
        own = least(runs)
        ratios = (show_ratio(base.cpu, own.cpu), show_ratio(base.wall, own.wall)) if base else ("-", "-")
        rows.append((name, *ratios, *costs(runs, floor)))
    return Table(RATIO_HEAD, tuple(rows))


def growth_name(copies, jobs):
    return f"{copies} {'copy' if copies == 1 else 'copies'}, --jobs {jobs}"


def growth_table(results, steps, floor):
    """`steps`: pairs of copies and threads, each measured under its growth_name."""
    rows = []
    for copies, jobs in steps:
        runs, one, alone = (results[growth_name(*step)] for step in ((copies, jobs), (1, jobs), (copies, 1)))
        name = growth_name(copies, jobs)
        if any(isinstance(found, str) for found in (runs, one, alone)):
            rows.append(missing(name, runs if isinstance(runs, str) else "-", GROWTH_HEAD))
            continue
        rows.append((name, show_ratio(least(runs).cpu, copies * least(one).cpu),
                     show_ratio(least(alone).wall, least(runs).wall), *costs(runs, floor)))
    return Table(GROWTH_HEAD, tuple(rows))


def empty_table(names, head):
    """What --check compares with: rows without figures."""
    return Table(head, tuple((name,) + ("",) * (len(head) - 1) for name in names))


def two_lines(title):
    """A long title over two lines, cut at its comma."""
    above, comma, below = title.partition(", ")
    return (above, below) if comma else ("", title)


def text_table(table, emphasise=lambda row, line: line):
    """Aligned; the first column to the left, figures to the right. `emphasise` may colour a finished line."""
    head = [tuple(two_lines(title)[part] for title in table.head) for part in (0, 1)]
    figures = [row for row in table.rows if row[2:3] != ("",)]
    widths = [max(len(row[column]) for row in head + figures) for column in range(len(table.head))]
    widths[0] = max(len(row[0]) for row in table.rows)

    def line(row):
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        if row[2:3] == ("",):
            cells = [row[1]]
        return "  ".join([row[0].ljust(widths[0]), *cells]).rstrip()

    return "\n".join([*map(line, head), *(emphasise(row, line(row)) for row in table.rows)])


def markdown_table(table):
    rule = ("---",) + ("--:",) * (len(table.head) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in (table.head, rule, *table.rows))
