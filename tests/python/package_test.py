"""The Python package beside the program.

HEED_PROGRAM: the program. MODEL: a model that needs no libtorch; without it, one is trained. TEXTS: source lines for it.
Needs numpy, which `scripts/setup.sh --checks` installs; skipped without it, unless HEED_CHECKS is set.
"""

import gc
import importlib.resources
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from pathlib import Path

try:
    import numpy as np
except ImportError:
    np = None
if np is not None or "HEED_CHECKS" in os.environ:
    import heed

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[2]))
PROGRAM = os.environ["HEED_PROGRAM"]
MODEL = os.environ.get("MODEL", "")
TEXTS = (Path(os.environ.get("TEXTS", ROOT / "data/demo/test.en"))).read_text(encoding="utf-8").splitlines()[:40]


def setUpModule():
    """The demo of a minute, ended after some seconds; what it translates is not looked at."""
    global MODEL
    if MODEL or np is None:
        return
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    MODEL = f"{folder.name}/model"
    settings = ["--set", f"run={MODEL}", "--set", "train.max_updates=100"]
    subprocess.run([PROGRAM, "train", "configs/demo.yaml", *settings], cwd=ROOT, check=True, capture_output=True)


def run(*arguments, lines=TEXTS):
    result = subprocess.run([PROGRAM, *arguments], input="".join(line + "\n" for line in lines), capture_output=True, text=True)
    return result.stdout.splitlines(), result.stderr


@unittest.skipIf(np is None, "numpy is not installed; scripts/setup.sh --checks installs it")
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
        with self.assertRaisesRegex(heed.UsageError, "^beem: unknown key"):  # none of the program's options
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
        plain, odd = self.translator.translate(["a\tb", TEXTS[0]])[::-1]
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

    def test_scores_are_interrupted_as_well(self):
        program = (
            "import heed, signal\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            f"translator = heed.load({MODEL!r})\n"
            "print('ready', flush=True)\n"
            f"texts = {TEXTS!r} * 20000\n"
            "translator.score(texts, texts, batch=8, workers=1)\n"
        )
        process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "ready\n")
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, printed = process.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", printed)

    def test_the_interpreter_ends_while_threads_translate(self):
        for how in ("", "sys.exit(3)", "raise ValueError"):
            program = (
                "import heed, sys, threading, time\n"
                f"translator = heed.load({MODEL!r})\n"
                "def work():\n"
                "    while True:\n"
                f"        translator.translate({TEXTS!r} * 1000, batch=8, workers=1)\n"
                "for _ in range(4):\n"
                "    threading.Thread(target=work, daemon=True).start()\n"
                "time.sleep(0.5)\n"
                f"{how}\n"
            )
            ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
            self.assertEqual(ended.returncode, {"": 0, "sys.exit(3)": 3}.get(how, 1), ended.stderr)

    def test_has_the_limits_of_the_program(self):
        for option, value, message in (
            ("nbest", 10**9, "nbest: found 1000000000, expected a number from 1 to 1000"),
            ("nbest", 0, "from 1 to 1000"),
            ("batch", 10**6, "batch: found 1000000, expected a number from 0 to 100000"),
            ("workers", 10**6, "from 0 to 1024"),
            ("beam", 10**6, "from 1 to 1000"),
        ):
            with self.assertRaisesRegex(heed.UsageError, message):
                self.translator.translate(TEXTS[:1], **{option: value})
        for value in (10**30, 1.5, "two", None):
            with self.assertRaises(heed.UsageError):
                self.translator.translate(TEXTS[:1], nbest=value)

    def test_results_outlive_the_model_and_garbage_collection(self):
        translator = heed.load(MODEL)
        kept = [one.log_probabilities for one in translator.translate(TEXTS, nbest=2)] + [translator.translate(TEXTS[:1], attention=True)[0].attention]
        texts = [one.nbest[1] for one in translator.translate(TEXTS, nbest=2)]
        del translator
        cycle = [kept]
        cycle.append(cycle)  # only the collector takes it
        del cycle
        for _ in range(3):
            gc.collect()
        self.assertTrue(all(np.isfinite(array).all() for array in kept))
        self.assertTrue(all(isinstance(one.text, str) and one.tokens is not None for one in texts))

    def test_errors_in_threads_stay_in_their_thread(self):
        expected = [one.text for one in self.translator.translate(TEXTS)]
        raised, found = [], []

        def fail():
            try:
                self.translator.translate(["a", "b\0"])
            except heed.DataError as error:
                raised.append(error)

        def work():
            found.append([one.text for one in self.translator.translate(TEXTS, workers=1)])

        threads = [threading.Thread(target=target) for target in (fail, work) * 8]
        for thread in threads:
            thread.start()
        for thread in threads:
            gc.collect()
            thread.join()
        self.assertEqual((len(raised), found), (8, [expected] * 8))

    def test_a_warning_may_be_an_error(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaisesRegex(UserWarning, "a tab in the line"):
                self.translator.translate(["a\tb"])
        self.assertEqual(len(self.translator.translate(["a"])), 1)

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

    def test_texts_that_C_cannot_read_are_refused(self):
        for text, message in [("a\0b", "text 2: holds a zero byte"), ("a\ud800", "text 2: holds half of a surrogate pair (U+D800)")]:
            with self.assertRaises(heed.DataError) as raised:
                self.translator.translate(["a", text])
            self.assertIn(message, str(raised.exception))
        with self.assertRaisesRegex(heed.UsageError, "text 1: found int, expected str"):
            self.translator.translate([1])
        with self.assertRaisesRegex(heed.UsageError, "tag: holds a zero byte"):
            self.translator.translate(["a"], tag="a\0")
        with self.assertRaisesRegex(heed.ModelError, "zero byte"):
            heed.load(MODEL + "\0")

    def test_scores_belong_to_texts(self):
        with self.assertRaisesRegex(heed.UsageError, "2 sources, but 1 targets"):
            self.translator.score(["a", "b"], ["a"])

    def test_results_outlive_call_and_translator(self):
        result = heed.load(MODEL).translate(TEXTS[:1], nbest=2)[0].nbest[1]
        gc.collect()
        expected = self.translator.translate(TEXTS[:1], nbest=2)[0].nbest[1]
        self.assertEqual((result.text, result.tokens, result.score), (expected.text, expected.tokens, expected.score))

    def test_is_typed(self):
        self.assertIn("py.typed", {path.name for path in importlib.resources.files(heed).iterdir()})

    def test_the_notebook_runs(self):
        try:
            import nbclient
            import nbformat
        except ImportError:
            self.skipTest("nbclient is not installed; scripts/setup.sh --checks installs it")
        os.environ["TEXT"], os.environ["MODEL"] = TEXTS[0], str(MODEL)
        notebook = nbformat.read(ROOT / "docs/library-example/translate.ipynb", as_version=4)
        nbclient.NotebookClient(notebook, timeout=120).execute()
        printed = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))
        self.assertIn(self.translator.translate(TEXTS[:1])[0].text, printed)



@unittest.skipIf(np is None, "numpy is not installed; scripts/setup.sh --checks installs it")
class Training(unittest.TestCase):
    CONFIG = ROOT / "configs/demo.yaml"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "run"
        self.lines = []
        network = Path(heed.__file__).with_name(f"libheed_network.so.{heed.__version__}")
        if "HEED_LIBRARY" not in os.environ and not network.exists():
            with self.assertRaisesRegex(heed.FileError, "training needs libheed_network"):
                self.train()
            self.skipTest("this wheel has no part that needs libtorch")

    def train(self, **options):
        options.setdefault("set", {"train.max_updates": 20, "train.validate.every": 10})
        return heed.train(self.CONFIG, run_folder=self.folder, log=lambda *line: self.lines.append(line), **options)

    def test_trains_a_run_that_translates(self):
        run = self.train()
        self.assertEqual(run[:3], (self.folder, True, 20))
        self.assertEqual([line["update"] for line in run.metrics if line["kind"] == "validation"], [10, 20])
        self.assertIn(("info", "vocabulary"), [(level, text[:10]) for level, text in self.lines])
        self.assertEqual(len(heed.load(run.folder).translate(["The door is closed."])), 1)

    def test_errors_are_exceptions(self):
        with self.assertRaisesRegex(heed.UsageError, "train.clip.*"):
            self.train(set={"train.clip": -1})
        with self.assertRaisesRegex(heed.UsageError, "start: found 'later'"):
            self.train(start="later")
        with self.assertRaisesRegex(heed.UsageError, "found object"):
            self.train(set={"train.clip": object()})
        with self.assertRaisesRegex(heed.UsageError, "nowhere.yaml: cannot open"):
            heed.train("nowhere.yaml")
        self.assertFalse(self.folder.exists())

    def test_ctrl_c_saves_and_the_run_goes_on(self):
        def interrupt():
            while not any("update 20 " in text for _, text in self.lines):
                time.sleep(0.02)
            os.kill(os.getpid(), signal.SIGINT)

        settings = {"train.max_updates": 5000, "train.log_every": 10}
        threading.Thread(target=interrupt, daemon=True).start()
        with self.assertRaises(KeyboardInterrupt):
            self.train(set=settings)
        saved = int(os.path.basename(os.readlink(self.folder / "latest")).split("-")[1])
        self.assertGreaterEqual(saved, 20)
        run = self.train(set=settings | {"train.max_updates": saved + 5}, start="resume")
        self.assertEqual(run.updates, saved + 5)

if __name__ == "__main__":
    unittest.main()
