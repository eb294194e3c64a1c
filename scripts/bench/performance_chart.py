#!/usr/bin/env python3
"""Draws docs/performance.svg: the speed of heed divided by that of another toolkit, from docs/measurements/*.csv.
usage: scripts/bench/performance_chart.py"""

import csv
import math
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROCESSORS = {"Zen 3": ("#888888", "AMD EPYC, Zen 3"), "Zen 4": ("#0072b2", "AMD EPYC, Zen 4"),
              "Zen 5": ("#d55e00", "AMD EPYC, Zen 5"), "Intel with AMX": ("#009e73", "Intel Xeon")}
SMALL, LSTM = "Transformer, 4+4", "LSTM of width 512, additive"
BASE = "Transformer, 6+6 layers of width 512, 32,000 words"

WIDTH, LEFT, RIGHT, TOP, STEP = 720, 275, 700, 66, 22  # pixels
LOWEST, HIGHEST, TICKS = 0.9, 13, (1, 1.5, 2, 3, 4, 6, 8, 12)  # ratios, on a logarithmic axis
TITLE = "Speed of heed divided by the speed of the other toolkit"


def table(name):
    with open(ROOT / "docs" / "measurements" / f"{name}.csv", newline="", encoding="utf-8") as lines:
        return [row for row in csv.DictReader(lines) if row["ratio"]]


def is_of_an_earlier_version(row):
    notes = [note.strip() for note in row["note"].split(";")]
    return "before" in row["quantity"] or any(note.startswith("before") for note in notes)


def training(model):
    """Rows of training beside OpenNMT-py: in bf16, on Zen 3 in fp32."""
    def wanted(row):
        setting = "fp32" if "Zen 3" in row["processor"] else "bf16"
        is_speed = row["quantity"] == "speed" or row["quantity"].startswith("speed ratio")
        measured = is_speed and "computed" not in row["quantity"]
        return (row["model"].startswith(model) and row["peer"].startswith("OpenNMT") and measured
                and row["setting"] in (setting, "bf16") and not is_of_an_earlier_version(row))
    return [row for row in table("training") if wanted(row)]


def translation(model, setting):
    def wanted(row):
        measured = row["quantity"] == "speed without start" or row["quantity"].startswith("speed ratio, best")
        return row["model"].startswith(model) and row["setting"].startswith(setting) and measured
    return [row for row in table("translation") if wanted(row)]


def lines_of_chart():
    """Headings, without rows, and labels with their rows."""
    yield "Training beside OpenNMT-py", None
    yield "small Transformer", training(SMALL)
    yield "LSTM", training(LSTM)
    yield "Translation beside CTranslate2", None
    for model, label in ((SMALL, "small"), (BASE, "base")):
        for precision in ("fp32", "int8"):
            for search in ("greedy", "beam 5"):
                setting = f"{precision}, {search}"
                yield f"{label} Transformer, {setting}", translation(model, setting)
    yield "Translation beside OpenNMT-py in fp32", None
    for precision in ("fp32", "int8"):
        yield f"LSTM, {precision}, beam 5", translation(LSTM, f"{precision}, beam 5")


def x_of(ratio):
    share = (math.log(ratio) - math.log(LOWEST)) / (math.log(HIGHEST) - math.log(LOWEST))
    return f"{LEFT + (RIGHT - LEFT) * share:.1f}"


def legend():
    x = 14
    for name, (color, _) in PROCESSORS.items():
        yield f'<circle cx="{x + 5}" cy="44" r="5" fill="{color}"/><text x="{x + 15}" y="48">{name}</text>'
        x += 30 + 7.6 * len(name)


def axis(bottom):
    for tick in TICKS:
        color = "#222" if tick == 1 else "#ddd"
        yield (f'<line x1="{x_of(tick)}" x2="{x_of(tick)}" y1="{TOP - 6}" y2="{bottom}" stroke="{color}"/>'
               f'<text x="{x_of(tick)}" y="{bottom + 16}" text-anchor="middle">{tick:g}</text>')
    yield (f'<text x="{(LEFT + RIGHT) / 2:.0f}" y="{bottom + 34}" text-anchor="middle">'
           'times as fast; at 1, both are equally fast</text>')


def dots(rows, y):
    """The lowest and the highest ratio of each processor."""
    for name, (color, start) in PROCESSORS.items():
        ratios = [float(row["ratio"]) for row in rows if row["processor"].startswith(start)]
        if not ratios:
            continue
        low, high = min(ratios), max(ratios)
        if high > low:
            yield f'<line x1="{x_of(low)}" x2="{x_of(high)}" y1="{y}" y2="{y}" stroke="{color}" stroke-width="3"/>'
        for ratio in sorted({low, high}):
            yield (f'<circle cx="{x_of(ratio)}" cy="{y}" r="5" fill="{color}" fill-opacity="0.85">'
                   f"<title>{name}: {ratio:g}</title></circle>")


def chart():
    """The text of docs/performance.svg."""
    lines = list(lines_of_chart())
    bottom = TOP + STEP * len(lines)
    height = bottom + 44
    fonts = "'DejaVu Sans','Noto Sans','Segoe UI',Arial,sans-serif"
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
           f'role="img" font-family="{fonts}" font-size="12" fill="#222">',
           f"<title>{TITLE}, on two cores</title>", '<rect width="100%" height="100%" fill="#fff"/>',
           f'<text x="14" y="24" font-size="14" font-weight="bold">{TITLE}, two cores</text>',
           *legend(), *axis(bottom)]
    for i, (label, rows) in enumerate(lines):
        y = TOP + STEP * i + 12
        if rows is None:
            out.append(f'<text x="14" y="{y + 4}" font-weight="bold">{label}</text>')
            continue
        out.append(f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{label}</text>'
                   f'<line x1="{LEFT}" x2="{RIGHT}" y1="{y}" y2="{y}" stroke="#eee"/>')
        out.extend(dots(rows, y))
    return "\n".join([*out, "</svg>"]) + "\n"


if __name__ == "__main__":
    (ROOT / "docs" / "performance.svg").write_text(chart(), encoding="utf-8")
