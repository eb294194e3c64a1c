#!/usr/bin/env python3
"""Time and memory of large training corpora: the index, a start that finds it in `data.cache`, an epoch's plan, batches.

Makes synthetic pairs, about 20 words a side, by Zipf's law (large_corpus.cpp), and removes them at the end. Then runs
`heed train` of a tiny model for a few updates: without a cache, with an empty one, with a ready one, and in several processes
with the ready one. Seconds are those of the clock, to the first update, and of the processors, to the end. Own memory is that of
a process alone; shared memory is programs, libraries and the mapped index, which all processes of a host have once.

    scripts/bench/large_corpus.py --pairs 1000000 --folder FOLDER [--processes 2] [--without] [--keep]
"""

import argparse
import os
import resource
import shutil
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/release"
CONFIG = """
run: run
data:
  dir: {folder}
  train: [{{source: source, target: target}}]
text:
  source: {{type: words, vocabulary: {{file: {folder}/vocabulary}}}}
  target: {{share: source}}
model:
  embedding: {{width: 8}}
  encoder: {{type: rnn, cell: gru, layers: 1, width: 8}}
  decoder: {{type: rnn, cell: gru, layers: 1, width: 8, attention: {{score: {{type: dot}}}}}}
train:
  max_updates: 3
  workers: 1
  log_every: 1
"""


def status(process):
    """Own and shared memory of a process in MB; nothing where it has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return None
    fields = dict(line.split(":", 1) for line in lines)
    return [int(fields[name].split()[0]) / 1000 for name in ("RssAnon", "RssFile")] if "RssAnon" in fields else None


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def launched(rank, processes):
    """The environment that torchrun gives to a process."""
    return {**os.environ, "RANK": str(rank), "WORLD_SIZE": str(processes), "LOCAL_RANK": str(rank),
            "LOCAL_WORLD_SIZE": str(processes), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29517"}


def train(name, folder, settings, processes=1):
    """Prints seconds to the end of the first update, and the most memory of each process."""
    shutil.rmtree(folder / "run", ignore_errors=True)
    command = [BUILD / "bin/heed", "train", folder / "large.yaml"]
    for setting in settings:
        command += ["--set", setting]
    begin, first, used = time.monotonic(), None, processor_seconds()
    log = folder / "log"
    with open(log, "w") as out:
        running = [subprocess.Popen(command, env=launched(rank, processes) if processes > 1 else None, stderr=out)
                   for rank in range(processes)]
        most = [[0, 0] for _ in running]
        while any(process.poll() is None for process in running):
            for own, process in zip(most, running):
                own[:] = map(max, own, status(process.pid) or own)
            if first is None and "update 1:" in log.read_text():
                first = time.monotonic() - begin
            time.sleep(0.02)
    if any(process.returncode for process in running):
        raise SystemExit(f"{name}: {log.read_text()}")
    memory = ", ".join(f"{own:,.0f} + {shared:,.0f}" for own, shared in most)
    print(f"{name:26} first update after {first or time.monotonic() - begin:7.1f} s, processor {processor_seconds() - used:7.1f} s, "
          f"own + shared memory {memory} MB", flush=True)


def stages(cache, begin):
    """When the files of a cache were finished: what is known of the text, the findings of the checks, the index."""
    files = sorted(cache.iterdir(), key=lambda file: file.stat().st_mtime)
    print("files of the cache: " + ", ".join(f"{file.suffix} after {file.stat().st_mtime - begin:.1f} s" for file in files))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=int, default=1_000_000)
    options.add_argument("--folder", type=Path, required=True, help="for text, cache and run; used again as --keep left it")
    options.add_argument("--processes", type=int, default=2)
    options.add_argument("--without", action="store_true", help="also a start without a cache")
    options.add_argument("--keep", action="store_true", help="leave the folder as it is at the end")
    given = options.parse_args()
    subprocess.run(["cmake", "--build", BUILD, "--target", "bench_large_corpus"], check=True, stdout=subprocess.DEVNULL)
    folder = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        measure(folder, given)
    finally:
        if not given.keep:
            shutil.rmtree(folder)


def measure(folder, given):
    bench = BUILD / "bin/bench_large_corpus"
    if not (folder / "vocabulary").exists():
        subprocess.run([bench, "make", folder, str(given.pairs)], check=True)
    size = sum((folder / side).stat().st_size for side in ("source", "target"))
    print(f"{given.pairs:,} pairs, {size / 1e9:.2f} GB of text", flush=True)
    (folder / "large.yaml").write_text(CONFIG.format(folder=folder))
    if given.without:
        train("without a cache", folder, [])
    begin = time.time()
    train("empty cache", folder, ["data.cache=cache"])
    stages(folder / "cache", begin)
    train("ready cache", folder, ["data.cache=cache"])
    train(f"ready cache, {given.processes} processes", folder, ["data.cache=cache"], given.processes)
    print("in one program, without a model:", flush=True)
    subprocess.run([bench, "measure", folder, folder / "cache"], check=True)


if __name__ == "__main__":
    main()
