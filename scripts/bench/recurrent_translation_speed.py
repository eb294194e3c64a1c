"""Speed of `heed translate` beside OpenNMT-py with recurrent models of the same form, greedy and by beam search.

Both are trained first, on the same pieces of Multi30k for the same number of updates (a bidirectional LSTM encoder, an LSTM
decoder with additive attention and input feeding; see training_speed.py); their texts differ, so what is compared is target tokens
(pieces) a second of the whole process, without the seconds that a single line takes. Both use both cores and have their best
batch of those given; OpenNMT-py runs as one process with two threads, or as two with one thread and half of the lines each,
whichever is faster.

    scripts/bench/peers.sh FOLDER_OF_PEERS
    FOLDER_OF_PEERS/bin/python scripts/bench/recurrent_translation_speed.py --peer FOLDER_OF_PEERS --corpus FOLDER_OF_MULTI30K --source test.en --reference test.de
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import sentencepiece

from trained_translation import heed_command, opennmt_command, opennmt_environment
from training_speed import prepare, run_heed, run_opennmt
from translation_speed import bleu, processor


# A translator is a function of lines, beam and batch that returns the translations, the pieces that it wrote and its seconds.


def heed(work, pieces, precision):
    def run(lines, beam, batch):
        source, output = work / "source.en", work / "heed.de"
        source.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        begin = time.perf_counter()
        subprocess.run(heed_command(work / "heed", source, output, beam, batch, precision), check=True, capture_output=True)
        seconds = time.perf_counter() - begin
        text = output.read_text(encoding="utf-8").split("\n")[:-1]
        return text, sum(len(line) + 1 for line in pieces.encode(text)), seconds
    return run


def opennmt(peer, work, pieces, processes):
    def command(number, beam, batch):
        return opennmt_command(peer, work / "peer_step.pt", work / f"source.{number}", work / f"output.{number}", beam, batch)

    def run(lines, beam, batch):
        size = -(-len(lines) // processes)
        used = range(min(processes, len(lines)))
        for number in used:
            part = lines[number * size:(number + 1) * size]
            (work / f"source.{number}").write_text("".join(" ".join(pieces.encode(line, out_type=str)) + "\n" for line in part))
        environment = opennmt_environment(2 // processes)
        begin = time.perf_counter()
        running = [subprocess.Popen(command(number, beam, batch), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                   for number in used]
        for process in running:
            errors = process.communicate()[1]
            if process.returncode != 0:
                raise RuntimeError(f"onmt_translate failed: {errors.decode()}")
        seconds = time.perf_counter() - begin
        written = [line.split() for number in used for line in (work / f"output.{number}").read_text().split("\n")[:-1]]
        return [pieces.decode(line) for line in written], sum(len(line) + 1 for line in written), seconds
    return run


def compare(given, programs, lines, beam):
    starts = {name: min(run(lines[:1], beam, 1)[2] for _ in range(2)) for name, run in programs.items()}
    best = {name: min(given.batches, key=lambda batch: run(lines, beam, batch)[2]) for name, run in programs.items()}
    speeds = {name: [] for name in programs}
    text = {}
    for _ in range(given.rounds):
        for name, run in programs.items():
            text[name], tokens, seconds = run(lines, beam, best[name])
            speeds[name].append(tokens / (seconds - starts[name]))
    median = {name: statistics.median(own) for name, own in speeds.items()}
    peer = max((name for name in programs if name.startswith("OpenNMT")), key=median.get)
    for name in programs:
        ratio = statistics.median(a / b for a, b in zip(speeds[name], speeds[peer]))
        print(f"beam {beam}  {name:24} {median[name]:9,.0f} tokens/s  {ratio:6.2f} times the peer  batch {best[name]:4}"
              f"  start {starts[name]:5.2f} s  BLEU {bleu(given.peer, text[name], given.reference):5.2f}", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--peer", type=Path, required=True, help="virtual environment of peers.sh")
    options.add_argument("--corpus", type=Path, required=True, help="folder of Multi30k: train.en, train.de")
    options.add_argument("--source", type=Path, required=True)
    options.add_argument("--reference", type=Path, required=True)
    options.add_argument("--updates", type=int, default=300, help="of the training of each model")
    options.add_argument("--pieces", type=int, default=8000, help="size of the joint subword vocabulary")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--beams", type=int, nargs="+", default=[1, 5])
    options.add_argument("--batches", type=int, nargs="+", default=[16, 32, 64, 128])
    options.add_argument("--precisions", nargs="+", default=["fp32", "bf16", "int8"])
    given = options.parse_args()
    given.skipped = 0
    lines = given.source.read_text(encoding="utf-8").split("\n")[:-1]
    print(f"{processor()}, load {os.getloadavg()[0]:.1f}, {len(lines)} lines")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        prepare(given.corpus.resolve(), given.peer, work, given.pieces, given.updates)
        run_heed("rnn", given, work)
        run_opennmt("rnn", given, work)
        (work / f"peer_step_{given.updates}.pt").rename(work / "peer_step.pt")
        pieces = sentencepiece.SentencePieceProcessor(model_file=f"{work}/joint.model")
        programs = {f"heed {precision}": heed(work, pieces, precision) for precision in given.precisions}
        programs["OpenNMT-py, 1 process"] = opennmt(given.peer, work, pieces, 1)
        programs["OpenNMT-py, 2 processes"] = opennmt(given.peer, work, pieces, 2)
        for beam in given.beams:
            compare(given, programs, lines, beam)


if __name__ == "__main__":
    main()
