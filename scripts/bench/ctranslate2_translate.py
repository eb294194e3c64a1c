"""Translates with CTranslate2 and a model that `heed export ctranslate2` wrote, with one SentencePiece model for both sides or
with words for tokens.

    python ctranslate2_translate.py FOLDER OPTIONS < TEXT        OPTIONS: JSON, as translation_speed.py gives them

Run by the Python of an environment that scripts/bench/peers.sh has made.
"""

import json
import sys
from pathlib import Path


def codec(folder):
    """Functions from lines to tokens and back."""
    if not (folder / "source.spm").exists():
        return lambda lines: [line.split() for line in lines], lambda outputs: [" ".join(output) for output in outputs]
    import sentencepiece
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
    return lambda lines: pieces.encode(lines, out_type=str), pieces.decode


def translate(folder, options):
    import ctranslate2
    encode, decode = codec(folder)
    translator = ctranslate2.Translator(str(folder), inter_threads=options["workers"], intra_threads=1,
                                        compute_type=options["compute_type"])
    search = dict(beam_size=options["beam"], length_penalty=1, max_decoding_length=options["max_length"],
                  min_decoding_length=options["min_length"], use_vmap=options.get("vmap", False))

    def texts(lines, batch):
        results = translator.translate_batch(encode(lines), max_batch_size=batch, **search)
        return decode([result.hypotheses[0] for result in results])

    if options.get("interactive"):
        for line in sys.stdin:
            print(texts([line.rstrip("\n")], 1)[0], flush=True)
        return
    lines = [line.rstrip("\n") for line in sys.stdin]
    for text in texts(lines, options["batch"]):
        print(text)


if __name__ == "__main__":
    translate(Path(sys.argv[1]), json.loads(sys.argv[2]))
