#!/usr/bin/env python3
"""The rows of the attention catalogue by what is tested of them: a table of ticks, and the names of the tests behind each.

usage: scripts/attention_table.py REPORTS      exits with 1 if a column of a row has no test, or one that did not pass
"""

import sys
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from features import PASSED, ROOT, read_reports

LIST = ROOT / "scripts/attention_table.txt"
COLUMNS = ("reference", "gradient", "padding", "steps", "beam", "resume", "learning", "plot")

# What a stage, or an attention without stages, has tests of by itself.
OF_ATTENTION = {
    "gradient": "All/Attentions.GradientsAreFiniteDifferences/{case}",
    "padding": "Everything/Laws.NeighboursAndOrderChangeNothing/*_{variant}",
    "steps": "Everything/Laws.StepByStepEqualsAllAtOnce/*_{variant}",
    "beam": "All/SlowMechanisms.PassesThroughBeamSearch/{variant}_*",
    "resume": "All/SlowMechanisms.ResumedEqualsUninterrupted/{variant}_*",
}
OF_COLUMN = {"learning": "All/SlowLearning*.ReachesItsGoal*/{}", "plot": "All/SlowPictures.AreDrawn/{}"}


@dataclass
class Row:
    """A row of the catalogue: for each column the patterns of its tests, or why it cannot apply."""

    name: str
    tests: dict = field(default_factory=lambda: {column: [] for column in COLUMNS})
    reasons: dict = field(default_factory=dict)


def add(row, word, rest):
    """One line below a row. False if it is none."""
    if word in ("stage", "beside"):
        first, _, second = (part.strip() for part in rest.partition(","))
        if not second:
            return False
        suite, case, variant = "AttentionDefinitions", second, first
        if word == "beside":
            suite, case, variant = second, f"{first}_*", f"attention_{first}"
        row.tests["reference"].append(f"All/{suite}.EqualTheEquations/{case}")
        for column, pattern in OF_ATTENTION.items():
            row.tests[column].append(pattern.format(case=case, variant=variant))
    elif word not in COLUMNS or not rest:
        return False
    elif rest.startswith("- "):
        row.reasons[word] = rest[2:]
    else:
        row.tests[word].append(rest if "." in rest else OF_COLUMN.get(word, "{}").format(rest))
    return True


def read_list(text):
    """Rows and mistakes."""
    rows, mistakes = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line[0].isspace():
            rows.append(Row(line.strip()))
            continue
        word, _, rest = line.strip().partition(" ")
        if not rows or not add(rows[-1], word, rest.strip()):
            mistakes.append(f"line {number}: expected a column and a test, found '{line.strip()}'")
    for row in rows:
        for column in COLUMNS:
            if bool(row.tests[column]) == (column in row.reasons):
                mistakes.append(f"{row.name}: {column} has neither a test nor a reason, or both")
    return rows, mistakes


def results_of(row, column, results):
    """Each test of a column with its result; a pattern that matches nothing stands for itself."""
    for pattern in row.tests[column]:
        matching = [name for name in results if fnmatchcase(name, pattern)]
        for name in matching or [pattern]:
            yield name, results.get(name, "not in the report")


def check(rows, results):
    """The lines of the table, those of the names below it, and the holes."""
    width = max(len(row.name) for row in rows)
    table, names, holes = [" " * width + " ".join(f" {column:>9}" for column in COLUMNS)], [], []
    for row in rows:
        cells = []
        names.append(row.name)
        for column in COLUMNS:
            if column in row.reasons:
                cells.append("-")
                names.append(f"  {column:<9} -  {row.reasons[column]}")
                continue
            found = list(results_of(row, column, results))
            bad = [f"{row.name}: {column}: {name}: {result}" for name, result in found if result != PASSED]
            holes += bad
            cells.append("HOLE" if bad else f"✓ {len(found)}")
            names.append(f"  {column:<9} {'HOLE' if bad else '✓'}  {found[0][0]}" + (f" (and {len(found) - 1} like it)" if found[1:] else ""))
        table.append(f"{row.name:<{width}}" + " ".join(f" {cell:>9}" for cell in cells))
    return table, names, holes


def main(folder):
    rows, mistakes = read_list(LIST.read_text(encoding="utf-8"))
    table, names, holes = check(rows, read_reports(Path(folder)))
    print("\n".join([*table, "", "Tests (✓ N: so many passed)", "", *names]))
    for hole in mistakes + holes:
        print(hole, file=sys.stderr)
    print(f"\n{len(rows)} rows, {len(rows) * len(COLUMNS)} cells, {len(mistakes) + len(holes)} holes")
    return 1 if mistakes or holes else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
