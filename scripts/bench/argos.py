#!/usr/bin/env python3
"""Exports a model as a package, has Argos Translate install it and translate, and counts the lines with heed's own text.

    python3 -m venv build/argos && build/argos/bin/pip install argostranslate
    build/argos/bin/python scripts/bench/argos.py MODEL test.en      # one SentencePiece model for both languages

Each line is one sentence: Argos Translate downloads a model that finds sentences, which is left out here.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HEED = Path(__file__).parents[2] / "build/release/bin/heed"


def heed(*arguments):
    return subprocess.run([HEED, *arguments], check=True, text=True, stdout=subprocess.PIPE).stdout


def main(model, source):
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder  # where packages are installed
        package = f"{folder}/model.argosmodel"
        heed("export", "argos", model, package)
        import argostranslate.package
        import argostranslate.sbd
        import argostranslate.translate
        argostranslate.sbd.MiniSBDSentencizer.split_sentences = lambda _, text: [text]
        argostranslate.package.install_from_path(Path(package))
        installed = argostranslate.package.get_installed_packages()[0]
        lines = Path(source).read_text(encoding="utf-8").splitlines()
        theirs = [argostranslate.translate.translate(line, installed.from_code, installed.to_code) for line in lines]
        heed("import", "argos", package, "-o", f"{folder}/back")
        own = heed("translate", f"{folder}/back", "-i", source, "--replace-unknown").splitlines()
        print(f"{sum(a == b for a, b in zip(theirs, own))} of {len(lines)} lines are equal")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: argos.py MODEL SOURCE")
    main(*sys.argv[1:])
