#!/usr/bin/env python3
"""Whether words that are in no vocabulary are copied rightly, and how much is said twice.

    scripts/copied_words.py SOURCE REFERENCE HYPOTHESIS VOCABULARY

VOCABULARY is the file of a run with `text: words` (best/model/source.vocabulary), the texts are as that run reads them. Of each line
a word counts once. Three lines are printed, in % and as counts:

    copied    of the words outside the vocabulary that source and reference share: those that the hypothesis has
    right     of the words outside the vocabulary that the hypothesis has: those that the reference has
    repeated  of the sequences of three words of the hypotheses: those that their line has had before
"""

import argparse
from pathlib import Path

UNKNOWN = "<unk>"


def lines(path):
    return [line.split() for line in Path(path).read_text(encoding="utf-8").splitlines()]


def copied(sources, references, hypotheses, vocabulary):
    """[found, of how many] of `copied` and of `right`."""
    found, right = [0, 0], [0, 0]
    for source, reference, hypothesis in zip(sources, references, hypotheses, strict=True):
        wanted = set(source) & set(reference) - vocabulary
        written = set(hypothesis) - vocabulary - {UNKNOWN}
        found = [found[0] + len(wanted & written), found[1] + len(wanted)]
        right = [right[0] + len(written & set(reference)), right[1] + len(written)]
    return found, right


def repeated(hypotheses, length=3):
    """[sequences that came before in their line, all sequences]"""
    again = total = 0
    for words in hypotheses:
        sequences = [tuple(words[i:i + length]) for i in range(len(words) - length + 1)]
        again += len(sequences) - len(set(sequences))
        total += len(sequences)
    return [again, total]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("source", "reference", "hypothesis", "vocabulary"):
        options.add_argument(name, type=Path)
    given = options.parse_args()
    hypotheses = lines(given.hypothesis)
    vocabulary = set(given.vocabulary.read_text(encoding="utf-8").split("\n"))
    found, right = copied(lines(given.source), lines(given.reference), hypotheses, vocabulary)
    for name, (part, whole) in (("copied", found), ("right", right), ("repeated", repeated(hypotheses))):
        share = f"{100 * part / whole:.1f}" if whole else "-"
        print(f"{name:9} {share:>6} % {part:7,} of {whole:,}")


if __name__ == "__main__":
    main()
