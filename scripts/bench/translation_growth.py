#!/usr/bin/env python3
"""How the time of translation grows with the length of a sentence, the batch, the beam and the vocabulary, beside CTranslate2.

Transformers with random weights and words that stand for themselves: a source of n words is translated into exactly n tokens, by the
minimum and the maximum length of both programs. One of the four changes at a time, from the values in BASE or --fixed. Both have the same
weights, two decoding threads; the seconds to start and to translate one token are not counted.

    scripts/bench/peers.sh FOLDER_OF_PEERS
    scripts/bench/translation_growth.py --peer FOLDER_OF_PEERS [--width 256] [--layers 3] [--rounds 3] \
        [--precision int8] [--fixed beam=1 vocabulary=32000] [--vary batch]
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from processor import processor
from translation_speed import HEED, PRECISIONS, ctranslate2, heed

BASE = {"length": 20, "batch": 64, "beam": 5, "vocabulary": 8000}
TRIED = {"length": [5, 10, 20, 40, 80, 160], "batch": [1, 4, 16, 64, 256], "beam": [1, 2, 5, 10, 20],
         "vocabulary": [2000, 8000, 32000, 64000]}
TOKENS = 20000  # of a text; with a batch of 1 or a beam of 20 a part of it


def call(*arguments):
    done = subprocess.run([HEED, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)


def model(folder, words, given):
    """A model of `words` words after one update, and the same for CTranslate2."""
    corpus, run = folder / f"{words}.txt", folder / f"{words}.run"
    corpus.write_text("".join(" ".join(f"w{i}" for i in range(begin, min(begin + 10, words))) + "\n" for begin in range(0, words, 10)))
    layers = (f"type: transformer, layers: {given.layers}, width: {given.width}, feed_forward: {4 * given.width}, "
              f"self_attention: {{score: scaled_dot, heads: 4}}")
    (folder / f"{words}.yaml").write_text(f"""
run: {run}
data: {{train: [{{source: {corpus}, target: {corpus}}}], valid: {{source: {folder}/valid.txt, target: {folder}/valid.txt}}}}
text: {{source: {{type: words}}, target: {{share: source}}}}
model:
  embedding: {{width: {given.width}, tie: all}}
  encoder: {{{layers}}}
  decoder: {{{layers}, attention: {{score: scaled_dot, heads: 4}}}}
train: {{batch: {{sentences: 8}}, max_updates: 1, validate: {{every: 100}}}}
""")
    (folder / "valid.txt").write_text("w0 w1\n")
    call("train", folder / f"{words}.yaml")
    call("export", "ctranslate2", run, folder / f"{words}.ctranslate2")
    return run, folder / f"{words}.ctranslate2"


def text(words, length, tokens):
    draw = random.Random(1)
    return "".join(" ".join(f"w{draw.randrange(words)}" for _ in range(length)) + "\n" for _ in range(max(1, tokens // length)))


def compare(programs, point, given):
    """Median tokens a second of each program, and of their ratio."""
    tokens = TOKENS // 4 if point["batch"] == 1 or point["beam"] > 10 else TOKENS
    lines = text(point["vocabulary"], point["length"], tokens)
    how = (given.precision, point["beam"], point["batch"], False, point["length"])
    start = {program.name: min(program.run("w0\n", given.precision, 1, 1, False, 1).seconds for _ in range(2)) for program in programs}
    speeds = {program.name: [] for program in programs}
    for _ in range(given.rounds):
        for program in programs:
            run = program.run(lines, *how)
            found = sum(len(line.split()) for line in run.lines)
            if found != sum(len(line.split()) for line in lines.splitlines()):
                raise RuntimeError(f"{program.name}: {found} tokens are not those asked for")
            speeds[program.name].append(found / (run.seconds - start[program.name]))
    ours, theirs = (speeds[program.name] for program in programs)
    return statistics.median(ours), statistics.median(theirs), statistics.median(a / b for a, b in zip(ours, theirs))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--peer", type=Path, required=True, help="virtual environment with CTranslate2")
    options.add_argument("--width", type=int, default=256)
    options.add_argument("--layers", type=int, default=3)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--precision", default="fp32", choices=[p for p in PRECISIONS if p != "bf16"])
    options.add_argument("--fixed", nargs="+", default=[], metavar="NAME=VALUE", help=f"in place of {BASE}")
    options.add_argument("--vary", nargs="+", default=list(TRIED), choices=list(TRIED))
    given = options.parse_args()
    fixed = {**BASE, **{name: int(value) for name, _, value in (pair.partition("=") for pair in given.fixed)}}
    if unknown := fixed.keys() - BASE.keys():
        options.error(f"--fixed: {', '.join(sorted(unknown))} is none of {', '.join(BASE)}")
    print(f"{processor()}, load {os.getloadavg()[0]:.1f}; {given.layers}+{given.layers} layers of width {given.width}, "
          f"{given.precision}; else " + ", ".join(f"{name} {value}" for name, value in fixed.items()))
    with tempfile.TemporaryDirectory() as folder:
        models = {}
        for name in given.vary:
            print(f"{name:>10}  heed, tokens/s  CTranslate2, tokens/s  ratio")
            for value in TRIED[name]:
                point = {**fixed, name: value}
                words = point["vocabulary"]
                if words not in models:
                    run, converted = model(Path(folder), words, given)
                    models[words] = [heed(run), ctranslate2(given.peer, converted)]
                ours, theirs, ratio = compare(models[words], point, given)
                print(f"{value:10}  {ours:14,.0f}  {theirs:21,.0f}  {ratio:5.2f}", flush=True)


if __name__ == "__main__":
    main()
