#!/usr/bin/env python3
"""Writes calls of SentencePiece as peer_recorder.py does: each character of Unicode, between two letters, as the library encodes it.

usage: peer_texts.py MODELS CALLS      MODELS: a folder of *.model, which the tests of SentencePiece have left
"""

import json
import sys
import unicodedata
from pathlib import Path

import sentencepiece

BREAKS = {"\n", "\r"}


def characters():
    for number in range(sys.maxunicode + 1):
        one = chr(number)
        if unicodedata.category(one) not in ("Cn", "Co", "Cs") and one not in BREAKS:
            yield one


def main():
    models, calls = sys.argv[1:]
    texts = [f"a{one}b" for one in characters()]
    with open(calls, "w", encoding="utf-8") as file:
        for model in sorted(Path(models).glob("*.model")):
            processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
            rows = processor.encode(texts, out_type=str)
            for text, row in zip(texts, rows):
                call = {"test": f"U+{ord(text[1]):04X}", "kind": "encode", "model": str(model), "texts": [text], "rows": [row]}
                file.write(json.dumps(call, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
