#!/usr/bin/env python3
"""Does a trained model give the same translations and log-probabilities whatever stands beside a sentence?

    scripts/check_batches.py MODEL --source FILE --target FILE [--batches 1 7 64] [--heed build/release/bin/heed]

Translates SOURCE with batches of each size, and once in another order; scores TARGET likewise. A translation that differs has
to be a tie: both are listed with their scores. Exit code 1 if a log-probability differs by more than 1e-4 of itself, or a
translation that is no tie.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

TOLERANCE = 1e-4  # of a log-probability, relative from 1 on


def heed(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout.splitlines()


def close(a, b):
    return abs(a - b) <= TOLERANCE * max(1, abs(a), abs(b))


class Model:
    def __init__(self, program, model, folder):
        self.program, self.model, self.folder = program, model, Path(folder)

    def write(self, name, lines):
        path = self.folder / name
        path.write_text("".join(line + "\n" for line in lines))
        return path

    def score(self, source, target, batch):
        lines = heed(self.program, "score", self.model, "-s", self.write("source", source), "-t", self.write("target", target),
                     "--batch", batch)
        return [float(line) for line in lines]

    def translate(self, source, batch):
        """(text, score) of each line"""
        lines = heed(self.program, "translate", self.model, "-i", self.write("source", source), "--batch", batch, "--nbest", 1)
        return [(text, float(score)) for _, text, score in (line.split(" ||| ") for line in lines)]


def in_order(function, order, *columns):
    """What function gives, asked in another order of the lines and put back."""
    given = function(*([column[i] for i in order] for column in columns))
    result = [None] * len(order)
    for place, value in zip(order, given):
        result[place] = value
    return result


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("model")
    options.add_argument("--source", type=Path, required=True)
    options.add_argument("--target", type=Path, required=True)
    options.add_argument("--batches", type=int, nargs="+", default=[1, 7, 64])
    options.add_argument("--heed", default="build/release/bin/heed")
    given = options.parse_args()
    source, target = (path.read_text().splitlines() for path in (given.source, given.target))
    order = list(range(len(source)))
    random.Random(1).shuffle(order)

    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        model = Model(given.heed, given.model, folder)
        first, *others = given.batches
        scores, texts = model.score(source, target, first), model.translate(source, first)
        print(f"batch {first}: {len(texts)} lines")
        ways = [(f"batch {batch}", range(len(source)), batch) for batch in others]
        ways.append((f"batch {others[-1]}, other order", order, others[-1]))
        for name, lines, batch in ways:
            other = in_order(lambda s, t: model.score(s, t, batch), lines, source, target)
            worst = max(abs(a - b) / max(1, abs(a)) for a, b in zip(scores, other))
            far = sum(not close(a, b) for a, b in zip(scores, other))
            translated = in_order(lambda s: model.translate(s, batch), lines, source)
            differing = [i for i, (a, b) in enumerate(zip(texts, translated)) if a[0] != b[0]]
            no_tie = [i for i in differing if not close(texts[i][1], translated[i][1])]
            print(f"{name}: log-probabilities differ by {worst:.1e} at most; {len(differing)} other translations, "
                  f"{len(no_tie)} of them no tie")
            for i in differing:
                print(f"  line {i + 1}: {texts[i][1]:.6f} {texts[i][0]}\n          {translated[i][1]:.6f} {translated[i][0]}")
            wrong += far + len(no_tie)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
