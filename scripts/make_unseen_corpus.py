#!/usr/bin/env python3
"""Lines of made-up words to be copied, nearly all of them in no vocabulary: what only an output that copies can do.

    scripts/make_unseen_corpus.py FOLDER [--train 20000] [--held-out 500] [--longest 6] [--seed 1]

writes {train,valid,test}.source and .target, which are the same. Three words of ten in train come from a list of twenty; all others
are drawn once in the whole corpus, so with `vocabulary: {min_count: 2}` the twenty are the vocabulary, no word of valid and test is in
it, and all that a model sees of these is where they stand.
"""

import argparse
import random
from pathlib import Path

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def new_words(draw):
    known = set()
    while True:
        word = "".join(draw.choice(LETTERS) for _ in range(draw.randint(5, 9)))
        if word not in known:
            known.add(word)
            yield word


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--train", type=int, default=20000)
    options.add_argument("--held-out", type=int, default=500, help="lines of valid and of test")
    options.add_argument("--longest", type=int, default=6, help="words of a line")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()

    draw = random.Random(given.seed)
    words = new_words(draw)
    known = [next(words) for _ in range(20)]
    given.folder.mkdir(parents=True, exist_ok=True)
    for name, count, share in (("train", given.train, 0.3), ("valid", given.held_out, 0), ("test", given.held_out, 0)):
        lines = [" ".join(draw.choice(known) if draw.random() < share else next(words)
                          for _ in range(draw.randint(1, given.longest))) + "\n" for _ in range(count)]
        for side in ("source", "target"):
            (given.folder / f"{name}.{side}").write_text("".join(lines))


if __name__ == "__main__":
    main()
