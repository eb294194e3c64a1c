#!/usr/bin/env python3
"""Prints a table of runs: the config keys in which they differ, and the figures of the best validation.
usage: scripts/results.py RUN… [--metric NAME]      --metric: of the validation, else that of the config"""

import argparse
import json
import pathlib
import re
import statistics
import sys

WIDEST = 120  # columns of the table
LOWER_IS_BETTER = {"loss", "perplexity", "ter", "wer"}


def flatten(text):
    """Keys and values of a stored config, as heed writes it: two spaces a level, small maps on one line."""
    values, path = {}, []
    for line in text.splitlines():
        match = re.match(r"( *)(- )?([^:]+):(?: (.*))?$", line)
        if not match:
            continue
        indent, item, key, value = match.groups()
        path = path[: (len(indent) + len(item or "")) // 2] + [key]
        flat_map = re.fullmatch(r"\{([^{}\[\]]+)\}", value or "")
        if flat_map:
            for pair in flat_map[1].split(", "):
                inner, _, inner_value = pair.partition(": ")
                values[".".join([*path, inner])] = inner_value
        elif value:
            values[".".join(path)] = value
    return values


def read_run(folder, metric):
    try:
        config = flatten((folder / "config.yaml").read_text(encoding="utf-8"))
        lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    except OSError as error:
        sys.exit(f"results.py: {error.filename}: {error.strerror}; name the folders of runs")
    validations = [row for row in map(json.loads, lines) if row["kind"] == "validation"]
    name = metric or config["train.validate.metric"]
    measured = [row for row in validations if name in row]
    if not measured:
        return config, name, None
    choose = min if name in LOWER_IS_BETTER else max
    return config, name, choose(measured, key=lambda row: row[name])


def format_table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def print_table(rows):
    """A row for each run, or a column where the rows would be too wide: runs that differ in many keys."""
    lines = format_table(rows)
    if max(map(len, lines)) > WIDEST:
        lines = format_table(list(zip(*rows)))
    print("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="+", type=pathlib.Path)
    parser.add_argument("--metric")
    options = parser.parse_args()
    runs = [(folder, *read_run(folder, options.metric)) for folder in options.runs]
    keys = sorted({key for _, config, _, _ in runs for key in config} - {"run"})
    differing = [key for key in keys if len({config.get(key) for _, config, _, _ in runs}) > 1]
    metric = runs[0][2]
    rows = [["run", *differing, "update", metric]]
    for folder, config, _, best in runs:
        figures = [str(best["update"]), f"{best[metric]:.2f}"] if best and metric in best else ["-", "-"]
        rows.append([str(folder), *(config.get(key, "-") for key in differing), *figures])
    print_table(rows)
    scores = [best[metric] for _, _, _, best in runs if best and metric in best]
    if set(differing) <= {"seed"} and len(scores) > 1:
        print(f"{metric}: mean {statistics.mean(scores):.2f}, standard deviation {statistics.stdev(scores):.2f}")


if __name__ == "__main__":
    main()
