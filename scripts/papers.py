#!/usr/bin/env python3
"""docs/papers.md: the published papers that heed follows, with the keys or the preset for each, and what tests it.

usage: scripts/papers.py [--check] [REPORTS]      REPORTS: build/release/reports
Prints the page. With --check it prints nothing and exits with 1 if docs/papers.md has other rows, or names a test that is not there. Which
of several tests a row names may differ, because some are skipped without corpora or a GPU.

A paper is one that docs/config.md, or the first line of a preset, names by author and year. docs/bibliography.tsv has its title.
The tests are those of the reports (tests/holds.h) and the tasks of tests/learning/rows.cpp. An error names a paper without an entry,
an entry that nothing names, and a row without a test.
"""

import csv
import re
import subprocess
import sys
from pathlib import Path

import tested

ROOT = tested.ROOT
PAGE = ROOT / "docs/papers.md"
CITED = re.compile(r"\b((?:[a-z]+ )?[A-Z][\w'-]+(?: and [A-Z]\w+)?) ((?:19|20)\d\d)\b")
# Words that may stand before a name.
NO_NAMES = {"in", "of", "as", "and", "also", "by", "with"}
TOPICS = {"model": "Whole models", "encoder": "Encoders", "decoder": "Decoders", "attention": "Kinds of attention", "score": "Scores",
          "terms": "Terms", "normalizer": "Normalizers", "read": "Read-outs", "head_combination": "Heads", "join": "Several sources and pooling",
          "output": "Outputs", "layer": "Layers and embeddings", "text": "Text", "data": "Data", "train": "Training", "search": "Search"}
# Topics of kinds that have none of their own.
PARTS = {"features": "attention", "kind": "head_combination", "gradient": "normalizer", "pool": "join",
         "sentences": "encoder", "positions": "layer", "past": "decoder", "optimizer": "train", "schedule": "train", "sweep": "train", "combine": "attention"}


class Bibliography:
    def __init__(self, path):
        with open(path, encoding="utf-8", newline="") as file:
            self.entries = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        self.used = set()

    def with_title(self, line):
        """The entry whose title a line quotes, or None."""
        entry = next((entry for entry in self.entries if f'"{entry["title"]}"' in line), None)
        if entry:
            self.used.add(entry["title"])
        return entry

    def find(self, name, year, text):
        """The entry, or None. Of two with one name, the one whose word stands in the text."""
        first = name.split(" and ")[0]
        for wanted in (f"{name} {year}", f"{first} {year}"):
            same = [entry for entry in self.entries if entry["name"] == wanted]
            same.sort(key=lambda entry: not entry["word"])
            for entry in same:
                if entry["word"] in text:
                    self.used.add(entry["title"])
                    return entry
        return None


def cited(text, bibliography, problems, where):
    for name, year in CITED.findall(text):
        words = name.split()
        if words[0] in NO_NAMES:
            words = words[1:]
        entry = bibliography.find(" ".join(words), year, text)
        if entry is None and len(words) > 1:
            entry = bibliography.find(" ".join(words[1:]), year, text)
        if entry is None:
            problems.append(f"{where}: docs/bibliography.tsv has no '{name} {year}'")
        else:
            yield entry


def facts():
    """(topic, keys, name of the mechanism or key for the tests, text), for each description and each key of docs/config.md."""
    heading, part = "", ""
    for line in (ROOT / "docs/config.md").read_text(encoding="utf-8").splitlines():
        if found := re.match(r"^##+ (.*)$", line):
            heading = found.group(1).replace("`", "")
            kind = heading.removeprefix("Kinds of ").split(":")[0].split(" ")[0].split(".")[0]
            part = PARTS.get(kind, kind)
            if heading.startswith("Kinds of "):
                heading = ""
        elif line.startswith("| `"):
            key, _, _, text = re.split(r"(?<!\\) \| ", line.strip("| "), maxsplit=3)
            key = key.strip("`")
            inside = ": " in heading
            yield part, f"`{heading}`: `{key}`" if inside else f"`{heading}.{key}`", f"{heading} {key}" if inside else f"{heading}.{key}", text
        elif line and heading and not line.startswith("|"):
            yield part, f"`{heading}`", heading, line


def presets():
    """(name, first line) of each."""
    for path in sorted((ROOT / "src/model/presets").glob("*.yaml")):
        yield path.stem, path.read_text(encoding="utf-8").splitlines()[0]


def learning_rows():
    listed = subprocess.run([ROOT / "build/release/bin/test_learning", "--gtest_list_tests"], check=True, capture_output=True, text=True).stdout
    return sorted(set(re.findall(r"GetParam\(\) = (\w+)", listed)))


class Sources:
    """Tests by the words of their source. A word before the first test of a file counts as the first test's."""

    TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\((\w+), (\w+)\)", re.MULTILINE)

    def __init__(self):
        self.tests = []
        for folder in ("nn", "model", "network", "train", "cli", ""):
            for file in sorted((ROOT / "tests" / folder).glob("*_test.cpp" if folder else "*/*_test.cpp")):
                text = file.read_text(encoding="utf-8")
                found = list(self.TEST.finditer(text))
                starts = [0, *(match.start() for match in found[1:])]
                for match, start, end in zip(found, starts, [*starts[1:], len(text)]):
                    self.tests.append((str(file.relative_to(ROOT)), ".".join(match.groups()), text[start:end]))

    def with_word(self, word, files=""):
        return next((name for file, name, text in self.tests if re.match(files, file) and re.search(rf"\b{word}\b", text)), None)


def tests_of(name, held, rows, sources):
    """The names of tests: the reference of a mechanism first, then its learning task; or a test that sets a key of a kind."""
    if re.match(r".+: .* \w+$", name) and not held.get("reference", {}).get(name):
        return sources.with_word(name.split(" ")[-1]), None
    kind = name.split(": ")[-1].split(" ")[0]
    keys = held.get("keys", {})
    inside = [test for key, tests in keys.items() if key.startswith((f"{name}.", f"train.{name.replace(': ', '=')}")) for test in tests]
    found = [held.get("reference", {}).get(name, []), keys.get(name, []), inside, held.get("steps", {}).get(name, [])]
    fast = ([test for test in tests if "Slow" not in test] for tests in found)
    first = next((min(tests, key=lambda test: (len(test), test)) for tests in fast if tests), None)
    tasks = [row for row in rows if row == kind or row.startswith(kind + "_")]
    return first, tasks[0] if tasks else None


def page(held, sources, problems):
    bibliography = Bibliography(ROOT / "docs/bibliography.tsv")
    rows, tasks = {}, learning_rows()

    def add(topic, entry, keys, test, task):
        papers = rows.setdefault(TOPICS.get(topic, TOPICS["layer"]), {})
        papers.setdefault(entry["title"], (entry, {}))[1].setdefault(keys, (test, task))

    for name, line in presets():
        entry, test = bibliography.with_title(line), sources.with_word(name, "tests/model/.*(preset|models)")
        if entry is None or test is None:
            problems.append(f"preset {name}: docs/bibliography.tsv has no title that its first line quotes" if entry is None else f"preset {name}: no test names it")
            continue
        add("model", entry, f"`model: {{preset: {name}}}`", test, f"preset_{name}" if f"preset_{name}" in tasks else None)
    for topic, keys, name, text in facts():
        for entry in cited(text, bibliography, problems, name):
            test, task = tests_of(name, held, tasks, sources)
            if test is None and task is None:
                problems.append(f"{name}: no test holds what {entry['name']} describes")
            add(topic, entry, keys, test, task)
    problems += [f"docs/bibliography.tsv: nothing names '{entry['title']}'" for entry in bibliography.entries if entry["title"] not in bibliography.used]
    lines = ["# Papers", "", "Generated by `scripts/papers.py` from [config.md](config.md), the presets and the reports of the tests.", "",
             "`test` compares with an independent implementation of the paper's definition, or shows what the key does. `task` is a row of",
             "[rows.cpp](../tests/learning/rows.cpp): a model learns it with the mechanism."]
    for topic in TOPICS.values():
        if topic not in rows:
            continue
        lines += ["", f"## {topic}", "", "| paper | preset or keys | test | task |", "|---|---|---|---|"]
        for entry, uses in sorted(rows[topic].values(), key=lambda row: (row[0]["name"].lower(), row[0]["title"])):
            for keys, (test, task) in uses.items():
                paper = f"[{entry['name']}]({entry['link']}), {entry['title']}"
                lines.append(f"| {paper} | {keys} | {f'`{test}`' if test else ''} | {f'`{task}`' if task else ''} |")
    return "\n".join(lines) + "\n"


def stale(page_now, page_kept, sources):
    """Problems of the page that is kept."""
    def without_tests(text):
        return [re.sub(r"`[^`|]*` \| (`\w+`)? \|$", "", line) for line in text.splitlines()]
    if without_tests(page_now) != without_tests(page_kept):
        yield "docs/papers.md is stale; after scripts/test.sh: scripts/papers.py > docs/papers.md"
    known = {name for _, name, _ in sources.tests}
    for name in re.findall(r" \| `((?:\w+/)?[A-Z]\w*\.[A-Z]\w*)(?:/\w+)?` \|", page_kept):
        if name.split("/")[-1] not in known:
            yield f"docs/papers.md: there is no test '{name}'"


def main(arguments):
    check = "--check" in arguments
    reports = [word for word in arguments if word != "--check"]
    problems, sources = [], Sources()
    text = page(tested.read_reports(Path(reports[0] if reports else ROOT / "build/release/reports")), sources, problems)
    if not check:
        print(text, end="")
    else:
        problems += stale(text, PAGE.read_text(encoding="utf-8"), sources)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
