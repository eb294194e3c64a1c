"""The six commands of docs/tasks.md#an-imported-model-in-a-new-domain, as they stand there, with small files in place of real ones."""

import json
import os
import re
import subprocess
import tempfile
import unittest
import urllib.request
from pathlib import Path

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[2]))
HEED = os.environ.get("HEED_PROGRAM", str(ROOT / "build/release/bin/heed"))
SECTION = (ROOT / "docs/tasks.md").read_text(encoding="utf-8").split("## An imported model in a new domain\n")[1].split("\n## ")[0]
COMMANDS = re.findall(r"^    \$ heed (.*)$", SECTION, re.MULTILINE)
CONFIG = re.search(r"```yaml\n(.*?)```", SECTION, re.DOTALL)[1]
# A model of which `heed export hf` makes the folder that the first command imports.
GENERAL = """
run: run
data: {train: [{source: general.en, target: general.de}]}
text: {source: {type: sentencepiece, size: 300}, target: {share: source}}
model:
  embedding: {width: 32, tie: all}
  encoder: {type: transformer, layers: 1, width: 32, feed_forward: 64, self_attention: {score: scaled_dot, heads: 2}}
  decoder:
    type: transformer
    layers: 1
    width: 32
    feed_forward: 64
    self_attention: {score: scaled_dot, heads: 2}
    attention: {score: scaled_dot, heads: 2}
train: {batch: {sentences: 32}, optimizer: {type: adam, rate: 0.003}, max_updates: 100, workers: 1}
"""


def run(folder, command):
    done = subprocess.run([HEED, *command.split()], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"heed {command}: {done.returncode}\n{done.stderr}")
    return done


class SixCommands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = folder = Path(cls.temporary.name)
        for language in ("en", "de"):
            lines = (ROOT / f"data/demo/train.{language}").read_text(encoding="utf-8").splitlines()
            parts = {"general": lines[:2000], "general-test": lines[2000:2050], "domain": lines[3000:3400],
                     "valid": lines[4000:4020], "test": lines[5000:5050]}
            for name, part in parts.items():
                (folder / f"{name}.{language}").write_text("".join(f"{line}\n" for line in part), encoding="utf-8")
        (folder / "general.yaml").write_text(GENERAL, encoding="utf-8")
        run(folder, "train general.yaml")
        run(folder, "export hf run opus-mt-en-de")
        small = re.sub(r"max_updates: \d+", "max_updates: 4", re.sub(r"every: \d+", "every: 2", CONFIG))
        (folder / "tune.yaml").write_text(small, encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_run(self):
        self.assertEqual([command.split()[0] for command in COMMANDS[:6]], ["import", "clean", "train", "evaluate", "pack", "serve"])
        for command in COMMANDS[:5]:
            done = run(self.folder, command)
            if command.startswith("train"):
                self.assertRegex(done.stderr, r"general\.en \+ general\.de: .* 10\.0% of an epoch")
                self.assertIn("train.lora: rank ", done.stderr)
            if command.startswith("evaluate"):
                self.assertIn("BLEU", done.stdout)
        self.serve(COMMANDS[5])
        merged = [command for command in COMMANDS[6:] if command.startswith("merge ")]
        self.assertEqual(len(merged), 1)
        run(self.folder, merged[0])

    def serve(self, command):
        server = subprocess.Popen([HEED, *command.split(), "--port", "0"], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        try:
            log = ""
            while not (found := re.search(r"at (http://127\.0\.0\.1:\d+)/", log)):
                line = server.stderr.readline()
                self.assertTrue(line, log)
                log += line
            body = json.dumps({"text": "the old man"}).encode()
            request = urllib.request.Request(found[1] + "/translate", body, {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=60) as answer:
                self.assertEqual(answer.status, 200)
        finally:
            server.terminate()
            server.communicate()


if __name__ == "__main__":
    unittest.main()
