#!/usr/bin/env python3
"""Repeats with heed the calls that peer_recorder.py wrote from the tests of other toolkits, and counts equal and unequal results.

usage: scripts/bench/peer_suites.py HEED CALLS.jsonl…      peer_suites.sh writes the files
Prints, for each file and kind of call, how many calls heed repeats with the same result, the unequal ones with their test, and
by reason those that it has no counterpart for. Exits with 1 if one is unequal.
"""

import collections
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HEED = sys.argv[1]
SHOWN = 5  # unequal calls of a kind that are printed


class NoCounterpart(Exception):
    """heed has nothing for this call; the message is the reason."""


class Unequal(Exception):
    """The message has both results."""


def run(arguments, folder, text=None):
    found = subprocess.run([HEED, *arguments], cwd=folder, input=text, capture_output=True, encoding="utf-8", errors="surrogateescape")
    if found.returncode != 0:
        raise Unequal(f"heed {' '.join(arguments)}: exit code {found.returncode}: {found.stderr.strip()[-300:]}")
    return found.stdout


TEXT_WITH_BREAK = "text with a line break, which a line of a file cannot have"


def has_break(text):
    return "\n" in text or "\r" in text


def evaluate(arguments, folder):
    return json.loads(run(["evaluate", "--format", "json", *arguments], folder))[0]


def write_lines(path, lines):
    lines = list(lines)
    for line in lines:
        if has_break(line):
            raise NoCounterpart(TEXT_WITH_BREAK)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="")


def expect_near(own, other, what, tolerance=1e-9):
    if not math.isclose(own, other, rel_tol=tolerance, abs_tol=tolerance):
        raise Unequal(f"{what}: heed {own!r}, peer {other!r}")


# ---- scores
# The score of a sentence is that of a text of one line.


BLEU_TOKENIZERS = {"13a", "intl", "char", "none", "zh", "ja-mecab"}


def metric_arguments(metric, options):
    arguments = []
    if metric == "BLEU":
        tokenizer = options["tokenizer_signature"].partition("-0")[0] if options["tokenizer_signature"].startswith("ja-mecab") else options["tokenizer_signature"]
        if tokenizer not in BLEU_TOKENIZERS:
            raise NoCounterpart(f"BLEU with the tokenizer {tokenizer}")
        if options["max_ngram_order"] != 4:
            raise NoCounterpart("BLEU of another order than 4")
        arguments += ["-m", "bleu", "--tokenize", tokenizer, "--smooth", options["smooth_method"]]
        if options["smooth_value"] is not None and options["smooth_method"] in ("floor", "add-k"):
            arguments += ["--smooth-value", repr(options["smooth_value"])]
        arguments += ["--effective-order"] if options["effective_order"] else []
    elif metric == "CHRF":
        if options["eps_smoothing"]:
            raise NoCounterpart("chrF with eps_smoothing")
        arguments += ["-m", "chrf", "--chrf-char-order", str(options["char_order"]), "--chrf-word-order", str(options["word_order"]),
                      "--chrf-beta", str(options["beta"])]
        arguments += ["--chrf-whitespace"] if options["whitespace"] else []
    else:
        flags = {"no_punct": "--ter-no-punct", "normalized": "--ter-normalized", "asian_support": "--ter-asian-support",
                 "case_sensitive": "--ter-case-sensitive"}
        arguments += ["-m", "ter", *(flag for name, flag in flags.items() if options[name])]
    if options.get("lowercase"):
        arguments.append("--lowercase")
    return arguments


def write_references(references, folder):
    if not references:
        raise NoCounterpart("no reference")
    names = []
    for number, stream in enumerate(references):
        if any(line is None for line in stream):
            raise NoCounterpart("lines with different numbers of references")
        names.append(f"ref{number}")
        write_lines(folder / names[-1], stream)
    return names


def repeat_score(call, folder):
    arguments = metric_arguments(call["metric"], call["options"])
    names = write_references(call["references"], folder)
    write_lines(folder / "hyp", call["hypotheses"])
    samples = call.get("samples", 1)
    if samples > 1:
        arguments += ["--confidence", "--samples", str(samples)]
    found = evaluate(["-r", *names, "-i", "hyp", *arguments], folder)
    expect_near(found["score"], call["score"], call["metric"])
    if samples > 1 and call["interval"]:
        expect_near(found["confidence"]["mean"], call["interval"][0], "mean", 1e-4)  # sacreBLEU sums in single precision
        expect_near(found["confidence"]["half_width"], call["interval"][1], "interval", 1e-3)


def repeat_significance(call, folder):
    if call["seed"] is None:
        raise NoCounterpart("a test without a seed")
    names = write_references(call["references"], folder)
    systems = []
    for number, lines in enumerate(call["systems"]):
        systems.append(f"system{number}")
        write_lines(folder / systems[-1], lines)
    test = {"bs": "bootstrap", "ar": "randomization"}[call["test_type"]]
    references = [argument for name in names for argument in ("-r", name)]
    for name, (metric, options) in call["metrics"].items():
        arguments = metric_arguments(metric, options)
        found = json.loads(run(["compare", *references, *systems, "--format", "json", "--test", test, "--samples", str(call["samples"]),
                                "--seed", str(call["seed"]), *arguments], folder))[0]
        for own, (score, p) in zip(found["systems"], call["scores"][next(key for key in call["scores"] if key.startswith(name[:3]))]):
            expect_near(own["score"], score, metric)
            if p is not None:  # one sample more or less: single precision there
                expect_near(own["p"], p, f"p of {own['system']}", 1.5 / call["samples"] / max(p, 1e-9) if p else 1)


def repeat_error_rate(call, folder):
    of_words = call["kind"] == "words"
    mark = {" ": "\N{OPEN BOX}", "\u3000": "\N{OPEN BOX}3", "\u00a0": "\N{OPEN BOX}0"}

    def text(tokens):
        own = tokens if of_words else [mark.get(token, token) for token in tokens]
        if any(not token or any(one.isspace() for one in token) for token in own):
            raise NoCounterpart("a word that is empty or has white space in it")
        return " ".join(own)

    if not sum(map(len, call["references"])):
        raise NoCounterpart("references without words, which jiwer defines as 1 for each word and heed refuses")
    write_lines(folder / "ref", map(text, call["references"]))
    write_lines(folder / "hyp", map(text, call["hypotheses"]))
    found = evaluate(["-r", "ref", "-i", "hyp", "-m", "wer"], folder)
    expect_near(found["score"], 100 * call["rate"], "error rate")


ROUGE = {"rouge1", "rouge2", "rougeL", "rougeLsum"}


def repeat_rouge(call, folder):
    wanted = ROUGE & set(call["scores"])
    if not wanted:
        raise NoCounterpart("ROUGE of " + ", ".join(sorted(call["scores"])))
    for name in wanted:
        # rouge-score takes a line break as the border of two sentences in rougeLsum, and as white space in the others.
        border = " <q> " if name == "rougeLsum" else " "
        write_lines(folder / "ref", [call["target"].replace("\r", " ").replace("\n", border)])
        write_lines(folder / "hyp", [call["prediction"].replace("\r", " ").replace("\n", border)])
        arguments = ["-m", name] + (["--stem"] if call["stem"] else [])
        if name == "rougeLsum":
            arguments += ["--sentence-break", "<q>"]
        found = evaluate(["-r", "ref", "-i", "hyp", *arguments], folder)
        expect_near(found["score"], 100 * call["scores"][name][2], name)


# ---- text


class Tokenizing:
    """Calls of one model, which heed answers in one run: line by line."""

    def __init__(self):
        self.groups = collections.defaultdict(list)

    def add(self, call):
        """Returns the reasons of those that heed has no counterpart for."""
        if call["kind"] == "decode":
            if any(has_break(text) for text in [call["text"], *call["pieces"]]):
                return [TEXT_WITH_BREAK]
            self.groups[call["model"], "decode"].append((call["pieces"], call["text"], call["test"]))
            return []
        missing = []
        for text, row in zip(call["texts"], call["rows"]):
            if has_break(text):
                missing.append(TEXT_WITH_BREAK)
                continue
            self.groups[call["model"], "encode"].append((text, row, call["test"]))
        return missing

    def repeat(self, counts):
        for (model, kind), calls in self.groups.items():
            name = f"{kind}, {Path(model).name}"
            try:
                rows = self.rows(model, kind, calls)
            except Unequal as what:
                rows = [str(what)] * len(calls)
            for row, (given, right, test) in zip(rows, calls):
                wanted = right if kind == "decode" else " ".join(right)
                if row == wanted:
                    counts.equal[name] += 1
                else:
                    counts.add_unequal(name, f"{given!r}: heed {row!r}, peer {wanted!r}", test)

    @staticmethod
    def rows(model, kind, calls):
        options = ["--decode"] if kind == "decode" else []
        lines = [" ".join(given) if kind == "decode" else given for given, _, _ in calls]
        rows = run(["tokenize", model, *options], ".", "".join(line + "\n" for line in lines)).split("\n")[:-1]
        if len(rows) != len(lines):
            raise Unequal(f"heed writes {len(rows)} lines for {len(lines)}")
        return rows


# ---- translations of CTranslate2


class Imported:
    """Models of CTranslate2 as heed imports them."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.models = {}

    def of(self, path):
        if not os.path.isdir(path):
            raise NoCounterpart("a model that is no folder, or that the test has removed")
        if path not in self.models:
            self.models[path] = os.path.join(self.folder.name, str(len(self.models)))
            run(["import", "ctranslate2", path, "-o", self.models[path]], ".")
        return self.models[path]


# Options of translate_batch() that change no result, and what heed calls the others.
IDLE = {"asynchronous", "max_batch_size", "batch_type", "return_scores", "return_attention", "max_input_length"}
DEFAULTS = {"beam_size": 2, "num_hypotheses": 1, "length_penalty": 1, "max_decoding_length": 256, "min_decoding_length": 1}
OPTIONS = {"beam_size": "--beam", "num_hypotheses": "--nbest", "length_penalty": "--length-penalty", "patience": "--patience",
           "coverage_penalty": "--coverage-penalty", "max_decoding_length": "--max-length", "min_decoding_length": "--min-length",
           "repetition_penalty": "--repetition-penalty", "no_repeat_ngram_size": "--no-repeat-ngram"}


def source_lines(call):
    if call["source"] and isinstance(call["source"][0], list) and call["source"][0] and isinstance(call["source"][0][0], list):
        raise NoCounterpart("source features")
    return [" ".join(tokens) for tokens in call["source"]]


def repeat_translation(call, folder):
    options = {**DEFAULTS, **call["options"]}
    arguments = ["--length-normalization", "plain", "--format", "json", "-i", "src"]
    for name, value in options.items():
        if name in OPTIONS:
            arguments += [OPTIONS[name], str(value)]
        elif name == "disable_unk":
            arguments += ["--allow-unknown", "false" if value else "true"]
        elif name == "suppress_sequences":
            write_lines(folder / "avoid", ["\t".join(map(" ".join, value))] * len(call["source"]))
            arguments += ["--avoid", "avoid"]
        elif name not in IDLE:
            raise NoCounterpart(f"translate_batch({name})")
    if options["min_decoding_length"] > 1:
        raise NoCounterpart("a minimum length: CTranslate2 normalizes the probabilities again without </s>")
    if call["hidden"]:
        raise NoCounterpart(f"translate_batch({', '.join(call['hidden'])})")
    model = IMPORTED.of(call["model"])
    write_lines(folder / "src", source_lines(call))
    prefixes = [" ".join(prefix or []) for prefix in call["prefix"] or []]
    if prefixes:
        write_lines(folder / "prefix", prefixes)
        arguments += ["--prefix", "prefix"]
    rows = [json.loads(line) for line in run(["translate", model, *arguments], folder).splitlines()]
    if len(rows) != len(call["results"]):
        raise Unequal(f"heed writes {len(rows)} lines for {len(call['results'])}")
    for row, result in zip(rows, call["results"]):
        for rank, (own, tokens) in enumerate(zip(row["translations"], result["hypotheses"])):
            if own["text"].split() != tokens:
                raise Unequal(f"rank {rank}: heed {own['text']!r}, peer {' '.join(tokens)!r}")
            if result["scores"] and tokens and not prefixes and own["finished"]:  # divided there by the length with the end
                own_score = own["log_probability"] / (len(tokens) + 1) ** options["length_penalty"]
                expect_near(own_score, result["scores"][rank], "score", 1e-3)
        if len(row["translations"]) != len(result["hypotheses"]):
            raise Unequal(f"heed finds {len(row['translations'])} translations, peer {len(result['hypotheses'])}")


def repeat_forced(call, folder):
    if set(call["options"]) - IDLE:
        raise NoCounterpart(f"score_batch({', '.join(sorted(set(call['options']) - IDLE))})")
    model = IMPORTED.of(call["model"])
    write_lines(folder / "src", source_lines(call))
    write_lines(folder / "tgt", [" ".join(tokens) for tokens in call["target"]])
    rows = [json.loads(line) for line in run(["score", model, "-s", "src", "-t", "tgt", "--tokens"], folder).splitlines()]
    if not all(call["source"]) or not all(call["target"]):
        raise NoCounterpart("score_batch() of an empty text, which has probability 1 there")
    for row, result in zip(rows, call["results"], strict=True):
        for own, other in zip(row["log_probabilities"], result["log_probs"], strict=True):
            expect_near(own, other, "log-probability", 1e-4)


IMPORTED = Imported()

# ---- counting


class Counts:
    def __init__(self):
        self.equal = collections.Counter()
        self.unequal = collections.defaultdict(list)
        self.missing = collections.Counter()

    def add_unequal(self, kind, what, test):
        self.unequal[kind].append(f"{test}: {what}")

    def print(self, title):
        print(f"\n{title}")
        for kind in sorted({*self.equal, *self.unequal}):
            print(f"  {kind}: {self.equal[kind]} equal, {len(self.unequal[kind])} unequal")
            for line in self.unequal[kind][:SHOWN]:
                print(f"    UNEQUAL {line[:400]}")
        for reason, count in self.missing.most_common():
            print(f"  no counterpart: {count} calls: {reason}")


REPEATERS = {"corpus": repeat_score, "sentence": repeat_score, "significance": repeat_significance, "words": repeat_error_rate,
             "characters": repeat_error_rate, "rouge": repeat_rouge, "translate": repeat_translation, "score": repeat_forced}


def repeat_file(path):
    counts, tokenizing = Counts(), Tokenizing()
    with open(path, encoding="utf-8") as calls, tempfile.TemporaryDirectory() as folder:
        for line in calls:
            call = json.loads(line)
            kind = call["kind"] if call["kind"] not in ("corpus", "sentence") else f"{call.get('metric', '')} {call['kind']}"
            try:
                if "unwritable" in call:
                    raise NoCounterpart(f"{call['kind']}: {call['unwritable']}")
                if call["kind"] in ("encode", "decode"):
                    for reason in tokenizing.add(call) or ():
                        counts.missing[reason] += 1
                    continue
                REPEATERS[call["kind"]](call, Path(folder))
                counts.equal[kind] += 1
            except NoCounterpart as reason:
                counts.missing[str(reason)] += 1
            except Unequal as what:
                counts.add_unequal(kind, str(what), call["test"])
    tokenizing.repeat(counts)
    counts.print(Path(path).name)
    return counts


def main():
    all_counts = [repeat_file(path) for path in sys.argv[2:]]
    equal = sum(sum(counts.equal.values()) for counts in all_counts)
    unequal = sum(len(calls) for counts in all_counts for calls in counts.unequal.values())
    missing = sum(sum(counts.missing.values()) for counts in all_counts)
    print(f"\nall: {equal} equal, {unequal} unequal, {missing} without a counterpart")
    return 1 if unequal else 0


if __name__ == "__main__":
    sys.exit(main())
