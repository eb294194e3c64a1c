"""Prints the scores of a benchmark (benchmark.sh) as CSV: a line for each score of each seed and of each ensemble.

usage: benchmark_rows.py ROW FOLDER
"""

import csv
import datetime
import json
import subprocess
import sys
from pathlib import Path

from processor import processor

COLUMNS = ["date", "processor", "commit", "benchmark", "language", "setting", "seed", "score", "value", "parameters", "updates", "seconds"]


def language_and_setting(name):
    """The parts of "soft,dir=ady+self-1"."""
    parts = name.split(",")
    languages = [part for part in parts if part.startswith("dir=")]
    language, _, round_ = (languages or ["dir="])[0].removeprefix("dir=").partition("+")
    rest = [part for part in parts if part not in languages]
    return language, ",".join(rest + ([round_] if round_ else [])) or "base"


def figures(kind, line):
    return {f"{kind}.{name}": value for name, value in line.items() if isinstance(value, float) and name != "seconds"}


def scores_of(run, lines):
    """Scores of the checkpoint that `best` names: of its validation, and of the test sets."""
    best = (run / "best").resolve().name
    scores = {}
    for line in lines:
        if line["kind"] == "validation" and best == f"step-{line['update']:08}":
            scores |= figures("validation", line)
        if line["kind"] == "test":
            scores |= figures(f"test.{line['name']}", line)
    return scores


def seeds(folder, table):
    """The scores of each run of a sweep."""
    for row in table:
        for seed in [] if row["setting"].endswith(" (ensemble)") else row["seeds"]:
            run = folder / row["setting"] / seed
            lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
            seconds = max(line.get("seconds", 0) for line in lines)
            updates = max(line.get("update", 0) for line in lines)
            for name, value in scores_of(run, lines).items():
                yield row["setting"], seed, name, value, row["parameters"], updates, round(seconds)


def ensembles(table):
    for row in table:
        name = row["setting"].removesuffix(" (ensemble)")
        if name != row["setting"]:
            for score, value in row["scores"].items():
                yield name, "ensemble of " + "+".join(row["seeds"]), score, value["mean"], row["parameters"], "", ""


def main():
    benchmark, folder = sys.argv[1], Path(sys.argv[2])
    commit = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    for path in sorted(folder.glob("*/table.json")):
        table = json.loads(path.read_text())
        for name, *rest in [*seeds(path.parent, table), *ensembles(table)]:
            writer.writerow([datetime.date.today(), processor(), commit, benchmark, *language_and_setting(name), *rest])


if __name__ == "__main__":
    main()
