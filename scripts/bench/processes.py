#!/usr/bin/env python3
"""Training in several processes: speed, and the share of the time in which processes wait for each other.

Each process runs in a network namespace of its own, joined by a bridge, as if on a host of its own; --mbit limits what each
sends (tc, token bucket filter), which stands in for a slower network. Needs root, iproute2, and a kernel with veth and sch_tbf.
The processes share the cores of this host, so that tokens a second do not grow once these are busy: what counts is the share
of waiting with and without overlap. For each number of processes the overlapping and the plain sums take turns.

    scripts/bench/processes.py --corpus FOLDER_OF_MULTI30K [--processes 1 2 4] [--mbit 0 1000] [--updates 60] [--rounds 2]

It also prints the model on paper: the bytes that a process sends for an update, 8 N (p - 1) / p for N parameters, and the time
that they take at the given rate.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEED = ROOT / "build/release/bin/heed"
NAME = "heedbench"


def run(*command, check=True):
    ended = subprocess.run(command, capture_output=True, text=True)
    if check and ended.returncode:
        raise SystemExit(f"{' '.join(command)}: {ended.stderr}")


class Hosts:
    """Network namespaces on a bridge, 10.77.0.1 and so on."""

    def __init__(self, count, mbit):
        self.count, self.mbit = count, mbit

    def __enter__(self):
        self.remove()
        run("ip", "link", "add", NAME, "type", "bridge")
        run("ip", "link", "set", NAME, "up")
        for i in range(self.count):
            space, outer, inner = f"{NAME}{i}", f"{NAME[:4]}o{i}", f"{NAME[:4]}i{i}"
            run("ip", "netns", "add", space)
            run("ip", "link", "add", outer, "type", "veth", "peer", "name", inner, "netns", space)
            run("ip", "link", "set", outer, "master", NAME, "up")
            run("ip", "-n", space, "link", "set", "lo", "up")
            run("ip", "-n", space, "addr", "add", f"10.77.0.{i + 1}/24", "dev", inner)
            run("ip", "-n", space, "link", "set", inner, "up")
            if self.mbit:
                run("ip", "netns", "exec", space, "tc", "qdisc", "add", "dev", inner, "root", "tbf", "rate", f"{self.mbit}mbit",
                    "burst", "256kb", "latency", "50ms")
        return self

    def __exit__(self, *_):
        self.remove()

    def remove(self):
        for i in range(64):
            if not Path(f"/run/netns/{NAME}{i}").exists():
                break
            run("ip", "link", "del", f"{NAME[:4]}o{i}", check=False)  # a namespace takes its links with it, but later
            run("ip", "netns", "del", f"{NAME}{i}", check=False)
        run("ip", "link", "del", NAME, check=False)


def train(count, mbit, overlap, given, work):
    """Tokens a second and the share of waiting in the updates behind the first third."""
    folder = work / "run"
    command = [HEED, "train", ROOT / "configs/multi30k-transformer.yaml", "--overwrite"]
    for setting in (f"run={folder}", f"data.dir={given.corpus.resolve()}", f"text.source.model={given.model}", "data.test={}",
                    "train.workers=1", "train.precision=bf16", "train.max_time=~", "data.valid=~",
                    f"train.max_updates={given.updates}", "train.log_every=5", f"train.reduction.overlap={str(overlap).lower()}"):
        command += ["--set", setting]
    with Hosts(count, mbit):
        processes = []
        for rank in range(count):
            environment = {**os.environ, "RANK": str(rank), "WORLD_SIZE": str(count), "LOCAL_RANK": "0", "LOCAL_WORLD_SIZE": "1",
                           "MASTER_ADDR": "10.77.0.1", "MASTER_PORT": "29500", "GLOO_SOCKET_IFNAME": f"{NAME[:4]}i{rank}"}
            processes.append(subprocess.Popen(["ip", "netns", "exec", f"{NAME}{rank}", *command], env=environment,
                                              stderr=subprocess.PIPE, text=True))
        ends = [process.communicate()[1] for process in processes]
        if any(process.returncode for process in processes):
            raise SystemExit("\n".join(ends))
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    lines = [line for line in lines if line["kind"] == "train" and line["update"] > given.updates / 3]
    return (statistics.median(line["tokens_per_second"] for line in lines),
            statistics.median(line.get("waiting", 0) for line in lines),
            statistics.median(line["tokens"] / line["tokens_per_second"] / 5 for line in lines))


def parameters_of(folder):
    size = 0
    with open(folder / "latest/model/model.safetensors", "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    for name, entry in header.items():
        if name != "__metadata__":
            size += (entry["data_offsets"][1] - entry["data_offsets"][0]) // 4
    return size


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--corpus", type=Path, required=True, help="folder of Multi30k: train.en, train.de")
    options.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    options.add_argument("--mbit", type=int, nargs="+", default=[0, 1000], help="megabits a second of each process; 0: no limit")
    options.add_argument("--updates", type=int, default=60)
    options.add_argument("--rounds", type=int, default=2)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        given.model = work / "text/source.model"
        subprocess.run([HEED, "vocab", ROOT / "configs/multi30k-transformer.yaml", "--set", f"data.dir={given.corpus.resolve()}",
                        "-o", work / "text"], check=True, capture_output=True)
        print(f"{'processes':>9} {'Mbit/s':>7} {'overlap':>8} {'tokens/s':>9} {'waiting':>8} {'update':>8} {'sent, MB':>9} {'on paper':>9}")
        for mbit in given.mbit:
            for count in given.processes:
                found = {}
                for _ in range(given.rounds):
                    for overlap in ([False] if count == 1 else [False, True]):
                        found.setdefault(overlap, []).append(train(count, mbit, overlap, given, work))
                sent = 8 * parameters_of(work / "run") * (count - 1) / count / 1e6
                paper = f"{sent * 8 / mbit:8.3f}s" if mbit else ""
                for overlap, figures in found.items():
                    speed, waiting, seconds = (statistics.median(values) for values in zip(*figures))
                    print(f"{count:9} {mbit or '':>7} {'yes' if overlap else 'no':>8} {speed:9,.0f} {waiting:8.1%} {seconds:7.3f}s "
                          f"{sent:9.1f} {paper:>9}", flush=True)


if __name__ == "__main__":
    main()
