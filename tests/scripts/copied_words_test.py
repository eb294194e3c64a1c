"""What scripts/copied_words.py counts, on lines that can be counted by hand."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[2]))
sys.path.insert(0, str(ROOT / "scripts"))
import copied_words  # noqa: E402

VOCABULARY = {"the", "bank", "of", "says"}


def split(*lines):
    return [line.split() for line in lines]


class CopiedWords(unittest.TestCase):
    def counted(self, source, reference, hypothesis):
        return copied_words.copied(split(source), split(reference), split(hypothesis), VOCABULARY)

    def test_words_of_the_vocabulary_do_not_count(self):
        self.assertEqual(self.counted("the bank says", "the bank", "the bank"), ([0, 0], [0, 0]))

    def test_what_source_and_reference_share_can_be_copied(self):
        # midas and ltd are wanted, gold is not in the source; of midas and coin that are written midas is right
        self.assertEqual(self.counted("midas coin ltd of midas", "midas ltd gold", "midas midas coin"), ([1, 2], [1, 2]))

    def test_the_unknown_word_is_not_written(self):
        self.assertEqual(self.counted("midas <unk>", "midas", "<unk> of <unk>"), ([0, 1], [0, 0]))

    def test_lines_are_held_apart(self):
        found = copied_words.copied(split("midas", "croesus"), split("midas", "croesus"), split("croesus", "croesus"), VOCABULARY)
        self.assertEqual(found, ([1, 2], [1, 2]))

    def test_texts_of_other_lengths_are_refused(self):
        with self.assertRaises(ValueError):
            copied_words.copied(split("a", "b"), split("a"), split("a"), VOCABULARY)

    def test_repeated_sequences_of_a_line(self):
        # a b c, b c a, c a b, a b c again; nothing of the other lines, of which one is too short
        self.assertEqual(copied_words.repeated(split("a b c a b c", "a b c", "a b")), [1, 5])
        self.assertEqual(copied_words.repeated(split("a a a a a")), [2, 3])

    def test_of_the_files_of_a_run(self):
        with tempfile.TemporaryDirectory() as folder:
            texts = {"source": "midas ltd\n", "reference": "midas ltd\n", "hypothesis": "midas of\n", "vocabulary": "of\nthe\n"}
            for name, text in texts.items():
                Path(folder, name).write_text(text)
            command = [sys.executable, ROOT / "scripts/copied_words.py", *(Path(folder, name) for name in texts)]
            output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        self.assertEqual([line.split() for line in output.splitlines()],
                         [["copied", "50.0", "%", "1", "of", "2"], ["right", "100.0", "%", "1", "of", "1"],
                          ["repeated", "-", "%", "0", "of", "0"]])


if __name__ == "__main__":
    unittest.main()
