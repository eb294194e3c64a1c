"""Writes a Transformer that heed has trained as a model of CTranslate2, with the same weights, and translates with it.

    python ctranslate2_model.py export MODEL_FOLDER FOLDER             MODEL_FOLDER: RUN/best/model
    python ctranslate2_model.py translate FOLDER OPTIONS < TEXT        OPTIONS: JSON, as translation_speed.py gives them

Run by the Python of an environment that scripts/bench/peers.sh has made. For models with sinusoidal positions, norm before
each sublayer, ReLU, and one SentencePiece model for both sides.
"""

import json
import struct
import sys
from pathlib import Path


def read_safetensors(path):
    import numpy
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    tensors = {}
    for name, entry in json.loads(data[8:8 + size]).items():
        if name == "__metadata__":
            continue
        assert entry["dtype"] == "F32", name
        begin, end = entry["data_offsets"]
        tensors[name] = numpy.frombuffer(data[8 + size + begin:8 + size + end], numpy.float32).reshape(entry["shape"])
    return tensors


def sinusoids(count, width):
    import numpy
    angles = numpy.arange(count)[:, None] * numpy.exp(numpy.arange(0, width, 2) * (-numpy.log(10000.0) / width))
    return numpy.stack([numpy.sin(angles), numpy.cos(angles)], 2).reshape(count, width).astype(numpy.float32)


def export(model, folder):
    import ctranslate2
    import numpy
    import yaml
    config = yaml.safe_load((model / "config.yaml").read_text())["model"]
    weights = read_safetensors(model / "model.safetensors")
    encoder, decoder = config["encoder"], config["decoder"]
    assert encoder["norm"] == "pre" and encoder["activation"] == "relu" and encoder["positions"]["type"] == "sinusoidal"
    for stack in (encoder, decoder):
        assert stack["scale_embedding"] and stack["width"] == config["embedding"]["width"], "one width, scaled embeddings"
    heads = encoder["self_attention"]["heads"]
    assert heads == decoder["self_attention"]["heads"] == decoder["attention"]["heads"], "CTranslate2 has one number of heads"
    spec = ctranslate2.specs.TransformerSpec.from_config((encoder["layers"], decoder["layers"]), heads, pre_norm=True)

    def linear(to, *names):
        to.weight = numpy.concatenate([weights[name + ".weight"] for name in names])
        to.bias = numpy.concatenate([weights[name + ".bias"] for name in names])

    def norm(to, name):
        to.gamma, to.beta = weights[name + ".weight"], weights[name + ".bias"]

    def layers(stack, name, has_source):
        for number, layer in enumerate(stack.layer):
            own = f"{name}.layer_{number}."
            at = own + "self_attention."
            norm(layer.self_attention.layer_norm, own + "self_residual.norm")
            linear(layer.self_attention.linear[0], at + "score.query", at + "score.key", at + "read.value")
            linear(layer.self_attention.linear[1], at + "read.output")
            if has_source:
                at = own + "attention."
                norm(layer.attention.layer_norm, own + "residual.norm")
                linear(layer.attention.linear[0], at + "score.query")
                linear(layer.attention.linear[1], at + "score.key", at + "read.value")
                linear(layer.attention.linear[2], at + "read.output")
            norm(layer.ffn.layer_norm, own + "feed_forward_residual.norm")
            linear(layer.ffn.linear_0, own + "feed_forward.inner")
            linear(layer.ffn.linear_1, own + "feed_forward.outer")
        norm(stack.layer_norm, name + ".final_norm")
        stack.position_encodings.encodings = sinusoids(1024, config["embedding"]["width"])

    target = weights["target.embedding"]
    spec.encoder.embeddings[0].weight = weights.get("source_source.embedding", target)
    spec.decoder.embeddings.weight = target
    for stack in (spec.encoder, spec.decoder):
        stack.scale_embeddings = True
    layers(spec.encoder, "encoder_source", False)
    layers(spec.decoder, "decoder", True)
    spec.decoder.projection.weight = weights.get("output.weight", target)
    spec.decoder.projection.bias = weights["output.bias"]
    pieces = (model / "source.vocabulary").read_text(encoding="utf-8").split("\n")[:-1]
    vocabulary = ["<pad>", "<unk>", "<s>", "</s>", *pieces]
    assert len(vocabulary) == len(target), "source and target share a vocabulary"
    spec.register_source_vocabulary(vocabulary)
    spec.register_target_vocabulary(vocabulary)
    spec.config.add_source_eos = True
    spec.validate()
    spec.optimize(quantization=None)
    folder.mkdir(parents=True, exist_ok=True)
    spec.save(str(folder))
    (folder / "pieces.model").write_bytes((model / "source.model").read_bytes())


def translate(folder, options):
    import ctranslate2
    import sentencepiece
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "pieces.model"))
    translator = ctranslate2.Translator(str(folder), inter_threads=options["workers"], intra_threads=1,
                                        compute_type=options["compute_type"])
    search = dict(beam_size=options["beam"], length_penalty=1, max_decoding_length=options["max_length"])

    def texts(lines, batch):
        results = translator.translate_batch(pieces.encode(lines, out_type=str), max_batch_size=batch, **search)
        return pieces.decode([result.hypotheses[0] for result in results])

    if options.get("interactive"):
        for line in sys.stdin:
            print(texts([line.rstrip("\n")], 1)[0], flush=True)
        return
    lines = [line.rstrip("\n") for line in sys.stdin]
    for text in texts(lines, options["batch"]):
        print(text)


def main():
    command, folder = sys.argv[1], Path(sys.argv[2])
    if command == "export":
        export(folder, Path(sys.argv[3]))
    else:
        translate(folder, json.loads(sys.argv[3]))


if __name__ == "__main__":
    main()
