#!/usr/bin/env python3
"""Word alignment: heed align beside fast_align and eflomal, by alignment error rate, processor time and memory.

usage: scripts/bench/word_alignment.py SOURCE TARGET [--gold FILE] [--fast-align FOLDER] [--eflomal COMMAND]
SOURCE and TARGET are texts of words in lower case with spaces between them; --gold is a manual alignment of their first lines (`i-j`, `i?j`).
FOLDER has fast_align and atools, COMMAND is eflomal-align. Each program aligns both directions in one thread; links
are symmetrized by grow-diag-final-and. Prints a row of a table for each program.
"""

import argparse
import os
import subprocess
import tempfile
from pathlib import Path

HEED = os.environ.get("HEED_PROGRAM", Path(__file__).parents[2] / "build/release/bin/heed")


def timed(command, output=None):
    """Processor seconds and MB of a command and its children."""
    with open(output or os.devnull, "w") as out:
        process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=subprocess.DEVNULL,
                                   env={**os.environ, "OMP_NUM_THREADS": "1"})
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"failed: {command}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def links(line):
    sure, possible = set(), set()
    for word in line.split():
        separator = "-" if "-" in word else "?" if "?" in word else "p"
        link = tuple(map(int, word.split(separator)))
        possible.add(link)
        if separator == "-":
            sure.add(link)
    return sure, possible


def error_rate(gold, found):
    """AER, precision and recall in percent."""
    total, in_sure, in_possible, all_sure = 0, 0, 0, 0
    with open(gold) as golds, open(found) as lines:
        for wanted, line in zip(golds, lines):
            sure, possible = links(wanted)
            made, _ = links(line)
            total, all_sure = total + len(made), all_sure + len(sure)
            in_sure, in_possible = in_sure + len(made & sure), in_possible + len(made & possible)
    rate = 1 - (in_sure + in_possible) / (total + all_sure)
    return [100 * value for value in (rate, in_possible / total, in_sure / all_sure)]


def run_heed(options, arguments, folder):
    return timed([HEED, "align", "--source", arguments.source, "--target", arguments.target, "--workers", 1, "--cased", *options,
                  "-o", folder / "links"])


def run_fast_align(arguments, folder):
    tools = Path(arguments.fast_align)
    with open(arguments.source) as sources, open(arguments.target) as targets, open(folder / "both", "w") as both:
        both.writelines(f"{s.strip()} ||| {t.strip()}\n" for s, t in zip(sources, targets))
    seconds, memory = 0, 0
    for output, reverse in (("forward", []), ("reverse", ["-r"])):
        more, peak = timed([tools / "fast_align", "-i", folder / "both", "-d", "-o", "-v", *reverse], folder / output)
        seconds, memory = seconds + more, max(memory, peak)
    symmetrize(tools, folder)
    return seconds, memory


def run_eflomal(arguments, folder):
    measured = timed([arguments.eflomal, "-s", arguments.source, "-t", arguments.target, "-f", folder / "forward", "-r", folder / "reverse"])
    symmetrize(Path(arguments.fast_align), folder)
    return measured


def symmetrize(tools, folder):
    with open(folder / "links", "w") as out:
        subprocess.run([tools / "atools", "-c", "grow-diag-final-and", "-i", folder / "forward", "-j", folder / "reverse"], stdout=out, check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--gold")
    parser.add_argument("--fast-align")
    parser.add_argument("--eflomal")
    arguments = parser.parse_args()
    programs = [("heed align --diagonal", lambda folder: run_heed(["--diagonal"], arguments, folder)),
                ("heed align", lambda folder: run_heed([], arguments, folder))]
    if arguments.fast_align:
        programs.append(("fast_align", lambda folder: run_fast_align(arguments, folder)))
        if arguments.eflomal:
            programs.append(("eflomal", lambda folder: run_eflomal(arguments, folder)))
    print("| program | AER | precision | recall | processor time | memory |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, run in programs:
        with tempfile.TemporaryDirectory() as folder:
            seconds, memory = run(Path(folder))
            rates = error_rate(arguments.gold, Path(folder) / "links") if arguments.gold else []
            cells = [f"{rate:.1f}" for rate in rates] or ["–"] * 3
        print(f"| `{name}` | {' | '.join(cells)} | {seconds:.0f} s | {memory:.0f} MB |", flush=True)


if __name__ == "__main__":
    main()
