#!/usr/bin/env python3
"""Training speed of heed's Multi30k recipes beside OpenNMT-py, in target tokens a second.

The two take turns on the same text, cut by the same subword model, with models of the same form, batches of the same number
of tokens and both cores. What counts is the ratio. Each round runs every program for some updates; of these the first ones,
in which buffers and primitives are made, are left out. The figures of OpenNMT-py are the ones it prints.

    scripts/bench/opennmt.sh FOLDER_OF_PEER
    scripts/bench/training_speed.py --peer FOLDER_OF_PEER --corpus FOLDER_OF_MULTI30K [--models rnn transformer] [--rounds 2]
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEED = ROOT / "build/release/bin/heed"

# What both have: two cores, Adam, clipping at 1, label smoothing 0.1, batches by tokens.
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
PEER = {
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
# The decoder of OpenNMT-py attends after the cell and feeds its output back, with additive attention.
OURS = {
    "rnn": ("multi30k-rnn-luong.yaml", ["model.decoder.attention={score: {type: additive, hidden: 512}}"]),
    "transformer": ("multi30k-transformer.yaml", []),
}


def prepare(corpus, peer, work):
    """The corpus in pieces of one joint subword model, and the peer's vocabulary."""
    subprocess.run(
        [peer / "bin/python", "-c", """
import sys, sentencepiece as spm
corpus, work = sys.argv[1:]
sides = [f"{corpus}/train.{language}" for language in ("en", "de")]
spm.SentencePieceTrainer.train(input=sides, model_prefix=f"{work}/joint", vocab_size=8000, model_type="bpe",
                               character_coverage=1.0, minloglevel=2)
model = spm.SentencePieceProcessor(model_file=f"{work}/joint.model")
for language in ("en", "de"):
    with open(f"{corpus}/train.{language}") as text, open(f"{work}/train.{language}", "w") as pieces:
        for line in text:
            pieces.write(" ".join(model.encode(line.rstrip("\\n"), out_type=str)) + "\\n")
""", str(corpus), str(work)], check=True)
    data = f"""
data: {{corpus_1: {{path_src: {work}/train.en, path_tgt: {work}/train.de}}}}
save_data: {work}/samples
src_vocab: {work}/vocabulary
tgt_vocab: {work}/vocabulary
"""
    for model, settings in PEER.items():
        (work / f"{model}.yaml").write_text(data + settings)
    subprocess.run([peer / "bin/onmt_build_vocab", "-config", work / "rnn.yaml", "-n_sample", "-1"], check=True,
                   capture_output=True)


def run_peer(model, peer, work, updates, skipped):
    """Tokens a second, as printed at each tenth update."""
    environment = {**os.environ, "OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"}
    log = subprocess.run([peer / "bin/onmt_train", "-config", work / f"{model}.yaml", "-train_steps", str(updates), "-save_model",
                          work / "peer"], check=True, capture_output=True, text=True, env=environment)
    reports = re.findall(r"Step (\d+)/.*?/\s*(\d+) tok/s", log.stderr + log.stdout)
    return statistics.median(float(speed) for step, speed in reports if int(step) > skipped)


def run_heed(model, corpus, work, updates, skipped):
    config, settings = OURS[model]
    run = work / "heed"
    settings = [f"run={run}", f"data.dir={corpus}", f"text.source.model={work}/joint.model", f"train.max_updates={updates}",
                "train.max_time=~", "train.validate.every=100000", "train.log_every=10", "data.test={}", *settings]
    command = [HEED, "train", ROOT / "configs" / config, "--overwrite"]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, check=True, capture_output=True)
    reports = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return statistics.median(report["tokens_per_second"] for report in reports
                             if report["kind"] == "train" and report["update"] > skipped)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--peer", type=Path, required=True, help="virtual environment with OpenNMT-py")
    options.add_argument("--corpus", type=Path, required=True, help="folder of Multi30k: train.en, train.de")
    options.add_argument("--models", nargs="+", default=list(PEER), choices=list(PEER))
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--updates", type=int, default=100, help="of each program in each round")
    options.add_argument("--skipped", type=int, default=30, help="updates at the start that do not count")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        prepare(given.corpus.resolve(), given.peer, work)
        print(f"{'target tokens/s':24} {'OpenNMT-py':>12} {'heed':>12} {'ratio':>8}")
        for model in given.models:
            for number in range(1, given.rounds + 1):
                peer = run_peer(model, given.peer, work, given.updates, given.skipped)
                ours = run_heed(model, given.corpus.resolve(), work, given.updates, given.skipped)
                print(f"{model + ', round ' + str(number):24} {peer:12,.0f} {ours:12,.0f} {ours / peer:8.2f}", flush=True)


if __name__ == "__main__":
    main()
