#!/usr/bin/env python3
"""Strings of symbols, to be copied or reversed: what a working encoder, decoder and attention learn within minutes.

    scripts/make_symbol_corpus.py FOLDER [--train 100000] [--held-out 1000] [--symbols 50] [--longest 20] [--seed 1]

writes into FOLDER {train,valid,test}.source, and .copy and .reverse beside each. The lengths are spread evenly as far as there
are enough strings; no string comes twice, so those of valid and test are never seen in training.
"""

import argparse
import random
from pathlib import Path


def distinct_strings(count, symbols, longest, draw):
    strings = {}  # keeps the order of drawing
    while len(strings) < count:
        length = draw.randint(1, longest)
        strings[tuple(draw.choice(symbols) for _ in range(length))] = None
    return list(strings)


def split(strings, held_out, draw):
    """Drawn anew, because rare short strings come early in the list."""
    draw.shuffle(strings)
    return {"test": strings[:held_out], "valid": strings[held_out:2 * held_out], "train": strings[2 * held_out:]}


def write(path, strings):
    path.write_text("".join(" ".join(string) + "\n" for string in strings))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--train", type=int, default=100000)
    options.add_argument("--held-out", type=int, default=1000, help="strings of valid and of test")
    options.add_argument("--symbols", type=int, default=50)
    options.add_argument("--longest", type=int, default=20)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()

    draw = random.Random(given.seed)
    symbols = [f"s{number}" for number in range(1, given.symbols + 1)]
    strings = distinct_strings(given.train + 2 * given.held_out, symbols, given.longest, draw)
    given.folder.mkdir(parents=True, exist_ok=True)
    for name, part in split(strings, given.held_out, draw).items():
        write(given.folder / f"{name}.source", part)
        write(given.folder / f"{name}.copy", part)
        write(given.folder / f"{name}.reverse", [string[::-1] for string in part])


if __name__ == "__main__":
    main()
