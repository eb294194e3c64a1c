#!/usr/bin/env python3
"""Makes data/demo/: a small English-German corpus from the grammar in demo_corpus/.

usage: scripts/make_demo_corpus.py [FOLDER]      default: data/demo

The same call gives the same bytes everywhere. The first half of the test set is made like the training data; every sentence of
the second half puts together what is never together in training, validation and the first half: a noun and an
adjective, a subject and its verb, a verb and its object, or a kind of clause under a conjunction.
"""

import random
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from demo_corpus import english, german  # noqa: E402
from demo_corpus.grammar import Grammar  # noqa: E402
from demo_corpus.lexicon import adjectives_of, nouns, nouns_of, verbs  # noqa: E402

SEED = 20240229
TRAINING, VALIDATION, SEEN = 10000, 500, 500  # pairs; SEEN: the first half of the test set
UNSEEN = {"adjective": 150, "subject": 100, "object": 150, "nesting": 100}  # the second half, by what is new
WORDS = (3, 16)
HELD_OUT_SHARE = {"adjective": 0.12, "subject": 0.08, "object": 0.12}
HELD_OUT_NESTINGS = (
    ("nesting", "because", "give", "past"),
    ("nesting", "because", "carry", "must"),
    ("nesting", "that", "go", "past"),
    ("nesting", "that", "dative", "can"),
    ("nesting", "when", "place", "present"),
    ("nesting", "that", "when"),
)
MIN_COUNT = 5  # in the training data, of every word of validation and test: what is new is how words are put together


def possible_compositions():
    """Those of two words, but for nouns that too few other words go with."""
    common = [noun for noun in nouns if noun.en_plural != "-"]
    for noun in common:
        yield from (("adjective", adjective.en, noun.en) for adjective in adjectives_of(noun))
    for verb in verbs:
        yield from (("subject", noun.en, verb.en) for noun in nouns_of(verb.subjects))
        objects = ("gift",) if verb.frame == "give" else verb.objects
        yield from (("object", verb.en, noun.en) for noun in nouns_of(objects) if noun in common)


def held_out_compositions(draw):
    return {c for c in possible_compositions() if draw() < HELD_OUT_SHARE[c[0]]} | set(HELD_OUT_NESTINGS)


def words(line):
    return [word.strip(".,").lower() for word in line.split()]


def common_words(pairs):
    counts = Counter(word for pair in pairs for line in pair for word in words(line))
    return {word for word, count in counts.items() if count >= MIN_COUNT}


class Maker:
    """Makes pairs of lines, none of them twice."""

    def __init__(self, seed):
        draw = random.Random(seed).random
        self.held_out = held_out_compositions(draw)
        self.grammar = Grammar(draw)
        self.translations = {}
        self.vocabulary = None  # once the training data is made: what else is made keeps to its words

    def pair(self, wanted):
        while True:
            sentence = self.grammar.sentence()
            source, target = english.write(sentence), german.write(sentence)
            if not all(WORDS[0] <= len(line.split()) <= WORDS[1] for line in (source, target)):
                continue
            if source in self.translations:
                if self.translations[source] != target:
                    raise AssertionError(f"two translations: {source} {target} {self.translations[source]}")
            elif wanted(sentence.compositions) and self.knows(source, target):
                self.translations[source] = target
                return source, target

    def knows(self, source, target):
        return self.vocabulary is None or self.vocabulary.issuperset(words(source) + words(target))

    def seen(self, count):
        return [self.pair(lambda compositions: not compositions & self.held_out) for _ in range(count)]

    def unseen(self, kind, count):
        held_out = {composition for composition in self.held_out if composition[0] == kind}
        return [self.pair(lambda compositions: compositions & held_out) for _ in range(count)]


def make(seed=SEED):
    """Sets of pairs by name."""
    maker = Maker(seed)
    sets = {"train": maker.seen(TRAINING)}
    maker.vocabulary = common_words(sets["train"])
    sets["valid"] = maker.seen(VALIDATION)
    sets["test"] = maker.seen(SEEN)
    for kind, count in UNSEEN.items():
        sets["test"] += maker.unseen(kind, count)
    return sets


def write(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, pairs in make().items():
        for side, language in enumerate(("en", "de")):
            text = "".join(pair[side] + "\n" for pair in pairs)
            (folder / f"{name}.{language}").write_bytes(text.encode("utf-8"))


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "data/demo")
