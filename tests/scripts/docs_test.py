"""What pages quote of the source is what stands there."""

import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def quotes(page):
    parts = (ROOT / page).read_text().split("```cpp\n")[1:]
    return [part.split("```")[0].strip("\n") for part in parts]


class NewMechanism(unittest.TestCase):
    SOURCES = ["src/nn/attention/terms/alibi.cpp", "src/nn/attention/scores/general.cpp",
               "src/nn/attention/mechanisms.def", "tests/reference/terms.h", "tests/nn/attention_definition.h",
               "tests/nn/attention_definition.h", "tests/learning/rows.cpp"]

    def test_quotes_the_source(self):
        found = quotes("docs/new-mechanism.md")
        self.assertEqual(len(found), len(self.SOURCES))
        for quote, source in zip(found, self.SOURCES):
            self.assertIn(quote, (ROOT / source).read_text(), source)


if __name__ == "__main__":
    unittest.main()
