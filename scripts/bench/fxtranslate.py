#!/usr/bin/env python3
"""Exports a student as Firefox Translations runs it, has the package fxtranslate translate, and counts the lines with heed's own text.

    python3 -m venv build/fx && build/fx/bin/pip install fxtranslate
    build/fx/bin/python scripts/bench/fxtranslate.py MODEL test.en [LEXICON]      # one SentencePiece model for both languages

Both search greedily and on one core, fxtranslate line by line. heed translates the model itself, in float32 and in int8.
"""
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HEED = Path(__file__).parents[2] / "build/release/bin/heed"


def heed(*arguments):
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run([HEED, *arguments], check=True, text=True, stdout=subprocess.PIPE, env=environment).stdout


def main(model, source, *lexicon):
    import fxtranslate
    shortlist = ["--shortlist", *lexicon] if lexicon else []
    with tempfile.TemporaryDirectory() as folder:
        student = Path(folder) / "student"
        heed("export", "marian", model, str(student), "--format", "int8", "--calibrate", source, *shortlist)
        vocabulary = (student / "vocab.spm").read_bytes()
        lex = [(student / "lex.s2t.bin").read_bytes()] if lexicon else []
        translator = fxtranslate.Translator((student / "model.intgemm.alphas.bin").read_bytes(), vocabulary, vocabulary, *lex)
        lines = Path(source).read_text(encoding="utf-8").splitlines()
        words = sum(len(line.split()) for line in lines)
        begin = time.monotonic()
        theirs = [translator.translate(line) for line in lines]
        print(f"fxtranslate ({translator.backend()}): {words / (time.monotonic() - begin):.0f} words/s, without loading")
        for precision in ("fp32", "int8"):
            begin = time.monotonic()
            own = heed("translate", model, "-i", source, "--beam", "1", "--workers", "1", "--precision", precision, *shortlist).splitlines()
            speed = words / (time.monotonic() - begin)
            same = sum(a == b for a, b in zip(theirs, own))
            print(f"heed, {precision}: {same} of {len(lines)} lines are equal; {speed:.0f} words/s, with loading")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: fxtranslate.py MODEL SOURCE [LEXICON]")
    main(*sys.argv[1:])
