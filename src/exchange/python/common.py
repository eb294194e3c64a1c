"""What the scripts of `heed import` have in common; this file is put before each of them.

What is wrong with a model is printed in one line, and ends with exit code 3.
"""

import sys

sys.path = [folder for folder in sys.path if folder]  # not the current folder, which may be the model's

import ctypes
import json
import pickle
import shutil
import struct
from pathlib import Path

REFUSED = 3
SPECIALS = ("<pad>", "<unk>", "<s>", "</s>")  # heed's, by id


class Problems(list):
    def expect(self, key, found, *expected):
        if found not in expected:
            self.append(f"{key}: found {found!r}, expected {' or '.join(repr(value) for value in expected)}")

    def stop_if_any(self):
        if self:
            print(" ".join("; ".join(self).split()))
            sys.exit(REFUSED)


def refuse(problem):
    Problems([problem]).stop_if_any()


def warn(message):
    """For what is left out; standard output is for the reasons of a refusal."""
    print(f"warning: {message}", file=sys.stderr)


def import_packages(**names):
    """Imports modules, given by the names of their packages."""
    try:
        return [__import__(module) for module in names.values()]
    except ImportError as error:
        refuse(f"{sys.executable}: has no {error.name}; install {' and '.join(names)}, or name the Python that has them by --python")


def read_checkpoint(torch, path):
    """What torch.save() has written, without running code of it."""
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # pickle's, zip's and those of files
        is_advice = isinstance(error, pickle.UnpicklingError) and error.__context__ is not None  # to load it with its code
        reason = error.__context__ if is_advice else error
        refuse(f"{path.name}: is incomplete, or no checkpoint without code of its own: {type(reason).__name__}: {str(reason).split('. ')[0]}")


def find_near(name, folder):
    """A file by the name that a config has for it, in the folder of the model or where it was; None if it is in neither."""
    for path in (folder / Path(name or "").name, Path(name or "")):
        if path.is_file():
            return path
    return None


class Parameters(dict):
    """Tensors of a checkpoint by name, which remember what was read."""

    def __init__(self, tensors):
        super().__init__(tensors)
        self.read = set()

    def __getitem__(self, name):
        self.read.add(name)
        return super().__getitem__(name)

    def __missing__(self, name):
        refuse(f"it has no parameter {name}")

    def refuse_others(self):
        """What was not read is a layer that heed does not have."""
        others = sorted(name for name in set(self) - self.read if not name.endswith(".pe"))  # tables of positions are computed
        if others:
            refuse(f"it has parameters of layers that are not converted: {', '.join(others)}")


class Side:
    """Source or target: tokens by id, the special ones of heed in the order of its ids, and the SentencePiece model, None for words."""

    tokens, specials, model, lower = [], [], None, False

    def rows(self):
        """Of each id of heed, the row in the embedding."""
        first = [self.tokens.index(token) for token in self.specials]
        return first + [row for row in range(len(self.tokens)) if row not in first]

    def equals(self, other):
        same = self.tokens == other.tokens and self.lower == other.lower and (self.model is None) == (other.model is None)
        return same and (self.model is None or self.model.read_bytes() == other.model.read_bytes())

    def write(self, name, new):
        """Its files, and its settings in the config of heed."""
        names = [self.tokens[row] for row in self.rows()[len(SPECIALS):]]
        names = [f"<id:{row}>" if token in SPECIALS else token for row, token in enumerate(names)]
        (new / f"{name}.vocabulary").write_text("".join(f"{token}\n" for token in names), encoding="utf-8")
        settings = {"lower": self.lower, "vocabulary": {"file": f"{name}.vocabulary"}}
        if self.model is None:
            return {"type": "words"} | settings
        shutil.copyfile(self.model, new / f"{name}.model")
        return {"type": "sentencepiece", "model": f"{name}.model"} | settings


def layers_of(names):
    """Weight and bias of layers, by their names in heed and in the other toolkit."""
    return {f"{own}.{kind}": f"{other}.{kind}" for own, other in names.items() for kind in ("weight", "bias")}


def cell_of(state, own, other, suffix=""):
    """A recurrent cell of PyTorch; heed has a dimension for the gates."""
    tensors = {f"{own}.{new}": state[f"{other}.{old}{suffix}"] for new, old in
               (("weight_input", "weight_ih"), ("weight_hidden", "weight_hh"), ("bias_input", "bias_ih"), ("bias_hidden", "bias_hh"))}
    width = tensors[f"{own}.weight_hidden"].shape[1]
    return {name: tensor.reshape(-1, width, tensor.shape[1]) if tensor.dim() == 2 else tensor for name, tensor in tensors.items()}


def recurrent_layers(state, own, other, layers, directions=("",)):
    """The layers of an nn.LSTM or nn.GRU."""
    tensors = {}
    for i in range(layers):
        for direction in directions:
            suffix = f"_l{i}" + ("_reverse" if direction == "_backward" else "")
            tensors |= cell_of(state, f"{own}.layer_{i}{direction}", other, suffix)
    return tensors


def write_safetensors(tensors, path):
    import torch
    tensors = {name: tensor.to(torch.float32).contiguous() for name, tensor in sorted(tensors.items())}
    broken = [name for name, tensor in tensors.items() if not torch.isfinite(tensor).all()]
    if broken:
        refuse(f"it has numbers that are not finite, in heed's {', '.join(broken)}")
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


def write_model(new, source, target, config, search, tensors):
    """The files of a model folder."""
    is_shared = source.equals(target)
    texts = {"source": source.write("source", new)}
    texts["target"] = {"type": texts["source"]["type"], "share": "source"} if is_shared else target.write("target", new)
    (new / "config.yaml").write_text(json.dumps({"sources": ["source"], "text": texts, "model": config, "search": search}))
    write_safetensors(tensors, new / "model.safetensors")


def run(main):
    """main: of the two arguments. Where a damaged model makes it fail, its error is the reason of the refusal."""
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
    except Exception as error:
        refuse(f"it is damaged, or of another version: {type(error).__name__}: {error}")
