"""scripts/tested.py: which tests count, and what is followed in docs/config.md and the help of the program."""

import contextlib
import io
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[2]))
sys.path.insert(0, str(ROOT / "scripts"))
import tested  # noqa: E402

CONFIG = r"""# Keys

| key | value | default | meaning |
|---|---|---|---|
| `data` | [settings](#data) | **required** | files |
| `model` | [settings](#model) |  | the network |
| `text` | map from names to [`words`](#kinds-of-text) | `{}` | pieces |

## `data`

| `train` | list of [settings](#datatrain) | **required** | learned from |

### `data.train[]`

| `weight` | a number \|w\| | `\|1\|` | how often: \|w\| |

## `model`

| `encoder` | [`rnn`, `transformer`](#kinds-of-encoder) | `rnn` | states |

## Kinds of `text`

### `text: words`

| `join` | a text | `""` | joins |

## Kinds of `encoder`

### `encoder: rnn`

| `past` | [settings](#encoder-rnn-past) | none | past |

#### `encoder: rnn past`

| `parts` | whole or halves | `whole` | parts |

### `encoder: transformer`
"""

HELP = {
    (): "Options:\n  -h,--help    Help\n\nSubcommands:\n  train    Trains\n  plot     Draws\n\nExit codes\n",
    ("train",): "Options:\n  --run FOLDER    not with --resume\n",
    ("plot",): "Options:\n  -h,--help    Help\n\nSubcommands:\n  attention    Weights\n",
    ("plot", "attention"): "Options:\n  -o,--output FILE\n",
}


def case(name, held="", content="", status="run"):
    facts = f'<properties><property name="keys" value="{held}"/></properties>' if held else ""
    return f'<testcase name="{name}" classname="Sum" status="{status}">{facts}{content}</testcase>'


class Reports(unittest.TestCase):
    def held(self, cases):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "base.xml").write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
            return tested.read_reports(Path(folder)).get("keys", {})

    def test_say_what_tests_hold(self):
        self.assertEqual({"a": ["Sum.Adds"], "b": ["Sum.Adds"]}, self.held(case("Adds", "a, b") + case("Divides")))

    def test_give_reasons(self):
        with tempfile.TemporaryDirectory() as folder:
            fact = '<properties><property name="not plot" value="a = no, none; b = nothing"/></properties>'
            Path(folder, "cli.xml").write_text(f'<testsuite><testcase name="A" classname="B" status="run">{fact}</testcase></testsuite>')
            self.assertEqual({"not plot": {"a": ["no, none"], "b": ["nothing"]}}, tested.read_reports(Path(folder)))

    def test_count_what_passed_alone(self):
        for other in ('<failure message="2"/>', '<skipped message="no data"/>'):
            self.assertEqual({}, self.held(case("Adds", "a", other)))
        self.assertEqual({}, self.held(case("Adds", "a", status="notrun")))


class Names(unittest.TestCase):
    page = tested.ConfigPage(CONFIG)

    def test_of_keys_are_followed_through_settings_lists_maps_and_kinds(self):
        self.assertEqual(["data.train[].weight", "model.encoder", "text.NAME=words", "text.NAME.join"], list(self.page.keys()))

    def test_of_mechanisms_are_those_of_the_network(self):
        self.assertEqual(["encoder: rnn", "encoder: rnn past", "encoder: transformer"], list(self.page.mechanisms()))

    def test_of_options_are_those_that_help_begins_a_line_with(self):
        with mock.patch("tested.help_of", lambda *command: HELP[command]):
            names = tested.commands_and_options()
        output = {"heed plot attention --output": ["heed plot attention -o"]}
        train = {"heed train": [], "heed train --run": []}
        self.assertEqual({"heed --help": ["heed -h"], **train, "heed plot --help": ["heed plot -h"], "heed plot attention": [], **output}, names)


class Tables(unittest.TestCase):
    options = ["heed -h", "heed train --run", "heed plot --help", "heed plot attention -o"]

    def holes_of_keys(self, held, runs=options):
        page = mock.patch("tested.config_page", lambda: tested.ConfigPage(CONFIG))
        with page, mock.patch("tested.help_of", lambda *command: HELP[command]):
            return tested.table_of_keys({"keys": held, "runs": {run: ["Sum.Runs"] for run in runs}})[1]

    def test_of_keys_name_what_no_test_holds_and_what_there_is_not(self):
        names = ["data.train[].weight", "model.encoder", "text.NAME=words", "text.NAME.join", "heed train", "--run"]
        names += ["heed plot attention", "--output", "--help"]
        self.assertEqual([], self.holes_of_keys({name: ["Sum.Adds"] for name in names}))
        without = {name: ["Sum.Adds"] for name in names[:-1]}
        self.assertEqual(["heed --help: no test holds it", "heed plot --help: no test holds it"], self.holes_of_keys(without))
        gone = {name: ["Sum.Adds"] for name in [*names, "data.gone"]}
        self.assertEqual(["data.gone: there is no such key, command or option"], self.holes_of_keys(gone))

    def test_of_keys_want_a_run_of_each_command_with_the_option(self):
        names = ["data.train[].weight", "model.encoder", "text.NAME=words", "text.NAME.join", "heed train", "--run"]
        held = {name: ["Sum.Adds"] for name in [*names, "heed plot attention", "--output", "--help"]}
        self.assertEqual(["heed train --run: no test holds it"], self.holes_of_keys(held, ["heed -h", "heed plot -h", "heed plot attention -o"]))

    def test_of_mechanisms_have_a_test_or_a_reason_in_each_cell(self):
        rows = ["encoder: rnn", "encoder: rnn past", "encoder: transformer"]
        held = {column: {name: ["Sum.Adds"] for name in rows} for column in tested.COLUMNS}
        with mock.patch("tested.config_page", lambda: tested.ConfigPage(CONFIG)):
            self.assertEqual([], tested.table_of_mechanisms(held)[1])
            del held["plot"]["encoder: rnn"]
            self.assertEqual(["encoder: rnn: no test holds its plot"], tested.table_of_mechanisms(held)[1])
            held["not plot"] = {"encoder: rnn": ["nothing to draw"]}
            lines, holes = tested.table_of_mechanisms(held)
            self.assertEqual([], holes)
            self.assertEqual("-  encoder: rnn, plot: nothing to draw", lines[-1])
            held["plot"]["encoder: rnn"] = ["Sum.Adds"]
            self.assertEqual(["encoder: rnn: plot is excused, and held"], tested.table_of_mechanisms(held)[1])

    def test_name_columns_and_excused_mechanisms_that_there_are_not(self):
        with mock.patch("tested.config_page", lambda: tested.ConfigPage(CONFIG)):
            self.assertEqual([], tested.misnamed({"keys": {}, "goal": {}, "plot": {}, "not plot": {"encoder: rnn": ["nothing"]}}))
            found = tested.misnamed({"plots": {}, "not keys": {}, "not plot": {"encoder: gone": ["nothing"]}})
        missing = ["plots: there is no such column", "not keys: there is no such column"]
        self.assertEqual([*missing, "encoder: gone: its plot is excused, and there is no such mechanism"], found)

    def test_a_wrong_column_is_said_and_fails(self):
        errors = io.StringIO()
        page = mock.patch("tested.config_page", lambda: tested.ConfigPage(CONFIG))
        table = mock.patch.dict(tested.TABLES, {"mechanisms": lambda held: ([], [])})
        reports = mock.patch("tested.read_reports", lambda folder: {"plots": {"encoder: rnn": ["Sum.Adds"]}})
        with page, table, reports, contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(1, tested.main("mechanisms"))
        self.assertEqual("plots: there is no such column\n", errors.getvalue())

    def test_a_missing_report_names_the_command_that_makes_it(self):
        output = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(output):
            self.assertEqual(1, tested.main("keys", Path(folder, "none")))
        self.assertIn("scripts/test.sh", output.getvalue())


if __name__ == "__main__":
    unittest.main()
