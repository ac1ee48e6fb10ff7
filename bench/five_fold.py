#!/usr/bin/env python3
"""How well the categories agree with labels given by hand on files that nothing was tuned on.

    five_fold.py HWSIFT TREE LABELS.tsv [RULES]

The files of LABELS (path, class, category, split, contested, confidence, ...) are dealt to five folds. For each fold the
switches of rules/policy.yaml are set as they fit the other four best, and the classes of the fold are scored with those.
Each setting of the switches is run once on the labelled files. A label of a class that upstream split (`parent`) is met when
the class is called mixed, any other when the inferred category is the label.
"""
import csv
import itertools
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

FOLDS = 5
SAME = {"DEVICE_GENERIC": "ACCELERATOR"}


def read_switches(policy):
    lines = [line for line in policy.read_text().splitlines() if line and not line.startswith("#")]
    return [line.partition(":")[0] for line in lines]


def verdicts(hwsift, tree, paths, rules):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as names, tempfile.NamedTemporaryFile(suffix=".json") as out:
        names.write("\n".join(paths) + "\n")
        names.flush()
        subprocess.run([hwsift, "-C", tree, "--rules", rules, "classify", "@" + names.name, "-o", "json:" + out.name],
                       check=True)
        return {(c["path"], c["name"]): c for c in json.load(open(out.name))["classes"]}


def is_met(row, classes):
    found = classes.get((row["path"], row["class"]))
    if found is None:
        return False
    if row["split"] == "parent":
        return found["mixed"]
    return SAME.get(found["inferred"], found["inferred"]) == row["category"]


def is_strict(row):
    return row["split"] != "parent" and row["contested"] == "no" and row["confidence"] not in ("inferred", "filelevel")


def best_of(settings, by_setting, rows):
    """Of those that fit equally well the first, which is the one with most switches on."""
    return max(settings, key=lambda s: (sum(is_met(row, by_setting[s]) for row in rows), -settings.index(s)))


def print_figure(name, rows, met):
    print(f"{name}: {sum(map(met, rows))} of {len(rows)} = {100 * sum(map(met, rows)) / max(len(rows), 1):.1f} %")


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    hwsift, tree, labels = sys.argv[1:4]
    rules = pathlib.Path(sys.argv[4] if len(sys.argv) == 5 else pathlib.Path(__file__).parent.parent / "rules")
    rows = list(csv.DictReader(open(labels), delimiter="\t"))
    paths = sorted({row["path"] for row in rows if (pathlib.Path(tree) / row["path"]).exists()})
    fold_of = {path: i % FOLDS for i, path in enumerate(paths)}
    rows = [row for row in rows if row["path"] in fold_of]
    switches = read_switches(rules / "policy.yaml")
    settings = list(itertools.product((True, False), repeat=len(switches)))
    by_setting = {}
    with tempfile.TemporaryDirectory() as scratch:
        own_rules = pathlib.Path(scratch) / "rules"
        shutil.copytree(rules, own_rules)
        for setting in settings:
            text = "".join(f"{name}: {str(on).lower()}\n" for name, on in zip(switches, setting))
            (own_rules / "policy.yaml").write_text(text)
            by_setting[setting] = verdicts(hwsift, tree, paths, own_rules)
    chosen = [best_of(settings, by_setting, [r for r in rows if fold_of[r["path"]] != fold]) for fold in range(FOLDS)]
    for fold, setting in enumerate(chosen):
        off = [name for name, on in zip(switches, setting) if not on]
        print(f"fold {fold + 1}: off: {', '.join(off) or 'none'}")
    held_out = lambda row: by_setting[chosen[fold_of[row["path"]]]]
    met = lambda row: is_met(row, held_out(row))
    mixed = lambda row: bool(held_out(row).get((row["path"], row["class"]), {}).get("mixed"))
    whole = [row for row in rows if row["split"] != "parent"]
    print_figure("split parents called mixed", [row for row in rows if row["split"] == "parent"], met)
    print_figure("unsplit called mixed", whole, mixed)
    print_figure("unsplit", whole, met)
    print_figure("unsplit, uncontested, stated (strict)", [row for row in rows if is_strict(row)], met)


main()
