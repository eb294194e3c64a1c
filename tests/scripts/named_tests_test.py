"""tests/named_tests.py: the names and filters that it reads from a program's list."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from named_tests import read_list  # noqa: E402

LIST = """Running main() from gtest_main.cc
Beam.
  EndsEarly
  KeepsTheBest
All/Beam.
  HasWidth/0  # GetParam() = 1
  HasWidth/1  # GetParam() = a # b
Typed/0.  # TypeParam = int
  Adds
Typed/1.  # TypeParam = float
  Adds
"""


class ReadList(unittest.TestCase):
    def test_names_have_no_parameters_and_filters_find_all_of_them(self):
        self.assertEqual(
            {
                "Beam.EndsEarly": {"Beam.EndsEarly"},
                "Beam.KeepsTheBest": {"Beam.KeepsTheBest"},
                "Beam.HasWidth": {"All/Beam.HasWidth/*"},
                "Typed.Adds": {"Typed/0.Adds", "Typed/1.Adds"},
            },
            read_list(LIST),
        )


if __name__ == "__main__":
    unittest.main()
