#!/usr/bin/env python3
"""Lexical constraints (heed translate --constraints): whether all are met, what they cost in BLEU and time.

usage: scripts/bench/constraints.py MODEL SOURCE REFERENCE [--lines 200] [--beam 10] [--seed 1]
Each line gets one phrase of one to three words: first a phrase of its reference, then one of the reference of another
line, which fits nowhere. Prints a table; exits with 1 if a translation lacks its phrase.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HEED = os.environ.get("HEED_PROGRAM", Path(__file__).parents[2] / "build/release/bin/heed")


def words_of(text):
    return "".join(c if c.isalnum() else " " for c in text).split()


def contains(text, phrase):
    """Whether the words of the phrase follow one another in the text."""
    words, wanted = words_of(text), words_of(phrase)
    return any(words[i : i + len(wanted)] == wanted for i in range(len(words) - len(wanted) + 1))


def draw_phrase(line, draw):
    words = [word for word in line.split() if word.isalnum()]
    if not words:
        return ""
    size = draw.randint(1, min(3, len(words)))
    candidates = [" ".join(line.split()[i : i + size]) for i in range(len(line.split()) - size + 1)]
    candidates = [c for c in candidates if all(word.isalnum() for word in c.split())]
    return draw.choice(candidates or words)


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, Path(folder)
        head = lambda path: Path(path).read_text(encoding="utf-8").split("\n")[: options.lines]
        self.references = head(options.reference)
        for name, lines in (("source", head(options.source)), ("reference", self.references)):
            (self.folder / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")

    def run(self, *arguments):
        return subprocess.run([HEED, *map(str, arguments)], check=True, capture_output=True, text=True).stdout

    def measure(self, name, phrases):
        """Prints a row; returns the number of translations without their phrase."""
        more = []
        if phrases:
            (self.folder / "phrases").write_text("".join(p + "\n" for p in phrases), encoding="utf-8")
            more = ["--constraints", self.folder / "phrases"]
        start = time.monotonic()
        out = self.run("translate", self.options.model, "-i", self.folder / "source", "--beam", self.options.beam, *more)
        seconds = time.monotonic() - start
        (self.folder / "out").write_text(out, encoding="utf-8")
        lines = out.split("\n")[:-1]
        unmet = [(line, phrase) for line, phrase in zip(lines, phrases or []) if not contains(line, phrase)]
        for line, phrase in unmet:
            print(f"without '{phrase}': {line}", file=sys.stderr)
        bleu = self.run("evaluate", "-r", self.folder / "reference", "-i", self.folder / "out", "-m", "bleu")
        met = f"{len(phrases) - len(unmet)} of {len(phrases)}" if phrases else ""
        print(f"{name:32}{met:>12}{bleu.split(' = ')[1].split()[0]:>8}{seconds:>9.1f} s")
        return len(unmet)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("source")
    parser.add_argument("reference")
    for name, default in (("--lines", 200), ("--beam", 10), ("--seed", 1)):
        parser.add_argument(name, type=int, default=default)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        own = [draw_phrase(line, draw) for line in bench.references]
        print(f"{'constraints':32}{'met':>12}{'BLEU':>8}{'time':>11}")
        bench.measure("none", None)
        missed = bench.measure("a phrase of the reference", own)
        missed += bench.measure("a phrase of another reference", own[1:] + own[:1])
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
