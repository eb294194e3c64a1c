"""Translation with trained models of heed.

>>> import heed
>>> translator = heed.load("runs/en-de")
>>> translator.translate(["The door is closed."])[0].text
'Die Tür ist geschlossen.'
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Union

from . import _heed
from ._heed import Score, TextWarning, Translation, Translations
from .errors import DataError, Error, FileError, ModelError, UsageError

__all__ = [
    "DataError", "Error", "FileError", "ModelError", "Score", "TextWarning", "Translation", "Translations", "Translator", "UsageError", "load",
]  # fmt: skip
__version__: str = _heed.version

#: A text, or for a model with several inputs a text for each of them by name.
Source = Union[str, Mapping[str, str]]
Path = Union[str, "os.PathLike[str]"]


class Translator:
    """A loaded model. Several threads may use one at the same time; while it computes, other threads of Python go on."""

    def __init__(self, model: Path | Sequence[Path], *, device: str = "auto", precision: str = "fp32") -> None:
        """Loads a run (its best checkpoint), a checkpoint or a model folder; several are an ensemble.

        device: "auto" (a GPU if there is one), "cpu", "cuda" or "cuda:N".
        precision: "fp32"; for standard models on a CPU also "bf16" and "int8".
        """
        models = [model] if isinstance(model, (str, os.PathLike)) else model
        self._translator = _heed.Translator([os.fspath(one) for one in models], device, precision)

    @property
    def inputs(self) -> list[str]:
        """What the model reads for each translation: its sources, then what stands beside them."""
        return self._translator.inputs

    @property
    def tags(self) -> list[str]:
        """Tags that a text may have, such as target languages; empty for a model without tags."""
        return self._translator.tags

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
        batch: int = 0,
        workers: int = 0,
        **search: object,
    ) -> list[Translations]:
        """The translations of each text, in the order of the texts.

        nbest: translations of each text; it widens a beam that is not given.
        alignment, attention: whether these are wanted.
        replace_unknown: <unk> becomes the source word that it attends to most.
        split: whether each sentence of a text is translated by itself, where the model has one input; line breaks are then kept.
        tag: of all texts. batch: texts that go through the model together; 0 is what suits the model. workers: threads; 0 is one a core.
        search: keys of the config's section `search`, such as beam=8, length_penalty=0.6, suppress_tokens=["<unk>"].
        """
        settings = {key: _text_of(value) for key, value in search.items()}
        sources = self._sources(texts, tag)
        return self._translator.translate(sources, nbest, alignment, attention, replace_unknown, split, tag, batch, workers, settings)

    def score(
        self, texts: Sequence[Source], targets: Sequence[str], *, tag: str = "", batch: int = 0, workers: int = 0
    ) -> list[Score]:
        """The log-probability of each target as the translation of the text at its position."""
        return self._translator.score(self._sources(texts, tag), list(targets), tag, batch, workers)

    def _sources(self, texts: Sequence[Source], tag: str) -> list[list[str]]:
        if isinstance(texts, str):
            raise UsageError("found a text, expected a list of texts")
        names = self.inputs[:-1] if tag else self.inputs
        return [[text] if isinstance(text, str) else _by_name(text, names) for text in texts]


def load(model: Path | Sequence[Path], *, device: str = "auto", precision: str = "fp32") -> Translator:
    """Translator(model, …): loads a run, a checkpoint or a model folder; several are an ensemble."""
    return Translator(model, device=device, precision=precision)


def _by_name(text: Mapping[str, str], names: list[str]) -> list[str]:
    if set(text) != set(names):
        raise UsageError(f"found the inputs {', '.join(text)}, but the model reads {', '.join(names)}")
    return [text[name] for name in names]


def _text_of(value: object) -> str:
    """As a config writes it: true and not True; a list of tokens in brackets."""
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)
