#!/usr/bin/env python3
"""Robustness: how models translate sentences that are written in other ways than their training data.

usage: scripts/bench/robustness.py SOURCE REFERENCE MODEL… [--lines 1000] [--seed 1]
A MODEL is a run, a model folder or a packed model.
Makes variants of the sentences: capital letters, titles, typing errors, no final punctuation, emoji, web addresses,
placeholders, two sentences on a line, which are also translated each by itself. What is copied is put on both sides. Prints a table of
BLEU, with the share of the copies that a translation has. Case counts in BLEU, so capital letters are scored against capital letters.
"""

import argparse
import os
import random
import re
import subprocess
import tempfile
from pathlib import Path

HEED = os.environ.get("HEED_PROGRAM", Path(__file__).parents[2] / "build/release/bin/heed")
EMOJI = "😀😂🙈😎🤔😍🎉🔥💡🚀🐶🌍💪👀😢🎂"
URLS = ["https://example.org/page", "www.wolke7.de", "https://shop.example.com/item?id=42", "http://news.example.net"]
PLACEHOLDERS = ["{0}", "%s", "{name}", "{{total}}", "[1]", "$2"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def with_typo(word, draw):
    """A word of four letters or more with one error behind its first letter."""
    at = draw.randrange(1, len(word) - 1)
    error = draw.randrange(4)
    if error == 0:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if error == 1:
        return word[:at] + word[at + 1 :]
    if error == 2:
        return word[:at] + word[at] + word[at:]
    return word[:at] + draw.choice(LETTERS) + word[at + 1 :]


def typos(line, draw, rate=0.15):
    return re.sub(r"[A-Za-z]{4,}", lambda m: with_typo(m.group(), draw) if draw.random() < rate else m.group(), line)


def variants(sources, references, draw):
    """name → (sources, references, what each translation has to copy, options of heed translate)"""
    pairs = list(zip(sources, references))
    title = lambda line: " ".join(word[:1].upper() + word[1:] for word in line.split(" "))
    plain = lambda line: line.rstrip(".!?")

    def copied(items, begins):
        rows = []
        for source, reference in pairs:
            item = draw.choice(items)
            rows.append((f"{item} {source}", f"{item} {reference}", item) if begins else (f"{source} {item}", f"{reference} {item}", item))
        return tuple(map(list, zip(*rows)))

    two = lambda lines: [a + " " + b for a, b in zip(lines[::2], lines[1::2])]
    return {
        "as it is": (sources, references),
        "capital letters": ([s.upper() for s in sources], [r.upper() for r in references]),
        "titles": ([title(s) for s in sources], [title(r) for r in references]),
        "typing errors": ([typos(s, draw) for s in sources], references),
        "no final punctuation": ([plain(s) for s in sources], [plain(r) for r in references]),
        "emoji at the end": copied(EMOJI, False),
        "web address at the end": copied(URLS, False),
        "placeholder at the beginning": copied(PLACEHOLDERS, True),
        "two sentences": (two(sources), two(references)),
        "two sentences, `--split`": (two(sources), two(references), None, ["--split"]),
    }


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def run(*arguments):
    return subprocess.run([HEED, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def score(output, reference):
    """BLEU of a file, as text."""
    return run("evaluate", "-r", reference, "-i", output, "-m", "bleu").split(" = ")[1].split()[0]


def measure(model, folder, sources, references, copies=None, options=()):
    write(folder / "source", sources)
    write(folder / "reference", references)
    output = run("translate", model, "-i", folder / "source", *options)
    (folder / "output").write_text(output, encoding="utf-8")
    bleu = score(folder / "output", folder / "reference")
    if copies is None:
        return bleu
    kept = sum(copy in line for copy, line in zip(copies, output.split("\n")))
    return f"{bleu} ({100 * kept / len(copies):.0f} %)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("reference")
    parser.add_argument("model", nargs="+")
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    head = lambda path: Path(path).read_text(encoding="utf-8").splitlines()[: options.lines]
    texts = variants(head(options.source), head(options.reference), random.Random(options.seed))
    print("| test set | " + " | ".join(Path(name).name for name in options.model) + " |")
    print("|---|" + "---:|" * len(options.model))
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            print(f"| {name} | " + " | ".join(measure(model, Path(folder), *text) for model in options.model) + " |", flush=True)


if __name__ == "__main__":
    main()
