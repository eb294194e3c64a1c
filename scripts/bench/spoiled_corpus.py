#!/usr/bin/env python3
"""Spoils lines of a parallel corpus on purpose, and tells how well `heed clean` finds them.

usage: spoiled_corpus.py FOLDER [--corpus tatoeba-deu-eng] [--heed build/release/bin/heed] [--share 0.005]
                         [--models EN-DE DE-EN] [--best 0.95]

HEED_CORPORA names the folder of the corpora. Each kind of damage is done to a fraction of the pairs, drawn at random, and never
two to one pair. FOLDER gets spoiled.en, spoiled.de and damage.tsv (line, kind). Then `heed clean` runs. The first table shows for
each kind how many of its lines are dropped by the filters that are made for it (recall), and by all. The second table shows the
precision of each filter: the fraction of spoiled pairs among those that it drops. It is a lower bound, because the corpus itself has
bad pairs and near-duplicates.

With --models, two models of both directions score the pairs that are kept (forward.txt, reverse.txt; files that are there are taken as
they are), and `heed clean` runs once more with their scores, for each fraction of --best. A further table shows what it drops then.
Train the models on FOLDER/kept.en and FOLDER/kept.de of a first run without --models.
"""

import argparse
import collections
import os
import random
import re
import subprocess
import time
from pathlib import Path

# kind → the filters that are made for it
KINDS = {
    "shifted": [],  # a sentence of another pair: only a model finds it
    "swapped": ["sides"],
    "untranslated": ["identical", "sides"],
    "edited copy": ["sides"],
    "third language": ["language"],
    "cut": ["ratio"],
    "joined": ["ratio"],
    "other number": ["numbers"],
    "lost tag": ["markup"],
    "lost link": ["links"],
    "wrong encoding": ["characters"],
    "control character": ["characters"],
    "other script": ["script"],
    "loop": ["repetition"],
    "duplicate": ["duplicates"],
    "near-duplicate": ["near_duplicates"],
    "empty": ["empty"],
    "malformed": ["malformed"],
    "test sentence": ["test"],
}
CYRILLIC = dict(zip("abcdefghijklmnopqrstuvwxyz", "абцдефгхийклмнопярстуввхыз"))


class Damage:
    """The kinds of damage: each changes a pair (source, target), or returns None where it cannot."""

    def __init__(self, pairs, others, test, draw):
        self.pairs, self.others, self.test, self.draw = pairs, others, test, draw
        self.first_pairs = pairs[: len(pairs) // 20]  # none of them is spoiled

    def shifted(self, source, target):
        return source, self.draw.choice(self.pairs)[1]

    def swapped(self, source, target):
        return target, source

    def untranslated(self, source, target):
        return source, source

    def edited_copy(self, source, target):
        words = source.split()
        if len(words) < 4:
            return None
        words.pop(self.draw.randrange(len(words)))
        return source, " ".join(words)

    def third_language(self, source, target):
        return source, self.draw.choice(self.others)

    def cut(self, source, target):
        words = target.split()
        return (source, " ".join(words[: len(words) // 4])) if len(target) > 50 else None

    def joined(self, source, target):
        return source, " ".join([target] + [self.draw.choice(self.pairs)[1] for _ in range(3)])

    def other_number(self, source, target):
        found = re.findall(r"\d+", target)
        if not found:
            year = self.draw.randrange(1000, 3000)
            return f"{source} ({year})", f"{target} ({year + self.draw.randrange(1, 90)})"
        number = self.draw.choice(found)
        return source, target.replace(number, str(int(number) + self.draw.randrange(1, 90)), 1)

    def lost_tag(self, source, target):
        return f"<b>{source}</b>", target

    def lost_link(self, source, target):
        return f"{source} http://www.example{self.draw.randrange(100)}.com/page", target

    def wrong_encoding(self, source, target):
        spoiled = target.encode("utf-8").decode("cp1252", errors="ignore")
        return (source, spoiled) if spoiled != target else None

    def control_character(self, source, target):
        at = self.draw.randrange(len(target))
        return source, target[:at] + self.draw.choice("\x01\x08\x1b\x7f\x9b\ue000\ufffd") + target[at:]

    def other_script(self, source, target):
        return source, "".join(CYRILLIC.get(c, c) for c in target.lower())

    def loop(self, source, target):
        words = target.split()
        tail = " ".join(words[-min(3, len(words)):])
        return source, target + f" {tail}" * 5

    def duplicate(self, source, target):
        return self.draw.choice(self.first_pairs)

    def near_duplicate(self, source, target):
        source, target = self.draw.choice(self.first_pairs)
        return source.upper(), target.rstrip(".!?") + " !!"

    def empty(self, source, target):
        return self.draw.choice([("", target), (source, " ")])

    def malformed(self, source, target):
        return source, target + "\udcff"

    def test_sentence(self, source, target):
        return self.draw.choice(self.test)


def read_lines(path):
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def write_lines(path, lines):
    path.write_bytes("".join(line + "\n" for line in lines).encode("utf-8", errors="surrogateescape"))


def spoil(given, corpora):
    """Writes the corpus and returns the kind of damage by line number."""
    draw = random.Random(1)
    folder = corpora / given.corpus
    pairs = list(zip(read_lines(folder / "train.en"), read_lines(folder / "train.de")))
    test = list(zip(read_lines(folder / "test.en"), read_lines(folder / "test.de")))
    others = [line for line in read_lines(corpora / "tatoeba-fra-eng/train.fr") if len(line) > 25]
    damage = Damage(pairs, others, test, draw)
    order = list(range(len(damage.first_pairs), len(pairs)))
    draw.shuffle(order)
    spoiled, kinds = list(pairs), {}
    share = int(given.share * len(pairs))
    for kind in KINDS:
        change, done = getattr(damage, kind.replace(" ", "_").replace("-", "_")), 0
        while done < share:
            line = order.pop()
            changed = change(*pairs[line])
            if changed is None or changed == pairs[line]:
                continue
            spoiled[line], kinds[line + 1] = changed, kind
            done += 1
    given.folder.mkdir(parents=True, exist_ok=True)
    write_lines(given.folder / "spoiled.en", [source for source, _ in spoiled])
    write_lines(given.folder / "spoiled.de", [target for _, target in spoiled])
    write_lines(given.folder / "damage.tsv", [f"{line}\t{kind}" for line, kind in sorted(kinds.items())])
    return kinds, len(pairs)


def clean(given, corpora):
    """Runs `heed clean`, and returns the filters that drop each line, and seconds."""
    files = {name: given.folder / name for name in ("spoiled.en", "spoiled.de", "kept.en", "kept.de", "rejected.tsv")}
    test = [corpora / given.corpus / f"test.{language}" for language in ("en", "de")]
    command = [given.heed, "clean", "--source", files["spoiled.en"], "--target", files["spoiled.de"], "-o", files["kept.en"], files["kept.de"],
               "--rejected", files["rejected.tsv"], "--samples", "0", "--test", *test]
    start = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - start
    rows = [line.split("\t") for line in files["rejected.tsv"].read_bytes().decode("utf-8", errors="replace").split("\n")[1:-1]]
    return {int(row[0]): row[1].split(",") for row in rows}, seconds


def clean_by_scores(given, kinds, dropped, pairs):
    """Prints what the scores of both models drop of the pairs that the other filters keep, by kind of damage."""
    kept = [line for line in range(1, pairs + 1) if line not in dropped]
    sides = [given.folder / "kept.en", given.folder / "kept.de"]
    scores = [given.folder / "forward.txt", given.folder / "reverse.txt"]
    for model, (source, target), file in zip(given.models, (sides, sides[::-1]), scores):
        if not file.exists():
            subprocess.run([given.heed, "score", model, "-s", source, "-t", target, "-o", file], check=True)
    left = collections.Counter(kinds[line] for line in kept if line in kinds)
    print(f"\n| best | dropped | {' | '.join(left)} | other pairs |\n|{'---:|' * (len(left) + 3)}")
    print(f"| pairs | {len(kept)} | {' | '.join(str(left[kind]) for kind in left)} | {len(kept) - sum(left.values())} |")
    for best in given.best:
        rejected = given.folder / "rejected_by_scores.tsv"
        subprocess.run([given.heed, "clean", "--source", sides[0], "--target", sides[1], "--scores", scores[0], "--reverse-scores", scores[1],
                        "--set", f"scores.best={best}", "--rejected", rejected, "--samples", "0"], check=True, stdout=subprocess.DEVNULL)
        rows = [line.split("\t") for line in read_lines(rejected)[1:]]
        lines = [kept[int(row[0]) - 1] for row in rows if "scores" in row[1].split(",")]
        found = collections.Counter(kinds.get(line) for line in lines)
        cells = [f"{100 * found[kind] / left[kind]:.1f} %" for kind in left]
        others = 100 * found[None] / (len(kept) - sum(left.values()))
        print(f"| {best} | {len(lines)} | {' | '.join(cells)} | {others:.2f} % |")


def show(kinds, dropped, pairs, seconds):
    print(f"{pairs} pairs, {len(kinds)} spoiled, {len(dropped)} dropped, {pairs / seconds:.0f} pairs/s\n")
    print("| damage | filters for it | dropped by them % | dropped by any % |\n|---|---|---:|---:|")
    for kind, filters in KINDS.items():
        lines = [line for line, found in kinds.items() if found == kind]
        own = sum(any(name in filters for name in dropped.get(line, ())) for line in lines)
        print(f"| {kind} | {', '.join(filters) or 'none'} | {100 * own / len(lines):.1f} | {100 * sum(line in dropped for line in lines) / len(lines):.1f} |")
    print("\n| filter | dropped | spoiled | precision % | other pairs dropped, % of the corpus |\n|---|---:|---:|---:|---:|")
    counts = collections.Counter(name for names in dropped.values() for name in names)
    for name, count in counts.items():
        right = sum(line in kinds for line, names in dropped.items() if name in names)
        print(f"| {name} | {count} | {right} | {100 * right / count:.1f} | {100 * (count - right) / (pairs - len(kinds)):.3f} |")
    lost = sum(line not in kinds for line in dropped)
    print(f"\n{lost} other pairs dropped, {100 * lost / (pairs - len(kinds)):.2f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", default="tatoeba-deu-eng", help="folder with train.en, train.de, test.en and test.de")
    parser.add_argument("--heed", default="build/release/bin/heed")
    parser.add_argument("--share", type=float, default=0.005, help="of the pairs for each kind")
    parser.add_argument("--models", nargs=2, type=Path, help="models from English into German and back")
    parser.add_argument("--best", nargs="+", type=float, default=[0.99, 0.98, 0.95, 0.9, 0.8], help="fractions that the scores keep")
    given = parser.parse_args()
    corpora = Path(os.environ["HEED_CORPORA"])
    kinds, pairs = spoil(given, corpora)
    dropped, seconds = clean(given, corpora)
    show(kinds, dropped, pairs, seconds)
    if given.models:
        clean_by_scores(given, kinds, dropped, pairs)


if __name__ == "__main__":
    main()
