"""Prints the scores of a benchmark (benchmark.csv of benchmark.sh): means over the languages, with the deviation between seeds.

usage: benchmark_means.py BENCHMARK.csv [SETTING]      SETTING: a line for each language of this setting
"""

import collections
import csv
import statistics
import sys
from pathlib import Path


def language_and_score(row):
    """A model of several languages has a test set for each of them: test.LANGUAGE.METRIC."""
    kind, *names, metric = row["score"].split(".")
    return (row["language"] or ".".join(names)), f"{kind}.{metric}"


def read_scores(path, setting=None):
    """{(setting, score): {seed: [the scores of the languages]}}; of one setting {(language, score): {seed: [score]}}"""
    scores = collections.defaultdict(lambda: collections.defaultdict(list))
    with Path(path).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            language, score = language_and_score(row)
            if setting in (None, row["setting"]):
                scores[language if setting else row["setting"], score][row["seed"]].append(float(row["value"]))
    return scores


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.split("\n\n")[1])
    for (name, score), of_seed in read_scores(*sys.argv[1:]).items():
        means = {seed: statistics.mean(values) for seed, values in of_seed.items()}
        single = [mean for seed, mean in means.items() if not seed.startswith("ensemble")]
        together = [mean for seed, mean in means.items() if seed.startswith("ensemble")]
        deviation = f" ± {statistics.stdev(single):.2f}" if len(single) > 1 else ""
        counts = ",".join(sorted({str(len(values)) for values in of_seed.values()}))
        print(name, score, f"{statistics.mean(single):.2f}{deviation}" if single else "-", f"{len(single)} seeds, {counts} sets",
              *(f"ensemble {mean:.2f}" for mean in together), sep="\t")


if __name__ == "__main__":
    main()
