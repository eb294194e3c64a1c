#!/usr/bin/env python3
"""Training speed of heed beside OpenNMT-py, JoeyNMT and Marian, in target tokens a second: README's recipes and a base Transformer.

The programs take turns on the same text, cut by the same subword model, with models of the same form, batches of the same
number of tokens and both cores. What counts is the ratio. Each round runs every program for some updates; of these the first
ones, in which buffers and primitives are made, are left out. The figures of the peers are the ones they print. Memory is the peak
of the process; GFLOP/s are those of the products with weights.

    scripts/bench/peers.sh FOLDER_OF_PEERS
    scripts/bench/training_speed.py --peer FOLDER_OF_PEERS --corpus FOLDER_OF_MULTI30K [--models rnn transformer] [--rounds 2]
        [--programs opennmt joeynmt marian heed heed-fp32 heed-plain] [--marian PROGRAM]
    scripts/bench/training_speed.py --peer FOLDER_OF_PEERS --corpus FOLDER_OF_EUROPARL --models base --pieces 32000

With --test SOURCE REFERENCE, BLEU of heed and OpenNMT-py after the same updates is printed as well, of the last round, with beam 5.

Marian takes part where its program is given: a build of its source for CPUs (-DCOMPILE_CUDA=OFF with MKL).

heed is measured with train.precision: bf16, heed-fp32 with fp32, heed-plain the same without its own kernels (HEED_PLAIN=1). Ratios
are those of the first of these three in --programs to each other program; on a processor without products in bf16 leave heed out.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import tempfile
from functools import partial
from pathlib import Path

from processor import processor
from products_of_update import operations_of_update, peak
from trained_translation import translate_by_heed, translate_by_opennmt
from training_models import HEED, JOEYNMT, MARIAN, OPENNMT, joeynmt_config
from translation_speed import bleu

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build/release/bin/heed"

def prepare(corpus, peer, work, pieces, updates):
    """The corpus in pieces of one joint subword model, and the configs of the peers."""
    subprocess.run(
        [peer / "bin/python", "-c", """
import sys, sentencepiece as spm
corpus, work, pieces = sys.argv[1:]
sides = [f"{corpus}/train.{language}" for language in ("en", "de")]
spm.SentencePieceTrainer.train(input=sides, model_prefix=f"{work}/joint", vocab_size=int(pieces), model_type="bpe",
                               character_coverage=1.0, minloglevel=2)
model = spm.SentencePieceProcessor(model_file=f"{work}/joint.model")
for language in ("en", "de"):
    with open(f"{corpus}/train.{language}") as text, open(f"{work}/train.{language}", "w") as pieces, \\
            open(f"{work}/dev.{language}", "w") as dev:
        for number, line in enumerate(text):
            line = " ".join(model.encode(line.rstrip("\\n"), out_type=str)) + "\\n"
            pieces.write(line)
            if number < 10:
                dev.write(line)
with open(f"{work}/vocabulary.joeynmt", "w") as vocabulary:
    for index in range(model.get_piece_size()):
        if not model.is_control(index) and not model.is_unknown(index):
            vocabulary.write(model.id_to_piece(index) + "\\n")
with open(f"{work}/vocabulary.joeynmt") as pieces, open(f"{work}/vocabulary.marian", "w") as vocabulary:
    vocabulary.write("</s>\\n<unk>\\n" + pieces.read())
""", str(corpus), str(work), str(pieces)], check=True)
    data = f"""
data: {{corpus_1: {{path_src: {work}/train.en, path_tgt: {work}/train.de}}}}
save_data: {work}/samples
src_vocab: {work}/vocabulary
tgt_vocab: {work}/vocabulary
"""
    for model, settings in OPENNMT.items():
        (work / f"{model}.yaml").write_text(data + settings)
        (work / f"{model}.joeynmt.yaml").write_text(joeynmt_config(model, work, updates))
    subprocess.run([peer / "bin/onmt_build_vocab", "-config", work / "rnn.yaml", "-n_sample", "-1"], check=True,
                   capture_output=True)


class Figures:
    """What a program reached in one run: target tokens a second, peak memory in MB and, of heed, GFLOP/s."""

    def __init__(self, speed, memory, products=None):
        self.speed, self.memory, self.products = speed, memory, products


def median_after(reports, skipped):
    return statistics.median(float(speed) for step, speed in reports if int(step) > skipped)


def run(command, environment):
    """What a command prints, and its peak memory in MB."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env={**os.environ, **environment})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode()
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} failed:\n{text}")
    return text, usage.ru_maxrss / 1024


def run_peer(command, pattern, skipped):
    log, memory = run(command, {"OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"})
    return Figures(median_after(re.findall(pattern, log), skipped), memory)


def run_opennmt(model, given, work):
    return run_peer([given.peer / "bin/onmt_train", "-config", work / f"{model}.yaml", "-train_steps", str(given.updates),
                     "-save_model", work / "peer"], r"Step (\d+)/.*?/\s*(\d+) tok/s", given.skipped)


def run_joeynmt(model, given, work):
    return run_peer([given.peer / "bin/python", "-m", "joeynmt", "train", work / f"{model}.joeynmt.yaml", "--skip-test"],
                    r"Step:\s*(\d+),.*?Tokens per Sec:\s*(\d+)", given.skipped)


# Its words/s count target words. Two threads, each with half of a batch.
def run_marian(model, given, work):
    tokens, own = MARIAN[model]
    for former in work.glob("marian.npz*"):  # which it would go on from
        former.unlink()
    vocabulary = work / "vocabulary.marian"
    command = [given.marian, "train", "--train-sets", work / "train.en", work / "train.de", "--vocabs", vocabulary, vocabulary,
               "--model", work / "marian.npz", "--overwrite", "--cpu-threads", 2, "--sync-sgd", "--workspace", 4000, "--mini-batch", 1000,
               "--mini-batch-words", tokens, "--maxi-batch", 100, "--optimizer-params", 0.9, 0.98, 1e-09, "--clip-norm", 1,
               "--label-smoothing", 0.1, "--tied-embeddings-all", "--max-length", 100, "--seed", 1, "--after-batches", given.updates,
               "--save-freq", 1000000, "--disp-freq", 5, *own]
    log, memory = run([str(part) for part in command], {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"})
    return Figures(median_after(re.findall(r"Up\. (\d+) :.*? ([\d.]+) words/s", log), given.skipped), memory)


def run_heed(model, given, work, precision="bf16", environment=None):
    config, own = HEED[model]
    folder = work / "heed"
    settings = [f"run={folder}", f"data.dir={given.corpus.resolve()}", "data.valid=~",
                f"text.source.model={work}/joint.model", f"train.max_updates={given.updates}", "train.max_time=~", "train.workers=2",
                "train.log_every=5", f"train.precision={precision}", "data.test={}", *own]
    command = [PROGRAM, "train", ROOT / "configs" / config, "--overwrite", "--device", "cpu"]
    for setting in settings:
        command += ["--set", setting]
    _, memory = run(command, environment or {})
    reports = [report for report in map(json.loads, (folder / "metrics.jsonl").read_text().splitlines()) if report["kind"] == "train"]
    speed = median_after([(report["update"], report["tokens_per_second"]) for report in reports], given.skipped)
    tokens, source_tokens = (sum(report[key] for report in reports) for key in ("tokens", "source_tokens"))
    operations = operations_of_update(folder / "latest/model/model.safetensors", source_tokens / tokens, 1)
    return Figures(speed, memory, speed * operations / 1e9)


PROGRAMS = {"opennmt": run_opennmt, "joeynmt": run_joeynmt, "marian": run_marian, "heed": run_heed, "heed-fp32": partial(run_heed, precision="fp32"),
            "heed-plain": partial(run_heed, precision="fp32", environment={"HEED_PLAIN": "1"})}


def bleu_of(program, given, work):
    """Of the model that the program has just trained; None: its translations are not wanted or not supported."""
    if given.test is None or program in ("joeynmt", "marian"):
        return None
    source, reference = given.test
    translate = translate_by_opennmt if program == "opennmt" else translate_by_heed
    return bleu(given.peer, translate(given, work, source.read_text(encoding="utf-8").split("\n")[:-1], 5), reference)


def precision_of(program):
    return "bf16" if program == "heed" else "fp32"


def compare(model, given, work, peaks):
    rounds, programs = [], [program for program in given.programs if program != "marian" or model in MARIAN]
    ours = next((program for program in programs if program.startswith("heed")), None)
    print(f"{'target tokens/s':24} " + " ".join(f"{program:>12}" for program in programs), flush=True)
    for number in range(1, given.rounds + 1):
        rounds.append({})
        for program in programs:
            rounds[-1][program] = PROGRAMS[program](model, given, work)
            if number == given.rounds and (score := bleu_of(program, given, work)) is not None:
                print(f"{model}: {program}, BLEU after {given.updates} updates {score:.2f}", flush=True)
        print(f"{model + ', round ' + str(number):24} " + " ".join(f"{rounds[-1][program].speed:12,.0f}" for program in programs),
              flush=True)
    print(f"{model + ', memory, MB':24} " + " ".join(f"{rounds[-1][program].memory:12,.0f}" for program in programs))
    for program in programs:
        if rounds[0][program].products is not None:
            products = statistics.median(round[program].products for round in rounds)
            precision = precision_of(program)
            print(f"{model}: {program} {products:,.0f} GFLOP/s, {100 * products / peaks[precision]:.0f} % of the peak in {precision}")
        if ours is not None and program != ours:
            ratio = statistics.median(round[ours].speed / round[program].speed for round in rounds)
            print(f"{model}: {ours} {ratio:.2f} times {program}", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--peer", type=Path, required=True, help="virtual environment of peers.sh")
    options.add_argument("--marian", type=Path, help="program of Marian")
    options.add_argument("--corpus", type=Path, required=True, help="folder with train.en and train.de, such as Multi30k")
    options.add_argument("--models", nargs="+", default=["rnn", "transformer"], choices=list(OPENNMT))
    options.add_argument("--pieces", type=int, default=8000, help="size of the joint subword vocabulary")
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--updates", type=int, default=100, help="of each program in each round")
    options.add_argument("--skipped", type=int, default=30, help="updates at the start that do not count")
    options.add_argument("--test", type=Path, nargs=2, metavar=("SOURCE", "REFERENCE"), help="to translate for BLEU")
    options.add_argument("--programs", nargs="+", choices=list(PROGRAMS),
                         help="default: opennmt joeynmt heed, and marian where its program is given")
    given = options.parse_args()
    given.programs = given.programs or ["opennmt", "joeynmt", *(["marian"] if given.marian else []), "heed"]
    if "marian" in given.programs and given.marian is None:
        options.error("marian: give its program by --marian")
    peaks = {precision: peak(given.peer / "bin/python", 2, precision) for precision in sorted(set(map(precision_of, given.programs)))}
    print(f"{processor()}, load {os.getloadavg()[0]:.1f}; products of PyTorch on two cores, GFLOP/s: "
          + ", ".join(f"{speed:,.0f} in {precision}" for precision, speed in peaks.items()), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        prepare(given.corpus.resolve(), given.peer, work, given.pieces, given.updates)
        for model in given.models:
            compare(model, given, work, peaks)


if __name__ == "__main__":
    main()
