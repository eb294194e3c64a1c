#!/usr/bin/env python3
"""Speed of `heed translate` beside CTranslate2 with the same weights: a Transformer of a run, greedy and by beam search.

Both take turns on the same text with both cores. Speed is target tokens (pieces of the model) a second of the whole process, without
the seconds that it takes to translate a single line, which are printed as its start. Each program has its best batch of those
given. Latency is that of single lines in one thread, each sent when the one before is answered.

    scripts/bench/peers.sh FOLDER_OF_PEERS
    scripts/bench/translation_speed.py --peer FOLDER_OF_PEERS --run RUN --source test.en --reference test.de
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from processor import processor

ROOT = Path(__file__).resolve().parents[2]
HEED = Path(os.environ.get("HEED_PROGRAM", ROOT / "build/release/bin/heed"))
TRANSLATE = Path(__file__).resolve().parent / "ctranslate2_translate.py"
PRECISIONS = {"fp32": "float32", "bf16": "bfloat16", "int8": "int8"}
MAX_LENGTH = 100


class Run(NamedTuple):
    """Lines that a program has printed, and what it took."""

    lines: list
    seconds: float
    memory: float  # MB, at the peak
    processor_seconds: float  # of the program and its children


class Program:
    """A translator: its command for a search, and what is measured of it."""

    def __init__(self, name, command):
        self.name, self.command = name, command

    def run(self, text, *how):
        with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as log:
            source.write(text.encode())
            source.seek(0)
            begin = time.perf_counter()
            process = subprocess.Popen(self.command(*how), stdin=source, stdout=output, stderr=log)
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - begin
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                log.seek(0)
                raise RuntimeError(f"{self.name} failed: {' '.join(map(str, self.command(*how)))}\n{log.read().decode()}")
            output.seek(0)
            lines = output.read().decode().split("\n")[:-1]
            return Run(lines, seconds, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime)

    def latencies(self, lines, *how):
        """Milliseconds from each line to its translation; the first ones are left out."""
        process = subprocess.Popen(self.command(*how), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        times = []
        for line in lines:
            begin = time.perf_counter()
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            process.stdout.readline()
            times.append(1000 * (time.perf_counter() - begin))
        process.stdin.close()
        process.wait()
        return times[10:]


# A command takes the precision, the beam, the batch, whether lines are answered one by one, and the number of tokens that every
# translation is to have (None: what the model finds).
def heed(run):
    def command(precision, beam, batch, interactive=False, length=None):
        lengths = ["--max-length", str(length or MAX_LENGTH), *(["--min-length", str(length)] if length else [])]
        return [HEED, "translate", run, "--beam", str(beam), *lengths, "--batch", str(batch), "--precision", precision, "--device", "cpu",
                "--workers", "1" if interactive else "2", *(["--interactive"] if interactive else [])]
    return Program("heed", command)


def ctranslate2(peer, model, workers=2, vmap=False):
    """vmap: whether the model has a vocabulary map, the shortlist of CTranslate2, that is to be used."""
    def command(precision, beam, batch, interactive=False, length=None):
        options = {"compute_type": PRECISIONS[precision], "beam": beam, "batch": batch, "max_length": length or MAX_LENGTH,
                   "min_length": length or 1, "workers": 1 if interactive else workers, "interactive": interactive, "vmap": vmap}
        return [peer / "bin/python", TRANSLATE, model, json.dumps(options)]
    return Program("CTranslate2", command)


def bleu(peer, lines, reference):
    script = "import sys, sacrebleu; h, r = (open(f).read().split('\\n')[:-1] for f in sys.argv[1:]); print(sacrebleu.corpus_bleu(h, [r]).score)"
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("".join(line + "\n" for line in lines))
        file.flush()
        return float(subprocess.run([peer / "bin/python", "-c", script, file.name, reference], check=True, capture_output=True,
                                    text=True).stdout)


def count_tokens(peer, model, lines):
    script = ("import sys, sentencepiece as s; p = s.SentencePieceProcessor(model_file=sys.argv[1]); "
              "print(sum(len(i) + 1 for i in p.encode([l.rstrip('\\n') for l in sys.stdin])))")
    text = "".join(line + "\n" for line in lines)
    return int(subprocess.run([peer / "bin/python", "-c", script, model / "source.spm"], check=True, input=text,
                              capture_output=True, text=True).stdout)


def compare(given, programs, model, lines, precision, beam):
    text = "".join(line + "\n" for line in lines * given.repeat)
    first = lines[0] + "\n"
    best, starts = {}, {}
    for program in programs:  # its best batch
        starts[program.name] = min(program.run(first, precision, beam, 1).seconds for _ in range(3))
        best[program.name] = min(given.batches, key=lambda batch: program.run(text, precision, beam, batch).seconds)
    seconds, memory, output = {p.name: [] for p in programs}, {}, {}
    for _ in range(given.rounds):
        for program in programs:
            run = program.run(text, precision, beam, best[program.name])
            output[program.name], memory[program.name] = run.lines, run.memory
            seconds[program.name].append(run.seconds)
    tokens = {name: count_tokens(given.peer, model, out) for name, out in output.items()}
    speeds = {name: [tokens[name] / (wall - starts[name]) for wall in walls] for name, walls in seconds.items()}
    ratios = [a / b for a, b in zip(*(speeds[p.name] for p in programs))]
    for program in programs:
        name = program.name
        score = bleu(given.peer, output[name][:len(lines)], given.reference)
        print(f"{precision:5} beam {beam}  {name:12} {statistics.median(speeds[name]):9,.0f} tokens/s  batch {best[name]:4}  start {starts[name]:5.2f} s"
              f"  {memory[name]:5.0f} MB  BLEU {score:5.2f}", flush=True)
    same = sum(a == b for a, b in zip(*(output[p.name][:len(lines)] for p in programs)))
    print(f"{precision:5} beam {beam}  ratio        {statistics.median(ratios):9.2f}  of {' '.join(f'{r:.2f}' for r in ratios)}; "
          f"{same} of {len(lines)} lines the same", flush=True)


def compare_latency(given, programs, lines, precision, beam):
    times = {program.name: program.latencies(lines[:310], precision, beam, 1, True) for program in programs}
    for name, own in times.items():
        print(f"{precision:5} beam {beam}  {name:12} {statistics.median(own):9.2f} ms a line, 99 %: {statistics.quantiles(own, n=100)[98]:.2f}",
              flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--peer", type=Path, required=True, help="virtual environment with CTranslate2")
    options.add_argument("--run", type=Path, required=True, help="run of a Transformer")
    options.add_argument("--source", type=Path, required=True)
    options.add_argument("--reference", type=Path, required=True)
    options.add_argument("--repeat", type=int, default=3, help="times that the text is translated in a run")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--beams", type=int, nargs="+", default=[1, 5])
    options.add_argument("--batches", type=int, nargs="+", default=[16, 32, 64, 128, 256])
    options.add_argument("--precisions", nargs="+", default=["fp32", "int8"], choices=list(PRECISIONS))
    given = options.parse_args()
    lines = given.source.read_text(encoding="utf-8").split("\n")[:-1]
    print(f"{processor()}, load {os.getloadavg()[0]:.1f}, {len(lines)} lines x {given.repeat}")
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        subprocess.run([HEED, "export", "ctranslate2", given.run, model], check=True)
        programs = [heed(given.run), ctranslate2(given.peer, model)]
        for precision in given.precisions:
            for beam in given.beams:
                compare(given, programs, model, lines, precision, beam)
                compare_latency(given, programs, lines, precision, beam)


if __name__ == "__main__":
    main()
