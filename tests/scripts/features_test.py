"""The table of scripts/features.sh: what counts as a hole, and that every name in the list stands for something."""

import contextlib
import io
import os
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[2]))
sys.path.insert(0, str(ROOT / "scripts"))
import features  # noqa: E402

LIST = """# a comment
== Sums
adding | data.train[].weight, model.encoder=rnn
  Sum.Adds
  All/Sum.Adds*/*
== Others
the rest | -
  Sum.Multiplies
"""

CONFIG = """# Keys

| key | value | default | meaning |
|---|---|---|---|
| `data` | [settings](#data) | **required** | files |
| `model` | [settings](#model) |  | the network |
| `text` | map from names to [`words`](#kinds-of-text) | `{}` | pieces |

## `data`

| `train` | list of [settings](#datatrain) | **required** | learned from |

### `data.train[]`

| `weight` | a number, above 0 | `1.0` | how often |

## `model`

| `encoder` | [`rnn`, `transformer`](#kinds-of-encoder) | `rnn` | states |

## Kinds of `text`

### `text: words`

| `join` | a text | `""` | joins |

## Kinds of `encoder`

### `encoder: rnn`

| `cell` | rnn, lstm or gru | `lstm` | cell |

### `encoder: transformer`

| `norm` | pre or post | `pre` | norm |
"""

COMMANDS = """# The command line

- `--device` is for all.

## heed score

    $ heed score runs/toy -s a -t b

## heed plot attention

Draws, with `--svg FILE`.
"""


def case(name, content="", status="run", suite="Sum"):
    return f'<testcase name="{name}" classname="{suite}" status="{status}">{content}</testcase>'


class List(unittest.TestCase):
    def test_rows_have_keys_and_tests(self):
        rows, mistakes = features.read_list(LIST)
        self.assertEqual([], mistakes)
        self.assertEqual(["adding", "the rest"], [row.feature for row in rows])
        self.assertEqual(["Sums", "Others"], [row.section for row in rows])
        self.assertEqual(["data.train[].weight", "model.encoder=rnn"], rows[0].keys)
        self.assertEqual(["Sum.Adds", "All/Sum.Adds*/*"], rows[0].tests)
        self.assertEqual([], rows[1].keys)

    def test_mistakes_have_their_line(self):
        _, mistakes = features.read_list("  A.Test\nno key\nx | -\nx | -\n")
        self.assertEqual(["line 1", "line 2", "line 4"], [mistake.split(":")[0] for mistake in mistakes])


class Pages(unittest.TestCase):
    def test_keys_are_followed_through_settings_lists_maps_and_kinds(self):
        page = features.ConfigPage(CONFIG)
        for key in ("data", "data.train[].weight", "text.NAME.join", "text.NAME=words", "model.encoder.cell"):
            self.assertTrue(page.holds(key), key)
        for key in ("model.encoder.norm=post", "model.encoder=transformer", "model.encoder.cell=gru"):
            self.assertTrue(page.holds(key), key)

    def test_what_does_not_stand_there_is_found(self):
        page = features.ConfigPage(CONFIG)
        for key in ("dat", "data.weight", "text.NAME.cell", "model.encoder.cell=lstmm", "model.encoder=kinds", "model.x.cell"):
            self.assertFalse(page.holds(key), key)

    def test_options_stand_in_the_section_of_their_command(self):
        page = features.CommandPage(COMMANDS)
        for key in ("heed score", "heed score -s -t", "heed score --device", "heed plot attention --svg"):
            self.assertTrue(page.holds(key), key)
        for key in ("heed", "heed scores", "heed score --svg", "heed score --dev", "heed plot --svg", "heed plot attention -s"):
            self.assertFalse(page.holds(key), key)

    def test_undocumented_names_are_mistakes(self):
        rows = [features.Row("s", "f", ["data.gone", "heed score --gone", "data"])]
        found = list(features.undocumented(rows, features.ConfigPage(CONFIG), features.CommandPage(COMMANDS)))
        self.assertEqual(2, len(found))


class Results(unittest.TestCase):
    DEFINED = {"Sum.Adds", "Sum.Multiplies", "Sum.Divides"}

    def results(self, cases):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "base.xml").write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
            return features.read_reports(Path(folder))

    def judge(self, pattern, cases):
        return features.judge(pattern, self.results(cases), self.DEFINED)

    def test_one_test(self):
        self.assertEqual("passed", self.judge("Sum.Adds", case("Adds")))
        self.assertEqual("FAILED", self.judge("Sum.Adds", case("Adds", '<failure message="2"/>')))
        self.assertEqual("SKIPPED", self.judge("Sum.Adds", case("Adds", '<skipped message="no data"/>')))
        self.assertEqual("NOT RUN", self.judge("Sum.Adds", case("Adds", status="notrun")))
        self.assertEqual("NOT RUN", self.judge("Sum.Divides", case("Adds")))
        self.assertEqual("no such test", self.judge("Sum.Subtracts", case("Adds")))

    def test_a_pattern_wants_one_match_and_no_failure(self):
        two = case("Adds/a", suite="All/Sum") + case("Adds/b", suite="All/Sum")
        self.assertEqual("passed (2 of 2)", self.judge("All/Sum.Adds/*", two))
        skipped = two + case("Adds/c", '<skipped message=""/>', suite="All/Sum")
        self.assertEqual("SKIPPED (1 of 3)", self.judge("All/Sum.Adds/*", skipped))
        failed = skipped + case("Adds/d", '<failure message=""/>', suite="All/Sum")
        self.assertEqual("FAILED (1 of 4)", self.judge("All/Sum.Adds/*", failed))
        self.assertEqual("passed", self.judge("All/Sum.Adds/*a", failed))
        self.assertEqual("NOT RUN", self.judge("All/Sum.Adds/*e", two))
        self.assertEqual("no such test", self.judge("All/Sum.Takes/*", two))

    def test_a_row_is_held_if_all_of_its_tests_passed(self):
        rows, _ = features.read_list("== S\na | -\n  Sum.Adds\n  Sum.Divides\nb | data\n  Sum.Adds\nc | -\n")
        lines, held = features.table(rows, self.results(case("Adds")), self.DEFINED)
        self.assertEqual(1, held)
        expected = [
            "== S",
            "a  -     Sum.Adds     passed",
            "         Sum.Divides  NOT RUN",
            "b  data  Sum.Adds     passed",
            "c  -     no test      no such test",
        ]
        self.assertEqual(expected, lines)


class Whole(unittest.TestCase):
    def test_a_missing_report_names_the_command_that_makes_it(self):
        output = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(output):
            self.assertEqual(1, features.main(Path(folder, "none")))
        self.assertIn("scripts/test.sh", output.getvalue())

    def test_the_list_names_tests_that_are_defined(self):
        rows, mistakes = features.read_list((ROOT / "scripts/features.txt").read_text(encoding="utf-8"))
        self.assertEqual([], mistakes)
        defined = features.defined_tests(ROOT / "tests")
        for row in rows:
            self.assertTrue(row.tests, row.feature)
            for test in row.tests:
                self.assertEqual("NOT RUN", features.judge(test, {}, defined), f"{row.feature}: {test}")

    def test_the_list_names_keys_that_exist(self):
        rows, _ = features.read_list((ROOT / "scripts/features.txt").read_text(encoding="utf-8"))
        page = features.ConfigPage((ROOT / features.CONFIG).read_text(encoding="utf-8"))
        keys = [key for row in rows for key in row.keys if not key.startswith("heed ")]
        self.assertEqual([], [key for key in keys if not page.holds(key)])


if __name__ == "__main__":
    unittest.main()
