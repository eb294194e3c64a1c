"""Translations of a text by the models that training_speed.py has trained: by heed and by OpenNMT-py."""

import os
import subprocess

from translation_speed import HEED, MAX_LENGTH

PIECES = """
import sys, sentencepiece
model = sentencepiece.SentencePieceProcessor(model_file=sys.argv[1])
for line in sys.stdin:
    print(" ".join(model.encode(line.rstrip("\\n"), out_type=str)) if sys.argv[2] == "encode" else model.decode(line.split()))
"""


def in_pieces(peer, work, direction, lines):
    """Lines encoded or decoded by the joint subword model; direction: encode or decode."""
    text = "".join(line + "\n" for line in lines)
    return subprocess.run([peer / "bin/python", "-c", PIECES, work / "joint.model", direction], input=text, check=True,
                          capture_output=True, text=True).stdout.split("\n")[:-1]


def heed_command(run, source, output, beam, batch, precision):
    return [HEED, "translate", run, "-i", source, "-o", output, "--beam", str(beam), "--batch", str(batch), "--max-length",
            str(MAX_LENGTH), "--precision", precision, "--device", "cpu", "--workers", "2"]


def opennmt_command(peer, model, source, output, beam, batch):
    """Its command for a source in pieces."""
    return [peer / "bin/onmt_translate", "-model", model, "-src", source, "-output", output, "-beam_size", str(beam), "-batch_size",
            str(batch), "-length_penalty", "wu", "-alpha", "1", "-max_length", str(MAX_LENGTH), "-max_length_ratio", "0"]


def opennmt_environment(threads):
    return {**os.environ, "OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads),
            "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD": "1"}  # its models hold more than weights


def translate_by_heed(given, work, lines, beam):
    source, output = work / "test.source", work / "test.heed"
    source.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    output.unlink(missing_ok=True)
    subprocess.run(heed_command(work / "heed", source, output, beam, 32, "fp32"), check=True, capture_output=True)
    return output.read_text(encoding="utf-8").split("\n")[:-1]


def translate_by_opennmt(given, work, lines, beam):
    source, output = work / "test.pieces", work / "test.opennmt"
    source.write_text("".join(line + "\n" for line in in_pieces(given.peer, work, "encode", lines)), encoding="utf-8")
    subprocess.run(opennmt_command(given.peer, work / f"peer_step_{given.updates}.pt", source, output, beam, 32), check=True,
                   capture_output=True, env=opennmt_environment(2))
    return in_pieces(given.peer, work, "decode", output.read_text(encoding="utf-8").split("\n")[:-1])
