"""README.md is true: its shell blocks marked `runnable` run as written, and show what stands below them.

A marked block opens with ```sh runnable; each line `$ COMMAND` is run in the repository with the built hwsift as build/hwsift, and
the lines up to the next command are what it must print, in order, other lines between them allowed where a line is `...`.
"""
import re
import shutil
import sys

import harness
from harness import HWSIFT, REPOSITORY, HwsiftTest, run

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```sh runnable\n(.*?)^```$", re.M | re.S)


def commands_in(text):
    """(command, expected lines) of each command of the marked blocks."""
    for block in BLOCK.findall(text):
        current = None
        for line in block.splitlines():
            if line.startswith("$ "):
                if current:
                    yield current
                current = (line[2:], [])
            elif current:
                current[1].append(line)
        if current:
            yield current


def pattern_of(lines):
    """A regular expression for the expected lines; `...` stands for any lines."""
    parts = [r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"[ ]*\n" for line in lines]
    return "".join(parts)


class Pages(HwsiftTest):
    def setUp(self):
        super().setUp()
        self.place = self.scratch / "repository"
        shutil.copytree(REPOSITORY / "tests/fixtures/sample", self.place / "tests/fixtures/sample")
        (self.place / "build").mkdir()
        (self.place / "build/hwsift").symlink_to(HWSIFT)

    def test_marked_blocks(self):
        done = 0
        for page in PAGES:
            for command, expected in commands_in(page.read_text(encoding="utf-8")):
                with self.subTest(page=page.name, command=command):
                    ran = run("bash", "-c", command + " 2>&1", cwd=self.place)
                    self.assertIn(ran.code, (0, 1, 4, 6), ran.out)
                    self.assertRegex(ran.out, pattern_of(expected))
                done += 1
        self.assertGreater(done, 0, "no marked block in any page")

    def test_links_lead_somewhere(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
                self.assertTrue((page.parent / target).exists(), f"{page.name}: {target}")

    def test_the_folder_map_is_the_folder(self):
        named = set(re.findall(r"^\| `([a-z_.]+)/?` ", (REPOSITORY / "README.md").read_text(), re.M))
        for folder in REPOSITORY.iterdir():
            if folder.is_dir() and not folder.name.startswith((".", "build", "__")):
                self.assertIn(folder.name, named)
        for name in named - COMMANDS:
            self.assertTrue((REPOSITORY / name).exists(), name)

    def test_the_commands_are_those_of_the_program(self):
        page = (REPOSITORY / "README.md").read_text()
        for command in re.findall(r"(?m)^  ([a-z]+) {2,}", self.hwsift("--help").out.split("SUBCOMMANDS")[-1].split("Subcommands:")[-1]):
            self.assertRegex(page, rf"(?m)^\| `{command}\b")


COMMANDS = {"scan", "classify", "explain", "lint", "allowlist", "select", "plan", "run", "merge", "rerun", "replay", "report", "history", "track", "doctor", "rules"}

if __name__ == "__main__":
    harness.main()
