#!/usr/bin/env python3
"""Glossaries (heed translate --glossary): share of terms that translations have, and what they cost in BLEU and time.

usage: scripts/bench/glossary.py MODEL TRAIN_SOURCE TRAIN_TARGET SOURCE REFERENCE [--terms 500] [--beam 10] [--lines 1000]
The terms are pairs of words that occur together in the training text (Dice coefficient), the surest first, which most
references of the lines with the source word have. The glossary
of forms has with each target word those that begin in the same way and also occur with the source word. The turned
glossary gives each source word the target of the next term, which fits nowhere: the model would not write it by itself.
A term is counted where the source line has its word, by this script itself. Exits with 1 if a translation lacks a term
without a warning of its line.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HEED = os.environ.get("HEED_PROGRAM", Path(__file__).parents[2] / "build/release/bin/heed")
WORD = re.compile(r"\w+(?:[-'’.,_@/:·]\w+)*")


def read(path, lines=None):
    return Path(path).read_text(encoding="utf-8").split("\n")[:-1][:lines]


def find_terms(sources, targets, wanted, count):
    """The best target words of each source word: [(source word, [target words])], the surest first."""
    together, source_count, target_count = collections.Counter(), collections.Counter(), collections.Counter()
    for source, target in zip(sources, targets):
        own, other = set(WORD.findall(source)), set(WORD.findall(target))
        source_count.update(own)
        target_count.update(other)
        together.update((s, t) for s in own & wanted for t in other)
    dice = collections.defaultdict(list)
    for (s, t), number in together.items():
        if number >= 3 and len(s) > 3 and len(t) > 3:
            dice[s].append((2 * number / (source_count[s] + target_count[t]), number, t))
    terms = []
    for s, found in dice.items():
        found.sort(reverse=True)
        best = found[0][2]
        forms = [t for value, _, t in found if t != best and value > 0.02 and t[:5] == best[:5] and abs(len(t) - len(best)) < 3]
        terms.append((found[0][0], s, [best, *forms]))
    return [(s, forms) for _, s, forms in sorted(terms, reverse=True)[:count]]


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, Path(folder)
        self.sources, self.references = read(options.source, options.lines), read(options.reference, options.lines)
        self.write("source", self.sources)
        self.write("reference", self.references)

    def write(self, name, lines):
        (self.folder / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return self.folder / name

    def run(self, *arguments):
        return subprocess.run([HEED, *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout

    def measure(self, name, terms, used=True):
        """Prints a row: terms of the lines that a translation has. Returns how many are missing without a warning."""
        more = ["--glossary", self.write("glossary", [f"{s}\t{'|'.join(forms)}" for s, forms in terms])] if used else []
        start = time.monotonic()
        out = self.run("translate", self.options.model, "-i", self.folder / "source", "--beam", self.options.beam, "--format", "json", *more)
        seconds = time.monotonic() - start
        lines = [json.loads(line) for line in out.split("\n")[:-1]]
        exact = dict(terms)
        lowered = {}
        for s, forms in terms:
            if not s.isupper():
                lowered.setdefault(s.lower(), forms)
        due = met = silent = 0
        for source, line in zip(self.sources, lines):
            text = line["translations"][0]["text"]
            words = {*WORD.findall(text), *re.findall(r"\w+", text)}  # a term may be part of a word with hyphens
            warned = any(warning["kind"] == "term" for warning in line["warnings"])
            for word in set(WORD.findall(source)):
                forms = exact.get(word) or lowered.get(word.lower())
                if not forms:
                    continue
                due += 1
                has = any(form in words for form in forms)
                met += has
                silent += used and not has and not warned
        out = self.write("out", [line["translations"][0]["text"] for line in lines])
        bleu = self.run("evaluate", "-i", out, "-r", self.folder / "reference", "-m", "bleu").split(" = ")[1].split()[0]
        print(f"{name:28}{met:>6} of {due:<6}{100 * met / max(due, 1):>6.1f} %{bleu:>8}{seconds:>9.1f} s", flush=True)
        return silent


def agreeing(terms, sources, references, count):
    """The first terms that most references of lines with the source word have."""
    lines, agree = collections.Counter(), collections.Counter()
    known = dict(terms)
    for source, reference in zip(sources, references):
        words = set(WORD.findall(reference))
        for word in set(WORD.findall(source)) & set(known):
            lines[word] += 1
            agree[word] += any(form in words for form in known[word])
    return [(s, forms) for s, forms in terms if 2 * agree[s] > lines[s] > 0][:count]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("model", "train_source", "train_target", "source", "reference"):
        parser.add_argument(name)
    for name, default in (("--terms", 500), ("--beam", 10), ("--lines", 1000)):
        parser.add_argument(name, type=int, default=default)
    options = parser.parse_args()
    wanted = {word for line in read(options.source, options.lines) for word in WORD.findall(line)}
    terms = find_terms(read(options.train_source), read(options.train_target), wanted, 4 * options.terms)
    terms = agreeing(terms, read(options.source, options.lines), read(options.reference, options.lines), options.terms)
    single = [(s, forms[:1]) for s, forms in terms]
    turned = [(s, terms[(i + 1) % len(terms)][1][:1]) for i, (s, _) in enumerate(terms)]
    print(f"{len(terms)} terms, {sum(len(forms) for _, forms in terms)} forms; terms met, BLEU, time")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        silent = 0
        for name, own, used in (("none (one form)", single, False), ("one form", single, True),
                                ("none (forms)", terms, False), ("forms", terms, True),
                                ("turned", turned, True)):
            silent += bench.measure(name, own, used)
    if silent > 0:
        print(f"{silent} terms are missing without a warning", file=sys.stderr)
    sys.exit(1 if silent > 0 else 0)


if __name__ == "__main__":
    main()
