"""Writes a model of JoeyNMT as the files of a model folder of heed: heed import joeynmt.

    python3 - FOLDER_OR_CHECKPOINT NEW_FOLDER

Needs PyTorch and PyYAML, not JoeyNMT; runs no code of the checkpoint (torch.load with weights_only). What is wrong with the
model is printed, and ends with exit code 3.
"""

import ctypes
import json
import shutil
import struct
import sys
from pathlib import Path

REFUSED = 3
SPECIALS = {"pad": "<pad>", "unk": "<unk>", "bos": "<s>", "eos": "</s>"}  # in the order of heed's ids
ACTIVATIONS = {"relu": "relu", "gelu": "gelu", "swish": "silu"}


class Problems(list):
    def expect(self, key, found, *expected):
        if found not in expected:
            self.append(f"{key}: found {found!r}, expected {' or '.join(repr(value) for value in expected)}")

    def stop_if_any(self):
        if self:
            print("; ".join(self))
            sys.exit(REFUSED)


def refuse(problem):
    Problems([problem]).stop_if_any()


def find_files(path):
    """The folder of the model and its checkpoint."""
    if path.is_file():
        return path.parent, path
    found = [path / name for name in ("best.ckpt", "latest.ckpt") if (path / name).is_file()]
    if not found:
        refuse(f"{path}: has neither best.ckpt nor latest.ckpt; name a checkpoint")
    return path, found[0]


class Side:
    """Source or target: tokenizer and vocabulary."""

    def __init__(self, key, data, folder, problems):
        config = data[key]
        self.key, self.folder = f"data.{key}", folder
        self.level, self.lower = config.get("level"), bool(config.get("lowercase", False))
        details = config.get("tokenizer_cfg") or {}
        problems.expect(f"{self.key}.tokenizer_cfg.pretokenizer", details.get("pretokenizer", "none"), "none")
        problems.expect(f"{self.key}.normalize", bool(config.get("normalize", False)), False)
        problems.expect(f"{self.key}.level", self.level, "word", "bpe")
        if self.level == "bpe":
            problems.expect(f"{self.key}.tokenizer_type", config.get("tokenizer_type"), "sentencepiece")
            self.model = self.find_model(details.get("model_file"), problems)
        special = data.get("special_symbols") or {}
        self.specials = [special.get(f"{name}_token", default) for name, default in SPECIALS.items()]
        problems.expect("data.special_symbols.sep_token", special.get("sep_token"), None)
        problems.expect("data.special_symbols.lang_tags", special.get("lang_tags") or [], [])
        self.tokens = (folder / f"{key}_vocab.txt").read_text(encoding="utf-8").split("\n")
        if self.tokens[-1] == "":
            self.tokens.pop()
        missing = [token for token in self.specials if token not in self.tokens]
        if missing:
            problems.append(f"{folder / key}_vocab.txt: has no {', '.join(missing)}")

    def find_model(self, name, problems):
        for path in (self.folder / Path(name or "").name, Path(name or "")):
            if path.is_file():
                return path
        problems.append(f"{self.key}.tokenizer_cfg.model_file: {name} is not there, neither by its path nor in {self.folder}")
        return None

    def rows(self):
        """Of each id of heed, the row in the embedding."""
        first = [self.tokens.index(token) for token in self.specials]
        return first + [row for row in range(len(self.tokens)) if row not in first]

    def equals(self, other):
        same = self.level == other.level and self.tokens == other.tokens and self.lower == other.lower
        return same and (self.level == "word" or self.model.read_bytes() == other.model.read_bytes())

    def write(self, name, new):
        """Its files, and its settings in the config of heed."""
        names = [self.tokens[row] for row in self.rows()[len(SPECIALS):]]
        reserved = set(SPECIALS.values())
        names = [f"<id:{row}>" if token in reserved else token for row, token in enumerate(names)]
        (new / f"{name}.vocabulary").write_text("".join(f"{token}\n" for token in names), encoding="utf-8")
        if self.level == "bpe":
            shutil.copyfile(self.model, new / f"{name}.model")
        return {"type": {"word": "words", "bpe": "sentencepiece"}[self.level], "lower": self.lower}


def stack_config(name, config, heads, problems):
    key = f"model.{name}"
    problems.expect(f"{key}.type", config.get("type"), "transformer")
    problems.expect(f"{key}.alpha", float(config.get("alpha", 1.0)), 1.0)
    activation = config.get("activation", "relu")
    problems.expect(f"{key}.activation", activation, *ACTIVATIONS)
    width = config.get("hidden_size", 512)
    dropout = config.get("dropout", 0.1)
    # An encoder whose config does not say layer_norm has it before each sublayer, and none behind the last layer.
    norm = config.get("layer_norm", {"encoder": "pre", "decoder": "post"}[name])
    return {
        "type": "transformer", "layers": config.get("num_layers", {"encoder": 8, "decoder": 4}[name]), "width": width,
        "feed_forward": config.get("ff_size", 2048), "activation": ACTIVATIONS.get(activation), "norm": norm,
        "final_norm": "layer_norm" in config or norm == "post", "positions": {"type": "sinusoidal"},
        "scale_embedding": bool(config["embeddings"].get("scale", False)), "dropout": dropout, "activation_dropout": dropout,
        "self_attention": {"score": "scaled_dot", "heads": heads, "dropout": dropout},
    }


def model_config(model, problems):
    encoder, decoder = model["encoder"], model["decoder"]
    heads = {"encoder": encoder.get("num_heads", 4), "decoder": decoder.get("num_heads", 8)}
    tied, softmax = bool(model.get("tied_embeddings")), bool(model.get("tied_softmax"))
    config = {
        "embedding": {"width": decoder["embeddings"].get("embedding_dim", 64), "tie": "none" if not softmax else "all" if tied else "target"},
        "encoder": stack_config("encoder", encoder, heads["encoder"], problems),
        "decoder": stack_config("decoder", decoder, heads["decoder"], problems),
        "output": {"type": "vocabulary", "bias": False},
    }
    config["decoder"]["attention"] = {"score": "scaled_dot", "heads": heads["decoder"], "dropout": decoder.get("dropout", 0.1)}
    problems.expect("model.encoder.embeddings.embedding_dim", encoder["embeddings"].get("embedding_dim", 64), config["embedding"]["width"])
    return config


def search_config(testing):
    alpha = testing.get("beam_alpha", -1)
    return {"beam": testing.get("beam_size", 1), "length_penalty": max(float(alpha), 0.0), "length_normalization": "gnmt", "min_length": testing.get("min_output_length", 1),
            "allow_unknown": bool(testing.get("generate_unk", True)), "no_repeat_ngram": max(testing.get("no_repeat_ngram_size", -1), 0)}


def attention_names(own, other):
    return {f"{own}.{part}": f"{other}.{name}" for part, name in
            {"score.query": "q_layer", "score.key": "k_layer", "read.value": "v_layer", "read.output": "output_layer"}.items()}


def layer_names(own, other, norm):
    return {f"{own}.feed_forward.inner": f"{other}.feed_forward.pwff_layer.0",
            f"{own}.feed_forward.outer": f"{other}.feed_forward.pwff_layer.3",
            f"{own}.feed_forward_residual.norm": f"{other}.feed_forward.layer_norm",
            f"{own}.self_residual.norm": f"{other}.{norm}"}


def parameter_names(config):
    """Layers by their names in heed and in JoeyNMT."""
    names = {}
    for i in range(config["encoder"]["layers"]):
        own, other = f"encoder_source.layer_{i}", f"encoder.layers.{i}"
        names |= layer_names(own, other, "layer_norm") | attention_names(f"{own}.self_attention", f"{other}.src_src_att")
    for i in range(config["decoder"]["layers"]):
        own, other = f"decoder.layer_{i}", f"decoder.layers.{i}"
        names |= layer_names(own, other, "x_layer_norm") | attention_names(f"{own}.self_attention", f"{other}.trg_trg_att")
        names |= attention_names(f"{own}.attention", f"{other}.src_trg_att") | {f"{own}.residual.norm": f"{other}.dec_layer_norm"}
    for own, part in (("encoder_source", "encoder"), ("decoder", "decoder")):
        if config[part]["norm"] == "pre" and config[part]["final_norm"]:
            names[f"{own}.final_norm"] = f"{part}.layer_norm"
    return names


def convert(state, config, source, target):
    """The parameters of heed by name."""
    tensors = {f"{own}.{kind}": state[f"{other}.{kind}"] for own, other in parameter_names(config).items() for kind in ("weight", "bias")}
    tensors["target.embedding"] = state["trg_embed.lut.weight"][target.rows()]
    if config["embedding"]["tie"] != "all":
        tensors["source_source.embedding"] = state["src_embed.lut.weight"][source.rows()]
    if config["embedding"]["tie"] == "none":
        tensors["output.weight"] = state["decoder.output_layer.weight"][target.rows()]
    return tensors


def write_safetensors(tensors, path):
    import torch
    tensors = {name: tensor.to(torch.float32).contiguous() for name, tensor in sorted(tensors.items())}
    header, offset = {}, 0
    for name, tensor in tensors.items():
        size = 4 * tensor.numel()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(ctypes.string_at(tensor.data_ptr(), 4 * tensor.numel()))


def main(path, new):
    try:
        import torch
        import yaml
    except ImportError as error:
        refuse(f"{sys.executable}: has no {error.name}; install torch and pyyaml, or name the Python that has them by --python")
    folder, checkpoint = find_files(path)
    joeynmt = yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8"))
    problems = Problems()
    source, target = (Side(key, joeynmt["data"], folder, problems) for key in ("src", "trg"))
    config = model_config(joeynmt["model"], problems)
    problems.stop_if_any()
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)["model_state"]
    is_shared = source.equals(target)
    if config["embedding"]["tie"] == "all" and not is_shared:
        config["embedding"]["tie"] = "target"
    texts = {"source": source.write("source", new)}
    texts["target"] = {"type": texts["source"]["type"], "share": "source"} if is_shared else target.write("target", new)
    (new / "config.yaml").write_text(json.dumps({"sources": ["source"], "text": texts, "model": config,
                                                 "search": search_config(joeynmt.get("testing") or {})}))
    write_safetensors(convert(state, config, source, target), new / "model.safetensors")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
