"""The table of scripts/attention_table.sh: what counts as a hole, and that every name in the list stands for something."""

import os
import sys
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[2]))
sys.path.insert(0, str(ROOT / "scripts"))
import attention_table  # noqa: E402
import features  # noqa: E402

LIST = """# a comment
S5 additive
  stage score_additive, additive_softmax_heads*
  learning S5
  plot S5
D1 nothing
  reference None.IsNothing
  gradient - nothing is learned
  padding - nothing is read
  steps - no steps
  beam - no beam
  resume - no run
  learning - nothing
  plot - nothing
"""

PASSED = [
    "All/AttentionDefinitions.EqualTheEquations/additive_softmax_heads1_cross",
    "All/Attentions.GradientsAreFiniteDifferences/additive_softmax_heads1_cross",
    "Everything/Laws.NeighboursAndOrderChangeNothing/rnn_before_score_additive",
    "Everything/Laws.StepByStepEqualsAllAtOnce/rnn_before_score_additive",
    "All/SlowMechanisms.PassesThroughBeamSearch/score_additive_rnn",
    "All/SlowMechanisms.ResumedEqualsUninterrupted/score_additive_rnn",
    "All/SlowLearningQuick.ReachesItsGoalSample/S5",
    "All/SlowPictures.AreDrawn/S5",
    "None.IsNothing",
]


class AttentionTable(unittest.TestCase):
    def holes(self, results, text=LIST):
        rows, mistakes = attention_table.read_list(text)
        self.assertEqual(mistakes, [])
        return attention_table.check(rows, results)[2]

    def test_all_passed_is_without_holes(self):
        self.assertEqual(self.holes(dict.fromkeys(PASSED, features.PASSED)), [])

    def test_missing_skipped_and_failed_are_holes(self):
        for name in PASSED:
            for result in (None, features.SKIPPED, features.FAILED, features.NOT_RUN):
                results = dict.fromkeys(PASSED, features.PASSED) | {name: result}
                if result is None:
                    del results[name]
                self.assertEqual(len(self.holes(results)), 1, f"{name} {result}")

    def test_one_failure_among_many_is_a_hole(self):
        results = dict.fromkeys(PASSED, features.PASSED)
        results["All/AttentionDefinitions.EqualTheEquations/additive_softmax_heads2_cross"] = features.FAILED
        self.assertEqual(len(self.holes(results)), 1)

    def test_a_column_without_test_and_reason_is_a_mistake(self):
        for change in (("  learning S5\n", ""), ("  plot - nothing\n", ""), ("  plot S5\n", "  plot S5\n  plot - none\n")):
            mistakes = attention_table.read_list(LIST.replace(*change))[1]
            self.assertEqual(len(mistakes), 1, change)
        self.assertEqual(len(attention_table.read_list(LIST + "  colour red\n")[1]), 1)


class AttentionTableList(unittest.TestCase):
    rows, mistakes = attention_table.read_list((ROOT / "scripts/attention_table.txt").read_text(encoding="utf-8"))

    def test_is_well_formed(self):
        self.assertEqual(self.mistakes, [])

    def test_names_tests_that_are_defined(self):
        defined = features.defined_tests(ROOT / "tests")
        for row in self.rows:
            for patterns in row.tests.values():
                for pattern in patterns:
                    plain = features.plain_name(pattern)
                    known = any(attention_table.fnmatchcase(name, plain) for name in defined)
                    self.assertTrue(known, f"{row.name}: {pattern}")

    def test_has_a_row_for_every_mechanism(self):
        ids = {row.name.split()[0] for row in self.rows}
        wanted = {f"S{n}" for n in range(1, 11)} | {f"N{n}" for n in range(1, 8)} | {f"E{n}" for n in range(1, 6)}
        wanted |= {f"D{n}" for n in range(1, 6)} | {f"B{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13)}
        wanted |= {f"R{n}" for n in range(1, 17)} | {"O2", "O3", "O4"}
        self.assertEqual(ids, wanted)


if __name__ == "__main__":
    unittest.main()
