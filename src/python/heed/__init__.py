"""Training of models, and translation with them.

>>> import heed
>>> translator = heed.load("runs/en-de")
>>> translator.translate(["The door is closed."])[0].text
'Die Tür ist geschlossen.'
"""

from __future__ import annotations

import ctypes
import json
import os
import warnings
import weakref
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Union

from . import _library
from ._calls import Options, array_of, check, encoded, encoded_path, run
from .errors import DataError, DivergedError, Error, FileError, ModelError, UsageError
from .results import Found, Score, TextWarning, Translation, Translations
from .training import Run, train

__all__ = [
    "DataError", "DivergedError", "Error", "FileError", "ModelError", "Run", "Score", "TextWarning", "Translation", "Translations",
    "Translator", "UsageError", "load", "train",
]  # fmt: skip
__version__: str = _library.version().decode()

#: A text, or for a model with several inputs a text for each of them by name.
Source = Union[str, Mapping[str, str]]
Path = Union[str, "os.PathLike[str]"]


class Translator:
    """A loaded model. Several threads may use one at the same time; while it computes, other threads of Python go on."""

    def __init__(self, model: Path | Sequence[Path], *, device: str = "auto", precision: str = "auto") -> None:
        """Loads a run (its best checkpoint), a checkpoint or a model folder; several are an ensemble.

        device: "auto" (a GPU if there is one), "cpu", "cuda" or "cuda:N".
        precision: "auto", that of a packed model, else "fp32"; for standard models on a CPU also "bf16" and "int8".
        """
        models = [model] if isinstance(model, (str, os.PathLike)) else model
        paths = array_of(encoded_path(one) for one in models)
        options = Options({"device": device, "precision": precision})
        self._handle = ctypes.c_void_p()
        try:
            run(lambda: check(_library.open_ensemble(paths, len(paths), options.handle, self._handle)), options.stopped)
        finally:
            weakref.finalize(self, _library.close, self._handle).atexit = False
        #: Names of the inputs of a translation: the sources, then edges, factors and the tag.
        self.inputs: list[str] = _names(_library.input_count, _library.input_name, self._handle)
        #: Tags that a text may have, such as target languages; empty for a model without tags.
        self.tags: list[str] = _names(_library.tag_count, _library.tag_name, self._handle)

    def translate(
        self,
        texts: Sequence[Source],
        *,
        nbest: int = 1,
        alignment: bool = False,
        attention: bool = False,
        replace_unknown: bool = False,
        split: bool = True,
        tag: str = "",
        source_language: str = "",
        target_language: str = "",
        batch: int = 0,
        workers: int = 0,
        **search: object,
    ) -> list[Translations]:
        """The translations of each text, in the order of the texts.

        nbest: translations of each text; it widens a beam that is not given.
        alignment, attention: whether these are wanted.
        replace_unknown: <unk> becomes the source word that it attends to most.
        split: whether each sentence of a text is translated by itself, where the model has one input; line breaks are then kept.
        source_language, target_language: of all texts, for a model of many languages: codes of the model, or of ISO 639.
        tag: of all texts. batch: texts that go through the model together; 0 is what suits the model. workers: threads; 0 is one a core.
        search: keys of the config's section `search`, such as beam=8, length_penalty=0.6, suppress_tokens=["<unk>"].
        """
        values = {"nbest": nbest, "alignment": alignment, "attention": attention, "replace_unknown": replace_unknown}
        values |= {"split": split, "tag": tag, "batch": batch, "workers": workers}
        values |= {"source_language": source_language, "target_language": target_language}
        values |= {f"search.{key}": value for key, value in search.items()}
        texts = _list_of(texts)
        sources = self._sources(texts, tag)
        found = self._call(lambda *rest: _library.translate(self._handle, sources, len(texts), *rest), values)
        return [Translations(found, i) for i in range(len(texts))]

    def score(
        self,
        texts: Sequence[Source],
        targets: Sequence[str],
        *,
        tag: str = "",
        source_language: str = "",
        target_language: str = "",
        batch: int = 0,
        workers: int = 0,
    ) -> list[Score]:
        """The log-probability of each target as the translation of the text at its position."""
        texts, targets = _list_of(texts), _list_of(targets)
        if len(texts) != len(targets):
            raise UsageError(f"{len(texts)} sources, but {len(targets)} targets; each target belongs to a source")
        sources = self._sources(texts, tag)
        given = array_of(encoded(target, number) for number, target in enumerate(targets, 1))
        values = {"tag": tag, "batch": batch, "workers": workers}
        values |= {"source_language": source_language, "target_language": target_language}
        found = self._call(lambda *rest: _library.score_tokens(self._handle, sources, given, len(texts), *rest), values)
        return [Score(found, i) for i in range(len(texts))]

    def _sources(self, texts: list[Source], tag: str) -> Any:
        """All inputs of the first text, then those of the second."""
        names = self.inputs[:-1] if tag and self.tags else self.inputs
        return array_of(encoded(part, i) for i, text in enumerate(texts, 1) for part in _parts_of(text, i, names))

    def _call(self, function: Callable[..., int], values: Mapping[str, object]) -> Found:
        """What the function finds, with these options; warns where the package was called."""
        options = Options({key: _text_of(value) for key, value in values.items()})
        handle = ctypes.c_void_p()
        try:
            run(lambda: check(function(options.handle, handle)), options.stopped)
        finally:
            found = Found(handle)
        for message in options.warnings:
            warnings.warn(message, UserWarning, stacklevel=3)
        return found


def load(model: Path | Sequence[Path], *, device: str = "auto", precision: str = "auto") -> Translator:
    """Translator(model, …): loads a run, a checkpoint or a model folder; several are an ensemble."""
    return Translator(model, device=device, precision=precision)


def _list_of(texts: Sequence[Any]) -> list[Any]:
    if isinstance(texts, str):
        raise UsageError("found a text, expected a list of texts")
    return list(texts)


def _names(count: Callable[..., int], name: Callable[..., bytes], handle: ctypes.c_void_p) -> list[str]:
    return [name(handle, i).decode() for i in range(count(handle))]


def _parts_of(text: Source, number: int, names: list[str]) -> list[str]:
    """A text for each of the inputs."""
    if isinstance(text, Mapping):
        if set(text) != set(names):
            raise UsageError(f"text {number}: found the inputs {', '.join(text)}, but the model reads {', '.join(names)}")
        return [text[name] for name in names]
    if len(names) > 1:
        raise UsageError(f"text {number}: found one text, but the model reads {len(names)} inputs by name: {', '.join(names)}")
    return [text]


def _text_of(value: object) -> str:
    """As a config writes it: true and not True; a list of tokens in brackets."""
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)
