#!/usr/bin/env python3
"""demo_summary.py DIR: what the demo showed, in a newcomer's words, from the documents in DIR."""
import collections
import json
import pathlib
import sys


def plural(count, noun):
    return f"{count} {noun}" + ("" if count == 1 else "es" if noun.endswith("s") else "s")


def main():
    folder = pathlib.Path(sys.argv[1])
    facts, classes, findings, selection, run = (json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
                                                for name in ("scan", "classify", "lint", "select", "run"))
    needs = collections.Counter(cls["inferred"] for cls in classes["classes"])
    mixed = [cls["name"] for cls in classes["classes"] if cls["mixed"]]
    files = {finding["path"] for finding in findings["findings"]}
    outcomes = collections.Counter(result["outcome"] for result in run["results"])
    left_out = sum(len(ids) for ids in run["not_run"].values())
    print(f"hwsift read {plural(facts['counts']['test_files'], 'test file')} with {plural(facts['counts']['tests'], 'test')} and imported none of them.")
    print(f"Their {plural(len(classes['classes']), 'class')} need: " + ", ".join(f"{name} {count}" for name, count in sorted(needs.items())) +
          (f". To be split, since their tests disagree: {', '.join(mixed)}." if mixed else "."))
    print(f"The lint has {plural(len(findings['findings']), 'finding')} in {plural(len(files), 'file')}; "
          "the file on the allowlist may break the rules a while longer.")
    print(f"For a CPU it selected {plural(len(selection['tests']), 'test')} of the source, and the run gave "
          f"{plural(len(run['results']), 'result')}: " + ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items())) + ".")
    print(f"{plural(left_out, 'test')} did not run, each with its reason: no test is lost from sight.")
    print("\nNext: point it at a checkout of PyTorch with build/hwsift -C CHECKOUT lint; README.md has the commands.")


if __name__ == "__main__":
    main()
