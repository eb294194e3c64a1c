#!/usr/bin/env python3
"""Inline tags (heed translate --markup xml): whether they are balanced and complete, and around the right words.

usage: scripts/bench/markup.py MODEL SOURCE REFERENCE [--forced] [--beam 5]
SOURCE and REFERENCE: lines of XML, such as test.en and test.de of salesforce-xml. Figures of the lines with tags:
  well-formed    lines that an XML parser reads
  all tags       lines with the tags of their source, attributes included, each as often
  same tree      lines with the tree of tags of the reference (XML structure match of Hashimoto et al. 2019)
  XML BLEU       BLEU of the texts between tags, empty for a line with another tree (the same)
With --forced each translation is the text of the reference, so that the places of tags can be compared word by word:
  exact          tag pairs around the same words as in the reference
  F1             of the words inside tag pairs, each pair beside the one with its name and number in the reference
"""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree
from pathlib import Path

HEED = os.environ.get("HEED_PROGRAM", Path(__file__).parents[2] / "build/release/bin/heed")
TAG = re.compile(r"<[^<>]*>")


def parse(line):
    try:
        return xml.etree.ElementTree.fromstring(f"<line>{line}</line>")
    except xml.etree.ElementTree.ParseError:
        return None


def tree_of(element):
    return element.tag, tuple(tree_of(child) for child in element)


def parts_of(line):
    return [" ".join(part.split()) for part in TAG.split(line)]


def words_of(text):
    return re.findall(r"\w+|[^\w\s]", unicodedata.normalize("NFKC", text))


def text_of(element):
    return " ".join("".join(element.itertext()).split())


def spans_of(element, before=0):
    """The elements inside: {(name, number of this name): (first word, behind the last)}, and how many words there are."""
    spans, counts = {}, collections.Counter()

    def visit(own, begin):
        at = begin + len(words_of(own.text or ""))
        for child in own:
            key = (child.tag, counts[child.tag])
            counts[child.tag] += 1
            end = visit(child, at)
            spans[key] = (at, end)
            at = end + len(words_of(child.tail or ""))
        return at

    visit(element, before)
    return spans


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, Path(folder)
        read = lambda path: Path(path).read_text(encoding="utf-8").split("\n")[:-1]
        pairs = [(s, r) for s, r in zip(read(options.source), read(options.reference)) if TAG.search(s)]
        self.sources, self.references = map(list, zip(*pairs))

    def write(self, name, lines):
        (self.folder / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return self.folder / name

    def run(self, *arguments):
        return subprocess.run([HEED, *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout

    def translate(self):
        more = []
        if self.options.forced:
            texts = self.write("forced", [text_of(parse(line)) for line in self.references])
            more = ["--prefix", texts, "--max-length", 1]
        source = self.write("source", self.sources)
        out = self.run("translate", self.options.model, "-i", source, "--markup", "xml", "--beam", self.options.beam, *more)
        return out.split("\n")[:-1]

    def bleu(self, lines, references):
        out = self.run("evaluate", "-i", self.write("out", lines), "-r", self.write("reference", references), "-m", "bleu")
        return out.split(" = ")[1].split()[0]

    def measure(self):
        lines = self.translate()
        trees = [(parse(line), parse(reference)) for line, reference in zip(lines, self.references)]
        well_formed = sum(own is not None for own, _ in trees)
        complete = sum(sorted(TAG.findall(s)) == sorted(TAG.findall(t)) for s, t in zip(self.sources, lines))
        same = [own is not None and tree_of(own) == tree_of(reference) for own, reference in trees]
        count = len(lines)
        print(f"{count} lines with tags")
        for name, number in (("well-formed", well_formed), ("all tags", complete), ("same tree", sum(same))):
            print(f"{name:12}{number:>6}{100 * number / count:>8.1f} %")
        if self.options.forced:
            self.compare_spans(trees)
        else:
            texts, references = [], []
            for line, reference, is_same in zip(lines, self.references, same):
                parts = parts_of(reference)
                references += parts
                texts += parts_of(line) if is_same else [""] * len(parts)
            print(f"XML BLEU    {self.bleu(texts, references):>6}")
            plain = lambda text: text_of(parse(text)) if parse(text) is not None else text
            print(f"BLEU        {self.bleu(list(map(plain, lines)), list(map(plain, self.references))):>6}")
        return well_formed == complete == count

    def compare_spans(self, trees):
        exact = pairs = skipped = 0
        shared = own_words = reference_words = 0
        for own, reference in trees:
            if own is None or words_of(text_of(own)) != words_of(text_of(reference)):
                skipped += 1
                continue
            found, wanted = spans_of(own), spans_of(reference)
            for key, (begin, end) in wanted.items():
                first, last = found.get(key, (0, 0))
                pairs += 1
                exact += (first, last) == (begin, end)
                shared += max(0, min(last, end) - max(first, begin))
                own_words += last - first
                reference_words += end - begin
        print(f"exact       {exact:>6} of {pairs} pairs {100 * exact / max(pairs, 1):>8.1f} %")
        print(f"F1          {200 * shared / max(own_words + reference_words, 1):>8.1f} %")
        print(f"{skipped} lines left out, whose text is not that of the reference", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("source")
    parser.add_argument("reference")
    parser.add_argument("--forced", action="store_true", help="translate each line as its reference")
    parser.add_argument("--beam", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(0 if Bench(options, folder).measure() else 1)


if __name__ == "__main__":
    main()
