"""The word alignment of the demo corpus belongs to its lines and links every word."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[2]))


class DemoAlignment(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Has a process of its own, since the script changes the writers of both languages.
        command = [sys.executable, ROOT / "scripts/demo_alignment.py", "test"]
        cls.alignments = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()

    def test_links_every_word(self):
        texts = [(ROOT / f"data/demo/test.{language}").read_text(encoding="utf-8").splitlines() for language in ("en", "de")]
        self.assertEqual(len(self.alignments), len(texts[0]))
        for source, target, line in zip(*texts, self.alignments):
            links = [tuple(map(int, word.split("-"))) for word in line.split()]
            self.assertEqual({i for i, _ in links}, set(range(len(source.split()))), source)
            self.assertEqual({j for _, j in links}, set(range(len(target.split()))), target)

    def test_follows_the_order_of_words(self):
        # Two neighbours call the woman now. - Zwei Nachbarn rufen jetzt die Frau an.
        self.assertEqual(self.alignments[6], "0-0 1-1 2-2 2-6 3-4 4-5 5-3")


if __name__ == "__main__":
    unittest.main()
