#!/usr/bin/env python3
"""Training speed of heed's Multi30k recipes beside OpenNMT-py and JoeyNMT, in target tokens a second.

The programs take turns on the same text, cut by the same subword model, with models of the same form, batches of the same
number of tokens and both cores. What counts is the ratio. Each round runs every program for some updates; of these the first
ones, in which buffers and primitives are made, are left out. The figures of the peers are the ones they print.

    scripts/bench/peers.sh FOLDER_OF_PEERS
    scripts/bench/training_speed.py --peer FOLDER_OF_PEERS --corpus FOLDER_OF_MULTI30K [--models rnn transformer] [--rounds 2]
        [--programs opennmt joeynmt heed heed-fp32 heed-plain]

heed is measured with train.precision: bf16, heed-fp32 with fp32, heed-plain the same without its own kernels (HEED_PLAIN=1).
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

ROOT = Path(__file__).resolve().parents[2]
HEED = ROOT / "build/release/bin/heed"

# What OpenNMT-py shares with the others: two cores, Adam, clipping at 1, label smoothing 0.1, batches by tokens.
COMMON = """
share_vocab: true
share_embeddings: true
src_vocab_size: 8000
tgt_vocab_size: 8000
batch_type: tokens
normalization: tokens
batch_size_multiple: 1
bucket_size: 30000
num_workers: 1
optim: adam
max_grad_norm: 1
label_smoothing: 0.1
valid_steps: 100000
save_checkpoint_steps: 100000
report_every: 10
seed: 1
"""
OPENNMT = {
    "rnn": COMMON + """
encoder_type: brnn
rnn_type: LSTM
layers: 1
word_vec_size: 256
hidden_size: 512
global_attention: mlp
input_feed: 1
dropout: [0.3]
learning_rate: 0.001
batch_size: 2048
""",
    "transformer": COMMON + """
encoder_type: transformer
decoder_type: transformer
position_encoding: true
share_decoder_embeddings: true
layers: 4
word_vec_size: 128
hidden_size: 128
transformer_ff: 256
heads: 4
dropout: [0.3]
attention_dropout: [0.1]
learning_rate: 2
decay_method: noam
warmup_steps: 1500
adam_beta2: 0.98
param_init_glorot: true
param_init: 0
batch_size: 4096
""",
}
# JoeyNMT counts padding, and does not sort by length: twice the number makes batches of about as many target tokens.
JOEYNMT = {
    "rnn": ("""
  encoder: {type: recurrent, rnn_type: lstm, embeddings: {embedding_dim: 256}, hidden_size: 512, bidirectional: true,
            num_layers: 1, dropout: 0.3}
  decoder: {type: recurrent, rnn_type: lstm, embeddings: {embedding_dim: 256}, hidden_size: 512, num_layers: 1, dropout: 0.3,
            attention: bahdanau, input_feeding: true, init_hidden: bridge}""", 4096, 0.001),
    "transformer": ("""
  encoder: {type: transformer, num_layers: 4, num_heads: 4, embeddings: {embedding_dim: 128, scale: true}, hidden_size: 128,
            ff_size: 256, dropout: 0.3}
  decoder: {type: transformer, num_layers: 4, num_heads: 4, embeddings: {embedding_dim: 128, scale: true}, hidden_size: 128,
            ff_size: 256, dropout: 0.3}""", 8192, 0.001),
}
# The decoders of the peers attend after the cell and feed the output back, with additive attention.
HEED_MODELS = {
    "rnn": ("multi30k-rnn-luong.yaml", ["model.decoder.attention={score: {type: additive, hidden: 512}}"]),
    "transformer": ("multi30k-transformer.yaml", []),
}


def joeynmt_config(model, work, updates):
    layers, tokens, rate = JOEYNMT[model]
    side = {language: f"{{lang: {language}, level: word, lowercase: false, max_length: 500, voc_file: {work}/vocabulary.joeynmt, "
                      "tokenizer_type: none}" for language in ("en", "de")}
    return f"""
name: speed
joeynmt_version: 2.3.0
model_dir: {work}/joeynmt
use_cuda: false
fp16: false
random_seed: 1
data:
  dataset_type: plain
  train: {work}/train
  dev: {work}/dev
  src: {side["en"]}
  trg: {side["de"]}
testing: {{beam_size: 1}}
training:
  optimizer: adam
  learning_rate: {rate}
  normalization: tokens
  clip_grad_norm: 1.0
  label_smoothing: 0.1
  loss: crossentropy
  batch_size: {tokens}
  batch_type: token
  epochs: 100
  updates: {updates}
  scheduling: warmupinversesquareroot
  learning_rate_warmup: 1500
  validation_freq: 1000000
  logging_freq: 10
  overwrite: true
  shuffle: true
model:
  initializer: xavier_uniform
  embed_initializer: xavier_uniform
  tied_embeddings: true
  tied_softmax: {"true" if model == "transformer" else "false"}{layers}
"""


def prepare(corpus, peer, work, updates):
    """The corpus in pieces of one joint subword model, and the configs of the peers."""
    subprocess.run(
        [peer / "bin/python", "-c", """
import sys, sentencepiece as spm
corpus, work = sys.argv[1:]
sides = [f"{corpus}/train.{language}" for language in ("en", "de")]
spm.SentencePieceTrainer.train(input=sides, model_prefix=f"{work}/joint", vocab_size=8000, model_type="bpe",
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
""", str(corpus), str(work)], check=True)
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


def median_after(reports, skipped):
    return statistics.median(float(speed) for step, speed in reports if int(step) > skipped)


def run_peer(command):
    environment = {**os.environ, "OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"}
    log = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return log.stderr + log.stdout


def run_opennmt(model, given, work):
    log = run_peer([given.peer / "bin/onmt_train", "-config", work / f"{model}.yaml", "-train_steps", str(given.updates),
                    "-save_model", work / "peer"])
    return median_after(re.findall(r"Step (\d+)/.*?/\s*(\d+) tok/s", log), given.skipped)


def run_joeynmt(model, given, work):
    log = run_peer([given.peer / "bin/python", "-m", "joeynmt", "train", work / f"{model}.joeynmt.yaml", "--skip-test"])
    return median_after(re.findall(r"Step:\s*(\d+),.*?Tokens per Sec:\s*(\d+)", log), given.skipped)


def run_heed(model, given, work, settings=(), environment=None):
    config, own = HEED_MODELS[model]
    run = work / "heed"
    settings = [f"run={run}", f"data.dir={given.corpus.resolve()}", f"text.source.model={work}/joint.model",
                f"train.max_updates={given.updates}", "train.max_time=~", "train.validate.every=100000", "train.log_every=10",
                "train.precision=bf16", "data.test={}", *own, *settings]
    command = [HEED, "train", ROOT / "configs" / config, "--overwrite"]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **(environment or {})})
    reports = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return median_after([(report["update"], report["tokens_per_second"]) for report in reports if report["kind"] == "train"],
                        given.skipped)


FP32 = ["train.precision=fp32"]
PROGRAMS = {"opennmt": run_opennmt, "joeynmt": run_joeynmt, "heed": run_heed, "heed-fp32": partial(run_heed, settings=FP32),
            "heed-plain": partial(run_heed, settings=FP32, environment={"HEED_PLAIN": "1"})}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--peer", type=Path, required=True, help="virtual environment of peers.sh")
    options.add_argument("--corpus", type=Path, required=True, help="folder of Multi30k: train.en, train.de")
    options.add_argument("--models", nargs="+", default=list(OPENNMT), choices=list(OPENNMT))
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--updates", type=int, default=100, help="of each program in each round")
    options.add_argument("--skipped", type=int, default=30, help="updates at the start that do not count")
    options.add_argument("--programs", nargs="+", default=["opennmt", "joeynmt", "heed"], choices=list(PROGRAMS))
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        prepare(given.corpus.resolve(), given.peer, work, given.updates)
        print(f"{'target tokens/s':24} " + " ".join(f"{program:>12}" for program in given.programs), flush=True)
        for model in given.models:
            speeds = {program: [] for program in given.programs}
            for number in range(1, given.rounds + 1):
                for program in given.programs:
                    speeds[program].append(PROGRAMS[program](model, given, work))
                print(f"{model + ', round ' + str(number):24} " +
                      " ".join(f"{speeds[program][-1]:12,.0f}" for program in given.programs), flush=True)
            for program in given.programs:
                if program == "heed" or "heed" not in given.programs:
                    continue
                ratios = [ours / theirs for ours, theirs in zip(speeds["heed"], speeds[program])]
                print(f"{model}: heed {statistics.median(ratios):.2f} times {program}", flush=True)


if __name__ == "__main__":
    main()
