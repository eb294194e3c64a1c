"""The corpus in data/demo is what its generator makes, and is split as data/README.md says."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[2]))
sys.path.insert(0, str(ROOT / "scripts"))
import make_demo_corpus as maker  # noqa: E402
from demo_corpus import english, german  # noqa: E402
from demo_corpus.lexicon import PRONOUNS, nouns, adjectives, verbs  # noqa: E402
from demo_corpus.sentence import Clause, NounPhrase, Place, Sentence  # noqa: E402

DATA = ROOT / "data/demo"
FILES = [f"{name}.{language}" for name in ("train", "valid", "test") for language in ("en", "de")]


def lines(name):
    return (DATA / name).read_text(encoding="utf-8").splitlines()


def word(table, english_name):
    return next(entry for entry in table if entry.en == english_name)


def phrase(noun, determiner="the", *attributes, plural=False):
    return NounPhrase(word(nouns, noun), determiner, tuple(word(adjectives, a) for a in attributes), plural)


class Committed(unittest.TestCase):
    def test_regenerating_gives_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            maker.write(Path(folder))
            for name in FILES:
                self.assertEqual((DATA / name).read_bytes(), Path(folder, name).read_bytes(), name)

    def test_sizes(self):
        for name, count in (("train", 10000), ("valid", 500), ("test", 1000)):
            self.assertEqual([count, count], [len(lines(f"{name}.{side}")) for side in ("en", "de")])
        self.assertLess(sum((DATA / name).stat().st_size for name in FILES), 2_000_000)

    def test_no_sentence_is_in_two_sets_or_twice_in_one(self):
        for side in ("en",):
            whole = lines(f"train.{side}") + lines(f"valid.{side}") + lines(f"test.{side}")
            self.assertEqual(len(whole), len(set(whole)))
        pairs = [set(zip(lines(f"{name}.en"), lines(f"{name}.de"))) for name in ("train", "valid", "test")]
        self.assertFalse(pairs[0] & pairs[1] or pairs[0] & pairs[2] or pairs[1] & pairs[2])

    def test_only_raw_sentences_of_three_to_sixteen_words(self):
        for name in FILES:
            for line in lines(name):
                self.assertRegex(line, r"^[A-ZÄÖÜ][A-Za-zÄÖÜäöüß]*(,? [A-Za-zÄÖÜäöüß]+)*\.$")
                self.assertTrue(3 <= len(line.split()) <= 16, line)

    def test_every_word_of_the_test_is_in_the_training_data(self):
        for side in ("en", "de"):
            known = {w for line in lines(f"train.{side}") for w in maker.words(line)}
            self.assertEqual(set(), {w for line in lines(f"test.{side}") for w in maker.words(line)} - known)


class HeldOut(unittest.TestCase):
    """Looks for the held-out pairs of words in the lines themselves."""

    @classmethod
    def setUpClass(cls):
        cls.held_out = maker.Maker(maker.SEED).held_out
        plurals = {noun.en: noun.en_plural for noun in nouns}
        pairs = [(c[1], c[2]) for c in cls.held_out if c[0] == "adjective"]
        cls.adjacent = {f" {a} {form} " for a, noun in pairs for form in (noun, plurals[noun])}

    def count(self, sources):
        plain = (" " + line.lower().replace(".", " ").replace(",", " ") + " " for line in sources)
        return sum(any(pair in line for pair in self.adjacent) for line in plain)

    def test_held_out_adjectives_stand_only_in_the_second_half(self):
        self.assertGreater(len(self.adjacent), 20)
        test = lines("test.en")
        self.assertEqual(0, self.count(lines("train.en") + lines("valid.en") + test[:500]))
        self.assertGreater(self.count(test[500:650]), 120)  # the others: "the window is …"

    def test_held_out_nesting(self):
        nested = lambda sources: sum(" that " in line and " when " in line for line in sources)  # noqa: E731
        test = lines("test.en")
        self.assertEqual(0, nested(lines("train.en") + lines("valid.en") + test[:500]))
        self.assertGreater(nested(test[900:]), 30)

    def test_every_noun_adjective_and_verb_keeps_company(self):
        left = set(maker.possible_compositions()) - self.held_out
        for kind, place in (("adjective", 1), ("adjective", 2), ("subject", 2), ("object", 1)):
            before = {c[place] for c in maker.possible_compositions() if c[0] == kind}
            self.assertEqual(before, {c[place] for c in left if c[0] == kind})


class Grammar(unittest.TestCase):
    """Against forms looked up in a grammar book."""

    def forms(self, noun, determiner, *attributes, plural=False):
        made = phrase(noun, determiner, *attributes, plural=plural)
        return [" ".join(german.noun_phrase(made, case)) for case in ("nom", "acc", "dat")]

    def test_weak_endings(self):
        self.assertEqual(["der alte Hund", "den alten Hund", "dem alten Hund"], self.forms("dog", "the", "old"))
        self.assertEqual(["die alte Katze", "die alte Katze", "der alten Katze"], self.forms("cat", "the", "old"))
        self.assertEqual(["dieses alte Pferd", "dieses alte Pferd", "diesem alten Pferd"], self.forms("horse", "this", "old"))
        self.assertEqual(["die alten Hunde", "die alten Hunde", "den alten Hunden"], self.forms("dog", "the", "old", plural=True))

    def test_mixed_endings(self):
        self.assertEqual(["ein alter Hund", "einen alten Hund", "einem alten Hund"], self.forms("dog", "a", "old"))
        self.assertEqual(["meine rote Tür", "meine rote Tür", "meiner roten Tür"], self.forms("door", "my", "red"))
        self.assertEqual(["unser neues Buch", "unser neues Buch", "unserem neuen Buch"], self.forms("book", "our", "new"))
        self.assertEqual(["meine roten Türen", "meine roten Türen", "meinen roten Türen"], self.forms("door", "my", "red", plural=True))

    def test_strong_endings(self):
        self.assertEqual(["kalter Kaffee", "kalten Kaffee", "kaltem Kaffee"], self.forms("coffee", "none", "cold"))
        self.assertEqual(["warme Milch", "warme Milch", "warmer Milch"], self.forms("milk", "none", "warm"))
        self.assertEqual(["frisches Brot", "frisches Brot", "frischem Brot"], self.forms("bread", "none", "fresh"))
        self.assertEqual(["viele kleine Kinder", "viele kleine Kinder", "vielen kleinen Kindern"], self.forms("child", "many", "small", plural=True))
        self.assertEqual(["zwei kleine Kinder", "zwei kleine Kinder", "zwei kleinen Kindern"], self.forms("child", "two", "small", plural=True))

    def test_weak_nouns(self):
        self.assertEqual(["der Bauer", "den Bauern", "dem Bauern"], self.forms("farmer", "the"))
        self.assertEqual(["ein Junge", "einen Jungen", "einem Jungen"], self.forms("boy", "a"))
        self.assertEqual(["der Nachbar", "den Nachbarn", "dem Nachbarn"], self.forms("neighbour", "the"))

    def both(self, sentence):
        return english.write(sentence), german.write(sentence)

    def test_separable_verb_and_verb_last(self):
        main = Clause(phrase("farmer", "the", "old"), word(verbs, "close"), object=phrase("door", "the", "green"))
        weather = Clause(weather=("is raining", "regnet", ""))
        self.assertEqual(
            ("The old farmer closes the green door because it is raining.", "Der alte Bauer macht die grüne Tür zu, weil es regnet."),
            self.both(Sentence(main, "because", weather)),
        )
        self.assertEqual(
            ("When it is raining, the old farmer closes the green door.", "Wenn es regnet, macht der alte Bauer die grüne Tür zu."),
            self.both(Sentence(main, "when", weather, front="clause")),
        )
        says = Clause(NounPhrase(pronoun=PRONOUNS[1]), word(verbs, "say"))
        self.assertEqual("Sie sagt, dass der alte Bauer die grüne Tür zumacht.", german.write(Sentence(says, "that", main)))

    def test_perfect_time_manner_place_and_fronting(self):
        clause = Clause(phrase("child"), word(verbs, "play"), "past", manner="quietly", time="yesterday")
        clause.place = Place(("in", "in"), phrase("garden", "the", "old"))
        self.assertEqual(
            ("The child played quietly in the old garden yesterday.", "Das Kind hat gestern leise im alten Garten gespielt."),
            self.both(Sentence(clause)),
        )
        self.assertEqual(
            ("Yesterday the child played quietly in the old garden.", "Gestern hat das Kind leise im alten Garten gespielt."),
            self.both(Sentence(clause, front="time")),
        )

    def test_where_and_where_to(self):
        for preposition, place, goal, expected in (
            (("into", "in"), "house", True, "ins Haus"),
            (("into", "in"), "garden", True, "in den Garten"),
            (("to", "zu"), "bridge", True, "zur Brücke"),
            (("to", "zu"), "market", True, "zum Markt"),
            (("on", "auf"), "table", True, "auf den Tisch"),
            (("on", "auf"), "table", False, "auf dem Tisch"),
            (("at", "an"), "station", False, "am Bahnhof"),
        ):
            self.assertEqual(expected, " ".join(german.place(Place(preposition, phrase(place), goal))))

    def test_dative_and_modal(self):
        clause = Clause(phrase("woman"), word(verbs, "give"), "must", receiver=phrase("child", "a"), object=phrase("apple", "a"))
        self.assertEqual(
            ("The woman must give a child an apple.", "Die Frau muss einem Kind einen Apfel geben."), self.both(Sentence(clause))
        )


if __name__ == "__main__":
    unittest.main()
