#!/usr/bin/env python3
"""Writes the word alignment of a set of the demo corpus, which follows from its grammar: a line of links `i-j` for each pair of lines.

usage: scripts/demo_alignment.py train|valid|test > demo.align
Words are between spaces, as in the corpus. A word that has no counterpart of its own, such as an article that one language leaves
out, has no link. Each word of a verb is linked with each word of its translation: saw - hat, gesehen.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import make_demo_corpus  # noqa: E402
from demo_corpus import english, german  # noqa: E402
from demo_corpus.lexicon import CONJUNCTIONS, MANNERS, MODALS, TIMES_PAST, TIMES_PRESENT  # noqa: E402

MARK = re.compile("\x01([^\x02]*)\x02")
# Words that are the same wherever they occur, by what both languages have in common. They are linked in their order.
LEXICAL = [("with", "mit"), *CONJUNCTIONS.items(), *MANNERS.items(), *TIMES_PRESENT.items(), *TIMES_PAST.items()]


def marked(text, key):
    return " ".join(f"{word}\x01{key}\x02" for word in text.split(" ")) if text else text


def unmarked(text):
    return MARK.sub("", text)


def mark_phrase(phrase, words):
    names = ["noun"] if phrase.pronoun else [*(() if phrase.determiner == "none" else ("determiner",)), *phrase.adjectives, "noun"]
    keys = [name if isinstance(name, str) else name.en for name in names]
    return [marked(word, f"{id(phrase)}.{key}") for word, key in zip(words, keys)]


def mark_languages():
    """Makes the writers of both languages mark the words that belong to a part of a sentence."""
    english_phrase, german_phrase = english.noun_phrase, german.noun_phrase
    english_verb, german_verb = english.finite_verb, german.verb_parts
    english_clause, german_middle, german_subject = english.clause, german.middle, german.subject

    def mark_verb(clause):
        if clause.tense in MODALS:
            return f"{marked(clause.tense, f'{id(clause)}.finite')} {marked(clause.verb.en, f'{id(clause)}.rest')}"
        return marked(english_verb(clause), f"{id(clause)}.verb")

    def mark_parts(clause):
        if clause.weather:
            finite, rest = clause.weather[1:]
            keys = ("verb", "verb") if " " not in clause.weather[0] else ("verb", "last")
            finite, rest = marked(finite, f"{id(clause)}.{keys[0]}"), marked(rest, f"{id(clause)}.{keys[1]}")
            return finite, [rest] if rest else [], [rest, finite] if rest else [finite]
        finite, closing, whole = german_verb(clause)
        first, last = ("finite", "rest") if clause.tense in MODALS else ("verb", "verb")
        mark = lambda word: marked(word, f"{id(clause)}.{first if word == finite else last}")
        return mark(finite), [mark(word) for word in closing], [mark(word) for word in whole]

    def mark_english_place(where):
        return [marked(where.preposition[0], f"{id(where)}.place"), *english.noun_phrase(where.phrase)]

    def mark_german_place(where):
        case = "acc" if where.goal and where.preposition[1] != "zu" else "dat"
        phrase = german.noun_phrase(where.phrase, case)
        preposition = marked(where.preposition[1], f"{id(where)}.place")
        plain = " ".join(unmarked(word) for word in (preposition, phrase[0]))
        if where.phrase.determiner == "the" and plain in german.CONTRACTIONS:
            both = german.CONTRACTIONS[plain] + "".join(f"\x01{key}\x02" for word in (preposition, phrase[0]) for key in MARK.findall(word))
            return [both, *phrase[1:]]
        return [preposition, *phrase]

    def mark_english_clause(said, time=True):
        if said.weather:
            words = said.weather[0].split(" ")
            last = "last" if len(words) > 1 and said.weather[2] else "verb"
            return [marked("it", f"{id(said)}.it"), *(marked(w, f"{id(said)}.{'verb' if i == 0 else last}") for i, w in enumerate(words))]
        words = english_clause(said, time)
        return [marked(w, f"{id(said)}.predicate") if said.predicate and w == said.predicate.en else w for w in words]

    def mark_middle(clause, time=True):
        words = german_middle(clause, time)
        return words[:-1] + [marked(words[-1], f"{id(clause)}.predicate")] if clause.predicate else words

    english.noun_phrase = lambda phrase: mark_phrase(phrase, english_phrase(phrase))
    german.noun_phrase = lambda phrase, case: mark_phrase(phrase, german_phrase(phrase, case))
    english.finite_verb, german.verb_parts = mark_verb, mark_parts
    english.place, german.place = mark_english_place, mark_german_place
    english.clause, german.middle = mark_english_clause, mark_middle
    german.subject = lambda clause: german_subject(clause) if clause.subject else [marked("es", f"{id(clause)}.it")]


def keys_of(line):
    """The keys of each word of a marked line."""
    words = line.split(" ")
    keys = [set(MARK.findall(word)) for word in words]
    plain = [unmarked(word).strip(",.").lower() for word in words]
    return plain, keys


def occurrences(plain, keys, phrase):
    """Positions of the words of a phrase without marks, by occurrence."""
    parts = phrase.lower().split(" ")
    return [range(at, at + len(parts)) for at in range(len(plain))
            if plain[at : at + len(parts)] == parts and not any(keys[at : at + len(parts)])]


def links_of(source, target):
    (source_words, source_keys), (target_words, target_keys) = keys_of(source), keys_of(target)
    links = {(i, j) for i, left in enumerate(source_keys) for j, right in enumerate(target_keys) if left & right}
    for pair in dict.fromkeys(LEXICAL):
        for left, right in zip(occurrences(source_words, source_keys, pair[0]), occurrences(target_words, target_keys, pair[1])):
            links |= {(i, j) for i in left for j in right}
    return sorted(links)


def make(name):
    """The pairs of a set, each with its links."""
    mark_languages()
    write_english, write_german = english.write, german.write
    last, links = [""], {}

    def plain_english(sentence):
        last[0] = write_english(sentence)
        return unmarked(last[0])

    def plain_german(sentence):
        target = write_german(sentence)
        pair = unmarked(last[0]), unmarked(target)
        links[pair] = (last[0], target)
        return pair[1]

    english.write, german.write = plain_english, plain_german
    return [(*pair, links_of(*links[pair])) for pair in make_demo_corpus.make()[name]]


def main():
    for _, _, links in make(sys.argv[1]):
        print(" ".join(f"{i}-{j}" for i, j in links))


if __name__ == "__main__":
    main()
