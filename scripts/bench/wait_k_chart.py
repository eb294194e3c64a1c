#!/usr/bin/env python3
"""Draws the table of wait_k_curve.sh as SVG: BLEU against average lagging, with a line for whole sentences.
usage: scripts/bench/wait_k_chart.py TABLE > docs/wait-k.svg"""

import math
import sys
from pathlib import Path

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 300, 60, 540, 40, 250  # pixels
INK, QUIET, MARK = "#222222", "#bbbbbb", "#0072b2"


def read_rows(path):
    """k, BLEU and AL of each row."""
    rows = [line.split() for line in Path(path).read_text(encoding="utf-8").splitlines()[1:]]
    return [(row[0], float(row[1]), float(row[2])) for row in rows]


def text(x, y, content, anchor="middle", colour=INK):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{content}</text>'


def line(x1, y1, x2, y2, colour, more=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{more}/>'


def chart(rows):
    points = [(k, bleu, lag) for k, bleu, lag in rows if k != "full"]
    low, high = (5 * step(max_or_min(bleu for _, bleu, _ in rows) / 5) for step, max_or_min in ((math.floor, min), (math.ceil, max)))
    longest = math.ceil(max(lag for _, _, lag in points))

    def x(lag):
        return LEFT + lag / longest * (RIGHT - LEFT)

    def y(bleu):
        return BOTTOM - (bleu - low) / (high - low) * (BOTTOM - TOP)

    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">'
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    yield text(LEFT, 22, "BLEU of wait-k against its average lagging", "start")
    for bleu in range(low, high + 1, 5):
        yield line(LEFT, y(bleu), RIGHT, y(bleu), QUIET)
        yield text(LEFT - 8, y(bleu) + 4, bleu, "end")
    for lag in range(0, longest + 1, 2):
        yield text(x(lag), BOTTOM + 18, lag)
    yield text((LEFT + RIGHT) / 2, BOTTOM + 38, "average lagging, source tokens")
    for k, bleu, _ in rows:
        if k == "full":
            yield line(LEFT, y(bleu), RIGHT, y(bleu), INK, ' stroke-dasharray="5 4"')
            yield text(LEFT + 6, y(bleu) - 6, "whole sentences", "start")
    path = " ".join(f"{x(lag):.1f},{y(bleu):.1f}" for _, bleu, lag in points)
    yield f'<polyline points="{path}" fill="none" stroke="{MARK}" stroke-width="2"/>'
    for k, bleu, lag in points:
        yield f'<circle cx="{x(lag):.1f}" cy="{y(bleu):.1f}" r="4" fill="{MARK}"/>'
        yield text(x(lag), y(bleu) + 20, f"k = {k}", colour=MARK)
    yield "</svg>"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n")[1])
    print("\n".join(chart(read_rows(sys.argv[1]))))
