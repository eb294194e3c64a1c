"""The installed Python package beside the program: scripts/try_packages.sh runs this.

HEED_PROGRAM: the program; MODEL: a model that needs no libtorch; TEXTS: source lines for it.
"""

import importlib.resources
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings
from pathlib import Path

import heed
import numpy as np

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[2]))
PROGRAM, MODEL = os.environ["HEED_PROGRAM"], os.environ["MODEL"]
TEXTS = Path(os.environ["TEXTS"]).read_text(encoding="utf-8").splitlines()[:40]


def run(*arguments, lines=TEXTS):
    result = subprocess.run([PROGRAM, *arguments], input="".join(line + "\n" for line in lines), capture_output=True, text=True)
    return result.stdout.splitlines(), result.stderr


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.translator = heed.load(MODEL)

    def test_translates_as_the_program(self):
        lines, _ = run("translate", MODEL, "--nbest", "3", "--beam", "4", "--format", "json")
        found = self.translator.translate(TEXTS, nbest=3, beam=4)
        self.assertEqual(len(found), len(lines))
        for result, line in zip(found, lines):
            expected = json.loads(line)["translations"]
            self.assertEqual([one.text for one in result.nbest], [one["text"] for one in expected])
            self.assertEqual((result.text, result.tokens), (expected[0]["text"], expected[0]["tokens"]))
            for one, other in zip(result.nbest, expected):
                self.assertAlmostEqual(one.score, other["score"], 5)
                np.testing.assert_allclose(one.log_probabilities, other["log_probabilities"], atol=1e-5)

    def test_gives_numpy_arrays(self):
        result = self.translator.translate(TEXTS[:1], attention=True, alignment=True)[0]
        self.assertEqual(result.attention.shape, (len(result.tokens) + 1, len(result.source_tokens) + 1))
        self.assertEqual(result.attention.dtype, np.float32)
        np.testing.assert_allclose(result.attention.sum(axis=1), 1, atol=1e-4)
        self.assertEqual(result.alignment.shape[1], 2)
        self.assertEqual(result.alignment[:, 1].tolist(), list(range(len(result.text.split()))))
        kept = result.attention
        del result
        self.assertTrue(np.isfinite(kept).all())
        self.assertEqual(self.translator.translate(TEXTS[:1])[0].attention.shape, (0, 0))

    def test_scores_what_search_found(self):
        found = self.translator.translate(TEXTS)
        scores = self.translator.score(TEXTS, [one.text for one in found])
        for one, score in zip(found, scores):
            if score.tokens == one.tokens and one.finished:
                self.assertAlmostEqual(score.log_probability, one.log_probability, 3)
        self.assertEqual(len(scores[0].log_probabilities), len(scores[0].tokens) + 1)
        self.assertTrue(math.isfinite(float(scores[0])))

    def test_errors_have_the_messages_of_the_program(self):
        _, printed = run("translate", "nowhere", lines=[])
        with self.assertRaises(heed.ModelError) as raised:
            heed.load("nowhere")
        self.assertEqual(printed, f"heed: {raised.exception}\n")
        with self.assertRaisesRegex(heed.UsageError, "did you mean 'beam'?"):
            self.translator.translate(TEXTS, beem=3)
        with self.assertRaisesRegex(ValueError, "expected a list of texts"):
            self.translator.translate(TEXTS[0])
        with self.assertRaisesRegex(heed.DataError, "text 2: holds a line break"):
            self.translator.translate(["a", "b\n"], split=False)
        with self.assertRaisesRegex(heed.UsageError, "found the inputs en"):
            self.translator.translate([{"en": "a"}])

    def test_a_text_may_name_its_input(self):
        name = self.translator.inputs[0]
        self.assertEqual(self.translator.translate([{name: TEXTS[0]}])[0].text, self.translator.translate(TEXTS[:1])[0].text)

    def test_warnings_are_those_of_python(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.translator.translate(["a\tb"])
        self.assertIn("a tab in the line", str(caught[0].message))
        self.assertEqual(caught[0].filename, __file__)

    def test_each_sentence_is_translated_by_itself(self):
        own = self.translator.translate(TEXTS[:2])
        whole = self.translator.translate(["\n".join(TEXTS[:2])])[0]
        self.assertEqual(whole.text, own[0].text + "\n" + own[1].text)
        self.assertEqual(whole.source_tokens, own[0].source_tokens + ["</s>"] + own[1].source_tokens)

    def test_results_have_their_warnings(self):
        plain, odd = self.translator.translate(["\t".join(TEXTS[:2]), TEXTS[0]])[::-1]
        self.assertEqual([], plain.warnings)
        self.assertEqual("tab", odd.warnings[0].kind)
        self.assertIn("a tab in the line", odd.warnings[0].message)
        self.assertEqual(str(odd.warnings[0]), odd.warnings[0].message)

    def test_other_threads_go_on(self):
        done, ticks = threading.Event(), []

        def tick():
            while not done.is_set():
                ticks.append(None)
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        before = len(ticks)
        self.translator.translate(TEXTS * 10, workers=1, beam=8)
        done.set()
        thread.join()
        self.assertGreater(len(ticks) - before, 5)

    def test_threads_share_a_model(self):
        expected = [one.text for one in self.translator.translate(TEXTS)]
        results = [None] * 3

        def work(i):
            results[i] = [one.text for one in self.translator.translate(TEXTS, workers=1)]

        threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [expected] * 3)

    def test_an_interrupt_ends_a_call(self):
        program = (
            "import heed, signal\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a job in the background of a shell ignores it
            f"translator = heed.load({MODEL!r})\n"
            "print('ready', flush=True)\n"
            f"translator.translate({TEXTS!r} * 10000, batch=8)\n"
        )
        process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "ready\n")
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, printed = process.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", printed)

    def test_has_stubs(self):
        files = {path.name for path in importlib.resources.files(heed).iterdir()}
        self.assertLessEqual({"py.typed", "_heed.pyi"}, files)

    def test_the_notebook_runs(self):
        import nbclient
        import nbformat

        os.environ["TEXT"] = TEXTS[0]
        notebook = nbformat.read(ROOT / "docs/library-example/translate.ipynb", as_version=4)
        nbclient.NotebookClient(notebook, timeout=120).execute()
        printed = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))
        self.assertIn(self.translator.translate(TEXTS[:1])[0].text, printed)


if __name__ == "__main__":
    unittest.main()
