"""scripts/results.py: the table of several runs."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "results.py"
CONFIG = """run: {run}
seed: {seed}
train:
  optimizer: {{type: adam, rate: {rate}}}
  validate: {{every: 100, metric: {metric}, patience: ~, samples: 3}}
"""


class Results(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_of(self, name, scores, metric="bleu", seed=1, rate="0.001"):
        run = Path(self.folder.name) / name
        run.mkdir()
        (run / "config.yaml").write_text(CONFIG.format(run=name, seed=seed, rate=rate, metric=metric))
        rows = [{"kind": "train", "update": 1}]
        rows += [{"kind": "validation", "update": 100 * i, metric: score} for i, score in enumerate(scores, 1)]
        (run / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(run)

    def table(self, *arguments):
        output = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=True)
        return [line.split() for line in output.stdout.splitlines()]

    def test_seeds_have_mean_and_deviation(self):
        first, second = self.run_of("a", [10, 30, 20], seed=1), self.run_of("b", [20, 32], seed=2)
        table = self.table(first, second)
        self.assertEqual(table[0], ["run", "seed", "update", "bleu"])
        self.assertEqual(table[1], [first, "1", "200", "30.00"])
        self.assertEqual(table[2], [second, "2", "200", "32.00"])
        self.assertEqual(" ".join(table[3]), "bleu: mean 31.00, standard deviation 1.41")

    def test_a_sweep_shows_its_keys_and_the_lowest_loss(self):
        runs = [self.run_of("a", [3, 2, 2.5], "loss", rate="0.001"), self.run_of("b", [3], "loss", rate="0.002")]
        table = self.table(*runs)
        self.assertEqual(table[0], ["run", "train.optimizer.rate", "update", "loss"])
        self.assertEqual(table[1], [runs[0], "0.001", "200", "2.00"])
        self.assertEqual(len(table), 3)

    def test_runs_of_unlike_models_stand_side_by_side(self):
        unlike = self.run_of("b", [20])
        with open(Path(unlike) / "config.yaml", "a") as config:
            config.write("model:\n" + "".join(f"  setting_{i}: {i}\n" for i in range(30)))
        runs = [self.run_of("a", [10]), unlike]
        table = self.table(*runs)
        self.assertEqual(table[0], ["run", *runs])
        self.assertIn(["model.setting_7", "-", "7"], table)
        self.assertEqual(table[-1], ["bleu", "10.00", "20.00"])

    def test_a_run_without_validation(self):
        self.assertEqual(self.table(self.run_of("a", []))[1][1:], ["-", "-"])


if __name__ == "__main__":
    unittest.main()
