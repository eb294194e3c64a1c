#!/usr/bin/env python3
"""Headlines with a blank, to be filled by a word of the story below them.

    scripts/make_cloze_corpus.py CORPUS FOLDER [--most 3]

CORPUS    stories and headlines, {train,val,test}.src.lead3 and .tgt, as in the headlines of Reuters-21578
writes    {train,valid,test}.document, .query and .answer: of each headline at most --most lines, each with another word in the place of
          which stands @blank. A word that is asked for has four letters or more, stands once in its headline, and stands in the story.

On standard error: how often the most frequent such word of the story is the answer, which is what guessing gives.
"""

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

BLANK = "@blank"


def words_of(line):
    return re.findall(r"[^\W_]+(?:[-'.&][^\W_]+)*|[^\w\s]", line.lower())


def askable(word):
    return len(word) > 3 and word.isalpha()


def clozes(story, headline, most):
    """(document, query, answer) for the words of the headline that the story has."""
    document, words = words_of(story), words_of(headline)
    found = [word for word in words if askable(word) and words.count(word) == 1 and word in document]
    for answer in found[:most]:
        query = [BLANK if word == answer else word for word in words]
        yield " ".join(document), " ".join(query), answer


def guess(document, query):
    """The most frequent word of the story that the headline does not have."""
    counts = Counter(word for word in document.split() if askable(word) and word not in query.split())
    return counts.most_common(1)[0][0] if counts else ""


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("corpus", type=Path)
    options.add_argument("folder", type=Path)
    options.add_argument("--most", type=int, default=3, help="lines of a headline")
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for source, name in (("train", "train"), ("val", "valid"), ("test", "test")):
        stories = (given.corpus / f"{source}.src.lead3").read_text(encoding="utf-8").splitlines()
        headlines = (given.corpus / f"{source}.tgt").read_text(encoding="utf-8").splitlines()
        examples = [cloze for pair in zip(stories, headlines, strict=True) for cloze in clozes(*pair, given.most)]
        for side, texts in zip(("document", "query", "answer"), zip(*examples)):
            (given.folder / f"{name}.{side}").write_text("".join(text + "\n" for text in texts), encoding="utf-8")
        right = sum(guess(document, query) == answer for document, query, answer in examples)
        print(f"{name}: {len(examples)} lines, the most frequent word is right in {100 * right / len(examples):.1f} %", file=sys.stderr)


if __name__ == "__main__":
    main()
