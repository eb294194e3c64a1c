"""Translations and scores. What they hold is read from the library when it is asked for."""

from __future__ import annotations

import ctypes
import weakref
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from . import _library


class TextWarning(NamedTuple):
    """Something that a person should know of a text and its translation."""

    kind: str  #: "cut", "unknown", …: docs/warnings.md lists them
    message: str

    def __str__(self) -> str:
        return self.message


class Found:
    """Results of one call, an object of the library that lives as long as one of them."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self.handle = handle
        weakref.finalize(self, _library.translations_free, handle).atexit = False


class _Result:
    """Translation `rank` of text `number`."""

    def __init__(self, found: Found, number: int, rank: int = 0) -> None:
        self._found = found
        self._at = (found.handle, number, rank)

    @cached_property
    def warnings(self) -> list[TextWarning]:
        """Of the text and its best translation."""
        handle, number, _ = self._at
        count = _library.warning_count(handle, number)
        return [
            TextWarning(_library.warning_kind(handle, number, n).decode(), _library.warning_message(handle, number, n).decode())
            for n in range(count)
        ]

    @property
    def log_probability(self) -> float:
        """Of the tokens and the end, natural logarithm; -inf: the model excludes it."""
        return _library.log_probability(*self._at)

    @cached_property
    def tokens(self) -> list[str]:
        count = _library.token_count(*self._at)
        return [_library.token(*self._at, n).decode() for n in range(count)]

    @cached_property
    def log_probabilities(self) -> np.ndarray:
        """Of each token and of the end [tokens + 1]."""
        count = ctypes.c_size_t()
        return _array(_library.token_log_probabilities(*self._at, count), np.float64, count.value)


class Translation(_Result):
    """One of the translations of a text."""

    @cached_property
    def text(self) -> str:
        return _library.text(*self._at).decode()

    @property
    def score(self) -> float:
        """That translations are ranked by."""
        return _library.score_of(*self._at)

    @property
    def finished(self) -> bool:
        """False: cut at the maximum length."""
        return bool(_library.finished(*self._at))

    @cached_property
    def alignment(self) -> np.ndarray:
        """Source word and target word, from 0 [pairs, 2]; empty unless it was asked for."""
        count = ctypes.c_size_t()
        return _array(_library.alignment(*self._at, count), np.int64, count.value, 2)

    @cached_property
    def attention(self) -> np.ndarray:
        """Weights [tokens + 1, source tokens + 1], the end last; empty unless they were asked for."""
        rows, columns = ctypes.c_size_t(), ctypes.c_size_t()
        return _array(_library.attention(*self._at, rows, columns), np.float32, rows.value, columns.value)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Translation(text={self.text!r}, score={self.score:.4f})"


class Translations(Translation):
    """The translations of one text. What a Translation has is here that of the best one."""

    @cached_property
    def source_tokens(self) -> list[str]:
        handle, number, _ = self._at
        count = _library.source_token_count(handle, number)
        return [_library.source_token(handle, number, n).decode() for n in range(count)]

    @cached_property
    def nbest(self) -> list[Translation]:
        """All of them, best first."""
        handle, number, _ = self._at
        return [Translation(self._found, number, rank) for rank in range(_library.nbest(handle, number))]

    def __repr__(self) -> str:
        return f"Translations(text={self.text!r}, score={self.score:.4f}, {len(self.nbest)} of a text)"


class Score(_Result):
    """The probability of a given translation."""

    def __float__(self) -> float:
        return self.log_probability

    def __repr__(self) -> str:
        return f"Score(log_probability={self.log_probability:.4f})"


def _array(values: Any, kind: type, *shape: int) -> np.ndarray:
    """A copy of the numbers that the pointer `values` leads to; NULL where the shape has a zero."""
    if 0 in shape:
        return np.empty(shape, kind)
    return np.ctypeslib.as_array(values, shape).copy()
