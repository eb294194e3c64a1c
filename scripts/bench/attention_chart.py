#!/usr/bin/env python3
"""Draws the table of attention_study.sh as SVG, a panel for each task, or prints it in Markdown.
usage: scripts/bench/attention_chart.py TABLE.csv > docs/attention-study.svg
       scripts/bench/attention_chart.py TABLE.csv --markdown"""

import csv
import math
import sys
from pathlib import Path

TASKS = {  # folder: title, score
    "g2p": ("Hungarian g2p", "exact"),
    "inflection": ("Arabic inflection", "exact"),
    "scan-length": ("SCAN length", "exact"),
    "scan-addprim_jump": ("SCAN add-jump", "exact"),
    "translation": ("Multi30k en-de", "chrf"),
}
TITLES = {"exact": "exact, %", "chrf": "chrF"}
BASELINE, WITHOUT, LEVEL = "general", "none", 0.05
LEFT, PANEL, GAP, TOP, ROW = 90, 134, 28, 64, 22  # pixels
INK, QUIET, GRID, BETTER, WORSE = "#222222", "#888888", "#dddddd", "#0072b2", "#d55e00"


def read_cells(path):
    """{mechanism: {task: (mean, deviation, minimum, maximum, p)}} of the mechanisms with three seeds of each task"""
    cells = {}
    with Path(path).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            task = Path(row["data.dir"]).name
            score = f"test.test.{TASKS[task][1]}"
            if row["count"] == "3" and row[score]:
                figures = (row[score + end] for end in ("", "_deviation", "_min", "_max", "_p"))
                cells.setdefault(row["runs"].split(",")[0], {})[task] = tuple(float(figure or "nan") for figure in figures)
    cells = {mechanism: row for mechanism, row in cells.items() if len(row) == len(TASKS)}
    return dict(sorted(cells.items(), key=lambda cell: -mean_rank(cells, cell[0])))


def mean_rank(cells, mechanism):
    """The mean, over the tasks, of the number of mechanisms with a lower score."""
    return sum(other[task][0] < cells[mechanism][task][0] for task in TASKS for other in cells.values()) / len(TASKS)


def verdict(cell, baseline):
    """1: better than the baseline, -1: worse, 0: no significant difference."""
    return 0 if math.isnan(cell[4]) or cell[4] >= LEVEL else 1 if cell[0] > baseline[0] else -1


def markdown(cells):
    yield "| attention | " + " | ".join(f"{title}, {TITLES[score].split(',')[0]}" for title, score in TASKS.values()) + " |"
    yield "|---|" + "---:|" * len(TASKS)
    best = {task: max(row[task][0] for row in cells.values()) for task in TASKS}
    for mechanism, row in cells.items():
        texts = []
        for task in TASKS:
            mean = f"{row[task][0]:.1f}"
            mark = {1: " ↑", -1: " ↓", 0: ""}[verdict(row[task], cells[BASELINE][task])]
            texts.append((f"**{mean}**" if row[task][0] == best[task] else mean) + f" ± {row[task][1]:.1f}{mark}")
        yield f"| {mechanism} | " + " | ".join(texts) + " |"


def text(x, y, content, anchor="middle", colour=INK, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{more}>{content}</text>'


def line(x1, y1, x2, y2, colour, more=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{more}/>'


def step_of(span):
    """A round step that divides a span into two to five parts."""
    power = 10 ** math.floor(math.log10(span))
    return next(power * factor for factor in (0.2, 0.5, 1, 2) if span / (power * factor) <= 5)


def panel(left, task, cells, bottom):
    title, score = TASKS[task]
    low = min(row[task][2] for mechanism, row in cells.items() if mechanism != WITHOUT)
    high = max(row[task][3] for row in cells.values())
    step = step_of(high - low)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    baseline = cells[BASELINE][task]

    def x(value):
        return left + (value - low) / (high - low) * PANEL

    yield text(left + PANEL / 2, TOP - 26, title, more=' font-weight="bold"')
    yield text(left + PANEL / 2, TOP - 10, TITLES[score], colour=QUIET)
    for tick in range(round((high - low) / step) + 1):
        value = low + tick * step
        yield line(x(value), TOP, x(value), bottom, GRID)
        yield text(x(value), bottom + 16, f"{value:.{0 if step >= 1 else 1}f}", colour=QUIET)
    yield line(x(baseline[0]), TOP, x(baseline[0]), bottom, INK, ' stroke-dasharray="4 3"')
    for place, row in enumerate(cells.values()):
        mean, _, least, most, _ = row[task]
        y = TOP + (place + 0.5) * ROW
        colour = {1: BETTER, -1: WORSE, 0: QUIET}[verdict(row[task], baseline)]
        if mean < low:
            yield text(left, y + 4, f"◂ {mean:.1f}", "start", colour)
            continue
        yield line(max(x(least), left), y, x(most), y, colour, ' stroke-width="2"')
        yield f'<circle cx="{x(mean):.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'


def chart(cells):
    bottom = TOP + ROW * len(cells)
    width, height = LEFT + len(TASKS) * (PANEL + GAP) + GAP, bottom + 46
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
    yield f'<rect width="{width}" height="{height}" fill="white"/>'
    yield text(10, 20, "Attention mechanisms in one model: mean, lowest and highest score of three seeds", "start")
    for place, mechanism in enumerate(cells):
        yield text(LEFT - 10, TOP + (place + 0.5) * ROW + 4, mechanism, "end")
    for place, task in enumerate(TASKS):
        yield from panel(LEFT + 5 + place * (PANEL + GAP), task, cells, bottom)
    legend = ((BETTER, f"better than {BASELINE} (dashed), p &lt; {LEVEL}"), (WORSE, "worse"), (QUIET, "no significant difference"))
    x = LEFT
    for colour, words in legend:
        yield f'<circle cx="{x:.1f}" cy="{bottom + 34:.1f}" r="4" fill="{colour}"/>'
        yield text(x + 10, bottom + 38, words, "start")
        x += 34 + 6.2 * len(words)
    yield "</svg>"


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--markdown"]):
        sys.exit("\n".join(__doc__.split("\n")[1:]))
    cells = read_cells(sys.argv[1])
    print("\n".join(markdown(cells) if sys.argv[2:] else chart(cells)))


if __name__ == "__main__":
    main()
