#!/usr/bin/env python3
"""How often attention finds the fact that an answer follows from.

    heed translate RUN -i story=val.story -i question=val.question --attention weights.jsonl > answers
    scripts/supporting_fact.py weights.jsonl val.support

Of each line the weights of its first target piece are added up by sentence, which `marker:` tells apart; val.support has the number
of the right one, from 1. Prints the share of the lines whose right sentence has the greatest sum.
"""

import argparse
import json
from pathlib import Path

MARKER = "\u241e"


def sentence_sums(pieces, weights):
    """The weights of pieces [S], added up by sentence; a mark belongs to the sentence that it ends."""
    sums = [0.0]
    for piece, weight in zip(pieces, weights, strict=True):
        sums[-1] += weight
        if piece == MARKER:
            sums.append(0.0)
    return sums


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("weights", type=Path)
    options.add_argument("support", type=Path)
    given = options.parse_args()
    lines = [json.loads(line) for line in given.weights.read_text(encoding="utf-8").splitlines()]
    support = [int(line) for line in given.support.read_text(encoding="utf-8").split()]
    if len(lines) != len(support):
        options.error(f"{given.weights}: {len(lines)} lines, but {given.support}: {len(support)}")
    right = 0
    for line, fact in zip(lines, support):
        sums = sentence_sums(line["source"], line["weights"][0])
        right += sums.index(max(sums)) + 1 == fact
    print(f"{100 * right / len(lines):.1f} % of {len(lines)} lines")


if __name__ == "__main__":
    main()
