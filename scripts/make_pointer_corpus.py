#!/usr/bin/env python3
"""Lines whose answers are places of the line itself, for pointer networks (Vinyals et al. 2015, section 3).

    scripts/make_pointer_corpus.py sorting|hull FOLDER [--train 100000] [--held-out 1000] [--size 10] [--seed 1]

sorting   --size different numbers below 100 in any order; the target is the same from the least to the greatest
hull      5 to --size different points of a grid of 12 by 12, written x.y; the target is those on the corners of the convex hull, against
          the clock, from the one that comes first in the source; no three points lie on one line

writes {train,valid,test}.source and .target; no line of valid or test stands in train.
"""

import argparse
import random
from itertools import combinations
from pathlib import Path

NUMBERS = 100
GRID = 12


def turn(a, b, c):
    """Above 0 if the way from a over b to c turns against the clock, 0 if it is straight."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def hull_of(points):
    """The corners of the convex hull against the clock, from the first of them in `points` (Andrew 1979)."""
    halves = []
    for order in (sorted(points), sorted(points, reverse=True)):
        half = []
        for point in order:
            while len(half) > 1 and turn(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        halves += half[:-1]
    first = halves.index(min(halves, key=points.index))
    return halves[first:] + halves[:first]


def sorting(draw, size):
    numbers = draw.sample(range(NUMBERS), size)
    return " ".join(map(str, numbers)), " ".join(map(str, sorted(numbers)))


def hull(draw, size):
    while True:
        places = draw.sample(range(GRID * GRID), draw.randint(5, size))
        points = [divmod(place, GRID) for place in places]
        if all(turn(a, b, c) != 0 for a, b, c in combinations(points, 3)):
            break
    text = lambda chosen: " ".join(f"{x}.{y}" for x, y in chosen)
    return text(points), text(hull_of(points))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("task", choices=("sorting", "hull"))
    options.add_argument("folder", type=Path)
    options.add_argument("--train", type=int, default=100000)
    options.add_argument("--held-out", type=int, default=1000, help="lines of valid and of test")
    options.add_argument("--size", type=int, default=10, help="numbers, or points at most, of a line")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    if not 5 <= given.size <= 20:
        options.error(f"--size {given.size}: from 5 to 20")

    draw = random.Random(given.seed)
    make = {"sorting": sorting, "hull": hull}[given.task]
    given.folder.mkdir(parents=True, exist_ok=True)
    known = set()
    for name, count in (("test", given.held_out), ("valid", given.held_out), ("train", given.train)):
        pairs = []
        while len(pairs) < count:
            pair = make(draw, given.size)
            if pair[0] not in known:
                pairs.append(pair)
                if name != "train":
                    known.add(pair[0])
        for side, lines in (("source", [a for a, _ in pairs]), ("target", [b for _, b in pairs])):
            (given.folder / f"{name}.{side}").write_text("".join(line + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
