#!/usr/bin/env python3
"""What is tested, by the reports of the tests: each says in its report what it holds (tests/holds.h).

usage: scripts/tested.py keys|mechanisms [REPORTS]      REPORTS: build/release/reports
  keys        every key of docs/config.md outside the network, every command, and each of its options
  mechanisms  every kind of encoder, decoder, attention, … by what is tested of it; wants `scripts/test.sh --slow`
Prints a table, a row each with the number of tests that passed. Exits with 1 where a row has none, or where a test
names a column or an excused mechanism that does not exist; a test may give the reason for a mechanism (holds_not).
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from test_summary import name_of, test_cases

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[1]))
PROGRAM = os.environ.get("HEED_PROGRAM", ROOT / "build/release/bin/heed")

COLUMNS = ("reference", "gradient", "padding", "steps", "beam", "resume", "learning", "plot")
# Other columns of the reports: keys and runs of what is outside the network, and the figures of a learned task.
OTHERS = ("keys", "runs", "task", "with", "without", "goal")
# Kinds outside the network; their keys are listed in the table of keys.
NO_MECHANISMS = ("text", "optimizer", "schedule")


def read_reports(folder):
    """What the tests that passed hold: {column: {name: [test, …]}}, and why some is not held: {"not COLUMN": {name: [reason]}}.

    Keys and options stand in the column `keys`.
    """
    held = {}
    for case in test_cases(folder):
        if case.find("failure") is not None or case.find("skipped") is not None or case.get("status") != "run":
            continue
        for fact in case.iter("property"):
            column, value = fact.get("name"), fact.get("value", "")
            for item in value.split("; " if column.startswith("not ") else ", "):
                name, _, reason = item.partition(" = ")
                held.setdefault(column, {}).setdefault(name, []).append(reason or name_of(case))
    return held


# ---- available keys and mechanisms


class ConfigPage:
    """The tables of docs/config.md: `tables[heading][key]` is the column `value`, `groups[anchor]` the kinds of one thing."""

    ROW = re.compile(r"^\| `([^`]+)` \| (CELL) \| CELL \| CELL \|$".replace("CELL", r"(?:[^|\\]|\\.)*"))
    LINK = re.compile(r"\]\(#([^)]+)\)")

    def __init__(self, text):
        self.tables, self.groups, kinds = {"": {}}, {}, None
        heading = ""
        for line in text.splitlines():
            if found := re.match(r"^(##+) (.*)$", line):
                heading = found.group(2).replace("`", "")
                self.tables[heading] = {}
                if heading.startswith("Kinds of "):
                    kinds = self.groups[self.anchor(heading)] = []
                elif kinds is not None:
                    kinds.append(heading)
            elif row := self.ROW.match(line):
                self.tables[heading][row.group(1)] = row.group(2)
        self.headings = {self.anchor(name): name for name in self.tables}

    @staticmethod
    def anchor(heading):
        return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")

    def keys(self, heading="", above=""):
        """train.clip, data.train[].weight, text.NAME=words, text.NAME.join, …; of the network's kinds the key that takes them."""
        for key, value in self.tables[heading].items():
            path = above + key + ("[]" if "list of [" in value else ".NAME" if value.startswith("map from names to [") else "")
            link = self.LINK.search(value)
            kinds = self.groups.get(link.group(1)) if link else None
            if kinds is None and link is None:
                yield path
            elif kinds is None:
                yield from self.keys(self.headings[link.group(1)], path + ".")
            elif key in NO_MECHANISMS:
                for kind in kinds:
                    if kind.count(" ") == 1:  # no settings inside a kind
                        yield f"{path}={kind.split(': ')[1]}"
                        yield from self.keys(kind, path + ".")
            else:
                yield above + key

    def mechanisms(self):
        """"score: dot", "decoder: rnn past": the headings of the kinds inside the network."""
        for kinds in self.groups.values():
            yield from (kind for kind in kinds if not kind.startswith(NO_MECHANISMS))


def config_page():
    return ConfigPage((ROOT / "docs/config.md").read_text(encoding="utf-8"))


def help_of(*command):
    return subprocess.run([PROGRAM, *command, "--help"], check=True, capture_output=True, text=True).stdout


def commands_and_options(*command):
    """{"heed translate": [], "heed translate --output": ["heed translate -o"], …}: with other ways to write each."""
    page = help_of(*command)
    inside = re.search(r"^Subcommands:\n((?:  .*\n)+)", page, re.MULTILINE)
    words = " ".join(["heed", *command])
    found = {} if inside else {words: []}
    for short, option in re.findall(r"^  (-\w)?,?(--[a-z][\w-]*)", page, re.MULTILINE):
        found[f"{words} {option}"] = [f"{words} {short}"] if short else []
    for name in re.findall(r"^  (\w+)", inside.group(1), re.MULTILINE) if inside else []:
        found |= commands_and_options(*command, name)
    return found


# ---- tables


def table_of_keys(held):
    """Lines, and what is missing.

    An option has a row for each command that takes it: a test that runs the command with it, and a test, maybe of
    another command, that holds it.
    """
    tests, runs = held.get("keys", {}), held.get("runs", {})
    rows = {name: tests.get(name, []) for name in config_page().keys()}
    options = set()
    for name, others in commands_and_options().items():
        option = name.split()[-1]
        if not option.startswith("-"):
            rows[name] = tests.get(name, [])
            continue
        options.add(option)
        rows[name] = [test for way in [name, *others] for test in runs.get(way, [])] if option in tests else []
    width = max(map(len, rows))
    lines = [f"{name:<{width}}  {len(found):>3}  {(found or ['no test'])[0]}" for name, found in rows.items()]
    unknown = [f"{name}: there is no such key, command or option" for name in tests if name not in rows and name not in options]
    return lines, [f"{name}: no test holds it" for name, found in rows.items() if not found] + unknown


def table_of_mechanisms(held):
    names = list(config_page().mechanisms())
    width = max(map(len, names))
    lines, holes = [" " * width + "".join(f" {column:>9}" for column in COLUMNS)], []
    for name in names:
        tests = {column: held.get(column, {}).get(name, []) for column in COLUMNS}
        excused = {column: name in held.get(f"not {column}", {}) for column in COLUMNS}
        cells = [len(tests[column]) or ("-" if excused[column] else "HOLE") for column in COLUMNS]
        holes += [f"{name}: no test holds its {column}" for column, cell in zip(COLUMNS, cells) if cell == "HOLE"]
        holes += [f"{name}: {column} is excused, and held" for column in COLUMNS if excused[column] and tests[column]]
        lines.append(f"{name:<{width}}" + "".join(f" {cell:>9}" for cell in cells))
    for column in COLUMNS:
        lines += [f"-  {name}, {column}: {reasons[0]}" for name, reasons in held.get(f"not {column}", {}).items()]
    return lines, holes


def misnamed(held):
    """What tests name and there is not: columns, and mechanisms that they excuse."""
    known = {*COLUMNS, *OTHERS, *(f"not {column}" for column in COLUMNS)}
    names = set(config_page().mechanisms())
    columns = [f"{column}: there is no such column" for column in held if column not in known]
    excused = [(column, name) for column in COLUMNS for name in held.get(f"not {column}", {}) if name not in names]
    return columns + [f"{name}: its {column} is excused, and there is no such mechanism" for column, name in excused]


TABLES = {"keys": table_of_keys, "mechanisms": table_of_mechanisms}


def main(table, reports=ROOT / "build/release/reports"):
    held = read_reports(Path(reports))
    if not held:
        print(f"error: no test reports in {reports}; scripts/test.sh makes them", file=sys.stderr)
        return 1
    lines, holes = TABLES[table](held)
    print("\n".join(lines))
    holes += misnamed(held)
    for hole in holes:
        print(hole, file=sys.stderr)
    return 1 if holes else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in TABLES:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
