"""The corpora that scripts make: what their lines hold is checked by the definitions, point by point and word by word."""

import random
import sys
import unittest
from itertools import permutations
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import make_cloze_corpus  # noqa: E402
import make_pointer_corpus  # noqa: E402
import supporting_fact  # noqa: E402


def is_corner(point, points):
    """A corner of the hull is a point beside which a line passes that has all others on one side."""
    others = [other for other in points if other != point]
    return any(all(make_pointer_corpus.turn(point, other, third) > 0 for third in others if third != other) for other in others)


class PointerCorpora(unittest.TestCase):
    def test_hull_is_its_corners_against_the_clock(self):
        draw = random.Random(3)
        for _ in range(200):
            source, target = make_pointer_corpus.hull(draw, 8)
            points = [tuple(map(int, point.split("."))) for point in source.split()]
            corners = [tuple(map(int, point.split("."))) for point in target.split()]
            self.assertEqual(set(corners), {point for point in points if is_corner(point, points)})
            self.assertEqual(corners[0], next(point for point in points if point in corners))
            for a, b, c in zip(corners, corners[1:] + corners[:1], corners[2:] + corners[:2]):
                self.assertGreater(make_pointer_corpus.turn(a, b, c), 0)

    def test_sorting_orders_what_it_has(self):
        draw = random.Random(3)
        for _ in range(50):
            source, target = (list(map(int, side.split())) for side in make_pointer_corpus.sorting(draw, 6))
            self.assertEqual(len(set(source)), 6)
            self.assertIn(tuple(target), permutations(source))
            self.assertTrue(all(a < b for a, b in zip(target, target[1:])))


class ClozeCorpus(unittest.TestCase):
    def test_asks_for_words_that_the_story_has(self):
        story, headline = "Prices of wheat rose in the U.S., wheat traders said.", "Wheat prices up, wheat-traders say prices rose"
        found = list(make_cloze_corpus.clozes(story, headline, 3))
        self.assertEqual([answer for _, _, answer in found], ["wheat", "rose"])
        for document, query, answer in found:
            self.assertIn(answer, document.split())
            self.assertNotIn(answer, query.split())
            self.assertEqual(query.split().count(make_cloze_corpus.BLANK), 1)
        self.assertEqual(len(list(make_cloze_corpus.clozes(story, headline, 1))), 1)

    def test_guesses_the_most_frequent_word(self):
        self.assertEqual(make_cloze_corpus.guess("rain rain falls on wheat wheat wheat", "@blank and wheat"), "rain")


class SupportingFact(unittest.TestCase):
    def test_adds_up_weights_by_sentence(self):
        sums = supporting_fact.sentence_sums(["a", "b", supporting_fact.MARKER, "c", "</s>"], [1, 2, 4, 8, 16])
        self.assertEqual(sums, [7, 24])


if __name__ == "__main__":
    unittest.main()
