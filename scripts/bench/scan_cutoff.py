"""Scores the length split of SCAN with the length of the references: </s> is never generated, and an output is cut at the length of its
reference. The score is exact match, in %, beside that of the usual search. The end of a sentence is then no cause of errors.

usage: scan_cutoff.py TEST RUN…      TEST: a folder with test.in and test.out, by scan_tests.py; RUN: a run of a sweep, SETTING/SEED
"""

import subprocess
import sys
from pathlib import Path

HEED = Path(__file__).resolve().parents[2] / "build/release/bin/heed"


def translations(run, source, *options):
    command = [HEED, "translate", run, "-i", source, "--workers", "1", *options]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()


def exact(hypotheses, references):
    return 100 * sum(map(str.__eq__, hypotheses, references)) / len(references)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.split("\n\n")[1])
    source = Path(sys.argv[1]) / "test.in"
    references = source.with_suffix(".out").read_text(encoding="utf-8").splitlines()
    print("setting", "seed", "exact", "cutoff", sep="\t")
    for run in map(Path, sys.argv[2:]):
        plain = translations(run, source)
        endless = translations(run, source, "--suppress-tokens", "</s>")
        cut = [" ".join(line.split()[: len(reference.split())]) for line, reference in zip(endless, references, strict=True)]
        print(run.parent.name, run.name, f"{exact(plain, references):.2f}", f"{exact(cut, references):.2f}", sep="\t", flush=True)


if __name__ == "__main__":
    main()
