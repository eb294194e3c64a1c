"""scripts/bench/student_targets.py: it finds lines that differ, and names each target that it leaves out."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[2]))
sys.path.insert(0, str(ROOT / "scripts" / "bench"))
import student_targets  # noqa: E402
from translation_speed import HEED, Program  # noqa: E402


class Counting(unittest.TestCase):
    LINES = ["a b", "c", "d"]

    def measured(self, shell, name="heed translate", same=True):
        """A target that translates by a command of the shell."""
        given = student_targets.read_arguments(["student", "--source", "text", "--seconds", "0"])
        program = Program(name, lambda: ["sh", "-c", shell])
        own = student_targets.Measured(student_targets.Target(program, [], same), self.LINES, given)
        own.repeat = 2
        own.take_turn()
        return own

    def test_a_line_that_differs_once_is_not_equal(self):
        first = self.measured("tr a-z A-Z")
        self.assertEqual(["A B", "C", "D"], first.output)
        self.assertEqual([True, True, True], self.measured("tr a-z A-Z").equal(first.output))
        self.assertEqual([True, False, True], self.measured("tr a-z A-Z | sed s/C/x/").equal(first.output))
        # the fourth line is the first one again, in another batch
        self.assertEqual([False, True, True], self.measured("tr a-z A-Z | sed 4s/A/x/").equal(first.output))

    def test_names_the_lines_that_must_be_the_same(self):
        first = self.measured("tr a-z A-Z")
        other = "tr a-z A-Z | sed s/C/x/"
        expected = ["server: line 2: c\n  expected: C\n  found:    x"]
        self.assertEqual(expected, student_targets.differences("server", self.measured(other), first, self.LINES))
        self.assertEqual([], student_targets.differences("peer", self.measured(other, same=False), first, self.LINES))

    def test_a_target_without_a_line_fails(self):
        with self.assertRaisesRegex(RuntimeError, "found 2 translations, expected 3"):
            self.measured("head -n 2")

    def test_a_program_that_fails_says_why(self):
        with self.assertRaisesRegex(RuntimeError, "no such model"):
            self.measured("echo no such model >&2; exit 4")


    def test_a_peer_that_fails_is_left_out_by_name(self):
        given = student_targets.read_arguments(["student", "--source", "text"])
        targets = student_targets.Targets(student_targets.Student(Path("student.heed")), given, Path())
        failing = Program("peer", lambda: ["sh", "-c", "echo first; echo missing scale >&2; exit 1"])
        with self.assertRaisesRegex(student_targets.LeftOut, "^it fails: missing scale$"):
            targets.measure(student_targets.Target(failing, [], same=False), self.LINES)
        with self.assertRaises(RuntimeError):
            targets.measure(student_targets.Target(failing, []), self.LINES)


class VocabularyMap(unittest.TestCase):
    def test_has_frequent_tokens_and_the_best_of_each_source_token(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "shared_vocabulary.json").write_text('["<unk>", "<s>", "</s>", "der", "Hund"]', encoding="utf-8")
            (folder / "lexicon").write_text("die the 0.2\nder the 0.5\ndas the 0.3\nHund dog 1\n", encoding="utf-8")
            student_targets.write_vmap(folder / "lexicon", folder, best=2, frequent=3)
            # CTranslate2: a source phrase, a tab, its target tokens; the empty phrase is for all sentences
            self.assertEqual("\t<unk> <s> </s>\nthe\tder das\ndog\tHund\n", (folder / "vmap.txt").read_text(encoding="utf-8"))


@unittest.skipUnless(HEED.exists(), "heed is not built")
class Targets(unittest.TestCase):
    """A model after some updates: what it translates is not looked at."""

    def test_prints_a_row_for_each_target(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            settings = [f"run={folder}/student", "train.max_updates=20", "train.phases=[]", "data.test={}"]
            command = [HEED, "train", ROOT / "configs/distill-demo.yaml", *(word for one in settings for word in ("--set", one))]
            subprocess.run(command, check=True, capture_output=True)
            subprocess.run([HEED, "pack", folder / "student", "-o", folder / "student.heed"], check=True, capture_output=True)
            arguments = [folder, "--source", ROOT / "data/demo/test.en", "--reference", ROOT / "data/demo/test.de", "--lines", 8, "--rounds", 1,
                         "--seconds", 0, "--module", folder]
            table = io.StringIO()
            with contextlib.redirect_stdout(table):
                student_targets.main(list(map(str, arguments)))
        rows = {cells[1].strip(): cells[2].strip() for cells in (line.split("|") for line in table.getvalue().splitlines() if line.startswith("|"))}
        own = ["`heed translate`, packed", "`heed translate --precision int8`, run", "`heed serve`"]
        self.assertEqual(["8"] * 3, [rows[name] for name in own])
        for name in ("module for browsers, node", "page, Chromium"):
            self.assertEqual(f"left out: there is no module in {folder}; scripts/wasm.sh builds it", rows[name])
        for name in ("CTranslate2, int8", "fxtranslate, int8"):
            self.assertEqual("left out: no --peer is given", rows[name])


if __name__ == "__main__":
    unittest.main()
