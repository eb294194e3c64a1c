#!/usr/bin/env python3
"""Prints every feature of scripts/features.txt with what came of the tests that hold it.

usage: scripts/features.py REPORTS      exits with 1 if a feature has no test that passed, or a key or option that is not documented
"""

import os
import re
import sys
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from test_summary import name_of, test_cases

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[1]))
COMMAND_LINE = "docs/command-line.md"
CONFIG = "docs/config.md"


# ---- the list


@dataclass
class Row:
    """A feature: what chooses it, keys of a config or options of a command, and the tests that fail if it does nothing."""

    section: str
    feature: str
    keys: list
    tests: list = field(default_factory=list)


def read_list(text):
    """Rows and mistakes. `== SECTION`, `FEATURE | KEY, KEY` or `FEATURE | -`, below it indented the tests, a line each."""
    rows, mistakes, section = [], [], ""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("== "):
            section = line[3:].strip()
        elif line[0].isspace():
            if rows:
                rows[-1].tests.append(line.strip())
            else:
                mistakes.append(f"line {number}: a test without a feature")
        elif line.count("|") != 1:
            mistakes.append(f"line {number}: expected `FEATURE | KEY, KEY`, found '{line}'")
        else:
            feature, keys = (part.strip() for part in line.split("|"))
            keys = [] if keys == "-" else re.split(r",\s+", keys)
            if any(row.section == section and row.feature == feature for row in rows):
                mistakes.append(f"line {number}: '{feature}' stands in the section already")
            rows.append(Row(section, feature, keys))
    return rows, mistakes


# ---- the documentation


class ConfigPage:
    """The keys of docs/config.md: paths such as train.clip, data.train[].weight, data.test.NAME, text.NAME.join.

    A key of a kind is found below the key that holds the kind: model.encoder.reverse. `=WORD` behind a key has to be one of its
    values: model.encoder=rnn.
    """

    ROW = re.compile(r"^\| `([^`]+)` \| (.*?) \| [^|]* \| [^|]* \|$")
    LINK = re.compile(r"\]\(#([^)]+)\)")

    def __init__(self, text):
        self.tables, self.groups = {"": {}}, {}  # anchor -> its keys; anchor of "Kinds of …" -> anchors of the kinds
        table, group = "", None
        for line in text.splitlines():
            heading = re.match(r"^(##+) (.*)$", line)
            row = self.ROW.match(line)
            if heading:
                table = self.anchor(heading.group(2))
                self.tables[table] = {}
                if heading.group(2).startswith("Kinds of "):
                    group = self.groups[table] = []
                elif len(heading.group(1)) == 3 and group is not None:
                    group.append(table)
            elif row:
                self.tables[table][row.group(1)] = row.group(2)

    @staticmethod
    def anchor(heading):
        return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")

    def holds(self, key):
        path, _, value = key.partition("=")
        tables, cell = [self.tables[""]], ""
        parts = path.split(".")
        while parts:
            cell = next((table[parts[0].removesuffix("[]")] for table in tables if parts[0].removesuffix("[]") in table), None)
            if cell is None:
                return False
            parts.pop(0)
            if cell.startswith("map from names") and parts:
                parts.pop(0)  # any name
            anchor = self.LINK.search(cell)
            anchors = self.groups.get(anchor.group(1), [anchor.group(1)]) if anchor else []
            tables = [self.tables.get(name, {}) for name in anchors]
        return not value or value in re.findall(r"\w+", self.LINK.sub("]", cell))


class CommandPage:
    """The commands of docs/command-line.md: the words of `heed translate --nbest` stand in the section of `heed translate`."""

    def __init__(self, text):
        parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
        self.general, self.sections = parts[0], dict(zip(parts[1::2], parts[2::2]))

    def holds(self, key):
        section = max((name for name in self.sections if f"{key} ".startswith(f"{name} ")), key=len, default=None)
        if section is None:
            return False
        text = self.sections[section] + self.general
        words = key.removeprefix(section).split()
        return all(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) for word in words)


def undocumented(rows, config, commands):
    for row in rows:
        for key in row.keys:
            if key.startswith("heed "):
                if not commands.holds(key):
                    yield f"{row.feature}: `{key}` does not stand in {COMMAND_LINE}"
            elif not config.holds(key):
                yield f"{row.feature}: `{key}` does not stand in {CONFIG}"


# ---- the tests


PASSED, FAILED, SKIPPED, NOT_RUN, UNKNOWN = "passed", "FAILED", "SKIPPED", "NOT RUN", "no such test"


def read_reports(folder):
    """What came of each test by its name, Suite.Test."""
    results = {}
    for case in test_cases(folder):
        if case.find("failure") is not None:
            result = FAILED
        elif case.find("skipped") is not None or case.get("result") == "skipped":
            result = SKIPPED
        else:
            result = PASSED if case.get("status") == "run" else NOT_RUN
        results[name_of(case)] = result
    return results


def defined_tests(folder):
    """Suite.Test of everything that the sources of the tests define, without what parameters add to it."""
    found = set()
    for path in folder.rglob("*_test.cpp"):
        found |= {".".join(m) for m in re.findall(r"\bTEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", path.read_text(encoding="utf-8"))}
    for path in folder.rglob("*_test.py"):
        suite = ""
        for kind, name in re.findall(r"^\s*(class|def) (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            if kind == "class":
                suite = name
            elif name.startswith("test"):
                found.add(f"{suite}.{name}")
    return found


def plain_name(name):
    """All/Laws.StepByStep/rnn -> Laws.StepByStep"""
    suite, _, test = name.partition(".")
    return f"{suite.split('/')[-1]}.{test.split('/')[0]}"


def judge(pattern, results, defined):
    """The result of one test, or of all that a pattern with * matches."""
    matching = [result for name, result in results.items() if fnmatchcase(name, pattern)] if "*" in pattern else []
    if pattern in results:
        matching = [results[pattern]]
    if not matching:
        return NOT_RUN if any(fnmatchcase(name, plain_name(pattern)) for name in defined) else UNKNOWN
    worst = next((result for result in (FAILED, NOT_RUN, SKIPPED) if result in matching), PASSED)
    return worst if len(matching) == 1 else f"{worst} ({matching.count(worst)} of {len(matching)})"


# ---- the table


def cells_of(row, tests):
    """One line of cells for each test and each key, whichever are more: feature, key, test, result."""
    keys = row.keys or ["-"]
    for i in range(max(len(tests), len(keys))):
        key = keys[i] if i < len(keys) else ""
        yield (row.feature if i == 0 else "", key, *(tests[i] if i < len(tests) else ("", "")))


def table(rows, results, defined):
    """The lines to print, and how many rows are held by tests that all passed."""
    sections, held = {}, 0
    for row in rows:
        tests = [(test, judge(test, results, defined)) for test in row.tests] or [("no test", UNKNOWN)]
        held += all(result.startswith(PASSED) for _, result in tests)
        sections.setdefault(row.section, []).extend(cells_of(row, tests))
    lines = []
    for section, cells in sections.items():
        widths = [max(map(len, column)) for column in zip(*cells)]
        lines += ["", f"== {section}"]
        lines += ["  ".join(text.ljust(width) for text, width in zip(cell, widths)).rstrip() for cell in cells]
    return lines[1:], held


def main(reports):
    reports = Path(reports)
    results = read_reports(reports)
    if not results:
        print(f"error: no test reports in {reports}; scripts/test.sh makes them", file=sys.stderr)
        return 1
    rows, mistakes = read_list((ROOT / "scripts/features.txt").read_text(encoding="utf-8"))
    pages = [(ROOT / page).read_text(encoding="utf-8") for page in (CONFIG, COMMAND_LINE)]
    mistakes += undocumented(rows, ConfigPage(pages[0]), CommandPage(pages[1]))
    lines, held = table(rows, results, defined_tests(ROOT / "tests"))
    print("\n".join(lines) + "\n")
    for mistake in mistakes:
        print(f"features.txt: {mistake}")
    if held == len(rows) and not mistakes:
        print(f"{len(rows)} features, each held by tests that passed")
        return 0
    print(f"FAILED: {len(rows) - held} of {len(rows)} features without a passed test, {len(mistakes)} other mistakes")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
